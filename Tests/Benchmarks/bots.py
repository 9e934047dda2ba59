#!/usr/bin/env python3
"""Bots that post progress beside people who work: bots.py PROGRAMS [BOTS [WATCHERS [ROUNDS]]]

BOTS bots (1 000) have a run each, in the hundred lists of ten groups, which WATCHERS people (100) watch. In turn they are
silent, and post progress once a second. Meanwhile somebody edits a post of another list, again and again. The figures are
that person's waits in both phases, and the events beside those of the edits: progress writes nothing. Everything runs on
one machine, so the bots take processor time from the server; they run with the lowest priority.
"""
import json
import multiprocessing
import os
import pathlib
import selectors
import socket
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "EndToEnd"))
from harness import Client, Refused, Server, expect, new_id, register, say_hello, sign_in  # noqa: E402
from metrics import Operator, metrics_address, total  # noqa: E402

GROUPS, LISTS_EACH = 10, 10
SECONDS = 8.0
SETTLE_SECONDS = 2.0
ALIVE_SECONDS = 10.0
P99_MAX = 1.2


class Wire:
    """A connection of which nobody reads what comes; it goes on by what it sends."""

    def __init__(self, host, port, token, streams):
        self.socket = socket.create_connection((host, port))
        self.socket.sendall(f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                            "Sec-WebSocket-Protocol: whattodo.v1\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self.socket.recv(4096)
        expect(b" 101 " in head, f"no upgrade: {head!r}")
        self.socket.setblocking(False)
        self.number, self.left = 0, b""
        self.send("hello", token=token, client={"name": "bots", "version": "1"}, cursors={}, streams=streams)

    def send(self, method, **params):
        """Leaves out what does not fit into the socket: the server is slower than the bots then."""
        self.number += 1
        text = json.dumps({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}).encode()
        size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0xFE]) + len(text).to_bytes(2, "big")
        # The mask is zero, so the payload stays as it is (RFC 6455 §5.3).
        frame = self.left + b"\x81" + size + bytes(4) + text
        try:
            self.left = frame[self.socket.send(frame):]
        except BlockingIOError:
            self.left = frame


def crowd(address, bots, people, is_going, counts):
    """The process of the bots and of those who watch."""
    os.nice(19)
    wires = [(Wire(*address, token, [f"c:{list_}"]), list_, post) for token, list_, post in bots]
    watchers = [Wire(*address, token, "all") for token in people]
    selector = selectors.DefaultSelector()
    for wire in [wire for wire, _, _ in wires] + watchers:
        selector.register(wire.socket, selectors.EVENT_READ)
    begun, sent, alive = time.monotonic(), 0, 0.0
    counts[2] = 1
    while not counts[3]:
        for key, _ in selector.select(0.002):
            counts[1] += len(key.fileobj.recv(1 << 20))
        now = time.monotonic()
        if now > alive + ALIVE_SECONDS:
            alive = now
            for watcher in watchers:
                watcher.send("ping")
        if not is_going.is_set():
            begun, sent = now, 0
            continue
        # Their words are spread over the second.
        due = int((now - begun) * len(wires))
        for index in range(sent, min(due, sent + 200)):
            wire, list_, post = wires[index % len(wires)]
            wire.send("progress.set", category=list_, post=post, done=index // len(wires) % 101)
            counts[0] += 1
            sent += 1


def patiently(call):
    """Asks again when the server says that it may."""
    while True:
        try:
            return call()
        except Refused as refusal:
            expect(refusal.kind == "rate_limited", f"{refusal}")
            time.sleep(refusal.error["data"]["afterMs"] / 1_000)


def settled(server, bots, watchers):
    """Everybody, with lists and runs: the worker, the tokens of the bots with their posts, and those of the watchers."""
    owner, _, _ = sign_in(server.url, "owner", streams="none")
    groups = {new_id(): [new_id() for _ in range(LISTS_EACH)] for _ in range(GROUPS)}
    for group, lists in groups.items():
        owner.command("group.add", id=group, name="builds")
        for list_ in lists:
            owner.command("category.add", id=list_, name="builds", group=group)

    tokens = []

    def member(name, role, places, **more):
        # Each comes from an address of its own, or signing in would take minutes.
        client = Client(server.url, address=f"10.0.{len(tokens) // 250}.{len(tokens) % 250 + 1}")
        patiently(lambda: register(client, name, **more))
        named = {"username": name, "password": "correct horse battery", "client": {"name": "bots", "version": "1"}}
        token = patiently(lambda: client.call("account.login", **named))["token"]
        say_hello(client, token, streams="none")
        for group in places:
            invitation = new_id()
            owner.command("invitation.send", id=invitation, stream=f"g:{group}", username=name, role=role)
            client.command("invitation.accept", id=invitation)
        tokens.append(token)
        return client, token

    programs = []
    for number in range(bots):
        group = list(groups)[number % GROUPS]
        list_, post = groups[group][number // GROUPS % LISTS_EACH], new_id()
        owner.command("post.add", category=list_, id=post, title=f"job {number}")
        client, token = member(f"bot{number}", "doer", [group], kind="bot")
        client.command("run.start", category=list_, id=post, run=new_id(), phase="compiling")
        client.close()
        programs.append((token, list_, post))
    people = []
    for number in range(watchers):
        client, token = member(f"watcher{number}", "viewer", groups)
        client.close()
        people.append(token)
    return owner, programs, people


def waits(worker, list_, post, seconds):
    """The worker's waits for answers, in milliseconds."""
    found, end = [], time.monotonic() + seconds
    while (begun := time.monotonic()) < end:
        worker.command("post.edit", category=list_, id=post, title=f"work {begun}")
        found.append((time.monotonic() - begun) * 1_000)
    return found


def p99(values):
    return statistics.quantiles(values, n=100)[98]


def measure(programs, folder, bots, watchers, rounds):
    server = Server(programs, folder / "data", "--metrics-listen", "0", "--command-rate", "100000", "--bot-rate", "100000",
                    "--hello-rate", "100000", "--trusted-proxy", "127.0.0.1/32", "--registration", "open",
                    "--connections", "4000", "--connections-per-address", "4000").start()
    is_going, counts, process = multiprocessing.Event(), multiprocessing.Array("q", 4), None
    try:
        worker, running, people = settled(server, bots, watchers)
        own = new_id(), new_id()
        worker.command("category.add", id=own[0], name="work")
        worker.command("post.add", category=own[0], id=own[1], title="work")
        operator = Operator(metrics_address(server))
        address = server.listen.split(":")[0], int(server.listen.split(":")[1])
        process = multiprocessing.Process(target=crowd, args=(address, running, people, is_going, counts), daemon=True)
        process.start()
        while not counts[2]:
            expect(process.is_alive(), "the bots did not come in")
            time.sleep(0.1)
        waits(worker, *own, SETTLE_SECONDS)
        ratios, quiet_p99, busy_p99 = [], [], []
        for _ in range(rounds):
            quiet = waits(worker, *own, SECONDS)
            is_going.set()
            waits(worker, *own, SETTLE_SECONDS)
            before, words, read, begun = operator.read(), counts[0], counts[1], time.monotonic()
            busy = waits(worker, *own, SECONDS)
            took, after = time.monotonic() - begun, operator.read()
            is_going.clear()
            rate, bytes_read = (counts[0] - words) / took, (counts[1] - read) / took
            waits(worker, *own, SETTLE_SECONDS)
            committed, taken = ("whattodo_events_total", ()), {"method": "progress.set", "outcome": "ok"}
            heard = total(after, "whattodo_requests_total", taken) - total(before, "whattodo_requests_total", taken)
            expect(heard >= 0.9 * (counts[0] - words), f"the server took {heard:.0f} of {counts[0] - words} words")
            beside = after[committed] - before[committed] - len(busy)
            quiet_p99.append(p99(quiet))
            busy_p99.append(p99(busy))
            ratios.append(busy_p99[-1] / quiet_p99[-1])
            print(f"{rate:.0f} words a second, {bytes_read / 1e3:.0f} kB/s to watchers; p99 {quiet_p99[-1]:.2f} ms quiet, "
                  f"{busy_p99[-1]:.2f} ms busy; {beside:.0f} events beside those of the worker", flush=True)
            expect(beside == 0, "progress was written")
            expect(after["whattodo_runs", ()] == bots, f"runs were lost: {after['whattodo_runs', ()]}")
    finally:
        counts[3] = 1
        if process:
            process.join(10)
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    return ratios, quiet_p99, busy_p99


def main():
    words = sys.argv[1:]
    if not words or len(words) > 4:
        sys.exit(__doc__)
    bots, watchers, rounds = [int(word) for word in [*words[1:], *["1000", "100", "5"][len(words) - 1:]]]
    with tempfile.TemporaryDirectory() as folder:
        ratios, quiet, busy = measure(pathlib.Path(words[0]), pathlib.Path(folder), bots, watchers, rounds)
    ratio = statistics.median(ratios)
    print(f"p99 beside {bots} bots and {watchers} watchers: {ratio:.2f} ({min(ratios):.2f}–{max(ratios):.2f}) of the quiet one "
          f"({statistics.median(quiet):.2f} ms), {'met' if ratio <= P99_MAX else f'missed: at most {P99_MAX}'}")


main()
