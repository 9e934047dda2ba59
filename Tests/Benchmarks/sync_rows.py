"""The rows of scripts/bench sync: what is run, and which figures of it have which bar (issue's "How fast").

A row is a function that runs one round and answers numbers by name. All sides of a round run one after the other, on one
loop thread each, and CPU is the server's alone.
"""
import json
import shutil
import socket
import time
from dataclasses import dataclass

import redis_peer
import streams
from programs import metric, pss_bytes

# What a client sends to create a post. The id comes back in the answer; {c} names the list of the connection.
LIST = "01900000-0000-7000-8000-00{c}"
CREATE = ('{"jsonrpc":"2.0","id":"{m}","method":"post.add","params":{"category":"' + LIST + '","id":"{uuid}",'
          '"title":"Buy the milk for Sunday, and the flowers","key":"{uuid}"}}')
SHARED_LIST = "01900000-0000-7000-8000-001000000000"
MARKED_CREATE = CREATE.replace(LIST, SHARED_LIST).replace("for Sunday, and the flowers", "{m}")
CREATE_BYTES = len(CREATE) - len("{m}{c}{uuid}{uuid}") + 38 + 10 + 2 * 36
RESULT = '"result"'


@dataclass
class Figure:
    """One line of the table: names of values of a round. The bar is judged on the median of ours / beside, or of ours."""
    name: str
    unit: str
    ours: str
    beside: str = ""
    bar: float | None = None
    at_least: bool = False


ROWS = {}


def row(name, *its_figures):
    def keep(function):
        ROWS[name] = (function, its_figures)
        return function
    return keep


def names(*modules):
    """Of the rows that are in these modules; without any, of all."""
    wanted = {module.__name__ for module in modules}
    return [name for name, (function, _) in ROWS.items() if not wanted or function.__module__ in wanted]


def figures(name):
    return ROWS[name][1]


def run(name, programs):
    return ROWS[name][0](programs)


def hello(token, streams_wanted, features=()):
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {
        "token": token, "client": {"name": "bench", "version": "1"}, "streams": streams_wanted,
        "features": list(features)}}, separators=(",", ":"))


# The storage layer alone.

BATCHES = {1: 6_000, 10: 40_000, 100: 100_000, 1000: 100_000}


def storage(batch):
    @row(f"storage{batch}",
         Figure(f"storage alone, create, {batch} per transaction: CPU", "µs/command", "cpu", "twin_cpu", 1.15),
         Figure(f"storage alone, create, {batch} per transaction: rate", "/s", "rate", "twin_rate", 0.9, True),
         Figure(f"storage alone, complete, {batch} per transaction: CPU", "µs/command", "complete_cpu",
                "complete_twin_cpu", 1.15))
    def one(programs):
        commands = BATCHES[batch] // (10 if programs.quick else 1)
        values = {}
        for shape, name in (("create", ""), ("complete", "complete_")):
            twin, store = programs.twin(shape, batch, commands), programs.store(shape, batch, commands)
            values |= {name + "cpu": store["cpu_s_per_m"], name + "twin_cpu": twin["cpu_s_per_m"],
                       name + "rate": store["per_s"], name + "twin_rate": twin["per_s"]}
        return values
    return one


for size in BATCHES:
    storage(size)


# Durable creates, everything included.

def served_creates(programs, writers, message=CREATE):
    """Creates by so many writers, or other messages; wsload's line and how many commands a commit held."""
    data, people = programs.population(users=1, lists=64)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with programs.server(data, "--metrics-listen", port) as served:
        url = f"http://127.0.0.1:{port}/metrics"
        line = programs.load("echo", served, "/ws", "--protocol", "whattodo.v1", "--match", "marker", "-c", writers,
                             "--send", hello(people[0][0], "none"), "--expect", RESULT, "--msg", message)
        batch = metric(url, "whattodo_commit_works_sum") / max(1, metric(url, "whattodo_commit_works_count"))
    shutil.rmtree(data)
    return line, batch


def create(writers):
    @row(f"create{writers}",
         Figure(f"durable create, {writers} writers: CPU beside echo + statements in C", "µs", "cpu", "floor", 1.5),
         Figure("  of which echo, and the statements", "µs", "echo_cpu", "twin_cpu"),
         Figure("  rate, beside the statements alone", "/s", "rate", "twin_rate"),
         Figure("  the same beside Redis XADD, appendfsync always: CPU", "µs", "cpu", "redis_cpu", 1.5))
    def one(programs):
        line, batch = served_creates(programs, writers)
        with programs.echo() as served:
            echo = programs.load("echo", served, "/echo", "-c", writers, "-s", CREATE_BYTES)
        commands = 5_000 if programs.quick else 40_000
        batch = max(1, round(batch))
        twin = programs.twin("served", batch, commands // batch * batch)
        redis = redis_peer.creates(programs.folder("redis"), writers, commands)
        return {"cpu": line["server_cpu_s_per_m"], "rate": line["msgs_per_s"], "p50": line["p50_us"],
                "p99": line["p99_us"], "batch": batch, "echo_cpu": echo["server_cpu_s_per_m"],
                "twin_cpu": twin["cpu_s_per_m"], "twin_rate": twin["per_s"],
                "floor": echo["server_cpu_s_per_m"] + twin["cpu_s_per_m"], "redis_cpu": redis["cpu"],
                "redis_rate": redis["rate"]}
    return one


for count in (16, 64):
    create(count)


@row("create1",
     Figure("one writer, p50 of the answer, beside fdatasync + echo", "µs", "p50", "floor", 1.3),
     Figure("  CPU beside echo + statements in C", "µs", "cpu", "cpu_floor"))
def create_one(programs):
    line, _ = served_creates(programs, 1)
    with programs.echo() as served:
        echo = programs.load("echo", served, "/echo", "-c", 1, "-s", CREATE_BYTES)
    twin = programs.twin("served", 1, 1_000 if programs.quick else 6_000)
    return {"p50": line["p50_us"], "floor": programs.fdatasync_p50_us() + echo["p50_us"],
            "cpu": line["server_cpu_s_per_m"], "cpu_floor": echo["server_cpu_s_per_m"] + twin["cpu_s_per_m"],
            "echo_p50": echo["p50_us"]}


# Pushes.

@row("fan100",
     Figure("create → durable → pushed to 100, 16 writers: CPU beside Redis XADD + PUBLISH", "µs/delivery", "cpu",
            "redis_cpu", 0.9),
     Figure("  creates beside Redis", "/s", "rate", "redis_rate"))
def fan_out(programs):
    line = pushed(programs)
    redis = redis_peer.fan_out(programs.folder("redis"), 16, 100, 4_000 if programs.quick else 10_000)
    return {"cpu": line["server_cpu_s_per_m"], "rate": line["published_per_s"], "p50": line["p50_us"],
            "redis_cpu": redis["cpu"], "redis_rate": redis["rate"]}


def pushed(programs, features=(), message=MARKED_CREATE):
    """Creates of 16 writers in one list, or other messages, pushed to 100 connections that ask for these features."""
    data, people = programs.population(users=1, lists=64)
    token = people[0][0]
    with programs.server(data) as served:
        # A list takes 10 000 open posts, and 16 writers add as many in a second: the time is short.
        line = programs.load(
            "fanout", served, "/ws", "--protocol", "whattodo.v1", "-c", 100, "-P", 16, "-w", 1, "--pub-ack", "--loose",
            # The pushes of whole objects hold the title a second time.
            "--accept", '"events":[', "--sub-send", hello(token, [f"c:{SHARED_LIST}"], features), "--sub-expect", '"sync.live"',
            "--pub-send", hello(token, "none"), "--pub-expect", RESULT, "--msg", message, seconds=0.6,
            warmup=0.1)
    shutil.rmtree(data)
    return line


# Connections.

@row("idle10k",
     Figure("signed-in, subscribed, idle connection: memory (PSS)", "B", "memory", bar=2048),
     Figure("  upgrade, hello, subscribed: CPU beside a bare accept", "µs", "cpu", "echo_cpu"))
def idle(programs):
    connections = 1_000 if programs.quick else 10_000
    data, people = programs.population(users=connections)
    lines = programs.out / "hellos"
    lines.write_text("".join(hello(token, [held[0][0]]) + "\n" for token, held in people), encoding="utf-8")
    with programs.server(data) as served:
        fill_caches(served, people)
        line = programs.load("idle", served, "/ws", "--protocol", "whattodo.v1", "-c", connections,
                             "--send-lines", lines, "--expect", '"sync.live"', seconds=1)
    shutil.rmtree(data)
    with programs.echo() as served:
        echo = programs.load("idle", served, "/echo", "-c", connections, seconds=1)
    return {"memory": line["pss_per_conn_b"], "cpu": line["connect_cpu_us"], "echo_cpu": echo["connect_cpu_us"],
            "echo_memory": echo["pss_per_conn_b"]}


def fill_caches(served, people):
    """Readers keep pages of the database up to a limit, whoever connects: that is no memory of a connection. One after the
    other reads what it will read in the measured run, and leaves."""
    for token, held in people:
        client = streams.Client(served.port, "/ws")
        client.send(hello(token, [held[0][0]]))
        client.read_until(b'"sync.live"')
        client.close()


@row("stalled", Figure("a subscriber that takes nothing: memory (PSS)", "KiB", "memory", bar=70))
def stalled(programs):
    # Without any: what the posts themselves leave in memory. (Freed memory is not given back to the system at once.)
    count, posts = 100, 200 if programs.quick else 1_000
    alone, beside = grown(programs, 0, posts), grown(programs, count, posts)
    return {"memory": (beside - alone) / count / 1024, "alone": alone, "beside": beside}


def grown(programs, stalled_readers, posts):
    """By how many bytes the server grows while one writes and so many subscribers take nothing."""
    data, people = programs.population(users=1, lists=64)
    token = people[0][0]
    with programs.server(data) as served:
        readers = [streams.Client(served.port, "/ws", small_buffers=True) for _ in range(stalled_readers)]
        for client in readers:
            client.send(hello(token, [f"c:{SHARED_LIST}"]))
            client.read_until(b'"sync.live"')
        writer = streams.Client(served.port, "/ws")
        writer.send(hello(token, "none"))
        writer.read_until(b'"result"')
        write_posts(writer, 50, 0)
        time.sleep(0.5)
        before = pss_bytes(served.pid)
        write_posts(writer, posts, 50)
        time.sleep(0.5)
        after = pss_bytes(served.pid)
        for client in [*readers, writer]:
            client.close()
    shutil.rmtree(data)
    return after - before


def write_posts(writer, count, first):
    """Posts with notes of 8 KB into the shared list, one after the other."""
    for number in range(first, first + count):
        writer.send(json.dumps({"jsonrpc": "2.0", "id": number + 10, "method": "post.add", "params": {
            "category": SHARED_LIST, "id": f"0190aaaa-0000-7000-8000-{number:012x}", "title": f"Post {number}",
            "notes": "n" * 8_000, "key": f"stalled-{number}"}}))
        writer.read_until(b'"result"')


@row("snapshot",
     Figure("snapshot of 10 000 posts to the last page, beside the same bytes through echo", "MB/s", "rate",
            "echo_rate", 0.5, True),
     Figure("  again, from the cache", "MB/s", "again_rate", "echo_rate"))
def snapshot(programs):
    data, people = programs.population(users=1, lists=1, posts=1_000 if programs.quick else 10_000)
    token = people[0][0]
    rates = []
    with programs.server(data) as served:
        for _ in range(2):
            client = streams.Client(served.port, "/ws")
            client.send(hello(token, "none"))
            client.read_until(b'"result"')
            begun = time.monotonic()
            client.send('{"jsonrpc":"2.0","id":2,"method":"sync.open","params":{"streams":[{"stream":"c:'
                        + SHARED_LIST + '"}]}}')
            count = client.read_until(b'"sync.live"')
            rates.append(count / (time.monotonic() - begun) / 1e6)
            client.close()
    shutil.rmtree(data)
    with programs.echo() as served:
        client = streams.Client(served.port, "/echo", protocol=None)
        begun = time.monotonic()
        client.echo(count, 64 * 1024)
        echo = count / (time.monotonic() - begun) / 1e6
        client.close()
    return {"rate": rates[0], "again_rate": rates[1], "echo_rate": echo, "bytes": count}
