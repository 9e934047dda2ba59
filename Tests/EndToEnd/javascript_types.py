"""The types of protocol/clients/whattodo.js, for javascript_client.py: Debian's tsc compares whattodo.d.ts with the client, and
compiles javascript_types.ts, which uses all of it rightly and wrongly.
"""
import pathlib
import re
import shutil
import subprocess

from harness import expect

HERE = pathlib.Path(__file__).parent
CLIENT = HERE.parents[1] / "protocol" / "clients" / "whattodo.js"
DECLARED, USES = CLIENT.with_suffix(".d.ts"), HERE / "javascript_types.ts"
TSC = ["tsc", "--noEmit", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node"]
# Classes of which both sides have the same public members.
CLASSES = ["Client", "Copies", "Lost", "MemoryStore", "Refused"]
COMPARISON = """import type * as Declared from "./declared/whattodo.js";
import type * as Made from "./made/whattodo.js";
type Difference<One, Other> = Exclude<One, Other> | Exclude<Other, One>;
type Nothing<Names extends never> = Names;
export type Exports = Nothing<Difference<keyof typeof Declared, keyof typeof Made>>;
export const fits = (made: typeof Made): typeof Declared => made;
"""
MEMBERS = "export type Of{0} = Nothing<Difference<keyof Declared.{0}, keyof Made.{0}>>;\n"


def types(folder):
    folder.mkdir()
    # Beside its declarations a client is not looked into, so each has a folder.
    for name, files in [("declared", [CLIENT, DECLARED]), ("made", [CLIENT])]:
        (folder / name).mkdir()
        for file in files:
            shutil.copy(file, folder / name)
    (folder / "comparison.ts").write_text(COMPARISON + "".join(MEMBERS.format(name) for name in CLASSES))
    compile_all(folder, "the declarations without a browser", "--strict", "--lib", "es2022", "declared/whattodo.d.ts")
    compile_all(folder, "the client beside its declarations", "--lib", "es2022,dom", "--allowJs", "--checkJs", "comparison.ts")
    compile_all(folder, "a program with all of them", "--strict", "--lib", "es2022,dom", USES)
    declarations, uses = DECLARED.read_text(), USES.read_text()
    exported = re.findall(r"^export (?:class|function|interface|type) (\w+)", declarations, re.M)
    members = re.findall(r"^  (?:readonly )?(\w+)\??[(:]", declarations, re.M)
    unused = [name for name in {*exported, *members} - {"constructor"} if not re.search(rf"\b{name}\b", uses)]
    expect(not unused, f"javascript_types.ts does not use {sorted(unused)}")
    wrong = uses.count("// @ts-expect-error")
    return f"ok  {len(exported)} types and functions fit the client, and {wrong} wrong uses do not compile"


def compile_all(folder, name, *arguments):
    done = subprocess.run([*TSC, *arguments], cwd=folder, capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, f"{name}:\n{done.stdout}{done.stderr}")
