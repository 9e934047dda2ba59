"""Thousands of WebSocket clients in one process, as a program of its own: crowd.py '{"port": …, "count": …}'

Opens `count` connections, so many at a time, and then does what lines on standard input say; each line is answered
by one line of JSON. With `tokens` it says hello and follows `stream`, checking that events come without gaps.
A connection that `stalls` reads nothing after its hello. Every ping is answered, also while nothing is asked.

  open        waits until every attempt has an outcome: {"101": 9000, "503": 1000, "cut": 0}
  alive       pings every open connection: how many answered
  reach N     waits until every reader has event N: {"behind": 0, "gaps": 0, "pings": fewest, "closed": {…}}
  leave N     closes N connections and waits for the end of each: how many
  ended       waits until the server has closed everything: {"codes": {"4001": 7500}, "drains": 7500}
  quit
"""
import base64
import collections
import json
import os
import select
import socket
import struct
import sys
import time

DEADLINE = 90.0
MASK = b"\0\0\0\0"  # allowed, and the payload needs no work


def frame(opcode, payload=b""):
    if len(payload) < 126:
        return bytes([0x80 | opcode, 0x80 | len(payload)]) + MASK + payload
    return struct.pack(">BBH", 0x80 | opcode, 0x80 | 126, len(payload)) + MASK + payload


class Member:
    """One connection: its outcome is 101, another status, or "cut" when it ended without one."""
    __slots__ = ("socket", "buffer", "phase", "outcome", "seq", "pings", "pongs", "code", "token", "stalls")

    def __init__(self, token, stalls):
        self.socket, self.buffer, self.phase, self.outcome = None, b"", "connecting", None
        self.seq, self.pings, self.pongs, self.code = -1, 0, 0, None
        self.token, self.stalls = token, stalls


class Crowd:
    def __init__(self, spec):
        self.spec = spec
        self.address = (spec.get("host", "127.0.0.1"), spec["port"])
        self.poll = select.epoll()
        self.poll.register(sys.stdin.fileno(), select.EPOLLIN)
        self.members = {}
        tokens, stalls = spec.get("tokens") or [None], spec.get("stalls", 0)
        self.all = [Member(tokens[n % len(tokens)], n < stalls) for n in range(spec["count"])]
        self.waiting = collections.deque(self.all)
        self.in_flight, self.gaps, self.drains, self.faults = 0, 0, 0, []
        self.commands, self.line = collections.deque(), b""
        key = base64.b64encode(os.urandom(16)).decode()
        protocol = f"Sec-WebSocket-Protocol: {spec['protocol']}\r\n" if "protocol" in spec else ""
        self.request = (f"GET {spec['path']} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{protocol}\r\n").encode()

    # Opening

    def open_more(self):
        while self.waiting and self.in_flight < self.spec.get("at_once", 200):
            member = self.waiting.popleft()
            member.socket = socket.socket()
            member.socket.setblocking(False)
            member.socket.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT: ports are chosen at connect
            if member.stalls:
                member.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            member.socket.bind((self.spec.get("source", "127.0.0.1"), 0))
            member.socket.connect_ex(self.address)
            self.members[member.socket.fileno()] = member
            self.poll.register(member.socket.fileno(), select.EPOLLIN | select.EPOLLOUT)
            self.in_flight += 1

    def settle(self, member, outcome):
        """The attempt has an outcome."""
        if member.outcome is None:
            member.outcome = outcome
            self.in_flight -= 1

    def end(self, member, code="cut"):
        if member.socket is None:
            return
        self.settle(member, "cut")
        member.code = member.code or code
        del self.members[member.socket.fileno()]
        self.poll.unregister(member.socket.fileno())
        member.socket.close()
        member.socket, member.buffer, member.phase = None, b"", "over"

    def send(self, member, data):
        try:
            sent = member.socket.send(data)
        except (BlockingIOError, OSError):
            sent = 0
        if sent < len(data):
            self.end(member)

    # Events

    def ready(self, descriptor, events):
        member = self.members.get(descriptor)
        if member is None:
            return
        if member.phase == "connecting":
            if member.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                return self.end(member)
            member.phase = "upgrade"
            self.poll.modify(descriptor, select.EPOLLIN)
            return self.send(member, self.request)
        try:
            data = member.socket.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.end(member)
        member.buffer += data
        if member.phase == "upgrade":
            self.answered(member)
        if member.phase in ("hello", "open"):
            self.frames(member)

    def answered(self, member):
        head, empty, rest = member.buffer.partition(b"\r\n\r\n")
        if not empty:
            return
        status = head[9:12].decode()
        if status == "503" and b"\r\nRetry-After: " not in head:
            self.faults.append("503 without Retry-After")
        if status != "101":
            self.settle(member, status)
            return self.end(member)
        member.buffer = rest
        if member.token is None:
            member.phase = "open"
            return self.settle(member, status)
        member.phase = "hello"
        hello = {"token": member.token, "client": {"name": "crowd", "version": "1"}, "streams": self.spec["streams"]}
        self.send(member, frame(1, json.dumps({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": hello}).encode()))

    def frames(self, member):
        buffer, at = member.buffer, 0
        while len(buffer) - at >= 2 and member.socket is not None:
            size, start = buffer[at + 1] & 127, at + 2
            if size == 126 and len(buffer) - at >= 4:
                size, start = struct.unpack_from(">H", buffer, at + 2)[0], at + 4
            elif size == 127 and len(buffer) - at >= 10:
                size, start = struct.unpack_from(">Q", buffer, at + 2)[0], at + 10
            elif size > 125:
                break
            if len(buffer) < start + size:
                break
            self.frame(member, buffer[at] & 15, buffer[start:start + size])
            at = start + size
        member.buffer = buffer[at:] if member.socket is not None else b""

    def frame(self, member, opcode, payload):
        if opcode == 9:
            member.pings += 1
            self.send(member, frame(10, payload))
        elif opcode == 10:
            member.pongs += 1
        elif opcode == 8:
            member.code = str(struct.unpack(">H", payload[:2])[0]) if payload else "1005"
            self.send(member, frame(8, payload[:2]))
        elif opcode == 1 and member.token is not None:
            self.message(member, json.loads(payload))

    def message(self, member, message):
        params = message.get("params", {})
        if message.get("id") == 1:
            if "result" not in message:
                self.faults.append(str(message)[:300])
            self.settle(member, "101")
            member.phase = "open"
            if member.stalls:
                self.poll.modify(member.socket.fileno(), 0)
        elif message.get("method") == "server.drain":
            self.drains += 1
        elif params.get("stream") != self.spec["stream"]:
            return
        elif message["method"] == "sync.snapshot" and params["page"] == params["pages"]:
            member.seq = params["seq"]
        elif message["method"] == "sync.events":
            self.gaps += params["from"] != member.seq + 1
            member.seq = params["from"] + len(params["events"]) - 1

    # Commands

    def turn(self):
        self.open_more()
        for descriptor, events in self.poll.poll(0.02):
            if descriptor == sys.stdin.fileno():
                data = os.read(descriptor, 4096)
                *lines, self.line = (self.line + data).split(b"\n")
                self.commands.extend(line.decode() for line in lines)
                if not data:
                    sys.exit(0)
            else:
                self.ready(descriptor, events)

    def until(self, is_done):
        end = time.monotonic() + DEADLINE
        while not is_done() and time.monotonic() < end:
            look = time.monotonic() + 0.02  # looking at everybody costs as much as a few messages
            while time.monotonic() < look:
                self.turn()

    def opened(self):
        return [member for member in self.all if member.phase == "open"]

    def readers(self):
        return [member for member in self.all if not member.stalls]

    def do(self, name, number=0):
        if name == "open":
            self.until(lambda: not self.waiting and self.in_flight == 0)
            return dict(collections.Counter(str(member.outcome) for member in self.all))
        if name == "alive":
            before = [(member, member.pongs) for member in self.opened()]
            for member, _ in before:
                self.send(member, frame(9, b"here"))
            self.until(lambda: all(member.pongs > count or member.socket is None for member, count in before))
            return sum(member.pongs > count for member, count in before)
        if name == "reach":
            readers = self.readers()
            self.until(lambda: all(member.seq >= number or member.socket is None for member in readers))
            return {"behind": sum(member.seq < number for member in readers), "gaps": self.gaps,
                    "pings": min(member.pings for member in readers), "closed": self.codes()}
        if name == "leave":
            leaving = self.opened()[:number]
            for member in leaving:
                self.send(member, frame(8, struct.pack(">H", 1000)))
            self.until(lambda: all(member.socket is None for member in leaving))
            return sum(member.socket is None for member in leaving)
        for member in self.members.values():
            self.poll.modify(member.socket.fileno(), select.EPOLLIN)
        self.until(lambda: not self.members)
        return {"codes": self.codes(), "drains": self.drains, "open": len(self.members)}

    def codes(self):
        return dict(collections.Counter(member.code for member in self.all if member.code))

    def serve(self):
        while True:
            while not self.commands:
                self.turn()
            words = self.commands.popleft().split()
            if words[0] == "quit":
                return
            answer = self.do(words[0], *map(int, words[1:]))
            print(json.dumps({"faults": self.faults[:3]} if self.faults else answer), flush=True)


if __name__ == "__main__":
    Crowd(json.loads(sys.argv[1])).serve()
