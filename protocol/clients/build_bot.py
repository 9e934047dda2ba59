"""Tells a list how a command goes: build_bot.py URL TOKEN_FILE LIST NAME -- COMMAND…

All runs of one name are told at one post of the list, and none completes it. Lines such as `[ 64%]` say how far a run is,
and lines such as `== Tests` name its phase. The exit status is the command's.
"""
import os, pathlib, re, signal, subprocess, sys, time, uuid

from whattodo import Client, Refused, new_id


def tell(client, *commands):
    """Nobody can be told without a server, and the command runs all the same."""
    try:
        for method, params in commands:
            client.do(method, **params)
    except (Refused, TimeoutError) as fault:
        print(f"build_bot: not all was told: {fault}", file=sys.stderr)


def run(command, phase, progress):
    """The exit status, as a shell has it, and the outcome. Percentages go to `progress`, at most two a second."""
    process, told_at, signals = subprocess.Popen(["sh", "-c", 'exec "$@"', "sh", *command], stdout=subprocess.PIPE), 0, []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: (signals.append(number), process.send_signal(number)))
    for line in process.stdout:
        os.write(1, line)
        if named := re.match(rb"== *(.{1,120})", line):
            phase(named[1].decode(errors="replace"))
        elif (found := re.search(rb"\[ *(\d+)%\]", line)) and time.monotonic() - told_at > 0.5:
            told_at = time.monotonic()
            progress(min(100, int(found[1])))
    status = process.wait()
    return status if status >= 0 else 128 - status, "ok" if status == 0 else "cancelled" if signals else "failed"


def main(url, token_file, list_name, name, _, *command):
    with Client(url, pathlib.Path(token_file).read_text().strip(), timeout=10) as client:
        try:
            client.wait_live()
            category = next(each["id"] for each in client.lists() if each["name"] == list_name)
        except (Refused, TimeoutError, StopIteration) as fault:
            print(f"build_bot: nobody is told: {str(fault) or 'no such list'}", file=sys.stderr)
            return run(command, lambda name: None, lambda done: None)[0]
        post = {"category": category, "id": str(uuid.uuid5(uuid.UUID(category), name))}
        this, source = {**post, "run": new_id()}, {"name": "build_bot", "id": name}
        tell(client, ("import.upsert", {**post, "title": name, "source": source}), ("post.reopen", post),
             ("run.start", {**this, "leaseMs": 3_600_000}))
        later = lambda method, **params: client.ended or client.ask_later(method, **params)
        status, outcome = run(command, lambda name: later("run.phase", **this, phase=name, key=new_id()),
                              lambda done: later("progress.set", category=category, post=post["id"], done=done))
        text = {} if outcome == "ok" else {"text": f"exit status {status}"}
        tell(client, ("run.end", {**this, "outcome": outcome, **text}))
        return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
