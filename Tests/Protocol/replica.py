"""A replica of a stream in Python, written from protocol/README.md alone (§5.1, §6, §7, §16).

It shares no code with the server, so it is a witness of its own: `states.py` plays the vectors of states on it. A rule of
§16 is named here by its number (rule 5).
"""
import copy

import posts
from objects import key, set_members

COMPLETED_MAX, NOTIFICATIONS_MAX, REMINDERS_MAX = 500, 200, 200
LINES_MAX, LINE_BYTES_MAX, COMMENTS_MAX = 200, 262_144, 1000
HEADS = {"c:": "category", "g:": "group", "u:": "profile"}


class Replica:
    """The objects of one stream."""

    def __init__(self, stream, objects=()):
        self.stream = stream
        self.objects = {key(item): copy.deepcopy(item) for item in objects}

    def apply(self, event, seq):
        for place, op in enumerate(event["ops"]):
            action = OPS.get(op["t"])
            if action is None:
                continue
            action(self, Moment(event, seq, place, copy.deepcopy(op)))
            self.drop_oldest()

    # The parts of the actions.

    def head(self):
        return self.objects.get((HEADS[self.stream[:2]], self.stream[2:]))

    def put(self, item):
        self.objects[key(item)] = item

    def drop(self, *parts):
        self.objects.pop(parts, None)

    def whole(self, kind, op):
        """The object that the op has whole."""
        item = {"t": kind, **({"id": op["id"]} if "id" in op else {})}
        set_members(item, op.get("f", {}))
        if kind == "post":
            item["version"] = op["v"]
        return item

    def count(self, op):
        """Rule 3."""
        category = self.head()
        if category is not None and "counters" in op:
            category["counters"] = op["counters"]

    def post(self, it):
        """The post that the op is about, with its new version (rule 4); an empty object if it is not in the copy."""
        self.count(it.op)
        post = self.objects.get(("post", it.op["id"]))
        if post is not None and "v" in it.op:
            post["version"], post["updatedAt"] = it.op["v"], it.at
        return {"t": "post"} if post is None else post

    def drop_oldest(self):
        """Rule 7."""
        completed = [item for item in self.objects.values() if item["t"] == "post" and "completed" in item]
        if len(completed) > COMPLETED_MAX:
            self.drop(*key(min(completed, key=lambda item: (item["completed"]["seq"], item["number"]))))
        for kind, most in (("notification", NOTIFICATIONS_MAX), ("reminder", REMINDERS_MAX)):
            items = [item for item in self.objects.values() if item["t"] == kind]
            if len(items) > most:
                self.drop(*key(min(items, key=lambda item: (item["seq"], item["op"]))))
        self.drop_oldest_lines()
        self.drop_oldest_comments()

    def drop_oldest_lines(self):
        lines = sorted((item for item in self.objects.values() if item["t"] == "line"), key=lambda item: item["line"])
        while len(lines) > LINES_MAX or sum(len(item["text"].encode()) for item in lines) > LINE_BYTES_MAX:
            self.drop(*key(lines.pop(0)))

    def drop_oldest_comments(self):
        comments = [item for item in self.objects.values() if item["t"] == "comments"]
        if len(comments) > COMMENTS_MAX:
            self.drop(*key(min(comments, key=lambda item: item["seq"])))

    def tell(self, kind, about, it, **more):
        by = {"by": it.event["by"]} if "by" in it.event else {}
        self.put({"t": "notification", "kind": kind, "seq": it.seq, "op": it.place, "at": it.at, **by, "stream": about, **more})


class Moment:
    """An op, with the event that it stands in."""

    def __init__(self, event, seq, place, op):
        self.event, self.seq, self.place, self.op = event, seq, place, op
        self.at = event["at"]
        self.f = op.get("f", {})


# ---- actions that many ops share


def puts(kind):
    return lambda replica, it: replica.put(replica.whole(kind, it.op))


def ends(kind):
    return lambda replica, it: replica.drop(kind, it.op["id"])


def changes(kind, change):
    """Changes the object with the op's id; the head of the stream when the op has none."""
    def action(replica, it):
        item = replica.objects.get((kind, it.op["id"])) if "id" in it.op else replica.head()
        if item is not None:
            change(item, it)
    return action


def sets(kind):
    return changes(kind, lambda item, it: set_members(item, it.f))


def takes(kind, *names):
    return changes(kind, lambda item, it: [item.pop(name, None) for name in names])


def on_post(change):
    """Changes the post that the op is about, or nothing but counters (rule 2)."""
    def action(replica, it):
        post = replica.post(it)
        if "id" in post:
            change(post, it)
    return action


def leaves(replica, it):
    replica.count(it.op)
    replica.drop("post", it.op["id"])


def puts_post(is_new):
    def action(replica, it):
        post = replica.whole("post", it.op)
        replica.put(post)
        replica.count(it.op)
        category = replica.head()
        if is_new and category is not None:
            category["lastPost"] = max(category["lastPost"], post["number"])
    return action


# ---- groups, members and people


def remove_group(group, it):
    group["removed"], group["removedCategories"] = it.f["removed"], it.f["categories"]


def remove_member(member, it):
    member["grants"] = {}
    member.pop("role", None)


def upgrade(replica, it):
    place = ("profile", replica.stream[2:]) if replica.stream.startswith("u:") else ("member", it.op["id"])
    if place in replica.objects:
        set_members(replica.objects[place], {**it.f, "guest": None})


def forget(replica, it):
    member = replica.objects.get(("member", it.op["id"]))
    if member is not None:
        member["username"] = member["name"] = ""
    if replica.stream.startswith("u:"):
        replica.drop("block", it.op["id"])


def send_invitation(replica, it):
    puts("invitation")(replica, it)
    if replica.stream.startswith("u:"):
        replica.tell("invited", it.f["stream"], it)


# ---- reactions


def id_of(event):
    """The id of an object that has the number of an event (§6)."""
    digits = f"{event:016x}" + "0" * 16
    return "-".join([digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]])


def reactions_of(it):
    """The key of the reactions to the event that the op names."""
    return "reactions", id_of(it.f["event"])


def react(replica, it):
    place = reactions_of(it)
    item = replica.objects.get(place) or {"t": "reactions", "id": place[1], "event": it.f["event"], "given": []}
    item["given"] = [one for one in item["given"] if one["user"] != it.event["by"]]
    if "sign" in it.f:
        item["given"].append({"user": it.event["by"], "sign": it.f["sign"], "post": it.f["post"]})
    replica.put(item)
    if not item["given"]:
        replica.drop(*place)


# ---- talk


def say(replica, it):
    said = {"at": it.at, "by": it.event["by"]}
    members = {name: it.f[name] for name in ("line", "text", "post", "answers", "mentions") if name in it.f}
    replica.put({"t": "line", "id": id_of(it.f["line"]), "said": said, **members})
    if "comments" in it.f:
        replica.put({"t": "comments", "id": it.f["post"], "count": it.f["comments"], "last": it.at, "seq": it.f["line"]})


def on_line(change):
    """Changes the line that the op is about, if it is in the copy."""
    def action(replica, it):
        line = replica.objects.get(("line", id_of(it.f["line"])))
        if line is not None:
            change(line, it)
    return action


def edit_line(line, it):
    line["text"], line["edited"] = it.f["text"], it.at
    line.pop("mentions", None)
    if "mentions" in it.f:
        line["mentions"] = it.f["mentions"]


def react_to_line(line, it):
    given = [one for one in line.pop("reactions", []) if one["user"] != it.event["by"]]
    if "sign" in it.f:
        given.append({"user": it.event["by"], "sign": it.f["sign"]})
    if given:
        line["reactions"] = given


def remove_line(replica, it):
    replica.drop("line", id_of(it.f["line"]))
    comments = replica.objects.get(("comments", it.f.get("post")))
    if "comments" not in it.f or comments is None:
        return
    comments["count"] = it.f["comments"]
    if comments["count"] == 0:
        replica.drop(*key(comments))


# ---- the user's own stream


def grant(replica, it):
    held = replica.objects.get(("membership", it.f["stream"]), {})
    position = {"position": held["position"]} if "position" in held else {}
    replica.put({"t": "membership", **it.f, **position})


def change_role(replica, it):
    grant(replica, it)
    replica.tell("role_changed", it.f["stream"], it)


def is_removal_told(event, left):
    """A group speaks for its categories."""
    groups = [op for op in event["ops"] if op["t"] == "membership.removed" and op["f"]["stream"].startswith("g:")]
    return left.startswith("g:") or not groups


def end_membership(replica, it):
    left = it.f["stream"]
    replica.drop("membership", left)
    replica.drop("read_mark", left)
    if it.f["reason"] == "removed" and is_removal_told(it.event, left):
        replica.tell("removed", left, it)


def move_membership(replica, it):
    held = replica.objects.get(("membership", it.f["stream"]))
    if held is not None:
        held["position"] = it.f["position"]


def mark_read(replica, it):
    held = replica.objects.get(("read_mark", it.f["stream"]))
    if held is None or held["seq"] < it.f["seq"]:
        replica.put({"t": "read_mark", **it.f})


def count_declines(replica, it):
    replica.put({"t": "declines", **it.f})
    if it.f["times"] == 0:
        replica.drop("declines", it.f["stream"])


def put_personal(replica, item):
    """An object that says nothing does not exist."""
    replica.put(item)
    if not set(item) - {"t", "id", "category", "seq"}:
        replica.drop(*key(item))


def edit_personal(replica, it):
    place = ("personal", it.f["category"], it.op["id"])
    item = replica.objects.get(place) or {"t": "personal", "id": it.op["id"], "category": it.f["category"]}
    set_members(item, it.f)
    item["seq"] = it.seq
    put_personal(replica, item)


def move_personal(replica, it):
    item = replica.objects.pop(("personal", it.f["category"], it.op["id"]), None)
    if item is None:
        return
    there = replica.objects.get(("personal", it.f["to"], it.op["id"]), {})
    put_personal(replica, {**item, **there, "category": it.f["to"], "seq": it.seq})


def end_of_posts(kind):
    def action(replica, it):
        for post in it.f["posts"]:
            replica.drop(kind, it.f["category"], post)
    return action


def edit_settings(replica, it):
    item = replica.objects.setdefault(("settings", replica.stream[2:]), {"t": "settings", "id": replica.stream[2:]})
    levels = {choice["about"]: choice for choice in item.get("levels", [])}
    for change in it.f.pop("levels", []):
        levels[change["about"]] = change
    set_members(item, {**it.f, "levels": [levels[about] for about in sorted(levels) if levels[about]["level"] is not None]})


def fire(replica, it):
    kind, at = it.f["kind"], it.f["at"]
    replica.tell(kind, f"c:{it.f['category']}", it, post=it.op["id"])
    item = replica.objects.get(("personal", it.f["category"], it.op["id"]))
    if item is None or kind not in ("reminder", "snoozed"):
        return
    is_over = (lambda moment: moment <= at) if kind == "snoozed" else (lambda moment: moment == at)
    left = [reminder for reminder in item.get("reminders", []) if "at" not in reminder or not is_over(reminder["at"])]
    set_members(item, {"reminders": left})
    if kind == "snoozed" and item.get("snooze") == at:
        del item["snooze"]
    put_personal(replica, item)


def keep(replica, it):
    replica.put({"t": "reminder", "id": it.op["id"], **it.f, "told": it.at, "seq": it.seq, "op": it.place})


OPS = {
    "category.added": puts("category"), "group.added": puts("group"), "account.registered": puts("profile"),
    "member.added": puts("member"), "tag.added": puts("tag"), "tag.restored": puts("tag"), "code.made": puts("invitation_code"),
    "link.made": puts("link"), "person.blocked": puts("block"), "filter.saved": puts("filter"),
    "membership.added": puts("membership"), "group.category_added": puts("group_category"),
    "tag.removed": ends("tag"), "code.ended": ends("invitation_code"), "link.ended": ends("link"),
    "person.unblocked": ends("block"), "filter.removed": ends("filter"), "invitation.accepted": ends("invitation"),
    "invitation.declined": ends("invitation"), "invitation.revoked": ends("invitation"), "invitation.expired": ends("invitation"),
    "category.edited": sets("category"), "profile.edited": sets("profile"), "group.edited": sets("group"), "tag.edited": sets("tag"),
    "member.updated": sets("member"), "code.used": sets("invitation_code"),
    "category.removed": sets("category"), "category.archived": sets("category"), "account.ending": sets("profile"), "bot.given": sets("profile"),
    "category.restored": takes("category", "removed"), "category.unarchived": takes("category", "archived"),
    "account.kept": takes("profile", "endsAt"),
    "group.removed": changes("group", remove_group), "group.restored": takes("group", "removed", "removedCategories"),
    "member.granted": sets("member"), "member.removed": changes("member", remove_member),
    "account.upgraded": upgrade, "person.forgotten": forget, "invitation.sent": send_invitation,
    "invitation.held_back": lambda replica, it: None,
    "post.added": puts_post(True), "post.moved_in": puts_post(True), "post.reopened": puts_post(False), "post.restored": puts_post(False),
    "post.removed": leaves, "post.moved_out": leaves, "post.purged": lambda replica, it: None,
    **{kind: on_post(change) for kind, change in posts.CHANGES.items()},
    "event.reacted": react, "event.reactions_ended": lambda replica, it: replica.drop(*reactions_of(it)),
    "line.said": say, "line.edited": on_line(edit_line), "line.reacted": on_line(react_to_line), "line.removed": remove_line,
    "membership.granted": grant, "role.changed": change_role, "membership.removed": end_membership,
    "membership.moved": move_membership,
    "assignment.added": lambda replica, it: replica.tell("assigned", it.f["stream"], it, post=it.f["post"]),
    "read.marked": mark_read, "declines.counted": count_declines,
    "personal.edited": edit_personal, "personal.ended": end_of_posts("personal"), "personal.moved": move_personal,
    "settings.edited": edit_settings, "reminder.fired": fire, "reminder.kept": keep, "reminder.ended": end_of_posts("reminder"),
    "notification.ended": lambda replica, it: replica.drop("notification", it.f["seq"], it.f["op"]),
    "digest.ready": lambda replica, it: replica.tell("digest", replica.stream, it),
    "webhook.paused": lambda replica, it: replica.tell("webhook_paused", f"u:{it.f['bot']}", it),
}
