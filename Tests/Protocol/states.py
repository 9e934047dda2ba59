#!/usr/bin/env python3
"""Plays the vectors of states on the replica in Python, and works out whom each event tells (§8 notification.list).

    states.py [FOLDER]     every row of the files in FOLDER, protocol/vectors/state by default

The server's own rules made these rows, and the replica is written from protocol/README.md. So a rule that the page does
not say, or that the server does not keep, shows here as a sentence with the row, the object and the difference.
Exit status 0: all is well; 1: what is wrong is on standard output.
"""
import json
import pathlib
import sys

import replica

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent / "protocol/vectors/state"

TOLD_OF_POSTS = {"post.added": "added", "post.completed": "completed", "post.submitted": "submitted",
                 "post.reopened": "reopened", "post.removed": "removed", "post.restored": "restored",
                 "post.claimed": "claimed", "post.released": "released"}
TOLD_OF_RUNS = {"ok": "run_ok", "failed": "run_failed", "cancelled": "run_cancelled", "lost": "run_lost"}


def notifications(event, stream, seq, reader):
    """The notifications of this event for the reader, who came in by the event `joinedSeq`."""
    if event.get("by") == reader["user"] or seq <= reader["joinedSeq"]:
        return []
    told = []
    for place, op in enumerate(event["ops"]):
        meaning = meaning_of(op, event, stream, seq, reader)
        if meaning is not None:
            by = {"by": event["by"]} if "by" in event else {}
            told.append({"stream": stream, "seq": seq, "op": place, "at": event["at"], **by, "about": stream, **meaning})
    return told


def meaning_of(op, event, stream, seq, reader):
    kind, f = op["t"], op.get("f", {})
    if kind in TOLD_OF_POSTS:
        return {"kind": TOLD_OF_POSTS[kind], "post": op["id"]}
    if kind == "post.occurred":
        return {"kind": "completed", "post": op["id"]} if "completed" in f else None
    if kind in ("step.completed", "post.part_completed") and completes(event, op["id"]):
        return None
    if kind == "step.completed":
        return {"kind": "step_completed", "post": op["id"]}
    if kind == "post.part_completed":
        return {"kind": "part_completed", "post": op["id"], "user": f["user"]}
    if kind == "contest.reached":
        is_told = f["amount"] > f.get("was", 0) and not finishes(event, op["id"], f["user"])
        return {"kind": "reached", "post": op["id"], "user": f["user"]} if is_told else None
    if kind == "event.reacted":
        is_told = "sign" in f and f["to"] == reader["user"]
        return {"kind": "reacted", "post": f["post"], "sign": f["sign"]} if is_told else None
    if kind.startswith("line."):
        return meaning_of_talk(kind, f, reader)
    if kind == "run.ended":
        recovers = f["outcome"] == "ok" and f.get("recovers", False)
        return {"kind": "run_recovered" if recovers else TOLD_OF_RUNS[f["outcome"]], "post": op["id"], "user": f["user"]}
    if kind == "group.category_added":
        return {"kind": "category_added", "about": f"c:{op['id']}"}
    if kind == "member.removed":
        is_told = (stream.startswith("g:") or f.get("direct", False)) and op["id"] != reader["user"]
        return {"kind": "left", "user": op["id"]} if is_told else None
    if kind == "member.added":
        is_told = seq > 1 and (stream.startswith("g:") or "direct" in f["grants"])
        return {"kind": "joined", "user": op["id"]} if is_told else None
    return directed(kind, op, f, event, stream) if stream.startswith("u:") else None


def meaning_of_talk(kind, f, reader):
    """A line is told once, by the first rule that fits (§5.20)."""
    about = {"post": f["post"]} if "post" in f else {}
    if kind == "line.reacted":
        is_told = "sign" in f and f["to"] == reader["user"]
        return {"kind": "reacted", **about, "sign": f["sign"], "line": f["line"]} if is_told else None
    if kind != "line.said" or not f["text"]:
        return None
    if reader["user"] in (it["user"] for it in f.get("mentions", [])):
        return {"kind": "mentioned", **about, "line": f["line"]}
    if f.get("to") == reader["user"]:
        return {"kind": "answered", **about, "line": f["line"]}
    return {"kind": "commented" if about else "said", **about, "line": f["line"]}


def completes(event, post):
    return any(op.get("id") == post and (op["t"] == "post.completed" or op["t"] == "post.occurred" and "completed" in op["f"])
               for op in event["ops"])


def finishes(event, post, user):
    """Whether the event completes the post or the part of this user."""
    return completes(event, post) or any(op["t"] == "post.part_completed" and (op["id"], op["f"]["user"]) == (post, user)
                                         for op in event["ops"])


def directed(kind, op, f, event, stream):
    if kind == "invitation.sent":
        return {"kind": "invited", "about": f["stream"]}
    if kind == "membership.removed":
        is_told = f["reason"] == "removed" and replica.is_removal_told(event, f["stream"])
        return {"kind": "removed_from", "about": f["stream"]} if is_told else None
    if kind == "role.changed":
        return {"kind": "role_changed", "about": f["stream"]}
    if kind == "assignment.added":
        return {"kind": "assigned", "about": f["stream"], "post": f["post"]}
    if kind == "reminder.fired":
        return {"kind": f["kind"], "about": f"c:{f['category']}", "post": op["id"]}
    if kind == "webhook.paused":
        return {"kind": "webhook_paused", "about": f"u:{f['bot']}"}
    return {"kind": "digest", "about": stream} if kind == "digest.ready" else None


# ---- the vectors


def expanded(items):
    """The objects of `before` or `after`, each by itself."""
    return [item for line in items for item in (numbered(line, range(line["from"], line["to"] + 1)) if "like" in line else [line])]


def numbered(line, numbers):
    """The objects with these numbers of a line that stands for many (§15)."""
    like = json.dumps(line["like"])
    return [json.loads(like.replace('"{n}"', str(number)).replace("{n}", f"{number:012}")) for number in numbers]


def differences(row):
    """A sentence for each object, and for what is told, that is otherwise than the row says."""
    copy = replica.Replica(row["stream"], expanded(row["before"]))
    copy.apply(row["event"], row["seq"])
    wanted = {replica.key(item): item for item in expanded(row["after"])}
    for name in sorted({*wanted, *copy.objects}, key=str):
        yield from difference(" ".join(map(str, name)), copy.objects.get(name), wanted.get(name))
    told = notifications(row["event"], row["stream"], row["seq"], row["reader"])
    if told != row["told"]:
        yield f"the reader is told {json.dumps(told)} by the replica and {json.dumps(row['told'])} by the row"


def difference(name, here, there):
    if here is None or there is None:
        yield f"{name} is {'not ' if here is None else ''}in the replica, and {'not ' if there is None else ''}in the row"
        return
    for member in sorted({*here, *there}):
        mine, theirs = (json.dumps(item[member], sort_keys=True) if member in item else "missing" for item in (here, there))
        if mine != theirs:
            yield f"{name}: {member} is {mine} in the replica and {theirs} in the row"


def check_itself(rows):
    """Takes something out of each row: a judge that still finds no difference is none."""
    for where, row in rows:
        if row["after"] and not list(differences({**row, "after": row["after"][:-1]})):
            yield f"{where}: an object that is missing is not found"
        if row["told"] and not list(differences({**row, "told": []})):
            yield f"{where}: a notification that is missing is not found"


def main(arguments):
    folder = pathlib.Path(arguments[0]) if arguments else FOLDER
    rows = [(f"{path.name}, {row['name']}", row) for path in sorted(folder.glob("*.json")) for row in json.loads(path.read_text())]
    faults = [f"{where}: {sentence}" for where, row in rows for sentence in differences(row)]
    if not rows:
        faults.append(f"{folder}: has no vectors")
    if not faults:
        faults = list(check_itself(rows))
    for line in faults:
        print(line)
    if not faults:
        print(f"{len(rows)} rows of states: the replica agrees")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
