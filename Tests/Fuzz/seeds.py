#!/usr/bin/env python3
"""Starting inputs for the fuzzers, from protocol/vectors: seeds.py FOLDER

FOLDER/NAME/ gets the inputs of the target NAME, FOLDER/NAME.dict the words that its bytes are made of. What
the knobs before the bytes mean stands in Tests/Fuzz/Targets.
"""
import hashlib
import json
import pathlib
import struct
import sys

VECTORS = pathlib.Path(__file__).resolve().parents[2] / "protocol/vectors"
BYTES_MAX = 2000
ROLES = {"server": 0, "client": 1}
LIMITS = [30, 125, 1000, 70_000]


def cases(name):
    return json.loads((VECTORS / f"websocket/{name}.json").read_text())["cases"]


def unhex(value):
    if isinstance(value, str):
        return bytes.fromhex(value)
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"]) * value["times"]
    return b"".join(map(unhex, value))


def head(lines):
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


def frames():
    for case in cases("frames"):
        limit = next((i for i, n in enumerate(LIMITS) if n >= case.get("messageBytesMax", 1000)), 3)
        knob = ROLES[case["receiver"]] | limit << 1
        yield bytes([knob, 1]) + unhex(case["input"])
        yield bytes([knob | 8, 1]) + unhex(case["input"])
    yield from deflated_frames()


def compressed(receiver):
    """Payloads of the frames that are compressed and whole."""
    for case in cases("deflate-frames"):
        if case["receiver"] == receiver:
            yield LIMITS.index(next(n for n in LIMITS if n >= min(case.get("messageBytesMax", 1000), 70_000))), \
                unhex(case["input"])


def deflated_frames():
    for role, bit in ROLES.items():
        for limit, stream in compressed(role):
            yield bytes([bit | limit << 1 | 16, 1]) + stream
            yield bytes([bit | limit << 1 | 32 | 16 | 8, 1]) + stream


def payloads():
    for _, stream in compressed("client"):
        if stream[1] < 126:
            yield b"\3" + stream[2:]
            yield b"\1" + stream[2:]
        elif stream[1] == 126:
            yield b"\4" + stream[4:]


def heads():
    for case in cases("deflate-offers"):
        yield b"\x0c\0" + head([
            "GET /ws HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
            *(f"Sec-WebSocket-Extensions: {offer}" for offer in case["offers"])])
    for case in cases("server-handshakes"):
        if isinstance(case.get("raw"), str):
            yield b"\0\0" + case["raw"].encode()
        elif all(isinstance(line, str) for line in case["request"]):
            yield b"\0\0" + head(case["request"])
            yield b"\7\0" + head(case["request"])


def answers():
    for case in cases("deflate-answers"):
        yield b"\0" + head([
            "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            *(f"Sec-WebSocket-Extensions: {answer}" for answer in case["answers"])])
    for case in cases("client-handshakes"):
        if all(isinstance(line, str) for line in case["answer"]):
            yield b"\0" + head(case["answer"])


def texts():
    """Every message, event and object of the vectors as bytes, requests first."""
    for name in ["requests", "invalid", "results", "errors", "pushes", "newer", "objects", "ops"]:
        for row in json.loads((VECTORS / f"messages/{name}.json").read_text()):
            if isinstance(row.get("text"), str):
                yield row["text"].encode()
            for part in ["message", "object", "op"]:
                if part in row:
                    yield json.dumps(row[part], ensure_ascii=False, separators=(",", ":")).encode()


def messages():
    for text in texts():
        yield text
        # An op is a seed only inside an event.
        if text.startswith(b'{"t":"'):
            yield b'{"tx":"01890a5d-ac96-774b-bcce-0000000007a1","at":1790000000000,"ops":[' + text + b"]}"


def hooks():
    yield b"\0build green\n\n42 of 42 tests passed\n"
    yield b"\1title=a+b%26c&notes=one%0Atwo&priority=high&due=2027-01-04T09:30&zone=Europe/Lisbon"
    yield b"\1id=7&source=alerts&title=disk+full&done=true&url=https://example.org/7"
    yield b"\1job=nightly&state=failed&text=exit+3&run=7"
    yield b"\1job=nightly&state=started&run=7&phase=compile&lease=60"
    yield b'\2{"job":"nightly","run":7,"phase":"link","title":"Nightly","notes":"a\\nb"}'
    yield b'\2{"title":"x","due":"2027-01-04","list":"01890a5d-ac96-774b-bcce-0000000007a1"}'


def hook_heads():
    place = b"/01890a5d-ac96-774b-bcce-0000000007a1"
    bearer = b"Authorization: Bearer wt_0123456789abcdef"
    plain, form = b"Content-Type: text/plain", b"Content-Type: application/x-www-form-urlencoded"
    for path, *fields in [
            (b"", bearer), (place, bearer, b"Content-Type: application/json", b"Idempotency-Key: run-7"),
            (b"", b"authorization: bearer   t", form, b'Idempotency-Key: "a key with spaces"'),
            (place + b"?x=1", bearer, plain + b'; charset="UTF-8"', b"Content-Encoding: identity"),
            (b"", bearer, plain + b";\tcharset=iso-8859-1"), (b"", bearer, b"Content-Type: ;text/plain"),
            (b"", bearer, b"Content-Encoding: gzip"), (b"", bearer, b"Content-Type: image/png"),
            (b"", bearer, b"Idempotency-Key: caf\xc3\xa9"), (b"", bearer, b'Idempotency-Key: "'),
            (b"", bearer, b"Idempotency-Key: " + b"k" * 256), (b"", b"Authorization: Bearer " + b"t" * 257),
            (b"", bearer, bearer), (b"", bearer, plain, form), (b"", b"Authorization: Basic YTpi"), (b"", plain),
            (place.upper(), bearer), (place + b"/", bearer), (b"/", bearer), (b"x", bearer)]:
        yield b"\n".join([path, *fields])


def machines():
    request = head([
        "GET /ws HTTP/1.1", "Host: a", "Upgrade: websocket", "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Protocol: whattodo.v1"])
    stream = b""
    for number, text in enumerate(text for text in texts() if b'"method"' in text):
        frame = masked(1, text)
        yield bytes([3, number % 256]) + frame
        if number % 4 == 0:
            yield bytes([0, 7]) + request + frame
        stream = (stream + masked(1, text.replace(b'"id":7', b'"id":%d' % number)))[-1500:]
        if number % 8 == 0 and stream.startswith(b"\x81"):
            yield bytes([3, number % 256]) + stream
            stream = b""
    yield bytes([3, 1]) + masked(9, b"hi") + masked(8, struct.pack(">H", 1000) + b"bye")


def loops():
    for case in cases("frames"):
        if case["receiver"] == "server":
            yield bytes([1, 3]) + unhex(case["input"])
    for _, stream in compressed("server"):
        yield bytes([3, 3]) + stream
    for seed in heads():
        yield b"\0\3" + seed[2:].replace(b" /ws ", b" /echo ")
    for method, path, rest in [("GET", "/healthz", ""), ("HEAD", "/healthz", ""), ("POST", "/take", "abc")]:
        request = head([f"{method} {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(rest)}"])
        yield b"\0\1" + (request + rest.encode()) * 3


def masked(opcode, payload):
    """A client's frame; the key is zero, so that the fuzzer can read and change the text."""
    if len(payload) < 126:
        length = bytes([128 | len(payload)])
    elif len(payload) < 65536:
        length = bytes([128 | 126]) + struct.pack(">H", len(payload))
    else:
        length = bytes([128 | 127]) + struct.pack(">Q", len(payload))
    return bytes([128 | opcode]) + length + bytes(4) + payload


def words(inputs, separators):
    found = set()
    for text in inputs:
        for separator in separators:
            text = text.replace(separator, b"\n")
        found.update(word for word in text.split(b"\n") if 2 <= len(word) <= 40 and word.isascii())
    return sorted(found)[:400]


def main():
    folder = pathlib.Path(sys.argv[1])
    targets = {"frames": frames, "head": heads, "answer": answers, "json": texts, "message": messages, "hook": hooks,
               "hook-head": hook_heads, "machine": machines, "loop": loops, "inflate": payloads}
    for name, make in targets.items():
        place = folder / name
        place.mkdir(parents=True, exist_ok=True)
        for seed in make():
            if len(seed) <= BYTES_MAX:
                (place / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    http = words(list(heads()) + list(answers()), [b"\r\n", b": ", b" ", b",", b"\0", b"\7"])
    wire = words(texts(), [b'"', b"{", b"}", b"[", b"]", b":", b","])
    dictionaries = {"head": http, "answer": http, "json": wire, "message": wire, "machine": wire + http,
                    "loop": http, "hook": words(list(hooks()), [b"=", b"&", b'"', b":", b",", b" "]),
                    "hook-head": words(list(hook_heads()), [b": ", b" ", b";", b"=", b'"', b"\t"])}
    for name, entries in dictionaries.items():
        lines = ('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in entries)
        (folder / f"{name}.dict").write_text("".join(lines))


main()
