"""A certificate is renewed under a running server: renewal.py PROGRAMS

SIGHUP after the files were replaced: who is connected stays and misses nothing, who comes later is shown the new
certificate. Files that cannot be used change nothing, and the log says which and why. Without TLS a hang-up
is a stop.
"""
import pathlib
import signal
import socket
import ssl
import threading
import time

from certificates import Authority
from harness import DEADLINE, Client, Server, expect, main, new_id, sign_in

TITLES = "a post under way"


def renewals(programs, folder):
    authority = Authority(folder / "ca")
    live, first = authority.issue("live"), authority.issue("first")
    live.replace(first)
    server = Server(programs, folder / "data", *live.options, "--command-rate", "100000").start()
    try:
        owner, _, token = sign_in(server.url, "owner", trust=live.trust)
        with Traffic(server, owner, live) as traffic:
            expect(shown(server, live) == der(first), "another certificate than the one in the files")
            for name in ["second", "third"]:
                renewed = authority.issue(name)
                replace(server, live, renewed, "read again")
                expect(shown(server, live) == der(renewed), f"not the {name} certificate after SIGHUP")
                traffic.goes_on()
            kept = [refuses(server, live, renewed, traffic, *case) for case in broken(authority, renewed, folder)]
            live.replace(renewed)
            replace(server, live, authority.issue("fourth"), "good until")
        later = Client(server.url, live.trust)
        later.call("hello", token=token, client={"name": "later", "version": "1"})
        later.close()
        count = traffic.check(owner)
        owner.close()
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    hang_up_of_a_plain_server(programs, folder)
    return f"3 renewals and {len(kept)} broken ones; {count} posts on connections that stayed"


def broken(authority, good, folder):
    """What may lie there after a renewal that went wrong, and what the log says to it."""
    expired, other = authority.issue("expired", days=-1), authority.issue("other")
    empty, exposed, missing = folder / "empty", folder / "exposed", folder / "not there"
    empty.touch(mode=0o600)
    exposed.write_bytes(pathlib.Path(good.key).read_bytes())
    exposed.chmod(0o644)
    return [(expired.certificate, expired.key, "expired on"), (other.certificate, None, "does not belong"),
            (None, other.key, "does not belong"), (missing, None, "cannot be read"), (None, missing, "cannot be read"),
            (empty, None, "holds no certificate"), (None, empty, "holds no private key"),
            (None, exposed, "Everybody on this machine"), (None, folder, "holds no private key")]


def refuses(server, live, good, traffic, certificate, key, words):
    """The old one stays in use, the log says why, nobody notices."""
    live.replace(good)
    for mine, theirs in [(live.certificate, certificate), (live.key, key)]:
        if theirs:
            pathlib.Path(mine).unlink()
            pathlib.Path(mine).symlink_to(theirs)
    said = hang_up(server, "not changed")
    expect(words in said, f"{words!r} is not in {said!r}")
    expect(shown(server, live) == der(good), f"another certificate after {words!r}")
    traffic.goes_on()
    return words


def replace(server, live, other, words):
    live.replace(other)
    hang_up(server, words)


def hang_up(server, words):
    """SIGHUP; the line of the log that has these words."""
    log = pathlib.Path(f"{server.data}.log")
    before = len(log.read_text())
    server.process.send_signal(signal.SIGHUP)
    end = time.monotonic() + DEADLINE
    while True:
        lines = [line for line in log.read_text()[before:].splitlines() if "certificate:" in line]
        if lines:
            expect(words in lines[0], f"after SIGHUP: {lines}, not {words!r}")
            return lines[0]
        expect(time.monotonic() < end, f"the log says nothing of SIGHUP: {log.read_text()[before:]!r}")
        time.sleep(0.01)


def shown(server, live):
    """The certificate that a new connection is shown, believed by its authority."""
    host, port = server.url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), DEADLINE) as plain:
        with live.trust.wrap_socket(plain, server_hostname=host) as secure:
            return secure.getpeercert(binary_form=True)


def der(identity):
    return ssl.PEM_cert_to_DER_cert(pathlib.Path(identity.certificate).read_text())


class Traffic:
    """One connection adds posts all the time; the owner's, as old as it, is pushed every one."""

    def __init__(self, server, owner, live):
        self.owner, self.category, self.answered, self.stops, self.failure = owner, new_id(), 0, False, None
        owner.command("category.add", id=self.category, name="traffic")
        self.writer, _, _ = sign_in(server.url, "owner", register_first=False, trust=live.trust, streams="none")
        self.thread = threading.Thread(target=self.write)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stops = True
        self.thread.join(DEADLINE)

    def write(self):
        try:
            while not self.stops:
                self.writer.command("post.add", category=self.category, id=new_id(), title=TITLES)
                self.answered += 1
                time.sleep(0.002)
        except Exception as failure:
            self.failure = failure

    def goes_on(self):
        seen, end = self.answered, time.monotonic() + DEADLINE
        while self.answered <= seen:
            expect(not self.failure and time.monotonic() < end, f"a connection from before: {self.failure}")
            time.sleep(0.002)

    def check(self, owner):
        expect(not self.failure, f"a connection from before: {self.failure}")
        owner.wait(lambda pushes: str(pushes).count(TITLES) >= self.answered, f"{self.answered} posts, pushed")
        numbers = [op["f"]["number"] for push in owner.pushes if push["method"] == "sync.events"
                   for event in push["params"]["events"] for op in event["ops"] if op["t"] == "post.added"]
        expect(numbers == list(range(1, self.answered + 1)), f"posts out of order or missing: {numbers}")
        self.writer.close()
        return self.answered


def hang_up_of_a_plain_server(programs, folder):
    """A closed terminal stops it in good order; not when it was started with nohup."""
    server = Server(programs, folder / "plain").start()
    server.process.send_signal(signal.SIGHUP)
    status = server.process.wait(DEADLINE)
    expect(status == 0, f"exit status {status} after SIGHUP without TLS")
    server = Server(programs, folder / "nohup")
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    server.start()
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    server.process.send_signal(signal.SIGHUP)
    Client(server.url).call("ping")
    expect(server.stop() == 0, "a server started with nohup")


if __name__ == "__main__":
    main(renewals)
