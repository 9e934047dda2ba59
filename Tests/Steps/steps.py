"""Every step of `scripts/test` and `scripts/check`: what it is called, what it runs, how long it may take.

A step that is `everywhere` runs in both; the others only in `scripts/check`, which everything that lands has passed. A step
that is `alone` measures times or fills the machine, so nothing runs beside it, but for a build that `overlaps` it: one
compiler at a time leaves most of a machine idle.
"""
import dataclasses
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ("--explicit-target-dependency-import-check", "error")
PYTHON = ".venv/bin/python"
NETWORK = "CourierTests CryptoTests DeflateTests WebSocketTests NetTests EchoServer"
# In a command: the folder of the release programs, and a number that changes with every change of the sources.
PROGRAMS, SEED, LAST_SEED = "{programs}", "{seed}", "{last_seed}"


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    command: tuple
    # After so many seconds it has failed.
    limit: int
    everywhere: bool = True
    alone: bool = False
    # Whether the step that is alone and comes next runs beside it.
    overlaps: bool = False
    environment: dict = dataclasses.field(default_factory=dict)


def script(name, path, limit, *more, **how):
    """A Python program of the tests, which gets the folder with the programs."""
    return Step(name, (PYTHON, path, PROGRAMS, *more), limit, **how)


def end_to_end(name, file, limit, *more, **how):
    return script(name, f"Tests/EndToEnd/{file}.py", limit, *more, **how)


def sanitized(name, folder, targets, limit, *options, **environment):
    """The build of the suites, and the suites. Optimized, or deadlines would be all that is tested."""
    flags = ("-c", "release", "-Xswiftc", "-enable-testing", "--disable-xctest", "--scratch-path", f".build/{folder}", *options)
    environment = {"WHATTODO_ONLY": targets, "WHATTODO_PATIENCE": "6", **environment}
    return (Step(f"{name}: the build", ("swift", "build", "--build-tests", *flags), limit, everywhere=False, environment=environment),
            Step(name, suites(f"{folder}/release"), limit, everywhere=False, alone=True, environment=environment))


def suites(folder):
    """The suites that were built there. `swift test` would wait for another build, and would build once more."""
    return f".build/{folder}/whattodoPackageTests.xctest", "--testing-library", "swift-testing"


BUILDS = [
    Step("debug build of the suites", ("swift", "build", "--build-tests", "--disable-xctest", *FLAGS), 1500, alone=True),
    Step("release build of the programs", ("swift", "build", "-c", "release", "--static-swift-stdlib", *FLAGS), 1500,
         alone=True, overlaps=True),
]

SUITES = [
    # The programs are built beside them.
    Step("swift suites", suites("debug"), 1500, alone=True, environment={"WHATTODO_PATIENCE": "3"}),
    # The network and the store once more, watched.
    *sanitized("thread sanitizer, the network", "thread", NETWORK, 900, "--sanitize=thread"),
    # Package.swift says what is watched. Leaks are the fuzzers' to find: a test that ends its process leaves behind what
    # only its task knew.
    *sanitized("address sanitizer, the network and the store", "address", f"{NETWORK} StoreTests", 1500,
               WHATTODO_WATCH_MEMORY="1", ASAN_OPTIONS="detect_leaks=0"),
]

SIMULATOR = [
    Step("simulator, 200 fixed seeds", (f"{PROGRAMS}/whattodo-simulate", "--seeds", "1-200", "--at-least", "100"), 900),
    # New ones with every change of the sources, the same wherever the same sources are tested. A seed that finds something
    # becomes a test.
    Step("simulator, new seeds", (f"{PROGRAMS}/whattodo-simulate", "--seeds", f"{SEED}-{LAST_SEED}"), 900, everywhere=False),
    # Known bugs, planted one at a time in a copy: others with every change of the sources.
    Step("five mutants are caught", ("scripts/mutants", "--sound", "--rotate", "5"), 1800, everywhere=False, alone=True),
    Step("planted bugs apply and are listed", ("scripts/mutants", "--list"), 120),
    Step("torture, one minute", ("scripts/torture", "1"), 300, everywhere=False, alone=True),
    Step("the torture's checks", (PYTHON, "Tests/Torture/history.py", "--self-test"), 60),
]

PROTOCOL = [
    Step("protocol vectors and schemas", (PYTHON, "Tests/Protocol/validate.py"), 120),
    Step("a replica by the page agrees on states", (PYTHON, "Tests/Protocol/states.py"), 120),
    Step("the page agrees on levels", (PYTHON, "Tests/Protocol/levels.py"), 60),
    Step("requests are as the protocol says", ("scripts/protocol", "--check", f"{PROGRAMS}/whattodo-protocol"), 120),
    script("recurrence agrees with python-dateutil", "Tests/Recurrence/agreement.py", 600),
    Step("conformance, the server", ("scripts/conformance", "server", "ci"), 600, everywhere=False),
    Step("conformance, the client", ("scripts/conformance", "client", "ci"), 600, everywhere=False),
    Step("fuzzers: the build", ("scripts/fuzz", "build"), 1500, everywhere=False),
    Step("fuzzers, 30 s each", ("scripts/fuzz", "all", "30"), 900, everywhere=False, alone=True),
    end_to_end("a stranger's client", "stranger", 120),
    end_to_end("what the three pages show", "quickstart", 60),
    end_to_end("the client in JavaScript: its types, cut and killed", "javascript_client", 180, SEED, everywhere=False),
    end_to_end("the client in Python and its bot", "python_client", 120, SEED, everywhere=False),
    end_to_end("every method and its repeat", "methods", 240),
    end_to_end("who may do what, every cell", "permissions", 240),
    end_to_end("every method at random, with sense", "sensible", 300, SEED),
    end_to_end("limits: below, at, above", "limits", 240),
    end_to_end("limits that take many", "crowded", 240),
    end_to_end("hostile clients", "hostile", 120),
]

PROGRAMS_STEPS = [
    end_to_end("two terminals and a bot", "terminals", 240),
    end_to_end("bots: runs, imports, help", "bots", 240),
    end_to_end("runs of bots", "runs", 240),
    end_to_end("reports over HTTP", "hooks", 240),
    end_to_end("bots and their tokens", "tokens", 240),
    end_to_end("webhooks", "webhooks", 240),
    end_to_end("links and imports", "ways", 120),
    end_to_end("commands for scripts", "scripted", 60),
    end_to_end("JSON for scripts", "contract", 120),
    end_to_end("a change is told in one line", "one_line", 120),
    end_to_end("completion in shells", "shells", 120),
    end_to_end("what the README shows", "readme", 120),
    Step("columns in tmux", (PYTHON, "Tests/EndToEnd/columns.py"), 60),
    end_to_end("a demo to look at", "demo", 120),
    end_to_end("start errors", "start", 120),
    end_to_end("bits that turn over", "rot", 120, "20", SEED),
    end_to_end("a disk filled to the last byte", "full", 120),
    end_to_end("an operator beside it", "operating", 120),
    end_to_end("metrics and health", "metrics", 120),
    end_to_end("beside an earlier release", "older", 1500, everywhere=False),
    Step("scripts/run serves", ("Tests/EndToEnd/run.sh",), 300, everywhere=False, alone=True),
    end_to_end("kill -9 under load", "crash", 600, everywhere=False),
]

NETWORK_STEPS = [
    end_to_end("behind a proxy", "proxied", 120),
    end_to_end("strange bytes and TLS", "bad_tls", 120),
    end_to_end("a certificate is renewed", "renewal", 120),
    end_to_end("python, node and chromium over wss", "wss", 240, everywhere=False),
    end_to_end("people over wss", "people", 240, everywhere=False),
    end_to_end("testssl.sh", "testssl", 600, everywhere=False),
    end_to_end("attackers beside others", "attackers", 900, everywhere=False, alone=True),
    end_to_end("15 000 connections", "soak", 300, "45", everywhere=False, alone=True),
]

STEPS = [*BUILDS, *SUITES, *SIMULATOR, *PROTOCOL, *PROGRAMS_STEPS, *NETWORK_STEPS]


def seed():
    """A number made of all sources of the programs."""
    sum_of_all = "find Sources -name '*.swift' | LC_ALL=C sort | xargs cat | cksum | cut -d ' ' -f 1"
    return int(subprocess.run(sum_of_all, shell=True, cwd=ROOT, capture_output=True, check=True, text=True).stdout)
