"""JSON for scripts is as its schema says: contract.py PROGRAMS

Every command that answers is run with --json, in every way in which it can answer, and each answer is compared with
protocol/schema/scripts.json, closed: a member that the schema does not name is a fault. So are a command without a schema, a
schema without a command, a way to answer that nobody has met, and a member that no answer has. The examples of
protocol/scripts.md are run as they stand there, and print what stands below them.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from harness import DEADLINE, Server, expect, main
from screens import PASSWORD, done

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Protocol"))
import validate  # noqa: E402

PAGE = ROOT / "protocol/scripts.md"
EXAMPLE = re.compile(r"```sh\n(.*?)```\n\n```text\n(.*?)```", re.S)
QUICK_ADD = "+"
# Members that need days, a receiver that fails or a run that goes on. Other tests make these.
UNSEEN = {*(f"webhook.{name}" for name in ("pausedAt", "failingSince", "at", "stream", "from", "through", "status", "error", "ms")),
          *(f"reminder.{name}" for name in ("kind", "at", "list", "id", "number", "title")), "bot.endsAt", "do.account.endsAt", "post.run",
          *(f"run.{name}" for name in ("by", "startedAt", "phase", "percent")), "lastRun.usualMs", "lastRun.text", "result.at", "result.zone",
          "do.me.bot", "do.about.privacy", "do.about.talk", "history.before", "do.why.before", "do.handover.before", "token.usedAt", "recurrence.missed",
          "statistics.lateMedianMs", "talk.before"}


class Contract:
    """The schemas, and what the answers have shown of them."""

    def __init__(self):
        self.schemas = validate.Schemas()
        self.all = self.schemas.documents["scripts"]["$defs"]
        self.commands, self.ways, self.members = set(), set(), set()

    def holds(self, name, answer, line):
        problem = self.schemas.problem("scripts", f"do.{name}", answer)
        expect(problem is None, f"{line}: {problem}: {json.dumps(answer)}")
        self.commands.add(name)
        self.look(f"do.{name}", f"/$defs/do.{name}", self.all[f"do.{name}"], answer)

    def look(self, where, pointer, schema, value):
        """Notes which alternatives the value is, and which members it has."""
        if "$ref" in schema:
            file, _, pointer = schema["$ref"].partition("#")
            if not file:
                where = pointer.rpartition("/")[2]
                self.look(where, pointer, self.all[where], value)
            return
        for word in ("anyOf", "oneOf"):
            for number, other in enumerate(schema.get(word, [])):
                deeper = f"{pointer}/{word}/{number}"
                if self.schemas.validator("scripts", deeper).is_valid(value):
                    self.ways.add(deeper)
                    self.look(where, deeper, other, value)
        for item in value if schema.get("type") == "array" else []:
            self.look(where, f"{pointer}/items", schema["items"], item)
        for member, part in schema.get("properties", {}).items():
            if member in value:
                self.members.add(f"{where}.{member}")
                self.look(where, f"{pointer}/properties/{member}", part, value[member])

    def is_whole(self, commands):
        """Every command has a schema and was run; every schema has a command, and all of it was met."""
        named = {name.removeprefix("do.") for name in self.all if name.startswith("do.")}
        expect(commands <= named, f"no schema of {sorted(commands - named)}")
        expect(named <= commands | {QUICK_ADD}, f"no command is called {sorted(named - commands)}")
        expect(named <= self.commands, f"never run: {sorted(named - self.commands)}")
        ways = {f"/$defs/{name}/{word}/{number}" for name, schema in self.all.items() for word in ("anyOf", "oneOf")
                for number in range(len(schema.get(word, [])))}
        expect(ways <= self.ways, f"nothing answers like {sorted(ways - self.ways)}")
        members = {found for name, schema in self.all.items() for found in members_of(name, schema)} - {"failure.line"}
        failure = {found for found in members if found.startswith("failure.")}
        unmet = members - self.members - failure
        expect(unmet <= UNSEEN, f"no answer has {sorted(unmet - UNSEEN)}")
        expect(not UNSEEN - members, f"there is no member {sorted(UNSEEN - members)}")


def members_of(name, schema):
    """`form.member` for all that a schema names itself, with the parts that have no name of their own."""
    for member, part in schema.get("properties", {}).items():
        yield f"{name}.{member}"
        yield from members_of(name, part)
    for part in [*schema.get("anyOf", []), *schema.get("oneOf", []), *([schema["items"]] if "items" in schema else [])]:
        yield from members_of(name, part)


class Account:
    """Somebody with a state folder, who gives lines to `whattodo do - --json`."""

    def __init__(self, programs, folder, contract, url, name, word="register"):
        self.programs, self.contract, self.state = programs, contract, folder / f"{name}-{word}"
        self.call("whattodo", word, name, "--password-stdin", "--server", url, "--state", self.state, text=PASSWORD + "\n")

    def call(self, program, *arguments, text="", status=0):
        ended = subprocess.run([self.programs / program, *arguments], input=text, capture_output=True, text=True, timeout=DEADLINE * 3)
        expect(ended.returncode == status, f"status {status} of {program} {arguments}, not {ended.returncode}: {ended.stdout}{ended.stderr}")
        return ended.stdout

    def lines(self, *lines):
        """Runs the lines over one connection; the answers, each as its schema says."""
        output = self.call("whattodo", "do", "-", "--json", "--state", self.state, text="\n".join(lines) + "\n")
        answers = [json.loads(line) for line in output.splitlines()]
        expect(len(answers) == len(lines), f"an answer to each of {lines}: {output}")
        for line, answer in zip(lines, answers):
            self.contract.holds(line.split()[0], answer, line)
        return answers

    def one(self, line):
        return self.lines(line)[0]

    def fails(self, line, status, kind):
        answer = json.loads(self.call("whattodo", "do", line, "--json", "--state", self.state, status=status))
        problem = self.contract.schemas.problem("scripts", "failure", answer)
        expect(problem is None and answer["kind"] == kind, f"{line}: {problem}: {answer}")


def adds(owner):
    """The list and its posts, and what an addition answers."""
    answers = owner.lines("new Work", "group home", "new Chores in home", "add #work milk", "+ #work bread 2099-12-24 !high +urgent",
                          "add #work salt", "add #work flour", "add #work eggs", "add #work milk")
    made = [answer["results"][0] for answer in answers]
    expect(all("id" in result for result in made), f"whatever is added has an id: {made}")
    numbers = [result.get("number") for result in made[3:]]
    expect(numbers == [1, 2, 3, 4, 5, 6], f"and a post its number: {numbers}")
    shown = {post["number"]: post["id"] for post in owner.one("show #work")["posts"]}
    expect(shown == {result["number"]: result["id"] for result in made[3:]}, f"the same as in the list: {shown}")
    owner.lines("twins #work milk", "find #work milk", "lists", "show #work 2", "rename #chores", "rename #chores Housework",
                "color #work", "color #work red", "zone #work", "zone #work Europe/Lisbon", "move #work 3 top")
    done("what is added answers with its id, and a post with its number")


def fields(owner):
    owner.lines("edit #work 3 sea salt", "edit #work 3", "note #work 3 the coarse one", "note #work 3", "due #work 1 today", "due #work 1",
                "repeat #work 1 daily", "repeat #work 1", "priority #work 3 high", "priority #work 3", "where #work 3 geo:38.7,-9.1 market",
                "where #work 3", "color #work 3 teal", "color #work 3", "plan #work 3 tomorrow 14:00 for 50m", "plan #work 3",
                "remind #work 3 2099-12-20 10:00", "remind #work 3", "snooze #work 3 2h", "snooze #work 3", "watch #work 3",
                "private #work 3 dear", "private #work 3", "tag #work 3 market", "tag #work 3", "untag #work 3 market", "tags #work",
                "tags #work rename market shop", "tags #work color urgent", "tag #work 3 shop", "assign #work 3 @owner", "assign #work 3",
                "unassign #work 3 @owner", "due #work 4 2099-12-24 18:00", "due #work 5 2020-01-01", "show #work")
    steps = [answer["results"][0] for answer in owner.lines("step #work 3 coarse", "step #work 3 fine", "done #work 3.1")]
    expect(steps[0]["step"] != steps[1]["step"] and steps[2]["step"] == steps[0]["step"], f"steps have ids, too: {steps}")
    owner.lines("step #work 3", "claim #work 3 2h", "show #work", "release #work 3", "claim #work next", "each #work 4 all", "each #work 4",
                "each #work 4 doers", "each #work 4", "show #work 4", "each #work 4 off", "each #work 4", "each #work 4 owner", "done #work 4",
                "react #work 4 👏", "react #work 4", "show #work done")
    each = owner.one("each #work 5 doers")
    shown = owner.one("each #work 5")
    expect(each["ok"] and shown["value"] == "for each doer" and shown["post"]["modeRole"] == "doer", f"whom it is for: {shown}")
    owner.one("each #work 5 off")
    again = owner.one("done #work 1")["results"][0]["again"]
    expect(set(again["due"]) == {"date"} and again["date"] == again["due"]["date"], f"a due is one object: {again}")
    owner.lines("reopen #work 1", "skip #work 1", "repeat #work 6 every! 2 days confirmed", "repeat #work 2 every week rotate")


def talk(owner):
    """Lines of talk are named by the numbers that their changes answer, and `talk` shows the same ones."""
    said = owner.lines("say #work hello there", "say in home: dinner is ready", "comment #work 3 which one?")
    greeting, _, comment = (answer["results"][0]["number"] for answer in said)
    owner.lines(f"answer #work {comment} the coarse one", f"resay #work {greeting} hello @owner")
    signed = owner.one("react #work 3.c1 👍")["results"][0]
    expect(signed == {"changed": True, "number": comment}, f"a sign for the first comment: {signed}")
    line = owner.one("react #work 3.c1")["lines"]
    expect([row["sign"] for row in line[0]["reactions"]] == ["👍"] and line[0]["number"] == comment, f"the line with its sign: {line}")
    whole, about, home = owner.lines("talk #work", "talk #work 3", "talk home")
    post = owner.one("show #work 3")["post"]
    expect(post["comments"]["count"] == 2 and post["comments"]["last"] == whole["lines"][2]["at"], f"how many comments: {post}")
    named = whole["lines"][0]["mentions"]
    expect([(it["username"], it["at"], it["length"]) for it in named] == [("owner", 6, 6)], f"whom a line names: {named}")
    expect(owner.one("talk #work older")["lines"] == [], "nothing is older than all that was said")
    expect([line["text"] for line in whole["lines"]] == ["hello @owner", "which one?", "the coarse one"], f"all that was said: {whole}")
    expect(whole["lines"][0]["number"] == greeting and "edited" in whole["lines"][0], f"a line in other words: {whole}")
    expect(whole["lines"][2]["answers"] == comment and whole["lines"][2]["post"]["number"] == 3, f"an answer to a comment: {whole}")
    expect(about == owner.one("comment #work 3") and about["post"]["number"] == 3 and len(about["lines"]) == 2, f"the comments: {about}")
    owner.lines(f"react #work line {comment} off", "talk off #work", "talk on #work")
    expect(home["place"]["kind"] == "group" and len(home["lines"]) == 1, f"the talk of a group: {home}")
    gone = owner.one(f"unsay #work {greeting}")["results"][0]
    expect(gone == {"changed": True, "number": greeting}, f"a line is removed: {gone}")
    owner.fails("unsay #work 999999", 1, "not_found")
    owner.fails("react #work 3.c9 👍", 1, "not_found")
    owner.fails("react #work 3.c1 two words", 2, "usage")
    owner.fails("unsay #work 3.c1", 1, "not_found")
    owner.fails("resay #work 3.c1 nothing", 1, "not_found")
    expect(len(owner.one("talk #work")["lines"]) == 2, "and its text is nowhere")
    done("what is said is shown, answered, changed, signed and removed by its number")


def looks(owner):
    owner.lines("today", "soon", "day", "day 2099-12-24", "month", "month 2099-12", "mine", "assigned", "tagged #work urgent", "who #work",
                "history #work", "history #work 3", "why #work 3", "handover #work since 8h", "score #work", "stats #work month", "stats home",
                "digest", "glance", "filter save urgent !high", "filter save urgent", "filter", "filter urgent", "filter remove urgent",
                "settings", "settings remind 1d", "settings digest 18:00", "settings", "me", "me name The Owner", "me location Lisbon",
                "me locale en", "me", "account", "account keep", "sessions", "about", "pair", "help", "help add", "help numbers")
    answer = owner.one("day 2099-12-24")
    dues = {post["number"]: post["due"] for post in answer["posts"]}
    listed = {post["number"]: post.get("due") for post in owner.one("show #work")["posts"]}
    expect(dues[2] == listed[2] == {"date": "2099-12-24"}, f"a due has one form, in a view as in the list: {dues}, {listed}")
    expect(all(post["list"]["name"] == "Work" for post in answer["posts"]), f"and a list has its name: {answer}")


def changes(owner):
    owner.lines("undo #work", "redo #work", "copy #work 3", "copy #work as Party", "archive #party", "archive", "unarchive #party", "rm #party",
                "group new spare", "group remove spare", "bin lists", "restore #party", "group restore spare", "group", "group home",
                "rm #work 5 7", "rm all #work 2", "bin #work", "restore #work 2 5 7", "rm #work 5", "purge #work 5")


def people(owner, editor):
    owner.lines("invite editor to #work", "invite editor to home", "invite editor to #party", "new Club")
    code = owner.one("invite code doer 2 to #club")["results"][0]["code"]
    editor.lines("lists", "accept 1", "accept 1", "decline", f"join {code}", "who #work", "why #work @owner", "add #work tape", "done #work 6",
                 "show #work", "n", "n #work", "n read", "leave #club")
    owner.lines("digest", "role editor in #work", "role editor doer in #work", "role editor editor in #work",
                "assign #work 3 @editor", "assigned editor",
                "handover editor to owner in #work", "mute", "mute #work", "mute @editor 2h", "mute", "codes #club", "revoke code 1 from #club",
                "invite editor to #club", "revoke editor from #club", "link #work 30", "links #work", "unlink #work 1", "show #work", "n",
                "done #work 6",
                "block", "block editor", "block", "unblock editor", "kick editor from #work")
    expect("reminders" in owner.one("n"), "reminders have a place in the news")


def contests(owner, editor):
    owner.lines("new Books", "add #books novel", "add #books feast", "step #books 2 soup", "invite editor to #books")
    editor.lines("accept")
    owner.lines("race #books 1", "goal #books 1 300 pages", "goal #books 1", "at #books 1 120", "at #books 1")
    entries = editor.lines("at #books 1 80", "show #books 1")[1]["post"]["entries"]
    expect([(it["username"], it["place"]) for it in entries] == [("owner", 1), ("editor", 2)], f"the standing: {entries}")
    expect(entries[1]["amount"] == 80 and entries[1]["behind"] == 40, f"how far, and how far behind: {entries}")
    entries = editor.lines("withdraw #books 1", "show #books 1")[1]["post"]["entries"]
    expect(entries[-1]["username"] == "editor" and entries[-1]["withdrew"], f"who withdrew stands last: {entries}")
    editor.lines("join #books 1")
    rows = owner.lines("at #books 1 300", "score #books", "score me year", "stats me all")
    won = [(row["places"], row["amounts"]) for row in (answer["people"][0] for answer in rows[1:])]
    expect(won == [([1], [{"amount": 300, "unit": "pages"}])] * 3, f"a race that was won, and its amount: {rows}")
    expect([answer["kind"] for answer in rows[1:]] == ["list", "user", "user"] and "added" not in rows[2], f"of all lists: {rows}")
    claimed = owner.lines("race #books 1 off again", "coop #books 2", "claim #books 2.1", "show #books 2")
    step = claimed[3]["post"]["steps"][0]
    expect(step["claimedBy"]["username"] == "owner" and step["id"] == claimed[2]["results"][0]["step"], f"who is on a step: {step}")
    row = owner.lines("release #books 2.1", "step #books 2 cake", "done #books 2.2", "score #books", "coop #books 2 off")[3]["people"][0]
    expect(row["username"] == "owner" and row["steps"] == 1, f"a step of a coop is in the score: {row}")


def bots(owner):
    owner.lines("bot new nightly", "invite nightly to #work", "token nightly ci #work report 30", "token nightly rest", "token nightly revoke 2",
                "webhook nightly https://chat.example.org/hook #work slack chat", "webhook nightly pause 1", "webhook nightly look 1",
                "bots", "bot nightly keep", "webhook nightly end 1")
    owner.call("whattodo-bot", "run", "--state", owner.state, "#work", "build", "--", "echo", "all is well")
    owner.call("whattodo-bot", "import", "--state", owner.state, "#work", "forge", text="12\tan issue\thttps://forge.example/12\n")
    posts = {post["title"]: post for post in owner.lines("who #work", "show #work")[1]["posts"]}
    expect(posts["build"]["lastRun"]["by"]["username"] == "owner", f"whose run it was: {posts['build']}")
    expect(posts["an issue"]["source"]["id"] == "12", f"where it comes from: {posts['an issue']}")


def runs(owner):
    """The newest 20 runs of a post that had more, each with how it ended and what `at` less `startedAt` says that it took."""
    owner.call("whattodo-bot", "run", "--state", owner.state, "#work", "another", "--", "true")
    spent = []
    for status in [*range(1, 23), 0]:
        begun = time.monotonic()
        owner.call("whattodo-bot", "run", "--state", owner.state, "#work", "tests", "--", "sh", "-c", f"sleep 0.{status // 22}; exit {status}",
                   status=status)
        spent.append((time.monotonic() - begun) * 1_000)
    number = next(post["number"] for post in owner.one("show #work")["posts"] if post["title"] == "tests")
    answer = owner.one(f"history #work {number} runs")
    told, texts = [], []
    for line in answer["history"]:
        op, = line["event"]["ops"]
        problem = owner.contract.schemas.problem("ops", "run.ended", op)
        expect(problem is None and line["by"]["username"] == "owner", f"{problem}: {line}")
        told.append((op["f"]["outcome"], line["at"] - op["f"]["startedAt"]))
        texts.append(op["f"].get("text"))
    expect(texts == [None, *(f"failed with exit status {status}" for status in range(22, 3, -1))], f"the newest 20, the newest first: {texts}")
    expect([outcome for outcome, _ in told] == ["ok"] + ["failed"] * 19, f"how each ended: {told}")
    expect(all(0 <= took <= whole + 1 for (_, took), whole in zip(told, reversed(spent))), f"what each took: {told} of {spent}")
    expect(told[1][1] >= 100, f"a command that sleeps for 100 ms: {told[1]}")
    expect("before" in answer, "the log goes on")
    one = owner.one("history #work 6 runs")
    expect(one["history"] == [] and "before" not in one, f"a post without a run: {one}")
    done("history LIST N runs has the newest 20 of 23 runs, with outcome and duration")


def ends(owner, other, folder):
    number = next(session["number"] for session in owner.one("sessions")["sessions"] if not session["current"])
    owner.lines(f"sessions close {number}", f"export {folder}/all.json")
    other.fails("lists", 4, "unauthenticated")
    owner.fails("done #work 99", 1, "not_found")
    owner.fails("nonsense", 2, "usage")
    owner.fails("rm #work 1", 6, "ask")
    owner.fails("restore #nowhere", 1, "not_found")
    owner.one("logout")
    owner.fails("lists", 4, "unauthenticated")


def judged(contract):
    """The judge finds what is wrong."""
    some = "01890a5d-ac96-774b-bcce-0000000000a1"
    post = {"list": {"id": some}, "number": 1, "id": some, "title": "milk", "done": False}
    for more, is_right in (({}, True), ({"due": {"date": "2027-01-04"}}, True), ({"due": "2027-01-04"}, False),
                           ({"list": "groceries"}, False), ({"news": 1}, False)):
        problem = contract.schemas.problem("scripts", "do.today", {"ok": True, "posts": [{**post, **more}], "more": False})
        expect((problem is None) == is_right, f"{more}: {problem}")


def examples(programs, folder, url):
    """The page is run from its first example to its last, by a shell in which `whattodo` is signed in."""
    shown = EXAMPLE.findall(PAGE.read_text())
    expect(len(shown) == PAGE.read_text().count("```sh\n") > 0, "each example stands above what it prints")
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "XDG_STATE_HOME": str(folder / "page"), "HOME": str(folder)}
    subprocess.run([programs / "whattodo", "register", "reader", "--password-stdin", "--server", url], input=PASSWORD, text=True, check=True,
                   capture_output=True, timeout=DEADLINE, env=environment)
    helped = subprocess.run([programs / "whattodo", "--help"], capture_output=True, text=True, check=True, timeout=DEADLINE).stdout
    lines = re.findall(r"^whattodo do .* \| jq .*$", helped, re.M)
    expect(len(lines) == 1, f"the help has an example: {lines}")
    for script, printed in [*shown, (lines[0] + "\n", "milk\nflour\n")]:
        ended = subprocess.run(["sh", "-eu", "-c", script], env=environment, cwd=folder, capture_output=True, text=True, timeout=DEADLINE * 3)
        expect(ended.returncode == 0 and ended.stdout == printed,
               f"{script}ends with {ended.returncode} and prints\n{ended.stdout}{ended.stderr}instead of\n{printed}")
    done(f"{len(shown)} examples with jq print what stands below them")


def contract(programs, folder):
    programs = programs.resolve()
    agreed, server = Contract(), Server(programs, folder / "data").start()
    try:
        judged(agreed)
        owner, editor = (Account(programs, folder, agreed, server.url, name) for name in ("owner", "editor"))
        commands = {entry["name"] for entry in owner.one("help")["commands"] if not entry.get("chat")}
        adds(owner)
        fields(owner)
        talk(owner)
        looks(owner)
        changes(owner)
        people(owner, editor)
        contests(owner, editor)
        bots(owner)
        runs(owner)
        ends(owner, Account(programs, folder, agreed, server.url, "owner", "login"), folder)
        agreed.is_whole(commands)
        done(f"{len(commands)} commands answer as the schema says, in all {len(agreed.ways)} ways of those that have several")
        examples(programs, folder, server.url)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return "JSON for scripts: every answer is as its schema says"


main(contract)
