"""kill -9 under load: crash.py PROGRAMS [ROUNDS]

16 writers add posts as fast as they are answered while the server is killed, again and again on the same
data. A post whose answer arrived is acknowledged; one in flight is settled by repeating it with its key.
Afterwards every acknowledged post is there exactly once, and `whattodo-server verify` agrees (P1–P3).
"""
import random
import sys
import threading

from harness import Client, Copy, Server, expect, main, new_id, say_hello, sign_in
from websockets.exceptions import ConnectionClosed, InvalidMessage

WRITERS = 16
ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20


class Writer:
    """Adds posts until the connection dies; knows which were acknowledged and which is in doubt."""

    def __init__(self, category, token):
        self.category, self.token = category, token
        self.acknowledged, self.doubt = {}, None
        self.wrong = None

    def run(self, url, busy, enough):
        try:
            self.write(url, busy, enough)
        except (ConnectionClosed, InvalidMessage, OSError, EOFError, TimeoutError):
            pass  # the server was killed: what is in doubt is settled in the next round
        except Exception as wrong:  # told to the main thread
            self.wrong = wrong
        finally:
            busy.set()

    def write(self, url, busy, enough):
        client = Client(url)
        say_hello(client, self.token, streams="none")
        self.answers = 0
        while True:
            params = self.doubt or {"category": self.category, "id": new_id(), "title": "load", "key": new_id()}
            self.doubt = params
            answer = client.call("post.add", **params)
            self.acknowledged[params["id"]] = answer["number"]
            self.doubt = None
            self.answers += 1
            if self.answers >= enough:
                busy.set()


def loop(programs, folder):
    seed = random.SystemRandom().randrange(2**32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    server = Server(programs, folder / "data", "--command-rate", "100000").start()
    writers = make_writers(server)
    for number in range(ROUNDS):
        one_round(server, writers, chance)
        server.start()
    settle(server, writers)
    count = check(server, writers)
    expect(server.stop() == 0, "no clean exit")
    server.verified()
    return f"{ROUNDS} kills, {count} acknowledged posts, each there once; verify agrees"


def make_writers(server):
    """Half of them share a list, the others have one each: a list takes 10 000 open posts."""
    owner, _, token = sign_in(server.url, "owner")
    categories = [new_id() for _ in range(1 + WRITERS // 2)]
    for category in categories:
        owner.command("category.add", id=category, name="load")
    owner.close()
    return [Writer(categories[max(0, n - WRITERS // 2 + 1)], token) for n in range(WRITERS)]


def one_round(server, writers, chance):
    """The kill comes when some of the writers have had a few or many answers."""
    busy = [threading.Event() for _ in writers]
    threads = [threading.Thread(target=writer.run, args=(server.url, event, chance.randrange(1, 60)))
               for writer, event in zip(writers, busy)]
    for thread in threads:
        thread.start()
    for event in chance.sample(busy, chance.randrange(1, WRITERS)):
        event.wait(20)
    server.kill()
    for thread in threads:
        thread.join(30)
        expect(not thread.is_alive(), "a writer hangs")
    for writer in writers:
        expect(writer.wrong is None, f"a writer was told {writer.wrong}")


def settle(server, writers):
    for writer in writers:
        if writer.doubt:
            client = Client(server.url)
            say_hello(client, writer.token, streams="none")
            answer = client.call("post.add", **writer.doubt)
            writer.acknowledged[writer.doubt["id"]] = answer["number"]
            client.close()


def check(server, writers):
    """The lists as a new client receives them hold every acknowledged post once, under its number."""
    client = Client(server.url)
    say_hello(client, writers[0].token, streams="none")
    count = 0
    for category in sorted({writer.category for writer in writers}):
        acknowledged = {k: v for w in writers if w.category == category for k, v in w.acknowledged.items()}
        check_list(client, category, acknowledged)
        count += len(acknowledged)
    client.close()
    return count


def check_list(client, category, acknowledged):
    stream = f"c:{category}"
    client.pushes.clear()
    client.call("sync.open", streams=[{"stream": stream}])
    client.wait(lambda pushes: any(p["method"] == "sync.live" for p in pushes), "the snapshot")
    Copy(stream).take(client.pushes)
    posts = [o for p in client.pushes if p["method"] == "sync.snapshot"
             for o in p["params"]["objects"] if o["t"] == "post"]
    numbers = {post["id"]: post["number"] for post in posts}
    expect(len(numbers) == len(posts), "a post is there twice")
    expect(sorted(numbers.values()) == list(range(1, len(posts) + 1)), "numbers are not 1, 2, 3 …")
    for post, number in acknowledged.items():
        expect(numbers.get(post) == number, f"acknowledged #{number} is {numbers.get(post)}")
    expect(len(numbers) == len(acknowledged), f"{len(numbers)} posts, {len(acknowledged)} acknowledged")


main(loop)
