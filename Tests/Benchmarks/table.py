"""The table of scripts/bench: which figure has which bar, and how the results of compare.sh become its lines."""
import datetime
import os
import platform
import re
import statistics
import subprocess
from dataclasses import dataclass

RATIO, OWN = "ratio", "own"


@dataclass
class Figure:
    """One line of the table. `key` is a field of wsload's object; the bar is a maximum, of the median over the
    rounds of the ratio own / peer or of the own figure; None: shown only. `native`: the bar beside native
    uWebSockets where it is another one."""
    name: str
    test: str
    key: str
    unit: str
    judged: str
    bar: float | None
    scale: float = 1
    native: float | None = None


CPU, USER, MEMORY, ACCEPT, IDLE = (
    "server_cpu_s_per_m", "server_user_share", "pss_per_conn_b", "connect_cpu_us", "idle_cpu_ms_per_s")
KIB = 1024

FIGURES = [
    Figure("fan-out 1→1000, 200 B", "fan1000", CPU, "µs/delivery", RATIO, 1.00),
    Figure("fan-out, 16 in flight", "fan1000w16", CPU, "µs/delivery", RATIO, 1.00),
    Figure("fan-out, user-space share", "fan1000", USER, "% of CPU", OWN, 15, 100),
    Figure("fan-out, 16 in flight, user-space share", "fan1000w16", USER, "% of CPU", OWN, 15, 100),
    Figure("echo 64 B", "echo64", CPU, "µs/message", RATIO, 0.60, native=1.10),
    Figure("echo 64 B, 16 in flight", "echo64w16", CPU, "µs/message", RATIO, 0.15, native=1.50),
    Figure("idle connection, memory (PSS)", "idle10k", MEMORY, "B", OWN, 1 * KIB),
    Figure("accept and upgrade", "idle10k", ACCEPT, "µs", RATIO, 0.90, native=1.50),
    Figure("10 000 idle with heartbeats", "idle10kt30+heartbeat", IDLE, "ms/s", OWN, 5),
    Figure("deflate: fan-out 1→1000", "fan1000+deflate", CPU, "µs/delivery", RATIO, 0.75),
    Figure("TLS: fan-out 1→1000", "fan1000+tls", CPU, "µs/delivery", RATIO, 1.10),
    Figure("TLS: echo 64 B", "echo64+tls", CPU, "µs/message", RATIO, None),
    Figure("TLS: idle connection, memory (PSS)", "idle5k+tls", MEMORY, "B", OWN, 20 * KIB),
    Figure("TLS: the same beside the peer's", "idle5k+tls", MEMORY, "B", RATIO, 0.60),
    Figure("TLS: accept, handshake, upgrade", "idle5k+tls", ACCEPT, "µs", RATIO, None),
]


def tests():
    """The names of the runs that the table needs, in order."""
    return list(dict.fromkeys(figure.test for figure in FIGURES))


def lines(rows, peer):
    """The table as Markdown, and how many bars were missed. Figures without any run are left out."""
    text = [f"| figure | ours | {peer} | ours / {peer}, per round | bar | |", "|---|---|---|---|---|---|"]
    missed = 0
    for figure in FIGURES:
        runs = [row for row in rows if row["test"] == figure.test]
        if not runs:
            continue
        if trouble := refusal(runs):
            missed += 1
            text.append(f"| {figure.name} | no figure: {trouble} | | | | **missed** |")
            continue
        cells, is_missed = judge(figure, runs, peer)
        missed += is_missed
        text.append(f"| {figure.name} | {' | '.join(cells)} |")
    return text, missed


def refusal(runs):
    """Why these runs give no figure; None if they do."""
    if any(row["rc"] != 0 for row in runs):
        return "a run failed or was refused"
    # A side that agrees to compress and then does not would be compared with one that works.
    plain = {row["side"] for row in runs if row["result"].get("compressed", 0) < row["result"].get("frames", 0)}
    if plain and runs[0]["test"].endswith("+deflate"):
        return f"{' and '.join(sorted(plain))} sent messages that were not compressed"
    return None


def judge(figure, runs, peer_name):
    """The cells behind the name, and whether the bar was missed."""
    limit = (figure.native if peer_name == "native" else None) or figure.bar
    sides = {"ours": {}, peer_name: {}}
    for row in runs:
        sides[row["side"]][row["round"]] = row["result"][figure.key] * figure.scale
    ours, peer = sides["ours"], sides[peer_name]
    ratios = [ours[number] / peer[number] for number in ours if peer.get(number, 0) > 0]
    measured = statistics.median(ours.values() if figure.judged == OWN else ratios)
    is_missed = limit is not None and measured > limit
    verdict = "" if limit is None else "**missed**" if is_missed else "met"
    bar = "" if limit is None else f"≤ {number_text(limit)}" + (" ×" if figure.judged == RATIO else "")
    return [f"{spread(list(ours.values()))} {figure.unit}", spread(list(peer.values())),
            spread(ratios) if ratios else "", bar, verdict], is_missed


def number_text(value):
    if abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values):
    """Median, and the least and the most in brackets."""
    return f"{number_text(statistics.median(values))} ({number_text(min(values))}–{number_text(max(values))})"


def keep(root, text, rounds, peer):
    """Writes the table between its peer's marks in README.md, with date, commit and machine."""
    path = root / "Tests/Benchmarks/README.md"
    begin, end = f"<!-- accepted beside {peer} -->", f"<!-- end of {peer} -->"
    head = f"{datetime.date.today()}, commit {commit(root)}, {rounds} rounds. {machine()}."
    old = path.read_text(encoding="utf-8")
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    assert pattern.search(old), "README.md has lost the marks of its table"
    path.write_text(pattern.sub(lambda _: f"{begin}\n{head}\n\n{text}\n{end}", old), encoding="utf-8")


def commit(root):
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=root, text=True, capture_output=True, check=True).stdout.strip()
    changed = git("status", "--porcelain", "--untracked-files=no", "--", "Sources", "Package.swift")
    return git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else "")


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(re.search(r"MemTotal:\s*(\d+)", file.read())[1]) / KIB / KIB
    with open("/proc/sys/net/ipv4/tcp_congestion_control", encoding="utf-8") as file:
        congestion = file.read().strip()
    swift = subprocess.run(["swift", "--version"], text=True, capture_output=True, check=False)
    version = re.search(r"Swift version (\S+)", swift.stdout + swift.stderr)
    return (f"{model[1] if model else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
            f"Linux {platform.release()}, {congestion}, Swift {version[1] if version else '?'}, "
            f"load average at the end {os.getloadavg()[0]:.1f}")
