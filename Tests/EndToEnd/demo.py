"""What `scripts/run --demo` shows: demo.py PROGRAMS

Two people of a group with lists and nine posts in every state, and a bot with two jobs. Made once, however often it is asked
for; begun anew where it was not finished; and never in a folder that holds something else. A job goes on while the server
runs, and no longer.
"""
import json
import pathlib
import subprocess
import time

from harness import DEADLINE, Server, expect, main

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
               == [("Groceries", 2, 1), ("Chores", 3, 0), ("School", 2, 0), ("Builds", 2, 0)], f"lists: {lists}")
        states(programs, folder)
        outcomes = {title: post["lastRun"]["outcome"] for title, post in posts(programs, folder, "show #Builds").items()}
        expect(outcomes == {"Nightly build": "ok", "Backup": "failed"}, f"jobs: {outcomes}")
        before = ask(programs, folder, "owner", "lists")
        script(folder, programs, server.url)
        expect(ask(programs, folder, "owner", "lists") == before, "made once")
        (folder / "made").unlink()
        expect("is using" in script(folder, status=1), "not under a server that runs")
        going = subprocess.Popen([SCRIPT, folder, programs, server.url, str(server.process.pid)])
        goes_on(programs, folder)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    expect(going.wait(DEADLINE) == 0, "the job ends with the server")
    return "nine posts in every state, and a job that goes on"


def goes_on(programs, folder):
    """Waits until the job has come to its third step."""
    end = time.monotonic() + DEADLINE
    while posts(programs, folder, "show #Builds")["Nightly build"].get("run", {}).get("percent", 0) < 3:
        expect(time.monotonic() < end, "a bar is seen")


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
    expect(groceries["Bread"]["priority"] == "high" and [tag["name"] for tag in groceries["Bread"]["tags"]] == ["bakery"], f"{groceries}")
    expect(done["Tea"]["completedBy"]["username"] == "editor", f"done: {done}")
    expect(chores["Call the plumber"]["status"] == "overdue", f"overdue: {chores}")
    expect(chores["Take the bins out"]["recurrence"] and chores["Take the bins out"]["assignees"][0]["username"] == "editor", f"{chores}")
    steps = [step["done"] for step in chores["Clean the kitchen"]["steps"]]
    expect(steps == [True, True, False, False, False], f"steps: {steps}")
    expect(school["Hand in the essay"]["color"] == "red" and school["Hand in the essay"]["location"], f"{school}")
    race = school["Read the novel"]
    expect(race["contest"] == "race" and race["goal"] == {"amount": 300, "unit": "pages"}, f"race: {race}")
    expect([(each["username"], each["amount"]) for each in race["entries"]] == [("editor", 120), ("owner", 80)], f"standing: {race}")
    removed = ask(programs, folder, "owner", "bin #School")
    expect("Buy the old book" in str(removed), f"removed: {removed}")


main(demo)
