"""What the tests of webhooks have in common: an owner with a bot, a witness, and the checks of what a receiver has had."""
import secrets
import time

from harness import DEADLINE, Client, Failure, expect, new_id, say_hello, sign_in
from receivers import Receiver

# Part of each address. It may be in no log, event or figure.
MARK = secrets.token_hex(12)
OPTIONS = ("--command-rate", "100000", "--hello-rate", "100000")


def receiver(**more):
    return Receiver(f"/hooks/{MARK}", **more)


class World:
    """An owner with a bot in two lists, and somebody else who is in them too."""

    def __init__(self, server, name, remembers=False):
        self.server, self.name, self.people = server, name, {}
        self.remembers, self.past = remembers, {}
        for person in (name, f"{name}-other"):
            self.people[person] = sign_in(server.url, person)
        self.owner, self.user, _ = self.people[name]
        self.other, _, _ = self.people[f"{name}-other"]
        self.bot = self.new_bot(f"{name}-bot")
        self.builds, self.work = self.list("builds"), self.list("work")

    def new_bot(self, username):
        bot = new_id()
        self.owner.command("bot.add", id=bot, username=username)
        return bot

    def list(self, name, bots=None):
        place, invitation = new_id(), new_id()
        self.owner.command("category.add", id=place, name=name)
        self.owner.command("invitation.send", id=invitation, stream=f"c:{place}", username=f"{self.name}-other", role="admin")
        self.other.command("invitation.accept", id=invitation)
        for bot in bots if bots is not None else [f"{self.name}-bot"]:
            self.let_in(place, bot)
        return place

    def let_in(self, place, username):
        """The number of the event that lets the bot in."""
        self.owner.command("invitation.send", id=new_id(), stream=f"c:{place}", username=username, role="editor")
        return self.head(f"c:{place}")

    def webhook(self, to, bot=None, **more):
        """The id of a new webhook that sends to the receiver."""
        webhook = new_id()
        params = dict(bot=bot or self.bot, id=webhook, name="a program", address=to.address, **more)
        to.secret = self.owner.command("webhook.add", **params)["secret"]
        return webhook

    def set(self, change, webhook, by=None, bot=None):
        return (by or self.owner).command(f"webhook.{change}", bot=bot or self.bot, id=webhook)

    def webhooks(self, owner=None, bot=None):
        """The webhooks of the bot by their ids, as `bot.list` tells them."""
        bots = (owner or self.owner).call("bot.list")["bots"]
        return {line["id"]: line for line in next(each for each in bots if each["id"] == (bot or self.bot))["webhooks"]}

    def until(self, webhook, found, sentence):
        """Waits until `bot.list` tells something of the webhook."""
        end = time.monotonic() + DEADLINE
        while not found(line := self.webhooks()[webhook]):
            expect(time.monotonic() < end, f"{sentence}: {line}")
        return line

    def add(self, title="a post", place=None, by=None):
        """A new post, and the number of its event."""
        post, place = new_id(), place or self.builds
        (by or self.owner).command("post.add", category=place, id=post, title=title)
        return post, self.head(f"c:{place}")

    def head(self, stream):
        return self.owner.call("history.get", stream=stream, limit=1)["events"][0]["seq"]

    def log(self, stream):
        """All events of a stream by their numbers. A page of the past is asked for once, if the world remembers it."""
        known = self.past.get(stream, {})
        events, before = dict(known), {}
        while before is not None:
            page = self.owner.call("history.get", stream=stream, **before)
            events.update((line["seq"], line["event"]) for line in page["events"])
            is_known = any(line["seq"] in known for line in page["events"])
            before = {"before": page["before"]} if "before" in page and not is_known else None
        if self.remembers:
            self.past[stream] = events
        return events

    def sign_in_again(self):
        self.owner, self.other = Client(self.server.url), Client(self.server.url)
        for client, person in ((self.owner, self.name), (self.other, f"{self.name}-other")):
            say_hello(client, self.people[person][2])


class Witness:
    """Another bot of the owner with a webhook of its own. What it has had would have come to others too."""

    def __init__(self, world, *places):
        self.world, self.to = world, receiver()
        self.bot = world.new_bot(f"{world.name}-witness")
        for place in places:
            world.let_in(place, f"{world.name}-witness")
        world.webhook(self.to, bot=self.bot)

    def settle(self, place):
        """Waits until events of the place have come through, twice."""
        for _ in range(2):
            _, seq = self.world.add("witnessed", place)
            self.to.wait_for_event(f"c:{place}", seq)


def complete(world, to, firsts, twice=lambda request, had: False):
    """The receiver has all events of these streams from the first on, in order, as the log has them, and nothing else.

    `twice` says whether a request may come again, after those that it had."""
    for stream, first in firsts.items():
        log, head = world.log(stream), world.head(stream)
        expect(head >= first, f"{stream} has no news")
        to.wait_for_event(stream, head)
        had, last = [], first - 1
        for request in [request for request in to.requests if request.taken and request.content["stream"] == stream]:
            start, count = request.content["from"], len(request.events)
            expect(1 <= count <= 100, f"{count} events in a delivery")
            expect(start == last + 1 or start <= last and twice(request, had), f"{stream}: {start} comes after {last}")
            for seq, event in request.events:
                expect(event == log[seq], f"{stream} {seq}: {event} is not {log[seq]}")
            had, last = had + [request], max(last, start + count - 1)
        expect(last == head, f"{stream} ends with {last}, not {head}")
    told = {request.content["stream"] for request in to.requests}
    expect(told <= set(firsts), f"streams that nobody asked for: {told - set(firsts)}")


def proved(to, webhook):
    """Each request is signed, and says for whom it is."""
    for request in to.requests:
        request.verify(to.secret)
        expect(request.path == f"/hooks/{MARK}" and request.content["webhook"] == webhook, f"{request.path} {request.content}")
        expect(set(request.content) == {"webhook", "stream", "epoch", "from", "events"}, f"its members: {set(request.content)}")
    names = {(request.content["stream"], request.content["from"], len(request.events)): request.id for request in to.requests}
    expect(len(set(names.values())) == len(names) == len({request.id for request in to.requests}), "the id of a delivery is its own")
    try:
        to.requests[0].verify("whsec_" + "x" * 43 + "=")
    except Failure as wrong:
        expect("No matching signature" in str(wrong), f"{wrong}")
    else:
        expect(False, "another secret is good too")
