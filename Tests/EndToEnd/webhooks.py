"""Webhooks: webhooks.py PROGRAMS

A bot's owner has what happens sent to other programs. Each receiver gets every event once, in order and without holes, whatever
fails on the way: the receiver in ten ways, and the server by kill -9. Nothing comes that the bot may not see, and nothing
goes to addresses of the server's own network. No file of the server keeps an address that was removed.
"""
import concurrent.futures
import pathlib
import time

import websockets.exceptions

import webhook_rules as rules
from certificates import Authority
from harness import Client, Copy, Refused, Server, expect, main, new_id, refused, say_hello
from metrics import Operator, metrics_address
from webhook_world import MARK, OPTIONS, World, complete, proved, receiver

# Deliveries that were taken so many seconds before a crash are written, even by a slow disk.
WRITTEN_AFTER = 3.0


# 1 Complete and ordered


def ordered(world):
    to, streams = receiver(), [f"c:{world.builds}", f"c:{world.work}"]
    world.add("before the webhook")
    firsts = {stream: world.head(stream) + 1 for stream in streams}
    params = dict(bot=world.bot, id=new_id(), name="a program", address=to.address, key=new_id())
    added = world.owner.call("webhook.add", **params)
    expect(added["changed"] and added["secret"].startswith("whsec_"), f"{added}")
    expect(world.owner.call("webhook.add", **params) == added, "the same request has the same secret")
    refused(lambda: world.owner.command("webhook.add", **{**params, "key": new_id()}), "exists", "an id for the second time")
    to.secret, webhook = added["secret"], params["id"]
    hidden = world.list("hidden", bots=[])
    for number in range(20):
        place, client, another = (world.builds, world.work)[number % 2], *(world.owner, world.other)[::1 - 2 * (number % 3 == 0)]
        post, _ = world.add(f"number {number}", place, client)
        another.command("post.edit", category=place, id=post, notes="from somebody else")
        client.command("post.complete", category=place, id=post)
        world.add("hidden", hidden)
    adds = [dict(method="post.add", params=dict(category=world.work, id=new_id(), title=f"of a batch {n}")) for n in range(50)]
    world.owner.command("batch", commands=adds)
    world.owner.command("settings.edit", dueSoonHours=7)
    complete(world, to, firsts)
    proved(to, webhook)
    for stream, first in firsts.items():
        head = world.head(stream)
        world.owner.wait(lambda pushes: Copy(stream).take(pushes).seq >= head, "the pushes")
        pushed = [line for line in Copy(stream).take(world.owner.pushes).events if line[0] >= first]
        came = [line for request in to.requests if request.content["stream"] == stream for line in request.events]
        expect(came == pushed, f"{stream}: not what the owner is told")
    line = world.until(webhook, lambda line: line["tries"] and line["tries"][-1]["through"] == head, "the tries")
    expect(line["name"] == "a program" and line["address"] == to.address and line["form"] == "events", f"{line}")
    expect(1 <= len(line["tries"]) <= 10 and "trouble" not in line and {each["status"] for each in line["tries"]} == {200}, f"{line}")
    return to, webhook, firsts


# 2 A receiver that fails in ten ways


def failing(world):
    """One receiver fails in all ways. Beside it another one of the same bot gets everything at once."""
    to, beside, trap, stream = receiver(), receiver(), receiver(), f"c:{world.builds}"
    to.trap = trap.address
    firsts = {stream: world.head(stream) + 1}
    webhook = world.webhook(to, lists=[world.builds])
    world.webhook(beside, lists=[world.builds])
    for way, status in (("refuses", None), ("closes", None), ("garbage", None), ("404", 404), ("500", 500), ("302", 302),
                        ("429", 429), ("cut", None), ("trickle", None), ("hang", None)):
        fails(world, to, beside, webhook, way, status)
    to.mode = "endless"
    _, seq = world.add("an endless answer")
    to.wait_for_event(stream, seq)
    line = world.until(webhook, lambda line: line["tries"][-1]["through"] >= seq, "a delivery with an endless answer")
    expect(line["tries"][-1].get("status") == 200 and "trouble" not in line, f"an endless answer counts: {line}")
    to.mode = "ok"
    world.add("the last one")
    complete(world, to, firsts)
    complete(world, beside, firsts)
    expect(trap.connected == 0, "a redirect is followed")
    # A kill before that would let the last one come again.
    head = world.head(stream)
    world.until(webhook, lambda line: line["tries"][-1]["through"] == head, "that the store knows of the last one")
    proved(to, webhook)
    return to, webhook, firsts


def fails(world, to, beside, webhook, way, status):
    """One failure, as the owner sees it, and the delivery again."""
    stream, count = f"c:{world.builds}", len(to.requests)
    if way == "refuses":
        to.refuse()
    else:
        to.mode = way
    begun = time.time()
    post, seq = world.add(f"for a receiver: {way}")
    beside.wait_for_event(stream, seq)
    slow = way in ("trickle", "hang")
    if slow:
        # The webhook rests between two deliveries.
        to.wait(lambda requests: len(requests) > count, f"{way}: the request")
        expect(to.given_up == (way == "hang"), "the other receiver waits for this one")
        world.owner.command("post.edit", category=world.builds, id=post, title="while it lasts")
        beside.wait_for_event(stream, seq + 1)
        expect(to.given_up == (way == "hang"), "the other receiver waits for this one")
        to.wait_given_up(1 + (way == "hang"))
        expect(8 < time.time() - begun < 15, f"given up after {time.time() - begun:.1f} s, not 10")
    line = world.until(webhook, lambda line: "trouble" in line, f"{way}: the trouble")
    trouble, last = line["trouble"], line["tries"][-1]
    expect((trouble["stream"], trouble["from"], trouble["through"], trouble["failures"]) == (stream, seq, seq, 1), f"{way}: {line}")
    expect((last["stream"], last["from"], last["through"], last.get("status")) == (stream, seq, seq, status), f"{way}: {last}")
    expect((status is None) == bool(last.get("error")) and MARK not in last.get("error", ""), f"{way}: {last}")
    expect((last["ms"] >= 9_000) == slow, f"{way}: {last}")
    expect(begun - 1 < trouble["since"] / 1_000 <= last["at"] / 1_000 < time.time() + 1, f"{way}: {line}")
    to.mode = "ok"
    if way == "refuses":
        to.listen()
    if way == "429":
        retried_later(to, seq)
    else:
        expect(world.set("resume", webhook)["changed"], f"{way}: a webhook in trouble goes on")
    to.wait_for_event(stream, world.head(stream))
    tried = {request.id for request in to.requests[count:] if request.content["from"] == seq}
    # While a slow receiver was waited for there was another event: a delivery of both has another id.
    expect(1 <= len(tried) <= 1 + slow, f"{way}: the delivery has the ids {tried}")
    world.until(webhook, lambda line: "trouble" not in line, f"{way}: the end of the trouble")


def retried_later(to, seq):
    """Nobody resumes: the same delivery comes when the receiver has asked for it."""
    to.wait(lambda requests: requests[-1].taken and requests[-1].content["from"] == seq, "the next try")
    first, again = to.requests[-2:]
    expect(6.9 < again.at - first.at < 12, f"again after {again.at - first.at:.1f} s, not 7")
    expect(again.body == first.body and again.headers["webhook-timestamp"] != first.headers["webhook-timestamp"], "another try")


def over_tls(world, folder):
    """A certificate of another name or of an unknown authority is a failure, and the next try comes after 5 s."""
    good, unknown = Authority(folder / "ca"), Authority(folder / "unknown")
    to = receiver(serving=good.issue("elsewhere", names="DNS:example.org").serving)
    webhook = world.webhook(to, lists=[world.work])
    first = world.head(f"c:{world.work}") + 1
    world.add("over TLS", world.work)
    world.until(webhook, lambda line: "trouble" in line, "a certificate for another name")
    to.serving = unknown.issue("localhost").serving
    world.set("resume", webhook)
    line = world.until(webhook, lambda line: "trouble" in line and len(line["tries"]) == 2, "an unknown authority")
    expect(all(each.get("error") for each in line["tries"]), f"{line}")
    to.serving = good.issue("localhost").serving
    complete(world, to, {f"c:{world.work}": first})
    pause = to.requests[0].at - line["tries"][-1]["at"] / 1_000
    expect(len(to.requests) == 1 and 4.9 < pause < 10, f"again after {pause:.1f} s, not 5")
    proved(to, webhook)


# 3 The server fails


class Stops:
    """A webhook whose deliveries are under way when the server is killed or stops."""

    def __init__(self, world):
        self.world, self.to, self.stream, self.kills = world, receiver(), f"c:{world.builds}", []
        self.webhook, self.first = world.webhook(self.to), world.head(self.stream) + 1
        world.add()
        self.to.wait_for_event(self.stream, self.first)

    def stop(self, stop):
        """Stops the server and starts it again."""
        begun = time.time()
        stop()
        if stop == self.world.server.kill:
            self.kills.append((len(self.to.requests), begun))
        self.to.release()
        self.world.server.start()
        self.world.sign_in_again()
        self.world.add("after the start")

    def complete(self):
        complete(self.world, self.to, {self.stream: self.first}, self.may_repeat)

    def may_repeat(self, request, had):
        """After a kill events may come again that were taken shortly before it, whatever comes with them."""
        for count, at in reversed(self.kills):
            if count <= request.number:
                again = {seq for seq, _ in request.events}
                before = [each for each in had if again & {seq for seq, _ in each.events}]
                return all(each.number < count and each.at > at - WRITTEN_AFTER for each in before)
        return False

    def held(self, stop):
        """One delivery has no answer when the server stops."""
        self.to.mode, count = "held", len(self.to.requests)
        self.world.add("held")
        self.to.wait(lambda requests: len(requests) > count, "a delivery that is under way")
        self.stop(stop)
        self.complete()

    def under_load(self, stop):
        """Many deliveries follow each other when the server stops."""
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            count = len(self.to.requests)
            writers = [pool.submit(write, self.world, person) for person in self.world.people]
            self.to.wait(lambda requests: len(requests) >= count + 4, "deliveries under load")
            self.stop(stop)
            expect(all(writer.result() > 5 for writer in writers), "posts while it stops")
        self.complete()


def stopped(world):
    """Deliveries come again after a kill, and earlier ones do not. After a stop none comes again that was taken."""
    stops = Stops(world)
    for stop in (world.server.kill, world.server.stop):
        stops.held(stop)
        stops.under_load(stop)
    proved(stops.to, stops.webhook)
    return len(stops.to.requests)


def write(world, person):
    """Adds posts until the server is gone; their number."""
    client, count = Client(world.server.url), 0
    try:
        say_hello(client, world.people[person][2], streams="none")
        while count < 1_000:
            client.command("post.add", category=world.builds, id=new_id(), title=f"load {count}")
            count += 1
    except (websockets.exceptions.ConnectionClosed, Refused, OSError, EOFError, TimeoutError):
        pass
    return count


# 8 Kept nowhere


def figures(operator, count):
    """The figures count, and name nobody."""
    samples = operator.until("whattodo_webhooks", count)
    for outcome in ("taken", "failed"):
        expect(samples["whattodo_deliveries_total", (("outcome", outcome),)] > 0, f"{outcome}: {samples}")
    expect(MARK not in operator.page, "an address is in the figures")


def kept_nowhere(server, worlds):
    """Neither the log nor an event has an address. When the webhooks are removed, no file has one."""
    log = pathlib.Path(f"{server.data}.log")
    for world in worlds:
        for stream in (f"c:{world.builds}", f"c:{world.work}"):
            expect(MARK not in str(world.log(stream)), "an event has an address")
        expect(MARK not in str([push for client in (world.owner, world.other) for push in client.pushes]), "a push has an address")
        for bot in world.owner.call("bot.list")["bots"]:
            for webhook in bot["webhooks"]:
                world.set("remove", webhook["id"], bot=bot["id"])
    expect(server.stop() == 0, "the end of the server")
    for path in [path for path in pathlib.Path(server.data).rglob("*") if path.is_file()] + [log]:
        expect(MARK.encode() not in path.read_bytes(), f"{path.name} has an address that was removed")


def after_stops(server, worlds, ends):
    """Webhooks that have had everything before get nothing again, whether they were paused when the server was killed or not."""
    paused = [name for name in ends if name != "failing"]
    for name in paused:
        worlds[name].set("pause", ends[name][1])
    worlds["stopped"] = World(server, "stopped", remembers=True)
    deliveries = stopped(worlds["stopped"])
    for world in worlds.values():
        world.sign_in_again()
    for name in paused:
        worlds[name].set("resume", ends[name][1])
    for name, (to, _, firsts) in ends.items():
        worlds[name].add("after it all")
        complete(worlds[name], to, firsts)
    return deliveries


def check(programs, folder):
    authority = Authority(folder / "ca")
    server = Server(programs, folder / "data", "--webhooks-reach-private", "--webhook-authorities", str(authority.certificate),
                    "--metrics-listen", "0", *OPTIONS).start()
    parts = {"first": ordered, "failing": failing, "paused": rules.paused, "access": rules.access, "forms": rules.forms,
             "groups": rules.groups, "tls": lambda world: over_tls(world, folder)}
    try:
        worlds = {name: World(server, name) for name in parts}
        with concurrent.futures.ThreadPoolExecutor(len(parts) + 1) as pool:
            closed = pool.submit(rules.addresses, programs, folder)
            ends = {name: pool.submit(part, worlds[name]) for name, part in parts.items()}
            closed.result()
            ends = {name: end.result() for name, end in ends.items()}
        count = sum(len(bot["webhooks"]) for world in worlds.values() for bot in world.owner.call("bot.list")["bots"])
        figures(Operator(metrics_address(server)), count)
        deliveries = after_stops(server, worlds, {name: end for name, end in ends.items() if end})
        kept_nowhere(server, worlds.values())
        server.verified()
    finally:
        server.stop()
    return f"webhooks: ten failures, {deliveries} deliveries over two kills and two stops, each event in order; no address is kept"


if __name__ == "__main__":
    main(check)
