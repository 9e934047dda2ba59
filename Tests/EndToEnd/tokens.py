"""Bots with owners, and their tokens: tokens.py PROGRAMS

A person makes a bot, lets it into a list and makes tokens for it. A program acts as the bot by a token, as far as the token allows,
and no longer than it is good: also over a kill -9, in two places at once, and while its owner leaves, gives the bot away or goes.
No token is in any file of the server.
"""
import pathlib
import subprocess

from harness import (Client, Refused, Server, closed, expect, main, new_id, refused, say_hello,
                     sign_in)

ELSEWHERE = "this token is for other lists"
WRITES = {"post.add", "post.watch", "post.move_to", "category.add", "post.copy", "undo", "batch"}


class World:
    """A server, an owner with a bot in one of two lists, and somebody else who is in the first."""

    def __init__(self, server):
        self.server = server
        self.owner, self.owner_user, self.owner_token = sign_in(server.url, "owner")
        self.other, self.other_user, _ = sign_in(server.url, "other")
        self.stranger, _, _ = sign_in(server.url, "stranger")
        self.bot, self.builds, self.work = new_id(), new_id(), new_id()
        self.texts = []
        self.owner.command("bot.add", id=self.bot, username="nightly", name="Nightly build")
        for category, name in ((self.builds, "builds"), (self.work, "work")):
            self.owner.command("category.add", id=category, name=name)
        self.share(self.other, "other", "owner")
        self.let_in(self.builds)
        self.let_in(self.work)

    def share(self, client, username, role):
        invitation = new_id()
        self.owner.command("invitation.send", id=invitation, stream=f"c:{self.builds}", username=username, role=role)
        client.command("invitation.accept", id=invitation)

    def let_in(self, category, by=None, role="editor"):
        answer = (by or self.owner).command("invitation.send", id=new_id(), stream=f"c:{category}", username="nightly", role=role)
        expect(answer["changed"] and len(answer["events"]) == 1, f"the own bot is a member at once: {answer}")

    def token(self, **limits):
        token = new_id()
        answer = self.owner.command("token.add", bot=self.bot, id=token, name="a program", **limits)
        self.texts.append(answer["token"])
        return token, answer["token"]

    def program(self, text, streams="all"):
        client = Client(self.server.url)
        client.hello = say_hello(client, text, streams=streams)
        return client

    def mine(self, owner=None):
        return (owner or self.owner).call("bot.list")["bots"]

    def add(self, client, category=None):
        post = new_id()
        client.command("post.add", category=category or self.builds, id=post, title="build 42")
        return post


def streams(hello):
    return [line["stream"] for line in hello["streams"] if line["mode"] != "gone"]


def error(call):
    """Returns the whole error with which a call is refused, to compare it with another one."""
    try:
        answer = call()
    except Refused as refusal:
        return refusal.error
    expect(False, f"an error expected, answered {answer}")


def forbids(call, reason, why):
    told = error(call)
    expect(told["data"]["kind"] == "forbidden" and reason in told["message"], f"{why}: {told}")


def gone_from(program, category):
    """The program hears that it is in the list no longer."""
    program.wait(lambda pushes: any(push["params"]["stream"] == f"c:{category}" for push in pushes
                                    if push["method"] == "sync.gone"), "that the list is gone")


def has_left(pushes, user):
    return any((op["t"], op.get("id")) == ("member.removed", user) for push in pushes if push["method"] == "sync.events"
               for event in push["params"]["events"] for op in event["ops"])


def turned_away(world, text):
    refused(lambda: world.program(text), "unauthenticated", "a token that is not good")


def whole(world):
    """A token without limits: the bot follows, writes and runs, and its owner sees what is used."""
    token, text = world.token()
    expect("usedAt" not in world.mine()[0]["tokens"][0], "a token that nobody has used yet")
    program = world.program(text)
    expect(program.hello["user"] == world.bot, "the token acts as the bot")
    expect(sorted(streams(program.hello)) == sorted([f"c:{world.builds}", f"c:{world.work}", f"u:{world.bot}"]), "all of its streams")
    profile = program.call("profile.get")["profile"]
    expect(profile["owner"] == world.owner_user and profile["kind"] == "bot", f"its profile: {profile}")
    post, run = world.add(program), new_id()
    program.command("run.start", category=world.builds, id=post, run=run, leaseMs=program.hello["limits"]["runLeaseMsMin"])
    program.call("progress.set", category=world.builds, post=post, done=40)
    program.command("run.end", category=world.builds, id=post, run=run, outcome="ok")
    line = world.mine()[0]
    places = [(place["stream"], place["role"]) for place in line["places"]]
    expect(places == sorted((f"c:{each}", "editor") for each in (world.builds, world.work)),
           f"places: {line}")
    expect([each["id"] for each in line["tokens"]] == [token] and "usedAt" in line["tokens"][0], f"tokens: {line}")
    for method, params in (("session.list", {}), ("bot.list", {}), ("account.export", {}), ("account.logout", {}),
                           ("account.change_password", dict(old="", new="a horse battery staple", key=new_id())),
                           ("bot.add", dict(id=new_id(), username="another", key=new_id())),
                           ("token.add", dict(bot=world.bot, id=new_id(), name="x", key=new_id()))):
        refused(lambda: program.call(method, **params), "forbidden", f"{method} by a token")
    second = world.program(text)
    for one, another in ((program, second), (second, program)):
        post = world.add(one)
        another.wait(lambda pushes: any(post in str(push) for push in pushes
                                        if push["method"] == "sync.events"), "what the other did")
    expect(world.owner.call("session.list")["sessions"], "the owner's sessions")
    return program, token, text


def repeated(world):
    """The text is told again to who repeats the request, and to nobody else."""
    once = dict(bot=world.bot, id=new_id(), name="told twice", days=3, key=new_id())
    first = world.owner.call("token.add", **once)
    expect(world.owner.call("token.add", **once) == first, "a repeat answers differently")
    world.texts.append(first["token"])
    refused(lambda: world.owner.command("token.add", **{**once, "key": new_id()}), "exists", "an id for the second time")
    world.owner.command("token.revoke", bot=world.bot, id=once["id"])
    refused(lambda: world.owner.command("token.add", **{**once, "key": new_id()}), "exists", "the id of a revoked token")
    turned_away(world, first["token"])
    for client in (world.other, world.stranger):
        refused(lambda: client.command("token.add", bot=world.bot, id=new_id(), name="x"), "not_found", "somebody else's bot")
        refused(lambda: client.command("bot.end", bot=world.bot), "not_found", "somebody else's bot")
        told = [error(lambda: client.command("bot.end", bot=bot)) for bot in (world.bot, new_id())]
        expect(told[0] == told[1], f"somebody else's bot and none: {told}")


def of_lists(world):
    """A token for one list shows this list, and nothing is written elsewhere by it."""
    token, text = world.token(lists=[world.builds])
    program = world.program(text)
    expect(streams(program.hello) == [f"c:{world.builds}"], f"one list: {program.hello['streams']}")
    opened = program.call("sync.open", streams=[{"stream": stream} for stream in (f"c:{world.work}", f"u:{world.bot}")])["streams"]
    expect({line["mode"] for line in opened} == {"gone"}, f"other streams: {opened}")
    post = world.add(program)
    program.call("post.list", category=world.builds, show="open")
    away = [("post.add", dict(category=world.work, id=new_id(), title="x")), ("post.list", dict(category=world.work, show="open")),
            ("search", dict(text="build")), ("post.query", {}), ("category.list", dict(show="mine")), ("notification.list", {}),
            ("profile.get", {}), ("member.list", dict(stream=f"c:{world.work}")), ("post.watch", dict(category=world.builds, id=post, watch=True)),
            ("post.move_to", dict(category=world.builds, id=post, to=world.work)), ("category.add", dict(id=new_id(), name="x")),
            ("post.copy", dict(category=world.builds, id=post, copy=new_id(), to=world.work)),
            ("presence.set", dict(stream=f"c:{world.work}", state="here")),
            ("undo", moved_away(world)), ("undo.preview", moved_away(world)),
            ("post.move_to", dict(category=world.builds, id=post, to=new_id())), ("batch", dict(commands=[
                dict(method="post.add", params=dict(category=category, id=new_id(), title="x"))
                for category in (world.builds, world.work)]))]
    for method, params in away:
        key = dict(key=new_id()) if method in WRITES else {}
        forbids(lambda: program.call(method, **params, **key), ELSEWHERE, f"{method} elsewhere")
    listed = [line for line in world.mine()[0]["tokens"] if line["id"] == token]
    expect(listed[0]["lists"] == [world.builds] and "methods" not in listed[0], f"its limits: {listed}")
    entered_later(world)


def entered_later(world):
    """A program by a token for a list follows the list as soon as its bot is in it, and no other list."""
    later, other = new_id(), new_id()
    for category in (later, other):
        world.owner.command("category.add", id=category, name="later")
    token, text = world.token(lists=[later])
    program = world.program(text)
    expect(program.hello["streams"] == [], f"nothing yet: {program.hello['streams']}")
    world.let_in(other)
    world.let_in(later)
    program.wait(lambda pushes: any(push["method"] == "sync.live" for push in pushes), "the list that its bot is in now")
    expect({push["params"]["stream"] for push in program.pushes} == {f"c:{later}"}, f"one list: {program.pushes}")
    world.owner.command("token.revoke", bot=world.bot, id=token)
    for category in (later, other):
        world.owner.command("member.remove", stream=f"c:{category}", user=world.bot)
        world.owner.command("category.remove", id=category)


def moved_away(world):
    """The bot itself moves a post to the other list. An undo of its event here writes there too."""
    _, text = world.token()
    program, stream = world.program(text), f"c:{world.builds}"
    post = world.add(program)
    program.command("post.move_to", category=world.builds, id=post, to=world.work)
    seq = program.call("history.get", stream=stream, limit=1)["events"][0]["seq"]
    program.close()
    return dict(stream=stream, events=[seq])


def of_methods(world):
    """A token for some methods allows no others, whatever batch they are in."""
    _, text = world.token(methods=["post.add", "run.start"])
    program = world.program(text, streams="none")
    world.add(program)
    refused(lambda: program.call("post.list", category=world.builds, show="open"), "forbidden", "another method")
    add = dict(method="post.add", params=dict(category=world.builds, id=new_id(), title="in a batch"))
    program.command("batch", commands=[add])
    remove = dict(method="post.remove", params=dict(category=world.builds, id=add["params"]["id"]))
    refused(lambda: program.command("batch", commands=[remove]), "forbidden", "another method in a batch")
    refused(lambda: world.owner.command("token.add", bot=world.bot, id=new_id(), name="x", methods=["account.delete"]), "invalid")


def revoked(world, program, token, text):
    """Who is connected by a revoked token hears of nothing any more; the other tokens stay."""
    _, other = world.token()
    stays = world.program(other)
    world.owner.command("token.revoke", bot=world.bot, id=token)
    expect(closed(program) == 4506, "the connection closes")
    turned_away(world, text)
    world.add(stays)
    refused(lambda: world.owner.command("token.revoke", bot=world.bot, id=token), "not_found", "a token that is revoked")


def killed(world):
    """After a kill -9 the tokens are what they were."""
    _, text = world.token()
    world.server.kill()
    world.server.start()
    world.owner = Client(world.server.url)
    say_hello(world.owner, world.owner_token)
    world.other, _, _ = sign_in(world.server.url, "other", register_first=False)
    world.stranger, _, _ = sign_in(world.server.url, "stranger", register_first=False)
    world.add(world.program(text))


def leaves(world, go):
    """The bot leaves with its owner, in the same transaction. `go` takes the owner out."""
    _, text = world.token()
    program = world.program(text)
    go()
    gone_from(program, world.builds)
    refused(lambda: world.add(program), "not_found", "a list that the owner has left")
    members = {line["username"]: line.get("role") for line in world.other.call("member.list", stream=f"c:{world.builds}")["members"]}
    expect(members["owner"] is None and members["nightly"] is None, f"members: {members}")
    world.add(program, world.work)
    invitation = new_id()
    world.other.command("invitation.send", id=invitation, stream=f"c:{world.builds}", username="owner", role="admin")
    world.owner.command("invitation.accept", id=invitation)
    world.let_in(world.builds)


def forgotten(world):
    """The terminal signs in by a token. Its logout deletes the token here, whether the token is still good or not."""
    def run(*words, text=None):
        return subprocess.run([pathlib.Path(world.server.program).with_name("whattodo"), "--state", f"{world.server.data}-terminal", "--server", world.server.url, *words],
                              input=text, capture_output=True, text=True, timeout=60)

    wrong = run("login", "No Name", "--token-stdin", text="x")
    expect(wrong.returncode == 2 and "is no username" in wrong.stderr, f"a name that nobody has: {wrong}")
    for revokes in (False, True):
        token, text = world.token()
        came = run("login", "nightly", "--token-stdin", text=text)
        expect(came.returncode == 0 and "signed in as nightly" in came.stdout, f"by the token: {came}")
        expect("builds" in run("do", "lists").stdout, "its lists")
        if revokes:
            world.owner.command("token.revoke", bot=world.bot, id=token)
        left = run("do", "logout")
        expect(left.returncode == 0 and ("signed out" if revokes else "token is forgotten") in left.stdout, f"logout: {left}")
        expect(run("do", "lists").returncode == 4, "nobody is signed in")
        if not revokes:
            world.owner.command("token.revoke", bot=world.bot, id=token)


def handed_over(world):
    told = [error(lambda: world.owner.command("bot.give", bot=world.bot, username=username))
            for username in ("nobody-at-all", "stranger", "nightly", world.guest_name)]
    expect(told[0]["data"]["kind"] == "not_found" and all(each == told[0] for each in told),
           f"to a stranger and to nobody: {told}")
    _, text = world.token()
    refusal = error(lambda: world.owner.command("bot.give", bot=world.bot, username="other"))
    expect(refusal["data"]["kind"] == "forbidden" and f"work (c:{world.work})" in refusal["message"]
           and world.builds not in refusal["message"], f"the other would see more by the bot: {refusal}")
    world.owner.command("member.remove", stream=f"c:{world.work}", user=world.bot)
    program = world.program(text)
    world.owner.command("bot.give", bot=world.bot, username="other")
    expect(closed(program) == 4506, "the former owner has this token")
    turned_away(world, text)
    expect([line["username"] for line in world.mine(world.other)] == ["nightly"] and world.mine() == [], "the bot of the other")
    refused(lambda: world.owner.command("bot.end", bot=world.bot), "not_found", "the former owner")
    world.other.command("bot.give", bot=world.bot, username="owner")
    world.let_in(world.work)


def ended(world):
    _, text = world.token()
    program = world.program(text)
    world.owner.command("bot.end", bot=world.bot)
    expect(closed(program) == 4506, "the connection of a bot that ends closes")
    turned_away(world, text)
    expect(world.mine()[0]["endsAt"] and world.mine()[0]["tokens"] == [], f"{world.mine()}")
    refused(lambda: world.owner.command("token.add", bot=world.bot, id=new_id(), name="x"), "gone", "a token of a bot that ends")
    world.owner.command("bot.keep", bot=world.bot)
    expect("endsAt" not in world.mine()[0], "the bot is kept")
    turned_away(world, text)
    token, text = world.token()
    world.add(world.program(text))
    world.owner.command("token.revoke", bot=world.bot, id=token)


def guests(world):
    """A guest who is in the list owns no bot, and is given none (`handed_over`)."""
    guest = Client(world.server.url)
    begun = guest.call("account.guest", id=new_id(), name="Somebody", device="0123456789abcdef")
    guest.hello = say_hello(guest, begun["token"])
    world.guest_name = begun["username"]
    forbids(lambda: guest.command("bot.add", id=new_id(), username="a-guests-bot"),
            "a guest has no bots", "a bot of a guest")
    world.share(guest, world.guest_name, "editor")


def limits(world):
    refused(lambda: world.owner.command("bot.add", id=new_id(), username="martian", zone="Mars/Olympus"), "invalid", "a zone that is none")
    for number in range(9):
        world.owner.command("bot.add", id=new_id(), username=f"bot-{number}")
    refused(lambda: world.owner.command("bot.add", id=new_id(), username="one-more"), "quota")
    for _ in range(10):
        world.token()
    refused(lambda: world.token(), "quota")


def operated(world):
    """A bot that has an account with a password gets an owner; its password stays good."""
    robot, user, _ = sign_in(world.server.url, "robot", kind="bot")

    def own(bot, owner):
        return subprocess.run([world.server.program, "bot", "owner", bot, owner, "--data", str(world.server.data)],
                              capture_output=True, text=True, timeout=30)

    expect("is no bot" in own("other", "owner").stderr, "a person is owned by nobody")
    expect("owns none" in own("robot", "nightly").stderr, "a bot owns no bot")
    expect(own("robot", "stranger").returncode == 0, "the command")
    robot.wait(lambda pushes: "bot.given" in str(pushes), "that it has an owner")
    expect([line["id"] for line in world.mine(world.stranger)] == [user], "the bot of the stranger")
    sign_in(world.server.url, "robot", register_first=False)[0].close()
    refused(lambda: robot.command("bot.add", id=new_id(), username="a-bots-bot"), "forbidden", "a bot of a bot")
    world.share(robot, "robot", "viewer")
    world.stranger.command("account.delete", password="correct horse battery")
    subprocess.run([world.server.program, "user", "delete", "stranger", "--days", "0", "--data", str(world.server.data)], check=True, timeout=30)
    expect(closed(robot) == 4506, "the bot goes with its owner")
    # The bot's end is a part of its own, and leaving the places is the part after it.
    world.owner.wait(lambda pushes: has_left(pushes, user), "that the bot has left")
    refused(lambda: sign_in(world.server.url, "robot", register_first=False), "unauthenticated", "a bot whose owner is gone")


def kept_nowhere(world):
    data = pathlib.Path(world.server.data)
    for path in [path for path in data.rglob("*") if path.is_file()] + [pathlib.Path(f"{data}.log")]:
        content = path.read_bytes()
        for text in world.texts:
            expect(text.encode() not in content, f"{path.name} has a token")


def check(programs, folder):
    server = Server(programs, folder / "data", "--guests", "5").start()
    try:
        world = World(server)
        program, token, text = whole(world)
        repeated(world)
        of_lists(world)
        of_methods(world)
        revoked(world, program, token, text)
        killed(world)
        builds = f"c:{world.builds}"
        removal = dict(stream=builds, user=world.owner_user)
        leaves(world, lambda: world.other.command("member.remove", **removal))
        leaves(world, lambda: world.owner.command("member.leave", stream=builds))
        guests(world)
        forgotten(world)
        handed_over(world)
        ended(world)
        operated(world)
        limits(world)
        kept_nowhere(world)
    finally:
        server.stop()
    server.verified()
    return f"bots and tokens: {len(world.texts)} tokens made, none kept; every limit held"


if __name__ == "__main__":
    main(check)
