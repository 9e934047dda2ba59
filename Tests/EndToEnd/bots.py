"""The bot as people use it: bots.py PROGRAMS

All runs of a title are told at one post, which no run completes, and whose title and notes are people's. A command behind --
keeps its output, its exit status and its signals, also when nobody can be told. A line of an import that cannot be taken keeps
no other one out.

The manual pages of three programs are read by groff, and have every option that help has.
"""
import json
import re
import signal
import subprocess
import time

from harness import DEADLINE, Server, expect, main, read_line, sign_in
from screens import PASSWORD, done

MANUALS = ["whattodo", "whattodo-server", "whattodo-bot"]
HELPFUL = ["whattodo", "whattodo-server", "whattodo-bot", "whattodo-simulate", "websocket-echo"]
# The line in a post's notes below which everything is the bot's.
MARK = "── last output ──"
COMMANDS = {"whattodo": [[], ["do"], ["register"], ["login"]],
            "whattodo-server": [[], ["verify"], ["backup"], ["restore"], ["invite"], ["user"], ["group"], ["bot"], ["secret"], ["clock"], ["man"],
                                ["--data", "x"]],
            "whattodo-bot": [[], ["run"], ["pipe"], ["import"], ["digest"], ["man"]]}


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

    def bot(self, kind, *arguments, text="", status=0):
        return self.run("whattodo-bot", kind, "--state", self.state, *arguments, text=text, status=status)

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


def manuals(programs):
    for program in MANUALS:
        page, helped = (subprocess.run([programs / program, word], capture_output=True, text=True, check=True, timeout=DEADLINE).stdout
                        for word in ("man", "--help"))
        # -ww: every warning. The printer is plain text, without bold letters and underlines.
        read = subprocess.run(["groff", "-man", "-ww", "-K", "utf8", "-T", "utf8", "-P", "-cbou"], input=page, capture_output=True, text=True,
                              timeout=DEADLINE)
        expect(read.returncode == 0 and not read.stderr, f"groff reads the page of {program}: {read.stderr}")
        expect(f"\n       {program} - " in read.stdout, f"{program} has its name: {read.stdout[:300]}")
        options = set(re.findall(r"--[a-z][a-z-]+", helped))
        missing = options - set(re.findall(r"--[a-z][a-z-]+", read.stdout))
        expect(len(options) >= 6 and not missing, f"{program}: {missing} of {len(options)} options are not in the page")
    done("the manual pages are read without a warning, and have every option of the help")


def finds(robot, owner):
    _, errors = robot.bot("pipe", "#builds", "early", status=1)
    expect("there is no list #builds: this account has no list" in errors, f"no list: {errors}")
    owner.do("invite robot to #builds")
    _, errors = robot.bot("pipe", "#builds", "early", status=1)
    expect("an invitation of @owner to Builds is waiting" in errors and "whattodo do accept" in errors, f"an invitation: {errors}")
    robot.do("accept")
    _, errors = robot.bot("pipe", "#bilds", "early", status=1)
    expect("there is no list #bilds: there are #Builds" in errors, f"another name: {errors}")
    done("a bot without its list is told why: no list, an invitation that waits, another name")


def runs(robot, owner):
    output, errors = robot.bot("run", "#builds", "nightly", "--", "sh", "-c", "echo one; echo two >&2; echo '[3/3] three'")
    expect(output == "one\n[3/3] three\n" and errors.startswith("two\n"), f"output and errors go on: {output!r} {errors!r}")
    expect("#1 nightly: done" in errors, f"how it ended: {errors}")
    first = ended(robot, "nightly", "ok")
    expect(first["lastRun"]["by"]["username"] == "robot" and first["lastRun"]["usualMs"] >= 0, f"whose, and how long: {first}")
    lines = first["notes"].split("\n")
    expect(lines[0] == MARK and sorted(lines[1:]) == ["[3/3] three", "one", "two"], f"its last lines: {lines}")
    owner.do("note #builds 1 call Bob when it fails")
    _, errors = robot.bot("run", "#builds", "nightly", "--", "sh", "-c", "echo broken; exit 7", status=7)
    expect("#1 nightly: failed with exit status 7" in errors, f"how it ended: {errors}")
    bad = ended(robot, "nightly", "failed", "failed with exit status 7")
    expect(bad["notes"] == f"call Bob when it fails\n{MARK}\nbroken", f"what people wrote stays: {bad}")
    # As people write it: the blanks and what nobody sees are no part of a title.
    robot.bot("run", "#builds", " night\u200bly ", "--", "true")
    good = ended(robot, "nightly", "ok")
    expect(good["id"] == first["id"] and good["notes"] == "call Bob when it fails", f"the same post again, without lines: {good}")
    expect(len(json.loads(robot.do("show #builds"))["posts"]) == 1, "one post for all runs")
    owner.do("done #builds 1")
    _, errors = robot.bot("run", "#builds", "nightly", "--", "true")
    expect("#2 nightly: done" in errors, f"who completes the post has the next run tell elsewhere: {errors}")
    done("all runs of a title are told at one open post, and none completes it")


def ended(robot, title, outcome, text=None):
    """The open post with this title, whose last run ended so."""
    found = [post for post in json.loads(robot.do("show #builds"))["posts"] if post["title"] == title]
    expect(len(found) == 1, f"one open post {title}: {found}")
    last = found[0].get("lastRun", {})
    expect("run" not in found[0] and (last.get("outcome"), last.get("text")) == (outcome, text), f"{title} ended {outcome}, {text}: {last}")
    return found[0]


def endings(robot):
    for title, command, status, outcome, words in [
            ("absent", ["/no/such/program"], 127, "failed", "could not be started: No such file or directory"),
            ("shot", ["sh", "-c", "kill -KILL $$"], 137, "failed", "ended by signal 9 (Killed)"),
            ("signalled", ["sh", "-c", "kill -USR1 $$"], 138, "failed", "ended by signal 10 (User defined signal 1)"),
            ("stopped", ["sh", "-c", "kill -TERM $$"], 143, "cancelled", "ended by signal 15 (Terminated)"),
            ("interrupted", ["sh", "-c", "kill -INT $$"], 130, "cancelled", "ended by signal 2 (Interrupt)")]:
        _, errors = robot.bot("run", "#builds", title, "--", *command, status=status)
        expect(f"{title}: {words}" in errors, f"how it ended: {errors}")
        ended(robot, title, outcome, words)
    pipe = "the input ended; a pipe does not tell how"
    output, _ = robot.bot("pipe", "#builds", "piped", text="error: it is all broken\n")
    expect(f"piped: {pipe}" in output, f"from a pipe: {output}")
    piped = ended(robot, "piped", "cancelled", pipe)
    expect(piped["notes"] == f"{MARK}\nerror: it is all broken", f"its lines: {piped}")
    robot.bot("pipe", "#builds", "wordless", text="")
    expect("notes" not in ended(robot, "wordless", "cancelled", pipe), "an empty pipe")
    robot.bot("run", "#builds", "left behind", "--", "sh", "-c", "sleep 60 & echo begun")
    ended(robot, "left behind", "ok")
    for _ in range(2):
        robot.bot("run", "#builds", "x" * 500, "--", "false", status=1)
    ended(robot, "x" * 500, "failed", "failed with exit status 1")
    done("a run ends as ok, failed or cancelled, with words that say how, and its exit status is passed on")


def begin(account, title, script, *options):
    """A bot whose command runs by now: it has said so."""
    # Without a buffer, so that no line is read ahead where nobody waits for it.
    bot = subprocess.Popen([account.programs / "whattodo-bot", "run", "--state", account.state, *options, "#builds", title, "--", "sh", "-c",
                            f"echo begun; {script}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
    line = read_line(bot.stdout)
    expect(line == "begun", f"the command of {title} runs, and says {line!r}")
    return bot


def go_on(bot):
    """The command reads a line."""
    bot.stdin.write(b"\n")


def finish(bot):
    """The exit status."""
    bot.stdin.close()
    try:
        return bot.wait(DEADLINE)
    finally:
        bot.stdout.close()


def asked_to_end(robot):
    for number in (signal.SIGTERM, signal.SIGINT):
        bot = begin(robot, f"asked {number}", "trap 'exit 9' TERM INT; echo ready; while :; do sleep 0.05; done")
        expect(read_line(bot.stdout) == "ready", "the command awaits the signal")
        bot.send_signal(number)
        expect(finish(bot) == 9, f"the command's own answer to signal {number}")
        ended(robot, f"asked {number}", "cancelled", "stopped, with exit status 9")
    done("a signal to the bot reaches the command, whose run is cancelled")


def told(client, *kinds):
    """The ops of these kinds that the client was told, as (kind, post, fields, by whom)."""
    return [(op["t"], op["id"], op["f"], event.get("by")) for push in client.pushes if push["method"] == "sync.events"
            for event in push["params"]["events"] for op in event["ops"] if op["t"] in kinds]


def watch(server):
    """The owner at another device, who is told what happens from now on."""
    watcher, _, _ = sign_in(server.url, "owner", PASSWORD, register_first=False)
    streams = {line["stream"] for line in watcher.hello["streams"]}
    watcher.wait(lambda pushes: streams <= {push["params"]["stream"] for push in pushes if push["method"] == "sync.live"}, "all lists")
    return watcher


def goes_on(robot, server):
    watcher = watch(server)
    bot = begin(robot, "long", "echo '== Compile =='; echo '[37/109] main.c'; read go; echo '::group::Test'; read go")

    def names(phase):
        watcher.wait(lambda _: phase in [fields["phase"] for _, _, fields, _ in told(watcher, "run.phase")], f"the phase {phase}")

    names("Compile")
    far = {"done": 37, "of": 109, "text": "main.c"}
    watcher.wait(lambda pushes: any(far.items() <= entry.items() for push in pushes if push["method"] == "ephemeral"
                                    for entry in push["params"].get("entries", [])), f"{far}")
    go_on(bot)
    names("Test")
    go_on(bot)
    expect(finish(bot) == 0, "it ends well")
    ended(robot, "long", "ok")
    expect(len(told(watcher, "run.phase")) == 2, f"each phase once: {told(watcher, 'run.phase')}")
    watcher.close()
    done("phases and progress are told while the command runs")


def killed(robot, server):
    watcher = watch(server)
    bot = begin(robot, "killed", "read go")
    bot.kill()
    expect(finish(bot) == -signal.SIGKILL, "the bot was killed")
    robot.bot("run", "#builds", "killed", "--", "true")
    post = ended(robot, "killed", "ok")["id"]

    def ends():
        return [(fields["outcome"], fields.get("recovers"), by == fields["user"]) for _, id, fields, by in told(watcher, "run.ended")
                if id == post]

    watcher.wait(lambda _: len(ends()) >= 2, "both ends")
    expect(ends() == [("lost", None, True), ("ok", True, True)], f"the run of the killed bot is lost when the next begins: {ends()}")
    watcher.close()
    done("the run of a bot that was killed is lost, and the next one is told at the same post")


def anothers(robot, owner):
    bot = begin(owner, "shared", "read go")
    output, errors = robot.bot("run", "#builds", "shared", "--", "sh", "-c", "echo ran; exit 3", status=3)
    expect(output == "ran\n" and "shared: Another run of this post goes on." in errors and "nobody is told" in errors,
           f"the command runs all the same: {output} {errors}")
    _, errors = robot.bot("pipe", "#builds", "shared", text="lines\n", status=1)
    expect("Another run" in errors, f"a pipe is told of nothing: {errors}")
    shown = [post for post in json.loads(robot.do("show #builds"))["posts"] if post["title"] == "shared"]
    expect(len(shown) == 1 and shown[0]["run"]["by"]["username"] == "owner" and "lastRun" not in shown[0], f"whose run goes on: {shown}")
    go_on(bot)
    expect(finish(bot) == 0, "the first goes on to its end")
    expect(ended(robot, "shared", "ok")["lastRun"]["by"]["username"] == "owner", "whose run it was")
    done("while another account's run of a post goes on, a command runs and is not told")


def untold(robot, server):
    server.stop()
    begun = time.monotonic()
    output, errors = robot.bot("run", "#builds", "alone", "--", "sh", "-c", "echo saved; exit 3", status=3)
    expect(output == "saved\n" and "nobody is told" in errors, f"without a server: {output} {errors}")
    expect(time.monotonic() - begun < DEADLINE, "it waits no longer than it has to")
    server.start()
    done("a command runs also when nobody can be told of it")


def score(owner, robot):
    for account, title in ((robot, "counted"), (owner, "swept")):
        owner.do(f"add #builds {title}")
        account.do(f"done #builds {owner.posts()[title]['number']}")
    score = json.loads(owner.do("score #builds"))
    rows = [row["username"] for row in score["people"]]
    # The owner has completed the post of the nightly runs, too.
    expect(rows == ["owner"] and score["completed"] == 2, f"no bot in the score: {score}")
    done("a bot is in no score")


def agrees(owner, editor):
    """`who` counts as `score` does: for a bot, after an undo and a redo, and of somebody who has left."""
    def counted(rows):
        return {row["username"]: (row["added"], row["completed"]) for row in rows if row.get("added") or row.get("completed")}

    def compare(when, completed):
        score = counted(json.loads(owner.do("score #builds"))["people"])
        who = json.loads(owner.do("who #builds"))["members"]
        expect(counted(who) == score, f"who and score {when}: {who} {score}")
        expect(score.get("editor", (0, 0))[1] == completed, f"what the editor has done {when}: {score}")
        return {row["username"]: row for row in who}

    owner.do("invite editor to #builds")
    editor.do("accept")
    owner.do("add #builds checked")
    expect("completed" not in compare("before they did anything", 0)["robot"], "the bot has no counts")
    for line, completed in ((f"done #builds {owner.posts()['checked']['number']}", 1), ("undo #builds", 0), ("redo #builds", 1)):
        editor.do(line)
        compare(f"after {line}", completed)
    owner.do(f"rm #builds {owner.posts()['checked']['number']}")
    compare("after it was removed", 1)
    editor.do("leave #builds")
    expect("role" not in compare("after they left", 1)["editor"], "the editor has left")
    done("who is there is told with the counts of the score")


def patterned(robot, owner):
    """Patterns in place of the usual ones say which lines name a phase and tell how far it is."""
    options = ["--phase", r"^-> (.*?) *(?:<-)?$", "--progress", r"(\d+) of (\d+)"]
    bot = begin(robot, "patterned", "echo '== unusual =='; echo '-> linking <-'; echo '3 of 4'; read line", *options)
    end = time.monotonic() + DEADLINE
    while (run := owner.posts().get("patterned", {}).get("run", {})).get("phase") != "linking":
        expect(time.monotonic() < end, f"the phase of a pattern: {run}")
    bot.stdin.write(b"go on\n")
    expect(bot.wait(DEADLINE) == 0, "its end")
    _, errors = robot.bot("run", "--phase", "(", "#builds", "x", "--", "true", status=2)
    expect("no regular expression" in errors, f"{errors}")
    for wrong in (["--phase", "x", "#builds", "forge"], ["--week", "2026-W48", "#builds", "forge"]):
        expect("usage" in robot.bot("import", *wrong, status=2)[1], f"{wrong}")
    done("patterns name phases and tell the progress")


def digests(robot, owner):
    """The week as one post, told again in the same week; any week by its name."""
    week = time.strftime("%G-W%V")
    output, _ = robot.bot("digest", "--week", week, "#builds")
    title = f"Week {int(week[-2:])}: "
    told = next(post for name, post in owner.posts().items() if name.startswith(title))
    expect(": added" in output and f"#{told['number']} {told['title']}" in output, f"the line for the terminal: {output}")
    lines = told["notes"].splitlines()
    expect(lines[1].startswith("#") and any(line.startswith("@owner: ") for line in lines), f"{lines}")
    expect(" done, " in told["title"] and "0 done" not in told["title"], f"{told['title']}")
    first = time.strptime(lines[0].split()[0], "%Y-%m-%d")
    expect(time.strftime("%G-W%V %u", first) == f"{week} 1", f"from Monday on: {lines[0]}")
    output, _ = robot.bot("digest", "--week", week, "#builds", "#builds")
    expect("added" not in output.split(": ")[-1], f"the same post again: {output}")
    output, _ = robot.bot("digest", "#builds")
    expect("Week" in output and ": 0 done, 0 added: added" in output, f"the week before: {output}")
    for wrong in ("2026-W54", "2026-W00", "2026-48", "next"):
        robot.bot("digest", "--week", wrong, "#builds", status=2)
    done("the week is one post")


def imports(robot):
    def bring(text, status=0):
        output, errors = robot.bot("import", "#builds", "forge", text=text, status=status)
        return output.strip(), errors.replace("whattodo-bot: ", "").splitlines()

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
    manuals(programs)
    server = Server(programs, folder / "data").start()
    try:
        owner = Account(programs, folder, server, "owner")
        robot = Account(programs, folder, server, "robot", "--bot")
        owner.do("new Builds")
        finds(robot, owner)
        runs(robot, owner)
        endings(robot)
        asked_to_end(robot)
        goes_on(robot, server)
        killed(robot, server)
        anothers(robot, owner)
        untold(robot, server)
        score(owner, robot)
        agrees(owner, Account(programs, folder, server, "editor"))
        patterned(robot, owner)
        digests(robot, owner)
        imports(robot)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return "bots: every step was seen"


main(bots)
