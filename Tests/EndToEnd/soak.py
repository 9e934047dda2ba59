"""15 000 people on one list: soak.py PROGRAMS [SECONDS [CONNECTIONS]]

Two processes hold the connections, signed in and following a list to which something is added every second. One in
a hundred follows a heavy list too and reads nothing; slowhttptest keeps sending heads that never end. Everybody else
gets every event, in order, and a ping in time; those who do not read are let go; the memory of the server stays within
its bound; SIGTERM tells everybody to come back later and ends it. SECONDS: how long it is held; a ping comes within 25,
and whoever does not read is let go after some 38.
"""
import re
import resource
import subprocess
import sys
import time

from attackers import Crowd, descriptors, until
from harness import Server, expect, main, new_id, register, sign_in

PASSWORD = "correct horse battery"
PEOPLE = 30
STALLING = 100  # one in so many
EVERY = 1.0
KIB_EACH_MAX = 8
LET_GO_AFTER = 38  # 30 s without taking a byte, a look now and then, 5 s for the answer to our close


def memory(server):
    """Resident now, at its highest, and shared out: MiB."""
    with open(f"/proc/{server.process.pid}/status") as status:
        text = status.read()
    return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) / 1024, int(re.search(r"VmHWM:\s+(\d+)", text)[1]) / 1024


def share(server, owner):
    """A list with everybody on it, and one that is heavy to read: (list, tokens, heavy list)."""
    light, heavy = new_id(), new_id()
    owner.command("category.add", id=light, name="light")
    owner.command("category.add", id=heavy, name="heavy")
    for _ in range(250):
        owner.command("post.add", category=heavy, id=new_id(), title="heavy", notes="\u00e9" * 16000)
    tokens = []
    for number in range(PEOPLE):
        guest, _, token = sign_in(server.url, f"guest{number}", PASSWORD, streams="none")
        invitation = new_id()
        owner.command("invitation.send", id=invitation, stream=f"c:{light}", username=f"guest{number}", role="editor")
        guest.command("invitation.accept", id=invitation)
        guest.close()
        tokens.append(token)
    return light, tokens, heavy


def hold(owner, light, seconds):
    """Adds to the list at even times; the last event's number, and the longest wait for an answer."""
    begun, longest, seq, count = time.monotonic(), 0.0, 0, 0
    while (at := time.monotonic()) < begun + seconds:
        answer = owner.command("post.add", category=light, id=new_id(), title=f"post {count}")
        longest = max(longest, time.monotonic() - at)
        seq, count = answer["events"][0]["seq"], count + 1
        while (left := begun + count * EVERY - time.monotonic()) > 0:
            try:
                owner.receive(left)
            except TimeoutError:
                pass
    return seq, count, longest


def soak(programs, folder):
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 45
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 15_000
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    server = Server(programs, folder / "data", "--command-rate", "100000", "--hello-rate", "1000000000",
                    "--connections", "19500").start()
    owner, _, token = sign_in(server.url, "owner", PASSWORD, streams="none")
    light, tokens, heavy = share(server, owner)
    before, stallers = memory(server)[0], count // STALLING
    common = {"port": int(server.listen.rsplit(":", 1)[1]), "path": "/ws", "protocol": "whattodo.v1", "stream": f"c:{light}"}
    readers = [Crowd(**common, count=(count - stallers) // 2, tokens=tokens, streams=[f"c:{light}"], source=f"127.0.0.{n}")
               for n in (2, 3)]
    stalling = Crowd(**common, count=stallers, stalls=stallers, tokens=[token], streams=[f"c:{heavy}", f"c:{light}"],
                     source="127.0.0.4")
    attack = subprocess.Popen(["slowhttptest", "-H", "-c", "1000", "-r", "100", "-i", "3", "-l", str(int(seconds) + 30),
                               "-u", server.url.replace("ws://", "http://")], stdout=subprocess.DEVNULL)
    try:
        begun = time.monotonic()
        outcomes = [crowd.answer() for crowd in [crowd.ask("open") for crowd in (*readers, stalling)]]
        expect(sum(outcome.get("101", 0) for outcome in outcomes) == count, f"not everybody came in: {outcomes}")
        opened = time.monotonic() - begun
        seq, events, longest = hold(owner, light, seconds)
        reached = [crowd.answer() for crowd in [crowd.ask(f"reach {seq}") for crowd in readers]]
        for answer in reached:
            expect(answer["behind"] == 0 and answer["gaps"] == 0 and not answer["closed"], f"deliveries: {reached}")
            expect(answer["pings"] >= 1, f"somebody was not pinged within {seconds} s: {reached}")
        now, highest = memory(server)
        each = (highest - before) * 1024 / count
        expect(each < KIB_EACH_MAX, f"{each:.1f} KiB each, {highest:.0f} MiB in all; {before:.0f} MiB before")
        begun = time.monotonic()
        for crowd in (*readers, stalling):
            crowd.ask("ended")
        status = server.stop()
        drained = time.monotonic() - begun
        ends = [crowd.answer() for crowd in (*readers, stalling)]
    finally:
        attack.kill()
        for crowd in (*readers, stalling):
            crowd.quit()
        server.stop()
    expect(status == 0, f"exit status {status}")
    told = [end["codes"].get("4001", 0) for end in ends[:2]]
    expect(sum(told) == count - stallers and sum(end["drains"] for end in ends[:2]) == count - stallers, f"drained: {ends}")
    let_go = stallers - ends[2]["codes"].get("4001", 0)
    expect(seconds < LET_GO_AFTER or let_go == stallers, f"of {stallers} who did not read {let_go} were let go: {ends[2]}")
    server.verified()
    return (f"soak: {count - stallers} readers and {stallers} who read nothing ({let_go} let go) came in within {opened:.0f} s, held for {seconds:.0f} s; "
            f"{events} events to each, none missing; answers within {longest * 1000:.0f} ms; memory {before:.0f} -> {now:.0f} MiB, "
            f"at most {highest:.0f} ({each:.1f} KiB each); all told and closed, exit 0 after {drained:.1f} s")


if __name__ == "__main__":
    main(soak)
