"""What the README shows is true: readme.py PROGRAMS [--write]

Its Python bot runs and adds its post. Its transcript is what two terminals show, clock times and the port aside;
with --write the README gets what they show.
"""
import pathlib
import re
import subprocess
import sys

from harness import DEADLINE, Server, expect, main, sign_in
from screens import PASSWORD, Person, Tmux

README = pathlib.Path(__file__).parent.parent.parent / "README.md"
BLOCK = re.compile(r"(<!-- made by Tests/EndToEnd/readme.py -->\n```text\n).*?(\n```)", re.S)


def readme(programs, folder):
    server, tmux = Server(programs, folder / "data").start(), Tmux(folder)
    try:
        python_bot(server.url)
        seen = story([arrive(tmux, programs, folder, server.url, name) for name in ("owner", "editor")])
    finally:
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


def story(people):
    owner, editor = people
    for line, answer in [("/new groceries", "#groceries"), ("milk", "+ milk"), ("bread", "+ bread"),
                         ("/invite editor", "→ invited @editor")]:
        owner.enter(line)
        owner.sees(answer)
    editor.sees("@owner invites you")
    editor.enter("/accept")
    editor.sees("#groceries is yours")
    owner.sees("@editor joined")
    editor.sees("#2  bread")
    editor.enter("/done 1")
    owner.sees("@editor ✔ milk")
    editor.sees("✔ milk")
    owner.type("oat dri")
    # Or the screen would be taken before it is seen, or after.
    editor.until(lambda: "(@owner is typing)" in editor.row, "the owner typing")
    editor.enter("rye flour")
    owner.sees("@editor + rye flour")
    # Both have stopped typing, and are there.
    owner.until(lambda: owner.row.endswith("(@editor is here) ❯ oat dri"), "the half-typed line")
    editor.until(lambda: editor.screen().count("rye flour") >= 1 and editor.row.rstrip().endswith("(@owner is here) ❯"), "the prompt")
    return "\n\n".join(f"── @{person.name}'s terminal " + "─" * 40 + "\n" + tidy(person.screen()) for person in people)


def tidy(screen):
    lines = [re.sub(r"\b\d\d:\d\d\b", "10:02", line.rstrip()) for line in screen.splitlines()]
    return "\n".join(re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:8484", line) for line in lines if line)


main(readme)
