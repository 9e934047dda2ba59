"""What a role may do with some arguments and not with others (protocol §3.5 and the methods it names): for permissions.py,
which asks it of everybody who is in a list.

A case is a name, the least role that may (None: nobody), and what prepares the list and says what is called there.
"""
from harness import Refused, new_id

ROLES = ["viewer", "commenter", "doer", "editor", "admin", "owner"]
CASES = {}


def case(name, least, how=("direct", "guest", "group")):
    def keep(function):
        CASES[name] = (least, how, function)
        return function
    return keep


def others_work(cell, person):
    person.host.command("post.assign", category=cell.category, id=cell.post, user=person.host.hello["user"])
    return dict(category=cell.category, id=cell.post)


@case("completes what is others' work", "editor")
def completes(cell, person, _):
    return "post.complete", others_work(cell, person)


@case("finishes a step of what is others' work", "editor")
def finishes(cell, person, _):
    return "step.complete", dict(others_work(cell, person), step=cell.step)


@case("completes for all what is for each", "editor")
def for_all(cell, person, _):
    person.host.command("post.edit", category=cell.category, id=cell.post, mode="each")
    return "post.complete", dict(category=cell.category, id=cell.post, forAll=True)


def after_others(name, done, asked):
    """The host does the one, and the other is asked for of the same post."""
    @case(name, "editor")
    def one(cell, person, _):
        post = dict(category=cell.category, id=cell.post)
        person.host.command(done, **post)
        return asked, post


after_others("reopens what others have completed", "post.complete", "post.reopen")
after_others("gives back what others are on", "post.claim", "post.release")


@case("begins a race", "editor")
def begins_race(cell, *_):
    return "post.edit", dict(category=cell.category, id=cell.post, contest="race")


@case("gives back a step that others have claimed", "editor")
def gives_back_step(cell, person, _):
    step = dict(category=cell.category, id=cell.coop, step=cell.step)
    person.host.command("contest.claim", **step)
    return "contest.release", step


@case("says how far others are", None)
def reports(cell, person, _):
    return "contest.reach", dict(category=cell.category, id=cell.coop, amount=1, user=person.host.hello["user"])


@case("takes back an occurrence that others have completed", "editor")
def takes_back(cell, person, _):
    done = person.host.command("post.complete", category=cell.category, id=cell.again, occurrence=1)
    return "post.take_back", dict(category=cell.category, id=cell.again, event=done["events"][0]["seq"])


@case("reopens a step that others have finished", "editor")
def reopens_step(cell, person, _):
    post = new_id()
    person.host.command("post.add", category=cell.category, id=post, title="two steps")
    for step in (cell.step, new_id()):
        person.host.command("step.add", category=cell.category, id=post, step=step, content="a step")
    person.host.command("step.complete", category=cell.category, id=post, step=cell.step)
    return "step.reopen", dict(category=cell.category, id=post, step=cell.step)


@case("undoes what others did", "admin")
def undoes(cell, person, _):
    done = person.host.command("post.edit", category=cell.category, id=cell.post, title="other words")
    return "undo.preview", dict(stream=cell.stream, events=[done["events"][0]["seq"]])


def said_by_others(cell, person):
    said = person.host.command("line.say", stream=cell.stream, text="said")
    return dict(stream=cell.stream, line=said["events"][0]["seq"])


@case("changes a line that others said", None)
def changes_line(cell, person, _):
    return "line.edit", dict(said_by_others(cell, person), text="other words")


@case("gives a sign to a line that others said", "commenter")
def reacts_to_line(cell, person, _):
    return "line.react", dict(said_by_others(cell, person), sign="👏")


@case("removes a line that others said", "admin")
def removes_line(cell, person, _):
    return "line.remove", said_by_others(cell, person)


@case("invites somebody as more than oneself is", "owner", how=("direct", "group"))
def invites(cell, _, world):
    return "invitation.send", dict(stream=cell.stream, id=new_id(), username=world.asked, role="owner")


@case("takes back an invitation to more than oneself is", "owner")
def revokes(cell, person, world):
    invitation = new_id()
    person.host.command("invitation.send", stream=cell.stream, id=invitation, username=world.asked, role="owner")
    return "invitation.revoke", dict(stream=cell.stream, id=invitation)


@case("makes somebody an owner", "owner")
def promotes(cell, _, world):
    cell.admit(world.third, world.third_user, "viewer")
    return "member.set_role", dict(stream=cell.stream, user=world.third_user, role="owner")


@case("makes oneself an owner", "owner")
def rises(cell, person, _):
    return "member.set_role", dict(stream=cell.stream, user=person.user, role="owner")


@case("takes an owner's role away", "owner")
def demotes(cell, _, world):
    cell.admit(world.third, world.third_user, "owner")
    return "member.set_role", dict(stream=cell.stream, user=world.third_user, role="viewer")


@case("takes an owner out", "owner")
def removes(cell, _, world):
    cell.admit(world.third, world.third_user, "owner")
    return "member.remove", dict(stream=cell.stream, user=world.third_user)


@case("raises somebody who is there through the group above oneself", "owner", how=("group",))
def raises(_, person, world):
    """In a group of its own, or the third one would be in all lists of all groups."""
    cell, invitation = person.cell("group.edit", world), new_id()
    person.host.command("invitation.send", id=invitation, stream=f"g:{cell.group}", username="third", role="viewer")
    world.third.command("invitation.accept", id=invitation)
    return "member.set_role", dict(stream=cell.stream, user=world.third_user, role="owner")


@case("erases what others wrote", "owner")
def erases(cell, _, __):
    return "post.erase", dict(category=cell.category, id=cell.post)


@case("says who reads what was", "owner")
def hides(cell, _, __):
    return "category.edit", dict(id=cell.category, history="joined")


@case("switches talk off", "admin")
def silences(cell, _, __):
    return "category.edit", dict(id=cell.category, talk="off")


@case("does two things of which one is above them", "owner")
def at_once(cell, _, __):
    return "batch", dict(commands=[
        {"method": "post.edit", "params": dict(category=cell.category, id=cell.post, title="half done")},
        {"method": "category.edit", "params": dict(id=cell.category, history="joined")}])


def looked_at(cell, person):
    """A list of somebody else at which the person only looks."""
    other = new_id()
    person.host.command("category.add", id=other, name="only to look at")
    code = person.host.command("invitation.make_code", id=new_id(), stream=f"c:{other}", role="viewer")["code"]
    person.client.command("invitation.redeem", code=code)
    return dict(category=cell.category, id=cell.post), other


@case("moves a post to where they only look", None)
def moves(cell, person, _):
    post, other = looked_at(cell, person)
    return "post.move_to", dict(post, to=other)


@case("copies a post to where they only look", None)
def copies(cell, person, _):
    post, other = looked_at(cell, person)
    return "post.copy", dict(post, copy=new_id(), to=other)


def asked(person, world, answered):
    """The cases that a member was asked, each in a list of its own; those that were answered otherwise, in words."""
    count, wrong = 0, []
    for name, (least, how, prepare) in CASES.items():
        if person.how not in how:
            continue
        count += 1
        cell = person.cell("post.edit", world)
        method, params = prepare(cell, person, world)
        before = person.host.call("post.list", category=cell.category, show="open")["posts"]
        got = answered(person.client, method, params)
        may = least is not None and ROLES.index(person.role) >= ROLES.index(least)
        if got != ("result" if may else "forbidden"):
            wrong.append(f"{person.name} {name}: {got}")
        elif not may and before != person.host.call("post.list", category=cell.category, show="open")["posts"]:
            wrong.append(f"{person.name} {name}: refused, and something is changed")
    return count, wrong + bin_of(person, world)


def bin_of(person, world):
    """Removed lists are shown to who may bring them back, and to nobody else."""
    cell = person.cell("post.edit", world)
    person.host.command("category.remove", id=cell.category)
    try:
        shown = person.client.call("category.list", show="removed")["categories"]
    except Refused as refusal:
        return [f"{person.name} category.list: {refusal.kind}"]
    is_shown = any(category["id"] == cell.category for category in shown)
    return [] if is_shown == (person.role == "owner") else [f"{person.name} is {'' if is_shown else 'not '}shown a removed list"]
