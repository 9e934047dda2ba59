"""Rows of scripts/bench sync about what must not grow with what is stored, and what must not delay others."""
import json
import shutil
import socket
import statistics
import threading
import time

import scale
import streams
from programs import Trouble, metric, pss_bytes
from sync_rows import CREATE, RESULT, Figure, hello, row

SMALL = {"lists": 10, "posts": 10, "events": 100}
LARGE = {"lists": 100_000, "posts": 10, "events": 100}
QUICK = {"lists": 1_000, "posts": 10, "events": 100}
# A writer, a reader and an authenticator with 64 MiB each, and what the program itself takes.
MEMORY_MEBIBYTES = 3 * 64 + 128


def sizes(programs):
    return SMALL, QUICK if programs.quick else LARGE


def enlarged(programs, size):
    """A store of this size, and the token of the one person in it. The caller removes it: it may have 4 GB."""
    data, people = programs.population(users=1, lists=1, posts=1)
    scale.enlarge(data, **size)
    return data, people[0][0]


# Time until the first connection is taken.

@row("ready", Figure("ready with 1 000 000 posts and 10 000 000 events, beside an empty store", "s", "seconds",
                     "empty_seconds", 1.5))
def ready(programs):
    data, _ = enlarged(programs, sizes(programs)[1])
    with programs.server(data) as served:
        seconds = served.ready_seconds
    shutil.rmtree(data)
    with programs.server(programs.folder("empty")) as served:
        return {"seconds": seconds, "empty_seconds": served.ready_seconds}


# CPU of a create, in a small store and in a large one.

SPREAD_CREATE = CREATE.replace("{c}", "{r}")


def spread_creates(programs, data, token, lists):
    """16 writers, each create in another list; wsload's line, the works in a commit, the memory afterwards."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with programs.server(data, "--metrics-listen", port) as served:
        line = programs.load("echo", served, "/ws", "--protocol", "whattodo.v1", "--match", "marker", "-c", 16,
                             "--send", hello(token, "none"), "--expect", RESULT, "--spread", lists, "--msg", SPREAD_CREATE)
        url = f"http://127.0.0.1:{port}/metrics"
        batch = metric(url, "whattodo_commit_works_sum") / max(1, metric(url, "whattodo_commit_works_count"))
        return line, max(1, round(batch)), pss_bytes(served.pid) / (1 << 20)


def beside_floor(programs, size):
    """CPU of a create and of its statements in C, both in a store of this size."""
    data, token = enlarged(programs, size)
    commands = 2_000 if programs.quick else 20_000
    floor = programs.twin_on(data, size["lists"], 16, commands)
    line, batch, memory = spread_creates(programs, data, token, size["lists"])
    shutil.rmtree(data)
    return {"cpu": line["server_cpu_s_per_m"], "floor": floor["cpu_s_per_m"], "batch": batch, "memory": memory}


@row("scale",
     Figure("CPU of a create / statements in C: 10⁷ events in 100 000 lists, beside 10³ in 10", "", "large", "small", 1.15),
     Figure("  CPU of a create", "µs", "large_cpu", "small_cpu"),
     Figure("  memory of the large one afterwards (PSS)", "MiB", "memory", bar=MEMORY_MEBIBYTES))
def scaled(programs):
    small, large = (beside_floor(programs, size) for size in sizes(programs))
    return {"large": large["cpu"] / large["floor"], "small": small["cpu"] / small["floor"], "large_cpu": large["cpu"],
            "small_cpu": small["cpu"], "memory": large["memory"], "batches": [small["batch"], large["batch"]]}


@row("hot", Figure("CPU of a create in ten hot lists: 10⁷ events in 100 000 lists, beside 10³ in 10", "µs", "large",
                   "small", 1.3))
def hot(programs):
    values = {}
    for name, size in zip(("small", "large"), sizes(programs)):
        data, token = enlarged(programs, size)
        values[name] = spread_creates(programs, data, token, 10)[0]["server_cpu_s_per_m"]
        shutil.rmtree(data)
    return values


# What one command that touches much means for others.

class Writer:
    """Creates one post after the other and notes how long each took, until it is told to stop. In turn in each of its lists:
    one takes 10 000 open posts, which are some seconds."""

    LISTS = 16

    def __init__(self, served, token):
        self.client = streams.Client(served.port, "/ws")
        self.client.send(hello(token, "none"))
        self.client.read_until(b'"result"')
        self.milliseconds, self.trouble, self.ended = [], None, False
        self.thread = threading.Thread(target=self.write)
        self.thread.start()

    def write(self):
        number = 0
        try:
            while not self.ended:
                number += 1
                begun = time.monotonic()
                self.client.send(CREATE.replace("{m}", f"{number}").replace(
                    "{c}", f"{1_000_000_000 + number % self.LISTS}").replace(
                    "{uuid}", f"0190dddd-0000-7000-8000-{number:012x}"))
                self.client.read_until(b'"result"')
                self.milliseconds.append((time.monotonic() - begun) * 1000)
        except (OSError, Trouble) as trouble:
            self.trouble = trouble

    def stop(self):
        self.ended = True
        self.thread.join()
        self.client.close()
        if self.trouble:
            raise Trouble(f"the writer beside it: {self.trouble}")
        return self.milliseconds


def ask(client, method, **params):
    """Sends a command and waits for its answer, which must be a result."""
    client.send(json.dumps({"jsonrpc": "2.0", "id": method, "method": method, "params": params}, separators=(",", ":")))
    client.read_until(b'"result"')


@row("group",
     Figure("a group of 500 with 100 categories joined, left, removed from: others wait, in commits of the same run",
            "commits", "commits", bar=50),
     Figure("  the longest wait beside the median", "ms", "worst", "median"))
def group(programs):
    users, categories = (50, 20) if programs.quick else (500, 100)
    # The last person is in no group of their own making: person 0 owns the group, all others are its members.
    data, people = programs.population(users=users, groups=1, categories=categories, lists=Writer.LISTS)
    home = next(words[0] for words in people[0][1] if words[0].startswith("g:"))
    member = next(words[0] for words in people[-1][1] if words[0].startswith("u:"))[2:]
    name = f"bench-{users - 1}"
    with programs.server(data) as served:
        writer = Writer(served, people[0][0])
        owner, joining = streams.Client(served.port, "/ws"), streams.Client(served.port, "/ws")
        for client, (token, _) in ((owner, people[0]), (joining, people[-1])):
            client.send(hello(token, "none"))
            client.read_until(b'"result"')
        for turn in range(3 if programs.quick else 10):
            time.sleep(0.2)
            if turn % 2:
                ask(owner, "member.remove", stream=home, user=member, key=f"remove-{turn}")
            else:
                ask(joining, "member.leave", stream=home, key=f"leave-{turn}")
            time.sleep(0.2)
            invitation = f"0190eeee-0000-7000-8000-{turn:012x}"
            ask(owner, "invitation.send", id=invitation, stream=home, username=name, role="editor", key=f"send-{turn}")
            ask(joining, "invitation.accept", id=invitation, key=f"accept-{turn}")
        times = writer.stop()
        owner.close()
        joining.close()
    shutil.rmtree(data)
    worst, median = max(times), statistics.median(times)
    return {"commits": worst / median, "worst": worst, "median": median}


@row("storm",
     Figure("10 000 clients with 20 streams each, after a restart: all live, beside as many bare connections", "s",
            "seconds", "echo_seconds", 4),
     Figure("  the longest answer to somebody who was back before", "ms", "worst"))
def storm(programs):
    users = 400 if programs.quick else 10_000
    data, people = programs.population(users=users, groups=max(1, users // 500), categories=18, lists=Writer.LISTS)
    lines = programs.out / "hellos"
    with open(lines, "w", encoding="utf-8") as file:
        for token, held in people:
            said = json.loads(hello(token, "all"))
            said["params"]["cursors"] = {
                stream: {"epoch": epoch, "seq": int(seq), "tx": tx} for stream, epoch, seq, tx in held}
            file.write(json.dumps(said, separators=(",", ":")) + "\n")
    with programs.server(data) as served:
        writer = Writer(served, people[0][0])
        line = programs.load("idle", served, "/ws", "--protocol", "whattodo.v1", "-c", users, "--send-lines", lines,
                             "--expect", '"mode":"live"}]', seconds=1)
        times = writer.stop()
    shutil.rmtree(data)
    with programs.echo() as served:
        echo = programs.load("idle", served, "/echo", "-c", users, seconds=1)
    return {"seconds": line["connect_s"], "echo_seconds": echo["connect_s"], "worst": max(times),
            "cpu": line["connect_cpu_us"],
            "echo_cpu": echo["connect_cpu_us"], "streams": sum(len(held) for _, held in people) / len(people)}
