"""Clients that others wrote, over TLS and with compression: wss.py PROGRAMS

Python's websockets, Node's ws and headless Chromium sign in over `wss`, agree on permessage-deflate, add a post, see
it pushed, and see what another client adds. None of them is told to skip a check of the certificate.
"""
import json
import os
import pathlib
import subprocess

import browser
from certificates import Authority
from harness import DEADLINE, Server, expect, main, new_id, sign_in

PASSWORD = "correct horse battery"
NO_TAKEOVER = ["server_no_context_takeover", "client_no_context_takeover"]
LONG = "what compresses well, " * 400


def clients(programs, folder):
    identity = Authority(folder / "ca").issue("localhost")
    with browser.PageServer(identity) as pages:
        server = Server(programs, folder / "data", *identity.options, "--origin", pages.origin).start()
        try:
            owner, category = python(server, identity)
            sizes = compresses(owner, category)
            visits(owner, category, lambda task: node(server, identity, task), "node")
            visits(owner, category, lambda task: browser.visit(pages, server.url, task, folder / "home"), "chromium")
            owner.close()
        finally:
            status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    server.verified()
    return f"python, node and chromium over wss with permessage-deflate; {sizes}"


def python(server, identity):
    """Signs in and makes a list; TLS 1.3 and compression without takeover are what is agreed on."""
    expect(server.url.startswith("wss://"), f"ready {server.url}")
    owner, _, _ = sign_in(server.url, "owner", PASSWORD, trust=identity.trust)
    version = owner.socket.socket.version()
    expect(version == "TLSv1.3", f"agreed on {version}")
    agreed = owner.socket.response.headers.get("Sec-WebSocket-Extensions", "")
    expect(all(word in agreed for word in ["permessage-deflate", *NO_TAKEOVER]), f"agreed on {agreed!r}")
    category = new_id()
    owner.command("category.add", id=category, name="groceries")
    return owner, category


def compresses(owner, category):
    """Long messages come compressed and short ones as they are; what carries a token never is."""
    frames = watch_frames(owner)
    # A long id makes the answer one that would be compressed if it had no token.
    number = "1" * 64
    params = {"username": "owner", "password": PASSWORD, "client": {"name": "end-to-end", "version": "1"}}
    owner.socket.send(json.dumps({"id": number, "method": "account.login", "params": params}))
    size, compressed = only(frames, owner.answer(number)["token"])
    expect(size > 256 and not compressed, f"a token in {size} bytes, compressed: {compressed}")
    owner.command("post.add", category=category, id=new_id(), title="long", notes=LONG)
    owner.wait(lambda pushes: LONG.strip() in json.dumps(pushes), "the push of a long post")
    size, compressed = only(frames, LONG.strip())
    expect(compressed and size < len(LONG) // 4, f"{len(LONG)} characters came as {size} bytes")
    return f"{len(LONG)} characters pushed in {size} bytes"


def watch_frames(client):
    """(text, payload bytes on the wire, compressed) of each data frame that comes from now on."""
    frames, extension = [], client.socket.protocol.extensions[0]
    decode = extension.decode

    def watching(frame, **limits):
        size, compressed = len(frame.data), frame.rsv1
        frame = decode(frame, **limits)
        frames.append((bytes(frame.data), size, compressed))
        return frame

    extension.decode = watching
    return frames


def only(frames, words):
    """Size and compression of the one frame with these words."""
    found = [(size, compressed) for text, size, compressed in frames if words.encode() in text]
    expect(len(found) == 1, f"{len(found)} frames with {words[:20]!r}")
    return found[0]


def visits(owner, category, visit, name):
    """Somebody comes with another client and adds a post; both see what the other one adds."""
    task = {"username": "owner", "password": PASSWORD, "category": category, "title": f"a post by {name}",
            "answer": f"an answer for {name}"}
    finish = visit(task)
    owner.wait(lambda pushes: task["title"] in json.dumps(pushes), f"{name}'s post, pushed")
    owner.command("post.add", category=category, id=new_id(), title=task["answer"])
    seen = finish()
    expect(seen["protocol"] == "whattodo.v1" and "permessage-deflate" in seen["extensions"], f"{name} agreed on {seen}")
    print(f"ok  {name}: {seen}", flush=True)


def node(server, identity, task):
    """Starts peer.js; what comes back waits for its end."""
    script = pathlib.Path(__file__).parent / "peer.js"
    visitor = subprocess.Popen(["node", str(script), server.url, identity.authority, json.dumps(task)], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               # Where Debian puts packages of Node.
                               env={**os.environ, "NODE_PATH": "/usr/share/nodejs"})

    def finish():
        output, errors = visitor.communicate(timeout=DEADLINE)
        expect(visitor.returncode == 0, f"node: {errors}")
        return json.loads(output)

    return finish


if __name__ == "__main__":
    main(clients)
