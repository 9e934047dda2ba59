"""What one says of posts to oneself, and reminders: a part of methods.py."""
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
    refused(lambda: editor.change("post.watch", category=category, id=new_id(), watch=True), "not_found")
    editor.change("post.snooze", category=category, id=post, until=None)
    mine, theirs = owner.connect(streams="all"), editor.connect(streams="all")
    editor.change("reminder.add", category=category, id=post, at=1_700_000_000_000)
    told(theirs, "reminder.fired")
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


def told(client, kind):
    """Waits for an op of this kind."""
    client.wait(lambda pushes: has(pushes, kind), kind)


def has(pushes, kind):
    """Those in which there is an op of this kind."""
    return [p for p in pushes if p["method"] == "sync.events" for event in p["params"]["events"]
            if kind in [op["t"] for op in event["ops"]]]
