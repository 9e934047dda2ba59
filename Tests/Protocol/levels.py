#!/usr/bin/env python3
"""The rule of levels in Python, written from protocol/README.md §5.16, and the vectors of it.

    levels.py             tries the rule on each row of protocol/vectors/levels.json
    levels.py --write     makes the file anew

The reason of each kind is read from the table of §5.16. `TABLE` and the rows of `singled_out` say by themselves who is
told, so the file is no echo of the rule. Exit status 0: all is well; 1: what is wrong is on standard output.
"""
import json
import pathlib
import re
import sys

PROTOCOL = pathlib.Path(__file__).resolve().parent.parent.parent / "protocol"
FILE = PROTOCOL / "vectors/levels.json"
KINDS = json.loads((PROTOCOL / "schema/common.json").read_text())["$defs"]["notification"]["properties"]["kind"]["enum"]
ORDER = ["none", "directed", "all"]
RUNS = ["run_ok", "run_failed", "run_cancelled", "run_lost", "run_recovered"]
RUNS_TO_LOOK_AT = ["run_failed", "run_lost", "run_recovered"]
# These are told beyond their reason to whom the post concerns.
FOR_THE_CONCERNED = [*RUNS_TO_LOOK_AT, "commented"]
TALK = ["mentioned", "answered", "commented", "said"]
MEMBERS_TOLD_ALL = 10


def reasons():
    """The reason of each kind, by the table of §5.16."""
    text = (PROTOCOL / "README.md").read_text().partition("### 5.16 ")[2].partition("\n## ")[0]
    listed = {kind: reason for reason, kinds in re.findall(r"^\| (asked|directed) \| ([^|]*) \|", text, re.M)
              for kind in re.findall("`(.*?)`", kinds)}
    return {kind: listed.get(kind, "progress") for kind in KINDS}


REASONS = reasons()


# ---- the rule


def is_told(levels, now, notification, members, group=None, concerns=False):
    """Whether the person who has chosen these levels is told of something in a place with so many members."""
    chosen = {it["about"]: it["level"] for it in levels if "until" not in it or now < it["until"]}
    place = notification["stream"] if notification["stream"].startswith("g:") else notification["about"]
    level = chosen.get(place) or chosen.get(group) or ("all" if members <= MEMBERS_TOLD_ALL else "directed")
    actor = notification.get("user" if notification["kind"] in RUNS else "by")
    level = min(level, chosen.get(f"u:{actor}", "all"), key=ORDER.index)
    reason = REASONS[notification["kind"]]
    if reason == "asked" or level == "all":
        return True
    if level == "none":
        return False
    return reason == "directed" or notification["kind"] in FOR_THE_CONCERNED and concerns


def check(rows):
    for row in rows:
        told = is_told(row["levels"], row["now"], row["notification"], row["members"], row.get("group"), row["concerns"])
        if told != row["told"]:
            yield f"{row['name']}: the rule says told {told}, and the row {row['told']}"
    names = [row["name"] for row in rows]
    yield from (f"{name}: is there twice" for name in sorted({name for name in names if names.count(name) > 1}))
    for kind in KINDS:
        seen = {it["level"] for row in rows if row["notification"]["kind"] == kind for it in row["levels"]}
        if seen != set(ORDER):
            yield f"{kind}: has no row with {set(ORDER) - seen}"


# ---- the vectors

UUID = "01890a5d-ac96-774b-bcce-{:012x}"
READER, EDITOR, BOT, POST = (UUID.format(number) for number in (0xA1, 0xB2, 0xB07, 0x501))
LIST, OTHER, GROUP, OTHER_GROUP = "c:" + UUID.format(0xC1), "c:" + UUID.format(0xC2), "g:" + UUID.format(0x91), "g:" + UUID.format(0x92)
NOW = 1_790_000_000_000
# Whether a kind is told, by its reason and the level. Some runs and comments are told beyond it (`FOR_THE_CONCERNED`).
TABLE = {
    "asked": {"all": True, "directed": True, "none": True},
    "directed": {"all": True, "directed": True, "none": False},
    "progress": {"all": True, "directed": False, "none": False},
}
OF_THE_SYSTEM = ["reminder", "planned", "snoozed", "due_soon", "overdue", "digest", "webhook_paused", "run_lost"]
OF_NO_POST = ["invited", "removed_from", "role_changed", "digest", "webhook_paused", "joined", "left", "category_added", "said"]
# These are directed, and told in the stream in which they happened.
DIRECTED_IN_PLACE = ["reacted", "mentioned", "answered"]


def notification(kind, by=EDITOR, user=None, **more):
    """A notification of the kind as the reader gets it."""
    stream = LIST
    if REASONS[kind] != "progress" and kind not in DIRECTED_IN_PLACE:
        stream = f"u:{READER}"
    elif kind in ("left", "category_added"):
        stream = GROUP
    it = {"kind": kind, "stream": stream, "seq": 7, "op": 0, "at": NOW - 60_000}
    if by and kind not in OF_THE_SYSTEM:
        it["by"] = by
    it["about"] = {"digest": f"u:{READER}", "webhook_paused": f"u:{BOT}", "left": GROUP}.get(kind, LIST)
    if kind not in OF_NO_POST:
        it["post"] = POST
    if kind in RUNS + ["part_completed", "reached", "joined", "left"]:
        it["user"] = user or EDITOR
    if kind == "reacted":
        it["sign"] = "👏"
    if kind in TALK:
        it["line"] = it["seq"]
    return {**it, **more}


def choice(about, level, until=None):
    return {"about": about, "level": level, **({} if until is None else {"until": until})}


def row(name, levels, it, told, group=None, concerns=False, members=2):
    placed = {} if group is None else {"group": group}
    return {"name": name, "levels": sorted(levels, key=lambda it: it["about"]), "now": NOW, "notification": it, **placed,
            "members": members, "concerns": concerns, "told": told}


def of_each_kind():
    for kind in KINDS:
        it = notification(kind)
        group = GROUP if kind == "category_added" else None
        place = GROUP if it["stream"] == GROUP else LIST
        for members in (2, 10):
            yield row(f"{kind}: nothing is chosen, {members} members", [], it, True, group, members=members)
        for concerns in (False, True):
            told = TABLE[REASONS[kind]]["directed"] or kind in FOR_THE_CONCERNED and concerns
            ending = ", of a post that concerns the person" if concerns else ""
            yield row(f"{kind}: nothing is chosen, 11 members{ending}", [], it, told, group, concerns, members=11)
        for level in ("all", "directed", "none"):
            for concerns in (False, True):
                told = TABLE[REASONS[kind]][level] or level == "directed" and kind in FOR_THE_CONCERNED and concerns
                ending = ", of a post that concerns the person" if concerns else ""
                yield row(f"{kind}: {level} of the place{ending}", [choice(place, level)], it, told, group, concerns)


def of_actors():
    for kind in KINDS:
        it = notification(kind, by=BOT, user=BOT if kind in RUNS else None)
        if "by" not in it and kind not in RUNS:
            continue
        group = GROUP if kind == "category_added" else None
        for level in ("directed", "none"):
            told = TABLE[REASONS[kind]][level] or level == "directed" and kind in FOR_THE_CONCERNED
            yield row(f"{kind}: {level} of the actor", [choice(f"u:{BOT}", level)], it, told, group, concerns=True)


def singled_out():
    bot, editor = f"u:{BOT}", f"u:{EDITOR}"
    added, assigned, failed = notification("added"), notification("assigned"), notification("run_failed", user=BOT)
    of_bot = notification("added", by=BOT)
    new_list = notification("category_added")
    yield row("the level of the group holds for its categories", [choice(GROUP, "none")], added, False, GROUP)
    yield row("the level of the group: directed", [choice(GROUP, "directed")], assigned, True, GROUP)
    yield row("the own level over the group's: more", [choice(GROUP, "none"), choice(LIST, "all")], added, True, GROUP)
    yield row("the own level over the group's: less", [choice(GROUP, "all"), choice(LIST, "none")], added, False, GROUP)
    yield row("the own level over the group's: directed", [choice(GROUP, "none"), choice(LIST, "directed")], assigned, True, GROUP)
    yield row("the group has a level, and the category is in none", [choice(GROUP, "none")], added, True)
    yield row("the level of another group", [choice(OTHER_GROUP, "none")], added, True, GROUP)
    yield row("the level of another category", [choice(OTHER, "none")], added, True, GROUP)
    yield row("the level of another user", [choice(bot, "none")], added, True)
    yield row("the level of the actor is lower", [choice(LIST, "all"), choice(bot, "none")], of_bot, False)
    yield row("the level of the actor is lower: directed", [choice(LIST, "all"), choice(bot, "directed")], of_bot, False)
    yield row("the level of the actor is lower than directed", [choice(LIST, "directed"), choice(editor, "none")], assigned, False)
    yield row("the level of the place is lower", [choice(LIST, "none"), choice(bot, "all")], of_bot, False)
    yield row("the level of the place is lower than directed", [choice(LIST, "none"), choice(editor, "directed")], assigned, False)
    yield row("both are directed", [choice(LIST, "directed"), choice(editor, "directed")], assigned, True)
    yield row("the level of the group and that of the actor", [choice(GROUP, "directed"), choice(bot, "none")], failed, False, GROUP, True)
    yield row("a run that was lost is of who started it", [choice(bot, "none")], notification("run_lost", user=BOT), False, concerns=True)
    yield row("a run that was lost, of somebody else", [choice(bot, "none")], notification("run_lost"), True)
    stopped = notification("run_cancelled", by=EDITOR, user=BOT)
    yield row("a run that somebody else stopped: of who started it", [choice(bot, "none")], stopped, False)
    yield row("a run that somebody else stopped: not of who stopped it", [choice(editor, "none")], stopped, True)
    yield row("a run that failed: directed of the bot, of a post that does not concern the person", [choice(bot, "directed")], failed, False)
    yield row("a run that failed: directed of the bot", [choice(bot, "directed")], failed, True, concerns=True)
    comment, mention = notification("commented", by=BOT), notification("mentioned", by=BOT)
    yield row("a comment: directed of the bot, on a post that does not concern the person", [choice(bot, "directed")], comment, False)
    yield row("a comment: directed of the place and of the bot", [choice(LIST, "directed"), choice(bot, "directed")], comment, True, concerns=True)
    yield row("a comment: the person is muted, on a post that concerns the person", [choice(bot, "none")], comment, False, concerns=True)
    yield row("a comment: the level of the group", [choice(GROUP, "directed")], comment, True, GROUP, concerns=True)
    yield row("a mention by somebody who is muted", [choice(bot, "none")], mention, False)
    yield row("a mention in a group", [choice(GROUP, "directed")], notification("mentioned", stream=GROUP, about=GROUP), True)
    yield row("a line in a group", [choice(GROUP, "directed")], notification("said", stream=GROUP, about=GROUP), False)
    yield row("a sign for a line", [choice(LIST, "directed")], notification("reacted", line=6), True)
    part = notification("part_completed", by=EDITOR, user=BOT)
    yield row("a part is of who completed it", [choice(editor, "none")], part, False)
    yield row("a part is not of whose part it is", [choice(bot, "none")], part, True)
    amount = notification("reached", by=BOT, user=EDITOR)
    yield row("an amount is of who reported it", [choice(bot, "none")], amount, False)
    yield row("an amount is not of whose amount it is", [choice(editor, "none")], amount, True)
    joined = notification("joined", by=EDITOR, user=BOT)
    yield row("somebody joined: of who is the actor", [choice(editor, "none")], joined, False)
    yield row("somebody joined: not of who joined", [choice(bot, "none")], joined, True)
    yield row("somebody joined a group", [choice(GROUP, "none")], notification("joined", stream=GROUP, about=GROUP), False)
    yield row("a new category: its group is the place", [choice(LIST, "none")], new_list, True, GROUP)
    yield row("a new category: its own level does not help", [choice(GROUP, "none"), choice(LIST, "all")], new_list, False, GROUP)
    yield row("a new category: directed", [choice(GROUP, "directed"), choice(LIST, "all")], new_list, False, GROUP)
    yield row("a new category of a bot", [choice(bot, "none")], notification("category_added", by=BOT), False, GROUP)
    yield row("until: it holds", [choice(LIST, "none", NOW + 1)], added, False)
    yield row("until: it comes now", [choice(LIST, "none", NOW)], added, True)
    yield row("until: it came after the event", [choice(LIST, "none", NOW - 1)], added, True)
    yield row("until: it came before the event", [choice(LIST, "none", NOW - 120_000)], added, True)
    yield row("until: it came, and the group has a level", [choice(GROUP, "none"), choice(LIST, "all", NOW)], added, False, GROUP)
    yield row("until: it holds over the group", [choice(GROUP, "none"), choice(LIST, "all", NOW + 1)], added, True, GROUP)
    yield row("until: of the group it came", [choice(GROUP, "none", NOW)], added, True, GROUP)
    yield row("until: of the group it holds", [choice(GROUP, "none", NOW + 1)], added, False, GROUP)
    yield row("until: of the actor it came", [choice(bot, "none", NOW)], of_bot, True)
    yield row("until: of the actor it holds", [choice(bot, "none", NOW + 1)], of_bot, False)
    yield row("11 members: the own level", [choice(LIST, "all")], added, True, GROUP, members=11)
    yield row("11 members: the level of the group", [choice(GROUP, "all")], added, True, GROUP, members=11)
    yield row("11 members: the level of another category", [choice(OTHER, "all")], added, False, GROUP, members=11)
    yield row("11 members: the level of the actor", [choice(bot, "all")], of_bot, False, members=11)
    yield row("11 members: the lower level of the actor", [choice(bot, "none")], notification("assigned", by=BOT), False, members=11)
    yield row("11 members: the own level is none", [choice(LIST, "none")], assigned, False, members=11)
    yield row("11 members: the own level has ended", [choice(LIST, "all", NOW)], added, False, members=11)
    yield row("10 members: the own level has ended", [choice(LIST, "none", NOW)], added, True, members=10)
    all_muted = [choice(about, "none") for about in (LIST, GROUP, bot, editor)]
    yield row("a digest where all is muted", all_muted, notification("digest"), True)
    yield row("an invitation of somebody who is muted", all_muted, notification("invited"), True)
    yield row("a deadline has no actor", [choice(bot, "none"), choice(editor, "none")], notification("overdue"), True)


def written():
    rows = [*of_each_kind(), *of_actors(), *singled_out()]
    return rows, "[\n" + ",\n".join(json.dumps(it, separators=(",", ":")) for it in rows) + "\n]\n"


def main(arguments):
    rows, text = written()
    if arguments == ["--write"]:
        FILE.write_text(text)
    stored = json.loads(FILE.read_text())
    faults = list(check(stored))
    if stored != rows:
        faults.append(f"{FILE.name} has other rows than levels.py --write makes")
    # A judge that takes the opposite of each row is none.
    turned = sum(1 for _ in check([{**it, "told": not it["told"]} for it in stored]))
    if turned < len(stored):
        faults.append("a row that says the opposite is not found")
    for line in faults:
        print(line)
    if not faults:
        print(f"{len(stored)} rows of levels: the rule agrees")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
