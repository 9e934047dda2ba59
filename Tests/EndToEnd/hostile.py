"""What the server says to those who mean it no good: hostile.py PROGRAMS

Heads, frames and fields against the rules, races, floods of those who never read, guesses of passwords, no
descriptors left, a removed member who reads slowly. Each attack has its exact answer; afterwards other clients
are served as before, `verify` agrees, and no secret is in the data or the log (protocol §2-§5, DESIGN §2, §6).
"""
import base64
import contextlib
import json
import os
import re
import socket
import sys
import threading
import time

from harness import Client, Refused, Server, connect, expect, main, new_id, register, say_hello, sign_in
from hostile_wire import FRAMES, HEADS, PING, TEXTS, address, frame, frames, heads, raw, texts

PASSWORD = "correct horse battery"
TITLES = [("", "invalid"), ("\u200b", "invalid"), ("a\0b", "invalid"), ("a\x1b[2J", "invalid"), ("a\u202eb", "invalid"),
          ("a\nb", "invalid"), ("\ue000", "invalid"), ("\ufdd0", "invalid"), ("a" * 501, "too_large"), (5, "invalid"),
          (None, "invalid"), ("e" + "\u0308\u0323" * 5, "invalid")]


def hostile(programs, folder):
    server = Server(programs, folder / "data", "--command-rate", "100000", "--hello-rate", "100000").start()
    try:
        heads(server)
        frames(server)
        texts(server)
        floods(server)
        owner, user, token = sign_in(server.url, "owner", PASSWORD)
        category = new_id()
        owner.command("category.add", id=category, name="list")
        fields(server, owner, category)
        races(server, owner, token, category)
        removed_while_reading(server, owner, category)
        ends(server, owner, category)
        guesses(server)
        owner.call("ping")
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    server.verified()
    secrets_kept(server, token)
    few_descriptors(programs, folder)
    return f"hostile: {len(HEADS)} heads, {len(FRAMES)} frames, {len(TEXTS)} texts, races, floods; verify agrees"


def memory(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) // 1024


def floods(server):
    """Whoever asks and never reads is not read either: 64 MiB of questions do not fit into the server."""
    before = memory(server)
    for message in [frame(9, b"x" * 125), frame(1, PING), frame(1, b'{"id":1,"method":"x"}')]:
        connection, _ = raw(server)
        connection.settimeout(0.5)
        sent = 0
        with contextlib.suppress(TimeoutError):
            while sent < 64 << 20:
                sent += connection.send(message * 1000)
        expect(sent < 64 << 20, "all of a flood that nobody reads the answers of was read")
        other = Client(server.url)
        other.call("ping")
        other.close()
        connection.close()
    expect(memory(server) - before < 48, f"memory grew from {before} to {memory(server)} MiB")


def fields(server, owner, category):
    for title, kind in TITLES:
        refused(lambda t=title: owner.command("post.add", category=category, id=new_id(), title=t), kind, repr(title))
    for key in ["", "a" * 65, "a b", "\u00e9", None, 5]:
        refused(lambda k=key: owner.call("post.add", key=k, category=category, id=new_id(), title="x"), "invalid", key)
    for limit in [0, -1, 201, "5"]:
        refused(lambda n=limit: owner.call("post.list", category=category, show="open", limit=n), "invalid", limit)
    foreign(server, category)
    cursors(server, owner, category)
    for _ in range(12):
        owner.command("post.add", category=category, id=new_id(), title="long", notes="\u00e9" * 16000)
    page = owner.call("post.list", category=category, show="open", limit=200)
    expect(len(page["posts"]) == 2 and page["before"] == 11, f"a page of long posts: {len(page['posts'])}")


def refused(call, kind, about):
    try:
        answer = call()
    except Refused as refusal:
        expect(refusal.kind == kind, f"{about}: {refusal}, not {kind}")
    else:
        expect(False, f"{about}: {answer}, not {kind}")


def foreign(server, category):
    """Somebody else's list is answered exactly as one that does not exist."""
    stranger, user, _ = sign_in(server.url, "stranger", PASSWORD)
    post = new_id()
    for method, more in [("category.edit", {"name": "x"}), ("category.remove", {}), ("category.restore", {}),
                         ("post.add", {"title": "x"}), ("post.edit", {"title": "x"}), ("post.complete", {}),
                         ("member.leave", {}), ("member.remove", {"user": user}), ("notification.read", {"seq": 1}),
                         ("invitation.send", {"username": "owner", "role": "owner"})]:
        answers = []
        for target in [category, new_id()]:
            place = {"stream": f"c:{target}", "category": target, "id": target if "cat" in method else post}
            try:
                answers.append(stranger.command(method, **place, **more))
            except Refused as refusal:
                answers.append(refusal.error)
        expect(answers[0] == answers[1] and answers[0]["data"]["kind"] == "not_found", f"{method}: {answers}")
    statuses = stranger.call("sync.open", streams=[{"stream": f"c:{category}"}, {"stream": f"c:{new_id()}"}])
    expect([s["mode"] for s in statuses["streams"]] == ["gone", "gone"], f"sync.open: {statuses}")
    stranger.close()


def cursors(server, owner, category):
    stream = f"c:{category}"
    here = owner.call("sync.open", streams=[{"stream": stream}])["streams"][0]
    epoch, head = here["epoch"], here["head"]
    for cursor, reason in [({"epoch": epoch, "seq": 0}, "new"), ({"epoch": "x", "seq": 1, "tx": new_id()}, "epoch"),
                           ({"epoch": epoch, "seq": 2**53 - 1, "tx": new_id()}, "ahead"),
                           ({"epoch": epoch, "seq": head, "tx": new_id()}, "diverged")]:
        status = owner.call("sync.open", streams=[{"stream": stream, **cursor}])["streams"][0]
        expect((status["mode"], status.get("reason")) == ("snapshot", reason), f"{cursor}: {status}")
    for seq in [-1, 1.5, "1", None]:
        refused(lambda s=seq: owner.call("sync.open", streams=[{"stream": stream, "epoch": epoch, "seq": s}]),
                "invalid", f"seq {seq}")


def at_once(*calls):
    """The answers, or the kinds of the refusals, of calls that begin together."""
    answers, together = [None] * len(calls), threading.Barrier(len(calls))

    def run(index):
        together.wait()
        try:
            answers[index] = calls[index]()
        except Refused as refusal:
            answers[index] = refusal.kind

    threads = [threading.Thread(target=run, args=[index]) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def races(server, owner, token, category):
    twin, stream = Client(server.url), f"c:{category}"
    say_hello(twin, token)
    guest, user, _ = sign_in(server.url, "guest", PASSWORD)
    for round in range(10):
        key, post = new_id(), new_id()
        add = {"category": category, "title": "x", "key": key}
        first, second = at_once(lambda: owner.call("post.add", id=post, **add), lambda: twin.call("post.add", id=post, **add))
        expect(first == second, f"one key at once: {first} and {second}")
        key = new_id()
        answers = at_once(*[lambda c=c: c.command("post.complete", category=category, id=post) for c in (owner, twin)])
        expect(sorted(a["changed"] for a in answers) == [False, True], f"completed twice: {answers}")
        invitation = new_id()
        owner.command("invitation.send", id=invitation, stream=stream, username="guest", role="editor")
        accepted, revoked = at_once(lambda: guest.command("invitation.accept", id=invitation),
                                    lambda: owner.command("invitation.revoke", id=invitation, stream=stream))
        expect((accepted == "not_found") != (revoked == "not_found"), f"accept and revoke: {accepted}, {revoked}")
        if accepted != "not_found":
            owner.command("member.remove", stream=stream, user=user)
        names = at_once(*[lambda: register(Client(server.url), f"racer{round}")[1]["changed"]] * 2)
        expect(sorted(names, key=str) == [True, "exists"], f"one username twice: {names}")
    numbers = [twin.send("post.add", key=new_id(), category=category, id=new_id(), title="x") for _ in range(1000)]
    order = [twin.answer(number)["number"] for number in numbers]
    expect(order == list(range(order[0], order[0] + 1000)), "1000 requests at once: not in their order")
    twin.close()
    guest.close()


def removed_while_reading(server, owner, category):
    """P9 with a snapshot half read: nothing after the event that removes, although the reader is slow."""
    stream = f"c:{category}"
    guest, user, token = sign_in(server.url, "reader", PASSWORD)
    invitation = new_id()
    for _ in range(120):
        owner.command("post.add", category=category, id=new_id(), title="long", notes="\u00e9" * 16000)
    owner.command("invitation.send", id=invitation, stream=stream, username="reader", role="editor")
    guest.command("invitation.accept", id=invitation)
    guest.close()
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(address(server))
    reader = Client.__new__(Client)
    reader.socket = connect(server.url, sock=slow, subprotocols=["whattodo.v1"], max_size=2**20, max_queue=1)
    reader.next, reader.pushes, reader.answers = 0, [], {}
    number = reader.send("hello", token=token, client={"name": "slow", "version": "1"})
    reader.answer(number)
    removal = owner.command("member.remove", stream=stream, user=user)["events"][0]["seq"]
    owner.command("post.add", category=category, id=new_id(), title="not for the reader")
    reader.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.gone"], "the end of the stream")
    expect("not for the reader" not in json.dumps(reader.pushes), "somebody removed was told what came after (P9)")
    beyond = [p["params"] for p in reader.pushes if p["params"].get("stream") == stream and p["params"].get("seq", 0) > removal]
    expect(not beyond, f"numbers after {removal}: {str(beyond)[:200]}")
    reader.close()


def ends(server, owner, category):
    """Signing out while commands are under way: answered before it, nothing after it."""
    login = owner.call("account.login", username="owner", password=PASSWORD)
    client = Client(server.url)
    say_hello(client, login["token"], streams="none")
    add = {"category": category, "title": "x"}
    before = [client.send("post.add", key=new_id(), id=new_id(), **add) for _ in range(20)]
    out, late = client.send("account.logout"), new_id()
    client.send("post.add", key=new_id(), id=late, **add)
    code = None
    try:
        while True:
            client.receive(5)
    except Exception as end:
        code = getattr(getattr(end, "rcvd", None), "code", end)
    expect((code, sorted(client.answers)) == (1000, [*before, out]), f"after logout: {code}, {sorted(client.answers)}")
    page = owner.call("post.list", category=category, show="open", limit=1)
    expect(page["posts"][0]["id"] != late, "a command after logout took effect")
    again = Client(server.url)
    refused(lambda: say_hello(again, login["token"]), "unauthenticated", "a token that was signed out")


def guesses(server):
    """A guesser is slowed; a device that signed in before is not, and what was refused slows no neighbour."""
    client, device = Client(server.url), "0123456789abcdef"
    for name in ["target", "neighbour"]:
        register(client, name)

    def kind(name, password, **more):
        try:
            return "in" if client.call("account.login", username=name, password=password, **more) else None
        except Refused as refusal:
            return refusal.kind

    expect(kind("target", PASSWORD, device=device) == "in", "signing in with a device")
    tries = [kind("target", f"wrong guess {n}") for n in range(150)]
    expect(tries == ["unauthenticated"] * 8 + ["rate_limited"] * 142, f"guesses: {tries[:12]}")
    nobody = [kind("nobody", f"wrong guess {n}") for n in range(10)]
    expect(nobody == tries[:10], f"guesses at a name that nobody has: {nobody}")
    expect(kind("target", PASSWORD, device=device) == "in", "the owner's device was locked out")
    expect(kind("neighbour", PASSWORD) == "in", "a neighbour of the guesser was locked out")


def secrets_kept(server, token):
    data = open(f"{server.data}.log", "rb").read()
    for name in os.listdir(server.data):
        data += open(os.path.join(server.data, name), "rb").read()
    for secret in [PASSWORD, token, "0123456789abcdef"]:
        expect(secret.encode() not in data, "a secret is in the data or the log")
    expect(base64.urlsafe_b64decode(token + "==") not in data, "a token's bytes are in the data")


def few_descriptors(programs, folder):
    """With 64 descriptors: who is connected goes on, the operator is told, and later everybody comes in."""
    server = Server(programs, folder / "few")
    wrapper = folder / "few.sh"
    wrapper.write_text(f'#!/bin/sh\nulimit -n 64\nexec "{server.program}" "$@"\n')
    wrapper.chmod(0o755)
    server.program, program = str(wrapper), server.program
    server.start()
    try:
        client, _, token = sign_in(server.url, "owner", PASSWORD)
        crowd = [socket.create_connection(address(server)) for _ in range(100)]
        end = time.monotonic() + 10
        while b"accept" not in open(f"{server.data}.log", "rb").read():
            expect(time.monotonic() < end, "the log does not say that descriptors have run out")
            client.call("ping")
        expect(client.command("category.add", id=new_id(), name="list")["changed"], "a command without descriptors")
        for connection in crowd:
            connection.close()
        later = Client(server.url)
        say_hello(later, token)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    server.program = program
    server.verified()


if __name__ == "__main__":
    sys.exit(main(hostile))
