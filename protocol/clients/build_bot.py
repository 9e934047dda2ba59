"""Tells a list how a command goes: build_bot.py URL TOKEN_FILE LIST NAME -- COMMAND…

The list has one post with this name. It is open while the command runs, and shows progress from lines such as `[ 64%]`.
Status 0 completes it. Any other end leaves it open and says so in the notes. The exit status is the command's.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import uuid

from whattodo import Client, Refused


def tell(client, place, name, notes, is_done):
    """Nobody can be told without a server, and the command runs all the same."""
    try:
        about = {"category": place["category"], "id": place["post"]}
        client.do("import.upsert", **about, title=name, notes=notes, source={"name": "build_bot", "id": name})
        client.do("post.complete" if is_done else "post.reopen", **about)
    except (Refused, TimeoutError) as fault:
        print(f"build_bot: nobody was told: {fault}", file=sys.stderr)


def run(command, progress):
    """The exit status, as a shell has it. Each percentage goes to `progress`, at most two a second."""
    process, told_at = subprocess.Popen(["sh", "-c", 'exec "$@"', "sh", *command], stdout=subprocess.PIPE), 0
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: process.send_signal(number))
    for line in process.stdout:
        os.write(1, line)
        found = re.search(rb"\[ *(\d+)%\]", line)
        if found and time.monotonic() - told_at > 0.5:
            told_at = time.monotonic()
            progress(min(100, int(found[1])))
    status = process.wait()
    return status if status >= 0 else 128 - status


def main(url, token_file, list_name, name, _, *command):
    with Client(url, pathlib.Path(token_file).read_text().strip(), timeout=10) as client:
        try:
            client.wait_live()
            category = next(each["id"] for each in client.lists() if each["name"] == list_name)
        except (Refused, TimeoutError, StopIteration) as fault:
            print(f"build_bot: nobody is told: {str(fault) or 'no such list'}", file=sys.stderr)
            return run(command, lambda done: None)
        place = {"category": category, "post": str(uuid.uuid5(uuid.UUID(category), name))}
        tell(client, place, name, "running", is_done=False)
        status = run(command, lambda done: client.ended or client.ask_later("progress.set", **place, done=done))
        tell(client, place, name, f"ended with status {status}", is_done=status == 0)
        return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
