"""The client for Python and its bot, on a bad network and beside a server that dies: python_client.py PROGRAMS [SEED]

Two clients of protocol/clients/whattodo.py and one of the harness change one list at random, while a proxy cuts connections
and the server is killed. Afterwards both copies are what a fresh snapshot has, and the log has each change once, in the order
in which it was made. Programs that are killed with changes on disk lose none, and miss nothing of the day after. The bot
(python_bot.py) tells of runs that end in several ways. The client agrees with the vectors (python_units.py).
"""
import asyncio
import collections
import json
import pathlib
import random
import subprocess
import sys
import threading
import time

from websockets.exceptions import WebSocketException

import harness
from harness import DEADLINE, Server, expect, main, new_id, read_line, say_hello, sign_in
from python_bot import bot, log_of
from python_units import units
import whattodo
from whattodo import Client, Copy, Ended, Refused, key_of, register

PASSWORD = "correct horse battery"
SECONDS, KILLS = 15, 4
# A change may come too late for its post. No other refusal may come.
EXPECTED = {"gone", "not_found"}


class Proxy:
    """Carries bytes to a server, and resets each connection after a random number of them, until it is calm."""

    def __init__(self, port, chance):
        self.port, self.chance, self.is_calm, self.cuts = port, chance, False, 0
        self.loop, self.ready = asyncio.new_event_loop(), threading.Event()
        threading.Thread(target=lambda: self.loop.run_until_complete(self.serve()), daemon=True).start()
        expect(self.ready.wait(DEADLINE), "the proxy does not listen")

    async def serve(self):
        listener = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{listener.sockets[0].getsockname()[1]}/ws"
        self.ready.set()
        await listener.serve_forever()

    async def accept(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return writer.transport.abort()
        left = [int(10 ** self.chance.uniform(3, 5.5))]
        ways = [asyncio.ensure_future(self.carry(*way, left)) for way in [(reader, far_writer), (far_reader, writer)]]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        writer.transport.abort()
        far_writer.transport.abort()

    async def carry(self, reader, writer, left):
        try:
            while data := await reader.read(65536):
                part = len(data) if self.is_calm else min(left[0], len(data))
                writer.write(data[:part])
                left[0] -= part
                await writer.drain()
                if part < len(data):
                    self.cuts += 1
                    return
        except OSError:
            pass


class Player(threading.Thread):
    """Makes random changes. Each text is written once: the log shows who wrote which, and in which order."""

    def __init__(self, name, category, seed):
        super().__init__(daemon=True)
        self.name, self.category, self.chance = name, category, random.Random(seed)
        self.texts, self.refusals, self.count, self.fault = [], collections.Counter(), 0, None
        self.end = time.monotonic() + SECONDS

    def run(self):
        try:
            while time.monotonic() < self.end:
                self.change()
        except Exception as fault:
            self.fault = fault

    def change(self):
        self.count += 1
        text, posts = f"{self.name} {self.count}", self.posts()
        post = self.chance.choice(posts) if posts else None
        method = self.chance.choice(["add", "edit", "step", "complete", "reopen", "remove", "add"]) if posts else "add"
        about = {"category": self.category, "id": post}
        if method == "add":
            call = "post.add", {**about, "id": new_id(), "title": text}
        elif method == "edit":
            call = "post.edit", {**about, "title": text}
        elif method == "step":
            call = "step.add", {"category": self.category, "id": post, "step": new_id(), "content": text}
        else:
            call, text = (f"post.{method}", about), None
        try:
            self.do(*call)
        except (Refused, harness.Refused) as refusal:
            self.refusals[refusal.kind] += 1
            expect(refusal.kind in EXPECTED, f"{call}: {refusal}")
        else:
            self.texts += [text] if text else []


class Ours(Player):
    """One with the client that is tested."""

    def __init__(self, url, token, *more):
        super().__init__(*more)
        self.client, self.snapshots, self.told = Client(url, token), 0, {}
        self.client.on_change(self.hear)
        self.client.on("push", self.count_snapshots)
        self.client.wait_live()

    def hear(self, stream, objects, gone):
        told = self.told.setdefault(stream, {})
        told.update((key_of(each), each) for each in objects)
        for key in gone:
            told.pop(key, None)

    def count_snapshots(self, method, params):
        self.snapshots += method == "sync.snapshot" and params["page"] == 1

    def posts(self):
        return [each["id"] for each in self.client.objects(f"c:{self.category}", "post")]

    def do(self, method, params):
        begun = time.monotonic()
        result = self.client.do(method, **params)
        seen = self.client.cursor(f"c:{self.category}")["seq"]
        # A network that cuts each read short lets no copy go on; then the client waits no longer.
        is_late = time.monotonic() - begun > whattodo.SEEN_SECONDS
        expect(is_late or all(seen >= it["seq"] for it in result["events"]), f"the copy is at {seen} after {method} {result}")


class Plain(Player):
    """One with the harness's client, without a proxy. It sends a change again by itself."""

    def __init__(self, url, token, *more):
        super().__init__(*more)
        self.url, self.token, self.client, self.own = url, token, None, []

    def posts(self):
        return self.own

    def do(self, method, params):
        key, end = new_id(), time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                if not self.client:
                    self.client = harness.Client(self.url)
                    say_hello(self.client, self.token, streams="none")
                self.client.command(method, key=key, **params)
                self.own += [params["id"]] if method == "post.add" else []
                return
            except (OSError, EOFError, WebSocketException):
                self.client = None
            except harness.Refused as refusal:
                if refusal.kind not in ("rate_limited", "unknown_outcome", "unavailable", "draining"):
                    raise
                threading.Event().wait(refusal.error["data"].get("afterMs", 100) / 1000)
        expect(False, f"{method} was not answered in {DEADLINE} s")


def join(owner, owner_stream, url, name):
    """A bot that is in the list; its token."""
    token = register(url, name, PASSWORD)
    with Client(url, token) as client:
        owner.command("invitation.send", id=(invitation := new_id()), stream=owner_stream, username=name, role="editor")
        client.do("invitation.accept", id=invitation)
    return token


def bad_network(server, chance):
    owner, _, token = sign_in(server.url, "owner", streams="none")
    owner.command("category.add", id=(category := new_id()), name="Builds")
    stream = f"c:{category}"
    proxy = Proxy(int(server.listen.split(":")[1]), chance)
    players = [Plain(server.url, token, "plain", category, chance.random())]
    tokens = {name: join(owner, stream, server.url, name) for name in ("first", "second")}
    players += [Ours(proxy.url, tokens[name], name, category, chance.random()) for name in tokens]
    for player in players:
        player.start()
    for _ in range(KILLS):
        players[0].join(SECONDS / (KILLS + 2) * chance.uniform(0.5, 1.5))
        server.kill()
        server.start()
    for player in players:
        player.join(SECONDS + DEADLINE)
        expect(not player.is_alive(), f"{player.name} hangs")
        expect(player.fault is None, f"{player.name}: {player.fault!r}")
    proxy.is_calm = True
    events = log_of(server, token, stream)
    check_log(events, players)
    for player in players[1:]:
        check_copies(server, player, tokens[player.name], stream)
    cuts = f"{proxy.cuts} cuts, {KILLS} kills, {sum(player.snapshots for player in players[1:])} snapshots"
    print(f"{len(events)} events by {[len(player.texts) for player in players]} texts, {cuts}, "
          f"refused: {dict(sum((player.refusals for player in players), collections.Counter()))}")
    expect(proxy.cuts >= 5, f"only {proxy.cuts} connections were cut")
    return category, tokens


def texts_of(events):
    """Who wrote which texts, in the log's order."""
    found = collections.defaultdict(list)
    for event in events:
        for op in event["event"]["ops"]:
            if op["t"] in ("post.added", "post.edited", "step.added"):
                text = op["f"]["title"] if op["t"] != "step.added" else op["f"]["step"]["content"]
                found[text.split()[0]].append(text)
    return found


def check_log(events, players):
    texts = texts_of(events)
    for player in players:
        twice = [text for text, count in collections.Counter(texts[player.name]).items() if count > 1]
        expect(not twice, f"took effect twice: {twice}")
        if texts[player.name] != player.texts:
            at = next((n for n, pair in enumerate(zip(texts[player.name], player.texts)) if len(set(pair)) > 1), "the end")
            expect(False, f"{player.name}: the log has others than were answered, from {at}: "
                   f"{texts[player.name][-5:]} {player.texts[-5:]}")


def check_copies(server, player, token, stream):
    """The copy, and what the listener was told, equal a fresh snapshot."""
    fresh = harness.Client(server.url)
    hello = say_hello(fresh, token)
    heads = {it["stream"]: it["head"] for it in hello["streams"]}
    fresh.wait(lambda pushes: {p["params"]["stream"] for p in pushes if p["method"] == "sync.live"} >= set(heads), "snapshots")
    player.client.wait_live()
    player.client.wait_until(lambda: all(player.client.cursor(it)["seq"] >= head for it, head in heads.items()))
    for name in heads:
        objects = {key_of(it): it for push in fresh.pushes if push["method"] == "sync.snapshot"
                   and push["params"]["stream"] == name for it in push["params"]["objects"]}
        differ(f"{player.name}'s copy of {name}", player.client.copies[name].objects, objects)
    player.client.close()
    for name in heads:
        differ(f"told to {player.name} of {name}", player.told[name], player.client.copies[name].objects)
    fresh.close()


def differ(what, seen, right):
    for key in seen.keys() | right.keys():
        expect(seen.get(key) == right.get(key), f"{what}: {key} is {seen.get(key)}, not {right.get(key)}")


def refusals(server, category, token):
    """Each is told to its caller, and the next change goes on."""
    told, ended = [], threading.Event()
    with Client(server.url, token) as client:
        client.on("end", lambda end: (told.append(end.kind), ended.set()))
        client.wait_live()
        for method, params, kind, field in [
                ("post.add", {"category": category, "id": new_id(), "title": " "}, "invalid", "title"),
                ("post.add", {"category": category, "id": new_id(), "title": "x" * 501}, "too_large", "title"),
                # No message can hold it, so the client refuses it.
                ("post.add", {"category": category, "id": new_id(), "title": "x", "notes": "é" * 50_000}, "too_large", None),
                ("post.add", {"category": new_id(), "id": new_id(), "title": "x"}, "not_found", None),
                ("no.method", {}, "unknown_method", None)]:
            fault = raised(lambda: client.do(method, **params), Refused)
            expect((fault.kind, fault.field) == (kind, field) and fault.message, f"{method}: {fault.kind} {fault.field}")
        client.do("post.add", category=category, id=new_id(), title="after refusals")
        session = next(it["id"] for it in client.ask("session.list")["sessions"] if it["current"])
        raised(lambda: client.do("session.close", id=session) and client.wait_until(lambda: False), Ended)
        expect(ended.wait(DEADLINE) and told == ["unauthenticated"], f"a closed session is told as {told}")
        raised(lambda: client.do("post.add", category=category, id=new_id(), title="x"), Ended)
    with Client(server.url, token) as client:
        expect(raised(client.wait_live, Ended).kind == "unauthenticated", "an old token")
    raised(lambda: Client("ws://198.51.100.1/ws", token), ValueError)
    return "refused calls and tokens are told"


def raised(call, kind):
    try:
        answer = call()
    except kind as fault:
        return fault
    expect(False, f"{kind.__name__} expected, answered {answer}")


def queues(server, folder, category, token, chance):
    """Programs that are killed with changes on disk, without a server and while they send."""
    kept, state = [], folder / "state"
    for number, is_up in enumerate((False, True, True, False)):
        program = subprocess.Popen([sys.executable, __file__, "--queue", server.url, token, str(state), category, f"{number}"],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        expect(read_line(program.stdout) == "live", "no copies before the queue")
        if not is_up:
            server.kill()
        program.stdin.write(b"go\n")
        kept += [read_line(program.stdout) for _ in range(chance.randrange(5, 40))]
        program.kill()
        program.wait(DEADLINE)
        if not is_up:
            with open(state / "changes", "ab") as file:
                file.write(b'{"key":"cut off in the mid')
            server.start()
    snapshots, refused = [], []
    with Client(server.url, token, folder=state) as client:
        client.on("push", lambda method, params: snapshots.append(params["stream"]) if method == "sync.snapshot" else None)
        client.on("refused", lambda method, params, refusal: refused.append(refusal.kind))
        expect(client.objects(f"c:{category}", "post"), "the folder has no copy")
        client.queue("post.add", category=new_id(), id=new_id(), title="nowhere")
        client.wait_until(lambda: not client.changes)
        client.wait_live()
    raised(lambda: Client(server.url, token).queue("post.add", id=new_id()), ValueError)
    expect(refused == ["not_found"], f"a kept change that is refused: {refused}")
    expect(f"c:{category}" not in snapshots, "the list came anew although its cursor was kept")
    texts = [text for text in texts_of(log_of(server, token, f"c:{category}"))["kept"]]
    counts = collections.Counter(texts)
    expect(set(kept) <= set(texts) and max(counts.values()) == 1, f"kept {kept}, in the log {texts}")
    expect(texts == sorted(texts, key=lambda text: [int(part) for part in text.split()[1:]]), f"out of order: {texts}")
    return f"{len(kept)} kept changes of killed programs took effect once, in order"


def queue_until_killed(url, token, folder, category, number):
    with Client(url, token, folder=folder) as client:
        client.wait_live()
    # The end has written the copies, so nothing depends on when the next program is killed.
    client = Client(url, token, folder=folder)
    client.wait_live()
    print("live", flush=True)
    sys.stdin.readline()
    for count in range(1000):
        client.queue("post.add", category=category, id=new_id(), title=f"kept {number} {count}")
        print(f"kept {number} {count}", flush=True)


def missed_day(server, folder, category, tokens):
    """A program that was killed misses a day of a list's work, and has all of it afterwards, without a snapshot."""
    state, snapshots = folder / "missed", []
    program = subprocess.Popen([sys.executable, __file__, "--queue", server.url, tokens["first"], str(state), category, "missed"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    expect(read_line(program.stdout) == "live", "no copies before the day")
    program.kill()
    program.communicate(timeout=DEADLINE)
    with Client(server.url, tokens["second"]) as other:
        other.wait_live()
        for hour in range(24):
            other.do("batch", commands=[
                {"method": "post.add", "params": {"category": category, "id": new_id(), "title": f"second {hour} {number}"}}
                for number in range(20)])
        right = {key_of(it): it for it in other.objects(f"c:{category}")}
        head = other.cursor(f"c:{category}")["seq"]
    with Client(server.url, tokens["first"], folder=state) as client:
        client.on("push", lambda method, params: snapshots.append(params["stream"]) if method == "sync.snapshot" else None)
        missed = head - client.cursor(f"c:{category}")["seq"]
        client.wait_until(lambda: client.cursor(f"c:{category}")["seq"] >= head)
        differ("the copy after the day", {key_of(it): it for it in client.objects(f"c:{category}")}, right)
    expect(missed >= 24 and f"c:{category}" not in snapshots, f"{missed} events were missed, snapshots: {snapshots}")
    return f"{missed} missed events came to a killed program's copy, each once"


def copies():
    """What a copy makes of messages that come in parts, late, or on another connection."""
    def at(seq, *objects, gone=(), **more):
        cursor = {} if more.pop("is_part", False) else {"cursor": {"epoch": "e", "seq": seq, "tx": "t"}}
        return {"objects": [{"t": "post", "id": it} for it in objects], "gone": [{"t": "post", "id": it} for it in gone], **cursor}

    def page(number, pages, *objects):
        return {"epoch": "e", "seq": 5, "page": number, "pages": pages, "objects": at(5, *objects)["objects"]}

    def ids():
        return sorted(key[1] for key in copy.objects)

    copy = Copy()
    expect(copy.take(page(1, 2, "a", "b")) is None and not copy.objects, "a page alone is no copy")
    copy.take(page(2, 2, "c"))
    expect(ids() == ["a", "b", "c"] and copy.cursor == {"epoch": "e", "seq": 5}, f"two pages: {ids()} at {copy.cursor}")
    copy.take(at(6, "x", gone=["b"], is_part=True))
    copy.forget()
    changed, gone = copy.take(at(7, "d", gone=["a", "never"]))
    expect(ids() == ["b", "c", "d"], f"parts of another connection count: {ids()}")
    expect([it["id"] for it in changed] == ["d"] and gone == [("post", "a")], f"told: {changed} {gone}")
    copy.take(at(8, "e", is_part=True))
    expect(copy.take(at(7, "late")) is None and ids() == ["b", "c", "d"], f"a late message counts: {ids()}")
    copy.take(at(8, "f"))
    expect(ids() == ["b", "c", "d", "f"], f"parts before a late message count: {ids()}")
    copy.take(at(9, "g", is_part=True))
    copy.take(page(1, 1, "h"))
    expect(ids() == ["h"], f"a snapshot does not replace: {ids()}")
    return "a copy takes parts, late messages and other connections as it should"


def python_client(programs, folder):
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", flush=True)
    chance = random.Random(seed)
    # Here no connection lives as long as a good one, and the back-off would grow to half a minute.
    whattodo.STABLE_SECONDS = 0
    print(copies())
    print(units(), flush=True)
    server = Server(programs, folder / "data").start()
    try:
        category, tokens = bad_network(server, chance)
        print(queues(server, folder, category, tokens["first"], chance), flush=True)
        print(missed_day(server, folder, category, tokens), flush=True)
        print(bot(server, folder, category, tokens["first"]), flush=True)
        print(refusals(server, category, tokens["second"]), flush=True)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return "python client: copies, order and effects are right"


if __name__ == "__main__":
    if sys.argv[1] == "--queue":
        queue_until_killed(*sys.argv[2:])
    else:
        main(python_client)
