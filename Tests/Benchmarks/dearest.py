#!/usr/bin/env python3
"""The dearest request of each method that lets its sender choose its cost: dearest.py PROGRAMS [POSTS]

One server with one large list (POSTS open posts, 1 000 unless it is said) and long texts. Each request is sent three times;
the figures are the CPU time that the server's threads took for it (the kernel's count, so other programs do not matter),
the thread that took most, and the bytes of the answer. Beside them stands what bounds it. With `--check` the exit status is
1 when one took more than its bound in the column `at most`, which is for release builds.
"""
import argparse
import collections
import datetime
import http.client
import json
import pathlib
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "EndToEnd"))
from harness import Refused, Server, expect, new_id, sign_in  # noqa: E402

TIMES = 3
RATE = ["--command-rate", "10000", "--hello-rate", "10000"]
NEVER = "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA;BYSETPOS=" + ",".join(map(str, range(315, 367)))
BEHIND = "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=1000;BYSETPOS=1,366,50,100,150,200,250,300,-1,-50,-100,-150,-200"
LONG_AGO = {"date": "1971-01-01"}


class Row:
    """`prepare(n)` answers what is measured: a function without arguments, which answers the answer."""

    def __init__(self, method, words, limit, at_most, prepare):
        self.method, self.words, self.limit, self.at_most, self.prepare = method, words, limit, at_most, prepare

    def measured(self, w):
        """CPU milliseconds, the thread that took most of them, bytes of the answer."""
        costs, threads, size = [], collections.Counter(), 0
        for n in range(TIMES):
            send = self.prepare(n)
            before = settled(w.process)
            answer = send()
            taken = settled(w.process) - before
            costs.append(sum(taken.values()) / 1e6)
            threads += taken
            size = len(answer) if isinstance(answer, bytes) else len(json.dumps(answer, separators=(",", ":")))
        return statistics.median(costs), threads.most_common(1)[0][0] if threads else "none", size


def cpu(process):
    """Nanoseconds of each of its threads by name."""
    taken = collections.Counter()
    for task in pathlib.Path(f"/proc/{process}/task").iterdir():
        name = (task / "comm").read_text().strip()
        taken[name] += int((task / "schedstat").read_text().split()[0])
    return taken


def settled(process):
    """CPU times once nobody works any more: answers are there before all threads are done with them."""
    before = cpu(process)
    while True:
        time.sleep(0.02)  # what is measured is CPU time
        now = cpu(process)
        if sum((now - before).values()) < 300_000:
            return now
        before = now


class World:
    """Somebody with a large list, and who helps."""

    def __init__(self, server, posts):
        self.server, self.posts, self.process = server, posts, server.process.pid
        self.client, self.user, _ = sign_in(server.url, "owner", streams="none")
        self.list, self.other = self.add_list("large"), self.add_list("other")
        self.stream = f"c:{self.list}"
        self.ids = []
        for first in range(0, posts, 100):
            self.fill(first, min(100, posts - first))
        self.long = self.add("long", notes="word " * 3_276)
        for _ in range(2):
            self.batch([self.step(self.long, f"step {n}") for n in range(100)])
        self.tags = [new_id() for _ in range(100)]
        self.batch([("tag.add", {"category": self.list, "id": tag, "name": f"tag {n}"}) for n, tag in enumerate(self.tags)])
        self.events = self.head()
        link = self.client.command("link.make", category=self.list, id=new_id())
        self.calendar = f"/calendar/{link['code']}.ics"

    def add_list(self, name):
        self.client.command("category.add", id=(category := new_id()), name=name)
        return category

    def batch(self, commands):
        return self.client.command("batch", commands=[{"method": m, "params": p} for m, p in commands])

    def fill(self, first, count):
        """A third of them comes again."""
        day, commands = datetime.date.today(), []
        for n in range(first, first + count):
            self.ids.append(new_id())
            params = {"category": self.list, "id": self.ids[-1], "title": f"a post with number {n}",
                      "due": {"date": str(day + datetime.timedelta(days=n % 50))}}
            if n % 3 == 0:
                params["recurrence"] = {"rule": "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"}
            commands.append(("post.add", params))
        self.batch(commands)

    def add(self, title, **more):
        self.client.command("post.add", category=self.list, id=(post := new_id()), title=title, **more)
        return post

    def step(self, post, content):
        return "step.add", {"category": self.list, "id": post, "step": new_id(), "content": content}

    def head(self):
        return self.client.command("post.add", category=self.list, id=new_id(), title="the newest")["events"][0]["seq"]

    def get(self, mark=None):
        host = self.server.url.split("/")[2]
        connection = http.client.HTTPConnection(host, timeout=60)
        connection.request("GET", self.calendar, headers={"If-None-Match": mark} if mark else {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        expect(answer.status in (200, 304), f"the calendar: {answer.status}")
        return body


def rows(w):
    call, command, today = w.client.call, w.client.command, datetime.date.today()
    long_notes = "word " * 3_276

    def days(count):
        return {"from": str(today - datetime.timedelta(days=count - 1)), "to": str(today)}

    def ask(method, **params):
        return lambda n: lambda: call(method, **params)

    def change(method, **params):
        """Values that are functions are asked with the turn."""
        return lambda n: lambda: command(
            method, **{"category": w.list, **{k: v(n) if callable(v) else v for k, v in params.items()}})

    def refused(n):
        def send():
            try:
                return command("post.add", category=w.list, id=new_id(), title="x", due={"date": "2026-11-25"},
                               recurrence={"rule": NEVER})
            except Refused as refusal:
                return refusal.error
        return send

    def behind(n):
        post = w.add("behind", due=LONG_AGO, recurrence={"rule": BEHIND})
        return lambda: command("post.complete", category=w.list, id=post, ifVersion=1)

    def all_behind(n):
        posts = [new_id() for _ in range(100)]
        w.batch([("post.add", {"category": w.other, "id": post, "title": "x", "due": LONG_AGO,
                               "recurrence": {"rule": BEHIND}}) for post in posts])
        return lambda: w.batch([("post.complete", {"category": w.other, "id": post, "ifVersion": 1}) for post in posts])

    def with_steps(n):
        post = w.add("steps")
        w.batch([w.step(post, f"step {n}") for n in range(100)])
        return lambda: command("post.complete", category=w.list, id=post)

    def undone(n):
        edit = [("post.edit", {"category": w.list, "id": post, "notes": f"{n} " * 500}) for post in w.ids[:100]]
        seq = w.batch(edit)["events"][0]["seq"]
        return lambda: command("undo", stream=w.stream, events=[seq])

    def previewed(n):
        head = [w.head() for _ in range(200 if n == 0 else 1)][-1]
        return lambda: call("undo.preview", stream=w.stream, events=list(range(max(1, head - 199), head + 1)))

    def opened(n):
        return lambda: call("sync.open", streams=[{"stream": w.stream}])

    def changed_calendar(n):
        w.head()
        return w.get

    hundred_long = [("post.add", {"category": w.other, "title": "x", "notes": "word " * 400}) for _ in range(100)]
    return [
        Row("post.add", "the longest notes", "`notesScalars`", 20,
            change("post.add", id=lambda n: new_id(), title="long", notes=long_notes)),
        Row("post.add", "a rule that names no day", "492 months", 5, refused),
        Row("post.edit", "notes of a post with 200 steps", "`notesScalars`, `steps`", 20,
            change("post.edit", id=w.long, notes=lambda n: f"{n} " + "word " * 3_000)),
        Row("post.edit", "a rule from 1971 on", "492 months", 5,
            change("post.edit", id=lambda n: w.ids[n], due=LONG_AGO, recurrence={"rule": BEHIND})),
        Row("post.complete", "an occurrence that is 1 000 times behind", "COUNT 1 000, 492 months", 10, behind),
        Row("post.complete", "100 open steps", "`steps`", 20, with_steps),
        Row("post.copy", "200 steps, the longest notes", "`steps`, `notesScalars`", 20,
            change("post.copy", id=w.long, copy=lambda n: new_id(), to=w.list)),
        Row("post.move", "in the large list", "64 posts around a gap", 20,
            change("post.move", id=lambda n: w.ids[n + 20], after=lambda n: w.ids[n + 30])),
        Row("import.upsert", "the longest notes", "`notesScalars`", 20, change(
            "import.upsert", id=lambda n: new_id(), source=lambda n: {"name": "ci", "id": str(n)}, title="x",
            notes=long_notes)),
        Row("batch", "100 posts of 2 KB", "`batchCommands`, a message; a token each", 200,
            lambda n: lambda: w.batch([(m, {**p, "id": new_id()}) for m, p in hundred_long])),
        Row("batch", "100 occurrences that are 1 000 times behind", "`batchCommands`; a token each", 200, all_behind),
        Row("undo.preview", "200 events", "200 events, 500 posts, 4 MiB", 200, previewed),
        Row("undo.preview", "of a person", "5 000 events", 200, ask("undo.preview", stream=w.stream, by=w.user, since=0)),
        Row("undo", "a batch of 100 edits", "500 posts, 4 MiB; a token an event", 200, undone),
        Row("history.get", "a page", "8 MiB; `historyPerMinute`", 100, ask("history.get", stream=w.stream)),
        Row("history.state", "of the first event", "5 000 events, 8 MiB; `historyPerMinute`", 300,
            ask("history.state", category=w.list, seq=2)),
        Row("history.diff", "from the first to the last", "5 000 events, 8 MiB; `historyPerMinute`", 300,
            lambda n: lambda: call("history.diff", category=w.list, **{"from": 2, "to": w.events})),
        Row("search", "words of all posts", "250 000 posts; `historyPerMinute`", 200, ask("search", text="post number")),
        Row("post.query", "any state, a tag that none has", "100 000 rows, 5 000 posts; `historyPerMinute`", 200,
            ask("post.query", where={"state": "any", "tag": w.tags[0]})),
        Row("agenda.get", "62 days", "100 000 rows; `historyPerMinute`", 200, ask("agenda.get", **days(62))),
        Row("stats.get", "92 days", "5 000 events, 8 MiB; `historyPerMinute`", 200,
            ask("stats.get", stream=w.stream, **days(92))),
        Row("digest.get", "today", "5 000 events; `historyPerMinute`", 200, ask("digest.get", day=str(today))),
        Row("post.twins", "of words that all have", "200 posts; `historyPerMinute`", 50,
            ask("post.twins", category=w.list, title="a post with number 1")),
        Row("post.list", "removed ones", "`listPage`, 64 KiB", 50, ask("post.list", category=w.list, show="removed")),
        Row("notification.list", "all", "4 000 events, 2 MiB", 100, ask("notification.list")),
        Row("account.export", "a page", "64 KiB; `exportPagesPerMinute`", 50, ask("account.export")),
        Row("category.list", "all", "`categoriesPerUser`", 50, ask("category.list", show="mine")),
        Row("member.list", "of a list", "`membersPerCategory`", 50, ask("member.list", stream=w.stream)),
        Row("profile.edit", "another name", "50 groups and 3 lists; the other lists follow, 3 at a time", 20,
            lambda n: lambda: command("profile.edit", name=f"Owner {n}")),
        Row("GET /calendar", "made", "1 000 entries; once a change, 60 a minute", 300, changed_calendar),
        Row("GET /calendar", "made before", "60 a minute", 20, lambda n: w.get),
        Row("sync.open", "the large list from the beginning", "64 KiB a page", 300, opened),
    ]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("programs", type=pathlib.Path)
    options.add_argument("posts", type=int, nargs="?", default=1_000)
    options.add_argument("--check", action="store_true")
    it = options.parse_args()
    over = []
    with tempfile.TemporaryDirectory(prefix="whattodo-") as folder:
        server = Server(it.programs, pathlib.Path(folder) / "data", *RATE).start()
        try:
            world = World(server, it.posts)
            print("| method | request | CPU | thread | answer | at most | what bounds it |\n|---|---|---|---|---|---|---|")
            for row in rows(world):
                try:
                    milliseconds, thread, size = row.measured(world)
                except Refused as refusal:
                    print(f"| `{row.method}` | {row.words} | {refusal} |", flush=True)
                    over.append(row.method)
                    continue
                print(f"| `{row.method}` | {row.words} | {milliseconds:.1f} ms | {thread} | {size:,} B | {row.at_most} ms "
                      f"| {row.limit} |", flush=True)
                if milliseconds > row.at_most:
                    over.append(row.method)
        finally:
            server.stop()
    return 1 if it.check and over else 0


if __name__ == "__main__":
    sys.exit(main())
