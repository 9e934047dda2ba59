"""What the operator reads: metrics.py PROGRAMS

The page is read by the parser of Prometheus's own client library; a busy session moves the numbers as it should and
leaves none of its names, ids, addresses and tokens in the page. Health, readiness, HEAD and 404 beside it.
"""
import http.client
import os
import re
import signal
import socket
import subprocess
import time

from prometheus_client.parser import text_string_to_metric_families

from harness import DEADLINE, Client, Server, expect, main, new_id, refused, sign_in

NAMES = ["owner-of-lists", "member-of-lists", "groceries-and-more", "milk-with-oats"]

UPGRADE = ("GET /ws HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nOrigin: {}\r\n"
           "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: {}\r\n"
           "Sec-WebSocket-Protocol: whattodo.v1\r\n\r\n")


def a_day(programs, folder):
    addresses(programs, folder / "addresses")
    server = Server(programs, folder / "data", "--metrics-listen", "0", "--loops", "2",
                    "--connections", "8", "--connections-per-address", "6", "--origin", "https://example.org").start()
    try:
        operator = Operator(metrics_address(server))
        before = operator.read()
        expect(before["whattodo_ready", ()] == 1, "a server that has just started is not ready")
        secrets, people = busy(server)
        after = operator.until("whattodo_connections", 2)
        moved(before, after)
        nothing_leaks(operator.page, secrets + NAMES)
        http_beside(server, operator)
        refusals(server, operator)
        closed_again(operator, people)
        draining(server, operator)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    return f"{len(after)} samples of {len({name for name, _ in after})} names"


def metrics_address(server):
    """The port that the log tells."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        with open(f"{server.data}.log", encoding="utf-8") as log:
            if found := re.findall(r"metrics on (\S+):(\d+)", log.read()):
                return found[-1][0], int(found[-1][1])
        time.sleep(0.01)
    expect(False, "the log does not tell where the metrics are")


class Operator:
    """Reads pages and remembers the last one."""

    def __init__(self, address):
        self.address = address
        self.page = ""

    def get(self, path, method="GET", address=None):
        connection = http.client.HTTPConnection(*(address or self.address), timeout=DEADLINE)
        try:
            connection.request(method, path)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())
        finally:
            connection.close()

    def read(self):
        """All samples of /metrics by (name, labels); checks what every page has to be."""
        status, self.page, fields = self.get("/metrics")
        expect(status == 200, f"/metrics answers {status}")
        expect(fields["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8", f"type {fields}")
        samples = {}
        for family in text_string_to_metric_families(self.page):
            expect(family.documentation, f"{family.name} has no help")
            expect(family.type != "unknown", f"{family.name} has no type")
            for sample in family.samples:
                key = sample.name, tuple(sorted(sample.labels.items()))
                expect(key not in samples, f"{key} stands there twice")
                samples[key] = sample.value
            if family.type == "histogram":
                well_formed(family)
        return samples

    def until(self, name, value, **labels):
        """Waits until the samples of a name that have these labels are so much together; all samples then."""
        end = time.monotonic() + DEADLINE
        while (seen := total(samples := self.read(), name, labels)) != value:
            expect(time.monotonic() < end, f"{name}{labels} is {seen}, not {value}")
        return samples


def total(samples, name, labels=None):
    wanted = (labels or {}).items()
    return sum(value for (found, has), value in samples.items() if found == name and wanted <= dict(has).items())


def well_formed(family):
    """Buckets do not fall, end with +Inf, and that is the count."""
    last = {}
    for sample in family.samples:
        labels = tuple(sorted((k, v) for k, v in sample.labels.items() if k != "le"))
        if sample.name.endswith("_bucket"):
            expect(sample.value >= last.get(labels, (0, ""))[0], f"{family.name}: a bucket is smaller than the one before")
            last[labels] = sample.value, sample.labels["le"]
        elif sample.name.endswith("_count"):
            expect(last[labels] == (sample.value, "+Inf"), f"{family.name}: {last[labels]} is not the count")


def busy(server):
    """Two people, a shared list, refusals of several kinds; what must not be read by anybody, and the clients."""
    owner, owner_id, owner_token = sign_in(server.url, NAMES[0])
    member, member_id, member_token = sign_in(server.url, NAMES[1])
    category, key, invitation = new_id(), new_id(), new_id()
    owner.command("category.add", id=category, name=NAMES[2])
    for _ in range(2):
        owner.call("post.add", category=category, id=category, title=NAMES[3], key=key)
    owner.command("invitation.send", id=invitation, stream="c:" + category, username=NAMES[1], role="editor")
    member.command("invitation.accept", id=invitation)
    member.wait(lambda pushes: NAMES[3] in str(pushes), "the list")
    for number in range(3):
        owner.command("post.add", category=category, id=new_id(), title=f"post {number}")
    member.wait(lambda pushes: "post 2" in str(pushes), "the last post")
    member.call("post.list", category=category, show="done")
    refused(lambda: owner.call("no.such"), "unknown_method")
    refused(lambda: owner.call('evil"} 1\nevil{a="'), "unknown_method")
    refused(lambda: member.command("post.complete", category=category, id=new_id()), "not_found")
    refused(lambda: member.command("post.add", category=category, id="no id", title="x"), "invalid")
    stranger = Client(server.url)
    refused(lambda: stranger.call("account.login", username=NAMES[0], password="wrong horse battery"), "unauthenticated")
    stranger.close()
    return [owner_id, member_id, owner_token, member_token, category, key, invitation, "wrong horse"], [owner, member]


def moved(before, after):
    def grew(name, by, **labels):
        key = name, tuple(sorted(labels.items()))
        seen = after.get(key, 0) - before.get(key, 0)
        expect(seen == by, f"{name}{labels} grew by {seen}, not {by}")

    for method, outcome, count in [
            ("account.register", "ok", 2), ("account.login", "ok", 2), ("account.login", "unauthenticated", 1),
            ("hello", "ok", 2), ("category.add", "ok", 1), ("post.add", "ok", 5), ("post.add", "invalid", 1),
            ("post.complete", "not_found", 1), ("invitation.send", "ok", 1), ("invitation.accept", "ok", 1),
            ("post.list", "ok", 1), ("unknown", "unknown_method", 2)]:
        grew("whattodo_requests_total", count, method=method, outcome=outcome)
    grew("whattodo_repeats_total", 1)
    # Two accounts, a list, four posts, an invitation and its acceptance; each is durable before its answer.
    written = 2 + 1 + 4 + 1 + 1
    expect(after["whattodo_events_total", ()] >= written, "events")
    committed = after["whattodo_commits_total", (("outcome", "committed"),)]
    expect(committed == after["whattodo_commit_seconds_count", ()] >= written, f"{committed} commits")
    expect(after["whattodo_commit_works_sum", ()] >= written, "works of commits")
    expect(total(after, "whattodo_commit_seconds_sum") > 0, "commits take no time")
    expect(total(after, "whattodo_sessions") == 2, "two are signed in")
    expect(total(after, "whattodo_connections") == 2, "two are connected")
    # The third was refused to sign in and left again.
    grew("whattodo_connections_opened_total", 3)
    grew("whattodo_sign_in_refusals_total", 1, reason="credentials")
    expect(after["whattodo_sign_ins_total", ()] == 5, "five sign-ins")
    expect(total(after, "whattodo_hash_seconds_count") == 5, "five hashes")
    requests, messages = total(after, "whattodo_requests_total"), after["whattodo_messages_received_total", ()]
    expect(requests == messages, f"{requests} answers to {messages} messages")
    expect(after["whattodo_messages_sent_total", ()] > messages, "answers and pushes")
    expect(after["whattodo_received_bytes_total", ()] > before["whattodo_received_bytes_total", ()], "bytes")
    for loop in "01":
        expect(after["whattodo_loop_turn_seconds_count", (("loop", loop),)] > 0, f"loop {loop} took no turn")
    expect(after["whattodo_disk_free_bytes", ()] > 0, "no room on the disk")
    expect(total(after, "whattodo_disk_state") == 1, "one state of the disk")
    expect(total(after, "process_resident_memory_bytes") > 1 << 20, "no memory")
    expect(total(after, "process_max_fds") > 0, "no descriptors")
    started = after["process_start_time_seconds", ()]
    expect(abs(time.time() - started) < 600, f"started at {started}")
    for (name, labels), value in after.items():
        expect(value >= before.get((name, labels), 0) or not name.endswith(("_total", "_count", "_bucket", "_sum")),
               f"{name}{dict(labels)} fell to {value}")


def nothing_leaks(page, secrets):
    """No label has anything that a client chose or was given."""
    for secret in [*secrets, "127.0.0.1", "::1", "evil"]:
        expect(secret not in page, f"{secret!r} is in the page")
    expect(not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", page), "an id is in the page")
    values = {value for value in re.findall(r'="((?:[^"\\]|\\.)*)"', page)}
    strange = [value for value in values if not re.fullmatch(r"[a-z_]+(\.[a-z_]+)?( \d+)?|\+Inf|[0-9.e-]+", value)]
    expect(not strange, f"labels that are no words of ours: {strange}")


def http_beside(server, operator):
    host, port = server.listen.rsplit(":", 1)
    for address in [operator.address, (host, int(port))]:
        for path, body in [("/healthz", "ok\n"), ("/readyz", "ready\n")]:
            expect(operator.get(path, address=address)[:2] == (200, body), f"{path} at {address}")
            status, nothing, fields = operator.get(path, "HEAD", address)
            expect((status, nothing, fields["Content-Length"]) == (200, "", str(len(body))), f"HEAD {path}: {fields}")
        for path in ["/", "/metric", "/metrics/", "/healthz/x"]:
            expect(operator.get(path, address=address)[0] == 404, f"{path} at {address}")
        expect(operator.get("/readyz", "POST", address)[0] == 405, "POST /readyz")
    status, nothing, fields = operator.get("/metrics", "HEAD")
    expect((status, nothing) == (200, "") and int(fields["Content-Length"]) > 1000, f"HEAD /metrics: {status} {fields}")
    expect(operator.get("/metrics", address=(host, int(port)))[0] == 404, "clients can read the metrics")
    expect(operator.get("/ws")[0] == 404, "a client can connect where the metrics are")


def refusals(server, operator):
    host, port = server.listen.rsplit(":", 1)

    def ask(request):
        with socket.create_connection((host, int(port)), timeout=DEADLINE) as client:
            client.sendall(request.encode())
            return client.recv(4096).decode()

    cases = {"host": UPGRADE.format("other.example", "https://example.org", 13),
             "origin": UPGRADE.format("127.0.0.1", "https://evil.example", 13),
             "handshake": UPGRADE.format("127.0.0.1", "https://example.org", 12),
             "head_too_large": "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "x" * 100_000,
             "malformed": "GET  /\r\n\r\n", "path": "GET /no HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"}
    before = operator.read()
    for reason, request in cases.items():
        answer = ask(request)
        expect(answer.startswith("HTTP/1.1 4"), f"{reason}: {answer}")
        operator.until("whattodo_refused_total", total(before, "whattodo_refused_total", {"reason": reason}) + 1,
                       reason=reason)
    # Two people are connected; four more may come from here, and the next one is told to wait.
    others = [socket.create_connection((host, int(port)), timeout=DEADLINE) for _ in range(4)]
    answer = ask(UPGRADE.format("127.0.0.1", "https://example.org", 13))
    expect(answer.startswith("HTTP/1.1 503 ") and "Retry-After" in answer, f"one too many: {answer}")
    operator.until("whattodo_refused_total", 1, reason="address_full")
    for other in others:
        other.close()


def closed_again(operator, people):
    people[0].call("account.logout")
    people[1].close()
    operator.until("whattodo_sessions", 0)
    operator.until("whattodo_connections", 0)
    expect(operator.read()["whattodo_sessions_ended_total", (("reason", "logout"),)] == 1, "the sign-out")


def draining(server, operator):
    """Clients that do not say good-bye make the stop last, on every loop; who asks meanwhile is told."""
    host, port = server.listen.rsplit(":", 1)
    clients, end = [], time.monotonic() + DEADLINE
    try:
        while len(clients) < 6:
            expect(time.monotonic() < end, "no room, though everybody has left")
            client = socket.create_connection((host, int(port)), timeout=DEADLINE)
            client.sendall(UPGRADE.format("127.0.0.1", "https://example.org", 13).encode())
            if client.recv(4096).startswith(b"HTTP/1.1 101"):
                clients.append(client)
            else:
                client.close()
        expect(operator.get("/readyz")[:2] == (200, "ready\n"), "not ready before the stop")
        os.kill(server.process.pid, signal.SIGTERM)
        end = time.monotonic() + DEADLINE
        while (seen := operator.get("/readyz")[:2]) != (503, "draining\n"):
            expect(time.monotonic() < end, f"/readyz while it stops: {seen}")
        expect(operator.get("/healthz")[0] == 200, "a server that stops still lives")
        expect(operator.read()["whattodo_ready", ()] == 0, "ready while it stops")
    finally:
        for client in clients:
            client.close()


def addresses(programs, data):
    """Off unless given; a port alone is loopback; others have to be wanted out loud; a socket file."""
    server = Server(programs, data).start()
    expect(server.stop() == 0, "no clean stop")
    expect("metrics on" not in open(f"{data}.log", encoding="utf-8").read(), "metrics that nobody wanted")
    done = subprocess.run([server.program, "--listen", "127.0.0.1:0", "--data", str(data), "--metrics-listen", "0.0.0.0:0"],
                          capture_output=True, text=True, timeout=DEADLINE)
    expect(done.returncode == 1 and done.stdout == "" and "--insecure-plaintext" in done.stderr, f"metrics for all: {done}")
    path = f"{data}.sock"
    server = Server(programs, data, "--metrics-listen", f"unix:{path}", "--metrics-listen", "[::1]:0").start()
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(DEADLINE)
            client.connect(path)
            client.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            page = b""
            while part := client.recv(65536):
                page += part
            expect(page.startswith(b"HTTP/1.1 200") and b"whattodo_ready 1" in page, "metrics by a socket file")
    finally:
        expect(server.stop() == 0, "no clean stop")


if __name__ == "__main__":
    main(a_day)
