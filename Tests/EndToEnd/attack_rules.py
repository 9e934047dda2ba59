"""Those who choose what a request costs: attack_rules.py PROGRAMS

Rules that name no day, rules that fall behind by centuries of times, undos of everything, questions about all that was,
another name that 500 lists must show: one person with 40 requests in hand, and four persons at once. Somebody ordinary
adds posts all along (witness.py) and must not notice. As a program: attack_rules.py URL USERNAME ATTACK; "go" on
standard input begins, "end" ends and prints how many answers of which kind came, as one line of JSON.
"""
import collections
import datetime
import itertools
import json
import select
import subprocess
import sys

from harness import Failure, Refused, Server, expect, main, new_id, read_line, sign_in
from witness import beside, work_when_idle

IN_HAND = 40
SECONDS = 10
LISTS = 490
# 2026-11-25 is a Wednesday in a year that has no leap day.
DAY = {"date": "2026-11-25"}
NEVER = [
    "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6", "FREQ=DAILY;INTERVAL=7;BYDAY=MO", "FREQ=MONTHLY;INTERVAL=12;BYMONTH=1",
    "FREQ=DAILY;INTERVAL=700;BYDAY=MO,TU,TH,FR,SA,SU", "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA;BYSETPOS=" + ",".join(map(str, range(315, 367))),
]
# A thousand times that are counted one by one, of which most lie behind.
BEHIND = "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;COUNT=1000;BYSETPOS=1,366,50,100,150,200,250,300,-1,-50,-100,-150,-200"


class Attacker:
    """A process of this file that signs in and prepares.

    It works when nobody else wants a processor: elsewhere it is another machine's. Otherwise the witness waits for it.
    """

    def __init__(self, url, username, attack):
        self.process = subprocess.Popen([sys.executable, __file__, url, username, attack], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, preexec_fn=work_when_idle)

    def wait(self):
        """Until it is signed in and prepared."""
        expect(read_line(self.process.stdout, 100) == "ready", "an attacker did not sign in")

    def say(self, word):
        self.process.stdin.write(f"{word}\n".encode())
        self.process.stdin.flush()

    def end(self):
        self.say("end")
        return collections.Counter(json.loads(read_line(self.process.stdout, 60)))

    def quit(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def rules(client, category, turn):
    """Refused: what it costs to know that is the question."""
    return "post.add", {"category": category, "id": new_id(), "title": "x", "due": DAY, "key": new_id(),
                        "recurrence": {"rule": NEVER[turn % len(NEVER)]}}


def times_behind(client, category, turn):
    """A batch of posts whose next times are looked for through decades, left out so that the posts stay."""
    if turn % 2 == 0:
        post = new_id()
        add = {"method": "post.add", "params": {"category": category, "id": post, "title": "x", "due": {"date": "1971-01-01"},
                                                "recurrence": {"rule": BEHIND}}}
        done = {"method": "post.complete", "params": {"category": category, "id": post, "occurrence": 1}}
        return "batch", {"commands": [add, done], "key": new_id()}
    return "post.add", {"category": category, "id": new_id(), "title": "x", "due": {"date": "1971-01-01"}, "key": new_id(),
                        "recurrence": {"rule": BEHIND, "from": "completion"}}


def undos(client, category, turn):
    """All that the log has is looked through, or taken back and done again."""
    head = client.head + 1
    events = list(range(max(1, head - 150), head))
    if turn % 4:
        return "undo.preview", {"stream": f"c:{category}", "events": events}
    return "undo", {"stream": f"c:{category}", "events": events, "key": new_id()}


def questions(client, category, turn):
    today = datetime.date.today()
    days = {"from": str(today - datetime.timedelta(days=61)), "to": str(today)}
    return [
        ("history.state", {"category": category, "seq": 1 + turn % client.head}),
        ("history.get", {"stream": f"c:{category}"}),
        ("search", {"text": "a post"}),
        ("stats.get", {"stream": f"c:{category}", **days}),
        ("agenda.get", days),
        ("post.query", {"where": {"state": "any"}}),
    ][turn % 6]


def names(client, category, turn):
    """Each list of the person has an event about it."""
    return "profile.edit", {"name": f"name {turn}", "key": new_id()}


ATTACKS = {"rules": rules, "times_behind": times_behind, "undos": undos, "questions": questions, "names": names}


def patient(client, method, **params):
    """Sends a command again, as late as the server says, until it is within the rates."""
    key = new_id()
    while True:
        try:
            return client.command(method, key=key, **params)
        except Refused as refusal:
            if refusal.kind != "rate_limited":
                raise
            select.select([], [], [], refusal.error["data"]["afterMs"] / 1000)


def prepare(client, category):
    """A list with a past; the number of its last event."""
    for _ in range(2):
        patient(client, "batch", commands=[
            {"method": "post.add", "params": {"category": category, "id": new_id(), "title": f"a post {n}", "due": DAY}}
            for n in range(100)])
    for _ in range(40):
        events = patient(client, "post.add", category=category, id=new_id(), title="a post")["events"]
    return events[0]["seq"]


def prepare_lists(client):
    """As many lists as one person may have; each registers with five."""
    for _ in range(5):
        patient(client, "batch", commands=[
            {"method": "category.add", "params": {"id": new_id(), "name": f"list {n}"}} for n in range(LISTS // 5)])


def run(url, username, attack):
    client, _, _ = sign_in(url, username, streams="none")
    client.command("category.add", id=(category := new_id()), name="attack")
    client.head = prepare(client, category)
    if attack == "names":
        prepare_lists(client)
    print("ready", flush=True)
    sys.stdin.readline()
    kinds, turn, in_hand = collections.Counter(), 0, 0
    while True:
        while in_hand < IN_HAND:
            method, params = ATTACKS[attack](client, category, turn)
            client.send(method, **params)
            turn, in_hand = turn + 1, in_hand + 1
        readable, _, _ = select.select([sys.stdin], [], [], 0)
        if readable:
            break
        try:
            client.receive(0.5)
        except TimeoutError:
            continue
        for answer in client.answers.values():
            in_hand -= 1
            kinds[answer.get("error", {}).get("data", {}).get("kind", "done")] += 1
        client.answers.clear()
        client.pushes.clear()
    print(json.dumps(kinds), flush=True)


def attack(server, name, attackers):
    persons = len(attackers)
    try:
        def go():
            for attacker in attackers:
                attacker.say("go")
            select.select([], [], [], SECONDS)
            return sum((attacker.end() for attacker in attackers), collections.Counter())

        kinds, sentence = beside(server, go, username=f"witness-{name.replace('_', '-')}-{persons}")
    except Failure as failure:
        raise Failure(f"{name} by {persons}: {failure}") from None
    expect(kinds.total() >= IN_HAND * persons and not kinds["internal"], f"{name}: {dict(kinds)}")
    expect(name != "rules" or kinds["invalid"], f"{name}: {dict(kinds)}")
    return f"{name} by {persons}: {sentence}; {dict(kinds)}"


def attacks(programs, folder):
    server = Server(programs, folder / "data").start()
    groups = []
    try:
        # All prepare at once, because each waits for its rate most of the time.
        for name, persons in itertools.product(ATTACKS, (1, 4)):
            groups.append((name, []))
            for n in range(persons):
                groups[-1][1].append(Attacker(server.url, f"{name.replace('_', '-')}-{persons}-{n}", name))
        for attacker in [attacker for _, attackers in groups for attacker in attackers]:
            attacker.wait()
        return [attack(server, name, attackers) for name, attackers in groups]
    finally:
        for attacker in [attacker for _, attackers in groups for attacker in attackers]:
            attacker.quit()
        server.stop()


if __name__ == "__main__":
    if len(sys.argv) == 4:
        run(*sys.argv[1:])
    else:
        main(lambda programs, folder: "\n".join(attacks(programs, folder)))
