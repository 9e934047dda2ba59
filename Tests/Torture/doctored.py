"""A small sound history and, for each check of history.py, faults that only this check can tell: the self test."""
import copy
import hashlib

from history import CHECKS, Event, History, Journal, KeyRow, Stream
from posts import SYSTEM

OWNER, EDITOR = "owner", "editor"
LIST, OLD, NEW = "c:list", "c:old", "c:new"


def event(seq, by, key, *ops, tx=""):
    return Event(seq, 1000 + seq, by, key, list(ops), f"print{seq}", tx)


def own_lists(streams, keys, owner, note):
    """The owner has two more lists; a post that comes again goes from one to the other, comes again there, and is overdue."""
    old = [event(1, OWNER, "k31", {"t": "category.added"}, {"t": "member.added", "id": OWNER}),
           event(2, OWNER, "k32", {"t": "post.added", "id": "p7", "v": 1, "f": {}}),
           event(3, OWNER, "k33", {"t": "post.moved_out", "id": "p7", "v": 2, "f": {}}, tx="move")]
    again = {"recurrence": {"occurrence": {"number": 5}}}
    new = [event(1, OWNER, "k34", {"t": "category.added"}, {"t": "member.added", "id": OWNER}),
           event(2, OWNER, "k33", {"t": "post.moved_in", "id": "p7", "v": 3, "f": again}, tx="move"),
           event(3, OWNER, "k35", {"t": "post.occurred", "id": "p7", "v": 4, "f": {"over": 5, "occurrence": {"number": 6}}}),
           event(4, None, None, {"t": "post.became_overdue", "id": "p7", "f": {"overdue": 1001}}),
           event(5, None, None, {"t": "post.overdue_again", "id": "p7", "f": {"overdue": 1001}})]
    for name, log, posts in ((OLD, old, set()), (NEW, new, {"p7"})):
        streams[name] = Stream("e", len(log), {e.seq: e for e in log}, f"state of {name}", posts)
    keys[NEW, SYSTEM, "overdue:p7:1001"] = KeyRow(True, [(NEW, 4)])
    asked = [("k31", [(OLD, 1)]), ("k32", [(OLD, 2)]), ("k34", [(NEW, 1)]), ("k33", [(NEW, 2), (OLD, 3)]),
             ("k35", [(NEW, 3)])]
    for n, (key, places) in enumerate(asked, 31):
        home = places[-1][0]
        keys[home, OWNER, key] = KeyRow(True, places)
        note(owner, "sent", n=n, key=key, purpose="new", home=home, adds=["p7"] if key == "k32" else [])
        note(owner, "answered", n=n, key=key, changed=True, events=[list(place) for place in places])
    note(owner, "viewed", posts=[[NEW, "p7", 4]])
    # The second time that it became overdue came when everybody stood at the end.
    for name, seq in ((OLD, 3), (NEW, 4)):
        note(owner, "replaced", stream=name, seq=seq)
        note(owner, "final", stream=name, seq=seq, digest=f"state of {name} at {seq}" if name == NEW else f"state of {name}")


def sound():
    """The owner shares a list with the editor, removes him, and takes him in again; a client each, the editor's killed once."""
    log = [event(1, OWNER, "k1", {"t": "category.added"}, {"t": "member.added", "id": OWNER}),
           event(2, OWNER, "k2", {"t": "post.added", "id": "p1"}, {"t": "post.added", "id": "p2"}),
           event(3, EDITOR, "k3", {"t": "member.added", "id": EDITOR}),
           event(4, EDITOR, "k4", {"t": "post.edited"}),
           event(5, OWNER, "k5", {"t": "member.removed", "id": EDITOR}),
           event(6, OWNER, "k6", {"t": "post.edited"}),
           event(7, EDITOR, "k7", {"t": "member.added", "id": EDITOR}),
           event(8, EDITOR, "k8", {"t": "post.edited"})]
    streams = {LIST: Stream("e", 8, {e.seq: e for e in log}, "state8")}
    keys = {(LIST, e.by, e.key): KeyRow(True, [(LIST, e.seq)]) for e in log}
    keys[LIST, OWNER, "k9"] = KeyRow(False, [])
    keys[LIST, EDITOR, "k10"] = KeyRow(False, [])
    owner, editor = Journal("owner", OWNER, []), Journal("editor", EDITOR, [])
    clock = iter(range(1, 1000))

    def note(journal, which, **members):
        journal.lines.append({"e": which, "t": next(clock), **members})

    def command(journal, n, key, *seqs, purpose="new"):
        adds = {"k2": ["p2", "p1"]}.get(key, [])
        note(journal, "sent", n=n, key=key, purpose=purpose, home=LIST, adds=adds)
        if purpose == "new":
            note(journal, "queued", key=key)
        note(journal, "answered", n=n, key=key, changed=bool(seqs), events=[[LIST, seq] for seq in seqs])

    def apply(journal, first, last):
        note(journal, "applied", stream=LIST, **{"from": first},
             events=[f"print{seq}" for seq in range(first, last + 1)])

    note(owner, "run")
    command(owner, 1, "k1", 1)
    note(owner, "replaced", stream=LIST, seq=1)
    command(owner, 2, "k2", 2)
    apply(owner, 2, 2)
    note(editor, "run")
    command(editor, 1, "k3", 3)
    note(editor, "replaced", stream=LIST, seq=3)
    apply(owner, 3, 3)
    command(editor, 2, "k4", 4)
    apply(editor, 4, 4)
    note(editor, "state", stream=LIST, seq=4, digest="state4")
    apply(owner, 4, 4)
    note(owner, "state", stream=LIST, seq=4, digest="state4")
    command(owner, 3, "k5", 5)
    apply(editor, 5, 5)
    note(editor, "gone", stream=LIST)
    note(editor, "sent", n=3, key="no", purpose="new", home=LIST, adds=[])
    note(editor, "refused", n=3, key="no", kind="not_found")
    command(editor, 4, "k4", 4, purpose="repeat")
    note(editor, "sent", n=5, key="k4", purpose="reuse", home=LIST, adds=[])
    note(editor, "refused", n=5, key="k4", kind="key_reused")
    command(owner, 4, "k6", 6)
    note(editor, "sent", n=6, key="k10", purpose="new", home=LIST, adds=[])
    note(editor, "queued", key="k10")
    note(editor, "run")
    note(editor, "answered", n=0, key="k10", changed=False, events=[])
    command(editor, 1, "k7", 7)
    note(editor, "replaced", stream=LIST, seq=7)
    command(editor, 2, "k8", 8)
    apply(editor, 8, 8)
    apply(owner, 5, 8)
    command(owner, 5, "k9")
    own_lists(streams, keys, owner, note)
    for journal in (owner, editor):
        note(journal, "final", stream=LIST, seq=8, digest="state8")
    return History(streams, keys, {OWNER: {LIST, OLD, NEW}, EDITOR: {LIST}}, [owner, editor])


def line(history, journal, which, **members):
    """The first such line."""
    return next(it for it in history.journals[journal].lines
                if it["e"] == which and all(it.get(name) == value for name, value in members.items()))


def lose(history, seq):
    """The newest events from `seq` on were never written."""
    for gone in range(seq, 9):
        lost = history.streams[LIST].events.pop(gone)
        del history.keys[LIST, lost.by, lost.key]
    history.streams[LIST].seq = seq - 1


def twice(history):
    again = copy.deepcopy(history.streams[LIST].events[4])
    again.seq = 9
    history.streams[LIST].events[9] = again
    history.streams[LIST].seq = 9


def forget(history):
    """What the editor had queued when he was killed is gone."""
    history.journals[1].lines.remove(line(history, 1, "answered", key="k10"))
    del history.keys[LIST, EDITOR, "k10"]


def swap_answers(history):
    """the editor's k7 and k8 took effect the other way round."""
    events = history.streams[LIST].events
    events[7].key, events[8].key = "k8", "k7"
    history.keys[LIST, EDITOR, "k7"].events, history.keys[LIST, EDITOR, "k8"].events = [(LIST, 8)], [(LIST, 7)]
    line(history, 1, "answered", key="k7")["events"] = [[LIST, 8]]
    line(history, 1, "answered", key="k8")["events"] = [[LIST, 7]]


def skip(history):
    """The owner's copy goes from 4 to 6."""
    push = line(history, 0, "applied", **{"from": 5})
    push["from"], push["events"] = 6, push["events"][1:]


def overhear(history):
    """the editor is sent the event after the one that removed him."""
    push = line(history, 1, "applied", **{"from": 5})
    push["events"].append("print6")


def spy(history):
    history.streams["u:owner"] = Stream("e", 1, {1: event(1, OWNER, None)}, hashlib.sha256(b"").hexdigest())
    history.access[OWNER].add("u:owner")
    lines = history.journals[1].lines
    lines.insert(1, {"e": "replaced", "t": 0, "stream": "u:owner", "seq": 1})


def set_in(which, journal, where, **members):
    return lambda history: line(history, journal, which, **where).update(members)


def repeat_op(seq):
    return lambda history: history.streams[NEW].events[seq].ops.append(history.streams[NEW].events[seq].ops[0])


FAULTS = [
    ("acknowledged_is_stored", "the newest events are lost", lambda h: lose(h, 8)),
    ("acknowledged_is_stored", "the key of an unchanged command is lost", lambda h: h.keys.pop((LIST, OWNER, "k9"))),
    ("acknowledged_is_stored", "the answer names another event", set_in("answered", 0, {"key": "k2"}, events=[[LIST, 1]])),
    ("queued_is_settled", "a queued command is lost", forget),
    ("at_most_once", "a command took effect twice", twice),
    ("at_most_once", "the repeat has another answer", set_in("answered", 1, {"key": "k4", "n": 4}, events=[[LIST, 3]])),
    ("at_most_once", "the repeat is refused",
     lambda h: line(h, 1, "answered", key="k4", n=4).update(e="refused", kind="not_found")),
    ("at_most_once", "a used key is taken again", set_in("refused", 1, {"n": 5}, kind="conflict")),
    ("at_most_once", "the row knows another event", lambda h: h.keys.update({(LIST, OWNER, "k2"): KeyRow(True, [])})),
    ("refused_left_nothing", "what was refused is in the log",
     lambda h: setattr(h.streams[LIST].events[8], "key", "no")),
    ("refused_left_nothing", "what was refused holds a key",
     lambda h: h.keys.update({(LIST, EDITOR, "no"): KeyRow(False, [])})),
    ("numbered_without_holes", "an event is missing", lambda h: h.streams[LIST].events.pop(6)),
    ("numbered_without_holes", "the head is behind", lambda h: setattr(h.streams[LIST], "seq", 7)),
    ("numbered_without_holes", "a time goes back", lambda h: setattr(h.streams[LIST].events[6], "at", 1)),
    ("in_real_order", "a later command comes first", set_in("sent", 0, {"key": "k2"}, t=10**6)),
    ("applied_without_gaps", "an event is left out", skip),
    ("applied_without_gaps", "another event than the log's", set_in("applied", 0, {"from": 5}, events=["?"] * 4)),
    ("applied_without_gaps", "a copy goes back", lambda h: h.journals[0].lines.insert(
        -1, {"e": "replaced", "t": 0, "stream": LIST, "seq": 2})),
    ("applied_without_gaps", "a snapshot of the future", set_in("replaced", 1, {"seq": 7}, seq=9)),
    ("applied_without_gaps", "a list goes away for nothing", lambda h: h.journals[0].lines.insert(
        -1, {"e": "gone", "t": 0, "stream": LIST})),
    ("applied_without_gaps", "a copy begins with events", lambda h: h.journals[0].lines.remove(line(h, 0, "replaced"))),
    ("own_order", "commands overtake each other", swap_answers),
    ("whole_or_nothing", "a batch took effect in part", lambda h: h.streams[LIST].events[2].ops.pop()),
    ("whole_or_nothing", "a batch adds another post", set_in("sent", 0, {"key": "k2"}, adds=["p1", "p3"])),
    ("only_for_members", "an event after the removal", overhear),
    ("only_for_members", "a snapshot from outside", set_in("replaced", 1, {"seq": 7}, seq=6)),
    ("only_for_members", "somebody else's stream", spy),
    ("equal_cursors_equal_states", "two clients differ", set_in("state", 0, {}, digest="?")),
    ("equal_cursors_equal_states", "a client differs from the database", set_in("final", 1, {}, digest="?")),
    ("everybody_came_to_the_end", "a client stays behind", set_in("final", 0, {}, seq=7)),
    ("everybody_came_to_the_end", "a client stays behind what somebody did", set_in("final", 0, {"stream": NEW}, seq=2)),
    ("everybody_came_to_the_end", "a client lacks a list", lambda h: h.journals[1].lines.pop()),
    ("everybody_came_to_the_end", "a client keeps a list", lambda h: h.access.update({EDITOR: set()})),
    ("over_once", "an occurrence is over twice", repeat_op(3)),
    ("over_once", "an occurrence has the number of another",
     lambda h: h.streams[NEW].events[3].ops[0]["f"]["occurrence"].update(number=5)),
    ("in_one_list", "a post is in both lists", lambda h: h.streams[OLD].posts.add("p7")),
    ("in_one_list", "a post goes and comes nowhere", lambda h: h.streams[NEW].events[2].ops.pop()),
    ("in_one_list", "a post comes from nowhere", lambda h: h.streams[OLD].events[3].ops.pop()),
    ("told_once", "a deadline is told twice", repeat_op(4)),
    ("told_once", "a deadline is told before it comes",
     lambda h: h.streams[NEW].events[4].ops[0]["f"].update(overdue=10**6)),
    ("told_once", "somebody tells a deadline", lambda h: setattr(h.streams[NEW].events[4], "by", OWNER)),
    ("told_once", "what never was overdue is so again", lambda h: h.streams[NEW].events[4].ops.pop()),
    ("told_once", "the key of a deadline is lost", lambda h: h.keys.pop((NEW, SYSTEM, "overdue:p7:1001"))),
    ("views_show_what_is_ones_own", "a view shows somebody else's list", lambda h: h.journals[1].lines.append(
        {"e": "viewed", "t": 0, "posts": [[OLD, "p7", 1]]})),
    ("views_show_what_is_ones_own", "a view shows what never was", set_in("viewed", 0, {}, posts=[[NEW, "p7", 5]])),
]


def run(judge):
    """0 when the sound history passes, every planted fault is found by its check, and every check has one."""
    wrong = [f"the sound history: {found}" for found in [judge(sound())] if found]
    for check, fault, plant in FAULTS:
        history = sound()
        plant(history)
        if check not in judge(history):
            wrong.append(f"{check} does not see that {fault}: {judge(history)}")
    wrong += [f"{check.__name__} has no fault" for check in CHECKS if check.__name__ not in {row[0] for row in FAULTS}]
    print("\n".join(wrong) or f"{len(CHECKS)} checks, {len(FAULTS)} planted faults, each found")
    return 1 if wrong else 0
