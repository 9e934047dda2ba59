"""First figures of the whole server: figures.py PROGRAMS  (release build; needs Tests/Tools/wsload built)

Creates per second and server CPU per durable create at 1, 16 and 64 writers, each next to the disk's own
floor (sqlite-floor, the same two statements in C); memory per signed-in connection at 5 000; size and start
time of the program. Prints JSON lines. Absolute figures belong to one machine; compare ratios.
"""
import json
import pathlib
import subprocess
import sys
import time

from harness import Server, expect, main, new_id, sign_in

TOOLS = pathlib.Path(__file__).parent.parent / "Tools"
WSLOAD = TOOLS / "wsload" / "wsload"
FLOOR = TOOLS / "sqlite-floor" / "sqlite_bench"
SECONDS = 4.0
# A list takes 10 000 open posts, so a run is many short windows, each on a list of its own.
WINDOW_SECONDS = {1: 1.0, 16: 0.4, 64: 0.15}
OPEN_LIMITS = ["--command-rate", "10000000", "--line-rate", "10000000", "--hello-rate", "10000000", "--connections-per-address", "20000"]


def figures(programs, folder):
    size = (programs / "whattodo-server").stat().st_size
    begun = time.monotonic()
    server = Server(programs, folder / "data", *OPEN_LIMITS).start()
    report(what="program", bytes=size, ready_ms=round((time.monotonic() - begun) * 1000, 1))
    try:
        owner, _, token = sign_in(server.url, "owner")
        for writers, window in WINDOW_SECONDS.items():
            floor = run([str(FLOOR), str(folder / "floor.db"), "full", str(writers), str(SECONDS)])
            windows = [create(server, owner, token, writers, window) for _ in range(round(SECONDS / window))]
            report_creates(writers, windows, floor)
        idle(server)
        owner.close()
    finally:
        expect(server.stop() == 0, "no clean exit")
    status, text = server.verify()
    expect(status == 0, text)
    return "done"


def load(server, *arguments):
    port = server.url.split(":")[2].split("/")[0]
    return run([str(WSLOAD), *arguments, "--port", port, "--path", "/ws", "--protocol", "whattodo.v1",
                "--pid", str(server.process.pid)])


def hello(token, streams):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {
        "token": token, "client": {"name": "figures", "version": "1"}, "cursors": {}, "streams": streams}})


def create(server, owner, token, writers, seconds):
    """One window on a new list: what wsload verified and measured."""
    category = new_id()
    owner.command("category.add", id=category, name=f"{writers} writers")
    message = ('{"jsonrpc":"2.0","id":"{m}","method":"post.add","params":{"category":"' + category +
               '","id":"{uuid}","title":"{m} {pad}","key":"{uuid}"}}')
    return load(server, "fanout", "-P", str(writers), "-c", "1", "-w", "1", "-s", "300", "-t", str(seconds),
                "--warmup", "0.05", "--pub-ack", "--loose", "--msg", message,
                "--pub-send", hello(token, "none"), "--pub-expect", '"heartbeat"',
                "--sub-send", hello(token, [f"c:{category}"]), "--sub-expect", '"sync.live"')


def report_creates(writers, windows, floor):
    """CPU per create holds everything: parsing, rules, both statements, answer, and one push."""
    creates = sum(w["published_per_s"] * w["secs"] for w in windows)
    cpu = sum(w["server_cpu_s"] for w in windows)
    report(what="create", writers=writers, creates=round(creates),
           creates_per_s=round(creates / sum(w["secs"] for w in windows)),
           cpu_us_per_create=round(cpu * 1e6 / creates, 1), p50_us=sorted(w["p50_us"] for w in windows)[len(windows) // 2],
           floor_per_s=floor["per_s"], floor_cpu_us=floor["cpu_s_per_m"])


def idle(server):
    """Everybody with one small list of their own, as an account that just begins."""
    member, _, token = sign_in(server.url, "member")
    category = new_id()
    member.command("category.add", id=category, name="small")
    for number in range(5):
        member.command("post.add", category=category, id=new_id(), title=f"post {number}")
    member.close()
    report(what="idle", load=load(server, "idle", "-c", "5000", "-t", "10", "--send", hello(token, "all"),
                                  "--expect", '"heartbeat"'))


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    expect(done.returncode == 0, f"{command[:2]}: {done.returncode} {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def report(**figure):
    sys.stdout.write(json.dumps(figure) + "\n")
    sys.stdout.flush()


main(figures)
