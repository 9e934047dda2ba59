"""protocol/clients/whattodo.js against the real server: javascript_client.py PROGRAMS [SEED]

First without a server: its types (javascript_types.py), every split of messages, and a socket that is played
(javascript_units.mjs). Then two people have it behind networks that cut at random bytes, their programs are killed and made
anew from their stores, and the server is killed or stopped; a third person has a plain client. In the end every copy is a
fresh snapshot, object by object, and the log of the list has each change once and in its order. Last it runs in headless
Chromium, in a tab and in a worker.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import threading

import browser
from certificates import Authority
from harness import DEADLINE, Client, Copy, Server, expect, main, new_id, read_line, say_hello, sign_in, validate
from javascript_types import types
from websockets.exceptions import ConnectionClosed, InvalidMessage

HERE = pathlib.Path(__file__).parent
CLIENT = HERE.parents[1] / "protocol" / "clients" / "whattodo.js"
# Where Debian puts packages of Node.
NODE = {**os.environ, "NODE_PATH": "/usr/share/nodejs"}
ROUNDS = 16
PASSWORD = "correct horse battery"
# So many hellos and commands that cuts and kills are what slows people, and the rate now and then.
RATES = ["--hello-rate", "100000", "--command-rate", "60"]
# Only these make a new thing, so each of them has an event wherever it was not refused.
CREATES = {"post.add"}
PAGE = """<!doctype html><meta charset="utf-8"><title>visit</title>
<script type="module" src="/javascript_visit.js"></script>"""


def check(programs, folder):
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", flush=True)
    sentences = [types(folder / "types"), units(seed), storm(programs, folder, random.Random(seed)), in_browser(programs, folder)]
    return "\n".join(sentences)


def units(seed):
    done = subprocess.run(["node", "--no-warnings", HERE / "javascript_units.mjs", str(seed)], capture_output=True,
                          text=True, timeout=60)
    failed = [line for line in done.stdout.splitlines() if line.startswith(("not ok", "  error", "    "))]
    expect(done.returncode == 0, "\n".join(failed) + done.stderr)
    count = next(line.split()[-1] for line in done.stdout.splitlines() if line.startswith("# pass"))
    return f"ok  {count} tests without a server"


# The storm.

class Witness(threading.Thread):
    """A plain client that follows all of a person's streams by their events, whatever is killed; it may also add posts."""

    def __init__(self, server, token, category=None, chance=None):
        super().__init__(daemon=True)
        self.server, self.token, self.category, self.chance = server, token, category, chance
        self.copies, self.added, self.doubt, self.wrong = {}, [], None, None
        self.is_over = threading.Event()
        self.grown = threading.Condition()

    def run(self):
        try:
            while not self.is_over.is_set():
                try:
                    self.follow()
                except (ConnectionClosed, InvalidMessage, OSError, EOFError):
                    self.is_over.wait(0.05)
        except Exception as wrong:  # told to the main thread
            self.wrong = wrong

    def follow(self):
        client = Client(self.server.url)
        try:
            say_hello(client, self.token, {name: copy.cursor for name, copy in self.copies.items()})
            while not self.is_over.is_set():
                if self.category and (self.doubt or self.chance.random() < 0.2):
                    self.add(client)
                try:
                    client.receive(0.05)
                except TimeoutError:
                    pass
                self.take(client)
        finally:
            client.close()

    def add(self, client):
        self.doubt = self.doubt or {"category": self.category, "id": new_id(), "title": "plain", "key": new_id()}
        client.call("post.add", **self.doubt)
        self.added.append(self.doubt["key"])
        self.doubt = None

    def take(self, client):
        pushes, client.pushes = client.pushes, []
        with self.grown:
            for stream in {push["params"]["stream"] for push in pushes if push["method"].startswith("sync.")}:
                self.copies.setdefault(stream, Copy(stream)).take(pushes)
            self.grown.notify_all()

    def wait(self, found, sentence):
        with self.grown:
            came = self.grown.wait_for(lambda: self.wrong or found(self.copies), DEADLINE)
        expect(came and not self.wrong, f"{sentence}: {self.wrong or 'did not come'}")

    def end(self):
        self.is_over.set()
        self.join(DEADLINE)
        expect(not self.is_alive() and not self.wrong, f"a plain client ended with {self.wrong}")


class Person:
    """A program of javascript_client.mjs behind a network of its own."""

    def __init__(self, server, token, category, seed):
        self.token = token
        port = server.url.split(":")[2].split("/")[0]
        self.network = subprocess.Popen([sys.executable, HERE.parent / "Torture" / "proxy.py", port, str(seed), "cut",
                                         "reset", "crumbs"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        url = f"ws://127.0.0.1:{read_line(self.network.stdout)}/ws"
        task = {"url": url, "token": token, "category": category, "seed": seed}
        self.program = subprocess.Popen(["node", "--no-warnings", HERE / "javascript_client.mjs", json.dumps(task)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=NODE)

    def say(self, line, process=None):
        process = process or self.program
        process.stdin.write(f"{line}\n".encode())
        process.stdin.flush()

    def calm(self):
        """Ends cuts, kills and changes; what waits is sent. Answers how often the network cut."""
        self.say("calm", self.network)
        cuts = json.loads(read_line(self.network.stdout))
        self.say("calm")
        line = read_line(self.program.stdout, 2 * DEADLINE)
        expect(line == '"settled"', f"a program in Node said {line!r}")
        return cuts.get("cut", 0) + cuts.get("reset", 0)

    def story(self, heads):
        self.say(json.dumps(heads))
        line = read_line(self.program.stdout)
        expect(line, "a program in Node told nothing")
        return json.loads(line)

    def quit(self):
        for process in [self.program, self.network]:
            if process.poll() is None:
                process.kill()
            process.wait(DEADLINE)
            process.stdin.close()
            process.stdout.close()


def storm(programs, folder, chance):
    server = Server(programs, folder / "storm", *RATES).start()
    people, witnesses = [], []
    try:
        category, tokens = share(server)
        stream = f"c:{category}"
        witnesses = [Witness(server, token) for token in tokens[:2]] + [Witness(server, tokens[2], category, chance)]
        for witness in witnesses:
            witness.start()
            witness.wait(lambda copies: stream in copies, "the list")
        people = [Person(server, token, category, chance.randrange(2**32)) for token in tokens[:2]]
        for number in range(ROUNDS):
            copy = witnesses[2].copies[stream]
            goal = copy.seq + chance.randrange(20, 100)
            witnesses[2].wait(lambda _: copy.seq >= goal, f"event {goal}")
            if number % 4 == 3:
                expect(server.stop() == 0, "no clean exit")
            else:
                server.kill()
            server.start()
        witnesses[2].category = None
        cuts = sum(person.calm() for person in people)
        sentence = judge(server, stream, people, witnesses)
    finally:
        for person in people:
            person.quit()
        for witness in witnesses:
            witness.is_over.set()
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    server.verified()
    return f"ok  {sentence}; {cuts} cuts, {ROUNDS} ends of the server"


def share(server):
    """A list with three people in it; its id and their tokens."""
    signed = [sign_in(server.url, name) for name in ["one", "two", "plain"]]
    owner, category = signed[0][0], new_id()
    owner.command("category.add", id=category, name="shared")
    for name, (client, _, _) in zip(["two", "plain"], signed[1:]):
        invitation = new_id()
        owner.command("invitation.send", id=invitation, stream=f"c:{category}", username=name, role="editor")
        client.command("invitation.accept", id=invitation)
    # The list is long enough for a snapshot of several pages.
    posts = [{"method": "post.add", "params": {"category": category, "id": new_id(), "title": "old", "notes": "old " * 400}}
             for _ in range(100)]
    owner.command("batch", commands=posts)
    for client, _, _ in signed:
        client.close()
    return category, [token for _, _, token in signed]


def judge(server, stream, people, witnesses):
    """What everybody has is the same and right; says how much it was."""
    counts = {"changes": 0, "kills": 0, "waits": 0, "told": 0, "objects": 0}
    stories = []
    for person, witness in zip(people, witnesses):
        heads, states = snapshot(server, person.token)
        story = person.story(heads)
        stories.append(story)
        expect(not story["faults"], f"faults: {story['faults'][:5]}")
        expect(story["left"] == sum("refused" in one and one.get("kept", False) for one in story["log"]),
               f"{story['left']} changes are left in the store")
        stored = {copy["stream"]: copy["objects"] for copy in story["copies"]}
        for name, copies in [("the copies", dict(story["shown"])), ("the store", stored)]:
            compare(copies, states, name)
        counts["objects"] += sum(map(len, states.values()))
        counts["changes"] += len(story["log"])
        counts["kills"] += story["counts"]["kills"]
        counts["waits"] += story["counts"]["waits"]
        counts["told"] += story["counts"]["changes"]
        witness.wait(lambda copies: all(copies[name].seq == head for name, head in heads.items()), "the heads")
    for witness in witnesses:
        witness.end()
    done = sum(once_and_in_order(story["log"], stream, witness.copies) for story, witness in zip(stories, witnesses))
    expect(len(events_of(witnesses[2].copies[stream], witnesses[2].added)) == len(witnesses[2].added), "the plain client's")
    return (f"{counts['changes']} changes, {done} events by them, each once and in order; {counts['kills']} kills of programs, "
            f"{counts['waits']} lost connections, {counts['told']} changes told, {counts['objects']} objects compared")


def snapshot(server, token):
    """The heads of all streams of a person, and their objects, as somebody sees them who comes for the first time."""
    client = Client(server.url)
    heads = {one["stream"]: one["head"] for one in say_hello(client, token)["streams"]}
    client.wait(lambda pushes: sum(push["method"] == "sync.live" for push in pushes) == len(heads), "a fresh snapshot")
    states = {name: [] for name in heads}
    for push in client.pushes:
        if push["method"] == "sync.snapshot":
            states[push["params"]["stream"]] += push["params"]["objects"]
    client.close()
    return heads, states


def compare(copies, states, name):
    expect(copies.keys() == states.keys(), f"{name}: streams {copies.keys() ^ states.keys()}")
    for stream, objects in states.items():
        mine, fresh = ({json.dumps(one, sort_keys=True) for one in some} for some in [copies[stream], objects])
        expect(len(copies[stream]) == len(mine) and mine == fresh,
               f"{name} of {stream}: {len(mine)} objects, not {len(fresh)}; too many {sorted(mine - fresh)[:2]}, "
               f"missing {sorted(fresh - mine)[:2]}")


def events_of(copy, keys):
    wanted = set(keys)
    return [(seq, event["key"]) for seq, event in copy.events if event.get("key") in wanted]


def once_and_in_order(log, stream, copies):
    """Each change is in the log of the list once, if it did something, and in the order in which it was asked for."""
    found = events_of(copies[stream], [one["key"] for one in log])
    places = {}
    for seq, key in found:
        expect(key not in places, f"the change {key} took effect as event {places.get(key)} and {seq}")
        places[key] = seq
    for one in log:
        seq, result = places.get(one["key"]), one.get("result")
        told = [event["seq"] for event in (result or {}).get("events", []) if event["stream"] == stream]
        expect(not result or told == ([seq] if seq else []), f"{one} was told {told}, and is event {seq}")
        expect(seq is None or not one.get("refused"), f"{one} was refused, and is event {seq}")
        expect(seq is None or not one.get("lost"), f"{one} was sent before the store had it, as event {seq}")
        is_due = one["method"] in CREATES and not one.get("lost") and not one.get("refused")
        expect(seq is not None or not is_due, f"{one} never took effect")
    order = [places[one["key"]] for one in log if one["key"] in places]
    expect(order == sorted(order), f"changes took effect in the order {order}")
    return len(found)


# The browser.

def in_browser(programs, folder):
    identity, frames = Authority(folder / "ca").issue("localhost"), folder / "frames"
    with browser.PageServer(identity, PAGE, [HERE / "javascript_visit.js", CLIENT]) as pages:
        server = Server(programs, folder / "browser", *identity.options, "--origin", pages.origin, "--record-frames",
                        str(frames)).start()
        try:
            owner, _, _ = sign_in(server.url, "owner", PASSWORD, trust=identity.trust)
            owner.command("category.add", id=(category := new_id()), name="groceries")
            task = {"username": "owner", "password": PASSWORD, "category": category, "title": "by a browser",
                    "answer": "an answer"}
            finish = browser.visit(pages, server.url, task, folder / "home")
            owner.wait(lambda pushes: task["title"] in json.dumps(pushes), "the browser's post, pushed")
            owner.command("post.add", category=category, id=new_id(), title=task["answer"])
            seen = finish()
            owner.close()
        finally:
            status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    for place, title, number in [("tab", task["title"], 1), ("worker", f"{task['title']} too", 3)]:
        expect(seen[place] == {"number": number, "mine": title, "answer": task["answer"], "state": "closed"},
               f"{place}: {seen}")
    return f"ok  chromium: {seen}; {validate(frames)}"


if __name__ == "__main__":
    main(check)
