#!/usr/bin/env python3
"""Asks tmux how many columns texts of many scripts take: columns.json has what the client counts with.

    columns.py          compares; exit status 0: all are as the table says; 1: they are not

TextTests reads the same table, so the client's widths are those of a terminal that people use. Emoji with selectors and
skin tones are not in it: terminals differ about them, and tmux 3.3a draws them as two.
"""
import json
import pathlib
import shlex
import sys
import tempfile
import time

from harness import DEADLINE
from screens import Tmux, done

TABLE = pathlib.Path(__file__).resolve().parent / "columns.json"


def cursor(tmux):
    return int(tmux.run("display-message", "-t", "columns", "-p", "#{cursor_x}"))


def settled(tmux, text, script):
    """Where the cursor stands behind the text, once the pane has drawn all of it."""
    path = script.parent / "text"
    path.write_text(text, encoding="utf-8")
    # The second row says that the first is drawn; the cursor is put back by the terminal's own memory of it.
    command = f"printf '\\033[H\\033[2J'; cat {shlex.quote(str(path))}; printf '\\0337\\r\\n[drawn]\\0338'; sleep {DEADLINE}"
    tmux.run("respawn-pane", "-k", "-t", "columns", f"/bin/sh -c {shlex.quote(command)}")
    end = time.monotonic() + DEADLINE
    while "[drawn]" not in tmux.run("capture-pane", "-t", "columns", "-p"):
        if time.monotonic() > end:
            sys.exit(f"columns.py: {text!r} was not drawn")
        time.sleep(0.01)
    return cursor(tmux)


def main():
    rows = json.loads(TABLE.read_text(encoding="utf-8"))
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "script"
        tmux = Tmux(pathlib.Path(folder))
        try:
            tmux.run("new-session", "-d", "-s", "columns", "-x", "80", "-y", "24", f"sleep {DEADLINE}")
            for row in rows:
                found = settled(tmux, row["text"], script)
                if found != row["columns"]:
                    wrong.append(f"{row['script']}: {row['text']} takes {found} columns in tmux, not {row['columns']}")
        finally:
            tmux.stop()
    for line in wrong:
        print(line)
    if wrong:
        sys.exit(1)
    done(f"tmux draws {len(rows)} texts of {len({row['script'] for row in rows})} scripts as wide as the table says")


if __name__ == "__main__":
    main()
