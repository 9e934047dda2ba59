#!/usr/bin/env python3
"""Judges recurrence: python-dateutil says which days a rule means, zoneinfo when a wall clock shows a time there.

    agreement.py PROGRAMS [RULES]     PROGRAMS: the folder of OccurrenceLister; RULES: how many random ones (3 000)

1. Random rules (fixed seed) in random zones: the next occurrences must be the same moments.
2. Every change of the clock from 2026 to 2036 in every zone of zone.tab: a daily rule at the times around it, in the
   gap and in the overlap.
3. Rules that are refused, each with its reason.
4. Random rules that are counted from completion (protocol §3.6): the day after an early or a late completion.

Where we and dateutil differ on purpose (each is checked here against what we promise instead):

- A day that is only implied (FREQ=MONTHLY from the 31st; FREQ=YEARLY from 29 February) is kept in short months as their
  last day. RFC 5545 §3.3.10 leaves such months out; whoever wants that writes BYMONTHDAY=31, where we agree. The
  rule is written back as RFC 7529 has it, RSCALE=GREGORIAN;SKIP=BACKWARD, so nobody has to guess.
- SKIP=BACKWARD itself (RFC 7529 §4.1), which dateutil does not know. Here the 31st is said to it as "the last of
  28, 29, 30, 31", and several days as the union of such rules.
- A rule that does not fire for 41 years has ended, so that no search is long; dateutil looks as far as the year 9999.
- Moments after 2036 are not compared: libical 3.0 knows changes of the clock up to then. Days are.
- BYDAY=FR,1MO is "all Fridays and the first Monday" (RFC 5545: each BYDAY value indicates days); dateutil looks for
  Fridays that are a first Monday and finds none. It is asked for 1FR, 2FR, 3FR, 4FR, 5FR and 1MO.
- BYSETPOS with WEEKLY ranks the whole first week ("a set of recurrence instances starts at the beginning of the
  interval", RFC 5545 §3.3.10); dateutil ranks from the first day on. It is asked from the beginning of that week.
- dateutil takes combinations that the RFC forbids or leaves open, which we refuse: see REFUSED.

Exit status 0: all agree; 1: what differs is on standard output.
"""
import datetime
import itertools
import pathlib
import random
import subprocess
import sys
import zoneinfo

from dateutil import rrule

SEED = 5545
OCCURRENCES = 12
GAP_DAYS_MAX = 366 * 41
FIRST, LAST = datetime.datetime(2026, 1, 1), datetime.datetime(2036, 12, 25)
WEEKDAYS = "MO TU WE TH FR SA SU".split()
INTERVALS = {"DAILY": 45, "WEEKLY": 9, "MONTHLY": 14, "YEARLY": 4}

REFUSED = {
    "": "notAPart", "FREQ": "notAPart", "DTSTART=20260101": "notAPart", "FREQ=DAILY;;": "notAPart",
    "EXDATE:20260101": "line", "DTSTART:20260101": "line", "RRULE:": "notAPart",
    "X-A=1;FREQ=DAILY": "notAPart", "INTERVAL=2": "noFrequency", "FREQ=DAILY;FREQ=DAILY": "twice",
    "FREQ=HOURLY": "tooOften", "FREQ=MINUTELY": "tooOften", "FREQ=SECONDLY": "tooOften",
    "FREQ=DAILY;BYHOUR=1,2": "tooOften", "FREQ=DAILY;BYMINUTE=1,2": "tooOften", "FREQ=DAILY;BYSECOND=0,1": "tooOften",
    "FREQ=DAILY;BYHOUR=1": "otherTime", "FREQ=DAILY;BYMINUTE=1": "without", "FREQ=DAILY;BYSECOND=1": "notTaken",
    "FREQ=YEARLY;BYWEEKNO=3": "notTaken", "FREQ=MONTHLY;BYYEARDAY=3": "notTogether",
    "FREQ=YEARLY;BYMONTH=1;BYYEARDAY=3": "onlyAlone",
    "RSCALE=HEBREW;FREQ=YEARLY": "notTaken", "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=31;SKIP=FORWARD": "notTaken",
    "FREQ=FORTNIGHTLY": "badValue", "FREQ=DAILY;INTERVAL=0": "badValue", "FREQ=DAILY;INTERVAL=-1": "badValue",
    "FREQ=DAILY;INTERVAL=1001": "badValue", "FREQ=DAILY;COUNT=0": "badValue", "FREQ=DAILY;COUNT=1001": "badValue",
    "FREQ=MONTHLY;BYMONTHDAY=0": "badValue", "FREQ=MONTHLY;BYMONTHDAY=32": "badValue",
    "FREQ=MONTHLY;BYMONTHDAY=-32": "badValue", "FREQ=MONTHLY;BYMONTHDAY=": "badValue",
    "FREQ=MONTHLY;BYMONTHDAY=1,,2": "badValue", "FREQ=YEARLY;BYMONTH=13": "badValue", "FREQ=YEARLY;BYMONTH=-1": "badValue",
    "FREQ=MONTHLY;BYDAY=6MO": "badValue", "FREQ=MONTHLY;BYDAY=0MO": "badValue", "FREQ=YEARLY;BYDAY=54MO": "badValue",
    "FREQ=YEARLY;BYMONTH=2;BYDAY=6MO": "badValue", "FREQ=WEEKLY;BYDAY=XX": "badValue", "FREQ=WEEKLY;WKST=1": "badValue",
    "FREQ=DAILY;UNTIL=20260230": "badValue", "FREQ=DAILY;UNTIL=20260201T240000Z": "badValue",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367": "badValue", "FREQ=DAILY;COUNT=2;UNTIL=20270101": "notTogether",
    "FREQ=WEEKLY;BYMONTHDAY=1": "notTogether", "FREQ=WEEKLY;BYDAY=1MO": "notTogether",
    "FREQ=DAILY;BYDAY=1MO": "notTogether", "FREQ=MONTHLY;BYSETPOS=1": "notTogether",
    "FREQ=DAILY;BYDAY=MO;BYSETPOS=1": "notTogether", "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=1FR": "notTogether",
    "FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD": "notTogether", "RSCALE=GREGORIAN;FREQ=DAILY;SKIP=BACKWARD": "notTogether",
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30": "neverFires", "FREQ=MONTHLY;BYMONTH=4,6;BYMONTHDAY=31": "neverFires",
    "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30,31": "neverFires", "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2": "neverFires",
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6": "neverFires", "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29": "neverFires",
    "FREQ=DAILY;INTERVAL=7;BYDAY=FR": "neverFires", "FREQ=DAILY;UNTIL=20251231": "neverFires",
    "FREQ=DAILY;BYMONTHDAY=" + ",".join(["1"] * 300): "tooLong",
}


class Lister:
    """The program under judgement. All questions are written from a file, so that neither side waits for the other."""

    def __init__(self, programs):
        self.program = pathlib.Path(programs) / "OccurrenceLister"

    def ask(self, questions):
        text = "".join("\t".join(map(str, question)) + "\n" for question in questions)
        done = subprocess.run([self.program], input=text, capture_output=True, text=True, timeout=500, check=True)
        answers = done.stdout.splitlines()
        assert len(answers) == len(questions), (len(answers), len(questions), done.stderr[-500:])
        return answers


# ---- what dateutil says


def days_of(rule, start, count, after=None):
    """The first days of a rule, or its first days after one."""
    parts = dict(part.split("=") for part in rule.split(";"))
    parts.pop("RSCALE", None)
    backward = parts.pop("SKIP", None) == "BACKWARD"
    if not parts.keys() & {"BYDAY", "BYMONTHDAY", "BYYEARDAY"} and parts["FREQ"] in ("MONTHLY", "YEARLY"):
        parts["BYMONTHDAY"] = str(start.day)  # the intended day
        if parts["FREQ"] == "YEARLY":
            parts.setdefault("BYMONTH", str(start.month))
        backward = True
    count = min(count, int(parts.pop("COUNT", count)))
    parts.setdefault("UNTIL", "25000101")
    parts["BYDAY"] = all_with_ordinals(parts.get("BYDAY", ""), parts)
    begin = start
    if parts["FREQ"] == "WEEKLY" and "BYSETPOS" in parts:
        begin -= datetime.timedelta(days=(start.weekday() - WEEKDAYS.index(parts.get("WKST", "MO"))) % 7)
    rules = [parts] if not backward else [
        last_at_most(parts, int(day), month)
        for day in parts["BYMONTHDAY"].split(",") for month in months_of(parts)]
    found = set()
    for each in rules:
        text = ";".join(f"{name}={value}" for name, value in each.items() if value)
        days = (day for day in rrule.rrulestr(text, dtstart=begin) if day >= start and (after is None or day > after))
        found.update(itertools.islice(days, count))
    return without_long_gaps(after or start, sorted(found)[:count])


def without_long_gaps(start, days):
    for before, after in zip([start, *days], days):
        if (after - before).days > GAP_DAYS_MAX:
            return [day for day in days if day < after]
    return days


def months_of(parts):
    """Short months are a matter of months: a yearly rule without any is one of all twelve."""
    if "BYMONTH" in parts:
        return parts["BYMONTH"].split(",")
    return [""] if parts["FREQ"] == "MONTHLY" else map(str, range(1, 13))


def all_with_ordinals(weekdays, parts):
    """dateutil takes BYDAY=FR,1MO for Fridays that are a first Monday: so all Fridays are said as 1FR, 2FR …"""
    words = weekdays.split(",")
    if len({len(word) > 2 for word in words}) < 2:
        return weekdays
    most = 53 if parts["FREQ"] == "YEARLY" and "BYMONTH" not in parts else 5
    return ",".join(word if len(word) > 2 else ",".join(f"{n}{word}" for n in range(1, most + 1)) for word in words)


def last_at_most(parts, day, month):
    """A day, or in a short month its last one."""
    parts = {**parts, "BYMONTH": month}
    if day <= 28:
        return {**parts, "BYMONTHDAY": str(day)}
    return {**parts, "BYMONTHDAY": ",".join(map(str, range(28, day + 1))), "BYSETPOS": "-1"}


def moment(day, minute, zone):
    local = day.replace(hour=minute // 60, minute=minute % 60, tzinfo=zoneinfo.ZoneInfo(zone))
    return int(local.timestamp())


def until_of(text, zone):
    """The moment of an UNTIL with a time, in UTC or as clocks of the zone show it."""
    utc = text.endswith("Z")
    local = datetime.datetime.strptime(text.rstrip("Z"), "%Y%m%dT%H%M%S")
    return int(local.replace(tzinfo=datetime.timezone.utc if utc else zoneinfo.ZoneInfo(zone)).timestamp())


def expected(rule, start, minute, zone, count):
    parts = dict(part.split("=") for part in rule.removeprefix("RRULE:").rstrip(";").split(";"))
    until = parts.pop("UNTIL") if "T" in parts.get("UNTIL", "") else None
    for name in ["BYHOUR", "BYMINUTE", "BYSECOND"]:
        parts.pop(name, None)  # the due's own
    days = days_of(";".join(f"{name}={value}" for name, value in parts.items()), start, count)
    if until:
        days = [day for day in days if moment(day, minute, zone) <= until_of(until, zone)]
    if not days:
        return "refused neverFires"
    return [(day.strftime("%Y-%m-%d"), moment(day, minute, zone) if day <= LAST else None) for day in days]


def after_completion(rule, due, completed):
    """The next day of what was due on a day and completed on another one."""
    parts = dict(part.split("=") for part in rule.split(";"))
    interval = int(parts.get("INTERVAL", 1))
    if not days_of(rule, due, 1):
        return "refused neverFires"
    until = parts.pop("UNTIL", "25000101")
    rule = ";".join(f"{name}={value}" for name, value in parts.items())
    week = WEEKDAYS.index(parts.get("WKST", "MO"))

    def last_day(periods):
        """Of the period that many after the one of completion."""
        if parts["FREQ"] == "DAILY":
            return completed + datetime.timedelta(days=periods)
        if parts["FREQ"] == "WEEKLY":
            return completed + datetime.timedelta(days=6 - (completed.weekday() - week) % 7 + 7 * periods)
        months = completed.month + periods if parts["FREQ"] == "MONTHLY" else 12 * (periods + 1)
        year, month = completed.year + months // 12, months % 12 + 1
        return datetime.datetime(year, month, 1) - datetime.timedelta(days=1)

    bound = max(due, completed if interval == 1 else last_day(0))
    days = days_of(rule, completed, 1, after=bound)
    if not days:
        # What the rule leaves open is of the day of completion, also where each period counts.
        days = days_of(f"{rule};INTERVAL=1", completed, 1, after=max(due, last_day(interval - 1)))
    return days[0].strftime("%Y-%m-%d") if days and days[0].strftime("%Y%m%d") <= until else "done"


def agree(answer, wanted):
    if isinstance(wanted, str):
        return answer == wanted
    pairs = [pair.split("=") for pair in answer.split(" ")]
    return len(pairs) == len(wanted) and all(
        len(pair) == 2 and pair[0] == day and seconds in (None, int(pair[1]) if pair[1] != "?" else -1)
        for pair, (day, seconds) in zip(pairs, wanted))


# ---- what is asked


def some(chance, values, most):
    return ",".join(map(str, chance.sample(values, chance.randint(1, most))))


def random_rule(chance):
    kind = chance.choice(list(INTERVALS))
    parts = [f"FREQ={kind}"]
    if chance.random() < 0.6:
        parts.append(f"INTERVAL={chance.randint(1, INTERVALS[kind])}")
    if chance.random() < 0.3:
        parts.append("BYMONTH=" + some(chance, range(1, 13), 4))
    days = [*range(1, 32), *range(-31, 0)]
    monthdays = chance.random() < (0.3 if kind == "DAILY" else 0.5) and kind != "WEEKLY"
    weekdays = chance.random() < (0.3 if monthdays else 0.5)
    if monthdays:
        parts.append("BYMONTHDAY=" + some(chance, days, 5))
    if weekdays:
        most = 53 if kind == "YEARLY" and "BYMONTH" not in parts[-1] else 5
        ordinals = kind in ("MONTHLY", "YEARLY") and not monthdays and chance.random() < 0.5
        parts.append("BYDAY=" + ",".join(
            (str(chance.choice([1, -1]) * chance.randint(1, most)) if ordinals and chance.random() < 0.7 else "") + day
            for day in chance.sample(WEEKDAYS, chance.randint(1, 5))))
    if kind != "DAILY" and (weekdays or monthdays) and chance.random() < 0.3:
        parts.append("BYSETPOS=" + some(chance, [1, 2, 3, -1, -2, -3], 2))
    elif kind in ("MONTHLY", "YEARLY") and monthdays and not weekdays and chance.random() < 0.3:
        kept = [part for part in parts if not part.startswith("BYMONTHDAY")]
        parts = ["RSCALE=GREGORIAN", *kept, "BYMONTHDAY=" + some(chance, range(1, 32), 3), "SKIP=BACKWARD"]
    if chance.random() < 0.3:
        parts.append("WKST=" + chance.choice(WEEKDAYS))
    ending = chance.random()
    if ending < 0.15:
        parts.append(f"COUNT={chance.randint(1, OCCURRENCES)}")
    elif ending < 0.3:
        parts.append(f"UNTIL={chance.randint(2026, 2040)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}")
    return ";".join(parts)


def as_calendars_write(chance, rule, minute):
    """With what calendar programs add: a name, an end of the line, and times of day."""
    parts = rule.split(";")
    if chance.random() < 0.5 and "COUNT" not in rule and "UNTIL" not in rule:
        parts.append(f"UNTIL={chance.randint(2027, 2034)}{chance.randint(1, 12):02}{chance.randint(1, 28):02}"
                     f"T{chance.randint(0, 23):02}{chance.randint(0, 59):02}{chance.randint(0, 59):02}"
                     + chance.choice(["", "Z"]))
    if chance.random() < 0.5:
        parts += [f"BYHOUR={minute // 60}", f"BYMINUTE={minute % 60}"] + chance.choice([[], ["BYSECOND=0"]])
    return chance.choice(["RRULE:", ""]) + ";".join(parts) + chance.choice([";", ""])


def random_questions(zones, count):
    chance = random.Random(SEED)
    for turn in range(count):
        start = FIRST + datetime.timedelta(days=chance.randint(0, 1_500))
        if chance.random() < 0.2:  # days that not every month has
            start = start.replace(month=chance.choice([1, 3, 5, 7, 8, 10, 12]), day=chance.randint(29, 31))
        rule, minute = random_rule(chance), chance.randint(0, 1_439)
        if turn % 10 == 9:
            days = [*range(1, 367), *range(-366, 0)]
            rule = f"FREQ=YEARLY;INTERVAL={chance.randint(1, 4)};BYYEARDAY=" + some(chance, days, 6)
        if turn % 3 == 2:
            rule = as_calendars_write(chance, rule, minute)
        yield rule, start, minute, chance.choice(zones), OCCURRENCES


def random_completions(count):
    chance = random.Random(SEED + 1)
    for _ in range(count):
        due = FIRST + datetime.timedelta(days=chance.randint(0, 1_500))
        parts = random_rule(chance).split(";")
        rule = ";".join(part for part in parts if not part.startswith("COUNT"))
        yield rule, due, due + datetime.timedelta(days=chance.choice([0, chance.randint(-80, 80)]))


def changes(zone):
    """The moments from FIRST to LAST at which the zone's clocks change."""
    info, step = zoneinfo.ZoneInfo(zone), datetime.timedelta(days=7)

    def offset(at):
        return at.replace(tzinfo=datetime.timezone.utc).astimezone(info).utcoffset()

    at = FIRST
    while at < LAST:
        if offset(at) != offset(at + step):
            low, high = at, at + step
            while high - low > datetime.timedelta(seconds=1):
                middle = low + (high - low) / 2
                low, high = (middle, high) if offset(middle) == offset(low) else (low, middle)
            yield high.replace(microsecond=0), offset(low), offset(high)
        at += step


def questions_of_changes(zones):
    """A daily rule from the day before, at the edges and in the middle of what is skipped or shown twice."""
    for zone in zones:
        for at, before, after in changes(zone):
            shown = sorted([at + before, at + after])
            middle = shown[0] + (shown[1] - shown[0]) / 2
            for local in {shown[0] - datetime.timedelta(minutes=1), shown[0], middle, shown[1]}:
                day = local.replace(hour=0, minute=0, second=0, microsecond=0) - datetime.timedelta(days=1)
                yield "FREQ=DAILY;COUNT=3", day, local.hour * 60 + local.minute, zone, 3


def main():
    lister = Lister(sys.argv[1])
    table = pathlib.Path(zoneinfo.TZPATH[0], "zone.tab").read_text().splitlines()
    zones = sorted(line.split("\t")[2] for line in table if line[0] != "#")
    wrong = 0
    counts = []
    for questions in (list(random_questions(zones, int((sys.argv[2:] or ["3000"])[0]))),
                      list(questions_of_changes(zones))):
        asked = [(rule, start.strftime("%Y-%m-%d"), *rest) for rule, start, *rest in questions]
        for row, question, answer in zip(asked, questions, lister.ask(asked)):
            wanted = expected(*question)
            if not agree(answer, wanted):
                wrong += 1
                if wrong <= 20:
                    print("differs:", *row, "\n  ours  ", answer, "\n  theirs", wanted)
        counts.append(len(questions))
    completions = list(random_completions(counts[0]))
    asked = [(rule, due.strftime("%Y-%m-%d"), 0, "UTC", 1, done.strftime("%Y-%m-%d")) for rule, due, done in completions]
    for row, question, answer in zip(asked, completions, lister.ask(asked)):
        wanted = after_completion(*question)
        if answer != wanted:
            wrong += 1
            print("differs from completion:", *row, "\n  ours  ", answer, "\n  theirs", wanted)
    refused = [(rule, "2026-01-01", 0, "UTC", 1) for rule in REFUSED]
    for (rule, *_), answer in zip(refused, lister.ask(refused)):
        if not answer.startswith(f"refused {REFUSED[rule]}"):
            wrong += 1
            print("not refused:", rule[:80], answer)
    print(f"{counts[0]} random rules, {counts[1]} times around changes of the clock in {len(zones)} zones, "
          f"{len(completions)} completions, {len(refused)} refusals: {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
