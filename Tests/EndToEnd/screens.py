"""People at terminals: a tmux server of our own, and `whattodo` in panes of 80 x 24.

Every step waits for what should be on a screen, with a deadline.
"""
import os
import signal
import subprocess
import time

from harness import DEADLINE, Failure, expect

PASSWORD = "correct horse battery"


def done(sentence):
    print(f"ok  {sentence}", flush=True)


class Tmux:
    """A tmux server of our own, with nobody's settings."""

    def __init__(self, folder):
        self.socket = str(folder / "tmux")
        self.environment = {**os.environ, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        self.environment.pop("TMUX", None)

    def run(self, *arguments):
        return subprocess.run(["tmux", "-u", "-S", self.socket, "-f", "/dev/null", *arguments], check=True,
                              capture_output=True, text=True, timeout=DEADLINE, env=self.environment).stdout

    def stop(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, env=self.environment)


class Person:
    """Somebody at a terminal."""

    def __init__(self, tmux, programs, folder, url, name, **environment):
        self.tmux, self.name, self.state = tmux, name, folder / name
        self.program, self.url = programs / "whattodo", url
        self.environment = [f"{key}={value}" for key, value in environment.items()]

    def open(self, *options):
        command = ["env", *self.environment, str(self.program), "--state", str(self.state), *options]
        # What is behind the program keeps its last screen and shows how it ended.
        words = " ".join(f"'{word}'" for word in command) + "; echo \"[ended $?]\"; read -r _"
        self.tmux.run("new-session", "-d", "-s", self.name, "-x", "80", "-y", "24", f"/bin/sh -c {quoted(words)}")

    def close(self):
        self.tmux.run("kill-session", "-t", self.name)

    def kill(self):
        """kill -9 of the program, which is the shell's only child."""
        shell = self.tmux.run("display-message", "-t", self.name, "-p", "#{pane_pid}").strip()
        with open(f"/proc/{shell}/task/{shell}/children") as children:
            os.kill(int(children.read().split()[0]), signal.SIGKILL)

    def type(self, text):
        self.tmux.run("send-keys", "-t", self.name, "-l", text)

    def press(self, *keys):
        self.tmux.run("send-keys", "-t", self.name, *keys)

    def enter(self, text):
        """As a person does, who sees the line before enter: what comes at once with the next line is a paste."""
        self.type(text)
        end = time.monotonic() + 1
        while text[-12:].strip() not in self.row and text != PASSWORD and time.monotonic() < end:
            time.sleep(0.02)
        self.press("Enter")
        while self.row.endswith(text[-12:]) and time.monotonic() < end:
            time.sleep(0.02)

    def paste(self, text, folder, bracketed=True):
        """Into the terminal, which says that it is a paste or not."""
        file = folder / "paste"
        file.write_text(text)
        self.tmux.run("load-buffer", "-b", "pasted", str(file))
        self.tmux.run("paste-buffer", *(["-p"] if bracketed else []), "-b", "pasted", "-t", self.name)

    def screen(self, *options):
        return self.tmux.run("capture-pane", "-t", self.name, "-p", "-S", "-300", *options)

    @property
    def row(self):
        """The line being typed: the last one that is not empty."""
        lines = [line for line in self.screen().splitlines() if line.strip()]
        return lines[-1] if lines else ""

    def sees(self, text, times=1):
        self.until(lambda: self.screen().count(text) >= times, f"{text!r} on {self.name}'s screen")

    def until(self, condition, sentence):
        end = time.monotonic() + DEADLINE
        while not condition():
            expect(time.monotonic() < end, sentence)
            time.sleep(0.03)

    def register(self):
        self.open("--server", self.url)
        self.sees("register, login, pair or recover?")
        self.enter("what now?")
        self.sees("recover after a lost password.")
        expect("guest" not in self.screen(), "no word of guests, who are not welcome here")
        self.enter("register")
        self.sees("choose a name:")
        self.enter(f"{self.name[:-1].upper()} {self.name[-1]}")
        self.sees(f"you will be @{self.name}")
        self.sees("choose a password")
        self.enter(PASSWORD)
        self.sees("the same once more:")
        self.enter(PASSWORD)
        self.sees("recovery code")
        self.sees(f"live as @{self.name}")
        expect(PASSWORD not in self.screen(), f"no password on {self.name}'s screen")
        mode = (self.state / "session").stat().st_mode & 0o777
        expect(mode == 0o600, f"mode 0600 of the token's file, not {mode:o}")
        done(f"{self.name} registers, with no echo of the password and a token that only {self.name} can read")

    def do(self, line, status=0, *options):
        """A one-shot command; its output."""
        result = subprocess.run([self.program, "do", line, "--state", self.state, *options], capture_output=True,
                                text=True, timeout=DEADLINE * 2)
        expect(result.returncode == status,
               f"status {status} of do {line!r}, not {result.returncode}: {result.stdout}{result.stderr}")
        return result.stdout

    def says(self, line, status):
        """The same, with what goes to standard error."""
        result = subprocess.run([self.program, "do", line, "--state", self.state], capture_output=True, text=True,
                                timeout=DEADLINE * 2)
        expect(result.returncode == status, f"status {status} of do {line!r}, not {result.returncode}")
        return result.stdout + result.stderr

    def run(self, *arguments, status=0):
        """Another of the program's own commands, with the password on standard input; what it says."""
        result = subprocess.run([self.program, *arguments, "--state", self.state], input=PASSWORD + "\n", text=True,
                                capture_output=True, timeout=DEADLINE * 2)
        said = result.stdout + result.stderr
        expect(result.returncode == status, f"status {status} of {arguments}, not {result.returncode}: {said}")
        return said


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"
