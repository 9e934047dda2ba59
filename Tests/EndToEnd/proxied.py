"""A server behind a proxy on the same machine, on a socket file: proxied.py PROGRAMS

What X-Forwarded-For says is who the client is, for the limits of connections and of guesses, when it comes from a
trusted proxy; a client that writes the field itself gains nothing by it (PyPI websockets plays both).
"""
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect, unix_connect

from harness import DEADLINE, Client, Refused, Server, expect, main, register

PASSWORD = "correct horse battery"


class Proxied(Client):
    """A connection of a client at `address`, as a proxy makes it; by the socket file when there is one."""

    def __init__(self, server, address, path=None):
        options = {"subprotocols": ["whattodo.v1"], "open_timeout": DEADLINE,
                   "additional_headers": {"X-Forwarded-For": address}}
        self.socket = unix_connect(path, "ws://localhost/ws", **options) if path else connect(server.url, **options)
        self.next, self.pushes, self.answers = 0, [], {}


def refusal(call):
    """The status of an upgrade that has to be refused, with its Retry-After."""
    try:
        call()
    except InvalidStatus as refused:
        return refused.response.status_code, refused.response.headers.get("Retry-After")
    return None


def guess(client, username, password):
    try:
        client.call("account.login", username=username, password=password)
    except Refused as refused:
        return refused.kind
    return "in"


def connections(server, path):
    """Two of one address, whichever way; the third is refused, another address is not."""
    held = [Proxied(server, "192.0.2.1", path), Proxied(server, "192.0.2.1", path)]
    expect(refusal(lambda: Proxied(server, "192.0.2.1", path)) == (503, "5"), "a third connection of one address")
    expect(refusal(lambda: Proxied(server, "198.51.100.7, 192.0.2.1", path)) == (503, "5"), "by a name made up")
    held += [Proxied(server, "192.0.2.2", path), Proxied(server, "2001:db8::1", path), Proxied(server, "2001:db8::2", path)]
    expect(refusal(lambda: Proxied(server, "2001:db8::3", path)) == (503, "5"), "a third connection of one /64")
    for client in held:
        client.call("ping")
        client.close()


def guesses(server, path):
    """A guesser is slowed at the address that the proxy names; the owner at another one is not."""
    guesser, owner = Proxied(server, "192.0.2.66", path), Proxied(server, "192.0.2.7", path)
    register(owner, "owner", PASSWORD)
    kinds = [guess(guesser, "owner", f"wrong {number}") for number in range(20)]
    expect(kinds == ["unauthenticated"] * 8 + ["rate_limited"] * 12, f"guesses: {kinds}")
    expect(guess(owner, "owner", PASSWORD) == "in", "the owner was locked out by a guesser elsewhere")
    guesser.close()
    again = Proxied(server, "203.0.113.5, 192.0.2.66", path)
    expect(guess(again, "owner", PASSWORD) == "rate_limited", "a guesser came in by a name made up")
    again.close()
    owner.close()


def proxied(programs, folder):
    path = f"{folder}/socket"
    limits = ["--connections-per-address", "2", "--registration", "open"]
    server = Server(programs, folder / "behind", "--listen", f"unix:{path}", "--trusted-proxy", "unix",
                    "--trusted-proxy", "127.0.0.0/8", "--loops", "2", *limits).start()
    try:
        connections(server, path)
        connections(server, None)
        guesses(server, path)
    finally:
        expect(server.stop() == 0, "no clean stop")
    wary = Server(programs, folder / "wary", "--trusted-proxy", "10.0.0.0/8", *limits).start()
    try:
        held = [Proxied(wary, f"192.0.2.{number}") for number in range(2)]
        expect(refusal(lambda: Proxied(wary, "192.0.2.3")) == (503, "5"), "a field of somebody who is no proxy counted")
        for client in held:
            client.close()
    finally:
        expect(wary.stop() == 0, "no clean stop")
    return "proxied: limits follow the client that a trusted proxy names, by a socket file and by TCP"


if __name__ == "__main__":
    main(proxied)
