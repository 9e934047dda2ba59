"""Every method, every push, and every change repeated as after a lost answer: methods.py PROGRAMS

Each change is sent twice with its key, the second time over another connection: it has to get the original
answer, also when access was lost in between (leaving a list, closing the own session). The server records
every frame; protocol/schema has to know each one, and each schema of a message has to be used (P2, protocol §8).
"""
from accounts import PASSWORD, accounts, bots
from contesting import contests
from harness import Client, Server, expect, main, new_id, refused, register, say_hello, sign_in, validate
from personal import personal
from repeating import again_and_again, confirmed, for_each, makes_room, signed, taken_back
from samples import every_sample
from talking import talk


class Person:
    """Somebody whose every change is repeated."""

    def __init__(self, server, name, address=None):
        self.server, self.name = server, name
        self.client, self.user, self.token = sign_in(server.url, name, PASSWORD, address=address)

    def change(self, method, **params):
        key = new_id()
        first = self.client.command(method, key=key, **params)
        again = self.connect()
        second = again.command(method, key=key, **params)
        again.close()
        expect(first == second, f"{method}: a repeat answers {second}, not {first}")
        return first

    def connect(self, streams="none", **hello):
        client = Client(self.server.url)
        client.hello = say_hello(client, self.token, streams=streams, **hello)
        return client

    def arrive(self):
        """Comes anew without cursors and gets a snapshot of everything."""
        client = self.connect(streams="all")
        expected = {entry["stream"] for entry in client.hello["streams"]}
        client.wait(lambda pushes: expected <= {p["params"]["stream"] for p in pushes if p["method"] == "sync.live"},
                    f"{self.name}'s snapshots")
        client.close()

    def ask(self, method, **params):
        return self.client.call(method, **params)


def every_method(programs, folder):
    frames = folder / "frames.jsonl"
    options = ["--record-frames", str(frames), "--command-rate", "10000", "--line-rate", "10000", "--hello-rate", "10000", "--guests", "5"]
    server = Server(programs, folder / "data", *options).start()
    try:
        owner, editor = Person(server, "owner"), Person(server, "editor")
        profile(owner)
        category = lists_and_posts(owner)
        steps(owner, category)
        deadlines(owner, category)
        tags(owner, category)
        invitations(owner, editor, category)
        codes(owner, editor)
        reach(owner, editor)
        assignments(owner, editor, category)
        moves(owner)
        groups(owner, editor)
        watching(owner, category)
        notifications(editor, category)
        personal(owner, editor, category)
        for part in (again_and_again, taken_back, confirmed, for_each):
            part(owner, editor, category)
        claims(owner, editor)
        runs(owner, editor, category)
        imports(owner)
        moments(owner, category)
        talk(server, owner, editor, category)
        contests(server, owner, editor)
        history(owner, category)
        whole_objects(server, owner)
        leaving(owner, editor, category)
        succession(owner, editor)
        bots(server, owner, editor)
        accounts(server, owner, editor)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    drained(programs, folder, frames, signed(programs, folder))
    server.verified()
    count = every_sample(programs, folder, frames, Person)
    return f"every method and its repeat, {count} samples; {validate(frames, '--all')}"


def profile(owner):
    expect(owner.ask("ping")["time"] > 0, "ping tells the time")
    expect(owner.ask("server.about")["registration"] == "open", "what the server says of itself")
    owner.change("profile.edit", name="Owner", location="Lisbon", zone="Europe/Lisbon", locale="pt-PT")
    expect(owner.ask("profile.get")["profile"]["location"] == "Lisbon", "the profile as edited")


def lists_and_posts(owner):
    category, post, plain = new_id(), new_id(), new_id()
    owner.change("category.add", id=category, name="groceries")
    owner.change("category.edit", id=category, name="shopping", zone="Europe/Berlin", color="green")
    owner.change("category.edit", id=category, color=None)
    owner.change("post.add", category=category, id=post, title="milk", notes="two litres\nfresh")
    owner.change("post.add", category=category, id=plain, title="bread", priority="high", color="red",
                 due={"at": "2099-11-24T18:00", "zone": "Europe/Lisbon"}, location={"text": "bakery", "lat": 38707100, "lon": -9135490})
    owner.change("post.edit", category=category, id=plain, priority=None, color="blue", due={"date": "2099-11-24"})
    for method, more in [("post.edit", {"title": "oat milk", "notes": ""}), ("post.complete", {"ifVersion": 2}),
                         ("post.reopen", {}), ("post.complete", {}), ("post.remove", {}), ("post.restore", {})]:
        owner.change(method, category=category, id=post, **more)
    owner.change("post.remove", category=category, id=plain)
    owner.change("post.erase", category=category, id=plain)
    for show, count in [("open", 0), ("done", 1), ("removed", 1)]:
        posts = owner.ask("post.list", category=category, show=show)["posts"]
        expect(len(posts) == count, f"{show}: {posts}")
    owner.change("category.remove", id=category)
    removed = owner.ask("category.list", show="removed")
    expect(category in str(removed), f"removed lists: {removed}")
    owner.change("category.restore", id=category)
    badges = {line["stream"]: line for line in owner.ask("category.list", show="mine")["badges"]}
    expect(badges[f"c:{category}"]["mine"] == {"count": 0, "more": False}, f"badges: {badges}")
    owner.change("category.archive", id=category)
    refused(lambda: owner.change("post.reopen", category=category, id=post), "forbidden")
    expect(owner.ask("search", text="oat")["found"] != [], "what is archived is found")
    expect(owner.ask("post.query", where={"state": "any"})["found"] == [], "and in no view")
    owner.change("category.unarchive", id=category)
    batch = owner.change("batch", commands=[
        {"method": "post.edit", "params": {"category": category, "id": post, "title": title}}
        for title in ("rice milk", "soy milk")])
    undone = dict(stream=f"c:{category}", events=[event["seq"] for event in batch["events"]])
    does = [step["does"] for step in owner.ask("undo.preview", **undone)["steps"]]
    expect(does == [["edit"]], f"a look before an undo: {does}")
    found = owner.ask("search", text="MIL soy", streams=[f"c:{category}"], limit=1)["found"]
    expect([(line["post"]["title"], line["title"]) for line in found] == [("soy milk", [[0, 3], [4, 7]])], f"found: {found}")
    seen = owner.ask("post.query", where={"state": "done", "by": "me"}, streams=[f"c:{category}"])["found"]
    expect([line["post"]["title"] for line in seen] == ["soy milk"], f"what is done: {seen}")
    owner.change("post.add", category=category, id=new_id(), title="cake", due={"date": "2099-02-28"})
    days = owner.ask("agenda.get", **{"from": "2099-02-01", "to": "2099-02-28"})["days"]
    expect(days == [{"day": "2099-02-28", "open": 1}], f"what is due: {days}")
    ordered = owner.ask("post.query", streams=[f"c:{category}"], sort="position")["found"]
    expect([line["post"]["title"] for line in ordered] == ["cake"], f"a list in its order: {ordered}")
    twins = owner.ask("post.twins", category=category, title="CAKE")["twins"]
    expect([line["title"] for line in twins] == ["cake"], f"what says the same: {twins}")
    view = new_id()
    owner.change("filter.save", id=view, name="Soon", where={"by": "me"}, days={"until": 6}, streams=[f"c:{category}"], sort="due")
    owner.arrive()
    owner.change("filter.remove", id=view)
    second = new_id()
    owner.change("category.add", id=second, name="chores")
    owner.change("category.move", id=second, before=category)
    gone = owner.ask("search", text="bread", **{"in": "bin"})
    expect(gone == {"found": []}, f"its text was erased: {gone}")
    owner.change("undo", **undone)
    posts = owner.ask("post.list", category=category, show="done")["posts"]
    expect([post["title"] for post in posts] == ["oat milk"], f"undone: {posts}")
    return category


def deadlines(owner, category):
    """What the server does by itself: a deadline that is over is told once, whatever becomes of the due."""
    watcher, post = owner.connect(streams="all"), new_id()

    def told():
        return [op["t"] for push in watcher.pushes if push["method"] == "sync.events"
                for event in push["params"]["events"] if "by" not in event for op in event["ops"] if op["id"] == post]

    def expect_told(*kinds):
        watcher.wait(lambda pushes: len(told()) >= len(kinds), f"{kinds}, but {told()}")
        expect(told() == list(kinds), f"{told()} instead of {kinds}")

    first, second = "post.became_overdue", "post.overdue_again"
    owner.change("post.add", category=category, id=post, title="late", due={"date": "2026-01-05"})
    expect_told(first)
    owner.change("post.edit", category=category, id=post, due={"date": "2026-01-06"}, ifVersion=1)
    expect_told(first, first)
    owner.change("post.edit", category=category, id=post, due={"date": "2026-01-05"})
    expect_told(first, first, second)
    owner.change("post.remove", category=category, id=post)
    watcher.close()


def steps(owner, category):
    """A post's steps, the post with them, and an undo of what happened to them."""
    post, first, second = new_id(), new_id(), new_id()
    owner.change("post.add", category=category, id=post, title="cake")

    def change(method, step, **more):
        return owner.change(method, category=category, id=post, step=step, **more)

    change("step.add", first, content="flour")
    change("step.add", second, content="eggs")
    change("step.edit", first, content="spelt flour", ifVersion=3)
    change("step.move", second, before=first)
    change("step.complete", second)
    change("step.complete", first)
    done = owner.ask("post.list", category=category, show="done")["posts"]
    expect([each["content"] for each in done[0]["steps"]] == ["eggs", "spelt flour"], f"done with its steps: {done}")
    change("step.reopen", second)
    owner.change("post.complete", category=category, id=post)
    owner.change("post.reopen", category=category, id=post)
    gone = change("step.remove", first)
    owner.change("undo", stream=f"c:{category}", events=[event["seq"] for event in gone["events"]])
    opened = [each for each in owner.ask("post.list", category=category, show="open")["posts"] if each["id"] == post]
    told = [(step["content"], "finished" in step) for step in opened[0]["steps"]]
    expect(told == [("eggs", False), ("spelt flour", True)], f"as before: {opened}")
    owner.change("post.remove", category=category, id=post)


def tags(owner, category):
    tag, other, post = new_id(), new_id(), new_id()
    owner.change("post.add", category=category, id=post, title="essay")
    owner.change("tag.add", category=category, id=tag, name="uni", color="red")
    owner.change("tag.add", category=category, id=other, name="work")
    owner.change("tag.edit", category=category, id=tag, name="university", color=None)
    for one in (tag, other):
        owner.change("post.tag", category=category, id=post, tag=one)
    owner.change("post.untag", category=category, id=post, tag=other)
    removed = owner.change("tag.remove", category=category, id=tag)
    owner.change("undo", stream=f"c:{category}", events=[event["seq"] for event in removed["events"]])
    owner.arrive()
    posts = owner.ask("post.list", category=category, show="open")["posts"]
    expect([one.get("tags") for one in posts if one["id"] == post] == [[tag]], f"tagged: {posts}")


def invitations(owner, editor, category):
    stream = f"c:{category}"
    invite(owner, editor, "invitation.revoke", owner, stream, stream=stream)
    invite(owner, editor, "invitation.decline", editor, stream)
    invite(owner, editor, "invitation.accept", editor, stream)
    members = owner.ask("member.list", stream=stream)["members"]
    expect({m["username"] for m in members} == {"owner", "editor"}, f"members: {members}")


def invite(owner, editor, method, by, target, role="editor", **more):
    invitation = new_id()
    owner.change("invitation.send", id=invitation, stream=target, username=editor.name, role=role)
    owner.arrive()
    by.change(method, id=invitation, **more)


def codes(owner, editor):
    """Invitations for whoever brings a code."""
    category, taken_back = new_id(), new_id()
    stream = f"c:{category}"
    owner.change("category.add", id=category, name="a class")
    made = owner.change("invitation.make_code", id=new_id(), stream=stream, role="doer", uses=30, days=7)
    again = owner.change("invitation.make_code", id=taken_back, stream=stream, role="viewer")
    owner.arrive()
    listed = owner.ask("invitation.codes", stream=stream)["codes"]
    expect({line["code"] for line in listed} == {made["code"], again["code"]}, f"codes: {listed}")
    owner.change("invitation.revoke", id=taken_back, stream=stream)
    refused(lambda: editor.change("invitation.redeem", code=again["code"]), "invalid")
    editor.change("invitation.redeem", code=made["code"].lower().replace("-", " "))
    refused(lambda: editor.ask("invitation.codes", stream=stream), "forbidden")
    owner.change("member.remove", stream=stream, user=editor.user)
    refused(lambda: editor.change("invitation.redeem", code=made["code"]), "forbidden")


def reach(owner, editor):
    """Who may ask one to share something."""
    category = new_id()
    stream = f"c:{category}"
    owner.change("category.add", id=category, name="a club")
    editor.change("person.block", username=owner.name)
    editor.arrive()
    held_back = new_id()
    owner.change("invitation.send", id=held_back, stream=stream, username=editor.name, role="doer")
    refused(lambda: editor.change("invitation.accept", id=held_back), "not_found")
    editor.change("person.unblock", user=owner.user)
    owner.change("invitation.revoke", id=held_back, stream=stream)
    editor.change("profile.edit", invitedBy="nobody")
    refused(lambda: owner.change("invitation.send", id=new_id(), stream=stream, username=editor.name, role="doer"), "forbidden")
    editor.arrive()
    editor.change("profile.edit", invitedBy="anybody")
    invite(owner, editor, "invitation.decline", editor, stream)
    editor.arrive()


def assignments(owner, editor, category):
    post = new_id()
    owner.change("post.add", category=category, id=post, title="dishes")
    owner.change("post.assign", category=category, id=post, user=editor.user, ifVersion=1)
    told = editor.ask("notification.list", limit=5)["directed"][0]
    expect((told["kind"], told["post"]) == ("assigned", post), f"told: {told}")
    editor.arrive()
    owner.change("post.unassign", category=category, id=post, user=editor.user)


def claims(owner, editor):
    category, first, second = (new_id() for _ in range(3))
    owner.change("category.add", id=category, name="to build")
    invite(owner, editor, "invitation.accept", editor, f"c:{category}")
    for post in (first, second):
        owner.change("post.add", category=category, id=post, title="build")
    owner.change("post.claim", category=category, id=first, leaseMs=600000, ifVersion=1)
    refused(lambda: editor.change("post.claim", category=category, id=first), "conflict")
    editor.arrive()
    taken = editor.change("post.claim_next", category=category)
    expect(taken["number"] == 2, f"the next one: {taken}")
    editor.arrive()
    owner.change("post.release", category=category, id=second)
    # What nobody gives back comes back by itself.
    watcher = owner.connect(streams="all")
    owner.change("post.claim", category=category, id=second, leaseMs=1000)
    watcher.wait(lambda pushes: any(op["t"] == "post.claim_ended" for push in pushes if push["method"] == "sync.events"
                                    for event in push["params"]["events"] for op in event["ops"]), "a claim ends")
    watcher.close()
    expect(owner.change("post.claim_next", category=category)["number"] == 2, "the second again")


def runs(owner, editor, category):
    at = dict(category=category, id=new_id(), run=new_id())
    owner.change("post.add", category=category, id=at["id"], title="nightly")
    owner.change("run.start", **at, phase="compiling")
    refused(lambda: editor.change("run.start", **{**at, "run": new_id()}), "conflict")
    owner.change("run.phase", **at, phase="linking")
    editor.arrive()
    owner.change("run.end", **at, outcome="failed", text="exit status 2")
    editor.arrive()


def imports(owner):
    category, first = new_id(), new_id()
    owner.change("category.add", id=category, name="from the forge")
    source = {"name": "forge", "id": "12", "url": "https://forge.example/12"}
    known = owner.change("import.upsert", category=category, id=first, source=source, title="crash")
    expect(known["imported"] == "added", f"a new one: {known}")
    owner.change("post.edit", category=category, id=first, title="crash at start")
    known = owner.change("import.upsert", category=category, id=new_id(), source=source, title="crash", notes="log")
    expect((known["imported"], known["left"], known["number"]) == ("edited", ["title"], 1), f"a known one: {known}")
    owner.change("post.remove", category=category, id=first)
    known = owner.change("batch", commands=[{"method": "import.upsert", "params": {
        "category": category, "id": new_id(), "source": source, "title": "crash"}}])
    expect(known["results"][0]["imported"] == "removed", f"a removed one: {known}")


def moves(owner):
    category, first, second, third = (new_id() for _ in range(4))
    owner.change("category.add", id=category, name="sorted")
    for post, title in ((first, "plates"), (second, "cups"), (third, "spoons")):
        owner.change("post.add", category=category, id=post, title=title)
    owner.change("post.move", category=category, id=third, after=first, before=second, ifVersion=1)
    told = {each["id"]: each.get("position") for each in owner.ask("post.list", category=category, show="open")["posts"]}
    expect(told[first] is None and told[third] is not None, f"a place between: {told}")
    owner.change("post.move", category=category, id=second, before=first)
    owner.change("post.move", category=category, id=first, after=third)
    other = new_id()
    owner.change("category.add", id=other, name="elsewhere")
    owner.change("post.copy", category=category, id=first, copy=new_id(), to=other)
    owner.change("post.move_to", category=category, id=first, to=other)
    refused(lambda: owner.change("post.complete", category=category, id=first), "moved")
    owner.change("post.move_to", category=other, id=first, to=category)


def groups(owner, editor):
    group, category = new_id(), new_id()
    owner.change("group.add", id=group, name="home")
    owner.change("category.add", id=category, name="chores", group=group)
    invite(owner, editor, "invitation.accept", editor, f"c:{category}")
    invite(owner, editor, "invitation.accept", editor, f"g:{group}", role="owner")
    editor.change("post.add", category=category, id=new_id(), title="windows")
    editor.arrive()
    owner.change("profile.edit", name="The Owner")
    owner.change("member.set_role", stream=f"g:{group}", user=editor.user, role="admin")
    editor.change("group.edit", id=group, name="our home")
    refused(lambda: editor.change("group.remove", id=group), "forbidden")
    owner.change("group.remove", id=group)
    owner.change("group.restore", id=group)
    editor.change("member.leave", stream=f"g:{group}")
    editor.change("member.leave", stream=f"c:{category}")
    refused(lambda: editor.change("post.add", category=category, id=new_id(), title="x"), "not_found")


def watching(owner, category):
    stream = f"c:{category}"
    quiet = owner.connect(streams="none")
    quiet.call("sync.open", streams=[{"stream": stream}])
    quiet.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.live"], "the snapshot's end")
    owner.client.command("post.add", category=category, id=new_id(), title="news")
    quiet.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.events"], "the news")
    quiet.call("sync.close", streams=[stream])
    quiet.close()


def moments(owner, category):
    """What holds for a moment: told to all who follow, with nothing in the log."""
    stream, post = f"c:{category}", new_id()
    owner.change("post.add", category=category, id=post, title="a long build")
    quiet = owner.connect(streams="none")
    opened = quiet.call("sync.open", streams=[{"stream": stream}])
    quiet.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.live"], "the snapshot's end")
    said = {"presence": ("presence.set", dict(stream=stream, state="here")),
            "typing": ("typing.set", dict(category=category, post=post, state="typing")),
            "progress": ("progress.set", dict(category=category, post=post, of=12, done=5, text="compiling"))}
    for kind, (method, params) in said.items():
        expect(quiet.call(method, **params) == {}, f"{method} answers nothing")
        quiet.wait(lambda pushes, kind=kind: [p for p in pushes if p["method"] == "ephemeral" and p["params"]["kind"] == kind
                                              and p["params"]["count"] == 1], kind)
    expect(quiet.call("sync.open", streams=[{"stream": stream}])["streams"][0]["head"] == opened["streams"][0]["head"],
           "what holds for a moment is in no log")
    quiet.close()


def notifications(editor, category):
    stream = f"c:{category}"
    listed = editor.ask("notification.list", limit=50)
    mine = next(entry for entry in listed["lists"] if entry["stream"] == stream)
    expect(mine["unread"]["count"] == 2, f"two posts were added since joining: {mine}")
    seq = max(n["seq"] for n in mine["notifications"]) if mine["notifications"] else 1
    editor.change("notification.read", stream=stream, seq=seq)
    listed = editor.ask("notification.list", limit=50)
    expect(all(e["unread"]["count"] == 0 for e in listed["lists"] if e["stream"] == stream), f"read: {listed}")
    editor.arrive()


def history(owner, category):
    """Who did what, the list as it was, and what differs."""
    before, seq = (owner.change("category.edit", id=category, name=name)["events"][0]["seq"] for name in ("tools", "garden"))
    told = owner.ask("history.get", stream=f"c:{category}", person=owner.user, kinds=["category.edited"], limit=2)
    expect([line["seq"] for line in told["events"]] == [seq, before], f"who did what: {told}")
    expect([person["username"] for person in told["people"]] == ["owner"], f"by whom: {told}")
    then = owner.ask("history.state", category=category, seq=before)["objects"]
    expect([each["name"] for each in then if each["t"] == "category"] == ["tools"], f"as it was: {then}")
    changes = owner.ask("history.diff", category=category, **{"from": before, "to": seq})["changes"]
    names = [(change["before"]["name"], change["after"]["name"]) for change in changes]
    expect(names == [("tools", "garden")], f"what differs: {changes}")
    owner.change("category.edit", id=category, history="joined")
    told = owner.ask("history.get", stream=f"c:{category}", limit=1)["events"]
    expect([op["f"] for op in told[0]["event"]["ops"]] == [{"history": "joined"}], f"what one may read: {told}")


def whole_objects(server, owner):
    """A connection with the feature gets the objects that a change made, and the keys of those that went."""
    client = Client(server.url)
    hello = client.call("hello", token=owner.token, client={"name": "whole objects", "version": "1"}, features=["objects", "another"])
    expect(hello["features"] == ["objects"], f"granted: {hello['features']}")
    category, post = new_id(), new_id()
    owner.change("category.add", id=category, name="whole")
    # Or the snapshot of the new category might hold the changes that follow.
    client.wait(lambda pushes: any(it["method"] == "sync.live" and it["params"]["stream"] == f"c:{category}" for it in pushes), "it")
    owner.change("post.add", category=category, id=post, title="milk")
    head = owner.change("post.remove", category=category, id=post)["events"][0]["seq"]
    last = client.wait(lambda pushes: [it["params"] for it in pushes if it["method"] == "sync.objects"
                                       and it["params"].get("cursor", {}).get("seq") == head
                                       and it["params"]["stream"] == f"c:{category}"], "the removed post")[0]
    expect(last["gone"] == [{"t": "post", "id": post}], f"gone: {last['gone']}")
    expect([it["counters"]["total"] for it in last["objects"]] == [0], f"changed: {last['objects']}")
    client.close()


def leaving(owner, editor, category):
    stream = f"c:{category}"
    editor.change("member.leave", stream=stream)
    invite(owner, editor, "invitation.accept", editor, stream)
    owner.change("member.remove", stream=stream, user=editor.user)
    editor.arrive()
    gone = editor.connect(cursors={stream: {"epoch": "x", "seq": 1, "tx": new_id()}}, streams=[stream])
    gone.close()
    refused(lambda: owner.change("member.leave", stream=stream), "forbidden")


def succession(owner, editor):
    category = new_id()
    stream = f"c:{category}"
    owner.change("category.add", id=category, name="handed over")
    invite(owner, editor, "invitation.accept", editor, stream, role="doer")
    refused(lambda: owner.change("member.leave", stream=stream), "forbidden")
    owner.change("member.leave", stream=stream, successor=editor.user)
    roles = {m["username"]: m.get("role") for m in editor.ask("member.list", stream=stream)["members"]}
    expect(roles == {"owner": None, "editor": "owner"}, f"roles after the owner has left: {roles}")


def drained(programs, folder, frames, signs):
    """A server that keeps nothing that is removed; and a stop tells those who are connected when to come back."""
    server = Server(programs, folder / "data", "--record-frames", str(frames), "--keep-removed", "0").start()
    client = Client(server.url)
    login = client.call("account.login", username="owner", password="a third horse battery", client={"name": "last", "version": "1"})
    say_hello(client, login["token"])
    purged(client)
    makes_room(client, *signs)
    status = server.stop()
    client.wait(lambda pushes: [p for p in pushes if p["method"] == "server.drain"], "server.drain")
    expect(status == 0, f"exit status {status} with somebody connected")


def purged(client):
    """What is removed goes for good when its time is over, and everybody is told."""
    post = {"category": new_id(), "id": new_id()}
    client.call("category.add", id=post["category"], name="short", key=new_id())
    # A snapshot that is read late would hold the purge already, and no event would tell of it.
    stream = f"c:{post['category']}"
    client.wait(lambda pushes: [p for p in pushes if p["params"].get("stream") == stream], f"the snapshot of {stream}")
    client.call("post.add", **post, title="soon nowhere", key=new_id())
    client.call("post.remove", **post, key=new_id())
    client.wait(lambda pushes: "'post.purged'" in str(pushes), "post.purged")
    refused(lambda: client.call("post.restore", **post, key=new_id()), "gone")


if __name__ == "__main__":
    main(every_method)
