"""Races and coops (protocol §5.21): a part of methods.py."""
import datetime

from harness import Client, Refused, expect, new_id, refused, say_hello

MOST = 2**53 - 1
BOOK = {"amount": 300, "unit": "pages"}
# Days around the present one: a midnight may come in between.
TODAY = {"from": str(datetime.date.today() - datetime.timedelta(days=2)), "to": str(datetime.date.today() + datetime.timedelta(days=2))}


class Track:
    """A list of three people: its owner, an editor, and a doer who has a bot."""

    def __init__(self, server, owner, editor):
        self.category, self.owner, self.editor = new_id(), owner, editor
        self.stream = f"c:{self.category}"
        self.racer = type(owner)(server, "racer")
        owner.change("category.add", id=self.category, name="the track")
        for person, role in [(editor, "editor"), (self.racer, "doer")]:
            code = owner.change("invitation.make_code", id=new_id(), stream=self.stream, role=role)["code"]
            person.change("invitation.redeem", code=code)
        self.people = [owner, editor, self.racer]

    def add(self, **fields):
        """A new post: what names it in a request."""
        post = dict(category=self.category, id=new_id())
        self.owner.change("post.add", **post, title="read the book", **fields)
        return post

    def shown(self, post):
        """The post as it is now, open or done."""
        posts = [it for show in ("open", "done") for it in self.owner.ask("post.list", category=self.category, show=show)["posts"]]
        return next(it for it in posts if it["id"] == post["id"])

    def places(self, post):
        """The users who have finished, by the order of the log."""
        return [part["user"] for part in sorted(self.shown(post).get("parts", []), key=lambda part: part["seq"])]

    def amounts(self, post):
        return {entry["user"]: entry["amount"] for entry in self.shown(post).get("entries", []) if "amount" in entry}

    def like(self, other):
        """A new list of the same people."""
        self.category, self.owner, self.editor, self.racer = new_id(), other.owner, other.editor, other.racer
        self.stream, self.people = f"c:{self.category}", other.people
        self.owner.change("category.add", id=self.category, name="the second track")
        for person in (self.editor, self.racer):
            code = self.owner.change("invitation.make_code", id=new_id(), stream=self.stream, role="editor")["code"]
            person.change("invitation.redeem", code=code)
        return self

    def scores(self, person, stream):
        """The part of stats.get that is about contests, by username."""
        people = person.ask("stats.get", stream=stream, **TODAY)["people"]
        told = {it["username"]: {name: it[name] for name in ("places", "steps", "amounts") if name in it} for it in people}
        return {username: score for username, score in told.items() if score}

    def ops(self, answer):
        """The ops of the event that a command wrote."""
        seq = answer["events"][0]["seq"]
        return self.owner.ask("history.get", stream=self.stream, before=seq + 1, limit=1)["events"][0]["event"]["ops"]

    def kinds(self, answer):
        return [op["t"] for op in self.ops(answer)]


def contests(server, owner, editor):
    """People race each other and work together, and everybody sees the same."""
    track = Track(server, owner, editor)
    for part in (race, assigned, withdrawn, with_goal, corrected, coop, claimed, anew, refusals, undone, again, told, beside, scored):
        part(track)
    for_owner(server, track)


def says(call, sentence, kind="conflict"):
    """The call is refused with this sentence: the post as it is, where the answer has it."""
    try:
        answer = call()
    except Refused as refusal:
        expect((refusal.kind, sentence in refusal.error["message"]) == (kind, True), f"refused as {refusal}, not as {sentence!r}")
        return refusal.error["data"].get("object")
    return expect(False, f"{sentence!r} expected, answered {answer}")


def race(track):
    """Places follow from the order of the log, and finishing twice changes nothing."""
    post = track.add(contest="race")
    expect(track.shown(post)["mode"] == "each", f"a race is for each: {track.shown(post)}")
    for person in (track.racer, track.editor):
        person.change("post.complete", **post)
    expect(not track.racer.change("post.complete", **post)["changed"], "who has finished finishes again")
    expect(track.places(post) == [track.racer.user, track.editor.user], f"the places: {track.shown(post)}")
    last = track.owner.change("post.complete", **post)
    expect(track.kinds(last) == ["post.part_completed", "post.completed"], f"the last one: {track.ops(last)}")
    expect(track.places(post) == [it.user for it in (track.racer, track.editor, track.owner)], f"the places: {track.shown(post)}")


def assigned(track):
    """A race that is some people's work takes others in, until it is over."""
    post = track.add(contest="race")
    track.owner.change("post.assign", **post, user=track.owner.user)
    before = track.shown(post)["version"]
    joined = track.racer.change("contest.join", **post)
    expect((joined["changed"], joined["version"]) == (True, before), f"joining makes no version: {joined}")
    expect(not track.racer.change("contest.join", **post)["changed"], "who is in a race joins it")
    expect(not track.owner.change("contest.join", **post)["changed"], "whose work it is joins it")
    track.owner.change("post.complete", **post)
    expect("completed" not in track.shown(post), f"who has joined has not finished: {track.shown(post)}")
    track.racer.change("post.complete", **post)
    expect("completed" in track.shown(post), f"both have finished: {track.shown(post)}")
    says(lambda: track.editor.change("contest.join", **post), "This race is over.")


def withdrawn(track):
    """A race does not wait for people who withdraw, and somebody who has finished stays."""
    post = track.add(contest="race")
    track.owner.change("post.complete", **post)
    says(lambda: track.owner.change("contest.withdraw", **post), "You have finished.")
    track.racer.change("contest.withdraw", **post)
    expect(not track.racer.change("contest.withdraw", **post)["changed"], "who is not in a race withdraws")
    expect("completed" not in track.shown(post), f"one is left: {track.shown(post)}")
    last = track.editor.change("contest.withdraw", **post)
    expect(track.kinds(last) == ["contest.withdrew", "post.completed"], f"all who stay have finished: {track.ops(last)}")
    alone = track.add(contest="race")
    for person in track.people:
        person.change("contest.withdraw", **alone)
    expect("completed" not in track.shown(alone), "a race without anybody stays open")


def with_goal(track):
    """An amount at the goal finishes, and finishing is the goal."""
    post = track.add(contest="race", goal=BOOK)
    first = track.racer.change("contest.reach", **post, amount=120)
    expect(first["version"] == 1, f"an amount makes no version: {first}")
    expect(not track.racer.change("contest.reach", **post, amount=120)["changed"], "the same amount again")
    reached = track.racer.change("contest.reach", **post, amount=310)
    expect(track.kinds(reached) == ["contest.reached", "post.part_completed"], f"beyond the goal: {track.ops(reached)}")
    finished = track.editor.change("post.complete", **post)
    expect(track.kinds(finished) == ["contest.reached", "post.part_completed"], f"finished by hand: {track.ops(finished)}")
    last = track.owner.change("contest.reach", **post, amount=300)
    expect(track.kinds(last) == ["contest.reached", "post.part_completed", "post.completed"], f"the last one: {track.ops(last)}")
    expect(track.places(post) == [it.user for it in (track.racer, track.editor, track.owner)], f"the places: {track.shown(post)}")
    expect(track.amounts(post) == {track.racer.user: 310, track.editor.user: 300, track.owner.user: 300}, f"{track.shown(post)}")


def corrected(track):
    """Nobody sets less by accident. A correction below the goal opens what was finished."""
    post = track.add(contest="race", goal=BOOK)
    reach = lambda person, amount, **more: person.change("contest.reach", **post, amount=amount, **more)
    reach(track.racer, 120)
    shown = says(lambda: reach(track.racer, 100), "The amount is 120 already. Send correction: true to set less.")
    expect(shown["entries"][0]["amount"] == 120, f"the post in the answer: {shown}")
    reach(track.racer, 100, correction=True)
    for person in track.people:
        reach(person, 300)
    expect("completed" in track.shown(post), f"all are at the goal: {track.shown(post)}")
    opened = reach(track.racer, 299, correction=True)
    expect(track.ops(opened)[0]["f"] == {"user": track.racer.user, "amount": 299, "was": 300}, f"{track.ops(opened)}")
    expect("completed" not in track.shown(post) and track.racer.user not in track.places(post), f"open again: {track.shown(post)}")
    track.racer.change("contest.withdraw", **post)
    expect("completed" in track.shown(post), f"the others have finished: {track.shown(post)}")
    refused(lambda: reach(track.racer, 300), "conflict", "an amount of somebody who is not in the race")


def coop(track):
    """The amounts of all are added up."""
    post = track.add(contest="coop", goal=BOOK)
    expect("mode" not in track.shown(post), f"a coop has no mode: {track.shown(post)}")
    says(lambda: track.racer.change("contest.join", **post), "This post is no race.")
    says(lambda: track.racer.change("contest.withdraw", **post), "This post is no race.")
    for person, amount in [(track.owner, 200), (track.racer, 99)]:
        person.change("contest.reach", **post, amount=amount)
    expect("completed" not in track.shown(post), f"one page is left: {track.shown(post)}")
    done = track.editor.change("contest.reach", **post, amount=1)
    expect(track.kinds(done) == ["contest.reached", "post.completed"], f"the last page: {track.ops(done)}")
    opened = track.racer.change("contest.reach", **post, amount=98, correction=True)
    expect(track.kinds(opened) == ["contest.reached", "post.reopened"], f"a correction: {track.ops(opened)}")
    most = track.add(contest="coop", goal={"amount": MOST, "unit": "grains"})
    track.racer.change("contest.reach", **most, amount=MOST)
    expect("completed" in track.shown(most), f"the greatest amount: {track.shown(most)}")


def scored(track):
    """stats.get counts places, steps and amounts, and a person behind a corrected one moves up."""
    track = Track.__new__(Track).like(track)
    race, coop, steps = track.add(contest="race", goal=BOOK), track.add(contest="coop", goal={"amount": 90, "unit": "km"}), [new_id(), new_id()]
    for person in (track.racer, track.editor):
        person.change("contest.reach", **race, amount=300)
    track.editor.change("contest.reach", **coop, amount=7)
    for step in steps:
        track.owner.change("step.add", **coop, step=step, content="a lap")
    track.editor.change("step.complete", **coop, step=steps[0])
    scores = track.scores(track.owner, track.stream)
    expect(scores["racer"] == {"places": [1], "amounts": [{"unit": "pages", "amount": 300}]}, f"the first: {scores}")
    both = [{"unit": "pages", "amount": 300}, {"unit": "km", "amount": 7}]
    expect(scores[track.editor.name] == {"places": [0, 1], "steps": 1, "amounts": both}, f"the second: {scores}")
    track.racer.change("contest.reach", **race, amount=200, correction=True)
    scores = track.scores(track.owner, track.stream)
    expect(scores["racer"] == {"amounts": [{"unit": "pages", "amount": 200}]}, f"the corrected one: {scores}")
    expect(scores[track.editor.name]["places"] == [1], f"who moved up: {scores}")
    own = track.scores(track.racer, f"u:{track.racer.user}")
    expect(list(own) == ["racer"] and own["racer"]["amounts"][0]["unit"], f"oneself in all lists: {own}")
    refused(lambda: track.owner.ask("stats.get", stream=f"u:{track.racer.user}", **TODAY), "not_found", "the score of somebody else")


def claimed(track):
    """A step of a coop is one person's, until they give it back."""
    post, steps = track.add(contest="coop"), [new_id(), new_id(), new_id()]
    for step in steps:
        track.owner.change("step.add", **post, step=step, content="a chapter")
    track.editor.change("contest.claim", **post, step=steps[0])
    expect(not track.editor.change("contest.claim", **post, step=steps[0])["changed"], "one's own step again")
    shown = says(lambda: track.racer.change("contest.claim", **post, step=steps[0]), "Somebody else has this step.")
    expect([(it["step"], it["user"]) for it in shown["shares"]] == [(steps[0], track.editor.user)], f"who has it: {shown}")
    refused(lambda: track.racer.change("contest.release", **post, step=steps[0]), "forbidden", "a step of another")
    refused(lambda: track.racer.change("contest.claim", **post, step=new_id()), "not_found")
    track.racer.change("contest.claim", **post, step=steps[1])
    track.editor.change("contest.release", **post, step=steps[1])
    expect(not track.editor.change("contest.release", **post, step=steps[1])["changed"], "a step that is nobody's")
    track.racer.change("contest.claim", **post, step=steps[1])
    track.owner.change("step.complete", **post, step=steps[2])
    says(lambda: track.racer.change("contest.claim", **post, step=steps[2]), "This step is done.")
    track.owner.change("step.remove", **post, step=steps[0])
    expect([it["step"] for it in track.shown(post)["shares"]] == [steps[1]], f"a step that is gone: {track.shown(post)}")
    solo, step = track.add(), new_id()
    track.owner.change("step.add", **solo, step=step, content="a chapter")
    says(lambda: track.owner.change("contest.claim", **solo, step=step), "Steps are claimed only in a coop.")


def anew(track):
    """Work is not lost by an edit, unless it says so."""
    restart, edit = "There is work in this post. Send restart: true to take it back.", track.owner.change
    post = track.add(contest="race", goal=BOOK)
    track.racer.change("contest.withdraw", **post)
    edit("post.edit", **post, goal={"amount": 20, "unit": "chapters"})
    track.editor.change("contest.reach", **post, amount=5)
    for fields in ({"goal": BOOK}, {"goal": None}, {"contest": "coop"}, {"contest": None}):
        shown = says(lambda fields=fields: edit("post.edit", **post, **fields), restart)
        expect(shown["goal"]["unit"] == "chapters", f"the post in the answer: {shown}")
    edit("post.edit", **post, title="read it all", contest="race")
    edit("post.edit", **post, goal=BOOK, restart=True)
    kept = [{name: it[name] for name in ("user", "in")} for it in track.shown(post)["entries"]]
    expect(kept == [{"user": track.racer.user, "in": False}], f"who withdrew: {track.shown(post)}")
    track.editor.change("post.complete", **post)
    edit("post.edit", **post, contest="coop", restart=True)
    left = {"mode", "parts", "entries"} & set(track.shown(post))
    expect(not left, f"of a race in a coop: {left}")
    edit("post.edit", **post, contest=None)
    expect(not {"contest", "goal"} & set(track.shown(post)), f"no contest any more: {track.shown(post)}")


def refusals(track):
    """Requests that make no sense are refused, and people answer only for themselves."""
    post, plain = track.add(contest="race", goal=BOOK), track.add()
    wanted = [("mode", dict(contest="race", mode=None)), ("mode", dict(contest="coop", mode="each")), ("goal", dict(goal=BOOK))]
    for field, fields in wanted:
        try:
            answer = track.owner.change("post.edit", **plain, **fields)
        except Refused as refusal:
            expect((refusal.kind, refusal.error["data"]["field"]) == ("invalid", field), f"{fields}: {refusal}")
            continue
        expect(False, f"{fields} answered {answer}")
    for person in (track.owner, track.racer):
        refused(lambda person=person: person.change("contest.reach", **post, amount=5, user=track.editor.user), "forbidden")
    refused(lambda: track.racer.change("post.complete", **post, forAll=True), "forbidden")
    refused(lambda: track.racer.change("contest.reach", **post, amount=-1), "invalid")
    says(lambda: track.racer.change("contest.reach", **plain, amount=5), "This post has no goal.")
    says(lambda: track.racer.change("contest.join", **plain), "This post is no race.")
    client = track.racer.connect()
    client.send("contest.reach", **post, amount=MOST + 1, key=new_id())
    refused(lambda: client.answer(None), "parse", "an amount that JSON does not carry")
    client.close()
    expect("entries" not in track.shown(post), f"what was refused: {track.shown(post)}")


def undone(track):
    """An undo takes an amount back, as long as it is still the same, and leaves who joined."""
    post = track.add(contest="race", goal=BOOK)
    seqs = [track.editor.change("contest.reach", **post, amount=amount)["events"][0]["seq"] for amount in (100, 150)]
    undo = lambda seq: track.editor.change("undo", stream=track.stream, events=[seq])
    ops = track.ops(undo(seqs[1]))
    expect([op["f"] for op in ops] == [{"user": track.editor.user, "amount": 100, "was": 150}], f"the undo: {ops}")
    track.editor.change("contest.reach", **post, amount=160)
    skipped = undo(seqs[0])["skipped"]
    expect([it["reason"] for it in skipped] == ["later"], f"an amount that is another one: {skipped}")
    expect(track.amounts(post) == {track.editor.user: 160}, f"the amount: {track.shown(post)}")
    withdrew = track.editor.change("contest.withdraw", **post)["events"][0]["seq"]
    refused(lambda: undo(withdrew), "forbidden", "an undo of nothing but a withdrawal")


def again(track):
    """Each occurrence is a race of its own."""
    post = track.add(contest="race", goal=BOOK, due={"date": "2099-01-05"}, recurrence={"rule": "FREQ=WEEKLY"})
    refused(lambda: track.racer.change("contest.reach", **post, amount=300), "invalid", "no occurrence is named")
    for person in track.people:
        person.change("contest.reach", **post, amount=300, occurrence=1)
    shown = track.shown(post)
    expect(shown["recurrence"]["occurrence"]["number"] == 2 and not {"parts", "entries"} & set(shown), f"the next race: {shown}")
    refused(lambda: track.racer.change("contest.reach", **post, amount=300, occurrence=1), "conflict", "a race that is over")
    track.racer.change("contest.reach", **post, amount=10, occurrence=2)
    expect(track.amounts(post) == {track.racer.user: 10}, f"the next race: {track.shown(post)}")


def told(track):
    """Others are told of the newest amount of each person, of no correction, and of a finish as of any other part."""
    post = track.add(contest="race", goal=BOOK)
    reach = lambda person, amount, **more: person.change("contest.reach", **post, amount=amount, **more)["events"][0]["seq"]
    reach(track.racer, 100)
    newest = reach(track.racer, 150)
    reach(track.racer, 140, correction=True)
    finished = reach(track.editor, 300)
    wanted = {("reached", newest, track.racer.user), ("part_completed", finished, track.editor.user)}
    expect(news(track, track.owner, post) == wanted, f"the owner is told {news(track, track.owner, post)}, not {wanted}")
    seen = {it[0] for it in news(track, track.racer, post)}
    expect("reached" not in seen, f"nobody is told of their own amount: {seen}")


def news(track, person, post):
    """The kind, the event and the user of each notification about the post, but for its beginning."""
    lists = [it for it in person.ask("notification.list", limit=200)["lists"] if it["stream"] == track.stream]
    return {(it["kind"], it["seq"], it.get("user")) for each in lists for it in each["notifications"]
            if it.get("post") == post["id"] and it["kind"] != "added"}


def beside(track):
    """A copy begins anew, a move goes on, and the unit goes with the text."""
    post, copy, there = track.add(contest="coop", goal=BOOK), new_id(), new_id()
    track.racer.change("contest.reach", **post, amount=100)
    track.owner.change("post.copy", **post, copy=copy, to=track.category)
    shown = track.shown({"id": copy})
    expect((shown["contest"], shown["goal"], "entries" in shown) == ("coop", BOOK, False), f"a copy: {shown}")
    track.owner.change("post.erase", **post)
    expect(track.shown(post)["goal"] == {"amount": 300, "unit": ""}, f"an erased goal: {track.shown(post)}")
    track.owner.change("category.add", id=there, name="the other track")
    track.owner.change("contest.reach", **dict(post, id=copy), amount=100)
    track.owner.change("post.move_to", **dict(post, id=copy), to=there)
    moved = track.owner.ask("post.list", category=there, show="open")["posts"][0]
    expect((moved["goal"], moved["entries"][0]["amount"]) == (BOOK, 100), f"in the other list: {moved}")


def for_owner(server, track):
    """A bot reports for its owner and for itself, and for nobody else."""
    bot, post = new_id(), track.add(contest="race", goal=BOOK)
    track.racer.change("bot.add", id=bot, username="counter", name="Counter", zone="Europe/Lisbon")
    token = track.racer.change("token.add", bot=bot, id=new_id(), name="a program")["token"]
    track.owner.change("invitation.send", id=(invitation := new_id()), stream=track.stream, username="counter", role="doer")
    client = Client(server.url)
    say_hello(client, token, streams="none")
    client.command("invitation.accept", id=invitation)
    reach = lambda amount, **more: client.command("contest.reach", **post, amount=amount, **more)
    reach(40, user=track.racer.user)
    refused(lambda: reach(40, user=track.editor.user), "forbidden", "a bot for somebody else")
    says(lambda: reach(40), "You are not in this race. Join it first.")
    client.command("contest.join", **post)
    reach(30)
    reach(35, user=bot)
    expect(track.amounts(post) == {track.racer.user: 40, bot: 35}, f"the amounts: {track.shown(post)}")
    client.close()
