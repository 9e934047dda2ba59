"""Bits that turn over in the file: rot.py PROGRAMS [FLIPS [SEED]]

A server with rows of all kinds is stopped. In each copy of its database one bit at a random place is turned over. `verify`
has to tell it, or to refuse the file. A server on the copy may refuse to start, or to answer. What it does answer has to
be what the sound one answered: snapshots, tails, posts, searches, histories and figures of two people.
"""
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

import methods
from harness import Client, Copy, Failure, Refused, Server, expect, main, new_id, say_hello

FLIPS = int(sys.argv[2]) if len(sys.argv) > 2 else 30
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else time.time_ns()
RATES = ["--command-rate", "10000", "--hello-rate", "10000"]
PAGE = 4096
# Other programs may set these places of the first page (sqlite.org/fileformat2.html §1.3); nothing that we serve is there.
ANYBODYS = [range(24, 28), range(60, 64), range(68, 72), range(92, 100)]
# After so many seconds without a push nothing more comes.
QUIET = 1.0
SHOWS = ("open", "done", "removed")
STOPPED = (Refused, Failure, OSError, TimeoutError)


def world(programs, folder):
    """Rows of all kinds; those who ask, each with a token and with cursors a few events behind."""
    server = Server(programs, folder, *RATES).start()
    try:
        owner, editor = methods.Person(server, "owner"), methods.Person(server, "editor")
        watchers = [person.connect(streams="all") for person in (owner, editor)]
        category = methods.lists_and_posts(owner)
        methods.steps(owner, category)
        methods.tags(owner, category)
        methods.invitations(owner, editor, category)
        methods.codes(owner, editor)
        methods.assignments(owner, editor, category)
        methods.moves(owner)
        methods.imports(owner)
        methods.groups(owner, editor)
        methods.watching(owner, category)
        methods.notifications(editor, category)
        for number in range(60):
            post = new_id()
            owner.change("post.add", category=category, id=post, title=f"post {number}", notes="n" * (97 * number))
            if number % 3 == 0:
                (owner, editor)[number % 2].change("post.complete", category=category, id=post)
        people = []
        for person, watcher in zip((owner, editor), watchers):
            watcher.call("ping")
            people.append((person.token, behind(watcher)))
        return people
    finally:
        expect(server.stop() == 0, "the server did not stop well")


def behind(watcher):
    """A cursor at some event of each stream, from which a tail follows."""
    cursors = {}
    for push in watcher.pushes:
        params = push["params"]
        if push["method"] == "sync.events":
            tx = params["events"][0]["tx"]
            cursors.setdefault(params["stream"], {"epoch": params["epoch"], "seq": params["from"], "tx": tx})
    return cursors


def received(server, token, cursors):
    """The snapshot or the tail of each stream that comes after a hello. A stream that does not come is left out."""
    client, seen = Client(server.url), {}
    try:
        client.hello = say_hello(client, token, cursors=cursors)
        streams = {entry["stream"]: entry for entry in client.hello["streams"]}
        seen["streams"] = streams
        # A stream that cannot be read stays away, while the others come.
        left = {name for name, entry in streams.items() if entry["mode"] in ("snapshot", "tail")}
        done = 0
        while left:
            left -= {p["params"]["stream"] for p in client.pushes[done:] if p["method"] == "sync.live"}
            done = len(client.pushes)
            if left:
                client.receive(QUIET)
    except STOPPED:
        pass
    whole = {p["params"]["stream"] for p in client.pushes if p["method"] == "sync.live"}
    for push in client.pushes:
        params = push.get("params", {})
        if push["method"] == "sync.snapshot" and params["stream"] in whole:
            seen.setdefault(("snapshot", params["stream"]), []).extend(params["objects"])
        elif push["method"] == "sync.events" and params["stream"] in whole:
            seen.setdefault(("tail", params["stream"]), []).append([params["from"], params["events"]])
    client.close()
    return seen


def questions(streams):
    yield "profile.get", {}
    yield "category.list", {"show": "mine"}
    yield "category.list", {"show": "removed"}
    yield "notification.list", {"limit": 50}
    yield "agenda.get", {"from": "2099-02-01", "to": "2099-02-28"}
    yield "search", {"text": "post"}
    yield "search", {"text": "bread", "in": "bin"}
    for state in ("open", "done", "any"):
        yield "post.query", {"where": {"state": state}}
    for stream in streams:
        yield "member.list", {"stream": stream}
        yield "history.get", {"stream": stream, "limit": 50}
        if stream.startswith("c:"):
            yield "stats.get", {"stream": stream, "zone": "UTC", "from": "2026-01-01", "to": "2026-01-31"}
            yield "history.state", {"category": stream[2:], "seq": 3}
            for show in SHOWS:
                yield "post.list", {"category": stream[2:], "show": show}


def asked(server, token, streams):
    seen = {}
    client = Client(server.url)
    try:
        client.hello = say_hello(client, token, streams="none")
        for method, params in questions(streams):
            try:
                seen[(method, json.dumps(params))] = client.call(method, **params)
            except Refused as refusal:
                if refusal.kind not in ("unavailable", "unknown_outcome"):
                    seen[(method, json.dumps(params))] = f"refused: {refusal.kind}"
    except STOPPED:
        pass
    client.close()
    return seen


def served(programs, folder, people, streams):
    """All that a server on the folder answers, by the question. It is empty when the server does not start."""
    server, seen = Server(programs, folder, *RATES), {}
    try:
        server.start()
        for index, (token, cursors) in enumerate(people):
            for kind, had in (("new", {}), ("back", cursors)):
                seen |= {(index, kind, key): value for key, value in received(server, token, had).items()}
            seen |= {(index, "asked", key): value for key, value in asked(server, token, streams).items()}
    except STOPPED:
        pass
    finally:
        if server.process and server.process.poll() is None:
            server.kill()
    return {str(key): json.dumps(value, sort_keys=True) for key, value in seen.items()}


def place_of(random, size):
    while True:
        place = random.randrange(size)
        if not any(place in anybody for anybody in ANYBODYS):
            return place


def rot(programs, folder):
    people = world(programs, folder / "sound")
    name = next(path.name for path in (folder / "sound").iterdir() if path.read_bytes()[:15] == b"SQLite format 3")
    whole = (folder / "sound" / name).read_bytes()
    streams = sorted({stream for _, cursors in people for stream in cursors})
    copies = (folder / f"copy {number}" for number in range(10**9))

    def copied(data):
        copy = next(copies)
        shutil.copytree(folder / "sound", copy)
        (copy / name).write_bytes(data)
        return copy

    first, again = (served(programs, copied(whole), people, streams) for _ in range(2))
    # The server's own times are others with every start.
    sound = {key: value for key, value in first.items() if again.get(key) == value}
    expect(len(sound) > 0.9 * len(first) > 100, f"{len(first)} answers, {len(sound)} of them the same again")
    chance = random.Random(SEED)
    counts = {"refused to start": 0, "answered in part": 0, "answered in full": 0}
    for _ in range(FLIPS):
        place, bit = place_of(chance, len(whole)), chance.randrange(8)
        data = bytearray(whole)
        data[place] ^= 1 << bit
        where = f"seed {SEED}: bit {bit} of byte {place % PAGE} of page {place // PAGE + 1}"
        copy = copied(data)
        status, text = Server(programs, copy).verify()
        expect(status != 0, f"{where}: verify is silent: {text}")
        answers = served(programs, copy, people, streams)
        for key, value in answers.items():
            expect(key not in sound or value == sound[key], f"{where}: {key} was {sound.get(key)} and is {value}")
        here = sum(key in answers for key in sound)
        kind = "refused to start" if not answers else "answered in full" if here == len(sound) else "answered in part"
        counts[kind] += 1
        shutil.rmtree(copy)
        pathlib.Path(f"{copy}.log").unlink(missing_ok=True)
    told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
    return f"{FLIPS} bits of {len(whole) // PAGE} pages, seed {SEED}: verify tells each, none serves other data ({told})"


if __name__ == "__main__":
    main(rot)
