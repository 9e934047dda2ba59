"""scripts/bench sync [--quick] [--rounds N] [--out DIR] [--accept] [ROW…]

How fast the product is: every figure beside a floor of the same run (websocket-echo, the store's own statements in C,
an fdatasync, Redis), in turn, round by round. Which rows there are, and what each measures: sync_rows.py,
scale_rows.py, view_rows.py, news_rows.py and talk_rows.py.

  --quick    two rounds of one second: shows that everything runs, not how fast
  --accept   writes the tables of which every row was run to Tests/Benchmarks/README.md; needs 7 rounds

Exit: 0 every bar met, 1 one missed, 2 something could not be run.
"""
import argparse
import json
import pathlib
import statistics
import sys
import tempfile

import news_rows  # its rows join those of sync_rows
import scale_rows  # so do these
import sync_rows
import table
import talk_rows  # and these
import view_rows  # and these
from programs import ROOT, Programs, Trouble

# A table of Tests/Benchmarks/README.md, and whose rows it has.
TABLES = {"the floors": (sync_rows,), "what is stored": (scale_rows,), "the statements of views": (view_rows,),
          "news": (news_rows,), "talk": (talk_rows,)}


def main(words):
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    options = parser.parse_args(words)
    rounds = options.rounds or (2 if options.quick else 7)
    known = sync_rows.names()
    if unknown := [name for name in options.rows if name not in known]:
        parser.error(f"there is no row {', '.join(unknown)}; there are {' '.join(known)}")
    names = options.rows or known
    whole = {name: rows for name, modules in TABLES.items() if set(rows := sync_rows.names(*modules)) <= set(names)}
    if options.accept and (options.quick or not whole or rounds < 7):
        parser.error("only a whole table of 7 rounds or more is accepted")
    out = options.out or pathlib.Path(tempfile.mkdtemp(prefix="bench."))
    out.mkdir(parents=True, exist_ok=True)
    programs = Programs(out, seconds=1.0 if options.quick else 3.0, quick=options.quick)
    programs.build()
    measured = measure(programs, names, rounds, out)
    lines, missed = as_table(measured)
    text = "\n".join(lines)
    print(f"{text}\n\nraw results: {out}/results.jsonl")
    for name, rows in whole.items() if options.accept else ():
        lines, _ = as_table({row: measured[row] for row in rows})
        table.keep(ROOT, "\n".join(lines), rounds, name)
    return 1 if missed else 0


def measure(programs, names, rounds, out):
    """For each row name its figures' values, a list over the rounds; None where a run failed."""
    measured = {name: [] for name in names}
    with open(out / "results.jsonl", "a", encoding="utf-8") as results:
        for number in range(1, rounds + 1):
            for name in names:
                if measured[name] is None:
                    continue
                sys.stderr.write(f"round {number}: {name}\n")
                try:
                    values = sync_rows.run(name, programs)
                except Trouble as trouble:
                    sys.stderr.write(f"bench: {name}: {trouble}\n")
                    measured[name] = None
                    continue
                results.write(json.dumps({"row": name, "round": number, **values}) + "\n")
                results.flush()
                measured[name].append(values)
    return measured


def as_table(measured):
    """The table as Markdown, and how many bars were missed."""
    text = ["| figure | ours | beside | ours / beside, per round | bar | |", "|---|---|---|---|---|---|"]
    missed = 0
    for name, rounds in measured.items():
        for figure in sync_rows.figures(name):
            if rounds is None:
                missed += 1
                text.append(f"| {figure.name} | no figure: a run failed | | | | **missed** |")
                continue
            cells, is_missed = judge(figure, rounds)
            missed += is_missed
            text.append(f"| {figure.name} | {' | '.join(cells)} |")
    return text, missed


def judge(figure, rounds):
    ours = [values[figure.ours] for values in rounds]
    beside = [values[figure.beside] for values in rounds] if figure.beside else []
    ratios = [mine / other for mine, other in zip(ours, beside) if other > 0]
    judged = statistics.median(ratios if figure.beside else ours)
    is_missed = figure.bar is not None and (judged < figure.bar if figure.at_least else judged > figure.bar)
    bar = "" if figure.bar is None else (
        f"{'≥' if figure.at_least else '≤'} {table.number_text(figure.bar)}" + (" ×" if figure.beside else ""))
    verdict = "" if figure.bar is None else "**missed**" if is_missed else "met"
    return [f"{table.spread(ours)} {figure.unit}", table.spread(beside) if beside else "",
            table.spread(ratios) if ratios else "", bar, verdict], is_missed
