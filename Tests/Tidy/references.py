"""References that lead nowhere: sections, promises and files that documents, code and tests name.

`scripts/tidy` runs `dangling(ROOT, files)` and `undated(ROOT)`, which yield (file, line, sentence).
"""
import re

# Where the sections of each document stand. "protocol §5.13" is a heading that begins with 5.13, and "protocol §8
# `post.add`" is a heading of that method.
DOCUMENTS = {"DESIGN": "Sources/DESIGN.md", "protocol": "protocol/README.md"}
SECTION = re.compile(r"\b(DESIGN|protocol) §(\d+(?:\.\d+)?)((?:(?:, | and |, §| and §|-§)\d+(?:\.\d+)?)*)")
METHOD = re.compile(r"§8 `([a-z_]+(?:\.[a-z_]+)?)`")
PROMISE = re.compile(r"(?<![\w.\"])P(\d{1,2})\b(?![\w.]*\()")
FILE = re.compile(r"(?<![\w/.+*-])((?:[A-Z][\w+]*/)*[A-Z][\w+-]*\.(?:swift|c|h|md|json|yaml))\b")
# Names in the documents that stand for any file.
ELSEWHERE = {"Type+Aspect.swift"}


def headings(path):
    return set(re.findall(r"^#+ (\d+(?:\.\d+)?)\b", path.read_text(), re.MULTILINE))


def methods(path):
    return set(re.findall(r"^#### `([a-z_.]+)`$", path.read_text(), re.MULTILINE))


def promises(root):
    return set(re.findall(r"^## P(\d+)\b", (root / "protocol/promises.md").read_text(), re.MULTILINE))


def lines_of(path):
    """Lines with their numbers, a comment that goes on in the next line joined to it."""
    lines = path.read_text(errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        after = lines[number].strip().lstrip("/#* ") if line.rstrip().endswith(("DESIGN", "protocol")) and number < len(lines) else ""
        yield number, f"{line.rstrip()} {after}" if after else line


def dangling(root, files):
    sections = {name: headings(root / place) for name, place in DOCUMENTS.items()}
    known, unused, named = promises(root), set(ELSEWHERE), methods(root / DOCUMENTS["protocol"])
    paths = "\n".join(f"/{path.relative_to(root)}" for path in files) + "\n"
    for path in files:
        is_prose = path.suffix == ".md"
        for number, line in lines_of(path):
            yield from ((path, number, sentence) for sentence in wrong_sections(line, sections))
            for name in METHOD.findall(line):
                if name not in named:
                    yield path, number, f"protocol §8 has no method {name}"
            for promise in PROMISE.findall(line):
                if promise not in known and not re.search(r"#[0-9A-F]*$", line[:line.find("P" + promise)]):
                    yield path, number, f"P{promise} is no promise of protocol/promises.md"
            if is_prose or "//" in line:
                text = line if is_prose else line[line.find("//"):]
                for found in FILE.findall(text):
                    if found in ELSEWHERE:
                        unused.discard(found)
                    elif f"/{found}\n" not in paths:
                        yield path, number, f"{found} is not there"
    for name in sorted(unused):
        yield root / "Tests/Tidy/references.py", 1, f"the exception {name} is not needed any more"


def wrong_sections(line, sections):
    for name, first, rest in SECTION.findall(line):
        for section in [first, *re.findall(r"\d+(?:\.\d+)?", rest)]:
            if section not in sections[name]:
                yield f"{name} has no section {section} ({DOCUMENTS[name]})"


def undated(root):
    """Decisions that do not say since when they hold: "- **Title** (2026-11-26)."."""
    path = root / "Sources/README.md"
    is_decision = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("## "):
            is_decision = line.startswith("## Decisions")
        elif is_decision and line.startswith("- **"):
            # A long title goes on in the next line.
            text = " ".join(path.read_text().splitlines()[number - 1:number + 1])
            if not re.match(r"- \*\*.+?\*\* \(20\d\d-\d\d-\d\d\)", text):
                yield path, number, "a decision without its date: write (YYYY-MM-DD) behind its title"
