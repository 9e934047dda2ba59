"""Every limit of protocol §13 that a request can reach: one below, at, and one above it: limits.py PROGRAMS

What is above is refused with the exact kind, field and maximum, and nothing has changed; what is below and at the limit is
answered with a result. The limits are those that `hello` tells.
"""
import select
import time

from harness import Client, Refused, Server, expect, main, new_id, register, say_hello, sign_in
from talking import rate_of_lines

WIDE = "\U0001f9c0"  # a scalar of four bytes, two UTF-16 units: what is counted is scalars


def every_limit(programs, folder):
    server = Server(programs, folder / "data", "--command-rate", "1000000", "--hello-rate", "100000",
                    "--trusted-proxy", "127.0.0.1", "--registration", "open").start()
    try:
        person = Person(server, "owner")
        tried = sum(part(person) for part in (texts, ranges, counts, of_posts, many_posts, codes_and_links, own_things))
        expect((person.limits["commandsPerSecond"], person.limits["commandsBurst"], person.limits["hellosPerMinute"])
               == (1_000_000, 5_000_000, 100_000), "hello tells the rates that the operator has set")
        tried += registering(server) + lists_and_groups(server) + sessions(server) + messages(server, person)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    server.verified()
    tried += rates(programs, folder / "usual", (20, 100), (50, 200))
    tried += rates(programs, folder / "set", (2, 10), (3, 12), "--command-rate", "2", "--bot-rate", "3")
    tried += order(programs, folder / "order") + rate_of_lines(programs, folder / "lines")
    return f"{tried} limits"


def rates(programs, data, person, bot, *options):
    """A person and a bot are told each their own rate and have it: at once as many commands as the burst, and what has come back
    meanwhile; more is refused. Nobody has less for what the other has sent."""
    server = Server(programs, data, *options).start()
    try:
        for name, kind, (rate, burst) in [("rita", "person", person), ("robot", "bot", bot), ("bob", "person", person)]:
            first, _, token = sign_in(server.url, name, kind=kind, streams="none")
            client = Client(server.url)
            limits = say_hello(client, token, streams="none")["limits"]
            told = limits["commandsPerSecond"], limits["commandsBurst"]
            expect(told == (rate, burst), f"a {kind} is told {told}")
            left = burst - 1 if kind == "person" else burst  # hello itself was one of a person's
            for count in (left - 1, 1):
                granted, _ = sent(client, count)
                expect(granted == count, f"{granted} of {count} taken from a {kind}")
            granted, waits = sent(client, 2 * burst)
            expect(granted < burst and len(waits) == 2 * burst - granted, f"{granted} of {2 * burst} above the rate of a {kind}")
            expect(all(0 < wait <= 1_000 for wait in waits), f"waits of a {kind}: {waits}")
            client.close()
            first.close()
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    return 2


def order(programs, data):
    """A client that does not wait for answers sends 700 commands at once. None behind the first refused one is taken,
    so those that come again in their order take effect in the order in which they were sent first."""
    server = Server(programs, data, "--command-rate", "100").start()
    try:
        client, _, _ = sign_in(server.url, "hasty", streams="none")
        client.command("category.add", id=(category := new_id()), name="a list")
        left = [{"category": category, "id": new_id(), "title": f"{n}", "key": new_id()} for n in range(700)]
        numbers, rounds = [], 0
        while left:
            expect(rounds < 100, f"{len(left)} commands are refused again and again")
            taken, wait = taken_first(client, left)
            numbers, left, rounds = numbers + taken, left[len(taken):], rounds + 1
            select.select([], [], [], wait)
        expect(rounds > 1, "nothing was refused")
        expect(numbers == list(range(1, 701)), "the posts stand in another order than they were sent")
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    return 1


def taken_first(client, posts):
    """The numbers of the posts, up to the first that is refused, and the seconds to wait. All behind it must be refused."""
    sent = [client.send("post.add", **post) for post in posts]
    numbers, wait = [], None
    for request in sent:
        try:
            number = client.answer(request)["number"]
            expect(wait is None, f"the post {number} was taken behind one that was refused")
            numbers.append(number)
        except Refused as refusal:
            expect(refusal.kind == "rate_limited", f"refused as {refusal}")
            wait = wait or refusal.error["data"]["afterMs"] / 1_000
    return numbers, wait or 0


def sent(client, count):
    """Commands one behind the other, and then their answers: how many were taken, and how long the others shall wait."""
    numbers = [client.send("category.add", id=new_id(), name="a list", key=new_id()) for _ in range(count)]
    granted, waits = 0, []
    for number in numbers:
        try:
            client.answer(number)
            granted += 1
        except Refused as refusal:
            expect(refusal.kind == "rate_limited", f"refused as {refusal}")
            waits.append(refusal.error["data"]["afterMs"])
    return granted, waits


class Person:
    def __init__(self, server, name):
        self.server, self.name = server, name
        self.client, self.user, self.token = sign_in(server.url, name, streams="none")
        self.limits = self.client.hello["limits"]
        self.category, self.post = new_id(), new_id()
        self.change("category.add", id=self.category, name="a list")
        self.change("post.add", category=self.category, id=self.post, title="a post")

    def change(self, method, **params):
        return self.client.command(method, **params)

    def head(self):
        """Of the list: what is refused leaves no event."""
        return self.client.call("sync.open", streams=[{"stream": f"c:{self.category}"}])["streams"][0]["head"]

    def many(self, method, all_params):
        """As batches of a hundred."""
        commands = [{"method": method, "params": params} for params in all_params]
        for start in range(0, len(commands), 100):
            self.change("batch", commands=commands[start:start + 100])


def answer(call):
    """`result`, or the error's kind with what it says of the limit."""
    try:
        call()
    except Refused as refusal:
        data = refusal.error["data"]
        return tuple(data[name] for name in ("kind", "field", "limit", "max") if name in data)
    return "result"


def around(name, call, limit, above):
    """`call(n)` with n one below, at and one above."""
    for size in (limit - 1, limit):
        got = answer(lambda size=size: call(size))
        expect(got == "result", f"{name} of {size}: {got}")
    got = answer(lambda: call(limit + 1))
    expect(got == above, f"{name} of {limit + 1}: {got}, not {above}")
    return 1


def texts(person):
    """Counted in scalars after NFC (§3.4)."""
    limits, category, post = person.limits, person.category, dict(category=person.category, id=person.post)
    mine = [
        ("titleScalars", "title", lambda text: person.change("post.add", category=category, id=new_id(), title=text)),
        ("titleScalars", "title", lambda text: person.change("post.edit", **post, title=text)),
        ("notesScalars", "notes", lambda text: person.change("post.edit", **post, notes=text)),
        ("locationScalars", "location.text", lambda text: person.change("post.edit", **post, location={"text": text})),
        ("nameScalars", "name", lambda text: person.change("category.edit", id=category, name=text)),
        ("nameScalars", "name", lambda text: person.change("category.add", id=new_id(), name=text)),
        ("nameScalars", "name", lambda text: person.change("group.add", id=new_id(), name=text)),
        ("nameScalars", "name", lambda text: person.change("profile.edit", name=text)),
        ("locationScalars", "location", lambda text: person.change("profile.edit", location=text)),
        ("stepScalars", "content", lambda text: person.change("step.add", **post, step=new_id(), content=text)),
        ("tagScalars", "name", lambda text: person.change("tag.add", category=category, id=new_id(), name=text)),
        ("filterScalars", "name", lambda text: person.change("filter.save", id=new_id(), name=text, sort="due")),
        ("personalNoteScalars", "note", lambda text: person.change("post.note", **post, note=text)),
        ("searchScalars", "text", lambda text: person.client.call("search", text=text)),
        ("sourceNameScalars", "source.name", lambda text: imported(person, name=text)),
        ("sourceIdScalars", "source.id", lambda text: imported(person, id=text)),
        ("runPhaseScalars", "phase", lambda text: ran(person, phase=text)),
        ("runTextScalars", "text", lambda text: ran(person, text)),
        ("lineScalars", "text", lambda text: person.change("line.say", stream=f"c:{category}", text=text)),
        ("sourceUrlScalars", "source.url", lambda text: imported(person, url="https://" + text[8:])),
    ]
    for name, field, call in mine:
        letter = "a" if name in ("searchScalars", "sourceUrlScalars") else WIDE
        around(f"{name} {field}", lambda size, call=call, letter=letter: call(letter * size), limits[name],
               ("too_large", field, limits[name]))
    before = person.head()
    for call in (call for _, _, call in mine[:2]):
        for empty in ("", " \t "):
            expect(answer(lambda call=call, empty=empty: call(empty)) == ("invalid", "title"), "an empty title")
    expect(person.head() == before, "what was refused has left an event")
    return len(mine)


def ran(person, text="done", **start):
    """A run of the post, which ends."""
    run = dict(category=person.category, id=person.post, run=new_id())
    begun = person.change("run.start", **run, **start)
    person.change("run.end", **run, outcome="ok", text=text)
    return begun


def imported(person, **source):
    person.change("import.upsert", category=person.category, id=new_id(), title="from elsewhere",
                  source={"name": "forge", "id": "1", **source})


def ranges(person):
    """Numbers from one value to another: both ends, and one beyond each."""
    limits, post = person.limits, dict(category=person.category, id=person.post)
    stream, day = f"c:{person.category}", "2030-01-01"
    numbers = [
        ("leaseMs", limits["claimMsMin"], limits["claimMsMax"], lambda n: person.change("post.claim", **post, leaseMs=n)),
        ("leaseMs", limits["runLeaseMsMin"], limits["runLeaseMsMax"], lambda n: ran(person, leaseMs=n)),
        ("plan.minutes", 1, limits["planMinutes"], lambda n: person.change("post.plan", **post, plan={"minutes": n})),
        ("before", 0, limits["reminderMinutes"], lambda n: forgotten(person, post, n)),
        ("dueSoonHours", 1, limits["dueSoonHours"], lambda n: person.change("settings.edit", dueSoonHours=n)),
        ("uses", 1, limits["codeUses"], lambda n: taken_back(person, stream, uses=n)),
        ("days", 1, limits["codeDays"], lambda n: taken_back(person, stream, days=n)),
        ("days", 1, limits["linkDays"], lambda n: link_taken_back(person, days=n)),
        ("days", -36_600, 36_600, lambda n: person.change("post.copy", **post, copy=new_id(), to=person.category, days=n)),
        ("limit", 1, limits["listPage"], lambda n: person.client.call("post.list", category=person.category, show="open", limit=n)),
        ("limit", 1, limits["viewPage"], lambda n: person.client.call("post.query", limit=n)),
        ("limit", 1, limits["searchPage"], lambda n: person.client.call("search", text="a", limit=n)),
        ("limit", 1, limits["notificationsPage"], lambda n: person.client.call("notification.list", limit=n)),
        ("limit", 1, 200, lambda n: person.client.call("history.get", stream=stream, limit=n)),
        ("location.lat", -90_000_000, 90_000_000, lambda n: person.change("post.edit", **post, location={"lat": n, "lon": 0})),
        ("location.lon", -180_000_000, 180_000_000, lambda n: person.change("post.edit", **post, location={"lat": 0, "lon": n})),
        ("of", 1, 1_000_000, lambda n: person.client.call("progress.set", category=person.category, post=person.post, of=n, done=1)),
        ("days.until", -3_660, 3_660, lambda n: filtered(person, n)),
    ]
    person.client.call("sync.open", streams=[{"stream": stream}])
    for field, least, most, call in numbers:
        for number in (least, most):
            got = answer(lambda number=number, call=call: call(number))
            expect(got == "result", f"{field} {number}: {got}")
        for number in (least - 1, most + 1):
            got = answer(lambda number=number, call=call: call(number))
            expect(got == ("invalid", field), f"{field} {number}: {got}")
    too_long = answer(lambda: person.client.call("agenda.get", **{"from": day, "to": "2030-03-04"}))
    expect(too_long == ("invalid", "to"), f"63 days: {too_long}")
    expect(answer(lambda: person.client.call("agenda.get", **{"from": day, "to": "2030-03-03"})) == "result", "62 days")
    for year, expected in [("1971", "result"), ("1970", ("invalid", "due.date")), ("9997", "result"), ("9998", ("invalid", "due.date"))]:
        got = answer(lambda year=year: person.change("post.edit", **post, due={"date": f"{year}-06-01"}))
        expect(got == expected, f"the year {year}: {got}")
    return len(numbers) + 2


def forgotten(person, post, minutes):
    person.change("reminder.add", **post, before=minutes)
    person.change("reminder.remove", **post, before=minutes)


def taken_back(person, stream, **made):
    code = new_id()
    person.change("invitation.make_code", id=code, stream=stream, role="viewer", **made)
    person.change("invitation.revoke", id=code, stream=stream)


def link_taken_back(person, **made):
    link = new_id()
    person.change("link.make", category=person.category, id=link, **made)
    person.change("link.revoke", category=person.category, id=link)


def filtered(person, until):
    view = new_id()
    person.change("filter.save", id=view, name="by days", days={"until": until})
    person.change("filter.remove", id=view)


def counts(person):
    """How many of something one request may have."""
    limits = person.limits
    add = lambda: {"method": "post.edit", "params": dict(category=person.category, id=person.post, title="again")}
    around("commands of a batch", lambda size: person.change("batch", commands=[add() for _ in range(size)]),
           limits["batchCommands"], ("too_large", "commands", limits["batchCommands"]))
    stream = f"c:{person.category}"
    around("streams of a view", lambda size: person.client.call("post.query", streams=[stream] * size),
           limits["searchStreams"], ("too_large", "streams", limits["searchStreams"]))
    around("reminders for all", lambda size: person.change("settings.edit", reminders=list(range(60, 60 + size))),
           limits["defaultReminders"], ("too_large", "reminders", limits["defaultReminders"]))
    for empty, field in [(lambda: person.change("batch", commands=[]), "commands"),
                         (lambda: person.client.call("post.query", streams=[]), "streams")]:
        expect(answer(empty)[0] == "invalid", f"no {field}")
    return 3


def full(person, name, limit, fill, one_more, kind=None):
    """`fill` makes all but one; the last one is taken, and one more is not."""
    fill(person.limits[limit] - 1)
    last = answer(one_more)
    expect(last == "result", f"{name}: the last one of {person.limits[limit]}: {last}")
    got, wanted = answer(one_more), kind or ("quota", limit, person.limits[limit])
    expect(got == wanted, f"{name}: one more than {person.limits[limit]}: {got}, not {wanted}")
    return 1


def of_posts(person):
    category = new_id()
    person.change("category.add", id=category, name="full posts")

    def fresh():
        post = dict(category=category, id=new_id())
        person.change("post.add", **post, title="full")
        return post

    post = fresh()
    tried = full(person, "steps", "steps",
                 lambda count: person.many("step.add", [dict(post, step=new_id(), content="s") for _ in range(count)]),
                 lambda: person.change("step.add", **post, step=new_id(), content="s"))
    long, most = fresh(), person.limits["stepScalars"]
    whole, rest = divmod(person.limits["stepsScalars"], most)
    person.many("step.add", [dict(long, step=new_id(), content="s" * most) for _ in range(whole)])
    expect(answer(lambda: person.change("step.add", **long, step=new_id(), content="s" * (rest + 1)))
           == ("quota", "stepsScalars", person.limits["stepsScalars"]), "one scalar more than all steps may have")
    person.change("step.add", **long, step=new_id(), content="s" * rest)
    tags = [new_id() for _ in range(person.limits["tags"])]
    tried += full(person, "tags", "tags",
                  lambda count: person.many("tag.add", [dict(category=category, id=tag, name=tag) for tag in tags[:count]]),
                  lambda: person.change("tag.add", category=category, id=new_id(), name=new_id()))
    tagged, left = fresh(), iter(tags)
    tried += full(person, "tags of a post", "postTags",
                  lambda count: person.many("post.tag", [dict(tagged, tag=next(left)) for _ in range(count)]),
                  lambda: person.change("post.tag", **tagged, tag=next(left)))
    reminded = fresh()
    tried += full(person, "reminders of a post", "remindersPerPost",
                  lambda count: [person.change("reminder.add", **reminded, before=minutes) for minutes in range(1, count + 1)],
                  lambda minutes=iter(range(1000, 2000)): person.change("reminder.add", **reminded, before=next(minutes)))
    return tried + 1


def many_posts(person):
    """The 10 001st open post; one that is completed makes room, and cannot be reopened then."""
    category, first = new_id(), new_id()
    person.change("category.add", id=category, name="ten thousand")
    person.change("post.add", category=category, id=first, title="first")
    tried = full(person, "open posts", "postsOpen",
                 lambda count: person.many("post.add", [dict(category=category, id=new_id(), title="p") for _ in range(count - 1)]),
                 lambda: person.change("post.add", category=category, id=new_id(), title="p"))
    person.change("post.complete", category=category, id=first)
    person.change("post.add", category=category, id=new_id(), title="in its place")
    got = answer(lambda: person.change("post.reopen", category=category, id=first))
    expect(got == ("quota", "postsOpen", person.limits["postsOpen"]), f"reopened into a full list: {got}")
    badge = person.client.call("history.state", category=category, seq=1)
    expect(badge["objects"][0]["counters"]["open"] == 0, f"the list as it began: {badge['objects'][0]}")
    return tried + 1


def codes_and_links(person):
    category = new_id()
    person.change("category.add", id=category, name="open doors")
    tried = full(person, "codes", "codes",
                 lambda count: [person.change("invitation.make_code", id=new_id(), stream=f"c:{category}", role="viewer")
                                for _ in range(count)],
                 lambda: person.change("invitation.make_code", id=new_id(), stream=f"c:{category}", role="viewer"))
    tried += full(person, "links", "links",
                  lambda count: [person.change("link.make", category=category, id=new_id()) for _ in range(count)],
                  lambda: person.change("link.make", category=category, id=new_id()))
    return tried


def own_things(person):
    """Of one person: filters, posts of which something is said."""
    names = iter(f"view {number}" for number in range(1000))
    kept = len([o for o in objects(person, f"u:{person.user}") if o["t"] == "filter"])
    tried = full(person, "filters", "filters",
                 lambda count: [person.change("filter.save", id=new_id(), name=next(names), sort="due") for _ in range(count - kept)],
                 lambda: person.change("filter.save", id=new_id(), name=next(names), sort="due"))
    category, said = new_id(), len([o for o in objects(person, f"u:{person.user}") if o["t"] == "personal"])
    posts = [new_id() for _ in range(person.limits["personalPosts"] + 1)]
    person.change("category.add", id=category, name="much to say")
    person.many("post.add", [dict(category=category, id=post, title="p") for post in posts])
    left = iter(posts)
    tried += full(person, "posts of which one says something", "personalPosts",
                  lambda count: person.many("post.watch", [dict(category=category, id=next(left), watch=True) for _ in range(count - said)]),
                  lambda: person.change("post.watch", category=category, id=next(left), watch=True))
    return tried


def objects(person, stream):
    """Of a snapshot."""
    client = Client(person.server.url)
    client.call("hello", token=person.token, client={"name": "limits", "version": "1"}, streams=[stream])
    pushes = client.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.live"] and pushes, "a snapshot")
    client.close()
    return [o for p in pushes if p["method"] == "sync.snapshot" for o in p["params"]["objects"]]


def registering(server):
    client = Client(server.url)

    def as_user(name, password="correct horse battery"):
        client.call("account.register", id=new_id(), username=name, password=password)

    for name, expected in [("ab", ("invalid", "username")), ("abc", "result"), ("a" * 32, "result"), ("a" * 33, ("invalid", "username")),
                           ("Abcd", ("invalid", "username")), ("-abc", ("invalid", "username"))]:
        got = answer(lambda name=name: as_user(name))
        expect(got == expected, f"username {name!r}: {got}")
    for size, expected in [(7, "invalid"), (8, "r"), (256, "r"), (257, "too_large")]:
        got = answer(lambda size=size: as_user(f"user-{size}", "p" * size))
        expect(got[0] == expected, f"password of {size}: {got}")
    client.close()
    return 2


def lists_and_groups(server):
    """Of somebody new: lists, groups, people who are blocked or muted, invitations on their way."""
    person, group, users = Person(server, "collector"), new_id(), []
    names = [f"blocked-{number}" for number in range(person.limits["blocks"] + 1)]
    for start in range(0, len(names), 100):  # so many may register from one address
        registrar = Client(server.url, address=f"203.0.113.{start // 100}")
        users += [register(registrar, name)[0] for name in names[start:start + 100]]
        registrar.close()
    person.change("group.add", id=group, name="of many lists")
    tried = full(person, "groups", "groups",
                 lambda count: person.many("group.add", [dict(id=new_id(), name="g") for _ in range(count - 1)]),
                 lambda: person.change("group.add", id=new_id(), name="g"))
    tried += full(person, "lists of a group", "categoriesPerGroup",
                  lambda count: person.many("category.add", [dict(id=new_id(), name="c", group=group) for _ in range(count)]),
                  lambda: person.change("category.add", id=new_id(), name="c", group=group))
    kept = person.limits["categoriesPerGroup"] + 1
    tried += full(person, "lists", "categories",
                  lambda count: person.many("category.add", [dict(id=new_id(), name="c") for _ in range(count - kept)]),
                  lambda: person.change("category.add", id=new_id(), name="c"))
    invited = iter(names)
    tried += full(person, "invitations", "invitations",
                  lambda count: [invite(person, next(invited)) for _ in range(count)], lambda: invite(person, next(invited)))
    blocked = iter(names)
    tried += full(person, "people who are blocked", "blocks",
                  lambda count: [person.change("person.block", username=next(blocked)) for _ in range(count)],
                  lambda: person.change("person.block", username=next(blocked)))
    muted = ({"level": {"about": f"u:{user}", "level": "none"}} for user in users)
    return tried + full(person, "levels", "levels",
                        lambda count: person.many("settings.edit", [next(muted) for _ in range(count)]),
                        lambda: person.change("settings.edit", **next(muted)))


def invite(person, name):
    person.change("invitation.send", id=new_id(), stream=f"c:{person.category}", username=name, role="viewer")


def sessions(server):
    """With as many connected as there may be nobody else comes in; of idle ones the oldest goes."""
    person = Person(server, "many-devices")
    most, opened = person.limits["sessions"], [person.client]
    while len(opened) < most:
        opened.append(sign_in(server.url, "many-devices", register_first=False, streams="none")[0])
    try:
        sign_in(server.url, "many-devices", register_first=False, streams="none")
        expect(False, f"one more than {most} connected sessions")
    except Refused as refusal:
        data = refusal.error["data"]
        expect((data["kind"], data["limit"], data["max"]) == ("quota", "sessions", most), f"one more session: {refusal}")
    listed = opened[-1].call("session.list")["sessions"]
    expect(len(listed) == most, f"{most} connected sessions: {len(listed)}")
    gone = next(session["id"] for session in opened[1].call("session.list")["sessions"] if session["current"])
    opened[1].close()
    opened[1] = until_let_in(server, "many-devices")
    listed = [session["id"] for session in opened[-1].call("session.list")["sessions"]]
    expect(len(listed) == most and gone not in listed, f"one more than {most} sessions: {len(listed)}")
    for client in opened:
        client.call("ping")
        client.close()
    return 1


def until_let_in(server, name):
    """The server hears of a closed connection a moment later."""
    end = time.monotonic() + 10
    while True:
        try:
            return sign_in(server.url, name, register_first=False, streams="none")[0]
        except Refused as refusal:
            expect(refusal.kind in ("quota", "rate_limited") and time.monotonic() < end, f"after one has left: {refusal}")
            time.sleep(0.05)


def messages(server, person):
    """A whole message: 256 KiB are read, one byte more closes with 1009; keys and ids of 64."""
    around("a key", lambda size: person.change("post.add", category=person.category, id=new_id(), title="key", key=unique(size)),
           64, ("invalid", "key"))
    size = person.limits["messageBytes"]
    client = Client(server.url)
    for length in (size - 1, size):
        ping = '{"jsonrpc":"2.0","id":%d,"method":"ping"' % length
        client.socket.send(ping + " " * (length - len(ping) - 1) + "}")
        expect(client.answer(length)["time"] > 0, f"a message of {length} bytes")
    client.socket.send(" " * (size + 1))
    try:
        client.receive(20)
    except Exception as closed:  # noqa: BLE001 - the library's own, told by its code
        expect(getattr(closed, "rcvd", None) is not None and closed.rcvd.code == 1009, f"a message of {size + 1} bytes: {closed}")
        return 2
    expect(False, f"a message of {size + 1} bytes was answered")
    return 0


def unique(size):
    return (new_id() * 2)[:size]


if __name__ == "__main__":
    main(every_limit)
