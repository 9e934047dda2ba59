"""A replica of a stream in Python, written from protocol/README.md alone (§5.1, §6, §7, §16).

It shares no code with the server, so it is a witness of its own: `states.py` plays the vectors of states on it. A rule of
§16 is named here by its number (rule 5).
"""
import copy

COMPLETED_MAX, NOTIFICATIONS_MAX, REMINDERS_MAX = 500, 200, 200
# Rule 5: these values are in no object.
DEFAULTS = {
    "category": {"history": "all", "zone": "UTC"},
    "profile": {"invitedBy": "anybody", "location": "", "locale": ""},
    "post": {"notes": "", "steps": [], "tags": [], "assignees": [], "parts": []},
    "personal": {"note": "", "watch": False, "reminders": []},
}
HEADS = {"c:": "category", "g:": "group", "u:": "profile"}
# The fields of a post that an import may set, in the order in which a source names them.
IMPORTED = ("title", "notes", "priority", "color", "due", "location")
TEXTS = ("title", "notes", "location")


def key(item):
    """Tells an object from all others of its stream (§6, Keys)."""
    kind = item["t"]
    if kind in ("personal", "reminder"):
        return kind, item["category"], item["id"]
    if kind in ("membership", "read_mark", "declines"):
        return kind, item["stream"]
    if kind == "notification":
        return kind, item["seq"], item["op"]
    return kind, item["id"]


def set_members(item, members):
    """Sets what is given; null and a default take a member away."""
    for name, value in members.items():
        item[name] = value
        if value is None or DEFAULTS.get(item["t"], {}).get(name) == value:
            del item[name]


def highest_occurrence(post):
    present = post.get("recurrence", {}).get("occurrence", {}).get("number", 0)
    return post.get("lastOccurrence", present)


def note_occurrence(post, before):
    """Rule 9."""
    present = post.get("recurrence", {}).get("occurrence", {}).get("number", 0)
    highest = max(before, present)
    post.pop("lastOccurrence", None)
    if highest != present:
        post["lastOccurrence"] = highest


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


# ---- posts


def puts_post(is_new):
    def action(replica, it):
        post = replica.whole("post", it.op)
        replica.put(post)
        replica.count(it.op)
        category = replica.head()
        if is_new and category is not None:
            category["lastPost"] = max(category["lastPost"], post["number"])
    return action


def edit_post(post, it):
    members = {name: value for name, value in it.f.items() if name != "source"}
    before = highest_occurrence(post)
    set_members(post, members)
    if any(name in members for name in TEXTS):
        post.pop("erased", None)
    if "recurrence" in members:
        post.pop("submitted", None)
        note_occurrence(post, before)
    if "recurrence" in members or "mode" in members:
        post.pop("parts", None)
    if "source" in post:
        edited = set(post["source"].get("edited", [])) | set(members)
        names = [name for name in IMPORTED if name in edited]
        if names:
            post["source"]["edited"] = names


def import_post(post, it):
    edit_post(post, it)
    if "source" in it.f:
        post["source"] = it.f["source"]


def complete_post(post, it):
    post["completed"] = {**it.f["completed"], "seq": it.seq}
    for name in ("claim", "submitted"):
        post.pop(name, None)


def occur(post, it):
    before = highest_occurrence(post)
    if "recurrence" in post:
        post["recurrence"]["occurrence"] = it.f["occurrence"]
    post["due"] = it.f["occurrence"]["due"]
    for name in ("overdue", "parts", "submitted", "claim"):
        post.pop(name, None)
    for step in post.get("steps", []):
        step.pop("finished", None)
    note_occurrence(post, before)


def erase_post(post, it):
    post["title"], post["erased"] = "", it.f["erased"]
    for name in ("notes", "location", "source"):
        post.pop(name, None)
    for step in post.get("steps", []):
        step["content"] = ""


def move_post(post, it):
    set_members(post, {"position": it.f.get("position")})


def set_post(**members):
    """Sets members, each from the op's member of that name or, if it is None, to nothing."""
    return on_post(lambda post, it: set_members(
        post, {name: it.f[source] if source else None for name, source in members.items()}))


def submit(post, it):
    set_members(post, {"submitted": it.f["submitted"], "claim": None})


def claim(post, it):
    post["claim"] = {"user": it.f["user"], "seq": it.seq, "until": it.f["until"]}


def tag(post, it):
    set_members(post, {"tags": sorted({*post.get("tags", []), it.f["tag"]})})


def untag(post, it):
    set_members(post, {"tags": [name for name in post.get("tags", []) if name != it.f["tag"]]})


def entries(name, **members):
    """Gives the user an entry with these members; without members the user has none (rule 6)."""
    def change(post, it):
        kept = [entry for entry in post.get(name, []) if entry["user"] != it.f["user"]]
        if members:
            kept.append({"user": it.f["user"], **{member: getattr(it, member) for member in members}})
        set_members(post, {name: sorted(kept, key=lambda entry: entry["user"])})
        if name == "parts" and members and post.get("claim", {}).get("user") == it.f["user"]:
            del post["claim"]
    return change


# ---- steps


def add_step(post, it):
    kept = [step for step in post.get("steps", []) if step["id"] != it.f["step"]["id"]]
    post["steps"] = [*kept, it.f["step"]]
    post.pop("erased", None)


def edit_step(post, it):
    for step in post.get("steps", []):
        if step["id"] == it.f["step"]:
            step["content"] = it.f["content"]
    post.pop("erased", None)


def remove_step(post, it):
    set_members(post, {"steps": [step for step in post.get("steps", []) if step["id"] != it.f["step"]]})


def move_step(post, it):
    moved = [step for step in post.get("steps", []) if step["id"] == it.f["step"]]
    if not moved or it.f.get("before") == it.f["step"]:
        return
    steps = [step for step in post["steps"] if step["id"] != it.f["step"]]
    places = [place for place, step in enumerate(steps) if step["id"] == it.f.get("before")]
    place = places[0] if places else len(steps)
    post["steps"] = steps[:place] + moved + steps[place:]


def complete_steps(post, it):
    for step in post.get("steps", []):
        if step["id"] in it.f["steps"]:
            step["finished"] = it.f["finished"]


def reopen_step(post, it):
    for step in post.get("steps", []):
        if step["id"] == it.f["step"]:
            step.pop("finished", None)


def set_steps(post, it):
    set_members(post, {"steps": it.f["steps"]})


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
    set_members(item, it.f)


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
    "category.removed": sets("category"), "category.archived": sets("category"), "account.ending": sets("profile"),
    "category.restored": takes("category", "removed"), "category.unarchived": takes("category", "archived"),
    "account.kept": takes("profile", "endsAt"),
    "group.removed": changes("group", remove_group), "group.restored": takes("group", "removed", "removedCategories"),
    "member.granted": sets("member"), "member.removed": changes("member", remove_member),
    "account.upgraded": upgrade, "person.forgotten": forget, "invitation.sent": send_invitation,
    "invitation.held_back": lambda replica, it: None,
    "post.added": puts_post(True), "post.moved_in": puts_post(True), "post.reopened": puts_post(False), "post.restored": puts_post(False),
    "post.edited": on_post(edit_post), "post.imported": on_post(import_post), "post.completed": on_post(complete_post),
    "post.occurred": on_post(occur), "post.removed": leaves, "post.moved_out": leaves, "post.purged": lambda replica, it: None,
    "post.erased": on_post(erase_post), "post.moved": on_post(move_post),
    "step.added": on_post(add_step), "step.edited": on_post(edit_step), "step.removed": on_post(remove_step),
    "step.moved": on_post(move_step), "step.completed": on_post(complete_steps), "step.reopened": on_post(reopen_step),
    "steps.set": on_post(set_steps),
    "post.tagged": on_post(tag), "post.untagged": on_post(untag),
    "post.assigned": on_post(entries("assignees", seq=True)), "post.unassigned": on_post(entries("assignees")),
    "post.submitted": on_post(submit), "post.returned": set_post(submitted=None),
    "post.part_completed": on_post(entries("parts", at=True, seq=True)), "post.part_reopened": on_post(entries("parts")),
    "post.became_overdue": set_post(overdue="overdue"), "post.overdue_again": set_post(overdue="overdue"),
    "post.not_overdue": set_post(overdue=None),
    "post.claimed": on_post(claim), "post.released": set_post(claim=None), "post.claim_ended": set_post(claim=None),
    "membership.granted": grant, "role.changed": change_role, "membership.removed": end_membership,
    "membership.moved": move_membership,
    "assignment.added": lambda replica, it: replica.tell("assigned", it.f["stream"], it, post=it.f["post"]),
    "read.marked": mark_read, "declines.counted": count_declines,
    "personal.edited": edit_personal, "personal.ended": end_of_posts("personal"), "personal.moved": move_personal,
    "settings.edited": edit_settings, "reminder.fired": fire, "reminder.kept": keep, "reminder.ended": end_of_posts("reminder"),
    "notification.ended": lambda replica, it: replica.drop("notification", it.f["seq"], it.f["op"]),
    "digest.ready": lambda replica, it: replica.tell("digest", replica.stream, it),
}
