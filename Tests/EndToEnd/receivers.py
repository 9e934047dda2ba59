"""A receiver of webhooks for the tests: an HTTP/1.1 server that can also fail in many ways.

It keeps every request that comes, together with the answer that it gave. `mode` says how it answers: `ok`, a status, or the
name of a way to fail (`Receiver.ways`). In the mode `held` a request waits until `release`.
"""
import json
import socket
import threading
import time

import standardwebhooks

from harness import DEADLINE, Failure, expect

TEXTS = {"404": "HTTP/1.1 404 Not Found", "500": "HTTP/1.1 500 Oh", "410": "HTTP/1.1 410 Gone",
         "429": "HTTP/1.1 429 Slow\r\nRetry-After: 7"}
# The seconds between two bytes of a trickling receiver.
PACE = 0.2


class Request:
    """One request, as it came."""

    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body
        self.at, self.taken, self.number, self.id = time.time(), False, None, headers.get("webhook-id")
        self.content = json.loads(body) if headers["content-type"] == "application/json" else body.decode()

    @property
    def events(self):
        """[(seq, event)] of the form `events`."""
        return list(enumerate(self.content["events"], self.content["from"]))

    def verify(self, secret):
        """The judge is the library of Standard Webhooks. It accepts five minutes, and here nothing takes so long."""
        try:
            standardwebhooks.Webhook(secret).verify(self.body, self.headers, json_parse=False)
        except standardwebhooks.WebhookVerificationError as wrong:
            raise Failure(f"the proof of {self.id}: {wrong}") from None
        sent = int(self.headers["webhook-timestamp"])
        expect(self.at - 10 < sent < self.at + 2, f"sent at {sent}, came at {self.at}")


class Receiver:
    """Listens on a port of its own until the process ends. `serving`: an ssl.SSLContext for https."""

    def __init__(self, path="/", address="127.0.0.1", serving=None):
        self.family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.serving, self.mode, self.trap, self.wrong = serving, "ok", None, None
        self.requests, self.connected, self.given_up = [], 0, 0
        self.changed, self.open, self.path = threading.Condition(), set(), path
        # This socket keeps the port while nobody listens.
        self.holder = self.bound((address, 0))
        self.place = self.holder.getsockname()[:2]
        scheme, host = "https" if serving else "http", f"[{address}]" if ":" in address else address
        self.address = f"{scheme}://{host}:{self.place[1]}{path}"
        self.listen()

    def bound(self, place):
        door = socket.socket(self.family)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        door.bind(place)
        return door

    def listen(self):
        self.door = self.bound(self.place)
        self.door.listen(64)
        threading.Thread(target=self.accept, args=(self.door,), daemon=True).start()

    def refuse(self):
        """Ends all connections, and accepts none until `listen`."""
        self.door.shutdown(socket.SHUT_RDWR)
        self.door.close()
        with self.changed:
            for line in self.open:
                line.shutdown(socket.SHUT_RDWR)

    def accept(self, door):
        while True:
            try:
                line, _ = door.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(line,), daemon=True).start()

    def serve(self, line):
        with self.changed:
            self.connected += 1
            self.open.add(line)
            self.changed.notify_all()
        plain = line
        try:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            line = self.serving.wrap_socket(line, server_side=True) if self.serving else line
            with line, line.makefile("rb") as reader:
                while (request := read(reader)) and self.answer(request, line, reader):
                    pass
        except OSError:
            pass
        except Exception as wrong:  # told to whoever waits
            self.wrong = wrong
        finally:
            with self.changed:
                self.open.discard(plain)
                self.changed.notify_all()

    # The answers. A way that returns True keeps the connection.

    def answer(self, request, line, reader):
        with self.changed:
            mode = self.mode
            if mode != "held":
                self.keep(request, mode in ("ok", "endless"))
        if mode == "held":
            return self.hold(request, line)
        if mode == "ok":
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            return True
        if mode in TEXTS:
            line.sendall(f"{TEXTS[mode]}\r\nContent-Length: 2\r\n\r\nno".encode())
            return True
        return self.ways[mode](self, line, reader)

    def keep(self, request, taken):
        request.taken, request.number = taken, len(self.requests)
        self.requests.append(request)
        self.changed.notify_all()

    def hold(self, request, line):
        """The request is taken only when somebody lets it go: a client that is gone by then had no answer."""
        with self.changed:
            self.keep(request, False)
            self.changed.wait_for(lambda: self.mode != "held", DEADLINE)
            line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return False

    def release(self, mode="ok"):
        with self.changed:
            self.mode = mode
            self.changed.notify_all()

    def silent(self, line, reader):
        """The end of the connection is all that comes."""

    def garbage(self, line, reader):
        line.sendall(b"\x00\x01\x02 SSH-2.0-OpenSSH_9.2\r\n\r\n")

    def redirect(self, line, reader):
        line.sendall(f"HTTP/1.1 302 Found\r\nLocation: {self.trap}\r\nContent-Length: 0\r\n\r\n".encode())

    def cut(self, line, reader):
        line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789")

    def endless(self, line, reader):
        line.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            line.sendall(b"x" * 4096)

    def trickle(self, line, reader):
        line.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        try:
            while True:
                line.sendall(b"x")
                time.sleep(PACE)
        finally:
            self.give_up()

    def hang(self, line, reader):
        try:
            reader.read(1)
        finally:
            self.give_up()

    def give_up(self):
        with self.changed:
            self.given_up += 1
            self.changed.notify_all()

    ways = {"closes": silent, "garbage": garbage, "302": redirect, "cut": cut, "endless": endless, "trickle": trickle, "hang": hang}

    # For the test.

    def wait(self, found, sentence, seconds=DEADLINE):
        """Waits until `found(requests)` answers something true; that is the result."""
        with self.changed:
            came = self.changed.wait_for(lambda: self.wrong or found(self.requests), seconds)
            expect(not self.wrong, f"a request that nobody can read: {self.wrong!r}")
            expect(came, f"did not come within {seconds} s: {sentence}; {len(self.requests)} requests came")
            return found(self.requests)

    def wait_given_up(self, count):
        self.wait(lambda _: self.given_up >= count, "that the server gives up")

    def has(self, stream, seq):
        """Answers whether the event was taken."""
        return any(request.taken and request.content["stream"] == stream
                   and request.content["from"] <= seq < request.content["from"] + len(request.content["events"])
                   for request in reversed(self.requests))

    def wait_for_event(self, stream, seq):
        self.wait(lambda _: self.has(stream, seq), f"event {seq} of {stream}")

    def said(self, word):
        return any(word.encode() in request.body for request in self.requests)


def read(reader):
    """The next request of a connection; None when there is none."""
    line = reader.readline()
    if not line.endswith(b"\r\n"):
        return None
    method, path, _ = line.decode().split()
    headers = {}
    while (field := reader.readline()) != b"\r\n":
        if not field:
            return None
        name, value = field.decode().rstrip("\r\n").split(": ", 1)
        headers[name.lower()] = value
    expect(method == "POST", f"{method} {path}")
    body = reader.read(int(headers["content-length"]))
    return Request(path, headers, body) if len(body) == int(headers["content-length"]) else None
