"""Rows of scripts/bench sync about views: what a page costs a reader beside the same statements in C, that it does not grow with
what others have, and that it is the readers' work alone.

The account has 500 lists, one of them with 10 000 posts; the store has 10⁶ posts, or those of the account only.
"""
import datetime
import json
import shutil
import socket
import threading
import time

import scale
import streams
from programs import Trouble, metric, threads_cpu_seconds
from sync_rows import CREATE, RESULT, Figure, hello, row

# How much of a page may be ours beside its SQL. The badges of 500 lists and a digest are told without such a bar: they
# are counted from posts and events that are not told, and taking those apart is the work.
VIEWS = {"today": 2, "soon": 2, "mine": 2, "month": 2, "search": 2, "badges": None, "digest": None}
# posts in the first list, in each other list, lists, and lists of others
FULL, QUICK = (10_000, 10, 500, 98_500), (1_000, 10, 50, 1_000)
ASKED_PER_SECOND = 20
# Of one person, and a bucket holds 60 at first (protocol §13).
SECONDS = 2.5


def account(programs, with_others):
    """A store, and the token of the person whose lists these are. The caller removes it: it may have 1 GB."""
    posts, spread, lists, others = QUICK if programs.quick else FULL
    data, people = programs.population(users=1, lists=lists, dated=posts, spread=spread)
    if with_others:
        scale.crowd(data, others, lists, source=1)
    return data, people[0][0]


def figures():
    for view, bar in VIEWS.items():
        yield Figure(f"{view}, 500 lists among 10⁶ posts: CPU of a reader beside its statements in C", "µs", view,
                     f"{view}_floor", bar)
        yield Figure("  beside the same answer where there are no posts of others", "µs", view, f"{view}_alone", 1.3)


@row("views", *figures())
def views(programs):
    """Both stores are there before either is asked, and a view is asked of one right after the other: what the machine does
    besides changes within seconds."""
    count = 5 if programs.quick else 50
    stores = {"_alone": account(programs, with_others=False)[0], "": account(programs, with_others=True)[0]}
    values = {}
    for view in VIEWS:
        for beside, data in stores.items():
            line, floor = programs.look(data, view, count)
            values[f"{view}{beside}"] = line["cpu_s_per_m"]
            values[f"{view}_floor{beside}"] = floor["cpu_s_per_m"]
            values[f"{view}_bytes{beside}"] = line["bytes"]
        if values[f"{view}_bytes"] != values[f"{view}_bytes_alone"]:
            raise Trouble(f"{view} has another answer beside others' posts")
    for data in stores.values():
        shutil.rmtree(data)
    return values


@row("scores",
     Figure("table of a year, 100 lists and 500 people with 10⁵ completions: CPU of a reader", "µs", "table", bar=200_000),
     Figure("  beside its statements in C", "µs", "table", "table_floor", 2),
     Figure("one's own year in these lists: CPU of a reader", "µs", "year", bar=50_000),
     Figure("  beside its statements in C", "µs", "year", "year_floor", 2))
def scores(programs):
    people, done = (50, 2_000) if programs.quick else (500, 100_000)
    data, _ = programs.population(users=people, groups=1, categories=100, done=done)
    values = {}
    for view in ("table", "year"):
        line, floor = programs.look(data, view, 2 if programs.quick else 10)
        values[view], values[f"{view}_floor"] = line["cpu_s_per_m"], floor["cpu_s_per_m"]
    shutil.rmtree(data)
    return values


class Looker:
    """Asks for one view after the other, so many a second, until it is told to stop."""

    def __init__(self, served, token):
        self.client = streams.Client(served.port, "/ws")
        self.client.send(hello(token, "none"))
        self.client.read_until(b'"result"')
        self.trouble, self.asked, self.ended = None, 0, threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()

    def look(self):
        questions = list(self.questions())
        begun = time.monotonic()
        try:
            while not self.ended.wait(max(0.0, begun + self.asked / ASKED_PER_SECOND - time.monotonic())):
                method, params = questions[self.asked % len(questions)]
                self.client.send(json.dumps({"jsonrpc": "2.0", "id": self.asked + 10, "method": method, "params": params}))
                self.client.read_until(b'"result"')
                self.asked += 1
        except (OSError, Trouble) as trouble:
            self.trouble = trouble

    def questions(self):
        today = datetime.datetime.now(datetime.timezone.utc).date()
        now = int(time.time() * 1000)
        yield "post.query", {"where": {"due": {"until": f"{today}"}}, "sort": "due"}
        yield "post.query", {"where": {"due": {"from": now, "until": now + 48 * 3_600_000}}, "sort": "due"}
        yield "post.query", {"where": {"assignee": "me"}}
        yield "agenda.get", {"from": f"{today}", "to": f"{today + datetime.timedelta(30)}"}
        yield "search", {"text": "flowers sunday"}

    def stop(self):
        self.ended.set()
        self.thread.join()
        self.client.close()
        if self.trouble:
            raise Trouble(f"who looks: {self.trouble}")
        return self.asked


def written(programs, data, token, looks):
    """CPU of ledger and loops for a create, and how many views were answered meanwhile."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with programs.server(data, "--metrics-listen", port) as served:
        url = f"http://127.0.0.1:{port}/metrics"
        time.sleep(1)  # what is overdue is told by then
        looker = Looker(served, token) if looks else None
        begun = (metric(url, "whattodo_commit_works_sum"), threads_cpu_seconds(served.pid, "ledger", "loop"))
        programs.load("echo", served, "/ws", "--protocol", "whattodo.v1", "--match", "marker", "-c", 16,
                      "--send", hello(token, "none"), "--expect", RESULT, "--msg", CREATE, seconds=SECONDS)
        creates = metric(url, "whattodo_commit_works_sum") - begun[0]
        cpu = threads_cpu_seconds(served.pid, "ledger", "loop") - begun[1]
        asked = looker.stop() if looker else 0
    return cpu / creates * 1e6, asked


@row("looking",
     Figure("durable create while 20 views a second are answered: CPU of ledger and loops beside nobody who looks", "µs",
            "looked", "alone", 1.05))
def looking(programs):
    """Both in copies of one store, which is as large for either."""
    data, token = account(programs, with_others=True)
    copy = programs.folder("copy")
    shutil.copytree(data, copy)
    copy.chmod(0o700)
    alone, _ = written(programs, copy, token, looks=False)
    shutil.rmtree(copy)
    looked, asked = written(programs, data, token, looks=True)
    shutil.rmtree(data)
    return {"alone": alone, "looked": looked, "asked": asked}
