"""Rows of scripts/bench sync about how news reaches people: whole objects beside events alone, a step where many may hear of
it, and a page of unread news where much has happened before.
"""
import json
import pathlib
import shutil
import sqlite3

import scale
import streams
from programs import Trouble
from sync_rows import Figure, hello, pushed, row

STEPS = 3_000
FEW, MANY = 2, 250
LISTS, UNREAD, PAGES = 100, 10, 200
LITTLE_PAST, LONG_PAST = 100, 10_000


class Person:
    """A connection that sends one request at a time."""

    def __init__(self, served, token):
        self.client, self.number = streams.Client(served.port, "/ws"), 1
        self.client.send(hello(token, "none"))
        self.client.read_until(b'"result"')

    def ask(self, method, mark=b'"result"', **params):
        """How many bytes have come when this stands in the answer."""
        self.number += 1
        self.client.send(json.dumps({"id": self.number, "method": method, "params": params}))
        return self.client.read_until(mark)

    def change(self, method, **params):
        self.ask(method, key=f"k-{self.number}", **params)

    def news(self):
        """How many bytes a page of unread news has; `today` stands at its end."""
        return self.ask("notification.list", b'"today"')


def identity(number):
    return f"0190eeee-0000-7000-8000-{number:012x}"


def micros(served, *names):
    """The microseconds that the server's threads of these names have had."""
    tasks = pathlib.Path(f"/proc/{served.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) / 1_000
               for task in tasks if (task / "comm").read_text().startswith(names))


def group_of(programs, members, lists):
    """A group with so many members and lists, the database and the tokens of its people."""
    data, people = programs.population(users=members, groups=1, categories=lists)
    with sqlite3.connect(f"file:{data}/whattodo.db?mode=ro", uri=True) as database:
        names = [bytes(name) for name, in database.execute("SELECT name FROM stream ORDER BY number")]
    found = [name[1:].hex() for name in names if name[:1] == b"c"]
    return data, [token for token, _ in people], [
        "-".join((it[:8], it[8:12], it[12:16], it[16:20], it[20:])) for it in found]


# Whole objects.

def per_create(line):
    """µs of the server's CPU for one create and its pushes."""
    return line["server_cpu_s"] * 1e6 / line["acks"]


@row("objects100",
     Figure("create pushed to 100 that want whole objects: CPU beside events alone", "µs/create", "cpu", "events_cpu",
            1.3))
def whole_objects(programs):
    return {"cpu": per_create(pushed(programs, ["objects"])), "events_cpu": per_create(pushed(programs))}


# A step.

def step(programs, members):
    """CPU of the ledger for a step that is completed, or opened again."""
    steps = STEPS // 10 if programs.quick else STEPS
    data, tokens, (list_, *_) = group_of(programs, members, 1)
    with programs.server(data) as served:
        owner = Person(served, tokens[0])
        owner.change("post.add", category=list_, id=identity(1), title="a post with steps")
        for number in (2, 3):
            owner.change("step.add", category=list_, id=identity(1), step=identity(number), content="a step")
        begun = micros(served, "ledger")
        for number in range(steps):
            method = "step.reopen" if number % 2 else "step.complete"
            owner.change(method, category=list_, id=identity(1), step=identity(2))
        spent = micros(served, "ledger") - begun
    shutil.rmtree(data)
    return spent / steps


@row("step", Figure(f"step completed in a list of {MANY} people: CPU of the ledger beside a list of {FEW}", "µs", "many", "few",
                    1.1))
def steps(programs):
    return {"many": step(programs, MANY), "few": step(programs, FEW)}


# A page of unread news.

def with_past(data, events):
    """Each list has so many events more, in which nothing is news. For speed alone: they are one event again and again."""
    database = sqlite3.connect(f"{data}/whattodo.db", isolation_level=None)
    database.execute("BEGIN")
    lists = database.execute("SELECT number, seq FROM stream WHERE substr(name, 1, 1) = x'63'").fetchall()
    for number, seq in lists:
        at, by, tx = database.execute(
            "SELECT at, by, tx FROM event WHERE place = ?", ((number << 32) + seq,)).fetchone()
        database.executemany(
            "INSERT INTO event(place, at, by, tx, body, was) VALUES(?, ?, ?, ?, ?, ?)",
            (((number << 32) + seq + more, at, by, tx, scale.EVENT, scale.WAS) for more in range(1, events + 1)))
        database.execute("UPDATE stream SET seq = ? WHERE number = ?", (seq + events, number))
    database.execute("COMMIT")
    database.close()
    scale.without_sums(f"{data}/whattodo.db")
    return {number: seq + events for number, seq in lists}


def page(programs, past):
    """CPU of the readers for `notification.list`, and the bytes of the answer."""
    data, tokens, lists = group_of(programs, 2, LISTS)
    heads = list(with_past(data, past).values())
    with programs.server(data) as served:
        owner, member = Person(served, tokens[0]), Person(served, tokens[1])
        for place, list_ in enumerate(lists):
            member.change("notification.read", stream=f"c:{list_}", seq=heads[place])
            for number in range(UNREAD):
                owner.change("post.add", category=list_, id=identity(place * UNREAD + number), title="a new post")
        size = member.news()
        begun = micros(served, "reader")
        for _ in range(PAGES):
            if abs(member.news() - size) > 100:
                raise Trouble("the page has another size")
        spent = micros(served, "reader") - begun
    shutil.rmtree(data)
    return spent / PAGES, size


@row("news", Figure(f"page of news, {LISTS} lists: CPU of the readers over 10⁶ events beside 10⁴", "µs", "long", "short", 1.1))
def news(programs):
    (long, size), (short, same) = page(programs, LONG_PAST), page(programs, LITTLE_PAST)
    if abs(size - same) > size / 50:  # numbers of events have more digits
        raise Trouble(f"pages of {size} and {same} bytes")
    return {"long": long, "short": short, "bytes": size}
