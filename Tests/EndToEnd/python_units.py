"""The client for Python beside the vectors of the protocol: keys, streams, results, errors, copies, and what is newer.

No server of ours runs here: one of a few lines says what the vectors say. python_client.py runs this.
"""
import contextlib
import json
import pathlib
import re
import threading

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import serve

from harness import DEADLINE, expect
from python_bot import Client
from whattodo import Copy, Refused, key_of, result_of, stream_of

PROTOCOL = pathlib.Path(__file__).resolve().parents[2] / "protocol"
ME = "01890a5d-ac96-774b-bcce-0000000000a1"
OWN = f"u:{ME}"


def vectors(name):
    return json.loads((PROTOCOL / f"vectors/messages/{name}.json").read_text())


def page():
    return (PROTOCOL / "README.md").read_text()


def members_of_keys():
    """The members that make the key of each kind that has a key of its own, by protocol §6."""
    listed = page().partition("**Keys.**")[2].partition("\n\nA kind")[0]
    lines = re.findall(r"^- (.*): (.*)[;.]$", listed, re.M)
    return {kind: words(members) for kinds, members in lines for kind in words(kinds)}


def words(text):
    return set(re.findall("`(.*?)`", text))


def key_members(item, named):
    return named.get(item["t"], {"t", "id"})


def keys():
    """Each object, and each entry of `gone`, has the key of §6, with all of its members."""
    named, rows = members_of_keys(), vectors("objects")
    gone = [it for row in vectors("pushes") for it in row["message"]["params"].get("gone", [])]
    expect(len(named) == 6 and len(rows) > 60 and len(gone) >= 6, f"{named}, {len(rows)} objects, {len(gone)} of gone")
    for item in [*(row["object"] for row in rows), *gone]:
        members, told = key_members(item, named), key_of(item)
        wanted = sorted(str(item[name]) for name in members)
        expect(sorted(map(str, told)) == wanted, f"the key of {item['t']}: {told}, not {sorted(members)}")
        rest = {name: value for name, value in item.items() if name in members}
        expect(key_of(rest) == told, f"the key says which {item['t']} is gone: {key_of(rest)}, not {told}")
        for name in members - {"t"}:
            expect(key_of({**item, name: "another"}) != told, f"{item['t']} with another {name} has the same key")


def streams():
    """Each command belongs to the stream that the index of methods says."""
    cells = dict(re.findall(r"^\| `([a-z_.]+)` \| [a-z]+ \| ([^|]*u:`|[^|]*of `\w+`|`stream`) \|", page(), re.M))

    def home(method, params):
        if method == "batch":
            return home(params["commands"][0]["method"], params["commands"][0]["params"])
        of = re.fullmatch(r"`([cg]:)` of `(\w+)`", cells[method])
        return of[1] + params[of[2]] if of else params["stream"] if cells[method] == "`stream`" else OWN

    requests = [row for row in vectors("requests") if "key" in row["message"].get("params", {})
                and not row["message"]["method"].startswith("account.")]
    expect(len(requests) > 80, f"{len(requests)} commands")
    for row in requests:
        method, params = row["message"]["method"], row["message"]["params"]
        told = stream_of(method, params, OWN)
        expect(told == home(method, params), f"{row['name']} belongs to {home(method, params)}, not to {told}")


def errors():
    """Each error is raised with what it says of itself, also one of a kind that nobody knows yet."""
    rows = [row["message"] for row in vectors("errors")]
    unknown = {"kind": "too_early", "retry": "after", "afterMs": 5}
    rows.append({"id": 1, "error": {"code": -32999, "message": "Newer.", "data": unknown}})
    for message in rows:
        data = message["error"]["data"]
        try:
            answer = result_of(message)
        except Refused as refusal:
            told = refusal.kind, refusal.message, refusal.field, refusal.retry, refusal.after
            wanted = data["kind"], message["error"]["message"], data.get("field"), data["retry"], data.get("afterMs")
            expect(told == wanted and refusal.data == data, f"{told}, not {wanted}")
        else:
            expect(False, f"{message} is an answer: {answer}")


def pushes():
    """The copies of the vectors' snapshots and changes: the last page completes them, and so does a cursor."""
    said = {row["name"]: row["message"]["params"] for row in vectors("pushes")}
    first, last, change = (said[name] for name in ("sync.snapshot", "sync.snapshot: the last page", "sync.objects"))
    copy = Copy()
    expect(copy.take(first) is None and not copy.objects, "a page alone is no copy")
    copy.take(last)
    both = {key_of(it) for it in first["objects"] + last["objects"]}
    expect(set(copy.objects) == both, f"both pages: {list(copy.objects)}")
    expect(copy.cursor == {name: last[name] for name in ("epoch", "seq", "tx")}, f"its cursor: {copy.cursor}")
    late = dict(copy.objects)
    expect(copy.take(change) is None and copy.objects == late, f"the snapshot has it already: {change['cursor']}")
    change = {**change, "cursor": {**change["cursor"], "seq": last["seq"] + 1}}
    copy.take(change)
    left = (both | set(map(key_of, change["objects"]))) - set(map(key_of, change["gone"]))
    expect(set(copy.objects) == left, f"after the change: {list(copy.objects)}")
    expect(copy.cursor == change["cursor"], f"its cursor after the change: {copy.cursor}")


class Player:
    """A server that says the vectors: `hello`, two copies, and what stands `before` and `after` a `result`."""

    def __init__(self):
        self.before, self.result, self.after = [], {}, []
        rows = {row["name"]: row["message"] for row in vectors("results")}
        hello = rows["hello: whole objects are granted"]["result"]
        self.streams = [it for it in hello["streams"] if it["mode"] in ("live", "snapshot")]
        streams = [{**it, "mode": "snapshot", "reason": "new"} for it in self.streams]
        self.hello = {**hello, "streams": streams, "newer": {"member": 1}}
        self.server = serve(self.play, "127.0.0.1", 0, subprotocols=["whattodo.v1"])
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"ws://127.0.0.1:{self.server.socket.getsockname()[1]}/ws"

    def play(self, socket):
        with contextlib.suppress(ConnectionClosed):
            for text in socket:
                request = json.loads(text)
                is_hello = request["method"] == "hello"
                answer = {"id": request["id"], "result": self.hello if is_hello else self.result, "newer": 1}
                order = [answer, *self.copies()] if is_hello else [*self.before, answer, *self.after]
                for message in order:
                    socket.send(json.dumps({"jsonrpc": "2.0", **message}))

    def copies(self):
        for it in self.streams:
            about = {"stream": it["stream"], "epoch": it["epoch"], "seq": 0}
            yield {"method": "sync.snapshot", "params": {**about, "page": 1, "pages": 1, "objects": [], "newer": 1}}
            yield {"method": "sync.live", "params": about}


def change_of(client, stream, seq, gone=()):
    """A push after which the copy is at this event."""
    cursor = {**client.cursor(stream), "seq": seq}
    return {"method": "sync.objects", "params": {
        "stream": stream, "epoch": cursor["epoch"], "objects": [], "gone": list(gone), "cursor": cursor}}


def results():
    """The result of a change comes when the copies contain its events, those of streams of which there is a copy."""
    player, waited = Player(), 0
    requests = [row["message"] for row in vectors("requests")]
    asked = {message["method"]: message.get("params", {}) for message in requests}
    try:
        with Client(player.url, "token", timeout=DEADLINE) as client:
            client.wait_live()
            for row in vectors("results"):
                result = result_of(row["message"])
                if "events" not in result or "changed" not in result:
                    continue
                # Copies that are behind again.
                player.before, player.result, player.after = list(player.copies()), {}, []
                client.ask("play")
                ours = [(it["stream"], it["seq"]) for it in result["events"] if client.cursor(it["stream"])]
                player.before, player.result, player.after = [], result, [change_of(client, *event) for event in ours]
                behind = [stream for stream, seq in ours if client.cursor(stream)["seq"] < seq]
                expect(client.do(row["method"], **asked[row["method"]]) == result, f"the result of {row['name']}")
                late = [stream for stream, seq in ours if client.cursor(stream)["seq"] < seq]
                expect(not late, f"{row['name']} has a result before the copies of {late}")
                waited += bool(behind)
    finally:
        player.server.shutdown()
    expect(waited > 60, f"{waited} results came before what their copies had to wait for")


def newer():
    """A client goes on whatever a newer server says. It keeps objects of unknown kinds, and takes them out."""
    player, pushed = Player(), []
    try:
        with Client(player.url, "token", timeout=DEADLINE) as client:
            client.on("push", lambda method, params: pushed.append(method))
            client.wait_live()
            rows = vectors("newer")
            expect(len(rows) >= 9, f"{len(rows)} vectors of newer servers")
            for row in rows:
                says(player, client, row["name"], row["message"])
            methods = [row["message"]["method"] for row in rows]
            # Another thread tells the listener. `sync.objects` is of `says` alone.
            client.wait_until(lambda: [it for it in pushed if it != "sync.objects"][-len(methods):] == methods)
    finally:
        player.server.shutdown()


def says(player, client, name, message):
    """The player says this, and the copies of both streams are what is right afterwards."""
    player.before, params = [message], message["params"]
    before = {it["stream"]: client.objects(it["stream"]) for it in player.streams}
    client.ask("play")
    expect(client.ended is None, f"{name} ends the client: {client.ended}")
    is_copy = message["method"] == "sync.snapshot"
    for stream, objects in before.items():
        wanted = params["objects"] if is_copy and stream == params["stream"] else objects
        expect(client.objects(stream) == wanted, f"{name}: {stream} is {client.objects(stream)}, not {wanted}")
    if not is_copy:
        return
    stream, objects = params["stream"], params["objects"]
    gone = [{member: it[member] for member in key_members(it, members_of_keys())} for it in objects]
    player.before = [change_of(client, stream, params["seq"] + 1, gone=gone[:1])]
    client.ask("play")
    expect(client.objects(stream) == objects[1:], f"{name}: {gone[:1]} stays: {client.objects(stream)}")


def units():
    for part in (keys, streams, results, errors, pushes, newer):
        part()
    return "keys, streams, errors and copies are those of the vectors, and what is newer does no harm"
