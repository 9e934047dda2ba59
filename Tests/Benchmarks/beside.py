"""scripts/bench beside COMMIT [--pairs N] [--seconds S] [ROW…]

How fast this tree is beside an earlier commit of its own: both programs are built (the earlier one once, in
.build/beside), and run in pairs, each in turn first. Of each row it prints the CPU for one command of both, and the ratio
(this tree / the commit) as the mean of the pairs with the interval in which it lies with a confidence of 0.95.

  ROW   create1, create16, create64: durable creates by so many writers, everything included
        store16: a create through the store alone, 16 a transaction
        done16: the completion of a post through the store alone, 16 a transaction
        push100: a create of 16 writers, pushed to 100 clients that ask for no feature (default: all)

Exit: 0 no ratio lies surely above its bound (1.02; of done16 1.05), 1 one does, 2 something could not be run.
"""
import argparse
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import news_rows
import sync_rows
from programs import ROOT, Programs, Trouble, run

# The ratio that no row may surely be above.
BARS = {"done16": 1.05}
BAR = 1.02
PRODUCTS = ("whattodo-server", "StoreBenchmark")
# Of Student's distribution, two-sided: by the number of pairs less one.
T_95 = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 9: 2.26, 11: 2.20, 14: 2.14, 19: 2.09, 29: 2.05}

ROWS = {
    **{f"create{writers}": lambda programs, writers=writers: sync_rows.served_creates(programs, writers)[0]["server_cpu_s_per_m"]
       for writers in (1, 16, 64)},
    "store16": lambda programs: programs.store("create", 16, 4_000 if programs.quick else 20_000)["cpu_s_per_m"],
    "done16": lambda programs: programs.store("complete", 16, 4_000 if programs.quick else 20_000)["cpu_s_per_m"],
    "push100": lambda programs: news_rows.per_create(sync_rows.pushed(programs)),
}


def build(tree, scratch):
    """The folder with the release programs of a tree."""
    command = ("swift", "build", "-c", "release", "--static-swift-stdlib", "--scratch-path", scratch)
    for product in PRODUCTS:
        run(*command, "--product", product, cwd=tree)
    return pathlib.Path(run(*command, "--show-bin-path", cwd=tree).splitlines()[-1])


def earlier(commit):
    """The folder with the release programs of a commit, which are built once."""
    name = run("git", "rev-parse", "--verify", f"{commit}^{{commit}}", cwd=ROOT).strip()
    place = ROOT / ".build/beside" / name
    tree, mark = place / "tree", place / "built"
    if not mark.exists():
        tree.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", name], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "x", "-C", str(tree)], input=archive.stdout, check=True)
        mark.write_text(str(build(tree, place / "build")))
    return pathlib.Path(mark.read_text())


def programs_of(binaries, out, seconds):
    out.mkdir()
    os.environ["WHATTODO_BENCH_BIN"] = str(binaries)
    programs = Programs(out, seconds=seconds, quick=False)
    programs.build()
    return programs


def interval(ratios):
    """Mean and its bounds, of logarithms: a ratio and its inverse weigh the same."""
    logs = [math.log(ratio) for ratio in ratios]
    mean = statistics.fmean(logs)
    if len(logs) < 2:
        return math.exp(mean), 0.0, math.inf
    t = T_95[max(count for count in T_95 if count <= len(logs) - 1)]
    half = t * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def main(words):
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("commit")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    options = parser.parse_intermixed_args(words)
    names = options.rows or list(ROWS)
    if unknown := [name for name in names if name not in ROWS]:
        parser.error(f"there is no row {', '.join(unknown)}; there are {' '.join(ROWS)}")
    try:
        return compare(options, names)
    except Trouble as trouble:
        print(f"bench: {trouble}", file=sys.stderr)
        return 2


def compare(options, names):
    """Measures and prints; 1 if a row is surely slower."""
    out = pathlib.Path(tempfile.mkdtemp(prefix="beside."))
    given = os.environ.get("WHATTODO_BENCH_BIN")
    then = programs_of(earlier(options.commit), out / "then", options.seconds)
    now = programs_of(given or build(ROOT, ROOT / ".build"), out / "now", options.seconds)
    measured = {name: [] for name in names}
    for pair in range(options.pairs):
        for name in names:
            sys.stderr.write(f"pair {pair + 1}: {name}\n")
            order = (now, then) if pair % 2 else (then, now)
            cost = {id(programs): ROWS[name](programs) for programs in order}
            measured[name].append((cost[id(now)], cost[id(then)]))
    return 1 if sum(told(name, pairs) for name, pairs in measured.items()) else 0


def told(name, pairs):
    """Prints a row. Whether it is surely slower than the bar."""
    mean, low, high = interval([now / then for now, then in pairs])
    ours, theirs = (statistics.median(values) for values in zip(*pairs))
    is_slower = low > BARS.get(name, BAR)
    print(f"{name}: {ours:.1f} µs beside {theirs:.1f} µs, ratio {mean:.3f} ({low:.3f} to {high:.3f}, {len(pairs)} pairs)"
          f"{' SLOWER' if is_slower else ''}")
    return is_slower


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
