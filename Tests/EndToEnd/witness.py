"""Two ordinary people beside an attack: each adds a post sixteen times a second, and each answer is measured.

`beside(server, attack)` measures the quiet server first, then the server while `attack()` runs. The witness is a process of
its own, so an attacker's Python does not slow its clock. As a program: witness.py URL USERNAME; "go" on standard
input begins a measurement, "end" ends it and prints the milliseconds of each answer as one line of JSON.
"""
import json
import multiprocessing
import os
import select
import subprocess
import sys
import time

from harness import expect, new_id, read_line, sign_in

EVERY_SECONDS = 1 / 32
QUIET_SECONDS = 5
IDLE_SECONDS_MOST = 300
# An attack may make an answer three times as slow, and no slower than a quarter of a second.
FACTOR, MOST_MILLISECONDS = 3, 250
# One command of the ledger takes up to 50 ms (Tests/Benchmarks/README.md), and is not interrupted. Who comes right behind one
# is not held up, whatever the quiet server does in less; and two processors carry server, attackers and witness.
ONE_COMMAND_MILLISECONDS = 100


class Witness:
    """A process of this file, signed in and idle."""

    def __init__(self, url, username):
        self.process = subprocess.Popen([sys.executable, __file__, url, username], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        expect(read_line(self.process.stdout) == "ready", "the witness did not sign in")

    def say(self, word):
        self.process.stdin.write(f"{word}\n".encode())
        self.process.stdin.flush()

    def begin(self):
        self.say("go")

    def end(self):
        """The milliseconds of each answer since `begin`, sorted."""
        self.say("end")
        line = read_line(self.process.stdout, 60)
        expect(line, "the witness got an answer late or not at all")
        return sorted(json.loads(line))

    def quit(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def while_idle(function, *args):
    """What `function(*args)` returns in a process of its own that works when nobody else wants a processor.

    An attacker is elsewhere on another machine: here the witness would wait for it, and not for the server.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("spawn").Process(target=answer_idly, args=(sender, function, *args), daemon=True)
    process.start()
    sender.close()
    try:
        fault, result = receiver.recv() if receiver.poll(IDLE_SECONDS_MOST) else ("it did not end", None)
    except EOFError:
        fault, result = "it ended without an answer", None
    finally:
        process.terminate()
        process.join(30)
    expect(fault is None, f"{function.__name__}: {fault}")
    return result


def answer_idly(sender, function, *args):
    work_when_idle()
    try:
        sender.send((None, function(*args)))
    except Exception as fault:
        sender.send((repr(fault), None))


def work_when_idle():
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def percentile(sorted_values, share):
    """The smallest value that at least this share of them does not exceed."""
    return sorted_values[min(len(sorted_values) - 1, int(share * len(sorted_values)))]


def beside(server, attack, username="witness"):
    """Runs `attack()` beside a witness; (what it returned, a sentence about the witness). Fails if others were held up."""
    witness = Witness(server.url, username)
    try:
        witness.begin()
        select.select([], [], [], QUIET_SECONDS)
        quiet = witness.end()
        witness.begin()
        result = attack()
        loud = witness.end()
    finally:
        witness.quit()
    expect(loud, "no command of the witness was answered during the attack")
    before, during = percentile(quiet, 0.99), percentile(loud, 0.99)
    bound = min(MOST_MILLISECONDS, max(FACTOR * before, ONE_COMMAND_MILLISECONDS))
    sentence = f"others' p99 {before:.1f} ms before, {during:.1f} ms during ({len(loud)} commands, bound {bound:.0f} ms)"
    expect(during <= bound, f"the attack held others up: {sentence}")
    return result, sentence


def run(url, username):
    people = []
    for number in range(2):
        client, _, _ = sign_in(url, f"{username}-{number}")
        client.command("category.add", id=(category := new_id()), name="ordinary")
        people.append((client, category))
    print("ready", flush=True)
    times, is_measuring = [], False
    while True:
        readable, _, _ = select.select([sys.stdin], [], [], EVERY_SECONDS if is_measuring else None)
        if readable:
            word = sys.stdin.readline().strip()
            if not word:
                return
            if word == "end":
                print(json.dumps(times), flush=True)
            times, is_measuring = [], word == "go"
            continue
        people.reverse()
        client, category = people[0]
        begun = time.monotonic()
        client.command("post.add", category=category, id=new_id(), title="bread")
        times.append(1000 * (time.monotonic() - begun))


if __name__ == "__main__":
    run(*sys.argv[1:])
