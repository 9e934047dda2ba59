"""Attackers beside ordinary people: attackers.py PROGRAMS [ROOM …]

Those who take up room without coming in: 20 000 attempts of two processes at 10 000 places; handshakes that are never
finished; slow heads and slow reading by slowhttptest (Debian). Each time somebody who was there before is served all along,
and afterwards there is room again. Those who come in and send valid messages stand in a file for each room that they aim at,
`attack_ROOM.py`: its `attacks(programs, folder)` answers lines, each with others' p99 while the attack ran (`witness.py`).
"""
import contextlib
import importlib
import json
import pathlib
import re
import resource
import select
import shutil
import socket
import subprocess
import sys
import threading
import time

from websockets.sync.client import connect

from harness import Failure, expect, main, read_line

CROWD = pathlib.Path(__file__).with_name("crowd.py")
PLACES, ATTEMPTS = 10_000, 20_000


class Crowd:
    """A process of crowd.py."""

    def __init__(self, **spec):
        self.process = subprocess.Popen([sys.executable, str(CROWD), json.dumps(spec)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def ask(self, command):
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()
        return self

    def answer(self):
        answer = json.loads(read_line(self.process.stdout, 100))
        expect(not (isinstance(answer, dict) and "faults" in answer), f"a crowd saw: {answer}")
        return answer

    def do(self, command):
        return self.ask(command).answer()

    def quit(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class Echo:
    """One websocket-echo on a free port."""

    def __init__(self, programs, *options):
        self.process = subprocess.Popen([str(programs / "websocket-echo"), "--listen", "127.0.0.1:0", *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = read_line(self.process.stdout)
        expect(line.startswith("ready ws://"), f"instead of a ready line: {line!r}")
        self.url = line.split()[1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def stop(self):
        """The exit status, and how long it took."""
        begun = time.monotonic()
        self.process.terminate()
        return self.process.wait(30), time.monotonic() - begun


class Witness(threading.Thread):
    """Somebody ordinary who was there before: sends and gets its echo again and again, and notes the longest wait."""

    def __init__(self, echo):
        super().__init__(daemon=True)
        self.socket = connect(f"{echo.url}/echo")
        self.count, self.longest, self.failure, self.is_done = 0, 0.0, None, threading.Event()
        self.start()

    def run(self):
        try:
            while not self.is_done.is_set():
                begun = time.monotonic()
                self.socket.send(f"message {self.count}")
                expect(self.socket.recv(timeout=10) == f"message {self.count}", "another echo")
                self.longest = max(self.longest, time.monotonic() - begun)
                self.count += 1
                self.is_done.wait(0.01)
        except Exception as failure:
            self.failure = failure

    def end(self):
        self.is_done.set()
        self.join(20)
        expect(self.failure is None, f"somebody who was there before: {self.failure!r}")
        expect(self.count > 20, f"only {self.count} echoes for somebody who was there before")
        self.socket.close()
        return f"{self.count} echoes beside it, the longest {self.longest * 1000:.0f} ms"


def descriptors(echo):
    return len(list(pathlib.Path(f"/proc/{echo.process.pid}/fd").iterdir()))


def until(is_so, sentence, seconds=30):
    end = time.monotonic() + seconds
    while not is_so():
        expect(time.monotonic() < end, sentence)
        select.select([], [], [], 0.05)


def attempts(echo):
    """20 000 attempts of two processes at 10 000 places, one of them taken."""
    witness = Witness(echo)
    crowds = [Crowd(port=echo.port, path="/echo", count=ATTEMPTS // 2, source=f"127.0.0.{n}", at_once=200) for n in (2, 3)]
    try:
        outcomes = [crowd.answer() for crowd in [crowd.ask("open") for crowd in crowds]]
        total = {kind: sum(outcome.get(kind, 0) for outcome in outcomes) for kind in ("101", "503", "cut")}
        expect(total["101"] == PLACES - 1, f"{PLACES - 1} places for {ATTEMPTS} attempts: {outcomes}")
        expect(sum(total.values()) == ATTEMPTS, f"attempts without an outcome: {outcomes}")
        expect(total["503"] > total["cut"], f"most had to be told 503: {outcomes}")
        alive = [crowd.do("alive") for crowd in crowds]
        expect(sum(alive) == PLACES - 1, f"{alive} of {PLACES - 1} answer afterwards")
        expect(not comes_in(echo), "somebody came in when all places were taken")
        expect(crowds[0].do("leave 100") == 100, "our close was not answered")
        until(lambda: comes_in(echo), "no room after some have left")
        seen = witness.end()
    finally:
        for crowd in crowds:
            crowd.quit()
    until(lambda: descriptors(echo) < 100, "connections of clients that were killed stay")
    return f"{ATTEMPTS} attempts at {PLACES} places: {total}; {seen}"


def comes_in(echo):
    with socket.create_connection(("127.0.0.1", echo.port)) as visitor:
        visitor.sendall(f"GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        visitor.settimeout(10)
        return visitor.recv(4096).startswith(b"HTTP/1.1 101 ")


def unfinished(echo):
    """3 000 handshakes that are begun in many ways and never finished: each is ended in its time."""
    witness, beginnings = Witness(echo), [b"", b"G", b"GET /echo HTTP/1.1\r\n", b"GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ",
                                          b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"\x80\x2e\x01"]
    begun, visitors = time.monotonic(), []
    before = descriptors(echo)
    for number in range(3_000):
        visitor = socket.create_connection(("127.0.0.1", echo.port))
        with contextlib.suppress(ConnectionError):
            visitor.sendall(beginnings[number % len(beginnings)])
        visitors.append(visitor)
    said = {}
    for visitor in visitors:
        visitor.settimeout(40)
        answer = visitor.recv(4096)
        said[answer[9:12].decode()] = said.get(answer[9:12].decode(), 0) + 1
    took = time.monotonic() - begun
    expect(said == {"408": 2_000, "400": 1_000}, f"unfinished handshakes were told {said}")
    until(lambda: descriptors(echo) <= before + 5, "connections whose handshake was never finished stay")
    for visitor in visitors:
        visitor.close()
    return f"3000 unfinished handshakes: {said} after {took:.0f} s; {witness.end()}"


def slowhttptest(echo, name, *options):
    """An attack of Debian's tool, which itself looks whether the server still answers somebody else."""
    witness = Witness(echo)
    done = subprocess.run(["slowhttptest", *options, "-c", "1500", "-r", "500", "-l", "14", "-p", "3",
                           "-u", f"http://127.0.0.1:{echo.port}/echo"], capture_output=True, text=True, timeout=120)
    text = re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", done.stdout)
    available = re.findall(r"service available:\s+(\w+)", text)
    expect(available and set(available) == {"YES"}, f"{name}: available {available}: {text[-600:]} {done.stderr[-300:]}")
    until(lambda: descriptors(echo) < 100, f"{name}: connections of slowhttptest stay")
    closed = re.findall(r"closed:\s+(\d+)", text)
    return f"{name}: available all along, {closed[-1]} closed; {witness.end()}"


def rooms():
    """The names of the files attack_ROOM.py beside this one."""
    return sorted(path.stem.removeprefix("attack_") for path in CROWD.parent.glob("attack_*.py"))


def insiders(programs, folder, names):
    """Runs the attacks of these rooms, each in a folder of its own."""
    lines = []
    for name in names:
        (folder / name).mkdir()
        lines += importlib.import_module(f"attack_{name}").attacks(programs, folder / name)
    return lines


def attackers(programs, folder):
    if wanted := sys.argv[2:]:
        return "\n".join(insiders(programs, folder, wanted))
    lines = insiders(programs, folder, rooms())
    return "\n".join([*lines, *outsiders(programs)])


def outsiders(programs):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    if shutil.which("slowhttptest") is None:
        raise Failure("slowhttptest is missing: scripts/setup installs it")
    echo = Echo(programs, "--connections", str(PLACES), "--loops", "2")
    try:
        lines = [attempts(echo), unfinished(echo), slowhttptest(echo, "slow heads", "-H", "-i", "3"),
                 slowhttptest(echo, "slow bodies", "-B", "-i", "3"), slowhttptest(echo, "slow reading", "-X", "-k", "5")]
    finally:
        status, took = echo.stop()
    expect(status == 0, f"exit status {status}")
    return [*lines, f"attackers: everybody else was served, and the end took {took:.1f} s"]


if __name__ == "__main__":
    main(attackers)
