"""Runs steps (steps.py): those that are alone one after another, the others two at a time, the longest first. A build that
overlaps runs beside the step that is alone and comes next.

How long each took is kept in .build/step-seconds.json, so that the next run can tell how long the rest will take.
"""
import collections
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

from steps import BUILDS, ROOT, Step, seed

SECONDS = ROOT / ".build/step-seconds.json"
AT_ONCE = 2
# Of a step that was never run here.
UNKNOWN_SECONDS = 30
# Of what a failed step printed, these lines first: what failed, by the words of its tests and of the compiler.
FAULT = re.compile(r"✘|error:| crashed:")
FAULTS_MAX, TAIL = 60, 60

Result = collections.namedtuple("Result", "step passed seconds output")


def run(chosen):
    """Runs the steps; the exit status. Whoever interrupts it leaves nothing running."""
    told = Told(chosen)
    run_one = Running(told)
    alone = [step for step in chosen if step.alone]
    together = sorted((step for step in chosen if not step.alone), key=told.usual, reverse=True)
    # A program inherits which signals are ignored, and ends none that it does not hear: `nohup` and shells in the
    # background ignore these. With a handler here they are as usual in what is started.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    signal.signal(signal.SIGHUP, lambda number, frame: None)
    pool = concurrent.futures.ThreadPoolExecutor(AT_ONCE)
    try:
        # Nothing can be said of programs that were not built.
        if not run_alone([step for step in alone if step.everywhere], run_one, pool):
            return 1
        list(pool.map(run_one, together))
        for step in alone:
            if not step.everywhere:
                run_one(step)
    except KeyboardInterrupt:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        run_one.end()
        return 1
    finally:
        pool.shutdown(cancel_futures=True)
        told.keep()
        print(f"{told.passed} passed, {told.failed} failed{run_one.rest()}", flush=True)
    return 1 if told.failed else 0


def run_alone(steps, run_one, pool):
    """Runs them one after another; whether all builds among them passed. After one that did not, nothing more begins."""
    beside = None
    for step in steps:
        if step.overlaps and step is not steps[-1]:
            beside = pool.submit(run_one, step)
            continue
        if not run_one(step) and step in BUILDS:
            return False
        if beside and not beside.result():
            return False
        beside = None
    return True


class Running:
    """Runs one step in a process group of its own."""

    def __init__(self, told):
        self.told = told
        self.processes = set()
        self.is_ended = False
        number = seed()
        self.words = {"{seed}": str(number), "{last_seed}": str(number + 199)}

    def __call__(self, step: Step):
        if self.is_ended:
            return False
        self.told.begins(step)
        begun = time.monotonic()
        with tempfile.TemporaryFile() as output:
            passed = self.passes(step, output)
            output.seek(0)
            text = output.read().decode(errors="replace")
        if not self.is_ended:
            self.told.ended(Result(step, passed, time.monotonic() - begun, text))
        return passed

    def passes(self, step, output):
        command = [self.filled(word) for word in step.command]
        try:
            process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                                       env={**os.environ, **step.environment}, start_new_session=True)
        except OSError as error:
            output.write(f"{command[0]}: {error}\n".encode())
            return False
        self.processes.add(process)
        try:
            return process.wait(step.limit) == 0
        except subprocess.TimeoutExpired:
            output.write(f"\nerror: not done after {step.limit} s\n".encode())
            return False
        finally:
            stop(process)
            self.processes.discard(process)

    def end(self):
        """Ends what runs, and begins nothing any more."""
        self.is_ended = True
        for process in list(self.processes):
            stop(process)

    def rest(self):
        """What the last line says of steps that did not run."""
        return f", {len(self.told.waiting)} not run" if self.told.waiting else ""

    def filled(self, word):
        if "{programs}" in word and "{programs}" not in self.words:
            self.words["{programs}"] = programs()
        for name, value in self.words.items():
            word = word.replace(name, value)
        return word


def stop(process):
    """Ends a step, and whatever it began and did not end."""
    try:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                pass
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def programs():
    """The folder of the release programs."""
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--show-bin-path"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout.splitlines()[-1]


class Told:
    """What is printed, and kept for the next run."""

    def __init__(self, steps):
        self.count, self.passed, self.failed = len(steps), 0, 0
        self.lock = threading.Lock()
        self.known = json.loads(SECONDS.read_text()) if SECONDS.is_file() else {}
        self.waiting = {step.name: step for step in steps}

    def begins(self, step):
        if sys.stdout.isatty():
            with self.lock:
                print(f"…       {step.name}", flush=True)

    def ended(self, result):
        with self.lock:
            self.waiting.pop(result.step.name)
            self.passed += result.passed
            self.failed += not result.passed
            if result.passed:
                self.known[result.step.name] = round(result.seconds, 1)
            number = f"{self.passed + self.failed}/{self.count}"
            lines = [line for line in result.output.splitlines() if line.strip()]
            last = f"  {lines[-1]}" if result.passed and lines else ""
            word = "ok    " if result.passed else "FAILED"
            print(f"{word}  {number:>5}  {result.step.name} ({result.seconds:.0f} s, {self.rest()}){last}", flush=True)
            if not result.passed:
                self.show(lines)

    @staticmethod
    def show(lines):
        faults = [line for line in lines if FAULT.search(line)]
        for line in faults[:FAULTS_MAX] + (["…"] if faults else []) + lines[-TAIL:]:
            print(f"        {line}")
        # The thread that crashed stands before all others; tests that expect a crash may print some before it.
        for at in [at for at, line in enumerate(lines) if " crashed:" in line][-1:]:
            print("\n".join(f"        {line}" for line in lines[at:at + 25]))
        sys.stdout.flush()

    def usual(self, step):
        """How many seconds it took last."""
        return self.known.get(step.name, UNKNOWN_SECONDS)

    def rest(self):
        """About how long the steps that have not ended take, two at a time where they may."""
        seconds = sum(self.usual(step) / (1 if step.alone else AT_ONCE) for step in self.waiting.values())
        return f"about {seconds / 60:.0f} min left" if seconds >= 30 else "nearly done"

    def keep(self):
        SECONDS.parent.mkdir(exist_ok=True)
        SECONDS.write_text(json.dumps(self.known, indent=1))
