"""What comes to a TLS port that is no client of ours: bad_tls.py PROGRAMS

Random bytes, records against the rules, requests without TLS, handshakes that never end, old versions; and TLS
at a plain port. Each has its answer or its end in time, and somebody signed in is served all the while.
"""
import random
import re
import socket
import ssl
import struct
import time
import warnings

from certificates import Authority
from harness import DEADLINE, Client, Server, connect, expect, main, sign_in

HANDSHAKE_SECONDS = 10
SEED = 20_261_121
HTTP = b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"


def bad(programs, folder):
    identity = Authority(folder / "ca").issue("localhost")
    server = Server(programs, folder / "data", *identity.options).start()
    plain = Server(programs, folder / "plain").start()
    try:
        owner, _, _ = sign_in(server.url, "owner", trust=identity.trust)
        hello = client_hello()
        held = [hold(server, start) for start in unfinished(identity, server, hello) for _ in range(20)]
        before = memory(server)
        rows = [random_bytes, records, requests, old_versions]
        seen = [row(server, owner, hello) for row in rows]
        tls_at_a_plain_port(plain, hello)
        plain_client_at_a_tls_port(server)
        ended_in_time(held, owner)
        expect(memory(server) - before < 32, f"memory grew from {before} to {memory(server)} MiB")
        owner.call("ping")
        owner.close()
    finally:
        statuses = [server.stop(), plain.stop()]
    expect(statuses == [0, 0], f"exit statuses {statuses}")
    return f"{', '.join(seen)}, {len(held)} unfinished handshakes"


def memory(server):
    with open(f"/proc/{server.process.pid}/status") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) // 1024


def dial(server):
    host, port = server.url.split("/")[2].split(":")
    return socket.create_connection((host, int(port)), DEADLINE)


def client_hello():
    """The first bytes of a good client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    try:
        ssl.create_default_context().wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()


def answer(server, data, half_close=False):
    """What comes back to these bytes until the server ends the connection."""
    got = b""
    with dial(server) as connection:
        try:
            connection.sendall(data)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
            while chunk := connection.recv(65536):
                got += chunk
        except (ConnectionResetError, BrokenPipeError):
            pass
    return got


def is_alert(data):
    """An alert record, alone or behind a handshake record."""
    return data[:1] == b"\x15" or b"\x15\x03\x03\x00\x02" in data


def random_bytes(server, owner, hello):
    """Ended when it cannot be TLS; what could still become some is ended by its own end."""
    chance = random.Random(SEED)
    for round in range(200):
        answer(server, chance.randbytes(chance.choice([1, 5, 6, 60, 517, 4096, 70_000])), half_close=True)
        if round % 20 == 0:
            owner.call("ping")
    for round in range(200):
        start = bytearray(hello)
        for _ in range(chance.randint(1, 8)):
            start[chance.randrange(len(start))] = chance.randrange(256)
        answer(server, bytes(start), half_close=True)
        if round % 20 == 0:
            owner.call("ping")
    return "400 random beginnings"


def records(server, owner, hello):
    """Records that break the rules are told so by an alert."""
    cases = [b"\x16\x03\x01\xff\xff" + bytes(20_000), b"\x17\x03\x03\x00\x20" + bytes(32),
             b"\x14\x03\x03\x00\x01\x01" * 50, b"\x16\x03\x03\x00\x00" * 50, b"\x80\x2e\x01\x00\x02" + bytes(60),
             hello[:5] + b"\x02" + hello[6:], b"\x16\x03\x01\x00\x04\x01\xff\xff\xff" + bytes(100)]
    for data in cases:
        got = answer(server, data, half_close=True)
        expect(got == b"" or is_alert(got), f"{data[:12]!r}: {got[:60]!r}, no alert")
        owner.call("ping")
    return f"{len(cases)} bad records"


def requests(server, owner, hello):
    """Without TLS: a sentence that a person sees in a browser or with curl."""
    for request in [HTTP, HTTP.replace(b"/ws", b"/healthz"), b"POST / HTTP/1.1\r\nHost: x\r\n\r\n"]:
        got = answer(server, request)
        expect(got.startswith(b"HTTP/1.1 400 ") and b"TLS" in got, f"a request without TLS: {got[:200]!r}")
    owner.call("ping")
    return "requests without TLS"


def old_versions(server, owner, hello):
    warnings.simplefilter("ignore", DeprecationWarning)
    for version in [ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, version
        try:
            with dial(server) as plain, context.wrap_socket(plain) as secure:
                expect(False, f"{secure.version()} was agreed on")
        except ssl.SSLError as failure:
            expect("alert" in str(failure).lower(), f"{version.name}: {failure}")
    owner.call("ping")
    return "TLS 1.0 and 1.1"


def tls_at_a_plain_port(plain, hello):
    """A TLS client at a plain port gets an end at once, and who is there is served on."""
    owner, _, _ = sign_in(plain.url, "owner")
    start = time.monotonic()
    got = answer(plain, hello)
    expect(got[:1] != b"\x16" and time.monotonic() - start < HANDSHAKE_SECONDS / 2, f"TLS at a plain port: {got[:60]!r}")
    owner.call("ping")
    owner.close()


def plain_client_at_a_tls_port(server):
    try:
        connect(server.url.replace("wss:", "ws:"), subprotocols=["whattodo.v1"], open_timeout=DEADLINE).close()
    except Exception as failure:
        expect("400" in str(failure), f"ws:// to a TLS port: {failure}")
    else:
        expect(False, "ws:// to a TLS port was served")


def unfinished(identity, server, hello):
    """Beginnings of connections that then say nothing more."""
    return [lambda c: None, lambda c: c.sendall(hello[:1]), lambda c: c.sendall(hello[:100]), lambda c: c.sendall(hello),
            lambda c: c.sendall(b"\x16\x03\x01" + struct.pack(">H", 16384)),
            lambda c: greeted(c, identity)]


def greeted(connection, identity):
    """The handshake is done, and no request follows. Keeps the socket; its TLS object may go."""
    secure = identity.trust.wrap_socket(connection.dup(), server_hostname="127.0.0.1", suppress_ragged_eofs=True)
    secure.detach()


def hold(server, start):
    connection = dial(server)
    start(connection)
    return connection, time.monotonic()


def ended_in_time(held, owner):
    """Each is ended by the server when its handshake has taken too long, and not much later."""
    for connection, begun in held:
        while True:
            left = begun + HANDSHAKE_SECONDS + DEADLINE - time.monotonic()
            expect(left > 0, "an unfinished handshake was not ended")
            connection.settimeout(min(left, 1))
            try:
                if not connection.recv(65536):
                    break
            except TimeoutError:
                owner.call("ping")
            except ConnectionResetError:
                break
        connection.close()


if __name__ == "__main__":
    main(bad)
