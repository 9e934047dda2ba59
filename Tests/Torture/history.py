"""Reads what clients wrote down and what the database holds, and judges both by the promises (DESIGN §2).

  history.py DATABASE JOURNAL…     each journal is USER-ID.NAME.jsonl; exit 1 when a promise is broken
  history.py --self-test           every check finds the fault that is planted for it

A journal is one JSON object a line, written by Tests/Torture/Client; `e` says what, `t` when (nanoseconds of one
clock for all processes):

  run                                     the client began (again); it holds no copies but those it tells next
  kept      stream seq                    a copy that an earlier run has left on disk
  sent      n key purpose home adds       before anything left; purpose: new, repeat, reuse (another command, same key);
                                          adds: the ids of the posts that it adds, several for a batch
  queued    key                           it is on disk, and nothing that happens to the client may lose it
  answered  n key changed events          events: [[stream, seq], …]; n 0, here and below: an earlier run has queued it
  refused   n key kind
  replaced  stream seq                    a snapshot at seq (-1: not known) replaced the copy
  applied   stream from events            these events (the beginnings of their SHA-256) were applied, from that number on
  gone      stream                        the copy was dropped
  state     stream seq digest             what the copy is now
  viewed    posts                         what a view has shown: [[stream, post, version], …]
  final     stream seq digest             the same as state, when everything was quiet

Nothing here shares code with the server or the client: numbers, keys, members and states are read from the rows.
"""
import collections
import dataclasses
import hashlib
import json
import pathlib
import sqlite3
import sys
import uuid

from posts import POST_CHECKS, SYSTEM
from posts import premises as post_premises


@dataclasses.dataclass
class Event:
    seq: int
    at: int
    by: str | None
    key: str | None
    ops: list
    fingerprint: str
    tx: str = ""
    undoes: tuple = ()


@dataclasses.dataclass
class Stream:
    epoch: str
    seq: int
    events: dict  # seq → Event
    digest: str  # of the state's rows
    posts: set = dataclasses.field(default_factory=set)  # ids of those in the state


@dataclasses.dataclass
class KeyRow:
    changed: bool
    events: list  # [(stream, seq)]


@dataclasses.dataclass
class Journal:
    name: str
    user: str
    lines: list


@dataclasses.dataclass
class History:
    streams: dict  # name → Stream
    keys: dict  # (home stream, user, key) → KeyRow
    access: dict  # user → {stream}
    journals: list


# Says nothing about the command: the same again may be answered.
PASSING = {"rate_limited", "unavailable", "draining", "unknown_outcome"}

# Reading


def stream_name(raw):
    return f"{chr(raw[0])}:{uuid.UUID(bytes=bytes(raw[1:17]))}"


def positions(raw):
    """The events of a stored result; of a batch its parts follow, which begin with `1` or `!`."""
    events = []
    while raw and raw[:1] in b"cgu":
        events.append((stream_name(raw), int.from_bytes(raw[17:25])))
        raw = raw[25:]
    return events


def digest_of(bodies):
    return hashlib.sha256(b"\n".join(sorted(bodies))).hexdigest()


def read_database(path, events=True):
    """(streams, keys, access) as of one moment; without `events` only heads and access are right, and quickly read."""
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    database.execute("BEGIN")
    names, streams = {}, {}
    for number, name, epoch, seq, own in database.execute("SELECT number, name, epoch, seq, own FROM stream"):
        names[number] = stream_name(name)
        bodies = database.execute("SELECT body FROM object WHERE stream = ? AND in_state = 1", (number,)) if events else []
        streams[names[number]] = Stream(epoch, seq, {}, digest_of([own, *(body for body, in bodies)] if events else []))
    for place, at, body in database.execute("SELECT place, at, body FROM event ORDER BY place") if events else []:
        event = json.loads(body)
        streams[names[place >> 32]].events[place & 0xFFFF_FFFF] = Event(
            place & 0xFFFF_FFFF, at, event.get("by"), event.get("key"), event["ops"],
            hashlib.sha256(body).hexdigest()[:16], event["tx"], tuple(event.get("undoes", ())))
    for number, post in database.execute(
            "SELECT stream, id FROM object WHERE kind = 6 AND in_state = 1") if events else []:
        streams[names[number]].posts.add(str(uuid.UUID(bytes=post)))
    keys = {}
    for stream, actor, key, changed, events in database.execute(
            "SELECT stream, actor, key, changed, events FROM command_key") if events else []:
        keys[names[stream], str(uuid.UUID(bytes=actor)), key] = KeyRow(bool(changed), positions(events))
    access = collections.defaultdict(set)
    for user, stream in database.execute("SELECT user, stream FROM access"):
        access[str(uuid.UUID(bytes=user))].add(names[stream])
    database.close()
    return streams, keys, dict(access)


def read_journal(path):
    """A line that is no JSON is only allowed where a client was killed while it wrote: right before the next run."""
    user, name = path.name.split(".")[:2]
    lines, broken = [], None
    for number, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
        try:
            line = json.loads(text) if text else None
        except ValueError:
            line, broken = None, number
        if line is not None:
            if broken and line["e"] != "run":
                raise ValueError(f"{path.name}:{broken} is no JSON")
            broken = None
            lines.append(line)
    return Journal(name, user, lines)


# What the log says of members


def memberships(stream):
    """user → [(first event, event that ends it or None)], from the ops alone."""
    spans = collections.defaultdict(list)
    for seq in sorted(stream.events):
        for op in stream.events[seq].ops:
            if op["t"] == "member.added":
                spans[op["id"]].append((seq, None))
            elif op["t"] == "member.removed" and spans[op["id"]]:
                spans[op["id"]][-1] = (spans[op["id"]][-1][0], seq)
    return spans


def commands(journal):
    """n of a run, or the key of what was queued → its `sent` line, for every line about a command: yields (line, sent)."""
    sent, queued = {}, {}
    for line in journal.lines:
        if line["e"] == "run":
            sent = {}
        elif line["e"] == "sent":
            sent[line["n"]] = line
            if line["purpose"] == "new":
                queued[line["key"]] = line
        elif line["e"] in ("answered", "refused"):
            yield line, sent[line["n"]] if line["n"] else queued[line["key"]]


# The checks: each yields sentences about what is broken


def acknowledged_is_stored(history):
    """P1: what was answered is in the database."""
    for journal in history.journals:
        for line, sent in commands(journal):
            if line["e"] != "answered" or sent["purpose"] == "reuse":
                continue
            row = history.keys.get((sent["home"], journal.user, line["key"]))
            if row is None:
                yield f"{journal.name}: the answered key {line['key']} is not stored"
            for name, seq in line["events"]:
                event = history.streams[name].events.get(seq) if name in history.streams else None
                if event is None or (event.by, event.key) != (journal.user, line["key"]):
                    yield f"{journal.name}: {line['key']} was answered as {name} {seq}, which is something else"


def queued_is_settled(history):
    """What was queued on disk came to the server or was refused, whoever was killed meanwhile."""
    for journal in history.journals:
        home = {line["key"]: line["home"] for line in journal.lines if line["e"] == "sent"}
        settled = {line["key"] for line, sent in commands(journal) if sent["purpose"] == "new"}
        for line in journal.lines:
            key = line.get("key")
            if line["e"] == "queued" and key not in settled and (home[key], journal.user, key) not in history.keys:
                yield f"{journal.name}: {key} was queued, and nothing came of it"


def told_of(history, user, places, stored):
    """What an answer names of a command's events (protocol §8): no stream of another person. An undo that takes a post back
    from a list of others says nothing of that list; one that is asked for there says both."""
    events = {place: history.streams[place[0]].events[place[1]] for place in places}
    takes_back = any(event.undoes and op["t"] == "post.moved_in" for event in events.values() for op in event.ops)
    return [place for place, event in events.items()
            if (place[0] == f"u:{user}" or not place[0].startswith("u:"))
            and (place in stored or not takes_back or event.undoes or any(op["t"] != "post.moved_out" for op in event.ops))]


def at_most_once(history):
    """P2: one command, one event in each stream; a repeat has the first answer; a key means one command."""
    places = collections.defaultdict(list)
    for name, stream in sorted(history.streams.items()):
        seen = set()
        for event in stream.events.values():
            if event.key is None:
                continue
            if (event.by, event.key) in seen:
                yield f"{name} {event.seq}: {event.key} took effect before"
            seen.add((event.by, event.key))
            places[event.by, event.key].append((name, event.seq))
    for (_, user, key), row in history.keys.items():
        told = told_of(history, user, places.get((user, key), []), row.events)
        if user != SYSTEM and sorted(row.events) != sorted(told):
            yield f"{key} is stored as {row.events}, but is in the log as {told}"
    for journal in history.journals:
        first = {}
        for line, sent in commands(journal):
            if sent["purpose"] == "reuse":
                if line["e"] == "answered" or line["kind"] != "key_reused":
                    yield f"{journal.name}: another command with the key {line['key']} was not told key_reused"
            elif line["e"] == "answered":
                answer = (line["changed"], line["events"])
                if first.setdefault(line["key"], answer) != answer:
                    yield f"{journal.name}: {line['key']} was answered twice, differently"
            elif line["key"] in first and line["kind"] not in PASSING:
                yield f"{journal.name}: the repeat of {line['key']} was refused as {line['kind']}"


def refused_left_nothing(history):
    """P3: a refused command is not in the log and holds no key."""
    stored = {(user, key) for _, user, key in history.keys}
    logged = {(event.by, event.key) for stream in history.streams.values() for event in stream.events.values()}
    effective = stored | logged
    for journal in history.journals:
        for line, sent in commands(journal):
            if line["e"] != "refused" or sent["purpose"] != "new" or line["kind"] == "unknown_outcome":
                continue
            if (journal.user, line["key"]) in effective:
                yield f"{journal.name}: {line['key']} was refused as {line['kind']} and took effect"


def numbered_without_holes(history):
    """P4: 1, 2, 3 … up to the head, times that never go back."""
    for name, stream in sorted(history.streams.items()):
        seqs = sorted(stream.events)
        if seqs != list(range(1, len(seqs) + 1)) or len(seqs) != stream.seq:
            yield f"{name}: {len(seqs)} events, the head is {stream.seq}, and the numbers are not 1 to it"
        times = [stream.events[seq].at for seq in seqs]
        if times != sorted(times):
            yield f"{name}: the times go back"


def in_real_order(history):
    """P4: what was answered before something else was sent comes before it in the log."""
    sent_at, answered_at = {}, {}
    for journal in history.journals:
        for line in journal.lines:
            if line["e"] == "sent" and line["purpose"] == "new":
                sent_at[journal.user, line["key"]] = line["t"]
        for line, sent in commands(journal):
            if line["e"] == "answered" and sent["purpose"] == "new":
                answered_at[journal.user, line["key"]] = line["t"]
    for name, stream in sorted(history.streams.items()):
        earliest, whose = None, None  # of the answers to later events
        for seq in sorted(stream.events, reverse=True):
            who = (stream.events[seq].by, stream.events[seq].key)
            if earliest is not None and who in sent_at and earliest < sent_at[who]:
                yield f"{name} {seq}: was sent after {whose} had been answered"
            if who in answered_at and (earliest is None or answered_at[who] < earliest):
                earliest, whose = answered_at[who], seq


def applied_without_gaps(history):
    """P5: a copy begins with a snapshot, goes on with the next event of the log, never back, and ends for a reason."""
    for journal in history.journals:
        cursors = {}
        for line in journal.lines:
            name = line.get("stream")
            if line["e"] == "run":
                cursors = {}
            elif line["e"] == "kept":
                cursors[name] = line["seq"]
            elif line["e"] == "replaced":
                yield from snapshot_fits(history, journal, line, cursors.get(name))
                cursors[name] = line["seq"]
            elif line["e"] == "applied":
                yield from events_fit(history, journal, line, cursors.get(name))
                cursors[name] = line["from"] + len(line["events"]) - 1
            elif line["e"] == "gone":
                ends = [end for _, end in memberships(history.streams[name])[journal.user] if end is not None]
                if not any(end >= cursors.get(name, 0) for end in ends):
                    yield f"{journal.name}: {name} went away after {cursors.get(name)}, but nobody removed them"
                cursors.pop(name, None)


def snapshot_fits(history, journal, line, cursor):
    if line["seq"] > history.streams[line["stream"]].seq:
        yield f"{journal.name}: a snapshot of {line['stream']} at {line['seq']}, which is not in the log"
    if cursor is not None and -1 < line["seq"] < cursor:
        yield f"{journal.name}: {line['stream']} went back from {cursor} to {line['seq']}"


def events_fit(history, journal, line, cursor):
    name = line["stream"]
    if cursor is None or (cursor >= 0 and line["from"] != cursor + 1):
        yield f"{journal.name}: {name} went on with {line['from']} after {cursor}"
    for seq, fingerprint in enumerate(line["events"], line["from"]):
        event = history.streams[name].events.get(seq)
        if event is None or event.fingerprint != fingerprint:
            yield f"{journal.name}: {name} {seq} is not the event of the log"


def own_order(history):
    """P7: of one client, what was sent first is first in every stream. What was under way when the connection was lost
    may come later: it may have been refused then, and was judged anew when it was sent again (protocol §10.1)."""
    for journal in history.journals:
        answers, losses, lost_before = {}, 0, {}
        for line in journal.lines:
            losses += line["e"] == "run" or line.get("is") == "offline"
            if line["e"] == "sent" and line["purpose"] == "new":
                lost_before[line["n"]] = losses
            elif line["e"] == "answered" and (line["n"] in lost_before or not line["n"]):
                answers.setdefault(line["key"], (line["events"], lost_before.get(line["n"]) == losses))
        newest = {}
        for line in journal.lines:
            if line["e"] != "sent" or line["purpose"] != "new" or line["key"] not in answers:
                continue
            events, in_one_connection = answers[line["key"]]
            for name, seq in events:
                if seq <= newest.get(name, 0):
                    yield f"{journal.name}: {line['key']} is {name} {seq}, an earlier one was {newest[name]}"
                if in_one_connection:
                    newest[name] = max(newest.get(name, 0), seq)


def whole_or_nothing(history):
    """P8: all parts of a command are in the log, or none is."""
    added = collections.defaultdict(list)
    for stream in history.streams.values():
        for event in stream.events.values():
            added[event.by, event.key] += [op["id"] for op in event.ops if op["t"] == "post.added"]
    for journal in history.journals:
        for line in journal.lines:
            if line["e"] == "sent" and line["purpose"] == "new":
                there = added.get((journal.user, line["key"]), [])
                if there and sorted(there) != sorted(line["adds"]):
                    yield f"{journal.name}: of {line['key']} only {len(there)} of {len(line['adds'])} parts took effect"


def only_for_members(history):
    """P9: events and snapshots reach members only, the event that removes somebody included."""
    spans = {name: memberships(stream) for name, stream in history.streams.items()}
    for journal in history.journals:
        for line in journal.lines:
            name = line.get("stream")
            if line["e"] not in ("applied", "replaced") or name == f"u:{journal.user}":
                continue
            if name.startswith("u:"):
                yield f"{journal.name}: was shown {name}, somebody else's"
                continue
            own = spans[name][journal.user]
            if line["e"] == "replaced":
                if line["seq"] >= 0 and not any(a <= line["seq"] and (b is None or line["seq"] < b) for a, b in own):
                    yield f"{journal.name}: was shown {name} at {line['seq']} and was no member then"
                continue
            for seq in range(line["from"], line["from"] + len(line["events"])):
                if not any(a <= seq and (b is None or seq <= b) for a, b in own):
                    yield f"{journal.name}: was sent {name} {seq} and was no member then"


def equal_cursors_equal_states(history):
    """P10: whoever stands at the same number has the same state; at the head it is the database's."""
    digests = {(name, stream.seq): (stream.digest, "the database") for name, stream in history.streams.items()}
    for journal in history.journals:
        for line in journal.lines:
            if line["e"] in ("state", "final"):
                place = (line["stream"], line["seq"])
                digest, whose = digests.setdefault(place, (line["digest"], journal.name))
                if digest != line["digest"]:
                    yield f"{place[0]} at {place[1]}: {journal.name} has another state than {whose}"


def is_end(seq, stream, wanted):
    """Nothing but what nobody asked for came after it."""
    return None not in (seq, wanted) and seq < wanted and all(
        stream.events[later].by is None for later in range(seq + 1, wanted + 1))


def everybody_came_to_the_end(history):
    """P5, P10: when all was quiet, every client stood at the head of every stream that its user may read. Each went on to
    the heads of one moment; what the server wrote by itself after that (a deadline passes at any time) nobody waited for."""
    for journal in history.journals:
        final = {line["stream"]: line["seq"] for line in journal.lines if line["e"] == "final"}
        wanted = {name: history.streams[name].seq for name in history.access.get(journal.user, ())}
        odd = sorted(name for name in final.keys() | wanted.keys()
                     if final.get(name) != wanted.get(name) and not is_end(final.get(name), history.streams.get(name), wanted.get(name)))
        if odd:
            yield f"{journal.name}: stands at {[(n, final.get(n), wanted.get(n)) for n in odd[:3]]} (has, should have)"


CHECKS = [acknowledged_is_stored, queued_is_settled, at_most_once, refused_left_nothing, numbered_without_holes,
          in_real_order, applied_without_gaps, own_order, whole_or_nothing, only_for_members,
          equal_cursors_equal_states, everybody_came_to_the_end, *POST_CHECKS]


def judge(history):
    """{check: [sentences]} of the checks that found something."""
    found = {check.__name__: list(check(history)) for check in CHECKS}
    return {name: sentences for name, sentences in found.items() if sentences}


def premises(history):
    """How often what the checks are about has happened."""
    counts = collections.Counter()
    places = collections.Counter()
    for journal in history.journals:
        for line in journal.lines:
            counts[line["e"]] += 1
            if line["e"] == "sent":
                counts[line["purpose"]] += 1
                counts["batches with several new posts"] += len(line["adds"]) > 1
            elif line["e"] in ("answered", "refused"):
                counts["settled in a later run"] += not line["n"]
            elif line["e"] == "applied":
                counts["events applied"] += len(line["events"])
            elif line["e"] == "state":
                places[line["stream"], line["seq"]] += 1
    counts["states compared"] = sum(count for count in places.values() if count > 1)
    for stream in history.streams.values():
        counts["events"] += len(stream.events)
        counts["removals"] += sum(op["t"] == "member.removed" for e in stream.events.values() for op in e.ops)
    return counts + post_premises(history)


def main():
    if sys.argv[1:] == ["--self-test"]:
        import doctored
        return doctored.run(judge)
    history = History(*read_database(sys.argv[1]), [read_journal(pathlib.Path(name)) for name in sys.argv[2:]])
    found = judge(history)
    for name, sentences in found.items():
        print(f"{name}: {len(sentences)} times")
        print("\n".join(f"  {sentence}" for sentence in sentences[:5]))
    counts = premises(history)
    print(", ".join(f"{counts[name]} {name}" for name in sorted(counts)))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
