"""What the log may say of posts: occurrences, moves between lists, deadlines; and what views have shown. Checks of history.py.

Each yields sentences about what is broken. Nothing here knows a calendar: that the right day was told is shown elsewhere
(Tests/Recurrence, DomainTests/OverdueTests.swift); here that it happened once, in one place, and to those it was for.
"""
import collections

SYSTEM = "00000000-0000-0000-0000-000000000000"


def ops_in_order(stream):
    """(event, op) as they took effect."""
    for seq in sorted(stream.events):
        for op in stream.events[seq].ops:
            yield stream.events[seq], op


def occurrence_of(op):
    """The number of the occurrence that the post is at after it; None when it does not say so."""
    if op["t"] == "post.occurred":
        return op["f"]["occurrence"]["number"]
    if op["t"] not in ("post.added", "post.reopened", "post.restored", "post.moved_in", "post.edited"):
        return None
    return ((op.get("f", {}).get("recurrence") or {}).get("occurrence") or {}).get("number")


def over_once(history):
    """P12: an occurrence of a post is completed or left out once, until somebody takes that back; its number is no other's."""
    for name, stream in sorted(history.streams.items()):
        over, given = collections.defaultdict(set), collections.defaultdict(set)
        for event, op in ops_in_order(stream):
            if op["t"] == "post.occurred":
                number = op["f"]["over"]
                if number in over[op["id"]]:
                    yield f"{name} {event.seq}: occurrence {number} of {op['id']} is over again"
                over[op["id"]].add(number)
            if (now := occurrence_of(op)) is None:
                continue
            if now in given[op["id"]] and op["t"] in ("post.occurred", "post.edited") and not event.undoes:
                yield f"{name} {event.seq}: occurrence {now} of {op['id']} was another one before"
            given[op["id"]].add(now)
            over[op["id"]].discard(now)


def in_one_list(history):
    """P8: who leaves a list for another comes into exactly one, with the same command; and no post is in two."""
    went, came, holders = collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(list)
    for name, stream in sorted(history.streams.items()):
        for event, op in ops_in_order(stream):
            if op["t"] == "post.moved_out":
                went[event.tx, op["id"]].append(name)
            elif op["t"] == "post.moved_in":
                came[event.tx, op["id"]].append(name)
        for post in stream.posts:
            holders[post].append(name)
    for move in sorted(went.keys() | came.keys()):
        if sorted(map(len, (went[move], came[move]))) != [1, 1] and not goes_on(went[move], came[move]):
            yield f"{move[1]} left {went[move]} and came into {came[move]}"
    for post, names in sorted(holders.items()):
        if len(names) > 1:
            yield f"{post} is in {names}"


def goes_on(went, came):
    """A batch may move a post several times."""
    return len(went) == len(came) > 1


def told_once(history):
    """P12: that a deadline has come is told once, after it came, by nobody, and its key says so."""
    for name, stream in sorted(history.streams.items()):
        told = set()
        for event, op in ops_in_order(stream):
            if op["t"] not in ("post.became_overdue", "post.overdue_again"):
                continue
            deadline = (op["id"], op["f"]["overdue"])
            if op["t"] == "post.overdue_again":
                if deadline not in told:
                    yield f"{name} {event.seq}: {deadline} is overdue again, and never was"
                continue
            if deadline in told:
                yield f"{name} {event.seq}: {deadline} is told again"
            told.add(deadline)
            if event.by is not None or deadline[1] > event.at:
                yield f"{name} {event.seq}: {deadline} is told by {event.by} at {event.at}"
            row = history.keys.get((name, SYSTEM, f"overdue:{deadline[0]}:{deadline[1]}"))
            if row is None or (name, event.seq) not in row.events:
                yield f"{name} {event.seq}: {deadline} is told, and its key says {row}"


def views_show_what_is_ones_own(history):
    """P9, P10: what a view shows is a post of a list that one was in, as it was at some time."""
    newest, let_in = collections.defaultdict(int), set()
    for name, stream in history.streams.items():
        for _, op in ops_in_order(stream):
            if op["t"] == "member.added":
                let_in.add((name, op["id"]))
            elif "v" in op and "id" in op:
                newest[name, op["id"]] = max(newest[name, op["id"]], op["v"])
    for journal in history.journals:
        for line in journal.lines:
            for name, post, version in line["posts"] if line["e"] == "viewed" else []:
                if (name, journal.user) not in let_in:
                    yield f"{journal.name}: was shown {post} of {name} and never was a member"
                if version > newest[name, post]:
                    yield f"{journal.name}: was shown version {version} of {post}, the log has {newest[name, post]}"


POST_CHECKS = [over_once, in_one_list, told_once, views_show_what_is_ones_own]

# Ops whose number is told at the end of a run.
TOLD = {"post.occurred": "occurrences over", "post.moved_out": "moves to another list", "post.moved": "moves",
        "post.became_overdue": "deadlines told", "post.tagged": "tags put on", "post.assigned": "assignments",
        "step.completed": "steps finished", "contest.reached": "amounts set"}


def premises(history):
    """How often what these checks are about has happened."""
    counts = collections.Counter()
    for stream in history.streams.values():
        for _, op in ops_in_order(stream):
            counts[TOLD.get(op["t"])] += 1
        counts["undos"] += sum(bool(event.undoes) for event in stream.events.values())
    for journal in history.journals:
        counts["posts in views"] += sum(len(line["posts"]) for line in journal.lines if line["e"] == "viewed")
    del counts[None]
    return counts
