#!/usr/bin/env python3
"""What a delivered webhook costs beside curl: webhooks.py PROGRAMS [DELIVERIES [ROUNDS]]

In turn a webhook and the program curl send DELIVERIES requests (60), one each half second, to one receiver on loopback. curl
sends the very requests that the webhook sent last. The figures are microseconds of processor time for each request: of
the courier's thread, which also reads the events and signs them; of curl's whole process, without what its start costs; and
of the ledger's thread beside one command without a webhook.
"""
import http.server
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "EndToEnd"))
from harness import Server, expect, new_id, sign_in  # noqa: E402

APART_SECONDS = 0.5
PATIENCE_SECONDS = 20
RATIO_MAX = 1.5


class Receiver(http.server.ThreadingHTTPServer):
    """Takes everything, and keeps the last request."""
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.taken, self.last = threading.Semaphore(0), None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/hook"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.server.last = dict(self.headers), self.rfile.read(int(self.headers["content-length"]))
        self.send_response(204)
        self.end_headers()
        self.server.taken.release()

    def log_message(self, *_):
        pass


class Work:
    """A list with a bot in it, and somebody who edits a post of it."""

    def __init__(self, server, receiver):
        self.server, self.receiver = server, receiver
        self.client, _, _ = sign_in(server.url, "owner")
        self.bot, self.list_, self.post = new_id(), new_id(), new_id()
        self.client.command("bot.add", id=self.bot, username="nightly")
        self.client.command("category.add", id=self.list_, name="builds")
        self.client.command(
            "invitation.send", id=new_id(), stream=f"c:{self.list_}", username="nightly", role="viewer")
        self.client.command("post.add", category=self.list_, id=self.post, title="nightly")

    def edits(self, count, has_webhook):
        """The microseconds of each thread for an edit, and with a webhook for its delivery."""
        webhook = new_id()
        if has_webhook:
            self.client.command("webhook.add", bot=self.bot, id=webhook, name="bench", address=self.receiver.url)
        before = self.threads()
        start = time.monotonic()
        for number in range(count):
            time.sleep(max(0, start + number * APART_SECONDS - time.monotonic()))
            self.client.command("post.edit", category=self.list_, id=self.post, title=f"build {number} of {new_id()}")
            if has_webhook:
                expect(self.receiver.taken.acquire(timeout=PATIENCE_SECONDS), "no delivery came")
        after = self.threads()
        if has_webhook:
            self.client.command("webhook.remove", bot=self.bot, id=webhook)
        return {name: (after[name] - before[name]) / count for name in after}

    def threads(self):
        """The microseconds that each of the server's threads has had."""
        micros = {}
        for task in pathlib.Path(f"/proc/{self.server.process.pid}/task").iterdir():
            name = (task / "comm").read_text().strip()
            micros[name] = micros.get(name, 0) + int((task / "schedstat").read_text().split()[0]) / 1_000
        return micros


def curl(receiver, folder, count):
    """The microseconds of curl for each request."""
    headers, body = receiver.last
    (folder / "body").write_bytes(body)
    own = {"host", "accept", "content-length", "user-agent"}
    options = [f"-H{name}: {value}" for name, value in headers.items() if name.lower() not in own]
    pace = f"{round(60 / APART_SECONDS)}/m"
    command = ["curl", "-s", "--rate", pace, "-o", "/dev/null", *options, "--data-binary", f"@{folder / 'body'}"]
    spent = micros_of([*command, f"{receiver.url}?[1-{count}]"])
    for _ in range(count):
        expect(receiver.taken.acquire(timeout=PATIENCE_SECONDS), "curl sent too few requests")
    return (spent - micros_of(["curl", "--version"])) / count


def micros_of(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e6


def main():
    programs = sys.argv[1]
    count, rounds = [int(word) for word in sys.argv[2:]] + [60, 5][len(sys.argv) - 2:]
    receiver = Receiver()
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        server = Server(programs, str(folder / "data"), "--webhooks-reach-private").start()
        try:
            work = Work(server, receiver)
            for _ in range(rounds):
                sent = work.edits(count, True)
                alone = curl(receiver, folder, count)
                plain = work.edits(count, False)
                ratios.append(sent["courier"] / alone)
                print(f"courier {sent['courier']:.0f} µs, curl {alone:.0f} µs: {ratios[-1]:.2f}; "
                      f"ledger {sent['ledger']:.0f} µs, without a webhook {plain['ledger']:.0f} µs", flush=True)
        finally:
            server.stop()
    middle = statistics.median(ratios)
    print(f"webhooks: {middle:.2f} ({min(ratios):.2f}–{max(ratios):.2f}) of curl, bar {RATIO_MAX}")
    return 0 if middle <= RATIO_MAX else 1


sys.exit(main())
