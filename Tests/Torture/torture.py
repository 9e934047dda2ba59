"""The real server, real clients and a bad network: torture.py PROGRAMS SECONDS [SEED]

50 clients on the client library, with its queue on disk, work on shared lists through a proxy that cuts and stalls
connections; server and clients are killed and started again, the server is also drained. At the end the network is good, everybody comes to
the end, and the history checker judges what clients wrote down and what the database holds. The seed decides every
choice but not how threads and disks take turns: the same seed is the same kind of run, not the same run.
"""
import json
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "EndToEnd"))
import history  # noqa: E402
from harness import Failure, Server, expect, main, new_id, read_line, sign_in  # noqa: E402

CLIENTS = 50
USERS = 45  # so five people have two devices
LISTS = 8
SECONDS = float(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(2**32)
# Fast enough not to be what is tested.
RATES = ["--command-rate", "100000", "--line-rate", "100000", "--hello-rate", "6000"]
PATIENCE = 90.0


class Worker:
    """One client: a program of its own, started again after it was killed, always on the same journal."""

    def __init__(self, program, number, port, person, folder, chance):
        self.user, token = person
        self.name = f"client{number}"
        self.journal = folder / f"{self.user}.{self.name}.jsonl"
        self.command = [program, f"ws://127.0.0.1:{port}/ws", str(USERS)]
        self.rest = [str(self.journal), token]
        self.chance, self.log = chance, folder / f"{self.name}.log"
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.command, str(self.chance.randrange(2**63)), *self.rest],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log)
        return self

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def tell(self, order):
        self.process.stdin.write(f"{order}\n".encode())
        self.process.stdin.flush()

    def check(self):
        expect(self.process.poll() is None, f"{self.name} ended by itself: {self.log.read_text()}")


class Proxy:
    def __init__(self, port, seed):
        self.process = subprocess.Popen([sys.executable, str(HERE / "proxy.py"), str(port), str(seed)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(read_line(self.process.stdout))

    def tell(self, order):
        self.process.stdin.write(f"{order}\n".encode())
        self.process.stdin.flush()
        return json.loads(read_line(self.process.stdout))

    def end(self):
        self.process.kill()
        self.process.wait(PATIENCE)


def people(server):
    """[(user, token)], all in some lists; the first ones own them."""
    cast = []
    for number in range(USERS):
        client, user, token = sign_in(server.url, f"tom{number}", streams="none")
        cast.append((client, user, token))
    for number in range(LISTS):
        share(cast, number)
    for client, _, _ in cast:
        client.close()
    return [(user, token) for _, user, token in cast]


def share(cast, number):
    """A list with about half of the people in it."""
    owner, category = cast[number][0], new_id()
    owner.command("category.add", id=category, name=f"list {number}")
    for guest in range(USERS):
        if guest == number or (guest + number) % 2:
            continue
        invitation = new_id()
        owner.command("invitation.send", id=invitation, stream=f"c:{category}", username=f"tom{guest}", role="editor")
        cast[guest][0].command("invitation.accept", id=invitation)


class Torture:
    def __init__(self, programs, folder):
        self.folder, self.chance = folder, random.Random(SEED)
        self.server = Server(programs, folder / "data", *RATES).start()
        self.cast = people(self.server)
        self.proxy = Proxy(int(self.server.listen.split(":")[1]), SEED)
        program = str(pathlib.Path(programs) / "TortureClient")
        self.workers = [Worker(program, n, self.proxy.port, self.cast[n % USERS], folder, self.chance)
                        for n in range(CLIENTS)]
        self.done = dict.fromkeys(["kills of the server", "drains", "kills of clients"], 0)

    def run(self):
        for worker in self.workers:
            worker.start()
        end = time.monotonic() + SECONDS
        while (left := end - time.monotonic()) > 0:
            self.wait(min(left, self.chance.uniform(0.2, 4)))
            self.happen()
        return self.settle()

    def wait(self, seconds):
        """Until something is due; whoever ended by itself is noticed."""
        threading.Event().wait(seconds)
        for worker in self.workers:
            worker.check()

    def happen(self):
        match self.chance.choices(["server", "drain", "clients", "nothing"], [3, 1, 5, 2])[0]:
            case "server":
                self.server.kill()
                self.restart("kills of the server")
            case "drain":
                expect(self.server.stop() == 0, "the server did not drain")
                self.restart("drains")
            case "clients":
                victims = self.chance.sample(self.workers, self.chance.randrange(1, 8))
                for worker in victims:
                    worker.kill()
                threading.Event().wait(self.chance.uniform(0, 0.5))
                for worker in victims:
                    worker.start()
                self.done["kills of clients"] += len(victims)

    def restart(self, why):
        threading.Event().wait(self.chance.uniform(0, 1.5))
        self.server.start()
        self.done[why] += 1

    # The end

    def settle(self):
        """Everybody gets every answer and every event; then the server stops."""
        counts = self.proxy.tell("calm")
        for worker in self.workers:
            worker.tell("quiet")
        for worker in self.workers:
            line = read_line(worker.process.stdout, PATIENCE)
            expect(line == "drained", f"{worker.name} said {line!r}: {worker.log.read_text()}")
        heads, access = self.look()
        for worker in self.workers:
            worker.tell("finish " + " ".join(f"{name}={heads[name]}" for name in sorted(access[worker.user])))
        for worker in self.workers:
            status = worker.process.wait(PATIENCE)
            expect(status == 0, f"{worker.name} ended with {status}: {worker.log.read_text()}")
        expect(self.server.stop() == 0, "the server did not stop well")
        return counts

    def look(self):
        """The heads and who may read what, of the running server's database."""
        streams, _, access = history.read_database(self.folder / "data/whattodo.db", events=False)
        return {name: stream.seq for name, stream in streams.items()}, access

    def judge(self, counts):
        self.server.verified()
        journals = [history.read_journal(worker.journal) for worker in self.workers]
        seen = history.History(*history.read_database(self.folder / "data/whattodo.db"), journals)
        found = history.judge(seen)
        expect(not found, "; ".join(f"{name} ({len(it)}): {' | '.join(it[:3])}" for name, it in found.items()))
        return history.premises(seen) | self.done | {f"connections {kind}": n for kind, n in counts.items()}

    def end(self):
        for process in [worker.process for worker in self.workers] + [self.server.process]:
            if process is not None and process.poll() is None:
                process.kill()
                process.wait(PATIENCE)
        self.proxy.end()


def torture(programs, folder):
    print(f"seed {SEED}", flush=True)
    it = Torture(programs, folder)
    try:
        counts = it.judge(it.run())
    except Failure:
        keep(folder)
        raise
    finally:
        it.end()
    asked = ["occurrences over", "moves to another list", "moves", "deadlines told", "steps finished", "undos", "posts in views"]
    for premise in [*asked, "kills of the server", "answered", "refused", "repeat", "reuse", "replaced", "removals",
                    "states compared", "kept", "settled in a later run", "connections cut", "connections stall"]:
        expect(SECONDS < 25 or counts[premise] > 0, f"nothing was tested: no {premise}")
    return ", ".join(f"{counts[name]} {name}" for name in sorted(counts))


def keep(folder):
    """What clients saw, for whoever looks for the reason."""
    kept = folder.with_name(folder.name + "-failed")
    folder.rename(kept)
    print(f"kept in {kept}")


main(torture)
