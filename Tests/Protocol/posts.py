"""What ops make of a post, its steps, its runs and its contest (protocol/README.md §16), for `replica.py`.

The version, the counters, and whether the post is in the copy at all, are that file's work.
"""
from objects import set_members

# The fields of a post that an import may set, in the order in which a source names them.
IMPORTED = ("title", "notes", "priority", "color", "due", "location")
# With one of these somebody writes a text again.
TEXTS = ("title", "notes", "location", "goal")


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


def edit_post(post, it):
    members = {name: value for name, value in it.f.items() if name != "source"}
    before = highest_occurrence(post)
    set_members(post, members)
    if any(name in members for name in TEXTS):
        post.pop("erased", None)
    if "recurrence" in members:
        post.pop("submitted", None)
        note_occurrence(post, before)
    begin_anew(post, members)
    if "mode" in members and "mode" not in post:
        post.pop("modeRole", None)
    if "contest" in members and "contest" not in post:
        post.pop("goal", None)
    if "source" in post:
        edited = set(post["source"].get("edited", [])) | set(members)
        names = [name for name in IMPORTED if name in edited]
        if names:
            post["source"]["edited"] = names


def begin_anew(post, members):
    """The work that was done for another mode, contest, goal or recurrence is gone (§5.21)."""
    if any(name in members for name in ("recurrence", "mode", "contest", "goal")):
        post.pop("parts", None)
    if any(name in members for name in ("recurrence", "mode", "contest")):
        set_members(post, {"entries": None, "shares": None})
    elif "goal" in members:
        kept = [{name: value for name, value in entry.items() if name != "amount"} for entry in post.get("entries", [])]
        set_members(post, {"entries": [entry for entry in kept if "in" in entry]})


def import_post(post, it):
    edit_post(post, it)
    if "source" in it.f:
        post["source"] = it.f["source"]


def complete_post(post, it):
    post["completed"] = {**it.f["completed"], "seq": it.seq}
    for name in ("claim", "run", "submitted"):
        post.pop(name, None)


def occur(post, it):
    before = highest_occurrence(post)
    if "recurrence" in post:
        post["recurrence"]["occurrence"] = it.f["occurrence"]
    post["due"] = it.f["occurrence"]["due"]
    for name in ("overdue", "parts", "entries", "shares", "submitted", "claim", "run"):
        post.pop(name, None)
    for step in post.get("steps", []):
        step.pop("finished", None)
    note_occurrence(post, before)


def erase_post(post, it):
    post["title"], post["erased"] = "", it.f["erased"]
    for name in ("notes", "location", "source"):
        post.pop(name, None)
    post.get("run", {}).pop("phase", None)
    post.get("lastRun", {}).pop("text", None)
    for step in post.get("steps", []):
        step["content"] = ""
    if "goal" in post:
        post["goal"]["unit"] = ""


def move_post(post, it):
    set_members(post, {"position": it.f.get("position")})


def set_post(**members):
    """Sets members, each from the op's member of that name or, if it is None, to nothing."""
    return lambda post, it: set_members(
        post, {name: it.f[source] if source else None for name, source in members.items()})


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
    release(post, it)


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
    left = {step["id"] for step in it.f["steps"]}
    set_members(post, {"shares": [share for share in post.get("shares", []) if share["step"] in left]})


# ---- runs (§5.15)


def said(it, name):
    """The word that the op has, as a member. An empty one was erased (§5.6), and is in no object (rule 5)."""
    return {name: it.f[name]} if it.f.get(name) else {}


def start_run(post, it):
    post["run"] = {"id": it.f["run"], "user": it.f["user"], "startedAt": it.at, "seq": it.seq, "leaseMs": it.f["leaseMs"],
                   **said(it, "phase")}
    if "phase" in it.f:
        post.pop("erased", None)


def name_phase(post, it):
    run = post.get("run", {})
    if run.get("id") == it.f["run"]:
        run.pop("phase", None)
        run.update(said(it, "phase"))
    post.pop("erased", None)


def end_run(post, it):
    if post.get("run", {}).get("id") == it.f["run"]:
        del post["run"]
    usual = {"usualMs": it.f["usualMs"]} if "usualMs" in it.f else {}
    post["lastRun"] = {"id": it.f["run"], "user": it.f["user"], "outcome": it.f["outcome"], "startedAt": it.f["startedAt"],
                       "endedAt": it.at, "seq": it.seq, **said(it, "text"), **usual}
    if "text" in it.f:
        post.pop("erased", None)


# ---- contests (§5.21)


def enter(**said):
    """Writes what the op says into the user's entry, which is not there when it says nothing (rule 6)."""
    def change(post, it):
        entries = {entry["user"]: entry for entry in post.get("entries", [])}
        entry = entries.setdefault(it.f["user"], {"user": it.f["user"]})
        entry.update({**({"seq": it.seq} if said or "in" not in entry else {}), **said})
        entry.update({"amount": it.f["amount"]} if "amount" in it.f else {})
        if entry.get("amount") == 0:
            del entry["amount"]
        set_members(post, {"entries": [entries[user] for user in sorted(entries) if {"amount", "in"} & set(entries[user])]})
    return change


def release(post, it):
    set_members(post, {"shares": [share for share in post.get("shares", []) if share["step"] != it.f["step"]]})


def share(post, it):
    release(post, it)
    shares = [*post.get("shares", []), {"step": it.f["step"], "user": it.f["user"], "seq": it.seq}]
    post["shares"] = sorted(shares, key=lambda one: one["step"])


# The ops about a post that is there, by their kinds. Each change takes the post and the op's `replica.Moment`.
CHANGES = {
    "post.edited": edit_post, "post.imported": import_post, "post.completed": complete_post,
    "post.occurred": occur, "post.erased": erase_post, "post.moved": move_post,
    "step.added": add_step, "step.edited": edit_step, "step.removed": remove_step,
    "step.moved": move_step, "step.completed": complete_steps, "step.reopened": reopen_step,
    "steps.set": set_steps,
    "post.tagged": tag, "post.untagged": untag,
    "post.assigned": entries("assignees", seq=True), "post.unassigned": entries("assignees"),
    "post.submitted": submit, "post.returned": set_post(submitted=None),
    "post.part_completed": entries("parts", at=True, seq=True), "post.part_reopened": entries("parts"),
    "post.became_overdue": set_post(overdue="overdue"), "post.overdue_again": set_post(overdue="overdue"),
    "post.not_overdue": set_post(overdue=None),
    "post.claimed": claim, "post.released": set_post(claim=None), "post.claim_ended": set_post(claim=None),
    "run.started": start_run, "run.phase": name_phase, "run.ended": end_run,
    "contest.joined": enter(**{"in": True}), "contest.withdrew": enter(**{"in": False}), "contest.reached": enter(),
    "contest.claimed": share, "contest.released": release,
}
