"""Builds and starts what scripts/bench sync measures; CPU and memory of a process from /proc."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOLS = ROOT / "Tests/Tools"
TICK = os.sysconf("SC_CLK_TCK")


class Trouble(Exception):
    """A run gave no figure."""


def run(*command, **options):
    """Standard output of a step that must succeed."""
    result = subprocess.run([str(word) for word in command], text=True, capture_output=True, check=False, **options)
    if result.returncode != 0:
        raise Trouble(f"{' '.join(map(str, command))[:300]}: exit {result.returncode}\n{result.stderr[-800:]}")
    return result.stdout


def cpu_seconds(pid):
    """User and system time of a process with all its threads, in steps of 10 ms."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def threads_cpu_seconds(pid, *names):
    """Of the threads whose name begins with one of these."""
    seconds = 0.0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        if (task / "comm").read_text().startswith(names):
            fields = (task / "stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / TICK
    return seconds


def pss_bytes(pid):
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) * 1024


class Served:
    """A running server; `with` ends it."""

    def __init__(self, *command, cwd=None):
        begun = time.monotonic()
        self.process = subprocess.Popen([str(word) for word in command], cwd=cwd, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ready = self.process.stdout.readline()
        self.ready_seconds = time.monotonic() - begun
        self.pid = self.process.pid
        if not self.ready.startswith("ready "):
            self.__exit__()
            raise Trouble(f"{command[0]} did not get ready")
        self.port = int(self.ready.split()[1].rsplit(":", 1)[1].split("/")[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Programs:
    """The programs and the folder in which they work."""

    def __init__(self, out, seconds, quick):
        self.out, self.seconds, self.quick = out, seconds, quick
        self.bin = None
        self.populations, self.recordings = {}, {}
        self.used = 0

    def build(self):
        """The release programs and the C tools. WHATTODO_BENCH_BIN: they are there already."""
        if given := os.environ.get("WHATTODO_BENCH_BIN"):
            self.bin = pathlib.Path(given)
        else:
            run(ROOT / "scripts/setup", "bench")
            release = ("swift", "build", "-c", "release", "--static-swift-stdlib")
            for product in ("whattodo-server", "websocket-echo", "StoreBenchmark"):
                run(*release, "--product", product, cwd=ROOT)
            self.bin = pathlib.Path(run(*release, "--show-bin-path", cwd=ROOT).splitlines()[-1])
        run("make", "-s", "-C", TOOLS / "wsload")
        run("make", "-s", "-C", TOOLS / "sqlite-floor")

    def folder(self, name):
        """A new folder's path; what was there is removed."""
        self.used += 1
        path = self.out / f"{name}-{self.used}"
        shutil.rmtree(path, ignore_errors=True)
        return path

    # Servers.

    def echo(self, *more):
        return Served(self.bin / "websocket-echo", "--loops", 1, "--listen", "127.0.0.1:0", *more)

    def server(self, data, *more):
        return Served(self.bin / "whattodo-server", "--data", data, "--loops", 1, "--listen", "127.0.0.1:0",
                      "--command-rate", 1_000_000, "--line-rate", 1_000_000, "--hello-rate", 1_000_000_000, *more)

    # Databases and recordings, each made once.

    def population(self, **numbers):
        """A copy of a populated data folder, and the lines of its people: [token, [stream, epoch, seq, tx]…]."""
        words = tuple(f"{name}={number}" for name, number in sorted(numbers.items()))
        if words not in self.populations:
            made = self.folder("populated")
            run(self.bin / "StoreBenchmark", "populate", made, *words, f"{made}.people")
            people = []
            with open(f"{made}.people", encoding="utf-8") as file:
                for line in file:
                    token, *rest = line.split()
                    people.append((token, [rest[at:at + 4] for at in range(0, len(rest), 4)]))
            self.populations[words] = (made, people)
        made, people = self.populations[words]
        copy = self.folder("data")
        shutil.copytree(made, copy)
        copy.chmod(0o700)
        return copy, people

    def recording(self, shape, batch, commands):
        """The file with the statements of such a run of the store."""
        if (shape, batch, commands) not in self.recordings:
            folder = self.folder("recorded")
            path = self.out / f"{shape}-{batch}-{commands}.statements"
            run(self.bin / "StoreBenchmark", "record", folder, shape, batch, commands, path)
            shutil.rmtree(folder)
            self.recordings[shape, batch, commands] = path
        return self.recordings[shape, batch, commands]

    # Load.

    def twin(self, shape, batch, commands):
        """Runs a recording in C; its line."""
        recording = self.recording(shape, batch, commands)
        folder = self.folder("twin")
        folder.mkdir(mode=0o700)
        line = json.loads(run(TOOLS / "sqlite-floor/sqlite_twin", folder / "whattodo.db", recording, commands))
        shutil.rmtree(folder)
        return line

    def twin_on(self, data, lists, batch, commands):
        """Creates in lists of a store that is there, in C; its line. The store has them afterwards."""
        recording = self.folder("on.statements")
        run(self.bin / "StoreBenchmark", "on", data, lists, batch, commands, recording)
        for rest in ("-wal", "-shm"):
            (data / f"whattodo.db{rest}").unlink(missing_ok=True)
        line = json.loads(run(TOOLS / "sqlite-floor/sqlite_twin", data / "whattodo.db", recording, commands))
        recording.unlink()
        return line

    def store(self, shape, batch, commands):
        """The same through the store."""
        folder = self.folder("store")
        line = json.loads(run(self.bin / "StoreBenchmark", "run", folder, shape, batch, commands))
        shutil.rmtree(folder)
        return line

    def look(self, data, view, count):
        """So many answers of a view as a reader gives them, and the same statements in C; both lines."""
        line = json.loads(run(self.bin / "StoreBenchmark", "look", data, view, count))
        recording = self.folder("look.statements")
        run(self.bin / "StoreBenchmark", "look", data, view, count, recording)
        floor = json.loads(run(TOOLS / "sqlite-floor/sqlite_twin", data / "whattodo.db", recording, count))
        recording.unlink()
        return line, floor

    def load(self, mode, served, path, *more, seconds=None, warmup=0.5):
        """One run of wsload; its line."""
        line = run(TOOLS / "wsload/wsload", mode, "--port", served.port, "--path", path, "--pid", served.pid,
                   "-t", seconds or self.seconds, "--warmup", warmup, *more)
        return json.loads(line.splitlines()[-1])

    def fdatasync_p50_us(self):
        """Of 4 KiB written over what is there."""
        lines = run(TOOLS / "sqlite-floor/fsync", self.out / "fsync", 500).splitlines()
        return json.loads(lines[1])["p50_us"]


def metric(served_url, name):
    """The value of a metric without labels."""
    with urllib.request.urlopen(served_url, timeout=10) as answer:
        for line in answer.read().decode().splitlines():
            if line.startswith(f"{name} "):
                return float(line.split()[1])
    raise Trouble(f"no metric {name}")
