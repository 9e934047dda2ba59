"""Posts that come again, and those that are for each: a part of methods.py."""
import datetime

from harness import Client, Server, expect, new_id, refused, say_hello


def again_and_again(owner, editor, category):
    post, weekly = new_id(), {"rule": "FREQ=WEEKLY;COUNT=4"}
    owner.change("post.add", category=category, id=post, title="plants", due={"date": "2026-01-05"}, recurrence=weekly)
    refused(lambda: owner.change("post.complete", category=category, id=post), "invalid")
    owner.change("post.skip", category=category, id=post, occurrence=1)
    editor.arrive()
    refused(lambda: editor.change("post.skip", category=category, id=post, occurrence=1), "conflict")
    owner.change("post.remove", category=category, id=post, occurrence=2)
    # What was missed is left out, and counts: no more times.
    owner.change("post.complete", category=category, id=post, occurrence=3)
    shown = owner.ask("post.list", category=category, show="done", limit=1)["posts"][0]
    expect((shown["id"], shown["recurrence"]["occurrence"]["number"]) == (post, 3), f"the last time: {shown}")
    owner.change("post.edit", category=category, id=post, recurrence=None)


def taken_back(owner, editor, category):
    post = new_id()
    owner.change("post.add", category=category, id=post, title="bins", due={"date": "2099-01-05"}, recurrence={"rule": "FREQ=WEEKLY"})
    done = owner.change("post.complete", category=category, id=post, occurrence=1)
    event = done["events"][0]["seq"]
    editor.arrive()
    reacted(editor, owner, category, event)
    editor.change("post.take_back", category=category, id=post, event=event)
    # Whoever means the same one has it, and one that comes after another is over stays.
    expect(not owner.change("post.take_back", category=category, id=post, event=event)["changed"], "it is open already")
    shown = owner.ask("post.list", category=category, show="open", limit=1)["posts"][0]
    expect((shown["due"], shown["recurrence"]["occurrence"]["number"]) == ({"date": "2099-01-05"}, 1), f"open again: {shown}")
    done = owner.change("post.complete", category=category, id=post, occurrence=1)
    owner.change("post.skip", category=category, id=post, occurrence=3)
    refused(lambda: editor.change("post.take_back", category=category, id=post, event=done["events"][0]["seq"]), "conflict")
    refused(lambda: editor.change("post.take_back", category=category, id=post, event=1), "not_found")
    owner.change("post.remove", category=category, id=post)


def reacted(person, doer, category, event):
    """Signs for the event that completed something. Nothing that is counted counts them, but the doer's unread news."""
    before = counted(person, category), counted(doer, category)
    for sign, changes in [("👏", True), ("👏", False), ("🎉", True), (None, True), (None, False), ("👏", True)]:
        given = person.change("event.react", category=category, event=event, **({} if sign is None else {"sign": sign}))
        expect(given["changed"] == changes, f"{sign}: {given}")
    after = counted(person, category), counted(doer, category)
    expect(after == before, f"signs are counted: {before}, {after}")
    refused(lambda: person.change("event.react", category=category, event=event, sign="👏🎉"), "invalid")
    refused(lambda: person.change("event.react", category=category, event=1, sign="👏"), "invalid")
    refused(lambda: person.change("event.react", category=category, event=1_000_000, sign="👏"), "not_found")


def signed(programs, folder):
    """Its frames are not recorded: they are many, and all alike."""
    server = Server(programs, folder / "data", "--command-rate", "10000").start()
    client = Client(server.url)
    login = client.call("account.login", username="owner", password="a third horse battery", client={"name": "signs", "version": "1"})
    say_hello(client, login["token"], streams="none")
    category, events = full_of_signs(client)
    client.close()
    expect(server.stop() == 0, "the end of the server")
    return category, events


def full_of_signs(client):
    """A list with reactions to 200 events: its id, and these events behind an older one and in front of a newer one."""
    def change(method, **params):
        return client.call(method, **params, key=new_id())

    category, post = new_id(), new_id()
    change("category.add", id=category, name="signs")
    change("post.add", category=category, id=post, title="dishes")
    again = [{"method": f"post.{word}", "params": {"category": category, "id": post}} for word in ("complete", "reopen")]
    events = [change("batch", commands=again)["events"][0]["seq"] for _ in range(202)]
    for event in events[1:201]:
        change("event.react", category=category, event=event, sign="👏")
    return category, events


def makes_room(client, category, events):
    """One more reaction ends those to an own older event, and an older one gets none (protocol §5.19)."""
    react = {"category": category, "sign": "👏"}
    given = client.call("event.react", **react, event=events[201], key=new_id())
    ended = client.call("history.get", stream=f"c:{category}", kinds=["event.reactions_ended"])["events"]
    expect([(it["seq"], it["event"]["ops"][0]["f"]["event"]) for it in ended] == [(given["events"][0]["seq"], events[1])],
           f"room is made by {ended}")
    refused(lambda: client.call("event.react", **react, event=events[0], key=new_id()), "invalid")


def counted(person, category):
    """The statistics, digests and counters of the days around now, so that a midnight in between changes nothing."""
    now = datetime.datetime.now(datetime.timezone.utc).date()
    days = [f"{now + datetime.timedelta(days)}" for days in (-1, 0, 1)]
    stats = person.ask("stats.get", stream=f"c:{category}", **{"from": days[0], "to": days[2]})
    news = person.ask("notification.list", limit=1)
    badges = [{name: badge[name] for name in ("stream", "counters", "mine")} for badge in person.ask("category.list", show="mine")["badges"]]
    return stats, [person.ask("digest.get", day=day) for day in days], news["today"], badges


def confirmed(owner, editor, category):
    post, daily = new_id(), {"rule": "FREQ=DAILY", "missed": "kept", "confirm": "admin"}
    owner.change("post.add", category=category, id=post, title="dishes", due={"date": "2099-01-05"}, recurrence=daily)
    for person, method, more in [(editor, "post.complete", {"occurrence": 1}), (owner, "post.reopen", {}),
                                 (editor, "post.complete", {"occurrence": 1}), (owner, "post.complete", {"occurrence": 1})]:
        person.change(method, category=category, id=post, **more)
    shown = owner.ask("post.list", category=category, show="open", limit=1)["posts"][0]
    expect(shown["recurrence"]["occurrence"]["last"]["by"] == editor.user, f"who did it: {shown}")
    owner.change("post.remove", category=category, id=post)


def for_each(owner, editor, category):
    post = new_id()
    owner.change("post.add", category=category, id=post, title="read this", mode="each")
    for person in (owner, editor):
        owner.change("post.assign", category=category, id=post, user=person.user)
    for person, method in [(editor, "post.complete"), (editor, "post.reopen"), (editor, "post.complete"), (owner, "post.complete")]:
        person.change(method, category=category, id=post)
    shown = owner.ask("post.list", category=category, show="done", limit=1)["posts"][0]
    expect({part["user"] for part in shown["parts"]} == {owner.user, editor.user}, f"everybody: {shown}")
    editor.change("post.reopen", category=category, id=post)
    owner.change("post.complete", category=category, id=post, forAll=True)
    shown = owner.ask("post.list", category=category, show="done", limit=1)["posts"][0]
    expect([part["user"] for part in shown["parts"]] == [owner.user], f"for all, and whose part is done: {shown}")
    owner.change("post.edit", category=category, id=post, mode=None, restart=True)
    owner.change("post.remove", category=category, id=post)
    for_each_editor(owner, editor, category)


def for_each_editor(owner, editor, category):
    """The owner has no part in it, so the only editor completes it."""
    post = new_id()
    owner.change("post.add", category=category, id=post, title="an essay", mode="each", modeRole="editor")
    editor.change("post.complete", category=category, id=post)
    shown = owner.ask("post.list", category=category, show="done", limit=1)["posts"][0]
    expect([part["user"] for part in shown["parts"]] == [editor.user] and shown["completed"]["by"] == editor.user, f"the editors: {shown}")
    owner.change("post.reopen", category=category, id=post)
    owner.change("post.edit", category=category, id=post, mode=None, restart=True)
    shown = [it for it in owner.ask("post.list", category=category, show="open", limit=50)["posts"] if it["id"] == post]
    expect(len(shown) == 1 and "modeRole" not in shown[0], f"the role goes with the mode: {shown}")
    owner.change("post.remove", category=category, id=post)
