"""What `scripts/run --demo` shows: demo.py PROGRAMS

Two people of a group with lists and eight posts in every state. Made once, however often it is asked for; begun anew
where it was not finished; and never in a folder that holds something else.
"""
import json
import pathlib
import subprocess

from harness import Server, expect, main

SCRIPT = pathlib.Path(__file__).parent.parent.parent / "scripts" / "demo"


def script(*words, status=0):
    done = subprocess.run([SCRIPT, *map(str, words)], capture_output=True, text=True, timeout=120)
    expect(done.returncode == status, f"{words}: exit status {done.returncode}: {done.stderr}")
    return done.stderr


def ask(programs, folder, person, command):
    done = subprocess.run([programs / "whattodo", "do", command, "--json", "--state", folder / "people" / person],
                          capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


def posts(programs, folder, command):
    return {post["title"]: post for post in ask(programs, folder, "owner", command)["posts"]}


def demo(programs, root):
    programs, folder = programs.resolve(), root / "demo"
    refuses(root / "other")
    script(folder)
    (folder / "people").mkdir()
    (folder / "people" / "half").write_text("not finished")
    script(folder)
    expect(not (folder / "people").exists(), "what was begun is begun anew")
    server = Server(programs, folder / "data").start()
    try:
        script(folder, programs, server.url)
        lists = ask(programs, folder, "editor", "lists")
        expect([(each["name"], each["open"], each["done"]) for each in lists["lists"]]
               == [("Groceries", 2, 1), ("Chores", 3, 0), ("School", 1, 0)], f"lists: {lists}")
        states(programs, folder)
        before = ask(programs, folder, "owner", "lists")
        script(folder, programs, server.url)
        expect(ask(programs, folder, "owner", "lists") == before, "made once")
        (folder / "made").unlink()
        expect("is using" in script(folder, status=1), "not under a server that runs")
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    return "eight posts in every state"


def refuses(folder):
    folder.mkdir()
    (folder / "diary").write_text("mine")
    (folder / "demo").write_text("a file of mine")
    expect("holds something" in script(folder, status=1), "a folder with something else in it")
    expect((folder / "diary").read_text() == "mine", "it stays")


def states(programs, folder):
    groceries, chores = posts(programs, folder, "show #Groceries"), posts(programs, folder, "show #Chores")
    school, done = posts(programs, folder, "show #School"), posts(programs, folder, "show #Groceries done")
    expect(groceries["Milk"]["notes"].startswith("two litres"), f"notes: {groceries}")
    expect(groceries["Bread"]["priority"] == "high" and groceries["Bread"]["tags"] == ["bakery"], f"{groceries}")
    expect(done["Tea"]["completedBy"] == "editor", f"done: {done}")
    expect(chores["Call the plumber"]["status"] == "overdue", f"overdue: {chores}")
    expect(chores["Take the bins out"]["recurrence"] and chores["Take the bins out"]["assignees"] == ["editor"], f"{chores}")
    steps = [step["done"] for step in chores["Clean the kitchen"]["steps"]]
    expect(steps == [True, True, False, False, False], f"steps: {steps}")
    expect(school["Hand in the essay"]["color"] == "red" and school["Hand in the essay"]["location"], f"{school}")
    removed = ask(programs, folder, "owner", "bin #School")
    expect("Buy the old book" in str(removed), f"removed: {removed}")


main(demo)
