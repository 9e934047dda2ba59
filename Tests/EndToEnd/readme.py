"""What the README shows is true: readme.py PROGRAMS [--write]

Its Python bot runs and adds its post. Its transcript is what two terminals show below their greetings while a program tells
how it goes, times and seconds aside; with --write the README gets what they show.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys

from harness import DEADLINE, Server, expect, main, new_id, sign_in
from screens import PASSWORD, Person, Tmux

README = pathlib.Path(__file__).parent.parent.parent / "README.md"
BLOCK = re.compile(r"(<!-- made by Tests/EndToEnd/readme.py -->\n```text\n).*?(\n```)", re.S)


def readme(programs, folder):
    server, tmux = Server(programs, folder / "data").start(), Tmux(folder)
    nightly = Nightly(programs, folder, server.url)
    try:
        python_bot(server.url)
        people = [arrive(tmux, programs, folder, server.url, name) for name in ("owner", "editor")]
        seen = story(*people, nightly)
    finally:
        nightly.stop()
        tmux.stop()
        server.stop()
    return compare(seen)


def python_bot(url):
    """The bot in the README, run as it stands there but for the address."""
    code = re.search(r"```python\n(.*?)```", README.read_text(), re.S)[1]
    subprocess.run([sys.executable, "-c", code.replace("ws://127.0.0.1:8484/ws", url)], check=True, timeout=DEADLINE)
    bot, _, _ = sign_in(url, "a-bot", register_first=False)
    bot.wait(lambda pushes: "build 42" in str(pushes), "the bot's post")
    expect(bot.call("profile.get")["profile"]["kind"] == "bot", "the bot has registered as a person")
    bot.close()


def compare(seen):
    text = README.read_text()
    if "--write" in sys.argv:
        README.write_text(BLOCK.sub(lambda block: block[1] + seen + block[2], text))
        return "the README has it"
    kept = BLOCK.search(text)
    expect(kept and kept[0] == kept[1] + seen + kept[2], f"the README's transcript is not what is seen:\n{seen}")
    return "the README shows what is seen"


def arrive(tmux, programs, folder, url, name):
    person = Person(tmux, programs.resolve(), folder, url, name, NO_COLOR="1")
    subprocess.run([person.program, "register", name, "--password-stdin", "--state", person.state, "--server", url],
                   input=PASSWORD + "\n", text=True, check=True, capture_output=True, timeout=DEADLINE)
    person.open("--server", url)
    person.sees(f"live as @{name}")
    return person


class Nightly:
    """A build that tells how it goes, by a bot of the owner's. It gets no further than 64 % until somebody says so."""

    def __init__(self, programs, folder, url):
        self.programs, self.state, self.url, self.gate = programs, folder / "nightly", url, folder / "gate"
        self.process = None
        os.mkfifo(self.gate)

    def start(self):
        owner, _, _ = sign_in(self.url, "owner", PASSWORD, register_first=False)
        place = next(each["stream"] for each in owner.hello["streams"] if each["stream"].startswith("c:"))
        owner.command("bot.add", id=(bot := new_id()), username="nightly")
        owner.command("invitation.send", id=new_id(), stream=place, username="nightly", role="editor")
        token = owner.command("token.add", bot=bot, id=new_id(), name="ci", days=30)["token"]
        owner.close()
        subprocess.run([self.programs / "whattodo", "login", "nightly", "--token-stdin", "--server", self.url, "--state",
                        self.state], input=token + "\n", text=True, check=True, capture_output=True, timeout=DEADLINE)
        build = f"echo '[64/100] linking'; read -r _ <'{self.gate}'; exit 2"
        self.process = subprocess.Popen(
            [self.programs / "whattodo-bot", "run", "--state", self.state, "#release", "nightly", "--", "sh", "-c", build],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def stop(self):
        """Ends the build with its bot when the story did not come to its end."""
        if self.process and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(DEADLINE)

    def fail(self):
        self.gate.write_text("on\n")
        expect(self.process.wait(DEADLINE) == 2, "the exit status of the build is passed on")


def story(owner, editor, nightly):
    for line, answer in [("/new release", "#release"), ("write the notes", "+ write"), ("/invite editor", "→ invited @editor")]:
        owner.enter(line)
        owner.sees(answer)
    editor.sees("@owner invites you")
    editor.enter("/accept")
    editor.sees("#release is yours")
    owner.sees("@editor joined")
    editor.sees("#1  write")
    editor.enter("/done 1")
    owner.sees("@editor ✔ write")
    editor.sees("✔ write")
    nightly.start()
    owner.sees("@nightly + nightly")
    editor.sees("@nightly + nightly")
    owner.enter("/show")
    owner.sees("64 % linking")
    nightly.fail()
    for person in (owner, editor):
        person.sees("✘ failed after")
    editor.enter("'a link is missing, @owner")
    owner.sees("@editor: a link is missing")
    editor.sees("you: a link is missing")
    owner.type("who has ti")
    # Or the screen would be taken before it is seen.
    editor.until(lambda: "(@owner is typing)" in editor.row, "the owner typing")
    owner.until(lambda: owner.row.endswith("(@editor is here) ❯ who has ti"), "the half-typed line")
    return "\n\n".join(f"── @{person.name}'s terminal " + "─" * 40 + "\n" + tidy(person.screen()) for person in (owner, editor))


def tidy(screen):
    lines = [line.rstrip() for line in screen.splitlines() if line.strip()]
    greeting = next(index for index, line in enumerate(lines) if line.startswith("/help shows"))
    text = re.sub(r"\b\d\d:\d\d\b", "10:02", "\n".join(lines[greeting + 1:]))
    return re.sub(r"\b\d+ s\b", "3 s", text)


main(readme)
