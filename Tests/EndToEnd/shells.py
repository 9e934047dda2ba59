"""Completion in bash, fish and zsh: shells.py PROGRAMS

Each shell runs in a pane of tmux without anybody's settings, reads the script as the help says, and completes a word that
was begun when Tab is pressed. What a script gets to offer is text: none of it is evaluated, whatever it is.
"""
import os
import shlex

from harness import expect, main
from screens import Person, Tmux, done

# Each shell, how it is started, and how it reads the script.
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile"], "source <(whattodo completion bash)"),
    "fish": (["fish", "--no-config"], "whattodo completion fish | source"),
    "zsh": (["zsh", "-f"], "autoload -U compinit && compinit -u -D && source <(whattodo completion zsh)"),
}
# None of them stands in the line that reads the script, which fish would suggest by itself.
LINES = {"whattodo do dig": "whattodo do digest", "whattodo upg": "whattodo upgrade", "whattodo --gl": "whattodo --glance",
         "whattodo do 'dig": "whattodo do 'digest'"}
# What another program might offer. Each would make a file if it were evaluated, or would be torn apart.
TEXTS = ["e1 $(touch ~/m1)", "e2 `touch ~/m2`", "e3 \"a  b\" 'c", "e4 ;touch ~/m4 & #", "e5 $HOME * ~ {a,b} \\"]
# Answers in the place of `whattodo`: with the texts that begin like the last word, as `whattodo complete` does.
FAKE = """#!/bin/sh
case $1 in
completion) exec {program} "$@" ;;
complete)
  for word; do :; done
  while IFS= read -r text; do case $text in "$word"*) printf '%s\\n' "$text" ;; esac; done <{folder}/texts ;;
*) printf '%s\\n' "$@" >{folder}/new && mv {folder}/new {folder}/arguments ;;
esac
"""
# Bash puts the text into the line as it is, the others so that it stays one word.
QUOTES = ("fish", "zsh")


class Shell(Person):
    """A person at the prompt of a shell."""

    def open(self, command, path, home):
        words = ["env", f"PATH={path}", f"HOME={home}", f"XDG_CONFIG_HOME={home}", "PS1=ready> ", "PROMPT=ready> ", *command]
        self.tmux.run("new-session", "-d", "-s", self.name, "-x", "80", "-y", "24", shlex.join(words))

    def completes(self, begun, whole):
        self.type(begun)
        self.until(lambda: begun in self.row, f"{begun!r} at {self.name}'s prompt")
        self.press("Tab")
        self.until(lambda: whole in self.row, f"{whole!r} at {self.name}'s prompt: {self.row!r}")
        self.press("C-u")
        self.until(lambda: whole not in self.row, f"an empty line at {self.name}'s prompt")


def begins(tmux, programs, folder, name, path, what):
    """The shell has read its script."""
    command, reads = SHELLS[name]
    shell = Shell(tmux, programs, folder, "", f"{name}-{what}")
    shell.open(command, path, folder)
    # What the line prints is split in the line, so its echo is not taken for it.
    shell.type(f"{reads}; echo re''ad")
    shell.press("Enter")
    shell.sees("\nread")
    return shell


def evaluates_nothing(shell, folder, quotes):
    """Each text is offered alone, then all of them are. What the person has typed is passed on and not evaluated."""
    for text in TEXTS:
        offers(shell, f"whattodo do {text.split()[0]}", "" if quotes else text)
        if quotes:
            shell.press("Enter")
            takes(shell, folder, text)
        else:
            shell.press("C-u")
            shell.until(lambda: text not in shell.row, f"an empty line at {shell.name}'s prompt")
    offers(shell, 'whattodo "$(touch ~/m6)" e1', "touch")
    shell.press("C-u")
    shell.until(lambda: "touch" not in shell.row, f"an empty line at {shell.name}'s prompt")
    shell.type("whattodo do e")
    shell.press("Tab", "Tab")
    for text in TEXTS:
        shell.until(lambda: plain(text) in listed(shell), f"{text!r} is in {shell.name}'s list: {shell.screen()}")
    shell.close()
    made = sorted(path.name for path in folder.glob("m[0-9]*"))
    expect(made == [], f"{shell.name} evaluates what it is offered or what is typed, which makes {made}")


def listed(shell):
    """What stands below the line that is completed, as `plain` has it."""
    return plain("\n".join(line for line in shell.screen().splitlines() if "whattodo" not in line))


def plain(text):
    """Without the backslashes that zsh puts into its list."""
    return text.replace("\\", "").rstrip()


def offers(shell, begun, text):
    """The line ends with more than was typed, and has the text, when Tab is pressed."""
    shell.type(begun)
    shell.until(lambda: shell.row.endswith(begun), f"{begun!r} at {shell.name}'s prompt: {shell.row!r}")
    shell.press("Tab")
    shell.until(lambda: begun in shell.row and not shell.row.endswith(begun) and text in shell.row,
                f"{text!r} behind {begun!r} at {shell.name}'s prompt: {shell.row!r}")


def takes(shell, folder, text):
    """The program gets the text as one argument."""
    file = folder / "arguments"
    shell.until(file.exists, f"{shell.name} runs the line with {text!r}: {shell.screen()}")
    given = file.read_text()
    file.unlink()
    expect(given == f"do\n{text}\n", f"{shell.name} gives {given!r} for {text!r}")


def shells(programs, folder):
    path = f"{programs.resolve()}:{os.environ['PATH']}"
    fake = folder / "fake"
    fake.mkdir()
    (folder / "texts").write_text("".join(f"{text}\n" for text in TEXTS))
    (fake / "whattodo").write_text(FAKE.format(program=programs.resolve() / "whattodo", folder=folder))
    (fake / "whattodo").chmod(0o755)
    tmux = Tmux(folder)
    try:
        for name in SHELLS:
            shell = begins(tmux, programs, folder, name, path, "words")
            for begun, whole in LINES.items():
                shell.completes(begun, whole)
            shell.close()
            done(f"{name} completes commands, words of do, and options")
            evaluates_nothing(begins(tmux, programs, folder, name, f"{fake}:{path}", "texts"), folder, name in QUOTES)
            done(f"{name} offers texts of others as they are, and evaluates none")
    finally:
        tmux.stop()
    return "completion in shells: every word was seen"


main(shells)
