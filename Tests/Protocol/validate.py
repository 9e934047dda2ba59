#!/usr/bin/env python3
"""Judges the protocol from outside: its schemas, its vectors, and frames that were recorded.

    validate.py                     schemas, vectors, scenarios and the AsyncAPI document
    validate.py FRAMES...           also every frame of these files
    validate.py --all FRAMES...     also: no request, result, push, op or object without a frame
    validate.py --frames ...        of these only the frames: the vectors are a step of their own

A file of frames has one JSON object in each line: {"dir":"in"|"out","message":MESSAGE}, in the order in
which they passed; "connection":N keeps the ids of several connections apart, and "text" in place of
"message" holds what was no JSON. "in" is what a client sent.

Schemas say that unknown members are allowed, because clients must ignore them. Here every object is
closed first: a member that no schema names is a fault of ours. A schema that nothing used fails too.
Exit status 0: all is well; 1: what is wrong is on standard output.
"""
import collections
import json
import pathlib
import re
import sys

import jsonschema
import referencing
import yaml

import states

PROTOCOL = pathlib.Path(__file__).resolve().parent.parent.parent / "protocol"
TABLES = ("requests", "results", "pushes", "errors", "ops", "objects")
# Not messages but the answers of the terminal to scripts, which Tests/EndToEnd/contract.py compares.
SCRIPTS = "scripts"
# Kinds that may answer a request which is not what its schema says.
REFUSES_MALFORMED = {"invalid_request", "unknown_method", "invalid", "too_large", "unauthenticated",
                     "rate_limited", "draining"}
# Rules on texts that JSON Schema cannot say; a request that breaks only these passes its schema.
# An integer written with a fraction is one to JSON Schema, and none to us.
# Nor can it say that one number is at most another.
BEYOND_SCHEMA_ROWS = {"post.list: limit of 1.0", "progress.set: more than the whole", "history.diff: backwards",
                      "post.edit: location without anything", "search: no word",
                      "search: after of nobody", "post.query: after of nobody",
                      "post.query: due from no day", "post.query: due backwards", "post.query: due backwards, in moments",
                      "post.query: sort by due of what is done", "agenda.get: from of no day",
                      "post.query: sort by position of two lists",
                      "filter.save: days backwards", "filter.save: days and due", "filter.save: sort by due of what is done",
                      "filter.save: sort by position of all lists",
                      "event.react: two signs", "event.react: a word", "line.react: two signs", "line.react: a word",
                      "account.export: after is no place", "account.export: after of no stream",
                      "account.export: after backwards",
                      "agenda.get: to of no day", "agenda.get: backwards", "agenda.get: 63 days",
                      "stats.get: to before from", "stats.get: too many days"}
BEYOND_SCHEMA = ("which is not allowed", "marks on one character", "is empty", " bytes.", "is too long",
                 "must be a day such as", "must be a local time such as", "The recurrence.rule ")

faults = []
used = collections.Counter()


def fault(where, what):
    faults.append(f"{where}: {what}")


def closed(schema):
    """The schema with every object closed that lists its members."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if made.get("type") == "object" and "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def load(name):
    with open(PROTOCOL / name, encoding="utf-8") as file:
        return json.load(file)


class Schemas:
    def __init__(self):
        self.documents = {path.stem: json.loads(path.read_text()) for path in (PROTOCOL / "schema").glob("*.json")}
        registry = referencing.Registry()
        for name, document in self.documents.items():
            jsonschema.Draft202012Validator.check_schema(document)
            resource = referencing.Resource.from_contents(closed(document))
            registry = registry.with_resource(document["$id"], resource)
        self.registry = registry
        self.validators = {(table, kind): self.validator(table, f"/$defs/{kind}")
                           for table in (*TABLES, SCRIPTS) for kind in self.documents[table]["$defs"]}
        self.judged = {}

    def validator(self, table, pointer):
        """Judges by the part of a table to which the JSON pointer leads."""
        reference = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": f"{self.documents[table]['$id']}#{pointer}"}
        return jsonschema.Draft202012Validator(reference, registry=self.registry)

    def problem(self, table, kind, value):
        """What is wrong with the value, or None. The same text is judged once: a push goes to many, and has the same objects again."""
        text = table, kind, json.dumps(value)
        if text not in self.judged:
            self.judged[text] = self.new_problem(table, kind, value)
        return self.judged[text]

    def new_problem(self, table, kind, value):
        validator = self.validators.get((table, kind))
        if validator is None:
            return f"no schema {table}.json#/$defs/{kind}"
        error = jsonschema.exceptions.best_match(validator.iter_errors(value))
        if error:
            return f"{error.json_path}: {error.message[:300]}"
        if (table, kind) == ("requests", "batch"):
            return self.problem_in_batch(value["params"]["commands"])
        return None

    def problem_in_batch(self, commands):
        """Each command has the parameters of its own request, but for the key."""
        for index, command in enumerate(commands):
            alone = {"id": 1, "method": command["method"], "params": {**command.get("params", {}), "key": "k"}}
            problem = self.problem("requests", command["method"], alone)
            if problem:
                return f"command {index}: {problem}"
        return None

    def check(self, where, table, kind, value):
        used[table, kind] += 1
        problem = self.problem(table, kind, value)
        if problem:
            fault(where, f"not {table}/{kind}: {problem}")
        return problem is None


def check_request(schemas, where, message):
    method = message.get("method")
    return schemas.check(where, "requests", method, message)


def check_result(schemas, where, method, message):
    schemas.check(where, "results", method, message)
    result = message.get("result", {})
    # history.get tells of posts only what they are called, which its own schema says.
    objects = result.get("categories", []) + result.get("objects", [])
    objects += [] if method == "history.get" else result.get("posts", [])
    objects += [change[side] for change in result.get("changes", []) for side in ("before", "after") if side in change]
    for item in objects:
        schemas.check(where, "objects", item.get("t"), item)
    if method == "history.get":
        for line in result.get("events", []):
            check_event(schemas, where, line.get("event", {}))
    if "profile" in result:
        schemas.check(where, "objects", result["profile"].get("t"), result["profile"])


def check_error(schemas, where, message):
    kind = message["error"].get("data", {}).get("kind")
    schemas.check(where, "errors", kind, message)
    return kind


def check_event(schemas, where, event):
    schemas.check(where, "pushes", "event", event)
    for op in event.get("ops", []):
        schemas.check(where, "ops", op.get("t"), op)


def check_push(schemas, where, message):
    schemas.check(where, "pushes", message["method"], message)
    for event in message["params"].get("events", []):
        check_event(schemas, where, event)
    for item in message["params"].get("objects", []):
        schemas.check(where, "objects", item.get("t"), item)


# ---- vectors


def check_invalid(schemas, row):
    where = f"invalid.json, {row['name']}"
    kind = check_error(schemas, where, row["answer"])
    message = row.get("message")
    if not isinstance(message, dict) or kind in ("invalid_request", "unknown_method"):
        return
    passes = schemas.problem("requests", message["method"], message) is None
    sentence = row["answer"]["error"]["message"]
    excused = row["name"] in BEYOND_SCHEMA_ROWS or any(rule in sentence for rule in BEYOND_SCHEMA)
    if passes and not excused:
        fault(where, "its schema takes it")


def check_messages(schemas):
    folder = "vectors/messages/"
    for row in load(folder + "requests.json"):
        where = f"requests.json, {row['name']}"
        method = row["message"]["method"]
        if method != row["means"]["method"]:
            fault(where, "means another method")
        normal = {"id": 1, "method": method, "params": row["means"]["params"]}
        if check_request(schemas, where, normal) and "unknown" not in row["name"] and "any order" not in row["name"]:
            check_request(schemas, where, row["message"])
    for row in load(folder + "invalid.json"):
        check_invalid(schemas, row)
    for row in load(folder + "errors.json"):
        check_error(schemas, f"errors.json, {row['name']}", row["message"])
    for row in load(folder + "results.json"):
        check_result(schemas, f"results.json, {row['name']}", row["method"], row["message"])
    for row in load(folder + "objects.json"):
        schemas.check(f"objects.json, {row['name']}", "objects", row["object"]["t"], row["object"])
    for row in load(folder + "ops.json"):
        schemas.check(f"ops.json, {row['name']}", "ops", row["op"]["t"], row["op"])
    for row in load(folder + "pushes.json"):
        check_push(schemas, f"pushes.json, {row['name']}", row["message"])


def check_states(schemas):
    """Objects, events and notifications of the vectors of states; of many objects in one line the first and the last."""
    rows = 0
    for path in sorted((PROTOCOL / "vectors/state").glob("*.json")):
        for rows, row in enumerate(json.loads(path.read_text()), rows + 1):
            where = f"{path.name}, {row['name']}"
            for line in row["before"] + row["after"]:
                for item in states.numbered(line, (line["from"], line["to"])) if "like" in line else [line]:
                    schemas.check(where, "objects", item.get("t"), item)
            ops = [op for op in row["event"]["ops"] if "newer kind" not in row["name"] or ("ops", op["t"]) in schemas.validators]
            check_event(schemas, where, {**row["event"], "ops": ops})
            result = {"lists": [], "directed": row["told"], "today": {"done": 0, "of": 0}}
            schemas.check(where, "results", "notification.list", {"jsonrpc": "2.0", "id": 1, "result": result})
    return rows


def check_levels(schemas):
    """The settings and notifications of the vectors of levels; `levels.py` tries the rule itself."""
    for row in load("vectors/levels.json"):
        where = f"levels.json, {row['name']}"
        chosen = {"levels": row["levels"]} if row["levels"] else {}
        schemas.check(where, "objects", "settings", {"t": "settings", "id": "01890a5d-ac96-774b-bcce-0000000000a1", **chosen})
        result = {"lists": [], "directed": [row["notification"]], "today": {"done": 0, "of": 0}}
        schemas.check(where, "results", "notification.list", {"jsonrpc": "2.0", "id": 1, "result": result})


def check_titles(schemas):
    """Code that is generated from the schemas names its types by their titles, so each has one of its own."""
    seen = {}
    for table, document in schemas.documents.items():
        for kind, schema in document["$defs"].items():
            parts = {name: part for name, part in schema.get("properties", {}).items()
                     if name in ("params", "f") and isinstance(part, dict) and "properties" in part}
            for where, part in {"": schema, **{f" {name}": part for name, part in parts.items()}}.items():
                title = part.get("title")
                if title is None:
                    fault(f"{table}.json {kind}{where}", "has no title")
                elif title in seen:
                    fault(f"{table}.json {kind}{where}", f"has the title of {seen[title]}: {title}")
                seen[title] = f"{table}.json {kind}{where}"


def check_keys(schemas):
    """Each kind of object has the members of its key (§6), and a kind that §6 does not name has `t` and `id`."""
    listed = (PROTOCOL / "README.md").read_text().partition("**Keys.**")[2].partition("\n\nA kind")[0]
    keys = {kind: set(re.findall("`(.*?)`", members)) for kinds, members in re.findall(r"^- (.*): (.*)[;.]$", listed, re.M)
            for kind in re.findall("`(.*?)`", kinds)}
    if "notification" not in keys:
        fault("README.md, §6", "lists no keys")
    for kind, schema in schemas.documents["objects"]["$defs"].items():
        missing = keys.get(kind, {"t", "id"}) - set(schema["required"])
        if missing:
            fault("objects.json", f"{kind} may lack {missing} of its key")
    for row in load("vectors/messages/newer.json"):
        for item in row["message"]["params"].get("objects", []):
            if not keys.get(item["t"], {"t", "id"}) <= item.keys():
                fault(f"newer.json, {row['name']}", f"{item['t']} has no key")


def check_scenarios(schemas):
    kinds = set()
    for path in sorted((PROTOCOL / "vectors/scenarios").glob("*.json")):
        for scenario in json.loads(path.read_text()):
            where = f"{path.name}, {scenario['name']}"
            for step in scenario["given"] + [scenario["when"]]:
                if "by" not in step or "method" not in step:
                    fault(where, "a step without by or method")
                    continue
                kinds.add(step["method"])
                check_request(schemas, where, {"id": 1, "method": step["method"], "params": step["params"]})
            then = scenario["then"]
            if "error" in then:
                answer = {"jsonrpc": "2.0", "id": 1, "error": then["error"]}
                check_error(schemas, where, answer)
                continue
            answer = {"jsonrpc": "2.0", "id": 1, "result": then["result"]}
            check_result(schemas, where, scenario["when"]["method"], answer)
            for event in then["events"]:
                check_event(schemas, where, event["event"])
    return kinds


# ---- AsyncAPI


def references(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for item in node:
            yield from references(item)


def follow(document, schemas, reference):
    """The node that a reference of the AsyncAPI document leads to; a KeyError where it leads nowhere."""
    file, _, pointer = reference.partition("#")
    node = schemas.documents[pathlib.Path(file).stem] if file else document
    for part in filter(None, pointer.split("/")):
        node = node[part.replace("~1", "/").replace("~0", "~")]
    return node


def check_asyncapi(schemas):
    document = yaml.safe_load((PROTOCOL / "asyncapi.yaml").read_text())
    if not str(document.get("asyncapi", "")).startswith("3."):
        fault("asyncapi.yaml", "is not AsyncAPI 3")
    named = set(references(document))
    for reference in sorted(named):
        try:
            follow(document, schemas, reference)
        except (KeyError, TypeError) as error:
            fault("asyncapi.yaml", f"{reference} leads nowhere ({error})")
    for table in ("requests", "results", "pushes", "errors"):
        for kind in schemas.documents[table]["$defs"]:
            if kind != "event" and f"schema/{table}.json#/$defs/{kind}" not in named:
                fault("asyncapi.yaml", f"does not name {table}/{kind}")


# ---- recorded frames


class Recording:
    """The frames of one file: answers find their requests by connection and id.

    Without connections in the file an id may be asked by several at once: then an answer belongs to the
    oldest request that it can be an answer to.
    """

    def __init__(self, schemas, name):
        self.schemas = schemas
        self.name = name
        self.asked = collections.defaultdict(list)

    def frame(self, number, frame):
        where = f"{self.name}, line {number}"
        connection = frame.get("connection", 0)
        if frame.get("dir") not in ("in", "out"):
            fault(where, "has no direction")
        elif "message" not in frame:
            if frame["dir"] == "out":
                fault(where, "the server sent what is no JSON")
        elif frame["dir"] == "in":
            self.request(where, connection, frame["message"])
        else:
            self.from_server(where, connection, frame["message"])

    def request(self, where, connection, message):
        if not isinstance(message, dict) or not isinstance(message.get("id"), (int, str)):
            return
        problem = self.schemas.problem("requests", message.get("method"), message)
        if problem is None:
            used["requests", message["method"]] += 1
        self.asked[connection, message["id"]].append((where, message.get("method"), problem))

    def from_server(self, where, connection, message):
        if "method" in message:
            check_push(self.schemas, where, message)
            return
        asked = self.asked[connection, message.get("id")]
        if "error" in message:
            kind = check_error(self.schemas, where, message)
            fits = [request for request in asked if not request[2] or kind in REFUSES_MALFORMED]
        else:
            fits = [request for request in asked if not request[2] and self.answers(request[1], message)]
        if fits:
            asked.remove(fits[0])
        elif asked:
            origin, method, problem = asked.pop(0)
            fault(where, f"answers {method} of {origin}; {problem or self.schemas.problem('results', method, message)}")
        elif message.get("id") is not None:
            fault(where, "answers nothing that was asked")
        if fits and "result" in message:
            check_result(self.schemas, where, fits[0][1], message)

    def answers(self, method, message):
        return self.schemas.problem("results", method, message) is None


def check_frames(schemas, path):
    recording = Recording(schemas, pathlib.Path(path).name)
    count = 0
    with open(path, encoding="utf-8") as file:
        for count, line in enumerate(file, 1):
            try:
                recording.frame(count, json.loads(line))
            except (ValueError, KeyError, AttributeError, TypeError) as error:
                fault(f"{recording.name}, line {count}", f"is no frame: {error!r}")
    return count


# The first op of a stream's first event: whoever begins to watch a stream gets it inside a snapshot.
# An invitation is over after two weeks, which nobody waits for; what is held back is in older logs only.
NEVER_PUSHED = {("ops", "category.added"), ("ops", "group.added"), ("ops", "account.registered"),
                ("ops", "invitation.expired"), ("ops", "invitation.held_back")}


def report_unused(schemas, tables, by, but=frozenset()):
    for table in tables:
        for kind in schemas.documents[table]["$defs"]:
            if not used[table, kind] and (table, kind) not in but:
                fault(f"{table}.json", f"{kind} is used by no {by}")


# ---- the judge judged

ASK = {"dir": "in", "message": {"id": 1, "method": "ping"}}
TIME = {"jsonrpc": "2.0", "id": 1, "result": {"time": 1}}
WRONG = {
    "an unknown member": [ASK, {"dir": "out", "message": {**TIME, "result": {"time": 1, "zone": "UTC"}}}],
    "a missing member": [ASK, {"dir": "out", "message": {**TIME, "result": {}}}],
    "an answer to nothing": [{"dir": "out", "message": TIME}],
    "two answers": [ASK, {"dir": "out", "message": TIME}, {"dir": "out", "message": TIME}],
    "an unknown push": [{"dir": "out", "message": {"jsonrpc": "2.0", "method": "sync.more", "params": {}}}],
    "a malformed request carried out": [
        {"dir": "in", "message": {"id": 1, "method": "category.list", "params": {"show": "all"}}},
        {"dir": "out", "message": {"jsonrpc": "2.0", "id": 1, "result": {"categories": []}}}],
    "no direction": [{"message": TIME}],
    "no JSON from the server": [{"dir": "out", "text": "pong"}],
}


def judge_itself(schemas):
    for name, frames in WRONG.items():
        before = len(faults)
        recording = Recording(schemas, "wrong")
        for number, frame in enumerate(frames, 1):
            recording.frame(number, frame)
        if len(faults) == before:
            fault("validate.py", f"takes {name}")
        else:
            del faults[before:]


def check_vectors(schemas):
    """All that is not recorded; how much of it."""
    check_titles(schemas)
    check_keys(schemas)
    check_messages(schemas)
    kinds = check_scenarios(schemas)
    check_asyncapi(schemas)
    report_unused(schemas, TABLES, "vector")
    rows = check_states(schemas)
    check_levels(schemas)
    return [f"{len(kinds)} methods in scenarios", f"{rows} rows of states"]


def main(arguments):
    wants_all = "--all" in arguments
    files = [argument for argument in arguments if argument not in ("--all", "--frames")]
    schemas = Schemas()
    judged = [] if "--frames" in arguments else check_vectors(schemas)
    judge_itself(schemas)
    used.clear()
    frames = sum(check_frames(schemas, path) for path in files)
    if wants_all:
        report_unused(schemas, [table for table in TABLES if table != "errors"], "recorded frame",
                      but=NEVER_PUSHED)
    for line in faults:
        print(line)
    if not faults:
        count = sum(len(document["$defs"]) for document in schemas.documents.values())
        print(", ".join([f"{count} schemas", *judged, f"{frames} frames: all valid"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
