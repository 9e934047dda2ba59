"""What one says of posts to oneself, reminders, and what is told of one's days: a part of methods.py."""
import time

from harness import expect, new_id, refused


def personal(owner, editor, category):
    """What one says of a post to oneself: nobody else hears of it, and it ends with the membership."""
    post = new_id()
    owner.change("post.add", category=category, id=post, title="essay", due={"date": "2031-11-24"})
    editor.arrive()
    plan = {"at": "2031-11-20T14:00", "zone": "Europe/Lisbon", "minutes": 50}
    editor.change("post.plan", category=category, id=post, plan=plan)
    editor.change("reminder.add", category=category, id=post, before=60)
    editor.change("reminder.add", category=category, id=post, at=1_950_000_000_000)
    editor.change("reminder.remove", category=category, id=post, before=60)
    editor.change("post.snooze", category=category, id=post, until=1_940_000_000_000)
    editor.change("post.day", category=category, id=post, day={"date": "2031-11-20", "order": 1})
    editor.change("post.note", category=category, id=post, note="the blue one")
    editor.change("post.watch", category=category, id=post, watch=True)
    expect(not editor.change("post.watch", category=category, id=post, watch=True)["changed"], "watched twice")
    editor.change("settings.edit", reminders=[60, 1440], defaultDue="today", muted=["due_soon"])
    editor.change("settings.edit", reminders=None, defaultDue=None, muted=None)
    digest(owner, editor, category)
    statistics(owner, editor, category)
    refused(lambda: editor.change("post.watch", category=category, id=new_id(), watch=True), "not_found")
    editor.change("post.snooze", category=category, id=post, until=None)
    mine, theirs = owner.connect(streams="all"), editor.connect(streams="all")
    editor.change("reminder.add", category=category, id=post, at=1_700_000_000_000)
    told(theirs, "reminder.fired")
    told(theirs, "reminder.kept")
    asked = editor.ask("notification.list", limit=1)["reminders"]
    expect([line["post"] for line in asked] == [post], f"what was asked for: {asked}")
    editor.change("notification.read", stream=f"u:{editor.user}", seq=asked[0]["seq"])
    expect("reminders" not in editor.ask("notification.list"), "it is read and shown all the same")
    refused(lambda: editor.change("notification.read", stream=f"u:{owner.user}", seq=1), "not_found")
    other = new_id()
    owner.change("category.add", id=other, name="away")
    owner.change("post.note", category=category, id=post, note="goes along")
    owner.change("post.move_to", category=category, id=post, to=other)
    told(mine, "personal.moved")
    told(theirs, "personal.ended")
    mine.close()
    theirs.close()


def digest(owner, editor, category):
    """What happened today, by the clock of a zone in which it is about noon; and when one is told of it by itself."""
    now = time.gmtime()
    east = 12 - now.tm_hour
    zone = f"Etc/GMT{-east:+d}" if east else "UTC"
    day = time.strftime("%Y-%m-%d", now)
    found = editor.ask("digest.get", day=day, zone=zone)
    expect(found["day"] == day and found["zone"] == zone, f"of which day: {found}")
    here = [line for line in found["lists"] if line["stream"] == f"c:{category}"]
    others = [person["username"] for line in here for person in line["people"]]
    expect("owner" in others and "editor" not in others, f"who did something: {found}")
    expect(editor.ask("digest.get", day="1999-12-31")["lists"] == [], "long before")
    refused(lambda: editor.ask("digest.get", day=day, zone="No/Zone"), "invalid")
    # A time that has passed, instead of one that had not come: what nobody was told of yet is told at once.
    editor.change("profile.edit", zone=zone)
    theirs, deadline = editor.connect(streams="all"), time.monotonic() + 20
    while not has(theirs.pushes, "digest.ready"):
        expect(time.monotonic() < deadline, "nobody is told of the day")
        for moment in ("23:59", "12:00"):
            editor.change("settings.edit", digest=moment)
            editor.ask("notification.list", limit=1)
        theirs.call("ping")
    theirs.close()
    editor.change("settings.edit", digest=None)
    editor.change("profile.edit", zone="UTC")


def statistics(owner, editor, category):
    """Who has completed how much, of a list and of what has nothing yet; of days that there cannot be none."""
    days = {"from": time.strftime("%Y-%m-%d", time.gmtime(time.time() - 86400)),
            "to": time.strftime("%Y-%m-%d", time.gmtime(time.time() + 86400))}
    stream, before = f"c:{category}", editor.ask("stats.get", stream=f"c:{category}", zone="UTC", **days)
    essay, poem = new_id(), new_id()
    for post, due in [(essay, {"date": "2031-11-24"}), (poem, {"date": "2001-11-24"})]:
        owner.change("post.add", category=category, id=post, title="for the table", due=due)
        editor.change("post.complete", category=category, id=post)
    found = editor.ask("stats.get", stream=stream, zone="UTC", **days)
    expect(found["completed"] == before["completed"] + 2 and found["added"] == before["added"] + 2, f"how much: {found}")
    expect(found["onTime"] == before.get("onTime", 0) + 1 and found["late"] == before.get("late", 0) + 1, f"in time: {found}")
    expect(found["lateMedianMs"] != 0, f"how late: {found}")
    expect("editor" in [person["username"] for person in found["people"] if person.get("streak")], f"who: {found}")
    owner.change("post.reopen", category=category, id=poem)
    found = owner.ask("stats.get", stream=stream, zone="UTC", **days)
    expect(found["completed"] == before["completed"] + 1, f"taken back: {found}")
    empty = owner.ask("stats.get", stream=stream, **{"from": "1999-12-01", "to": "1999-12-31"})
    expect(empty["people"] == [] and empty["days"] == [] and "late" not in empty, f"long before: {empty}")
    refused(lambda: owner.ask("stats.get", stream=stream, zone="No/Zone", **days), "invalid")
    refused(lambda: owner.ask("stats.get", stream=stream, **{"from": "2026-11-22", "to": "2026-11-21"}), "invalid")
    refused(lambda: owner.ask("stats.get", stream=f"c:{new_id()}", **days), "not_found")
    owner.change("post.remove", category=category, id=poem)
    editor.arrive()


def told(client, kind):
    """Waits for an op of this kind."""
    client.wait(lambda pushes: has(pushes, kind), kind)


def has(pushes, kind):
    """Those in which there is an op of this kind."""
    return [p for p in pushes if p["method"] == "sync.events" for event in p["params"]["events"]
            if kind in [op["t"] for op in event["ops"]]]
