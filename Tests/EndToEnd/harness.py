"""Starts the real server and speaks to it through a client library that others wrote (PyPI websockets).

Nothing here knows more than protocol/README.md says. Only processes started here are ended, by id.
"""
import json
import os
import pathlib
import secrets
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from one_at_a_time import OneAtATime

DEADLINE = 20.0
FAST_HASH = ["--scrypt-log-n", "10"]


class Failure(Exception):
    """What the check was about and what was seen instead."""


def expect(condition, sentence):
    if not condition:
        raise Failure(sentence)


def new_id():
    """A version 7 UUID (RFC 9562 §5.7)."""
    value = int(time.time() * 1000) << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return str(uuid.UUID(int=value))


class Server:
    """One whattodo-server on a free port with its data in a folder; started again, it keeps its port."""

    def __init__(self, programs, data, *options, environment=None):
        self.program = str(pathlib.Path(programs) / "whattodo-server")
        self.data = str(data)
        self.options = list(options)
        self.environment = environment or {}
        self.listen = "127.0.0.1:0"
        self.process = None
        self.url = None

    def start(self):
        with open(f"{self.data}.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--listen", self.listen, "--data", self.data, *FAST_HASH, *self.options],
                stdout=subprocess.PIPE, stderr=log, env={**os.environ, **self.environment})
        line = read_line(self.process.stdout)
        expect(line.startswith(("ready ws://", "ready wss://")), f"instead of a ready line: {line!r}")
        self.url = line.split()[1]
        self.listen = self.url.split("/")[2]
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(DEADLINE)

    def stop(self):
        """SIGTERM; the exit status, which has to be 0."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(DEADLINE)

    def verify(self):
        """What `whattodo-server verify` says: (exit status, text)."""
        done = subprocess.run([self.program, "verify", "--data", self.data],
                              capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout + done.stderr

    def verified(self):
        """The check has failed when `whattodo-server verify` finds anything."""
        status, text = self.verify()
        expect(status == 0, f"verify: {text}")


def read_line(stream, seconds=DEADLINE):
    ready, _, _ = select.select([stream], [], [], seconds)
    expect(ready, f"no line within {seconds} s")
    return stream.readline().decode().strip()


class Refused(Exception):
    """An error answer; `kind` is data.kind."""

    def __init__(self, error):
        super().__init__(json.dumps(error))
        self.error = error
        self.kind = error.get("data", {}).get("kind")


def refused(call, kind, why=""):
    """The call has to be answered with an error of this kind."""
    try:
        answer = call()
    except Refused as refusal:
        expect(refusal.kind == kind, f"{why} refused as {refusal}, not {kind}")
        return
    expect(False, f"{why} {kind} expected, answered {answer}")


class Client:
    """One connection: calls wait for their answer, pushes gather in `pushes` in order.

    `trust`: an ssl.SSLContext for wss. `address`: where a trusted proxy says that it comes from."""

    def __init__(self, url, trust=None, address=None):
        if trust:
            trust.sslsocket_class = OneAtATime
        # A connection that reads nothing for a while would end itself for a pong that lies unread.
        self.socket = connect(url, subprotocols=["whattodo.v1"], open_timeout=DEADLINE, max_size=2**20, ssl=trust, ping_interval=None,
                              additional_headers={"X-Forwarded-For": address} if address else None)
        self.next = 0
        self.pushes = []
        self.answers = {}

    def send(self, method, **params):
        self.next += 1
        self.socket.send(json.dumps({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}))
        return self.next

    def call(self, method, **params):
        return self.answer(self.send(method, **params))

    def command(self, method, **params):
        return self.call(method, key=params.pop("key", None) or new_id(), **params)

    def answer(self, number):
        end = time.monotonic() + DEADLINE
        while number not in self.answers:
            self.receive(end - time.monotonic())
        message = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"])
        return message["result"]

    def receive(self, seconds):
        message = json.loads(self.socket.recv(timeout=max(seconds, 0.001)))
        if "id" in message and "method" not in message:
            self.answers[message["id"]] = message
        else:
            self.pushes.append(message)

    def wait(self, found, sentence):
        """Receives until `found(pushes)` answers something true; that is the result."""
        end = time.monotonic() + DEADLINE
        while not (result := found(self.pushes)):
            try:
                self.receive(end - time.monotonic())
            except TimeoutError:
                raise Failure(f"did not come within {DEADLINE} s: {sentence}") from None
        return result

    def close(self):
        self.socket.close()


def closed(client):
    """The code with which the server ends the connection, within some seconds."""
    try:
        while True:
            client.receive(DEADLINE)
    except ConnectionClosed as end:
        return end.rcvd and end.rcvd.code


class Copy:
    """A stream's events as a client gathers them: the whole gap logic of protocol §4."""

    def __init__(self, stream):
        self.stream, self.epoch, self.seq, self.tx = stream, None, 0, None
        self.events, self.snapshots, self.gone = [], 0, False

    def take(self, pushes):
        for push in pushes:
            params = push.get("params", {})
            if params.get("stream") == self.stream:
                self.take_one(push["method"], params)
        return self

    def take_one(self, method, params):
        if method == "sync.snapshot":
            self.epoch, self.seq, self.tx = params["epoch"], params["seq"], params.get("tx")
            self.snapshots += 1 if params["page"] == params["pages"] else 0
        elif method == "sync.events":
            expect(params["from"] == self.seq + 1, f"{self.stream}: event {params['from']} after {self.seq}")
            for event in params["events"]:
                self.seq += 1
                self.tx = event["tx"]
                self.events.append((self.seq, event))
            self.epoch = params["epoch"]
        elif method == "sync.gone":
            self.gone = True

    @property
    def cursor(self):
        return {"epoch": self.epoch, "seq": self.seq, **({"tx": self.tx} if self.tx else {})}


def register(client, username, password="correct horse battery", **more):
    """A new account; (user id, answer)."""
    user = new_id()
    return user, client.call("account.register", id=user, username=username, name=username.title(),
                             zone="Europe/Lisbon", password=password, **more)


def sign_in(url, username, password="correct horse battery", register_first=True, trust=None, kind=None, address=None, **hello):
    """A connection that said hello; (client, user id, token)."""
    client = Client(url, trust, address)
    if register_first:
        register(client, username, password, **({"kind": kind} if kind else {}))
    login = client.call("account.login", username=username, password=password, client={"name": "end-to-end test", "version": "1"})
    client.hello = say_hello(client, login["token"], **hello)
    return client, login["user"], login["token"]


def say_hello(client, token, cursors=None, streams="all"):
    return client.call("hello", token=token, client={"name": "end-to-end", "version": "1"},
                       cursors=cursors or {}, streams=streams)


def validate(frames, *options):
    """Recorded frames are as protocol/schema says; what the judge says of them."""
    judge = pathlib.Path(__file__).parent.parent / "Protocol" / "validate.py"
    done = subprocess.run([sys.executable, str(judge), "--frames", *options, str(frames)],
                          capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, f"recorded frames: {done.stdout}{done.stderr}")
    return done.stdout.strip()


def main(check):
    """Runs `check(programs, folder)` in a temporary folder that goes afterwards; 0 passed, 1 failed."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="whattodo-"))
    try:
        print(check(pathlib.Path(sys.argv[1]), folder))
    except (Failure, Refused, subprocess.SubprocessError) as failure:
        print(f"FAILED: {failure}")
        for log in folder.glob("*.log"):
            print(f"--- {log.name}\n" + "\n".join(log.read_text(errors="replace").splitlines()[-15:]))
        sys.exit(1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
