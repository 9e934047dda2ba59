"""Runs of bots, and how they are lost: runs.py PROGRAMS

A run whose bot is gone is lost once, by nobody, when its lease is over and not before. One whose bot says how far it has come
goes on, over a kill -9 of the server too, after which every run has its whole lease again. A bot that was held to be lost says
better. What comes after the end, from somebody else, or otherwise than protocol §8 has it, is refused; and how far a bot has
come is in no log. Each loss is told once, to whom the work belongs and to somebody who was away all the time.
"""
import select
import time

from harness import DEADLINE, Client, Refused, Server, expect, main, new_id, say_hello, sign_in
from metrics import Operator, metrics_address
from screens import done

SPEAK_SECONDS = 3
# Clocks of whole milliseconds are read on both sides.
ROUNDING = 0.01


class World:
    """A server, a list, its owner, a bot that may only do what others have added, and a member who sleeps."""

    def __init__(self, server):
        self.server, self.category = server, new_id()
        self.stream = f"c:{self.category}"
        self.owner, self.owner_user, self.owner_token = sign_in(server.url, "owner")
        self.bot, self.robot, self.bot_token = sign_in(server.url, "robot", kind="bot")
        self.lease = self.owner.hello["limits"]["runLeaseMsMin"]
        self.owner.command("category.add", id=self.category, name="builds")
        invitation = new_id()
        self.owner.command("invitation.send", id=invitation, stream=self.stream, username="robot", role="doer")
        self.bot.command("invitation.accept", id=invitation)
        for client in (self.owner, self.bot):
            self.live(client)
        self.let_in_and_leave("sleeper")

    def let_in_and_leave(self, username):
        """A member without a connection, who sees nothing of what follows."""
        client, _, _ = sign_in(self.server.url, username)
        invitation = new_id()
        self.owner.command("invitation.send", id=invitation, stream=self.stream, username=username, role="editor")
        client.command("invitation.accept", id=invitation)
        client.close()

    def live(self, client):
        client.wait(lambda pushes: any(push["method"] == "sync.live" and push["params"]["stream"] == self.stream for push in pushes),
                    "the list")
        return client

    def connect(self, token):
        client = Client(self.server.url)
        say_hello(client, token)
        return self.live(client)

    def assign(self, post):
        """It is the owner's work, who watches it too."""
        self.owner.command("post.assign", category=self.category, id=post, user=self.owner_user)
        self.owner.command("post.watch", category=self.category, id=post, watch=True)

    def enter(self):
        """Both come anew to a server that was started again."""
        self.owner, self.bot = self.connect(self.owner_token), self.connect(self.bot_token)

    def add(self, title):
        post = new_id()
        self.owner.command("post.add", category=self.category, id=post, title=title)
        return post

    def post(self, post):
        """As the server has it now."""
        shown = self.owner.call("post.list", category=self.category, show="open")["posts"]
        return next(each for each in shown if each["id"] == post)

    def head(self):
        """The number of the newest event of the list."""
        return self.owner.call("history.get", stream=self.stream, limit=1)["events"][0]["seq"]

    def ends(self, post):
        """The ends of all runs of the post, as the log has them, the oldest first: (event, fields)."""
        told = self.owner.call("history.get", stream=self.stream, post=post, kinds=["run.ended"], limit=20)["events"]
        return [(line["event"], op["f"]) for line in reversed(told) for op in line["event"]["ops"] if op["t"] == "run.ended"]

    def pushed(self, run):
        """The ends of this run that the owner was told, in the same form."""
        return [(event, op["f"]) for push in self.owner.pushes if push["method"] == "sync.events" for event in push["params"]["events"]
                for op in event["ops"] if op["t"] == "run.ended" and op["f"]["run"] == run]


class Program:
    """A connection of the bot, with a run of the least lease at a post of its own."""

    def __init__(self, world, title):
        self.world, self.run = world, new_id()
        self.post = world.add(title)
        self.words, self.spoke = 0, 0.0
        self.enter()

    def enter(self):
        self.client = self.world.connect(self.world.bot_token)

    def command(self, method, **params):
        return self.client.command(method, category=self.world.category, id=self.post, run=self.run, **params)

    def start(self, **more):
        return self.command("run.start", leaseMs=self.world.lease, **more)

    def progress(self, percent):
        """Also when the server says that it is too fast."""
        patiently(lambda: self.client.call("progress.set", category=self.world.category, post=self.post, done=percent))

    def speak(self):
        """Says how far it has come, unless it has just said so."""
        if time.monotonic() >= self.spoke + SPEAK_SECONDS:
            self.words += 1
            self.progress(min(self.words, 100))
            self.spoke = time.monotonic()


def until(client, found, seconds, sentence, speaker):
    """Receives until something is found, while the speaker says how far it has come. Returns what was found."""
    end = time.monotonic() + seconds
    while not (result := found()):
        expect(time.monotonic() < end, f"did not come within {seconds} s: {sentence}")
        speaker.speak()
        try:
            client.receive(min(1.0, end - time.monotonic()))
        except TimeoutError:
            pass  # the speaker's turn
    return result


def says_no(call, kind, why, **data):
    """The call has to be refused so, with these members of `data`."""
    try:
        answer = call()
    except Refused as refusal:
        told = refusal.error["data"]
        expect(told["kind"] == kind and data.items() <= told.items(), f"{why}: refused as {refusal}, not {kind} {data}")
        return
    expect(False, f"{why}: {kind} expected, answered {answer}")


def asks(world, client, post):
    """Commands and progress of this client at this post, as functions."""

    def command(method, run, **params):
        return client.command(method, category=world.category, id=post, run=run, **params)

    def progress(**params):
        return client.call("progress.set", category=world.category, post=post, **params)

    return command, progress


def refusals(world):
    post, run, other = world.add("refused"), new_id(), new_id()
    (bot, progress), (owner, _) = asks(world, world.bot, post), asks(world, world.owner, post)
    says_no(lambda: bot("run.phase", run, phase="x"), "not_found", "a phase before the start")
    says_no(lambda: bot("run.end", run, outcome="ok"), "not_found", "an end before the start")
    for lease in (world.lease - 1, 7 * 24 * 3_600_000 + 1, "60000"):
        says_no(lambda lease=lease: bot("run.start", run, leaseMs=lease), "invalid", f"a lease of {lease}", field="leaseMs")
    bot("run.start", run, leaseMs=world.lease, phase="compiling")
    expect(bot("run.start", run, leaseMs=world.lease * 2)["changed"] is False, "it goes on already")
    expect(bot("run.phase", run, phase="compiling")["changed"] is False, "the same phase")
    says_no(lambda: owner("run.start", other), "conflict", "another's while one goes on")
    says_no(lambda: owner("run.start", run), "exists", "with its id", field="run")
    says_no(lambda: owner("run.phase", run, phase="x"), "forbidden", "a phase of another's run")
    for outcome in ("ok", "failed"):
        says_no(lambda outcome=outcome: owner("run.end", run, outcome=outcome), "forbidden", f"{outcome} of another's run")
    says_no(lambda: bot("run.end", run, outcome="lost"), "invalid", "lost by its own word", field="outcome")
    says_no(lambda: bot("run.phase", run, phase=" "), "invalid", "an empty phase", field="phase")
    says_no(lambda: bot("run.phase", run, phase="x" * 121), "too_large", "a long phase", field="phase", max=120)
    says_no(lambda: bot("run.end", run, outcome="ok", text="x" * 501), "too_large", "a long text", field="text", max=500)
    wrong_progress(progress)
    bot("run.end", run, outcome="failed", text="exit status 2")
    expect(bot("run.end", run, outcome="failed", text="exit status 2")["changed"] is False, "the same end")
    after_the_end(bot, owner, run, other)
    done("what comes before the start, after the end, from somebody else, or out of range is refused as §8 says")


def after_the_end(bot, owner, run, other):
    says_no(lambda: bot("run.phase", run, phase="x"), "conflict", "a phase after the end")
    for outcome, text in (("ok", "exit status 2"), ("failed", "another")):
        says_no(lambda end=(outcome, text): bot("run.end", run, outcome=end[0], text=end[1]), "conflict", "another end")
    says_no(lambda: bot("run.start", run), "exists", "the id of the last run", field="run")
    says_no(lambda: owner("run.end", run, outcome="cancelled"), "conflict", "a run that has ended is not cancelled")
    bot("run.start", other)
    says_no(lambda: bot("run.phase", run, phase="x"), "conflict", "a phase of the run before")
    owner("run.end", other, outcome="cancelled", text="not today")
    says_no(lambda: bot("run.end", other, outcome="ok"), "conflict", "an end after an editor has cancelled it")
    says_no(lambda: bot("run.end", run, outcome="failed", text="exit status 2"), "not_found", "an earlier run than the last")


def wrong_progress(progress):
    for params, kind, data in [
            ({"done": -1}, "invalid", {"field": "done"}), ({"done": 101}, "invalid", {"field": "done"}),
            ({"done": 6, "of": 5}, "invalid", {"field": "done"}), ({"done": "64"}, "invalid", {"field": "done"}),
            ({"done": 0.5}, "invalid", {"field": "done"}), ({"done": 0, "of": 0}, "invalid", {"field": "of"}),
            ({"done": 1, "text": ""}, "invalid", {"field": "text"}), ({"done": 1, "text": "a\nb"}, "invalid", {"field": "text", "at": 1}),
            ({"done": 1, "text": 7}, "invalid", {"field": "text"}),
            ({"done": 1, "text": "x" * 121}, "too_large", {"field": "text", "max": 120})]:
        says_no(lambda params=params: progress(**params), kind, f"progress of {params}", **data)
    for params in ({"done": 0}, {"done": 100}, {"done": 5, "of": 5, "text": "x" * 120}, {"of": -1, "text": 7}):
        expect(progress(**params) == {}, f"progress of {params}")


def in_no_log(world):
    program = Program(world, "counted")
    program.start()
    before = world.head()
    for percent in range(1, 31):
        program.progress(percent)
    last = (program.post, 30)
    world.owner.wait(lambda pushes: any((entry.get("post"), entry.get("done")) == last for push in pushes
                                        if push["method"] == "ephemeral" for entry in push["params"].get("entries", [])), "the last one")
    expect(world.head() == before, f"30 values wrote events: {before} became {world.head()}")
    program.command("run.end", outcome="ok")
    expect(world.head() == before + 1, "an end is one event")
    program.client.close()
    done("30 values of progress arrive and write nothing")


def patiently(call):
    """Asks again when the server says that it may."""
    end = time.monotonic() + DEADLINE
    while True:
        try:
            return call()
        except Refused as refusal:
            expect(refusal.kind == "rate_limited" and time.monotonic() < end, f"refused as {refusal}")
            select.select([], [], [], refusal.error["data"]["afterMs"] / 1_000)


def lost_once(world, steady):
    """A bot that is gone, while another one that says how far it has come goes on. A third has said nothing for a while then."""
    gone = Program(world, "gone")
    world.assign(gone.post)
    gone.start(phase="compiling")
    gone.progress(64)
    spoke = time.monotonic()
    gone.command("run.phase", phase="linking")
    gone.client.close()
    words = steady.words
    until(world.owner, lambda: steady.words >= words + 3, DEADLINE, "three words of another bot", steady)
    silent = Program(world, "silent")
    world.assign(silent.post)
    silent.start()
    until(world.owner, lambda: world.pushed(gone.run), world.lease / 1_000 + DEADLINE, "that the run is lost", steady)
    after = time.monotonic() - spoke
    expect(after >= world.lease / 1_000 - ROUNDING, f"lost {after:.3f} s after the last word, with a lease of {world.lease} ms")
    event, fields = world.pushed(gone.run)[0]
    expect("by" not in event and "key" not in event, f"by nobody: {event}")
    expect((fields["outcome"], fields["user"], "text" in fields, "usualMs" in fields) == ("lost", world.robot, False, False), f"{fields}")
    expect("run" not in world.post(gone.post) and world.post(gone.post)["lastRun"]["outcome"] == "lost", "as the post says")
    expect(kinds(world.owner, gone.post) == ["run_lost"], f"the owner is told once: {kinds(world.owner, gone.post)}")
    for program in (steady, silent):
        expect(world.post(program.post)["run"]["id"] == program.run, "the others go on")
    counts(world, going=2, lost=1)
    done(f"a run whose bot is gone is lost by nobody, {after:.1f} s after its last word")
    return gone, silent


def counts(world, going, lost):
    page = Operator(metrics_address(world.server)).read()
    told = page["whattodo_runs", ()], page["whattodo_runs_lost_total", ()]
    expect(told == (going, lost), f"the operator reads of runs that go on and that were lost: {told}")


def kinds(client, post):
    """The kinds of all notifications of the post's runs, the newest first: one that comes twice is in it twice."""
    listed = client.call("notification.list", limit=50)
    told = [*(told for entry in listed["lists"] for told in entry["notifications"]), *listed["directed"]]
    return [line["kind"] for line in told if line.get("post") == post and line["kind"].startswith("run_")]


def over_a_restart(world, steady, silent):
    world.server.kill()
    began = time.monotonic()
    world.server.start()
    world.enter()
    steady.enter()
    until(world.owner, lambda: world.pushed(silent.run), world.lease / 1_000 + DEADLINE, "that the silent one is lost", steady)
    after = time.monotonic() - began
    expect(after >= world.lease / 1_000 - ROUNDING, f"lost {after:.3f} s after the restart, with a lease of {world.lease} ms")
    words = steady.words
    until(world.owner, lambda: steady.words >= words + 2, DEADLINE, "two more words", steady)
    expect(world.post(steady.post)["run"]["id"] == steady.run, f"who speaks goes on: {world.post(steady.post)}")
    steady.command("run.end", outcome="ok")
    (event, fields), = world.ends(steady.post)
    expect((event["by"], fields["outcome"], "recovers" in fields) == (world.robot, "ok", False), f"its end: {event}")
    expect(fields["usualMs"] > 1.5 * world.lease, f"how long it took, over a restart and two leases: {fields}")
    expect([(fields["outcome"], "by" in event) for event, fields in world.ends(silent.post)] == [("lost", False)], "lost once")
    counts(world, going=0, lost=1)
    done("after a kill -9 of the server a run has its whole lease again, and one whose bot speaks goes on")


def corrected(world, gone):
    gone.enter()
    gone.command("run.end", outcome="ok", text="all is well")
    told = [(fields["outcome"], fields.get("recovers"), fields["run"] == gone.run) for _, fields in world.ends(gone.post)]
    expect(told == [("lost", None, True), ("ok", True, True)], f"the ends of one run: {told}")
    last = world.post(gone.post)["lastRun"]
    expect((last["outcome"], last["text"], "usualMs" in last) == ("ok", "all is well", False), f"how long it took nobody knows: {last}")
    told = kinds(world.owner, gone.post)
    expect(told == ["run_recovered", "run_lost"], f"the owner is told once of each: {told}")
    expect(gone.command("run.end", outcome="ok", text="all is well")["changed"] is False, "the same again")
    says_no(lambda: gone.command("run.end", outcome="failed"), "conflict", "it is corrected once")
    gone.client.close()
    done("a run that was held to be lost is corrected once by whoever started it")


def told_once(world, gone, silent):
    """Who was connected all the time and who comes only now are told the same. The server lists only the newest notification
    of a post's losses, so the events are counted too: in the log, and as they came to the owner."""
    sleeper, _, _ = sign_in(world.server.url, "sleeper", register_first=False)
    for client, name in ((world.owner, "the owner"), (sleeper, "the sleeper")):
        told = kinds(client, gone.post), kinds(client, silent.post)
        expect(told == (["run_recovered", "run_lost"], ["run_lost"]), f"{name} is told once of each: {told}")
    for program, outcomes in ((gone, ["lost", "ok"]), (silent, ["lost"])):
        logged = [fields["outcome"] for _, fields in world.ends(program.post)]
        expect(logged == outcomes, f"the log has each end once: {logged}")
    pushed = [fields["outcome"] for _, fields in world.pushed(silent.run)]
    expect(pushed == ["lost"], f"it came once to the owner: {pushed}")
    sleeper.close()
    done("a lost run is told once, to whose work it is and to somebody who was away over the kills of bot and server")


def runs_of_bots(programs, folder):
    server = Server(programs, folder / "data", "--metrics-listen", "0").start()
    try:
        world = World(server)
        refusals(world)
        in_no_log(world)
        steady = Program(world, "steady")
        steady.start()
        gone, silent = lost_once(world, steady)
        over_a_restart(world, steady, silent)
        corrected(world, gone)
        told_once(world, gone, silent)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    server.verified()
    return "runs of bots: every step was seen"


main(runs_of_bots)
