"""What protocol/core.md and §1 of protocol/README.md show is true, on an empty server: quickstart.py PROGRAMS

Each Python program of core.md is run as it stands there but for the address, and prints what the next block says. The
lines of §1 are sent as they stand there; the server's answers and pushes are as the lines say, where … is anything.
All that passes is as protocol/schema says.
"""
import json
import pathlib
import re
import subprocess
import sys

from harness import DEADLINE, Client, Server, expect, main, validate

PROTOCOL = pathlib.Path(__file__).resolve().parents[2] / "protocol"
ADDRESS = "ws://127.0.0.1:8484/ws"
PROGRAM = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.S)
LINES_OF_CODE = 40


def quickstart(programs, folder):
    shown = PROGRAM.findall((PROTOCOL / "core.md").read_text())
    expect(shown, "core.md shows no program")
    for number, (code, printed) in enumerate(shown):
        file = folder / f"program-{number}.py"
        on_an_empty_server(programs, folder / f"core-{number}", lambda url: runs(code, printed, url, file))
    lines = transcript()
    on_an_empty_server(programs, folder / "transcript", lambda url: speaks(lines, url))
    return f"{len(shown)} program of core.md and {len(lines)} lines of the protocol's §1, as they say"


def on_an_empty_server(programs, data, check):
    frames = data.with_suffix(".frames")
    server = Server(programs, data, "--record-frames", str(frames)).start()
    try:
        check(server.url)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    validate(frames)


def runs(code, printed, url, file):
    lines = [line for line in code.splitlines() if line.strip()]
    expect(len(lines) <= LINES_OF_CODE, f"the program of core.md has {len(lines)} lines of code")
    expect(code.count(ADDRESS) == 1, f"the program of core.md does not connect to {ADDRESS} once")
    file.write_text(code.replace(ADDRESS, url))
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, timeout=DEADLINE)
    expect(done.returncode == 0, f"the program of core.md ends with {done.returncode}: {done.stderr}")
    expect(done.stdout == printed, f"the program of core.md prints\n{done.stdout}instead of\n{printed}")
    forgets(code.replace(ADDRESS, url))


def forgets(code):
    """Its copy forgets a snapshot that another one takes over, and a stream that is gone, by a push or by the answer of
    `hello`: a short run meets none of them."""
    program = {}
    exec(code.partition("\naccount = ")[0], program)
    page = {"stream": "c:1", "epoch": "e", "seq": 1, "tx": "t", "page": 1}
    program["take"]("sync.snapshot", {**page, "pages": 2, "objects": [{"t": "post", "id": "old"}]})
    program["take"]("sync.snapshot", {**page, "pages": 1, "objects": [{"t": "post", "id": "new"}]})
    expect(list(program["copies"]["c:1"]) == [("post", "new")], f"two first pages make {program['copies']}")
    program["take"]("sync.gone", {"stream": "c:1"})
    expect(program["copies"] == program["cursors"] == {}, "a stream that is gone is kept")
    program["take"]("sync.snapshot", {**page, "pages": 1, "objects": [{"t": "post", "id": "new"}]})
    program["take"]("sync.snapshot", {**page, "stream": "c:2", "pages": 1, "objects": [{"t": "post", "id": "new"}]})
    program["socket"].close()
    program["socket"] = Answering({"streams": [{"stream": "c:1", "mode": "gone"}, {"stream": "c:2", "mode": "snapshot"}]})
    program["call"]("hello", token="t")
    expect(list(program["copies"]) == list(program["cursors"]) == ["c:2"], "a stream that is gone at `hello` is kept")


class Answering:
    """A socket that has one answer."""

    def __init__(self, result):
        self.result = result

    def send(self, text):
        pass

    def recv(self):
        return json.dumps({"id": 1, "result": self.result})


def transcript():
    """The lines of §1, each with its arrow, those that go on joined."""
    chapter = (PROTOCOL / "README.md").read_text().partition("## 1 ")[2].partition("\n## ")[0]
    block = re.search(r"```\n(→.*?)```", chapter, re.S)
    expect(block, "§1 shows no lines")
    return re.sub(r"\n +", "", block[1]).splitlines()


def speaks(lines, url):
    client, token, wanted = Client(url), None, []
    for line in [*lines, "→"]:
        arrow, text = line[:1], line[1:].strip()
        if arrow == "←":
            wanted.append(text)
            continue
        token = answers(client, wanted) or token
        wanted = []
        if text:
            client.socket.send(re.sub(r'"token":"…"', f'"token":"{token}"', text))
    client.close()


def answers(client, wanted):
    """Receives until each wanted line has come, in any order; pushes of a `u:` are not shown. The token, if one came."""
    token, unseen = None, list(wanted)
    while unseen:
        text = client.socket.recv(timeout=DEADLINE)
        message = json.loads(text)
        if message.get("params", {}).get("stream", "").startswith("u:"):
            continue
        token = message.get("result", {}).get("token", token)
        fits = [line for line in unseen if re.fullmatch(re.escape(line).replace("…", ".*"), text)]
        expect(fits, f"the server sends\n{text}\ninstead of\n" + "\n".join(unseen))
        unseen.remove(fits[0])
    return token


main(quickstart)
