"""Every method at random and with sense: sensible.py PROGRAMS [SEED [REQUESTS]]

Five people, a bot and a guest send random requests about things that exist, with roles that may and roles that may not. Each
method of protocol/schema succeeds at least once; none is answered `internal` or `unavailable`; nobody's connection ends
unasked; the server does not end, and `verify` is content afterwards.
"""
import collections
import json
import random
import sys
import time

from websockets.exceptions import ConnectionClosed

from harness import Client, Failure, Refused, Server, expect, main, new_id, say_hello
from sense import Maker, World

PASSWORD = "correct horse battery"
REQUESTS = 12_000
CLIENT = {"name": "sensible", "version": "1"}
# Those about the own account are asked in an order that makes sense: `accounts` below.
OF_ACCOUNTS = {"hello", "account.register", "account.login", "account.recover", "account.change_password", "account.logout",
               "session.close", "session.pair", "account.pair", "account.guest", "account.upgrade", "account.delete", "account.keep"}
NEVER = {"internal", "unavailable"}
# How often, where it is not once: less of what ends things, more of what seldom fits.
OFTEN = {"post.add": 4, "step.add": 4, "tag.add": 4, "post.skip": 4, "category.remove": 0.1, "group.remove": 0.1, "member.leave": 0.4,
         "member.remove": 0.1, "member.set_role": 0.5, "person.block": 0.1, "category.archive": 0.2, "post.erase": 0.3, "account.export": 0.3, "history.state": 0.3}


class Player:
    """Somebody who asks for anything."""

    def __init__(self, game, name, kind="person"):
        self.game, self.name = game, name
        self.client = Client(game.server.url)
        self.user = new_id()
        self.client.call("account.register", id=self.user, username=name, name=name, zone="Europe/Lisbon", password=PASSWORD,
                         **({"kind": kind} if kind == "bot" else {}))
        self.token = self.login(self.client)
        say_hello(self.client, self.token)
        game.world.add("user", self.user)
        game.world.add("username", name)

    def login(self, client):
        return client.call("account.login", username=self.name, password=PASSWORD, client=CLIENT)["token"]

    def ask(self, method, params):
        key = {"key": new_id()} if method in self.game.keyed else {}
        result = self.game.told(method, lambda: self.client.call(method, **params, **key))
        del self.client.pushes[:]
        return result


class Game:
    def __init__(self, server, seed):
        self.server = server
        self.random = random.Random(seed)
        self.world = World(self.random)
        self.maker = Maker(self.world, self.random)
        self.keyed = set(self.maker.commands())
        # Who made a list or a group, by its id.
        self.makers = {}
        self.succeeded, self.refusals = collections.Counter(), collections.defaultdict(collections.Counter)

    def told(self, method, call):
        """The result, or None when it was refused."""
        try:
            result = call()
        except Refused as refusal:
            self.refusals[method][refusal.kind] += 1
            expect(refusal.kind not in NEVER, f"{method} was answered {refusal}")
            return None
        except (ConnectionClosed, TimeoutError) as end:
            raise Failure(f"{method} got no answer: {end!r}") from None
        self.succeeded[method] += 1
        return result

    def learn(self, method, params, result):
        """Remembers what a request made and where its stream's head is."""
        for event in result.get("events", []) if isinstance(result, dict) else []:
            if isinstance(event, dict) and "stream" in event:
                self.world.heads[event["stream"]] = max(event["seq"], self.world.heads.get(event["stream"], 0))
        area, _, verb = method.partition(".")
        if verb in ("add", "upsert", "copy", "make", "make_code", "send", "save") and area != "reminder":
            place = params.get("category")
            if area in ("post", "import"):
                self.world.add("post", params.get("copy") or params["id"], params.get("to") or place)
                self.learn_contest(params, place)
            elif area == "step":
                self.world.add("step", params["step"], params["id"])
                if params["id"] in self.world.things.get(("coop", place), []):
                    self.world.add("coop with steps", params["id"], place)
            else:
                self.world.add(area, params["id"], place if area in ("tag", "link") else None)
                self.world.add(area, params["id"], params.get("stream"))
        if method in ("token.add", "webhook.add"):
            self.world.add("bot of", params["bot"], params["id"])
        if method == "run.start":
            self.world.add("running", params["id"], params["category"])
            self.world.add("run", params["run"], params["id"])
        if method in ("post.complete", "step.complete") and result.get("changed"):
            self.world.add("completed", params["id"], params["category"])
            self.world.add("completion", result["events"][0]["seq"], params["id"])
        if method == "line.say":
            self.world.add("line", result["events"][0]["seq"], params["stream"])
        if "code" in result:
            self.world.add("code", result["code"])


    def learn_contest(self, params, place):
        if params.get("contest"):
            self.world.add(params["contest"], params["id"], place)
            if params.get("goal"):
                self.world.add("goal", params["id"], place)


def play(game, players, requests):
    """So many requests; more, as long as a method has not succeeded, up to four times as many."""
    methods = [method for method in game.maker.methods if method not in OF_ACCOUNTS]
    weights = [OFTEN.get(method, 1) for method in methods]
    for number in range(4 * requests):
        missing = [method for method in methods if not game.succeeded[method]]
        if number >= requests and not missing:
            return
        method = game.random.choice(missing) if number >= requests else game.random.choices(methods, weights)[0]
        params = game.maker.params(method)
        player = game.makers.get(place(params)) if game.random.random() < 0.6 else None
        do(game, player or game.random.choice(players), players, method, params)


def place(params):
    """The id of the list, group or bot that a request is about."""
    return params.get("category") or (params.get("stream") or "")[2:] or params.get("bot") or params.get("id")


def do(game, player, players, method, params):
    result = player.ask(method, params)
    if result is None:
        return
    game.learn(method, params, result)
    if method in ("category.add", "group.add"):
        game.makers[params["id"]] = player
        share(game, player, players, f"{method[0]}:{params['id']}")
    elif method == "bot.add":
        game.makers[params["id"]] = player
        do(game, player, players, "token.add", {"bot": params["id"], "id": new_id(), "name": "a program"})
        address = game.maker.make_address({})
        do(game, player, players, "webhook.add", {"bot": params["id"], "id": new_id(), "name": "a chat", "address": address})
    elif method == "webhook.add":
        for step in ("pause", "resume", "remove"):
            if not game.succeeded[f"webhook.{step}"] or game.random.random() < 0.5:
                do(game, player, players, f"webhook.{step}", {"bot": params["bot"], "id": params["id"]})
    elif method == "token.add" and (not game.succeeded["token.revoke"] or game.random.random() < 0.5):
        do(game, player, players, "token.revoke", {"bot": params["bot"], "id": params["id"]})
    elif method == "invitation.send":
        for other in players:
            # An invitation is mostly answered, so that people meet.
            if other.name == params["username"] and (answer := game.random.choice(["accept"] * 7 + ["decline", None, None])):
                other.ask(f"invitation.{answer}", {"id": params["id"]})
    elif method == "post.complete" and "occurrence" in params and result["events"] and game.random.random() < 0.5:
        ended = {"category": params["category"], "event": result["events"][0]["seq"]}
        do(game, player, players, "event.react", {**ended, "sign": "👏"})
        # Somebody made a slip.
        event = {"category": params["category"], "id": params["id"], "event": result["events"][0]["seq"]}
        do(game, player, players, "post.take_back", event)


def share(game, player, players, stream):
    """Brings others in, with roles that may and roles that may not."""
    for other in game.random.sample(players, 3):
        role = game.random.choice(["viewer", "doer", "editor", "admin"])
        do(game, player, players, "invitation.send", {"id": new_id(), "stream": stream, "username": other.name, "role": role})


def again(game):
    """A post that comes again is completed, and that is taken back."""
    post = {"category": game.world.some("category"), "id": new_id()}
    player = game.makers[post["category"]]
    player.ask("post.add", {**post, "title": "plants", "due": {"date": "2099-01-05"}, "recurrence": {"rule": "FREQ=WEEKLY"}})
    done = player.ask("post.complete", {**post, "occurrence": 1})
    event = done["events"][0]["seq"]
    player.ask("event.react", {"category": post["category"], "event": event, "sign": "👏"})
    player.ask("post.take_back", {**post, "event": event})


def raced(game):
    """A race and a coop, with everything that a contest has."""
    category = game.world.some("category")
    (race, coop), step = ({"category": category, "id": new_id()} for _ in range(2)), new_id()
    asked = [("post.add", {**race, "title": "run", "contest": "race", "goal": {"amount": 300, "unit": "km"}}), ("contest.withdraw", race),
             ("contest.join", race), ("contest.reach", {**race, "amount": 42}), ("post.add", {**coop, "title": "read", "contest": "coop"}),
             ("step.add", {**coop, "step": step, "content": "a chapter"})]
    asked += [(f"contest.{verb}", {**coop, "step": step}) for verb in ("claim", "release")]
    for method, params in asked:
        result = game.makers[category].ask(method, params)
        expect(result is not None, f"{method} was refused: {dict(game.refusals[method])}")
        game.learn(method, params, result)


def accounts(game):
    """A life of an account, from its beginning to its end."""
    told, client = game.told, Client(game.server.url)
    name, user, again = f"short-{game.random.randrange(10**6)}", new_id(), "another good password"
    registered = told("account.register", lambda: client.call("account.register", id=user, username=name, name="S", zone="UTC", password=PASSWORD))
    login = told("account.login", lambda: client.call("account.login", username=name, password=PASSWORD, client=CLIENT))
    told("hello", lambda: say_hello(client, login["token"]))
    paired = told("session.pair", lambda: client.call("session.pair"))
    second = Client(game.server.url)
    other = told("account.pair", lambda: second.call("account.pair", code=paired["code"], client=CLIENT))
    say_hello(second, other["token"])
    told("session.close", lambda: client.command("session.close", id=other["session"]))
    told("account.change_password", lambda: client.command("account.change_password", old=PASSWORD, new=again))
    told("account.delete", lambda: client.command("account.delete", password=again))
    told("account.keep", lambda: client.command("account.keep"))
    told("account.logout", lambda: client.command("account.logout"))
    third = Client(game.server.url)
    told("account.recover", lambda: third.command("account.recover", username=name, code=registered["recoveryCode"], password=PASSWORD))
    guest, device = Client(game.server.url), "device-of-a-guest-" + name
    came = told("account.guest", lambda: guest.call("account.guest", id=new_id(), device=device, client=CLIENT))
    say_hello(guest, came["token"])
    told("account.upgrade", lambda: guest.command("account.upgrade", username=f"{name}-g", password=PASSWORD))
    for each in (client, second, third, guest):
        each.close()


def sensible(programs, folder):
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(10**9)
    requests = int(sys.argv[3]) if len(sys.argv) > 3 else REQUESTS
    print(f"seed {seed}", flush=True)
    fast = "1000000"
    server = Server(programs, folder / "data", "--command-rate", fast, "--bot-rate", fast, "--line-rate", fast, "--hello-rate", fast, "--guests", "50").start()
    begun = time.monotonic()
    try:
        game = Game(server, seed)
        players = [Player(game, f"player-{number}", "bot" if number == 5 else "person") for number in range(6)]
        for player in players[:3]:
            for method in ("category.add", "group.add"):
                do(game, player, players, method, {"id": new_id(), "name": f"of {player.name}"})
        accounts(game)
        again(game)
        raced(game)
        play(game, players, requests)
        expect(server.process.poll() is None, "the server ended")
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    status, said = server.verify()
    expect(status == 0, f"verify: {said}")
    missing = {method: dict(game.refusals[method]) for method in game.maker.methods if not game.succeeded[method]}
    expect(not missing, f"never succeeded, and how they were refused: {json.dumps(missing)}")
    total = sum(game.succeeded.values()) + sum(sum(kinds.values()) for kinds in game.refusals.values())
    return (f"sensible: {total} requests of {len(game.succeeded)} methods, {sum(game.succeeded.values())} succeeded, "
            f"none internal, {time.monotonic() - begun:.0f} s")


main(sensible)
