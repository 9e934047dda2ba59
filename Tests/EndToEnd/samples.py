"""The samples of the methods (Tests/Support/MethodSamples) as programs send them: for methods.py and permissions.py.

SampleLister writes them as lines of JSON. They are played here in households with ids of their own. The things
that only a server makes (a code, a session) take the place of those in a sample.
"""
import json
import pathlib
import re
import subprocess

from harness import Client, Server, expect, new_id

PASSWORD = "correct horse battery"
ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def listed(programs):
    """The usernames by the ids of the household, the samples, and the ids of things by their names."""
    done = subprocess.run([str(pathlib.Path(programs) / "SampleLister")], capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, f"SampleLister: {done.stderr}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    people = {line["person"]: line["username"] for line in lines if "person" in line}
    return people, [line for line in lines if "sample" in line], lines[0]["things"]


class Household:
    """Where one sample is sent: `people` are by their ids in the samples."""

    def __init__(self, server, people):
        self.server, self.people = server, people
        self.ids = {sample_id: person.user for sample_id, person in people.items()}
        self.codes = {}

    def play(self, doing):
        method, params = self.translated(doing)
        answer = self.people[doing["by"]].client.command(method, **params)
        if "code" in answer:
            self.codes[params["id"]] = answer["code"]

    def translated(self, doing):
        """The method and the parameters of somebody's doing, as they are sent in this household."""
        method = doing["message"]["method"]
        text = ID.sub(lambda found: self.ids.setdefault(found[0], new_id()), json.dumps(doing["message"]["params"]))
        params = json.loads(text)
        del params["key"]
        if method == "bot.add":
            # A username is given once on the whole server.
            params["username"] += f"-{new_id()[-8:]}"
        elif "username" in params:
            params["username"] = self.named(params["username"])
        if method == "invitation.redeem":
            params["code"] = self.codes[params["code"]]
        if method == "session.close":
            params["id"] = self.session_of(self.people[doing["by"]])
        if method == "account.delete":
            params["password"] = PASSWORD
        return method, params

    def named(self, username):
        return next(person.name for person in self.people.values() if person.name.split("-")[0] == username)

    def session_of(self, person):
        """Another session of the person."""
        client = Client(self.server.url)
        session = client.call("account.login", username=person.name, password=PASSWORD)["session"]
        client.close()
        return session


def every_sample(programs, folder, frames, person):
    """Plays the samples on a server of their own. The frames of the repeats are added to `frames`; how many samples."""
    own = folder / "samples.jsonl"
    # Each household comes from an address of its own.
    server = Server(programs, folder / "samples", "--record-frames", str(own), "--command-rate", "10000", "--hello-rate", "10000",
                    "--trusted-proxy", "127.0.0.0/8", "--registration", "open").start()
    try:
        count = play(server, programs, lambda name, address: person(server, name, address))
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    server.verified()
    with frames.open("a", encoding="utf-8") as file:
        file.writelines(of_repeats(own))
    return count


def play(server, programs, enter):
    """Each sample takes effect once, and its repeat gets the same answer. `enter(name, address)` signs a new person in."""
    usernames, samples, _ = listed(programs)
    for number, sample in enumerate(samples):
        # One address may register so many people in a minute, and each household has five.
        address = f"198.18.0.{number}"
        people = {sample_id: enter(f"{username}-{number}", address) for sample_id, username in usernames.items()}
        household = Household(server, people)
        for doing in sample["house"] + sample["before"]:
            household.play(doing)
        method, params = household.translated(sample["then"])
        answer = people[sample["then"]["by"]].change(method, **params)
        expect(answer["changed"], f"{sample['sample']} changed nothing: {answer}")
        for person in people.values():
            person.client.close()
    return len(samples)


def of_repeats(frames):
    """The lines of connections on which somebody said hello and repeated one command: the others say the same again."""
    lines = [(line, json.loads(line)) for line in frames.read_text(encoding="utf-8").splitlines(keepends=True)]
    asked = {}
    for _, frame in lines:
        if frame["dir"] == "in" and "message" in frame:
            asked.setdefault(frame["connection"], []).append(frame["message"].get("method"))
    repeats = {connection for connection, methods in asked.items() if methods[0] == "hello" and len(methods) == 2}
    expect(repeats, "no connection repeats a command")
    return [line for line, frame in lines if frame["connection"] in repeats]
