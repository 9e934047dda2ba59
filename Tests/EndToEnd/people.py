"""People and a bot over TLS: people.py PROGRAMS

The chat, the one-shot commands and the bot with `wss` and --ca-file; what they say of a server that is not to be
trusted, at once and in a sentence; and that no password leaves the machine unencrypted unless somebody wanted it.
"""
import contextlib
import os
import socket
import subprocess
import threading
import time

from certificates import Authority
from harness import DEADLINE, Server, expect, main
from screens import PASSWORD, Person, Tmux, done

USAGE, NO_CONNECTION = 2, 3


def people(programs, folder):
    programs = programs.resolve()
    authority, stranger = Authority(folder / "ca"), Authority(folder / "other")
    identity = authority.issue("localhost")
    server, tmux = Server(programs, folder / "data", *identity.options).start(), Tmux(folder)
    plain = Server(programs, folder / "plain").start()
    try:
        signed_in_with_a_file(programs, folder, server, identity)
        chats(programs, folder, tmux, server, authority, identity)
        distrusts(programs, folder, server, plain, authority, stranger)
        keeps_passwords(programs, folder, identity)
    finally:
        tmux.stop()
        statuses = [server.stop(), plain.stop()]
    expect(statuses == [0, 0], f"exit statuses {statuses}")
    return "people and a bot over wss"


def run(programs, *words, text="", status=0, program="whattodo", **environment):
    started = time.monotonic()
    result = subprocess.run([programs / program, *map(str, words)], input=text, capture_output=True, text=True,
                            timeout=DEADLINE, env={**os.environ, "HOME": "/nonexistent", **environment})
    said = result.stdout + result.stderr
    expect(result.returncode == status, f"status {status} of {words}, not {result.returncode}: {said}")
    return said, time.monotonic() - started


def register(programs, state, url, *options, name="owner", status=0, **environment):
    return run(programs, "register", name, "--password-stdin", "--state", state, "--server", url, *options,
               text=PASSWORD + "\n", status=status, **environment)


def signed_in_with_a_file(programs, folder, server, identity):
    """--ca-file once, at the sign-in; by a name that is good from this folder only. Or the environment."""
    state = folder / "owner"
    relative = os.path.relpath(identity.authority)
    said, _ = register(programs, state, server.url, "--ca-file", relative)
    expect("registered and signed in as owner" in said, said)
    expect(f"authorities {identity.authority}\n" in (state / "session").read_text(), "the file is kept with the sign-in")
    run(programs, "do", "new groceries", "--state", state)
    said, _ = run(programs, "pipe", "--state", state, "#groceries", "nightly", text="one\ntwo\n", program="whattodo-bot")
    expect("nightly: the input ended" in said, said)
    register(programs, folder / "second", server.url, name="second", WHATTODO_CA_FILE=identity.authority)
    done("registered with --ca-file and with $WHATTODO_CA_FILE; commands and the bot need neither then")


def chats(programs, folder, tmux, server, authority, identity):
    """A chat comes back to a server that was started again with another certificate."""
    person = Person(tmux, programs, folder, server.url, "owner")
    person.open()
    person.sees("live as @owner")
    person.enter("/open groceries")
    person.enter("rye")
    person.sees("+ rye")
    server.stop()
    person.sees("offline")
    identity.replace(authority.issue("renewed"))
    server.start()
    person.sees("live as @owner", times=2)
    person.enter("milk")
    person.sees("+ milk")
    server.stop()
    identity.replace(Authority(folder / "another").issue("another"))
    server.start()
    person.sees("no authority")
    person.close()
    server.stop()
    identity.replace(authority.issue("good again"))
    server.start()
    done("a chat over wss comes back after a restart, and not to a server of another authority")


def distrusts(programs, folder, server, plain, authority, stranger):
    """Each is said within a moment, by a command and at a sign-in, and nothing secret was sent."""
    state, port = folder / "nobody", server.listen.split(":")[1]
    trusted = ["--ca-file", authority.certificate]
    wrong, expired = authority.issue("wrong", names="DNS:other.example"), authority.issue("old", days=-1)
    with tls_server(wrong) as wrong_url, tls_server(expired) as expired_url:
        for url, options, words in [
                (server.url, [], "no authority that is trusted"),
                (server.url, ["--ca-file", stranger.certificate], "no authority that is trusted"),
                (f"wss://localhost:{port}/ws", ["--ca-file", stranger.certificate], "no authority that is trusted"),
                (wrong_url, trusted, "another name"), (expired_url, trusted, "expired"),
                (plain.url.replace("ws:", "wss:"), trusted, "does not speak TLS"),
                (server.url.replace("wss:", "ws:"), [], "try wss://")]:
            said, seconds = register(programs, state, url, *options, name="nobody", status=NO_CONNECTION)
            expect(words in said and seconds < 6, f"{url} {options}: {said!r} after {seconds:.1f} s, not {words!r}")
    said, _ = run(programs, "do", "lists", "--state", folder / "owner", "--ca-file", stranger.certificate,
                  status=NO_CONNECTION)
    expect("no authority that is trusted" in said, said)
    for file, words in [("/no/such/file", "cannot be read"), (__file__, "holds no certificate authority")]:
        said, _ = register(programs, state, server.url, "--ca-file", file, status=USAGE)
        expect(words in said and file in said, f"--ca-file {file}: {said!r}")
    said, _ = run(programs, "pipe", "--ca-file", stranger.certificate, "--state", folder / "owner", "#groceries", "x",
                  program="whattodo-bot", status=NO_CONNECTION)
    expect("no authority that is trusted" in said, said)
    done("unknown authority, wrong name, expired, no TLS, TLS at ws://: a sentence at once")


@contextlib.contextmanager
def tls_server(identity):
    """Does handshakes, and would notice whoever talks after one."""
    listener, heard = socket.create_server(("127.0.0.1", 0)), []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with contextlib.suppress(OSError), identity.serving.wrap_socket(connection, server_side=True) as secure:
                    heard.append(secure.recv(4096))

    threading.Thread(target=serve, daemon=True).start()
    yield f"wss://127.0.0.1:{listener.getsockname()[1]}/ws"
    listener.close()
    expect(not any(heard), f"said to a server that is not to be trusted: {heard}")


def keeps_passwords(programs, folder, identity):
    """ws:// to another machine is refused before a name is looked up, unless it is said out loud."""
    state = folder / "abroad"
    for url in ["ws://todo.example/ws", "ws://192.0.2.1:8484/ws", "ws://127.0.0.1.example/ws", "ws://[2001:db8::1]/ws"]:
        said, _ = register(programs, state, url, status=USAGE)
        expect("--insecure-plaintext" in said, f"{url}: {said!r}")
    said, _ = register(programs, state, "ws://no-such-host.invalid/ws", "--insecure-plaintext", status=NO_CONNECTION)
    expect("is a server running" in said, said)
    done("no password goes unencrypted to another machine unless --insecure-plaintext is said")


if __name__ == "__main__":
    main(people)
