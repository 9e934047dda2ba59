"""A command that changes something says so in one line: one_line.py PROGRAMS

Every command that can answer with a change (protocol/schema/scripts.json) is run by itself as text, each in its forms
for one thing. It prints one line, which is not empty, and nothing on standard error. A command that changes nothing,
because all is so already, does the same. What prints more is named here.
"""
import json
import pathlib
import re
import subprocess

from harness import DEADLINE, Server, expect, main
from screens import PASSWORD, done

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "protocol/schema/scripts.json"
CHANGES = "#/$defs/changes"
# These show a text that is shown once, and say below it what it is for.
SECRETS = {"token nightly ci #work report 30", "link #work 30", "invite code doer 2 to #club"}
# These print a line for each of several changes: of the work that goes from one to another, and of a tag that is new.
SEVERAL = {"handover editor to owner in #work", "tag #work 3 market", "add #work milk"}


class Typist:
    """Somebody with a state folder, who gives each line to a program of its own."""

    def __init__(self, programs, folder, url, name):
        self.program, self.state, self.typed, self.name = programs / "whattodo", folder / name, [], name
        self.call("register", name, "--password-stdin", "--server", url, text=PASSWORD + "\n")

    def call(self, *words, text=""):
        ended = subprocess.run([self.program, *words, "--state", self.state], input=text, capture_output=True,
                               text=True, timeout=DEADLINE)
        expect(ended.returncode == 0 and not ended.stderr, f"{self.name}: {words} ends with {ended}")
        return ended.stdout

    def says(self, line):
        self.typed.append(line.split()[0])
        return self.call("do", line)

    def one(self, *lines):
        """Each of them prints one line, and this is not empty."""
        for line in lines:
            said = self.says(line)
            expect(re.fullmatch(r"[^\n]*\S[^\n]*\n", said), f"{line!r} prints {said.count(chr(10))} lines: {said}")

    def more(self, line):
        """One that is named above prints more; as soon as it does not, it need not be named."""
        expect(line in SECRETS | SEVERAL, f"{line!r} is named nowhere")
        said = self.says(line)
        expect(said.count("\n") > 1, f"{line!r} prints one line now: {said}")
        return said


def posts(owner):
    owner.one("new Work", "group home", "new Chores in home", "add #work milk",
              "+ #work bread 2099-12-24 !high +urgent", "add #work salt", "add #work flour", "add #work eggs",
              "rename #chores Housework", "color #work red", "zone #work Europe/Lisbon", "move #work 3 top",
              "move #work 3 to #housework", "undo #housework", "edit #work 3 sea salt", "note #work 3 the coarse one",
              "due #work 1 today", "repeat #work 1 daily", "priority #work 3 high",
              "where #work 3 geo:38.7,-9.1 market", "color #work 3 teal", "plan #work 3 tomorrow 14:00 for 50m",
              "remind #work 3 2099-12-20 10:00", "snooze #work 3 2h", "watch #work 3", "private #work 3 dear",
              "tags #work rename urgent now", "tags #work color now red", "untag #work 2 now", "tag #work 2 now",
              "tags #work remove now", "assign #work 3 @owner", "unassign #work 3 @owner")
    owner.more("add #work milk")
    owner.more("tag #work 3 market")
    owner.one("step #work 3 coarse", "done #work 3.1", "reopen #work 3.1", "claim #work 3 2h", "release #work 3",
              "claim #work next", "each #work 4 all", "each #work 4 doers", "done #work 4", "reopen #work 4",
              "each #work 4 off", "done #work 4", "react #work 4 👏", "done #work 1", "reopen #work 1", "skip #work 1",
              "repeat #work 6 every! 2 days confirmed", "repeat #work 6 off", "undo #work", "redo #work",
              "race #work 3", "goal #work 3 300 pages", "at #work 3 120", "withdraw #work 3", "join #work 3",
              "race #work 3 off again", "coop #work 3", "coop #work 3 off",
              "copy #work 3", "rm #work 5", "restore #work 5", "rm #work 5", "purge #work 5")
    done("what changes a post or a step prints one line")


def talk(owner):
    owner.one("say #work hello there", "say in home: dinner is ready", "comment #work 3 which one?")
    greeting, comment = (line.split()[0] for line in owner.says("talk #work").splitlines())
    owner.one(f"answer #work {comment} the coarse one", f"resay #work {greeting} hello", "react #work 3.c1 👍", "react #work 3.c1 👍",
              f"react #work line {comment} off", "talk off #work", "talk on #work", f"unsay #work {greeting}")
    done("what says, changes, signs or removes a line of talk prints one line")


def already(owner):
    owner.one("rename #housework Housework", "color #work red", "edit #work 3 sea salt", "priority #work 3 high",
              "watch #work 3", "move #work 3 top", "done #work 4", "tag #work 3 market", "mute #work", "mute #work",
              "block editor", "block editor", "unblock editor", "account keep", "n #work read")
    done("and so does what changes nothing")


def places(owner):
    owner.one("copy #work as Party", "archive #party", "unarchive #party", "rm #party", "restore #party",
              "group new spare", "group rename spare Shed", "group remove shed", "group restore shed",
              "filter save urgent !high", "filter remove urgent", "settings remind 1d", "settings digest 18:00",
              "settings digest off", "me name The Owner", "me locale en", "n read")
    done("what changes a list, a group or an own setting prints one line")


def people(owner, editor):
    owner.one("new Club", "invite editor to #work", "invite editor to home", "invite editor to #party")
    code = owner.more("invite code doer 2 to #club").splitlines()[0]
    editor.one("accept 1", "accept 1", "decline 1", f"join {code}", "add #work tape", "leave #club")
    owner.one("role editor doer in #work", "role editor editor in #work", "assign #work 3 @editor",
              "revoke code 1 from #club", "invite editor to #club", "revoke editor from #club")
    owner.more("handover editor to owner in #work")
    owner.more("link #work 30")
    owner.one("unlink #work 1", "kick editor from #work")
    owner.one("bot new nightly", "invite nightly to #work")
    owner.more("token nightly ci #work report 30")
    owner.one("token nightly revoke 1", "webhook nightly https://chat.example.org/hook #work slack chat",
              "webhook nightly pause 1", "webhook nightly resume 1", "webhook nightly end 1", "bot nightly end",
              "bot nightly keep", "sessions close 1")
    done("what changes who is there, and bots, prints one line")


def whole(*typists):
    """No command that can answer with a change is left out."""
    schemas = json.loads(SCHEMA.read_text())["$defs"]
    changing = {name.removeprefix("do.") for name, schema in schemas.items()
                if name.startswith("do.") and CHANGES in json.dumps(schema)}
    left = changing - {word for typist in typists for word in typist.typed}
    expect(len(changing) > 50 and not left, f"never typed: {sorted(left)} of {len(changing)}")
    return len(changing)


def one_line(programs, folder):
    programs = programs.resolve()
    # Each line is a program of its own, which says hello.
    server = Server(programs, folder / "data", "--hello-rate", "10000").start()
    try:
        owner, editor = (Typist(programs, folder, server.url, name) for name in ("owner", "editor"))
        posts(owner)
        talk(owner)
        already(owner)
        places(owner)
        people(owner, editor)
        count = whole(owner, editor)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return f"one line: {count} commands that change something were typed"


main(one_line)
