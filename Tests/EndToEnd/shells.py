"""Completion in bash, fish and zsh: shells.py PROGRAMS

Each shell runs in a pane of tmux without anybody's settings, reads the script as the help says, and completes a word that
was begun when Tab is pressed.
"""
import os
import shlex

from harness import main
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


def shells(programs, folder):
    path = f"{programs.resolve()}:{os.environ['PATH']}"
    tmux = Tmux(folder)
    try:
        for name, (command, reads) in SHELLS.items():
            shell = Shell(tmux, programs, folder, "", name)
            shell.open(command, path, folder)
            # What the line prints is split in the line, so its echo is not taken for it.
            shell.type(f"{reads}; echo re''ad")
            shell.press("Enter")
            shell.sees("\nread")
            for begun, whole in LINES.items():
                shell.completes(begun, whole)
            shell.close()
            done(f"{name} completes commands, words of do, and options")
    finally:
        tmux.stop()
    return "completion in shells: every word was seen"


main(shells)
