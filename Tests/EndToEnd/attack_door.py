"""Guessers at the door: attack_door.py PROGRAMS

280 wrong logins at once from 60 addresses, again and again. The owner comes in each time: from a device that signed in
before, from an address that signed in before, and from an address that nobody knows. All guessers together get few
guesses at the account. Somebody who is signed in notices nothing.
"""
import json
import select
import time

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from harness import Client, Server, expect, main, register
from witness import beside

WRONG, ADDRESSES, ROUNDS = 280, 60, 12
PASSWORD, DEVICE = "correct horse battery", "the secret of a known device"
# The server's rules (Sources/Server/Authentication/SignInLimits.swift).
GUESSES, GUESS_SECONDS = 64, 5
# Hashes of the tests cost some milliseconds; two processors carry everything.
KNOWN_SECONDS, UNKNOWN_SECONDS = 3, GUESS_SECONDS + 3


def knock(url, address):
    """A connection from that address of this machine."""
    client = Client.__new__(Client)
    client.socket = connect(url, subprotocols=["whattodo.v1"], open_timeout=20, max_size=2**20, source_address=(address, 0))
    client.next, client.pushes, client.answers = 0, [], {}
    return client


def slowly(count):
    """A hundred a second: the logins are the attack, and not the connections."""
    for number in range(count):
        select.select([], [], [], 0.01)
        yield number


class Guessers:
    """Connections from 60 addresses, each with some wrong passwords on its way."""

    def __init__(self, url, username):
        self.username = username
        self.url = url
        self.clients = [self.knock(number) for number in slowly(WRONG)]
        self.guessed, self.refused = 0, 0

    def knock(self, number):
        return knock(self.url, f"127.0.0.{2 + number % ADDRESSES}")

    def guess(self):
        for number in range(WRONG):
            try:
                self.guess_once(number)
            except ConnectionClosed:  # Nobody may stay for longer than ten seconds without hello.
                self.clients[number] = self.knock(number)
                self.guess_once(number)

    def guess_once(self, number):
        self.clients[number].send("account.login", username=self.username, password=f"wrong guess {number}")

    def gather(self):
        """What has been answered by now."""
        for client in self.clients:
            while True:
                try:
                    message = json.loads(client.socket.recv(timeout=0.001))
                except (TimeoutError, ConnectionClosed):
                    break
                kind = message["error"]["data"]["kind"]
                expect(kind in ("unauthenticated", "rate_limited"), f"a guess was answered {message}")
                self.guessed += kind == "unauthenticated"
                self.refused += kind == "rate_limited"

    def close(self):
        for client in self.clients:
            client.close()


def timed(url, address, seconds, **more):
    """The owner signs in from this address; how long it took."""
    client = knock(url, address)
    begun = time.monotonic()
    client.call("account.login", username="owner", password=PASSWORD, **more)
    took = time.monotonic() - begun
    client.close()
    expect(took <= seconds, f"the owner came in from {address} after {took:.1f} s")
    return took


def flood(server):
    url = server.url
    home = knock(url, "127.0.0.1")
    register(home, "owner", PASSWORD)
    home.call("account.login", username="owner", password=PASSWORD, device=DEVICE)
    guessers, longest, begun = Guessers(url, "owner"), {}, time.monotonic()
    for number in range(ROUNDS):
        guessers.guess()
        ways = {"device": (f"127.0.1.{1 + number}", KNOWN_SECONDS, {"device": DEVICE}),
                "address": ("127.0.0.1", KNOWN_SECONDS, {})}
        if number in (0, ROUNDS - 1):
            ways["stranger"] = (f"127.0.0.{100 + number}", UNKNOWN_SECONDS, {})
        for way, (address, seconds, more) in ways.items():
            longest[way] = max(longest.get(way, 0), timed(url, address, seconds, **more))
        guessers.gather()
    took = time.monotonic() - begun
    guessers.gather()
    most = GUESSES + took / GUESS_SECONDS + 1
    expect(0 < guessers.guessed <= most, f"{guessers.guessed} guesses in {took:.0f} s, at most {most:.0f}")
    expect(guessers.refused > 0, "no guess was refused")
    guessers.close()
    waits = ", ".join(f"{way} {seconds * 1000:.0f} ms" for way, seconds in longest.items())
    return f"{ROUNDS} of {ROUNDS} times the owner came in ({waits}); {guessers.guessed} guesses by {ADDRESSES} addresses in {took:.0f} s"


def others(server):
    """Guesses at many names at once: an owner that nobody guesses at comes in from an unknown address."""
    url = server.url
    clients = [knock(url, f"127.0.0.{2 + number % ADDRESSES}") for number in slowly(WRONG)]
    for number, client in enumerate(clients):
        client.send("account.login", username=f"nobody.{number}", password="wrong guess")
    took = timed(url, "127.0.0.200", UNKNOWN_SECONDS)
    for client in clients:
        client.close()
    return f"beside guesses at {WRONG} names {took * 1000:.0f} ms"


def attacks(programs, folder):
    folder.mkdir(exist_ok=True)
    server = Server(programs, folder / "data").start()
    try:
        (told, also), seen = beside(server, lambda: (flood(server), others(server)))
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    server.verified()
    return [f"door: {told}; {also}", f"door: {seen}"]


if __name__ == "__main__":
    main(lambda programs, folder: "\n".join(attacks(programs, folder)))
