"""Programs of today beside those of an earlier release: older.py PROGRAMS [FOLDER-WITH-THE-OLDER-PROGRAMS]

The older programs are built from the history of this repository, once, into .build/older. With them a database, a terminal's
state folder and a queue of unsent changes are made. Then the server of today serves that database, the terminal of today
sends that queue, and the older terminal and the older example bot speak to the server of today.
"""
import json
import os
import pathlib
import subprocess
import sys
import urllib.request

from harness import DEADLINE, Client, Failure, Refused, Server, expect, main, new_id, say_hello
from screens import PASSWORD, Person, Tmux, done

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A release's commit. A newer one takes its place when formats have changed since.
RELEASE = "69a0761c2c254cc220b39a0f43da8b41c6193ee2"
PARTS = "WhattodoServer WhattodoTerminal ExampleBot"
PLACE = ROOT / ".build/older"
BUILD_SECONDS = 1_500


def build():
    """The folder of the older programs."""
    programs, tree = PLACE / "build" / "debug", PLACE / "tree"
    made_for = f"{RELEASE} {PARTS}"
    if (PLACE / "made-for").is_file() and (PLACE / "made-for").read_text() == made_for:
        return programs
    tree.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(["git", "archive", RELEASE], cwd=ROOT, capture_output=True)
    expect(archive.returncode == 0, f"this clone lacks the release {RELEASE}: git fetch --unshallow ({archive.stderr.decode()})")
    subprocess.run(["tar", "x", "-C", str(tree)], input=archive.stdout, check=True)
    built = subprocess.run(["swift", "build", "--scratch-path", str(PLACE / "build")], cwd=tree, capture_output=True, text=True,
                           env={**os.environ, "WHATTODO_ONLY": PARTS}, timeout=BUILD_SECONDS)
    expect(built.returncode == 0, f"the release was not built: {built.stdout[-2000:]}{built.stderr[-2000:]}")
    (PLACE / "made-for").write_text(made_for)
    return programs


def fill(owner, editor):
    """Lists of all kinds, by the older terminal."""
    for line in ["group home", "new Groceries in home", "new Work", "add #groceries milk", "add #groceries bread", "add #groceries butter",
                 "add #work report", "due #work 1 2099-12-24", "step #work 1 outline", "step #work 1 draft", "done #work 1.1",
                 "add #work water plants", "due #work 2 today", "repeat #work 2 every! 3 days", "note #work 1 line one", "priority #work 1 high",
                 "invite editor to home", "invite editor to #work", "link #work 30", "archive #work", "unarchive #work",
                 "add #groceries removed", "rm #groceries 4", "done #groceries 2", "edit #groceries 1 oat milk", "undo #groceries", "redo #groceries",
                 "remind #work 1 1d", "private #work 1 a secret of mine", "plan #work 1 2099-12-20", "new Gone", "rm #gone"]:
        owner.do(line)
    for line in ["accept 1", "accept", "done #groceries 1", "add #groceries Crème brûlée", "claim #work 1"]:
        editor.do(line)
    owner.do("done #work 2")


def invisible(server, owner):
    """A name that shows as nothing, which the older server took."""
    client = Client(server.url)
    login = client.call("account.login", username=owner.name, password=PASSWORD, client={"name": "older", "version": "1"})
    say_hello(client, login["token"], streams="none")
    category, post = new_id(), new_id()
    client.command("category.add", id=category, name="\u3164")
    client.command("post.add", category=category, id=post, title="\u2800")
    client.close()
    return category, post


def looks(owner):
    """Everything that the person sees, for a comparison."""
    seen = {}
    for line in ["lists", "show #groceries", "show #groceries done", "show #work", "show #work 1", "history #groceries", "links #work", "who #work",
                 "find milk", "find creme", "today", "bin #groceries", "score #groceries"]:
        seen[line] = json.loads(owner.do(line, 0, "--json"))
    return seen


def narrowed(older, newer, where=""):
    """What the older answer has and the newer one has otherwise, by path; members that are new do not count."""
    if isinstance(older, dict) and isinstance(newer, dict):
        return [found for key in older for found in narrowed(older[key], newer.get(key), f"{where}.{key}")]
    if isinstance(older, list) and isinstance(newer, list) and len(older) == len(newer):
        return [found for index, pair in enumerate(zip(older, newer)) for found in narrowed(*pair, f"{where}[{index}]")]
    return [] if older == newer else [f"{where}: {older!r} became {newer!r}"]


def serves_the_older_database(server, before, looker, category, post):
    server.start()
    status, said = server.verify()
    expect(status == 0, f"verify of the older database, beside the server that has brought it up to date: {said}")
    after = looks(looker)
    for line, answer in before.items():
        expect(not narrowed(answer, after[line]), f"{line}: {narrowed(answer, after[line])}")
    client = Client(server.url)
    login = client.call("account.login", username="owner", password=PASSWORD, client={"name": "newer", "version": "1"})
    say_hello(client, login["token"], cursors={}, streams="all")
    found = client.wait(lambda pushes: [item for push in pushes if push["method"] == "sync.snapshot"
                                        for item in push["params"]["objects"] if item.get("id") in (category, post)], "the old names")
    expect(found, "what was named so is read")
    client.command("post.edit", category=category, id=post, title="named anew")
    client.command("category.remove", id=category)
    client.close()
    done("the server of today serves the older database, and everything is as it was")


def sends_the_older_queue(owner, today, tmux):
    """The state folder of the older terminal, with changes that it has not sent, under the terminal of today."""
    newer = Person(tmux, today, owner.state.parent, owner.url, owner.name)
    newer.open()
    newer.until(lambda: newer.row.startswith("●") and "…" not in newer.row, "nothing waits")
    posts = json.loads(newer.do("show #groceries", 0, "--json"))["posts"]
    expect([post["title"] for post in posts].count("written without a server") == 1, f"the post once: {posts}")
    expect(any(post["title"] == "Crème fraîche" for post in posts), f"the edit: {posts}")
    newer.enter("/quit")
    newer.sees("[ended 0]")
    newer.close()
    done("the terminal of today sends what the older one had kept, once")


def speaks_with_the_older_terminal(owner, editor):
    """Both are programs of the release."""
    editor.open()
    editor.until(lambda: editor.row.startswith("●") and "❯" in editor.row, "the older terminal is live")
    editor.enter("/open groceries")
    editor.sees("written without a server")
    editor.enter("apples")
    editor.sees("+ apples")
    for line in ["add #work weekly", "due #work 3 today", "repeat #work 3 every week", "done #work 3", "undo #work", "redo #work", "step #work 3 one",
                 "done #work 3.1", "n", "find apples", "today", "month", "lists", "who #work", "score #work", "history #work", "bin #groceries",
                 "restore #groceries 4", "link #groceries 3", "show #work 3"]:
        owner.do(line)
    owner.do("add #groceries pears")
    editor.sees("@owner + pears")
    editor.enter("/undo")
    editor.sees("(undo)")
    editor.enter("/quit")
    editor.sees("[ended 0]")
    editor.close()
    done("the older terminal adds, completes, undoes and looks at the server of today")


def has_bot(programs):
    """Whether the bot has the name and the words of today."""
    return (programs / "whattodo-bot").exists()


def in_state(robot, words):
    """The words with the bot's sign-in, which stands behind the kind of work today and in front of everything before."""
    behind = 0 if not words or words[0].startswith(("#", "-")) else 1
    return [*words[:behind], "--state", robot.state, *words[behind:]]


def bring(programs, robot, issues):
    """What the bot says that it did with them."""
    text = "".join("\t".join(issue) + "\n" for issue in issues)
    words = ["whattodo-bot", "import", "#builds", "forge"] if has_bot(programs) else ["whattodo-example-bot", "--from", "forge", "#builds"]
    spent = subprocess.run([programs / words[0], *in_state(robot, words[1:])], input=text, text=True,
                           capture_output=True, timeout=DEADLINE * 2)
    expect(spent.returncode == 0, f"status 0 of an import, not {spent.returncode}: {spent.stdout}{spent.stderr}")
    return spent.stdout.strip()


def runs(programs, robot, title, *command, lines=""):
    """One post. The older bot completes it at the end of the input; that of today tells there how a command ended."""
    words = ["whattodo-bot", "run" if command else "pipe"] if has_bot(programs) else ["whattodo-example-bot"]
    spent = subprocess.run([programs / words[0], *in_state(robot, [*words[1:], "#builds", title]), *command], input=lines, text=True,
                           capture_output=True, timeout=DEADLINE * 2)
    said = spent.stdout + spent.stderr
    expect(spent.returncode == 0 and title in said, f"status 0 of a run, not {spent.returncode}: {said}")


ISSUES = [[str(number), f"issue {number}", f"https://forge.example/{number}"] for number in range(1, 6)]


def let_in(release, owner, robot):
    """A bot with an account of its own, which reports to a list, all of it with the older programs."""
    robot.run("register", robot.name, "--bot", "--password-stdin", "--server", robot.url)
    owner.do("new Builds")
    owner.do(f"invite {robot.name} to #builds")
    robot.do("accept")
    runs(release, robot, "first build", lines="[1/2] compiling\n[2/2] linking\n")
    told = bring(release, robot, ISSUES)
    expect(told == "5 added", f"the older bot at the older server: {told}")
    owner.do("edit #builds 3 mine")


def reports_with_the_older_bot(release, today, owner, robot):
    """The bot of the release, then that of today with the same state folder."""
    told = bring(release, robot, ISSUES)
    expect("added" not in told and "unchanged" in told, f"nothing is added twice: {told}")
    told = bring(release, robot, [["2", "issue two"], ["3", "issue three"], ["6", "issue 6", "https://forge.example/6"]])
    expect(told == "1 added, 2 edited; 1 as people have set it", f"the older bot at the server of today: {told}")
    runs(release, robot, "second build", lines="[1/1] compiling\nCrème brûlée\n")
    told = bring(today, robot, ISSUES[3:])
    expect("added" not in told and "unchanged" in told, f"the bot of today with that state folder: {told}")
    runs(today, robot, "third build", "--", "echo", "ready")
    posts = {post["title"]: post for line in ("show #builds", "show #builds done") for post in json.loads(owner.do(line, 0, "--json"))["posts"]}
    for title in ("first build", "second build"):
        expect(posts[title]["done"], f"{title}: {posts[title]}")
    expect(not posts["third build"]["done"], f"the older terminal knows nothing of runs: {posts['third build']}")
    seen = json.loads(subprocess.run([today / "whattodo", "do", "show #builds", "--json", "--state", robot.state], capture_output=True,
                                     text=True, check=True, timeout=DEADLINE).stdout)["posts"]
    ends = [post["lastRun"]["outcome"] for post in seen if post["title"] == "third build"]
    expect(ends == ["ok"], f"how the run of today's bot ended: {ends}")
    expect("Crème brûlée" in posts["second build"]["notes"], f"its output: {posts['second build']}")
    expect({"mine", "issue three", "issue 6"} <= set(posts) and "issue two" not in posts, f"what people have changed is theirs: {sorted(posts)}")
    done("the older bot imports again and reports to the server of today")


def recovered(server, code):
    client = Client(server.url)
    try:
        client.command("account.recover", username="editor", code=code, password="another good one")
    except Refused as refusal:
        raise Failure(f"the recovery code of the release: {refusal}") from None
    finally:
        client.close()
    done("a recovery code of the release is good")


def subscribed(looker):
    link = json.loads(looker.do("links #work", 0, "--json"))["links"][0]
    with urllib.request.urlopen(link["calendar"], timeout=DEADLINE) as page:
        expect(b"SUMMARY:report" in page.read(), "the calendar of a link of the release")
    done("a link of the release is good")


def older(programs, folder):
    programs = programs.resolve()
    release = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else build()
    tmux, server = Tmux(folder), Server(release, folder / "data").start()
    owner, editor = (Person(tmux, release, folder, server.url, name) for name in ("owner", "editor"))
    robot = Person(tmux, release, folder, server.url, "robot")
    try:
        for person in (owner, editor):
            person.run("register", person.name, "--password-stdin", "--server", person.url)
        code = subprocess.run([server.program, "user", "reset", "editor", "--data", server.data], check=True, capture_output=True,
                              text=True, timeout=DEADLINE).stdout.split()[-1]
        fill(owner, editor)
        let_in(release, owner, robot)
        # A second device of the owner, which looks and keeps no queue.
        looker = Person(tmux, release, folder, server.url, "looker")
        looker.run("login", "owner", "--password-stdin", "--server", server.url)
        names = invisible(server, owner)
        before = looks(looker)
        owner.open()
        owner.until(lambda: owner.row.startswith("●") and "❯" in owner.row, "the older terminal is live")
        owner.enter("/open groceries")
        owner.sees("Crème brûlée")
        server.stop()
        owner.until(lambda: owner.row.startswith("○"), "the older terminal offline")
        owner.enter("written without a server")
        owner.enter("/edit 5 Crème fraîche")
        owner.until(lambda: "…2" in owner.row, "two changes wait")
        owner.kill()
        owner.close()
        server.program = str(programs / "whattodo-server")
        serves_the_older_database(server, before, looker, *names)
        sends_the_older_queue(owner, programs, tmux)
        speaks_with_the_older_terminal(owner, editor)
        reports_with_the_older_bot(release, programs, looker, robot)
        subscribed(looker)
        recovered(server, code)
    finally:
        tmux.stop()
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    status, said = server.verify()
    expect(status == 0, f"verify afterwards: {said}")
    return "older: every step was seen"


if __name__ == "__main__":
    main(older)
