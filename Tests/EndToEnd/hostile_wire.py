"""Heads, frames and texts against the rules, through raw sockets, with the answer to each; hostile.py runs them."""
import json
import socket
import struct

from harness import Client, expect

KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
UPGRADE = ("Upgrade: websocket\r\nConnection: Upgrade\r\n" + KEY +
           "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: whattodo.v1\r\n")
PING = b'{"id":1,"method":"ping"}'

HEADS = [  # first line, host, further fields, status
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE, 101),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE.replace("whattodo.v1", "chat"), 400),
    ("GET /ws HTTP/1.1", None, UPGRADE, 400),
    ("GET /ws HTTP/1.1", "evil.example", UPGRADE, 421),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + "Origin: null\r\n", 403),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + "Origin: http://127.0.0.1@evil.example\r\n", 403),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + "Origin: http://127.0.0.1.evil.example\r\n", 403),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + KEY, 400),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE.replace("13", "8"), 426),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + "Content-Length: 5\r\n", 400),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + "X : a\r\n", 400),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + "X: a\r\n b\r\n", 400),
    ("GET /ws HTTP/1.1", "127.0.0.1", UPGRADE + "X: y\r\n" * 2000, 431),
    ("GET /ws HTTP/1.0", "127.0.0.1", UPGRADE, 426),
    ("POST /ws HTTP/1.1", "127.0.0.1", UPGRADE, 405),
    ("GET /ws\0 HTTP/1.1", "127.0.0.1", UPGRADE, 400),
    ("GET /../../etc/passwd HTTP/1.1", "127.0.0.1", "", 404),
    ("GET /" + "a" * 20000 + " HTTP/1.1", "127.0.0.1", "", 414),
    ("GET /healthz HTTP/1.1", "127.0.0.1", "Content-Length: 99999999999999999999\r\n", 400),
    ("PRI * HTTP/2.0", "127.0.0.1", "", 505),
]


def frame(opcode, payload, fin=True, masked=True, reserved=0, length=None):
    size = len(payload) if length is None else length
    bit = 0x80 if masked else 0
    head = bytes([opcode | (0x80 if fin else 0) | reserved])
    if size < 126:
        head += bytes([bit | size])
    elif size < 65536:
        head += struct.pack(">BH", bit | 126, size)
    else:
        head += struct.pack(">BQ", bit | 127, size)
    return head + (bytes(4) if masked else b"") + payload


FRAMES = [  # bytes, close code; None: the ping in them is answered
    (frame(1, PING, masked=False), 1002), (frame(1, PING, reserved=0x40), 1002), (frame(3, PING), 1002),
    (frame(9, b"x" * 126), 1002), (frame(9, b"x", fin=False), 1002), (frame(0, PING), 1002),
    (frame(1, PING, fin=False) + frame(1, PING), 1002), (frame(2, PING), 1003), (frame(1, b"\xff"), 1007),
    (frame(1, b'"\xed\xa0\x80"'), 1007), (frame(1, b"", length=262145), 1009), (frame(1, b"", length=2**63), 1002),
    (frame(1, b"a" * 200000, fin=False) + frame(0, b"a" * 62145), 1009), (b"\x81\xfe\x00\x05\0\0\0\0hello", 1002),
    (frame(8, b"\x03"), 1002), (frame(8, b"\x03\xe8\xff"), 1007), (frame(1, b"[]") * 10, 4505),
    (frame(1, PING[:9], fin=False) + frame(9, b"") + frame(0, PING[9:]), None),
    (frame(1, b"", fin=False) + frame(0, b"", fin=False) * 1000 + frame(0, PING), None),
    (frame(1, b"", fin=False) + frame(0, b"", fin=False) * 2000 + frame(0, PING), 1008),
    (frame(9, b"") * 2000, 1008), (frame(10, b"") * 2000, 1008), (frame(9, b"") * 10 + frame(1, PING), None),
    (frame(1, b"[]") * 9 + frame(1, PING) + frame(1, b"[]") * 9, None),
] + [(frame(8, struct.pack(">H", code)), answer) for code, answer in [
    (999, 1002), (1000, 1000), (1004, 1002), (1005, 1002), (1006, 1002), (1015, 1002), (2999, 1002), (3000, 3000),
    (4999, 4999), (5000, 1002)]]

TEXTS = [  # a message before hello, and the kind of its answer
    ("", "parse"), ("nan", "parse"), ("[" * 33 + "]" * 33, "parse"), ('{"id":1,"id":2,"method":"ping"}', "parse"),
    ('{"id":1,"method":"ping","params":{"a":1,"\\u0061":2}}', "parse"), ("\ufeff" + PING.decode(), "parse"),
    ('{"id":1,"method":"ping","x":"\\ud800"}', "parse"), ('{"id":9007199254740993,"method":"ping"}', "parse"),
    (PING.decode() + "x", "parse"), (PING.decode(), None), ('{"id":1,"method":"ping","x":1e999}', "parse"),
    ("[" + PING.decode() + "]", "invalid_request"), ('{"method":"ping"}', "invalid_request"),
    ('{"id":null,"method":"ping"}', "invalid_request"), ('{"id":1.0,"method":"ping"}', "invalid_request"),
    ('{"id":1,"method":"ping","params":null}', "invalid_request"), ('{"id":1,"method":"rm"}', "unknown_method"),
    ('{"id":1,"method":"session.list"}', "unauthenticated"), ('{"id":1,"method":"post.add"}', "invalid"),
    ('{"id":1,"method":"hello","params":{"token":"","client":{"name":"x","version":"1"}}}', "invalid"),
]

def address(server):
    host, port = server.url.split("/")[2].split(":")
    return host, int(port)


def raw(server, head=None):
    connection = socket.create_connection(address(server), timeout=10)
    connection.sendall((head or f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n{UPGRADE}\r\n").encode())
    answer = b""
    while b"\r\n\r\n" not in answer and (chunk := connection.recv(4096)):
        answer += chunk
    return connection, answer


def heads(server):
    for line, host, more, status in HEADS:
        head = f"{line}\r\n" + (f"Host: {host}\r\n" if host else "") + more + "\r\n"
        connection, answer = raw(server, head)
        connection.close()
        expect(answer.startswith(f"HTTP/1.1 {status} ".encode()), f"{head[:60]!r}: {answer[:60]!r}, not {status}")


def frames(server):
    for data, code in FRAMES:
        connection, _ = raw(server)
        connection.sendall(data)
        seen = closing(connection, stops_at=b'"time"' if code is None else None)
        connection.close()
        expect(seen == code, f"{data[:40]!r}: closed with {seen}, not {code}")


def closing(connection, stops_at):
    """The code of the close frame; None when `stops_at` came instead."""
    got, chunk = b"", b"-"
    while chunk:
        while len(got) >= 2:
            size, start = got[1] & 127, 2
            if size == 126 and len(got) >= 4:
                size, start = struct.unpack(">H", got[2:4])[0], 4
            if len(got) < start + size:
                break
            if got[0] == 0x88:
                return struct.unpack(">H", got[start:start + 2])[0] if size else 1005
            if stops_at and stops_at in got[start:start + size]:
                return None
            got = got[start + size:]
        chunk = connection.recv(65536)
        got += chunk
    return "no close frame"


def texts(server):
    client = Client(server.url)
    for number, (text, kind) in enumerate(TEXTS):
        if number % 5 == 0:
            client.call("ping")
        client.socket.send(text)
        answer = json.loads(client.socket.recv(timeout=5))
        expect(answer.get("error", {}).get("data", {}).get("kind") == kind, f"{text[:60]!r}: {answer}")
    client.close()
