"""Reports over HTTP: hooks.py PROGRAMS

Programs without a client report by the token of a bot: posts, things of other programs, and runs of jobs. The examples of
protocol/hooks.md are run as they stand there. Wrong tokens, bodies and addresses each get their one answer, and so does a token
whose days are over; a report takes effect once, however often it is sent, also over a kill -9; and who floods is slowed down
while others are served.
"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import statistics
import subprocess
import time

import jinja2
import yaml

from clock import Clock
from harness import Client, Server, closed, expect, main, new_id, say_hello, sign_in
from tokens import error

PAGE = pathlib.Path(__file__).resolve().parents[2] / "protocol/hooks.md"
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


class World:
    """A server with an owner, a bot in two lists, and a list that the bot is not in."""

    def __init__(self, server):
        self.server = server
        self.owner, self.owner_user, self.session = sign_in(server.url, "owner")
        self.bot = new_id()
        self.owner.command("bot.add", id=self.bot, username="nightly")
        self.builds, self.work, self.secret = (self.list(name) for name in ("builds", "work", "secret"))
        for place in (self.builds, self.work):
            self.owner.command("invitation.send", id=new_id(), stream=f"c:{place}", username="nightly", role="editor")
        self.token = self.make_token(lists=[self.builds])

    def list(self, name):
        place = new_id()
        self.owner.command("category.add", id=place, name=name)
        return place

    def make_token(self, **limits):
        self.token_id = new_id()
        return self.owner.command("token.add", bot=self.bot, id=self.token_id, name="a program", **limits)["token"]

    @property
    def place(self):
        return self.server.url.split("/")[2]

    def post(self, body, form=FORM, path="/hooks", token=None, method="POST", connection=None, **fields):
        """The status, header fields and body of the answer."""
        line = connection or http.client.HTTPConnection(self.place, timeout=20)
        headers = {"Authorization": f"Bearer {token or self.token}", **({"Content-Type": form} if form else {}),
                   **{name.replace("_", "-"): value for name, value in fields.items()}}
        headers = {name: value for name, value in headers.items() if value is not None}
        line.request(method, path, body if isinstance(body, bytes) else body.encode(), headers)
        answer = line.getresponse()
        content = answer.read().decode()
        if not connection:
            line.close()
        return answer.status, answer.headers, content

    def taken(self, body, **how):
        status, headers, content = self.post(body, **how)
        expect(status == 200 and headers["Content-Type"] == JSON, f"{body} answered {status} {content}")
        expect(headers["Cache-Control"] == "no-store", "an answer that nobody keeps")
        return json.loads(content)

    def refused(self, body, status, kind, says="", **how):
        told, headers, content = self.post(body, **how)
        expect(told == status, f"{body} {how} answered {told} {content}, not {status}")
        error = json.loads(content)["error"]
        expect(error["data"]["kind"] == kind and says in error["message"], f"{body}: {error}")
        return headers, error

    def sign_in_again(self):
        self.owner = Client(self.server.url)
        say_hello(self.owner, self.session)

    def mine(self):
        return self.owner.call("bot.list")["bots"][0]["tokens"][0]

    def named(self, title):
        return next(post for post in self.posts().values() if post["title"] == title)

    def posts(self, place=None, show="open"):
        return {post["number"]: post for post in self.owner.call("post.list", category=place or self.builds, show=show)["posts"]}


def texts(world):
    first = world.taken("build green")
    expect(first == {"list": world.builds, "post": first["post"], "number": 1, "changed": True}, f"the answer: {first}")
    whole = world.taken("\n Build red \r\n\nline one\n  line two\n\n", form="text/plain; charset=UTF-8")
    posts = world.posts()
    expect(posts[1]["title"] == "build green" and posts[1]["addedBy"] == world.bot, f"a post of the bot: {posts[1]}")
    expect((posts[whole["number"]]["title"], posts[whole["number"]]["notes"]) == ("Build red", "line one\n  line two"), f"{posts}")
    plain = world.taken("no type at all", form=None)
    form = world.taken("title=a+b%26c&notes=x&priority=high&due=2027-01-04T09:30&zone=Europe/Lisbon")
    posts = world.posts()
    expect(posts[plain["number"]]["title"] == "no type at all", "a text without a type")
    expect(posts[form["number"]]["due"] == {"at": "2027-01-04T09:30", "zone": "Europe/Lisbon"}, f"{posts[form['number']]}")
    expect(world.mine()["usedAt"] > 0, "the owner sees that the token is used")


def once(world):
    """The same report again has the same answer and no second effect, in both spellings of the key and after a kill."""
    first = world.taken("deployed", Idempotency_Key="deploy-42")
    count = len(world.posts())
    expect(world.taken("deployed", Idempotency_Key='"deploy-42"') == first, "the same answer again")
    world.server.kill()
    world.server.start()
    expect(world.taken("deployed", Idempotency_Key="deploy-42") == first, "the same answer after a kill")
    world.sign_in_again()
    expect(len(world.posts()) == count, "one post")
    world.refused("deployed again", 409, "key_reused", Idempotency_Key="deploy-42")
    for key in ("", "x" * 256, "ü"):
        status, _, content = world.post("x", Idempotency_Key=key.encode())
        expect(status == 400 and "Idempotency-Key" in content, f"a key of {len(key)}: {status} {content}")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: world.taken("job=race&state=ok", Idempotency_Key="race"), range(8)))
    expect(all(answer == answers[0] for answer in answers), f"eight at once: {answers}")
    repeated_after_others(world)


def repeated_after_others(world):
    """A repeat changes nothing, whatever other runs did since: also of a report that told a known run's end alone."""
    world.taken("job=g&run=1&state=started")
    world.taken("job=g&run=1&state=failed")
    first = world.taken("job=g&run=1&state=failed", Idempotency_Key="k")
    expect(first["changed"] is False, f"said before: {first}")
    world.taken("job=g&run=2&state=ok")
    world.taken("job=g&run=3&state=started")
    before = world.posts()[first["number"]]
    expect(world.taken("job=g&run=1&state=failed", Idempotency_Key="k") == first, "the same answer with the key")
    expect(world.posts()[first["number"]] == before, f"run 3 goes on: {world.posts()[first['number']]}")
    world.refused("title=other", 409, "key_reused", Idempotency_Key="k")
    both = [world.taken("x", token=world.make_token(), path=f"/hooks/{place}", Idempotency_Key="both") for place in (world.builds, world.work)]
    expect(both[0]["post"] != both[1]["post"], "a key belongs to a list")


def jobs(world):
    """One job is one post; its runs begin, go on and end, and are told once."""
    started = world.taken("job=nightly&state=started&run=1&phase=compile&lease=60")
    number = started["number"]
    run = world.posts()[number]["run"]
    expect(run["phase"] == "compile" and run["leaseMs"] == 60_000, f"{run}")
    world.taken("job=nightly&run=1&phase=link")
    expect(world.posts()[number]["run"]["phase"] == "link", "the phase")
    expect(world.taken("job=nightly&run=1&state=failed&text=exit+3")["number"] == number, "the same post")
    post = world.posts()[number]
    expect("run" not in post and post["lastRun"]["outcome"] == "failed" and post["lastRun"]["text"] == "exit 3", f"{post}")
    expect(world.taken("job=nightly&run=1&state=failed&text=exit+3")["changed"] is False, "said again")
    world.refused("job=nightly&run=1&state=ok", 409, "conflict", "has ended")
    world.refused("job=nightly&run=1&phase=late", 409, "conflict", "has ended")
    world.taken('{"job":"nightly","state":"ok"}', form=JSON)
    expect(world.posts()[number]["lastRun"]["outcome"] == "ok", "a run in one report")
    told = next(line for line in world.owner.call("notification.list", limit=50)["lists"] if line["stream"] == f"c:{world.builds}")
    kinds = [line["kind"] for line in told["notifications"] if line.get("post") == post["id"]]
    expect(kinds.count("run_failed") == 1 and kinds.count("run_recovered") == 1, f"told once: {kinds}")
    world.owner.command("post.complete", category=world.builds, id=post["id"])
    world.taken("job=nightly&state=ok")
    expect(number in world.posts(), "a job that reports is open again")
    world.owner.command("post.remove", category=world.builds, id=post["id"])
    world.refused("job=nightly&state=ok", 410, "gone", "removed")


def things(world):
    """A thing of another program is one post, and is done when it is done there."""
    def tell(**fields):
        return world.taken(json.dumps({"source": "alerts", "id": 7, "title": "disk full", **fields}), form=JSON)

    first = tell(url="https://example.org/7", priority="high")
    expect(first["imported"] == "added", f"{first}")
    expect(tell(title="disk nearly full")["post"] == first["post"], "the same post")
    expect(world.posts()[first["number"]]["title"] == "disk nearly full", "its title")
    tell(done=True)
    expect(first["number"] not in world.posts(), "done")
    tell(done=False)
    expect(first["number"] in world.posts(), "not done")
    found(world)
    erased(world)


def found(world):
    """The post is found by its source, whoever brought it, and wherever it came from."""
    brought = new_id()
    world.owner.command("import.upsert", category=world.builds, id=brought, source={"name": "hook", "id": "77"}, title="brought")
    told = world.taken("id=77&title=told&done=true")
    expect(told["post"] == brought, f"the post of the source: {told}")
    job = world.taken("job=mv&state=ok&title=Moving&notes=by+hand")
    world.owner.command("post.move_to", category=world.builds, id=job["post"], to=world.work)
    world.refused("job=mv&state=ok", 410, "gone")  # the token is not for the list where it is now (§5.12)
    whole = world.make_token()
    world.refused("job=mv&state=ok", 410, "moved", token=whole, path=f"/hooks/{world.builds}")
    there = world.taken("job=mv&state=failed", token=whole, path=f"/hooks/{world.work}")
    post = world.posts(world.work)[there["number"]]
    expect(there["post"] == job["post"] and post["lastRun"]["outcome"] == "failed", f"{there} {post}")
    expect((post["title"], post["notes"]) == ("Moving", "by hand"), f"a report leaves them alone: {post}")


def erased(world):
    """Where the text was erased the list does not know the thing any more, and it is added anew."""
    first = world.taken("id=9&title=a+secret")
    world.owner.command("post.remove", category=world.builds, id=first["post"])
    world.owner.command("post.erase", category=world.builds, id=first["post"])
    again = world.taken("id=9&title=no+secret")
    expect(again["imported"] == "added" and again["post"] != first["post"], f"{first} {again}")
    expect(world.taken("id=9&title=no+secret")["post"] == again["post"], "and is the same from then on")
    world.owner.command("post.edit", category=world.builds, id=again["post"], due={"date": "2027-01-04"}, recurrence={"rule": "FREQ=DAILY"})
    _, error = world.refused("id=9&title=no+secret&done=true", 400, "invalid")
    expect(error["data"]["field"] == "done", f"a post that comes again: {error}")


def places(world):
    """A token for one list goes there; any other one has to say where."""
    whole = world.make_token()
    world.refused("x", 400, "invalid", "/hooks/LIST", token=whole)
    expect(world.taken("x", token=whole, path=f"/hooks/{world.work}")["list"] == world.work, "the list of the address")
    expect(world.taken(f"title=x&list={world.work}", token=whole)["list"] == world.work, "the list of the field")
    world.refused(f"title=x&list={world.work}", 400, "invalid", "that of the address", token=whole, path=f"/hooks/{world.builds}")
    world.refused("x", 403, "forbidden", "for other lists", path=f"/hooks/{world.work}")
    for other in (world.secret, new_id()):
        world.refused("x", 404, "not_found", token=whole, path=f"/hooks/{other}")
    for path in ("/hooks/", "/hooks/builds", f"/hooks/{world.builds}/", "/hooksx"):
        status, _, content = world.post("x", path=path)
        expect(status == 404, f"{path} answered {status} {content}")
    for method in ("GET", "PUT", "DELETE", "OPTIONS"):
        status, headers, _ = world.post("", method=method)
        expect(status == 405 and headers["Allow"] == "POST", f"{method} answered {status}")


def tokens(world):
    """Whatever is no good token has one and the same answer, and nothing is said of the body before."""
    revoked = world.make_token()
    world.owner.command("token.revoke", bot=world.bot, id=world.token_id)
    answers = set()
    for authorization in (None, "", "Bearer", "Bearer ", "Basic eDp5", "Bearer x", f"Bearer {revoked}", f"Bearer {world.session}",
                          f"Bearer {world.token}x", "Bearer " + "x" * 4000, f"Bearer {world.token} {world.token}"):
        for body in ("title=x", "title="):
            status, headers, content = world.post(body, Authorization=authorization)
            expect(headers["WWW-Authenticate"] == "Bearer", f"{authorization}: {status} {headers}")
            answers.add((status, content))
    expect(len(answers) == 1 and min(answers)[0] == 401, f"{answers}")
    same_time(world, [f"Bearer {revoked}", f"Bearer {world.session}", "Bearer " + "x" * len(world.token)])
    only = world.make_token(lists=[world.builds], methods=["post.add"])
    world.taken("x", token=only)
    world.refused("job=a&state=ok", 403, "forbidden", "does not allow", token=only)
    world.owner.command("member.set_role", stream=f"c:{world.builds}", user=world.bot, role="viewer")
    world.refused("x", 403, "forbidden")
    world.owner.command("member.set_role", stream=f"c:{world.builds}", user=world.bot, role="editor")
    expect(world.post("x", Authorization=f"bEARER  {world.token}")[0] == 200, "the scheme in any case")


def same_time(world, authorizations):
    """No time tells which token there was once. They are tried in turn, so that the machine is as busy for each of them."""
    took = {it: [] for it in authorizations}
    for _ in range(200):
        for it in authorizations:
            begun = time.perf_counter()
            world.post("x", Authorization=it)
            took[it].append(time.perf_counter() - begun)
    middles = sorted(statistics.median(it) for it in took.values())
    expect(middles[-1] < 1.5 * middles[0], f"bad tokens take {middles} s")


def bodies(world):
    """Bodies that cannot be read, too large ones, and tricks with them."""
    for body, field in (("", "title"), ("title=", "title"), ("title=x&title=y", "title"), ("title=%zz", "title"), ("title=%ff", "title"),
                        ("tilte=x&title=y", "tilte"), ("job=a&state=lost", "state"), ("job=a&run=1&state=started&lease=-1", "lease"),
                        ("job=a&state=started", "run"), ("id=1&title=x&done=1", "done"), (f"title={'x' * 501}", "title"),
                        (f"title=x&notes={'x' * 16385}", "notes"), ("title=x&due=2027-02-30", "due"), ("title=a%07b", "title")):
        _, error = world.refused(body, 400, "too_large" if "x" * 501 in body else "invalid")
        expect(error["data"]["field"] == field, f"{body[:40]}: {error}")
    for body in ("", "{", "[]", '{"title":1e400}', '{"title":"x","title":"y"}', '{"title":{"x":1}}', "[" * 100_000):
        status, _, content = world.post(body, form=JSON)
        expect(status == 400, f"{body[:40]} answered {status} {content}")
    for form in ("multipart/form-data; boundary=x", "image/png", "text/html", "text/plain; charset=latin1", ""):
        status, _, content = world.post("x", form=form or " ")
        expect(status == 415 and "text/plain" in content, f"{form} answered {status} {content}")
    expect(world.post(b"\x1f\x8b", Content_Encoding="gzip")[0] == 415, "a compressed body")
    large = subprocess.run(["curl", "-si", "--data-binary", "@-", "-H", f"Authorization: Bearer {world.token}", f"http://{world.place}/hooks"],
                           input="x" * 10_000_000, capture_output=True, text=True, timeout=60).stdout
    expect(large.startswith("HTTP/1.1 413 ") and "too large" in large, f"ten megabytes answered {large}")
    largest = "title=x&notes=" + "%F0%9F%91%8D" * 16_384
    expect(len(largest) < 256 * 1024 and world.post(largest)[0] == 200, "the longest notes, in the longest spelling")
    with socket.create_connection(world.place.split(":"), 20) as line:
        line.sendall(f"POST /hooks HTTP/1.1\r\nHost: {world.place}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".encode())
        expect(line.recv(1024).startswith(b"HTTP/1.1 501 "), "chunks")


def connections(world):
    """A connection carries reports one after another, and one that ends early harms nobody."""
    line = http.client.HTTPConnection(world.place, timeout=20)
    numbers = [world.taken(f"one of many {index}", connection=line)["number"] for index in range(20)]
    expect(numbers == list(range(numbers[0], numbers[0] + 20)), f"in their order: {numbers}")
    line.close()
    head = (f"POST /hooks HTTP/1.1\r\nHost: {world.place}\r\nAuthorization: Bearer {world.token}\r\nContent-Length: 4\r\n"
            "Content-Type: text/plain\r\n\r\n")
    for sent in (head, head + "go", head + "gone"):
        with socket.create_connection(world.place.split(":"), 20) as left:
            left.sendall(sent.encode())
    expect(world.taken("still here")["changed"], "others are served")


def flood(world):
    """A bot that floods is slowed down at its rate. A person beside it is not."""
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        flood = [pool.submit(lambda number: world.post(f"flood {number}")[:2], number) for number in range(600)]
        begun, slowest = time.monotonic(), 0
        while not all(answer.done() for answer in flood):
            before = time.monotonic()
            world.owner.call("ping")
            slowest = max(slowest, time.monotonic() - before)
        answers = [answer.result() for answer in flood]
    expect(slowest < 1, f"a person beside a flood of {time.monotonic() - begun:.1f} s waited {slowest:.2f} s")
    slowed = [headers for status, headers in answers if status == 429]
    expect({status for status, _ in answers} == {200, 429} and slowed, f"{ {status for status, _ in answers} }")
    expect(all(int(headers["Retry-After"]) >= 1 for headers in slowed), "when to come again")


def strangers(world):
    """Nothing is read for who has no good token: the longest bodies keep nobody waiting."""
    bodies = [("a\u0301" * 80_000, "text/plain"), ("a=&" * 80_000, FORM), ("\n" * 250_000, "text/plain"), ("[" * 250_000, JSON)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(world.post, body, form=form, Authorization="Bearer x") for body, form in bodies * 10]
        slowest = 0
        while not all(call.done() for call in calls):
            before = time.monotonic()
            world.owner.call("ping")
            slowest = max(slowest, time.monotonic() - before)
    expect({call.result()[0] for call in calls} == {401}, "no good token")
    expect(slowest < 0.5, f"a person waited {slowest:.2f} s")


def stopped(world):
    """Whoever reports while the server stops is answered, and what was answered 200 is there afterwards."""
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        def report(number):
            try:
                return world.post(f"while it stops {number}", token=token, path=f"/hooks/{world.work}", Idempotency_Key=f"stop-{number}")[0]
            except OSError:
                return None
            except http.client.HTTPException:
                return None

        token = world.make_token()
        calls = [pool.submit(report, number) for number in range(150)]
        while sum(call.done() for call in calls) < 20:
            pass
        world.server.process.send_signal(signal.SIGTERM)
        answers = [call.result() for call in calls]
    expect(world.server.stop() == 0, "the end of the server")
    world.server.start()
    world.sign_in_again()
    titles = [post["title"] for post in world.posts(world.work).values()]
    for number, status in enumerate(answers):
        if status == 200:
            expect(titles.count(f"while it stops {number}") == 1, f"report {number} was answered")
    expect({200} <= set(answers) <= {200, 429, 503, None}, f"{set(answers)}")


def chat(world, lines):
    """The lines for the terminal make a token, and the command that it shows for that token works."""
    def run(*words, text=None):
        done = subprocess.run([pathlib.Path(world.server.program).with_name("whattodo"), *words, "--state", f"{world.server.data}-terminal"],
                              input=text, capture_output=True, text=True, timeout=60)
        expect(done.returncode == 0, f"{words}: {done}")
        return done.stdout

    run("register", "reader", "--password-stdin", "--server", world.server.url, text="correct horse battery\n")
    run("do", "new builds")
    expect(len(lines) == 3, f"three lines: {lines}")
    told = [run("do", line) for line in lines][-1].splitlines()
    curl = told[-1].replace("TOKEN", told[0]).strip()
    expect(curl.endswith(f"http://{world.place}/hooks"), f"the command for a program: {told}")
    answer = subprocess.run(["sh", "-c", curl], capture_output=True, text=True, timeout=60).stdout
    expect(json.loads(answer)["changed"] and "it works" in run("do", "show #builds"), f"{curl}: {answer}")


def page(world):
    """The examples of protocol/hooks.md, as they stand there."""
    text = PAGE.read_text()
    environment = {**os.environ, "TOKEN": world.token, "HOOKS": f"http://{world.place}/hooks"}
    chat(world, re.findall(r"^    /(.*)$", text, re.M))
    folder = pathlib.Path(world.server.data).parent

    def run(script, **more):
        done = subprocess.run(["sh", "-eu", "-c", script], env={**environment, **more}, cwd=folder, capture_output=True, text=True, timeout=60)
        expect(done.returncode == 0, f"{script}: {done}")
        return done.stdout + done.stderr

    scripts = re.findall(r"```sh\n(.*?)```", text, re.S)
    expect(len(scripts) == 3, "three examples for a shell")
    expect("changed" in run(scripts[0]) and "changed" in run(scripts[1]), "one line each")
    for number, (script, outcome, told) in enumerate((
            ("echo copying; echo 'disk is full & gone' >&2; exit 3", "failed", "disk is full & gone"),
            (r"printf '\033[31mbroken\033[0m\r\n'; exit 1", "failed", "broken"), ("exit 3", "failed", None), ("echo fine", "ok", None))):
        (folder / "backup.sh").write_text(script + "\n")
        run(scripts[2].replace("$(date +%s)", f"{number}"))
        backup = world.named("backup")
        expect((backup["lastRun"]["outcome"], backup["lastRun"].get("text")) == (outcome, told), f"{script}: {backup}")
    expect("nobody was told: ok" in run(scripts[2], HOOKS="http://127.0.0.1:9/hooks"), "a server that is not there harms no backup")
    github, home = (yaml.safe_load(part) for part in re.findall(r"```yaml\n(.*?)```", text, re.S))
    for number, (status, outcome) in enumerate((("failure", "failed"), ("cancelled", "cancelled"), ("success", "ok"))):
        run(github[0]["run"].replace("${{ job.status }}", status), GITHUB_WORKFLOW="CI & CD", GITHUB_JOB="lint", GITHUB_RUN_ID=f"9{number}",
            GITHUB_RUN_ATTEMPT="1", GITHUB_SERVER_URL="https://example.org", GITHUB_REPOSITORY="group/program")
        build = world.named("CI & CD / lint")
        expect(build["lastRun"]["outcome"] == outcome, f"{status}: {build}")
    expect(build["source"]["url"] == "https://example.org/group/program", f"{build}")
    command = home["rest_command"]["whattodo"]
    for done in (False, True):
        payload = jinja2.Template(command["payload"]).render(id="freezer", title='The "big" freezer is open', done=done)
        world.taken(payload, form=command["content_type"],
                    Authorization=jinja2.Template(command["headers"]["Authorization"]).render(token=world.token))
    expect(any(post["title"] == 'The "big" freezer is open' for post in world.posts(show="done").values()), "done")


def expired(programs, folder):
    """A token whose days are over is answered like one that nobody made, over HTTP and over a socket."""
    clock = Clock(folder)
    server = Server(programs, folder / "expired", environment=clock.environment).start()
    try:
        world = World(server)
        token = world.make_token(lists=[world.builds], days=1)
        program = Client(server.url)
        say_hello(program, token)
        clock.forward(hours=23)
        expect(world.taken("the last hour", token=token)["changed"], "a token of one day is good for 23 hours")
        program.call("ping")
        clock.forward(hours=2)
        expect(closed(program) == 4506, "the connection closes when the day is over")
        answers_alike(world, token)
        server.kill()
        server.start()
        answers_alike(world, token)
        world.sign_in_again()
        expect(len(world.posts()) == 1, f"nothing is written by it any more: {world.posts()}")
    finally:
        server.stop()


def answers_alike(world, token):
    """The whole answer of each is the same, but for the date."""
    told = []
    for text in (token, token[:-8] + "AAAAAAAA"):
        status, headers, content = world.post("title=too late", token=text)
        client = Client(world.server.url)
        refusal = error(lambda client=client, text=text: say_hello(client, text))
        client.close()
        told.append((status, sorted((name, value) for name, value in headers.items() if name != "Date"), content, refusal))
    expect(told[0] == told[1], f"a token that is over, and one that nobody made: {told}")
    expect(told[0][0] == 401 and told[0][3]["data"]["kind"] == "unauthenticated", f"who is not known: {told[0]}")


def check(programs, folder):
    expired(programs, folder)
    server = Server(programs, folder / "data").start()
    try:
        world = World(server)
        for step in (texts, once, jobs, things, places, tokens, bodies, strangers, connections, page, stopped, flood):
            step(world)
        data = pathlib.Path(server.data)
        for path in [path for path in data.rglob("*") if path.is_file()] + [pathlib.Path(f"{data}.log")]:
            expect(world.token.encode() not in path.read_bytes(), f"{path.name} has a token")
        expect(server.stop() == 0, "the end of the server")
        server.verified()
    finally:
        server.stop()
    return "hooks: texts, jobs, things, the page's examples; one effect each; wrong ones refused"


if __name__ == "__main__":
    main(check)
