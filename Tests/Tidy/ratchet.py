"""What may only become fewer: long lines, sentences without a subject, switches whose default ends the program.

Many places are older than these rules. So `scripts/tidy` counts them for each rule and compares the count with the one in
`MOST`: more is a fault, and fewer is one until the number here is lowered.
"""
import collections
import re

CODE_COLUMNS, PROSE_COLUMNS = 100, 120
# A sentence that begins with one of them has no subject, or hides it.
FIRST_WORDS = "What|Of|Nor|Which|Whose|Likewise|Also|Or|And|But|Not|As"
DOC = re.compile(rf"^\s*/// (?:{FIRST_WORDS})\b")
TEST_NAME = re.compile(rf'@(?:Test|Suite)\(\s*"(?:[^":]*: )?(?:{FIRST_WORDS})\b', re.IGNORECASE)
# No compiler sees which cases such a switch has forgotten: name them all, or take the switch apart.
DEFAULT = re.compile(r"\bdefault:\s*preconditionFailure\(")
MOST = {
    "switches that end in a default that crashes": 0,
    "code over 100 columns": 69,
    "prose over 120 columns": 3,
    "doc comments that begin without a subject": 0,
    "names of tests that begin without a subject": 0,
}


def places(files):
    """For each rule the places that break it, as (file, line)."""
    found = {rule: [] for rule in MOST}
    for path in files:
        text = path.read_text(errors="replace")
        lines = text.splitlines()
        if path.suffix == ".swift":
            swift(path, text, lines, found)
        elif path.suffix == ".md":
            found["prose over 120 columns"] += [(path, number) for number, line in prose(lines) if len(line) > PROSE_COLUMNS]
    return found


def swift(path, text, lines, found):
    before = ""
    for number, line in enumerate(lines, 1):
        is_comment = line.lstrip().startswith("//")
        if is_comment and len(line) > PROSE_COLUMNS:
            found["prose over 120 columns"].append((path, number))
        if not is_comment and len(line) > CODE_COLUMNS:
            found["code over 100 columns"].append((path, number))
        if DOC.match(line) and not before.lstrip().startswith("///"):
            found["doc comments that begin without a subject"].append((path, number))
        before = line
    for match in DEFAULT.finditer(text):
        found["switches that end in a default that crashes"].append((path, text.count("\n", 0, match.start()) + 1))
    for match in TEST_NAME.finditer(text):
        found["names of tests that begin without a subject"].append((path, text.count("\n", 0, match.start()) + 1))


def prose(lines):
    """Lines of a document without its tables and what is shown as code."""
    is_code = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith("|"):
            yield number, line


def beyond(files):
    """(file, line, sentence) for each rule whose count is not the one in MOST."""
    for rule, where in places(files).items():
        if len(where) == MOST[rule]:
            continue
        path, line = where[0] if where else (files[0], 1)
        if len(where) < MOST[rule]:
            yield path, line, f"{rule}: {len(where)} and no more {MOST[rule]}; lower the number in Tests/Tidy/ratchet.py"
        else:
            dearest = collections.Counter(place.name for place, _ in where).most_common(3)
            yield path, line, f"{rule}: {len(where)}, allowed are {MOST[rule]} (Tests/Tidy/ratchet.py); most are in {dearest}"
