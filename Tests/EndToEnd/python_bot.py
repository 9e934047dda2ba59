"""The bot in Python, protocol/clients/build_bot.py, whose runs end in several ways; python_client.py plays this."""
import pathlib
import signal
import subprocess
import sys

import harness
from harness import DEADLINE, expect, say_hello

CLIENTS = pathlib.Path(__file__).resolve().parents[2] / "protocol/clients"
LINES = 60
sys.path.insert(0, str(CLIENTS))
from whattodo import Client  # noqa: E402


def is_short():
    """A bot for the lists of a build is so little to write that nobody needs another one."""
    lines = (CLIENTS / "build_bot.py").read_text().splitlines()
    expect(len(lines) < LINES, f"build_bot.py has {len(lines)} lines, and has to have fewer than {LINES}")


def bot(server, folder, category, token):
    """One open post by the run's name, whatever happens to the runs."""
    is_short()
    (folder / "token").write_text(token + "\n")
    watcher = Client(server.url, token)
    watcher.wait_live()
    progress, phases = [], []
    watcher.on("push", lambda method, params: progress.extend(
        it["done"] for it in params["entries"] if "done" in it) if method == "ephemeral" else None)
    watcher.on_change(lambda stream, objects, gone: phases.extend(
        it["run"].get("phase") for it in objects if it["t"] == "post" and "run" in it))

    def build(script, where="Builds", sees=lambda: True, command=None, number=None):
        """How a run ended, and its post. It goes on when the watcher sees so much; a signal with this number stops it."""
        run = start_bot(server, folder, where, *(command or ["sh", "-c", script]))
        watcher.wait_until(sees)
        if number:
            run.send_signal(number)
        output, errors = run.communicate("\n", timeout=2 * DEADLINE)
        posts = [it for it in watcher.ask("post.list", category=category, show="open")["posts"] if it["title"] == "nightly"]
        expect(len(posts) <= 1, f"posts by one name: {posts}")
        last = posts[0].get("lastRun", {}) if posts else {}
        return run.returncode, output, errors, last.get("outcome"), last.get("text"), posts[0]["number"] if posts else None

    nobody = (0, "", "build_bot: nobody is told: no such list\n", None, None, None)
    expect(build("true", "Nowhere") == nobody, "a list that is not there")
    first = build("echo '== link'; echo '[ 64%] half'; read line; exit 1", sees=lambda: 64 in progress and "link" in phases)
    expect(first[:5] == (1, "== link\n[ 64%] half\n", "", "failed", "exit status 1"), f"a failed run: {first}")
    right = build("echo '[ 10%]'; echo '[100%]'")
    expect(right == (0, "[ 10%]\n[100%]\n", "", "ok", None, first[5]), f"a good run: {right}")
    watcher.do("post.complete", category=category, id=next(
        it["id"] for it in watcher.objects(f"c:{category}", "post") if it["title"] == "nightly"))
    failed = build("exit 7")
    expect(failed == (7, "", "", "failed", "exit status 7", first[5]), f"a run reopens the post: {failed}")
    expect(build("kill -9 $$")[::3] == (137, "failed"), "a killed command")
    stopped = build("echo '[ 33%]'; exec sleep 60", sees=lambda: 33 in progress, number=signal.SIGTERM)
    expect(stopped[::3] == (143, "cancelled"), f"a run that is stopped: {stopped}")
    missing = build(None, command=["no-such-command"])
    expect(missing[0] == 127 and "not found" in missing[2] and missing[3] == "failed", f"no command: {missing}")
    killed_bot(server, folder, watcher, category, progress)
    server.stop()
    alone = start_bot(server, folder, "Builds", "sh", "-c", "echo built; exit 3")
    output, errors = alone.communicate("", timeout=2 * DEADLINE)
    server.start()
    watcher.close()
    expect((alone.returncode, output) == (3, "built\n") and "nobody is told" in errors, f"without a server: {output} {errors}")
    return "the bot tells of each run at one post"


def killed_bot(server, folder, watcher, category, progress):
    """A bot that is killed leaves its run; the next one says that it is lost, once, and goes on at the same post."""
    lost = lambda: [op["f"]["run"] for event in log_of(server, (folder / "token").read_text().strip(), f"c:{category}")
                    for op in event["event"]["ops"] if op["t"] == "run.ended" and op["f"]["outcome"] == "lost"]
    expect(lost() == [], "no run is lost yet")
    run = start_bot(server, folder, "Builds", "sh", "-c", "echo '[ 21%]'; read line")
    watcher.wait_until(lambda: 21 in progress)
    run.kill()
    run.communicate(timeout=DEADLINE)
    again = start_bot(server, folder, "Builds", "true")
    expect(again.wait(2 * DEADLINE) == 0 and len(lost()) == 1, f"the run of the killed bot is lost once: {lost()}")


def start_bot(server, folder, where, *command):
    return subprocess.Popen([sys.executable, CLIENTS / "build_bot.py", server.url, folder / "token", where, "nightly", "--",
                             *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def log_of(server, token, stream):
    """All events, oldest first."""
    client, events, more = harness.Client(server.url), [], {}
    say_hello(client, token, streams="none")
    while more is not None:
        page = client.call("history.get", stream=stream, **more)
        events += page["events"]
        more = {"before": page["before"]} if "before" in page else None
    client.close()
    return events[::-1]
