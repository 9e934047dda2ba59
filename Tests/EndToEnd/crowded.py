"""The limits of protocol §13 that take many people, lists or commands to reach, one below, at and one above: crowded.py PROGRAMS

With limits.py: a name that `hello` tells and neither of the two tries must stand in `ELSEWHERE` with the test that does, or
in `UNTRIED`.
"""
import json
import pathlib

from harness import Client, Server, expect, main, new_id, say_hello
from limits import WIDE, Person, answer, around, full
from sense import SCHEMAS

# Under Tests; rates, and what is cut and not refused.
ELSEWHERE = {
    "pageBytes": "StoreTests/ExportTests.swift", "inFlight": "SyncTests/SessionTests.swift",
    "historyPerMinute": "StoreTests/ReaderTests.swift", "historyBurst": "StoreTests/ReaderTests.swift",
    "batchOps": "DomainTests/BatchTests.swift", "ephemerals": "SyncTests/Presence/EphemeralBoardTests.swift",
    "positionCharacters": "DomainTests/PositionTests.swift", "completedInState": "DomainTests/StreamStateTests.swift",
    "notificationsInState": "DomainTests/StreamStateTests.swift", "invitationDays": "DomainTests/ReachTests.swift",
    "invitationsToOnePerDay": "DomainTests/ReachTests.swift", "takeBackDays": "DomainTests/PostTransferTests.swift",
    "remindersInState": "DomainTests/StreamStateTests.swift",
    **dict.fromkeys(["reactionsInState", "reactions", "reactionSigns"], "DomainTests/ReactionTests.swift"),
    **dict.fromkeys(["linesInState", "linesInStateBytes", "mentions", "commentsInState"], "DomainTests/LineTests.swift"),
    "linesPerMinute": "SyncTests/Ledger/LedgerInboxTests.swift",
    "entries": "DomainTests/RaceTests.swift", "contestAmount": "EndToEnd/contesting.py",
    "linkConnections": "ServerTests/LinkAttackTests.swift", "undoPosts": "DomainTests/UndoTests.swift",
    "unreadCount": "ServerTests/NewsTests.swift", "jsonDepth": "WireTests/JSONReaderTests.swift",
    "ephemeralsListed": "SyncTests/Presence/EphemeralBoardTests.swift", "webhookStreams": "StoreTests/WebhookRowTests.swift",
    **dict.fromkeys(["storedBytes", "groupStoredBytes", "listBytes", "bytesPerDay", "ownerBytesPerDay"],
                    "SyncTests/Ledger/StorageTests.swift"),
}
# No test stands at these yet.
UNTRIED = {"exportPagesPerMinute", "exportPagesBurst", "ephemeralsPerSecond", "ephemeralsBurst", "searchMarks", "claimMs", "runLeaseMs"}


def crowded(programs, folder):
    server = Server(programs, folder / "data", "--command-rate", "1000000", "--hello-rate", "100000",
                    "--trusted-proxy", "127.0.0.1", "--registration", "open", "--guests", "5000").start()
    try:
        person = Person(server, "host")
        every_name_is_tried(person)
        tried = texts(person) + questions(person) + notes_and_reminders(person) + travels(person)
        tried += members(server, person) + received(server) + bots(person)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    server.verified()
    return f"{tried} limits; {len(ELSEWHERE)} are tried elsewhere, {len(UNTRIED)} nowhere"


def every_name_is_tried(person):
    here = pathlib.Path(__file__).parent
    text = (here / "limits.py").read_text() + pathlib.Path(__file__).read_text().split("def crowded", 1)[1]
    left = [name for name in person.limits if name not in ELSEWHERE and name not in UNTRIED and f'"{name}"' not in text]
    expect(not left, f"nothing tries the limits {left}")
    gone = [name for name in (*ELSEWHERE, *UNTRIED) if name not in person.limits]
    expect(not gone, f"hello tells no limits {gone}")
    lost = [file for file in ELSEWHERE.values() if not (here.parent / file).exists()]
    expect(not lost, f"there are no tests {lost}")


def texts(person):
    def called(name):
        client = Client(person.server.url)
        client.call("hello", token=person.token, client={"name": name, "version": "1"}, streams="none")
        client.close()

    person.client.call("sync.open", streams=[{"stream": f"c:{person.category}"}])
    limits = person.limits
    around("a client's name", lambda size: called("a" * size), limits["clientScalars"],
           ("too_large", "client.name", limits["clientScalars"]))
    around("a progress", lambda size: person.client.call("progress.set", category=person.category, post=person.post, of=2, done=1,
                                                         text="a" * size),
           limits["progressScalars"], ("too_large", "text", limits["progressScalars"]))
    race = dict(category=person.category, title="a race", contest="race")
    around("the unit of a goal", lambda size: person.change("post.add", **race, id=new_id(), goal={"amount": 1, "unit": WIDE * size}),
           limits["unitScalars"], ("too_large", "goal.unit", limits["unitScalars"]))
    return 3


def bots(person):
    """Bots of a person, tokens and webhooks of a bot, and what one token names."""
    limits, bot = person.limits, new_id()
    person.change("bot.add", id=bot, username="limited-bot")
    requests = json.loads((SCHEMAS / "requests.json").read_text())["$defs"]
    methods = [name for name in requests if not name.startswith(("account.", "session.", "bot.", "token."))]

    def token(**wish):
        made = dict(bot=bot, id=new_id())
        person.change("token.add", **made, name="x", **wish)
        person.change("token.revoke", **made)

    around("lists of a token", lambda size: token(lists=[new_id() for _ in range(size)]), limits["tokenLists"],
           ("too_large", "lists", limits["tokenLists"]))
    around("methods of a token", lambda size: token(methods=methods[:size]), limits["tokenMethods"],
           ("too_large", "methods", limits["tokenMethods"]))
    for days, wanted in [(0, ("invalid", "days")), (1, "result"), (limits["tokenDays"], "result"), (limits["tokenDays"] + 1, ("invalid", "days"))]:
        got = answer(lambda days=days: token(days=days))
        expect(got == wanted, f"a token for {days} days: {got}")
    names = iter(f"bot-{number}" for number in range(1000))
    tried = full(person, "tokens of a bot", "tokens",
                 lambda count: [person.change("token.add", bot=bot, id=new_id(), name="x") for _ in range(count)],
                 lambda: person.change("token.add", bot=bot, id=new_id(), name="x"))
    # The bot is in no list, so nothing is sent.
    webhook = lambda: person.change("webhook.add", bot=bot, id=new_id(), name="x", address="https://example.org/")
    tried += full(person, "webhooks of a bot", "webhooks", lambda count: [webhook() for _ in range(count)], webhook)
    return 3 + tried + full(person, "bots of a person", "bots",
                            lambda count: [person.change("bot.add", id=new_id(), username=next(names)) for _ in range(count - 1)],
                            lambda: person.change("bot.add", id=new_id(), username=next(names)))


def questions(person):
    """Days, events of an undo, streams that are followed."""
    limits, stream = person.limits, f"c:{person.category}"
    days = lambda method, **more: lambda count: person.client.call(
        method, **{"from": "2030-01-01", "to": day(count - 1)}, **more)
    around("days of an agenda", days("agenda.get"), limits["agendaDays"], ("invalid", "to"))
    around("days of statistics", days("stats.get", stream=stream), limits["statsDays"], ("invalid", "to"))
    for count in (limits["statsAddedDays"], limits["statsAddedDays"] + 1):
        told = "added" in days("stats.get", stream=stream)(count)
        expect(told == (count == limits["statsAddedDays"]), f"added, {count} days of statistics: {told}")
    for size, expected in [(limits["undoEvents"], "not_found"), (limits["undoEvents"] + 1, "too_large")]:
        got = answer(lambda size=size: person.change("undo", stream=stream, events=list(range(10, 10 + size))))
        expect(got[0] == expected, f"{size} events of an undo: {got}")
    client = Client(person.server.url)
    say_hello(client, person.token, streams="none")
    follow = lambda count: client.call("sync.open", streams=[{"stream": f"c:{new_id()}"} for _ in range(count)])
    around("streams that are followed", follow, limits["subscriptions"], ("too_large", "streams", limits["subscriptions"]))
    client.close()
    return 4


def day(after):
    import datetime
    return str(datetime.date(2030, 1, 1) + datetime.timedelta(after))


def notes_and_reminders(person):
    """Of all posts together."""
    limits, category = person.limits, person.category
    whole, rest = divmod(limits["personalNotesScalars"], limits["personalNoteScalars"])
    count = max(whole + 1, limits["reminders"] // limits["remindersPerPost"] + 1)
    posts = [new_id() for _ in range(count)]
    person.many("post.add", [dict(category=category, id=post, title="p") for post in posts])
    person.many("post.note", [dict(category=category, id=post, note="n" * limits["personalNoteScalars"]) for post in posts[:whole]])
    got = answer(lambda: person.change("post.note", category=category, id=posts[whole], note="n" * (rest + 1)))
    expect(got == ("quota", "personalNotesScalars", limits["personalNotesScalars"]), f"one scalar more than all notes: {got}")
    person.change("post.note", category=category, id=posts[0], note="n")
    left = limits["personalNotesScalars"] - limits["personalNoteScalars"] * (whole - 1) - 1
    got = answer(lambda: person.change("post.note", category=category, id=posts[whole], note="n" * left))
    expect(got == "result", f"what another note has left: {got}")
    moments = iter((post, minutes) for post in posts for minutes in range(1, limits["remindersPerPost"] + 1))

    def remind():
        post, minutes = next(moments)
        person.change("reminder.add", category=category, id=post, before=minutes)

    return 1 + full(person, "reminders", "reminders", lambda count: [remind() for _ in range(count)], remind)


def travels(person):
    """A post that has been in so many other lists stays where it is."""
    lists = [new_id() for _ in range(person.limits["postLists"] + 2)]
    person.many("category.add", [dict(id=list, name="a stop") for list in lists])
    post, places = new_id(), iter(lists)
    here = [next(places)]
    person.change("post.add", category=here[0], id=post, title="traveller")

    def travel():
        there = next(places)
        person.change("post.move_to", category=here[0], id=post, to=there)
        here[0] = there

    return full(person, "lists of a post", "postLists", lambda count: [travel() for _ in range(count)], travel)


def members(server, person):
    """Of a list and of a group; as many parts of a post, and people whose work it is, as it may have."""
    limits, group, post = person.limits, new_id(), dict(category=person.category, id=new_id())
    person.change("group.add", id=group, name="a group")
    person.change("post.add", **post, title="everybody's", mode="each")
    codes = {stream: person.change("invitation.make_code", id=new_id(), stream=stream, role="doer", uses=limits["codeUses"])["code"]
             for stream in (f"c:{person.category}", f"g:{group}")}
    guests = []
    parts = set()

    def come():
        guest = len(guests)
        client = Client(server.url, address=f"198.18.{guest // 30 // 250}.{guest // 30 % 250}")
        user = new_id()
        begun = client.call("account.guest", id=user, device=new_id())
        say_hello(client, begun["token"], streams="none")
        guests.append(user)
        try:
            if guest <= limits["membersPerGroup"]:
                got = answer(lambda: client.command("invitation.redeem", code=codes[f"g:{group}"]))
                full_group = ("quota", "membersPerGroup", limits["membersPerGroup"])
                expect(got == (full_group if guest >= limits["membersPerGroup"] - 1 else "result"), f"guest {guest} of a group: {got}")
            client.command("invitation.redeem", code=codes[f"c:{person.category}"])
            if guest <= limits["parts"]:
                got = answer(lambda: client.command("post.complete", **post))
                expect(got == ("result" if guest < limits["parts"] else ("quota", "parts", limits["parts"])), f"part {guest}: {got}")
                parts.add(guest)
        finally:
            client.close()

    tried = full(person, "members of a list", "members", lambda count: [come() for _ in range(count - 1)], come)
    expect(len(parts) == limits["parts"] + 1, f"{len(parts)} parts were tried")
    workers = iter(guests)
    tried += full(person, "people whose work it is", "assignees",
                  lambda count: [person.change("post.assign", category=person.category, id=person.post, user=next(workers))
                                 for _ in range(count)],
                  lambda: person.change("post.assign", category=person.category, id=person.post, user=next(workers)))
    return tried + 2


def received(server):
    """Invitations to one person, from as many as it takes."""
    popular = Person(server, "popular")
    most = popular.limits["invitationsReceived"]
    each = min(popular.limits["invitations"], popular.limits["invitationsToOnePerDay"])
    senders = [Person(server, f"sender-{number}") for number in range(most // each + 1)]
    lists = []
    for sender in senders:
        mine = [new_id() for _ in range(each)]
        sender.many("category.add", [dict(id=list, name="come in") for list in mine])
        lists += [(sender, list) for list in mine]
    left = iter(lists)

    def invite():
        sender, list = next(left)
        sender.change("invitation.send", id=new_id(), stream=f"c:{list}", username="popular", role="viewer")

    return full(popular, "invitations to one", "invitationsReceived", lambda count: [invite() for _ in range(count)], invite)


if __name__ == "__main__":
    main(crowded)
