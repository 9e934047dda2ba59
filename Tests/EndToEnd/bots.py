"""The example bot as people use it: bots.py PROGRAMS

A run that failed is never a completed post; one whose end nobody knows is not either. A command behind -- keeps its output,
its exit status and its signals, also when nobody can be told. A line of an import that cannot be taken keeps no other one out.
"""
import json
import signal
import subprocess
import time

from harness import DEADLINE, Server, expect, main
from screens import PASSWORD, done

HELPFUL = ["whattodo", "whattodo-server", "whattodo-example-bot", "whattodo-simulate", "websocket-echo"]
COMMANDS = {"whattodo": [[], ["do"], ["register"], ["login"]],
            "whattodo-server": [[], ["verify"], ["backup"], ["restore"], ["invite"], ["user"], ["group"], ["clock"], ["--data", "x"]]}


class Account:
    """A state folder with a signed-in account."""

    def __init__(self, programs, folder, server, name, *options):
        self.programs, self.state, self.name = programs, folder / name, name
        self.run("whattodo", "register", name, "--password-stdin", "--server", server.url, "--state", self.state, *options,
                 text=PASSWORD + "\n")

    def run(self, program, *arguments, text="", status=0):
        """Output and errors."""
        spent = subprocess.run([self.programs / program, *arguments], input=text if isinstance(text, bytes) else text.encode(),
                               capture_output=True, timeout=DEADLINE * 2)
        output, errors = spent.stdout.decode(errors="replace"), spent.stderr.decode(errors="replace")
        expect(spent.returncode == status, f"status {status} of {program} {arguments}, not {spent.returncode}: {output}{errors}")
        return output, errors

    def do(self, line, status=0):
        return self.run("whattodo", "do", line, "--json", "--state", self.state, status=status)[0]

    def bot(self, *arguments, text="", status=0):
        return self.run("whattodo-example-bot", "--state", self.state, *arguments, text=text, status=status)

    def posts(self, where="#builds"):
        """By title, those that are done too."""
        posts = json.loads(self.do(f"show {where}"))["posts"] + json.loads(self.do(f"show {where} done"))["posts"]
        return {post["title"]: post for post in posts}


def helps(programs):
    for program in HELPFUL:
        for words in COMMANDS.get(program, [[]]):
            spent = subprocess.run([programs / program, *words, "--help"], capture_output=True, text=True, timeout=DEADLINE,
                                   stdin=subprocess.DEVNULL)
            expect(spent.returncode == 0 and "usage" in spent.stdout.lower() and not spent.stderr,
                   f"{program} {words} --help: {spent}")
    done("--help of every program and command goes to standard output and exits with 0")


def finds(robot, owner):
    _, errors = robot.bot("#builds", "early", status=1)
    expect("there is no list #builds: this account has no list" in errors, f"no list: {errors}")
    owner.do("invite robot to #builds")
    _, errors = robot.bot("#builds", "early", status=1)
    expect("an invitation of @owner to Builds is waiting" in errors and "whattodo do accept" in errors, f"an invitation: {errors}")
    robot.do("accept")
    _, errors = robot.bot("#bilds", "early", status=1)
    expect("there is no list #bilds: there are #Builds" in errors, f"another name: {errors}")
    done("a bot without its list is told why: no list, an invitation that waits, another name")


def runs(robot):
    output, errors = robot.bot("#builds", "good", "--", "sh", "-c", "echo one; echo two >&2; echo '[3/3] three'")
    expect(output == "one\n[3/3] three\n" and errors.startswith("two\n"), f"output and errors go on: {output!r} {errors!r}")
    expect("#1 good: done" in errors, f"how it ended: {errors}")
    good = robot.posts()["good"]
    expect(good["done"] and sorted(good["notes"].split("\n")) == ["[3/3] three", "one", "two"], f"a good run: {good}")
    _, errors = robot.bot("#builds", "bad", "--", "sh", "-c", "echo broken; exit 7", status=7)
    expect("bad: failed with exit status 7" in errors, f"how it ended: {errors}")
    bad = robot.posts()["bad: failed with exit status 7"]
    expect(not bad["done"] and bad["notes"] == "broken\nfailed with exit status 7", f"a failed run is open: {bad}")
    robot.bot("#builds", "absent", "--", "/no/such/program", status=127)
    expect(not robot.posts()["absent: could not be started: No such file or directory"]["done"], "one that never began")
    robot.bot("#builds", "shot", "--", "sh", "-c", "kill -KILL $$", status=137)
    expect(not robot.posts()["shot: ended by signal 9 (Killed)"]["done"], "one that was killed")
    output, _ = robot.bot("#builds", "piped", text="error: it is all broken\n")
    expect("piped: ended" in output, f"from a pipe: {output}")
    piped = robot.posts()["piped: ended"]
    expect(not piped["done"] and piped["notes"] == "error: it is all broken\nended", f"a pipe tells no end: {piped}")
    robot.bot("#builds", "wordless", text="")
    expect(not robot.posts()["wordless: ended"]["done"], "an empty pipe")
    robot.bot("#builds", "left behind", "--", "sh", "-c", "sleep 60 & echo begun")
    expect(robot.posts()["left behind"]["done"], "the run is over when the command is, whatever it left behind")
    title = "x" * 500
    robot.bot("#builds", title, "--", "false", status=1)
    expect(any(name.startswith("xxx") and name.endswith("x: failed with exit status 1") for name in robot.posts()), "a long title")
    done("only a run that ended with status 0 is a completed post; each other one says how it ended")


def asked_to_end(robot):
    for number in (signal.SIGTERM, signal.SIGINT):
        # The pipe's other end tells when the command runs.
        script = "trap 'exit 9' TERM INT; echo begun; while :; do sleep 0.05; done"
        bot = subprocess.Popen([robot.programs / "whattodo-example-bot", "--state", robot.state, "#builds", f"stopped {number}", "--",
                                "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        expect(bot.stdout.readline() == b"begun\n", "the command runs")
        bot.send_signal(number)
        expect(bot.wait(DEADLINE) == 9, f"the command's own answer to signal {number}")
        bot.stdout.close()
        expect(f"stopped {number}: failed with exit status 9" in robot.posts(), "how it ended is told")
    done("a signal to the bot reaches the command, whose end is told")


def untold(robot, server):
    server.stop()
    begun = time.monotonic()
    output, errors = robot.bot("#builds", "alone", "--", "sh", "-c", "echo saved; exit 3", status=3)
    expect(output == "saved\n" and "nobody is told" in errors, f"without a server: {output} {errors}")
    expect(time.monotonic() - begun < DEADLINE, "it waits no longer than it has to")
    server.start()
    done("a command runs also when nobody can be told of it")


def score(owner, robot):
    robot.bot("#builds", "counted?", "--", "true")
    owner.do("add #builds swept")
    number = owner.posts()["swept"]["number"]
    owner.do(f"done #builds {number}")
    score = json.loads(owner.do("score #builds"))
    rows = [row["username"] for row in score["people"]]
    expect(rows == ["owner"] and score["completed"] == 1, f"no bot in the score: {score}")
    done("a bot is in no score")


def imports(robot):
    def bring(text, status=0):
        output, errors = robot.bot("--from", "forge", "#builds", text=text, status=status)
        return output.strip(), errors.replace("whattodo-example-bot: ", "").splitlines()

    told, errors = bring("1\tfirst\n2\t\n\tnameless\nno tab at all\n\n5\tfifth\thttps://forge.example/5\n", 1)
    expect(told == "2 added", f"the good lines: {told}")
    expect(errors == ["line 2: no title", "line 3: no id", "line 4: no tab between the id and the title", "3 left out"], f"the bad ones: {errors}")
    told, errors = bring(b"\xef\xbb\xbf1\tfirst\r\n6\tcaf\xe9\r\n7\tcaf\xc3\xa9\r\n", 1)
    expect(told == "1 added, 1 unchanged", f"with a byte order mark and line ends of two characters: {told}")
    expect(errors[0].startswith("line 2: not UTF-8 at byte 6"), f"Latin-1: {errors}")
    expect("café" in robot.posts() and not any("\ufffd" in title for title in robot.posts()), "nothing is changed silently")
    told, errors = bring("8\teight".encode("utf-16"), 2)
    expect(told == "" and "UTF-16" in errors[0], f"UTF-16: {told} {errors}")
    long = "".join(f"{n}\t{'x' * (600 if n in (20, 150) else 400)}{n}\n" for n in range(10, 210))
    told, errors = bring(long, 1)
    expect(told == "198 added" and len(errors) == 3, f"two of 200 are too long: {told} {errors}")
    expect(errors[0].startswith("line 11: ") and errors[1].startswith("line 141: "), f"by their lines: {errors}")
    told, errors = bring("300\t" + "y" * 300_000 + "\n301\tafter it\n302\tlast line without an end", 1)
    expect(told == "2 added" and errors[0] == "line 1: longer than 65536 bytes", f"a line without measure: {told} {errors}")
    told, _ = bring("")
    expect(told == "nothing to import", f"nothing: {told}")
    done("a line that cannot be taken is told by its number, and all others are taken")


def bots(programs, folder):
    programs = programs.resolve()
    helps(programs)
    server = Server(programs, folder / "data").start()
    try:
        owner = Account(programs, folder, server, "owner")
        robot = Account(programs, folder, server, "robot", "--bot")
        owner.do("new Builds")
        finds(robot, owner)
        runs(robot)
        asked_to_end(robot)
        untold(robot, server)
        score(owner, robot)
        imports(robot)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return "bots: every step was seen"


main(bots)
