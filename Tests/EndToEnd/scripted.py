"""Commands for scripts: scripted.py PROGRAMS

A script gives commands by standard input, one a line, over one connection. Each sees what those before it did. The first
that fails ends it, with its own exit status and the number of its line, and nothing behind it is sent.
"""
import json
import os
import subprocess

from harness import DEADLINE, Server, expect, main
from screens import Person, Tmux, done


class Script(Person):
    def feed(self, lines, *options, status=0):
        """Gives these lines to `whattodo do -`; what it says on standard output and on standard error."""
        result = subprocess.run([self.program, "do", "-", "--state", self.state, *options], input=lines, text=True,
                                capture_output=True, timeout=DEADLINE * 2)
        expect(result.returncode == status,
               f"status {status}, not {result.returncode}: {result.stdout}{result.stderr}")
        return result.stdout, result.stderr

    def posts(self):
        posts = json.loads(self.do("show #work", 0, "--json"))["posts"]
        return {post["title"]: post for post in posts}


def scripted(programs, folder):
    programs = programs.resolve()
    server, tmux = Server(programs, folder / "data").start(), Tmux(folder)
    owner = Script(tmux, programs, folder, server.url, "owner")
    try:
        stranger = Script(tmux, programs, folder, server.url, "stranger")
        said = stranger.feed("show\n", status=4)[1]
        expect(said.startswith("whattodo: line 1: not signed in"), f"without an account: {said!r}")
        owner.run("register", "owner", "--password-stdin", "--server", server.url)
        added(owner)
        answered(owner)
        failed(owner)
        together(owner)
        glanced(owner)
    finally:
        tmux.stop()
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return "scripts: every line was seen"


def added(owner):
    owner.feed("new Work\n\n  \nadd #work milk\n+ #work bread tomorrow !high\n/add #work salt\ndone #work 3")
    posts = owner.posts()
    expect(sorted(posts) == ["bread", "milk"], f"two are open: {posts}")
    expect(posts["bread"]["priority"] == "high" and "due" in posts["bread"], f"the line is read: {posts['bread']}")
    said = owner.do("+ flour 2099-12-24 !high #work")
    expect(said == "+ #4 flour (in #Work)  due 2099-12-24, high priority\n", f"one action prints one line: {said!r}")
    expect("due" in owner.posts()["flour"], "the line is read for a command by itself, too")
    owner.do("add #work on friday")
    expect("due" not in owner.posts()["on friday"], "add takes the line as it is")
    expect(owner.feed("") == ("", ""), "nothing is nothing")
    done("lines come in one after the other, each after the answer to the one before, with or without a /")


def answered(owner):
    output, _ = owner.feed("add #work one\nadd #work two\nshow #work\n", "--json")
    answers = [json.loads(line) for line in output.splitlines()]
    expect([answer["ok"] for answer in answers] == [True] * 3, f"an object a line: {answers}")
    shown = [post["title"] for post in answers[2]["posts"]]
    expect("one" in shown and "two" in shown, f"a line sees what those before it did: {shown}")
    output, _ = owner.feed("help add\nshow #work\n", "--json")
    helped = json.loads(output.splitlines()[0])
    expect([it["name"] for it in helped["commands"]] == ["add"], f"help has an object, too: {helped}")
    done("with --json each line has its object")


def failed(owner):
    for lines, status, number in (("add #work before\ndone #work 99\nadd #work behind\n", 1, 2),
                                  ("\n\nadd\nadd #work behind\n", 2, 3), ("nonsense\nadd #work behind\n", 2, 1)):
        _, said = owner.feed(lines, status=status)
        expect(said.startswith(f"whattodo: line {number}: "), f"the line is named: {said!r}")
        output, _ = owner.feed(lines, "--json", status=status)
        last = json.loads(output.splitlines()[-1])
        expect(not last["ok"] and last["line"] == number, f"so it is in JSON: {last}")
    posts = owner.posts()
    expect("before" in posts and "behind" not in posts, f"nothing behind it is sent: {sorted(posts)}")
    said = owner.says("nonsense", 2)
    expect(said.startswith("whattodo: there is no command nonsense"), f"a single command has no line: {said!r}")
    said = owner.says("done 1", 1)
    expect(said == "whattodo: it is not said which list is meant: #list\n", f"nothing of an open list: {said!r}")
    said = owner.says("show #nowhere", 1)
    expect(said == "whattodo: no list is called nowhere; lists shows them\n", f"commands stand without a slash: {said!r}")
    folder = os.open(owner.state, os.O_RDONLY)
    try:
        result = subprocess.run([owner.program, "do", "-", "--state", owner.state], stdin=folder, capture_output=True, text=True,
                                timeout=DEADLINE)
    finally:
        os.close(folder)
    expect(result.returncode == 2 and "standard input cannot be read: Is a directory" in result.stderr, f"a folder: {result}")
    done("the first line that fails ends it, with its number and its exit status")


def together(owner):
    output, _ = owner.feed("add #work iron\n+ #work nails +shop 2h\n+ #work screws +shop\nrm #work 1\n", "--batch", "--json")
    results = json.loads(output)["results"]
    expect(all(result["changed"] for result in results) and len(output.splitlines()) == 1, f"one answer to all lines: {results}")
    posts = owner.posts()
    expect({"iron", "nails", "screws"} <= set(posts) and "milk" not in posts, f"all of it: {sorted(posts)}")
    tags = [posts[title]["tags"][0]["id"] for title in ("nails", "screws")]
    expect(tags[0] == tags[1], f"a new tag is made once: {tags}")
    owner.do("undo #work")
    posts = owner.posts()
    expect(not {"iron", "nails", "screws"} & set(posts) and "milk" in posts, f"one undo takes all of it back: {sorted(posts)}")
    for lines, status, number in (("add #work gone\ndone #work 99\n", 1, 2), ("add #work gone\nnonsense\n", 2, 2),
                                  ("add #work gone\n\nshow #work\n", 1, 3), (f"add #work gone\nedit #work 1 {'x' * 600}\n", 1, 2)):
        output, _ = owner.feed(lines, "--batch", "--json", status=status)
        failed = json.loads(output)
        expect(not failed["ok"] and failed["line"] == number, f"the line that failed: {failed}")
        expect("gone" not in owner.posts(), "and nothing is made")
    expect(owner.feed("", "--batch") == ("", ""), "nothing is nothing")
    done("with --batch all lines are one change, or none is made")


def glanced(owner):
    count = len(json.loads(owner.do("show #work", 0, "--json"))["posts"])
    numbers = {"ok": True, "open": count, "mine": 0, "overdue": 0, "new": 0, "more": False}
    found = json.loads(owner.do("glance", 0, "--json"))
    expect(found == numbers, f"a glance has numbers: {found}")
    said = owner.run("--glance").strip()
    expect(said == f"{count} open, 0 yours, 0 overdue, 0 new", f"and so for a status bar: {said!r}")
    happened = json.loads(owner.do("history #work", 0, "--json"))["history"]
    expect(all(event["by"]["username"] == "owner" and event["at"] for event in happened), f"who and when: {happened}")
    expect(happened[0]["words"], f"the words of the chat: {happened[0]}")
    done("a glance is numbers only, and the history has names and words")


main(scripted)
