"""Who may do what, asked of the real server cell by cell: permissions.py PROGRAMS

The table is read from protocol/README.md §3.5, not written down again: every method of §8 that it names is called by
somebody of each role (as a member of the list, and through the group that owns it), by a guest, by whoever was a member,
by a stranger, by bots in all these places, by who looks by a link, and by who has not said hello. Each cell has a list of its own in which the call
succeeds for whoever may make it, so an answer is a result, or it is `forbidden`, `not_found` or `unauthenticated`.
What depends on more than the method is in permission_cases.py.
"""
import json
import pathlib
import re

import permission_cases
from harness import Client, Refused, Server, expect, main, new_id, say_hello, sign_in
from samples import ID, listed

LAW = (pathlib.Path(__file__).parent.parent.parent / "protocol/README.md").read_text(encoding="utf-8")
METHODS = re.findall(r"^#### `([a-z_.]+)`$", LAW, re.MULTILINE)
ROLES = permission_cases.ROLES
# Asked of one's own account, of the server, or of what one brings with oneself: no role is looked at.
OF_NOBODY = {
    "hello", "ping", "sync.close", "batch", "server.about", "group.add", "notification.list", "digest.get", "settings.edit",
    "invitation.accept", "invitation.decline", "invitation.redeem",
}
OWN_ACCOUNT = ("account.", "session.", "profile.", "person.", "filter.", "bot.", "token.", "webhook.")
# §5.5 in the table.
OF_THE_MOMENT = {"presence.set", "typing.set", "progress.set"}
OF_GROUPS = {"category.add", "group.edit", "group.remove", "group.restore"}
# Lists what one may restore: whoever may not has an answer without it.
WITHOUT_REFUSAL = {"category.list"}


def table():
    """For each role the methods that it may call beside those of the roles before it, as §3.5 says."""
    rows = dict(re.findall(r"^\| `([a-z]+)` \| (.*) \|$", LAW.split("### 3.5")[1].split("### 3.6")[0], re.MULTILINE))
    expect(list(rows) == ROLES, f"the roles of §3.5: {list(rows)}")
    named = {role: {name for name in re.findall(r"(?<!\()`([a-z_.…]+)`", rows[role]) if name in METHODS or name.endswith("…")}
             for role in ROLES}
    plain = {name for names in named.values() for name in names if "…" not in name}
    first, seen = {}, set()
    for role in ROLES:
        methods = set()
        for name in named[role]:
            methods |= {m for m in METHODS if m.startswith(name[:-1]) and m not in plain} if name.endswith("…") else {name}
        first[role] = methods - seen
        seen |= methods
    first["viewer"] |= OF_THE_MOMENT | {"sync.open", "post.list"}
    first["owner"] -= {"post.erase"}  # editors of what they added, which is what is asked here
    first["editor"] |= {"post.erase"}
    for methods in first.values():
        methods -= WITHOUT_REFUSAL
    judged = set().union(*first.values())
    rest = {m for m in METHODS if m not in judged | OF_NOBODY | WITHOUT_REFUSAL and not m.startswith(OWN_ACCOUNT)}
    expect(not rest, f"§3.5 does not say who may call {sorted(rest)}")
    return first


class Cell:
    """A list made for one call, and what the call needs there."""

    def __init__(self, host, group=None):
        self.host, self.group = host, group
        self.category, self.post, self.done, self.removed, self.step, self.tag, self.again, self.code, self.link, self.run = (
            new_id() for _ in range(10))
        self.race, self.coop = new_id(), new_id()
        self.stream = f"c:{self.category}"
        self.own = self.post
        self.event = self.ending = self.line = 1
        in_group = {"group": group} if group else {}
        host.command("batch", commands=[{"method": method, "params": params} for method, params in [
            ("category.add", dict(id=self.category, name="a list", **in_group)),
            ("post.add", dict(category=self.category, id=self.post, title="open")),
            ("step.add", dict(category=self.category, id=self.post, step=self.step, content="a step")),
            ("post.add", dict(category=self.category, id=self.done, title="done")),
            ("post.add", dict(category=self.category, id=self.removed, title="removed")),
            ("post.remove", dict(category=self.category, id=self.removed)),
            ("post.add", dict(category=self.category, id=self.again, title="again", due={"date": "2030-01-01"},
                              recurrence={"rule": "FREQ=DAILY"})),
            ("post.add", dict(category=self.category, id=self.race, title="race", contest="race")),
            ("post.add", dict(category=self.category, id=self.coop, title="coop", contest="coop", goal={"amount": 9, "unit": "km"})),
            ("step.add", dict(category=self.category, id=self.coop, step=self.step, content="a step")),
            ("tag.add", dict(category=self.category, id=self.tag, name="tag")),
        ]])
        host.command("invitation.make_code", id=self.code, stream=self.stream, role="viewer")
        host.command("link.make", category=self.category, id=self.link)

    def admit(self, client, user, role):
        """By a code, which ownership is not given by."""
        code = self.host.command("invitation.make_code", id=new_id(), stream=self.stream,
                                 role="admin" if role == "owner" else role)["code"]
        client.command("invitation.redeem", code=code)
        if role == "owner":
            self.host.command("member.set_role", stream=self.stream, user=user, role="owner")

    def completes(self, client, role):
        """Completes a post, with whoever may not it is the host: what is done, and can be taken back."""
        may = ROLES.index(role) >= ROLES.index("doer")
        by = client if may else self.host
        done = by.command("post.complete", category=self.category, id=self.done)
        self.event = done["events"][0]["seq"]
        if ROLES.index(role) >= ROLES.index("editor"):
            self.own = new_id()
            client.command("post.add", category=self.category, id=self.own, title="of my own")


class Parameters:
    """The parameters of calls that succeed for whoever may make them. Those of a change are its sample's, with the ids of the cell."""

    def __init__(self, programs):
        _, samples, self.things = listed(programs)
        # A further sample of a method has more in its name.
        self.params = {sample["sample"]: sample["then"]["message"]["params"] for sample in samples}

    def of(self, method, cell, world):
        special = special_parameters(method, cell, world)
        if special is not None:
            return special
        expect(method in self.params, f"say in permissions.py with which parameters {method} is asked")
        ids = self.ids(cell, world)
        text = ID.sub(lambda found: ids.setdefault(found[0], new_id()), json.dumps(self.params[method]))
        params = {name: value for name, value in json.loads(text).items() if name not in ("key", "ifVersion")}
        return dict(params, username=world.asked) if "username" in params else params

    def ids(self, cell, world):
        """The ids that take the place of the household's; anything else is new."""
        here = {
            "list": cell.category, "ownList": world.own_list, "group": cell.group or new_id(), "open": cell.post, "done": cell.done,
            "removed": cell.removed, "own": cell.own, "claimed": cell.post, "daily": cell.again, "tag": cell.tag,
            "invitation": cell.code, "link": cell.link, "sender": world.host_user, "member": world.third_user,
        }
        expect(set(here) == set(self.things), f"things of the household: {sorted(self.things)}")
        return {self.things[name]: known for name, known in here.items()}


def special_parameters(method, cell, world):
    """The parameters of a request, and of a change that needs the numbers and the steps of this cell. None for the others."""
    category, post = cell.category, dict(category=cell.category, id=cell.post)
    stream, step = dict(stream=cell.stream), dict(category=cell.category, id=cell.post, step=cell.step)
    race, coop = (dict(category=category, id=one) for one in (cell.race, cell.coop))
    return {
        "post.list": dict(category=category, show="open"),
        "post.assign": dict(post, user=world.host_user),
        "run.phase": dict(post, run=cell.run, phase="new"), "run.end": dict(post, run=cell.run, outcome="ok"),
        "contest.join": race, "contest.withdraw": race, "contest.reach": dict(coop, amount=5),
        "contest.claim": dict(coop, step=cell.step), "contest.release": dict(coop, step=cell.step),
        "post.skip": dict(category=category, id=cell.again, occurrence=1),
        "post.take_back": dict(category=category, id=cell.again, event=cell.ending),
        "post.twins": dict(category=category, title="open"),
        "post.query": dict(streams=[cell.stream]),
        "stats.get": {"stream": cell.stream, "from": "2030-01-01", "to": "2030-01-02"},
        "agenda.get": {"from": "2030-01-01", "to": "2030-01-02", "streams": [cell.stream]},
        "search": dict(text="open", streams=[cell.stream]),
        "step.add": dict(post, step=new_id(), content="new"),
        "step.edit": dict(step, content="new"),
        "step.move": step, "step.remove": step, "step.complete": step, "step.reopen": step,
        "invitation.codes": stream, "member.list": stream,
        "link.list": dict(category=category),
        "notification.read": dict(stream, seq=1),
        "sync.open": dict(streams=[stream]),
        "presence.set": dict(stream, state="here"),
        "typing.set": dict(category=category, state="typing"),
        "progress.set": dict(category=category, post=cell.post, done=5),
        "history.get": stream,
        "history.state": dict(category=category, seq=cell.event),
        "history.diff": {"category": category, "from": cell.event, "to": cell.event},
        "undo.preview": dict(stream, events=[cell.event]),
        "undo": dict(stream, events=[cell.event]),
        "event.react": dict(category=category, event=cell.event, sign="👏"),
        "line.say": dict(stream, text="new", post=cell.post), "line.edit": dict(stream, line=cell.line, text="other words"),
        "line.react": dict(stream, line=cell.line, sign="👏"), "line.remove": dict(stream, line=cell.line),
    }.get(method)


class Somebody:
    """Who sends, and how they came to where they are."""

    def __init__(self, world, name, role=None, how="direct", kind="person"):
        self.name, self.role, self.how, self.kind = name, role, how, kind
        self.host, _, _ = sign_in(world.server.url, f"host-{name}", streams="none")
        world.host_user = self.host.hello["user"]
        self.client, self.user = self.enter(world)
        self.own_list = new_id()
        if self.how not in ("link", "silent"):
            self.client.command("category.add", id=self.own_list, name="my own")
        self.group, self.lists = None, 0
        if how in ("group", "former in a group"):
            self.another_group()

    def another_group(self):
        """A group has room for 100 lists."""
        self.group, self.lists = new_id(), 0
        self.host.command("group.add", id=self.group, name="a group")
        self.join(f"g:{self.group}")
        if self.how == "former in a group":
            self.host.command("member.remove", stream=f"g:{self.group}", user=self.user)

    def enter(self, world):
        if self.how in ("link", "silent"):
            return Client(world.server.url), None
        if self.how == "guest":
            client = Client(world.server.url)
            begun = client.call("account.guest", id=new_id(), device="0123456789abcdef")
            client.hello = say_hello(client, begun["token"], streams="none")
            return client, begun["user"]
        client, user, _ = sign_in(world.server.url, self.name, kind=self.kind, streams="none")
        kind = client.call("profile.get")["profile"]["kind"]
        expect(kind == self.kind, f"{self.name} is a {kind}")
        return client, user

    def join(self, stream):
        code = self.host.command("invitation.make_code", id=new_id(), stream=stream,
                                 role="admin" if self.role == "owner" else self.role)["code"]
        self.client.command("invitation.redeem", code=code)
        if self.role == "owner":
            self.host.command("member.set_role", stream=stream, user=self.user, role="owner")

    def cell(self, method, world):
        """A new list, with this person in it as they are."""
        if self.lists == 100:
            self.another_group()
        self.lists += self.group is not None
        group = self.group
        if method in OF_GROUPS and group and self.how == "group":
            group = new_id()
            self.host.command("group.add", id=group, name="another group")
            self.join(f"g:{group}")
        cell = Cell(self.host, group)
        if self.how in ("direct", "guest", "former"):
            cell.admit(self.client, self.user, self.role)
        is_member = self.how in ("direct", "guest", "group")
        if is_member:
            cell.completes(self.client, self.role)
        if method in OF_THE_MOMENT and is_member:
            self.client.call("sync.open", streams=[{"stream": cell.stream}])
        if method in ("member.remove", "member.set_role"):
            cell.admit(world.third, world.third_user, "viewer")
        if method == "group.restore" and is_member and group:
            self.host.command("group.remove", id=group)
        if method == "category.restore" and is_member:
            self.host.command("category.remove", id=cell.category)
        if method == "step.reopen":
            may = is_member and ROLES.index(self.role) >= ROLES.index("doer")
            (self.client if may else self.host).command("step.complete", category=cell.category, id=cell.post, step=cell.step)
        if method in ("run.phase", "run.end"):
            may = is_member and ROLES.index(self.role) >= ROLES.index("doer")
            (self.client if may else self.host).command("run.start", category=cell.category, id=cell.post, run=cell.run)
        if method == "post.take_back":
            may = is_member and ROLES.index(self.role) >= ROLES.index("doer")
            done = (self.client if may else self.host).command(
                "post.complete", category=cell.category, id=cell.again, occurrence=1)
            cell.ending = done["events"][0]["seq"]
        if method in ("line.edit", "line.react", "line.remove"):
            may = is_member and ROLES.index(self.role) >= ROLES.index("commenter")
            said = (self.client if may else self.host).command("line.say", stream=cell.stream, text="said")
            cell.line = said["events"][0]["seq"]
        if self.how == "former":
            self.host.command("member.remove", stream=cell.stream, user=self.user)
        return cell

    def expected(self, method, first):
        """`result`, or the kind of the error. §5.12: a bot has the row of its role, as a person has."""
        if self.how == "silent":
            return "unauthenticated"
        if self.how == "link":
            return "result" if method in ("sync.open", "post.list", "presence.set") else "forbidden"
        if self.how in ("former", "former in a group", "stranger"):
            return "gone in the answer" if method == "sync.open" else "not_found"
        if method in OF_GROUPS and self.how != "group":
            return "not_found"
        may = any(method in first[role] for role in ROLES[:ROLES.index(self.role) + 1])
        if method == "member.leave" and self.how == "group":
            return "forbidden"  # one leaves the group, §8 `member.leave`
        if method == "invitation.send" and self.how == "guest":
            return "forbidden"  # §8 `account.guest`
        return "result" if may else "forbidden"


def answered(client, method, params):
    commands = not method.startswith(("history.", "sync.", "presence.", "typing.", "progress.")) and method not in (
        "post.list", "post.query", "post.twins", "agenda.get", "search", "member.list", "invitation.codes", "link.list",
        "undo.preview", "stats.get")
    try:
        result = client.command(method, **params) if commands else client.call(method, **params)
    except Refused as refusal:
        return refusal.kind
    if method == "sync.open" and result["streams"][0]["mode"] == "gone":
        return "gone in the answer"
    return "result"


class World:
    """The server, and the people beside the one who sends."""

    def __init__(self, server, programs):
        self.server, self.parameters = server, Parameters(programs)
        self.third, self.third_user, _ = sign_in(server.url, "third", streams="none")
        sign_in(server.url, "asked", streams="none")[0].close()
        self.asked = "asked"
        self.host_user, self.own_list = None, None


def everybody(world):
    for role in ROLES:
        yield Somebody(world, role, role)
    for role in ROLES:
        yield Somebody(world, f"{role}-by-group", role, "group")
    for role in ("viewer", "editor", "admin"):
        yield Somebody(world, f"{role}-guest", role, "guest")
    for role in ROLES:
        yield Somebody(world, f"{role}-bot", role, kind="bot")
    yield Somebody(world, "bot-by-group", "editor", "group", kind="bot")
    yield Somebody(world, "former-bot", "editor", "former", kind="bot")
    yield Somebody(world, "stranger-bot", None, "stranger", kind="bot")
    yield Somebody(world, "former", "editor", "former")
    yield Somebody(world, "former-by-group", "editor", "former in a group")
    yield Somebody(world, "stranger", None, "stranger")
    yield Somebody(world, "link", None, "link")
    yield Somebody(world, "silent", None, "silent")


def ask(world, person, method, first):
    cell = person.cell(method, world)
    world.own_list = person.own_list
    client, closes = person.client, False
    if person.how == "link":
        code = person.host.call("link.list", category=cell.category)["links"][0]["code"]
        client, closes = Client(world.server.url), True
        client.call("hello", link=code, client={"name": "onlooker", "version": "1"})
    elif person.how == "silent":
        client, closes = Client(world.server.url), True
    got, wanted = answered(client, method, world.parameters.of(method, cell, world)), person.expected(method, first)
    if closes:
        client.close()
    return None if got == wanted else f"{person.name} {method}: {got}, not {wanted}"


def cells(programs, folder):
    first = table()
    methods = sorted(set().union(*first.values()))
    server = Server(programs, folder / "data", "--command-rate", "100000", "--bot-rate", "100000", "--line-rate", "100000",
                    "--hello-rate", "100000", "--guests", "50").start()
    wrong, count = [], 0
    try:
        world = World(server, programs)
        for person in everybody(world):
            for method in methods:
                count += 1
                try:
                    if different := ask(world, person, method, first):
                        wrong.append(different)
                except Refused as refusal:
                    wrong.append(f"{person.name} {method}: could not be prepared: {refusal}")
            if person.how in ("direct", "guest", "group"):
                more, otherwise = permission_cases.asked(person, world, answered)
                count += more
                wrong += otherwise
    finally:
        status = server.stop()
    expect(not wrong, f"{len(wrong)} of {count} cells:\n" + "\n".join(wrong))
    expect(status == 0, f"exit status {status}")
    server.verified()
    return f"{count} cells, {len(methods)} methods"


main(cells)
