// protocol/clients/whattodo.js without a server: node javascript_units.mjs SEED
// The copies take every split of every message, and a socket that is played answers as protocol/README.md says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mock, test } from "node:test";
import * as whattodo from "../../protocol/clients/whattodo.js";
const { Client, Copies, Lost, MemoryStore, Refused, keyOf, newId, streamOf } = whattodo;

const HERE = new URL(".", import.meta.url);
const STREAM = "c:1";
let state = Number(process.argv[2] ?? 1) >>> 0;

/** A number from 0 to below 1: mulberry32. */
function chance() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const below = (count) => Math.floor(chance() * count);
const post = (id, title = "milk") => ({ t: "post", id: String(id), title });
const asObject = (objects) => Object.fromEntries([...objects ?? []].sort());

// The copies.

/** A random next state of a stream, and the objects and keys by which it differs. */
function step(objects) {
  const changed = new Map(), gone = [];
  for (let count = below(6); count >= 0; count -= 1) {
    const object = post(below(12), `title ${below(1e6)}`);
    changed.set(keyOf(object), object);
  }
  for (const key of objects.keys()) {
    if (!changed.has(key) && chance() < 0.2) gone.push({ t: "post", id: key.slice(5) });
  }
  const next = new Map([...objects, ...changed]);
  for (const key of gone) next.delete(keyOf(key));
  return { next, changed: [...changed.values()], gone };
}

/** The read in messages that are split where `split` says, counted over objects and then keys. */
function messages(seq, { changed, gone }, splits) {
  const all = [...changed.map((object) => ({ object })), ...gone.map((key) => ({ key }))];
  const bounds = [0, ...splits, all.length];
  return bounds.slice(1).map((end, index) => {
    const part = all.slice(bounds[index], end);
    const params = { stream: STREAM, epoch: "e", objects: part.flatMap(({ object }) => object ?? []),
      gone: part.flatMap(({ key }) => key ?? []) };
    if (index === bounds.length - 2) params.cursor = { epoch: "e", seq, tx: `t${seq}` };
    return { method: "sync.objects", params };
  });
}

function pages(seq, objects, count) {
  const all = [...objects.values()];
  return Array.from({ length: count }, (_, index) => ({ method: "sync.snapshot", params: {
    stream: STREAM, epoch: "e", seq, tx: `t${seq}`, page: index + 1, pages: count,
    objects: all.filter((_, place) => place % count === index) } }));
}

/** Feeds all but the last message, which change nothing, then the last, after which the copy is `wanted`. */
function feed(copies, pushes, seq, wanted) {
  const before = copies.saved(STREAM);
  for (const push of pushes.slice(0, -1)) {
    assert.equal(copies.take(push), undefined);
    assert.deepEqual(copies.saved(STREAM), before, "a part shows in the copy");
  }
  const change = copies.take(pushes.at(-1));
  assert.deepEqual(asObject(copies.objects(STREAM)), asObject(wanted));
  assert.deepEqual(copies.cursor(STREAM), { epoch: "e", seq, tx: `t${seq}` });
  return change;
}

test("a copy is complete with the cursor, wherever the messages are split", () => {
  for (let round = 0; round < 200; round += 1) {
    let objects = new Map();
    const read = step(objects);
    for (let split = 0; split <= read.changed.length + read.gone.length; split += 1) {
      const copies = new Copies();
      feed(copies, pages(1, objects, 1), 1, objects);
      feed(copies, messages(2, read, [split]), 2, read.next);
    }
    objects = read.next;
    const second = step(objects), copies = new Copies();
    feed(copies, pages(2, objects, 1 + below(4)), 2, objects);
    const each = second.changed.length + second.gone.length;
    const change = feed(copies, messages(3, second, Array.from({ length: each }, (_, at) => at)), 3, second.next);
    const told = asObject(change.objects.map((object) => [keyOf(object), object]));
    assert.deepEqual(told, asObject(second.changed.map((object) => [keyOf(object), object])));
    assert.deepEqual(change.gone, second.gone.map(keyOf));
  }
});

test("a cut between any two messages leaves the copy as it was, and the next connection completes it", () => {
  for (let round = 0; round < 200; round += 1) {
    const objects = step(new Map()).next, read = step(objects);
    const all = read.changed.length + read.gone.length;
    const pushes = messages(2, read, Array.from({ length: all }, (_, at) => at));
    for (let cut = 0; cut < pushes.length; cut += 1) {
      const copies = new Copies();
      feed(copies, pages(1, objects, 1), 1, objects);
      for (const push of pushes.slice(0, cut)) copies.take(push);
      copies.forgetParts();
      assert.deepEqual(copies.cursor(STREAM), { epoch: "e", seq: 1, tx: "t1" });
      // Another read comes instead: nothing of the one that was cut may be in it.
      const other = step(objects);
      feed(copies, messages(5, other, []), 5, other.next);
    }
  }
});

test("a snapshot replaces the copy with its last page, and a cut snapshot changes nothing", () => {
  for (let round = 0; round < 200; round += 1) {
    const before = step(new Map()).next, after = step(new Map()).next;
    const count = 2 + below(4), fresh = pages(9, after, count);
    for (let cut = 0; cut <= count; cut += 1) {
      const copies = new Copies();
      feed(copies, pages(1, before, 1), 1, before);
      for (const push of messages(2, step(before), [1]).slice(0, below(2))) copies.take(push);
      for (const push of fresh.slice(0, cut)) copies.take(push);
      if (cut === count) continue;
      copies.forgetParts();
      assert.equal(copies.take(fresh[cut] === fresh[0] ? fresh[1] : fresh[cut]), undefined, "a page without its first");
      assert.deepEqual(asObject(copies.objects(STREAM)), asObject(before));
      const change = feed(copies, fresh, 9, after);
      assert.deepEqual(change.gone.sort(), [...before.keys()].filter((key) => !after.has(key)).sort());
    }
  }
});

test("a stream that is gone, and one that never came, have no copy", () => {
  const copies = new Copies(), objects = new Map([["post 1", post(1)]]);
  assert.equal(copies.take(messages(1, step(new Map()), [])[0]), undefined);
  assert.equal(copies.objects(STREAM), undefined);
  feed(copies, pages(1, objects, 1), 1, objects);
  assert.deepEqual(copies.take({ method: "sync.gone", params: { stream: STREAM } }),
    { stream: STREAM, objects: [], gone: ["post 1"] });
  assert.deepEqual(copies.streams(), []);
  assert.equal(copies.saved(STREAM), undefined);
});

test("every kind of object of the vectors has a key of its own", () => {
  const rows = JSON.parse(readFileSync(new URL("../../protocol/vectors/messages/objects.json", HERE), "utf8"));
  const objects = (rows.rows ?? rows).map((row) => row.object ?? JSON.parse(row.message));
  assert.ok(objects.length > 20);
  for (const object of objects) assert.doesNotMatch(keyOf(object), /undefined/, JSON.stringify(object));
});

test("the key of every command of the vectors belongs to the stream that the index of the protocol says", () => {
  const law = readFileSync(new URL("../../protocol/README.md", HERE), "utf8");
  const cells = Object.fromEntries([...law.matchAll(/^\| `([a-z_.]+)` \| [a-z]+ \| ([^|]*u:`|[^|]*of `\w+`|`stream`) \|/gm)]
    .map(([, method, cell]) => [method, cell]));
  const home = (method, params) => {
    const [, prefix, name] = /^`([cg]:)` of `(\w+)`$/.exec(cells[method]) ?? [];
    if (prefix) return prefix + params[name];
    if (cells[method] === "`stream`") return params.stream;
    return cells[method] === "own `u:`" ? "u:me" : home(params.commands[0].method, params.commands[0].params);
  };
  const rows = JSON.parse(readFileSync(new URL("../../protocol/vectors/messages/requests.json", HERE), "utf8"));
  const requests = (rows.rows ?? rows).map(({ message }) => message).filter(({ method, params }) => params?.key && !method.startsWith("account."));
  assert.ok(requests.length > 80);
  for (const { method, params } of requests) assert.equal(streamOf(method, params, "me"), home(method, params), method);
});

test("ids are version 7 UUIDs in the order of time", () => {
  const ids = [1, 1e12, Date.now()].map((now) => newId(now));
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(Array.from({ length: 1000 }, () => newId(1))).size, 1000);
});

// The client with a socket that is played.

const RETRY = { minMs: 100, maxMs: 1_000, factor: 2 };

/** What happens lies in the hands of the test: `sockets` has each connection with what was sent. */
class Stage {
  sockets = [];
  states = [];
  time = 1e12;
  store = new MemoryStore();

  constructor() { mock.timers.enable({ apis: ["setTimeout", "setInterval"] }); }

  client(more = {}) {
    const stage = this;
    class Socket {
      constructor(url, protocols) {
        assert.equal(protocols, "whattodo.v1");
        stage.sockets.push(Object.assign(this, { url, sent: [] }));
      }
      send(text) { this.sent.push(JSON.parse(text)); }
      close() { this.isClosed = true; }
    }
    const client = new Client({ url: "ws://here/ws", token: "t", store: this.store, WebSocket: Socket,
      now: () => this.time, random: chance, ...more });
    client.onState((state) => this.states.push(state));
    return client;
  }

  get socket() { return this.sockets.at(-1); }
  get sent() { return this.socket.sent.at(-1); }
  say(message) { this.socket.onmessage({ data: JSON.stringify(message) }); return settle(); }
  push(method, params) { return this.say({ method, params }); }
  answer(result, id = this.sent.id) { return this.say({ id, result }); }
  refuse(data, id = this.sent.id) { return this.say({ id, error: { code: 1, message: "no", data } }); }
  close(code) { this.socket.onclose({ code, reason: "" }); return settle(); }

  async pass(milliseconds) {
    this.time += milliseconds;
    mock.timers.tick(milliseconds);
    await settle();
  }

  async live(streams = []) {
    await settle();
    this.socket.onopen({});
    await this.answer({ user: "me", features: ["objects"], retry: RETRY, limits: { messageBytes: 2000, subscriptions: 9 },
      heartbeat: { pingEveryMs: 25_000, timeoutMs: 40_000 }, streams });
  }

  async snapshot(seq, objects = new Map()) {
    for (const { method, params } of pages(seq, objects, 1)) await this.push(method, params);
    await this.push("sync.live", { stream: STREAM, epoch: "e", seq });
  }
}

/** Lets everything run that waits for nothing outside. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const outcome = (promise) => promise.then((result) => ({ result }), (error) => ({ error }));
const SNAPSHOT = [{ stream: STREAM, epoch: "e", head: 1, mode: "snapshot", reason: "new" }];

function stage(name, play) {
  test(name, async () => {
    const one = new Stage();
    try {
      await play(one);
    } finally {
      mock.timers.reset();
    }
  });
}

test("the declarations name what the module and its client have, and nothing else", async () => {
  const text = readFileSync(new URL("../../protocol/clients/whattodo.d.ts", HERE), "utf8");
  const names = [...text.matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(names.sort(), Object.keys(whattodo).sort());
  const body = text.slice(text.indexOf("export class Client {")).split("\n}\n")[0];
  const members = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, name]) => name);
  const client = new Client({ url: "", WebSocket: class { close() {} } });
  assert.deepEqual(members.sort(), [...Object.keys(client), ...Object.getOwnPropertyNames(Client.prototype)].sort());
  await client.close();
});

stage("hello asks for whole objects and has the cursors of the store", async (it) => {
  await it.store.saveCopy({ stream: STREAM, cursor: { epoch: "e", seq: 4, tx: "t4" }, objects: [post(1)] });
  const client = it.client(), changes = [];
  client.onChange((change) => changes.push(change));
  await settle();
  assert.deepEqual(changes, [{ stream: STREAM, objects: [post(1)], gone: [] }]);
  it.socket.onopen({});
  const { method, params } = it.sent;
  assert.equal(method, "hello");
  assert.deepEqual(params.features, ["objects"]);
  assert.deepEqual(params.cursors, { [STREAM]: { epoch: "e", seq: 4, tx: "t4" } });
});

stage("a server without whole objects is left", async (it) => {
  const client = it.client();
  await settle();
  it.socket.onopen({});
  await it.answer({ user: "me", streams: [] });
  assert.equal(client.state.name, "stopped");
});

stage("live is said when every stream is complete", async (it) => {
  const client = it.client();
  await it.live(SNAPSHOT);
  assert.equal(client.state.name, "connecting");
  await it.snapshot(1);
  assert.equal(client.state.name, "live");
});

stage("a lost answer sends the same change with the same key, behind hello and before later ones", async (it) => {
  const client = it.client();
  await it.live();
  const first = outcome(client.do("post.add", { category: "1", id: "1", title: "one" }));
  outcome(client.do("post.add", { category: "1", id: "2", title: "two" }));
  await settle();
  const { params } = it.sent;
  assert.equal(it.socket.sent.length, 2, "one change is unanswered at a time");
  await it.close(1006);
  await it.pass(100);
  await it.live();
  assert.deepEqual(it.socket.sent.map(({ method }) => method), ["hello", "post.add"]);
  assert.deepEqual(it.sent.params, params);
  await it.answer({ changed: true, events: [] });
  assert.deepEqual(await first, { result: { changed: true, events: [] } });
  assert.equal(it.sent.params.id, "2");
  assert.notEqual(it.sent.params.key, params.key);
});

for (const [retry, kind, afterMs] of [["after", "rate_limited", 1500], ["after", "unavailable", 800], ["after", "internal"],
  ["now", "unknown_outcome"]]) {
  stage(`${kind} holds the queue, and the same change goes first`, async (it) => {
    const client = it.client();
    await it.live();
    for (const id of ["1", "2"]) outcome(client.do("post.remove", { category: "1", id }));
    await settle();
    const { params } = it.sent;
    await it.refuse({ kind, retry, afterMs });
    outcome(client.do("post.remove", { category: "1", id: "3" }));
    await settle();
    if (afterMs) await it.pass(afterMs - 1);
    assert.equal(it.socket.sent.length, 2, "it did not wait");
    await it.pass(afterMs ? 1 : 1000);
    assert.equal(it.socket.sent.length, 3);
    assert.deepEqual(it.sent.params, params);
  });
}

stage("a refusal ends a change, and the next one goes on", async (it) => {
  const client = it.client();
  await it.live();
  const first = outcome(client.do("post.remove", { category: "1", id: "1" }));
  outcome(client.do("post.remove", { category: "1", id: "2" }));
  await settle();
  await it.refuse({ kind: "gone", retry: "no", field: "id" });
  const { error } = await first;
  assert.ok(error instanceof Refused);
  assert.deepEqual([error.kind, error.message, error.field], ["gone", "no", "id"]);
  assert.equal(it.sent.params.id, "2");
  assert.deepEqual([...it.store.changes.values()].map(({ params }) => params.id), ["2"]);
});

stage("a refusal is told when no later program can send the change again", async (it) => {
  let forget, isTold = false;
  it.store.removeChange = () => new Promise((resolve) => { forget = resolve; });
  const client = it.client();
  await it.live();
  client.do("post.remove", { category: "1", id: "1" }).catch(() => { isTold = true; });
  await settle();
  await it.refuse({ kind: "gone", retry: "no" });
  assert.equal(isTold, false);
  forget();
  await settle();
  assert.equal(isTold, true);
});

stage("an error without an id belongs to the oldest request", async (it) => {
  const client = it.client();
  await it.live();
  const first = outcome(client.do("post.remove", { category: "1", id: "1" }));
  await settle();
  await it.refuse({ kind: "parse", retry: "no" }, null);
  assert.equal((await first).error.kind, "parse");
});

stage("a change is done when the copy contains its event", async (it) => {
  const client = it.client();
  await it.live(SNAPSHOT);
  await it.snapshot(1);
  let isDone = false;
  client.do("post.add", { category: "1", id: "1", title: "one" }).then(() => { isDone = true; });
  await settle();
  assert.deepEqual(it.sent.params.base, { epoch: "e", seq: 1 });
  await it.answer({ changed: true, events: [{ stream: STREAM, seq: 2 }] });
  assert.equal(isDone, false);
  assert.equal(client.waiting.length, 1);
  assert.equal(it.store.changes.size, 1);
  const [push] = messages(2, { changed: [post(1)], gone: [] }, []);
  await it.push(push.method, push.params);
  assert.equal(isDone, true);
  assert.equal(it.store.changes.size, 0);
});

stage("an answer of before a lost connection is done with complete copies of another history", async (it) => {
  const client = it.client();
  await it.live(SNAPSHOT);
  await it.snapshot(7);
  let isDone = false;
  client.do("post.add", { category: "1", id: "1", title: "one" }).then(() => { isDone = true; });
  await settle();
  await it.answer({ changed: true, events: [{ stream: STREAM, seq: 8 }] });
  await it.close(1006);
  await it.pass(100);
  await it.live(SNAPSHOT);
  assert.equal(isDone, false);
  await it.snapshot(2);
  assert.equal(isDone, true);
});

stage("a change is sent when the store has it, and a new client sends what the store has", async (it) => {
  let saved;
  it.store.saveChange = (change) => new Promise((resolve) => {
    saved = () => { it.store.changes.set(change.key, change); resolve(); };
  });
  const client = it.client();
  await it.live();
  outcome(client.do("post.remove", { category: "1", id: "1" }));
  await settle();
  assert.equal(it.sent.method, "hello");
  saved();
  await settle();
  const { params } = it.sent;
  assert.equal(params.id, "1");
  client.close();
  it.client();
  await it.live();
  assert.deepEqual(it.sent.params, params);
});

stage("changes of an earlier program go in their order, before new ones", async (it) => {
  for (const number of [3, 1, 2]) {
    await it.store.saveChange({ number, key: `k${number}`, method: "post.remove", params: { category: "1", id: `${number}` } });
  }
  outcome(it.client().do("post.remove", { category: "1", id: "4" }));
  await it.live();
  for (const id of ["1", "2", "3", "4"]) {
    assert.equal(it.sent.params.id, id);
    await it.answer({ changed: true, events: [] });
  }
});

stage("a change of an earlier program that is refused is kept until somebody has looked", async (it) => {
  await it.store.saveChange({ number: 1, key: "k", method: "post.remove", params: { category: "1", id: "1" } });
  let client = it.client();
  const told = [];
  client.onRefused((change) => told.push(change));
  await it.live();
  await it.refuse({ kind: "gone", retry: "no", object: post(1, "a text of others") });
  const kept = { number: 1, key: "k", method: "post.remove", params: { category: "1", id: "1" },
    error: { kind: "gone", message: "no", field: undefined } };
  assert.deepEqual(told, [kept]);
  assert.deepEqual(client.waiting, []);
  client.close();
  client = it.client();
  await it.live();
  assert.equal(it.sent.method, "hello");
  assert.deepEqual(client.refused, [kept]);
  await client.discard("k");
  assert.deepEqual([client.refused, it.store.changes.size], [[], 0]);
});

stage("the store gets objects and cursor of one moment", async (it) => {
  it.client();
  const one = new Map([["post 1", post(1)]]);
  await it.live(SNAPSHOT);
  await it.snapshot(1, one);
  const [first, last] = messages(2, { changed: [post(2), post(3)], gone: [] }, [1]);
  await it.push(first.method, first.params);
  await it.pass(1000);
  assert.deepEqual(it.store.copies.get(STREAM),
    { stream: STREAM, cursor: { epoch: "e", seq: 1, tx: "t1" }, objects: [post(1)] });
  await it.push(last.method, last.params);
  await it.pass(1000);
  assert.deepEqual(it.store.copies.get(STREAM),
    { stream: STREAM, cursor: { epoch: "e", seq: 2, tx: "t2" }, objects: [post(1), post(2), post(3)] });
});

stage("parts are forgotten with their connection", async (it) => {
  const client = it.client();
  await it.live(SNAPSHOT);
  await it.snapshot(1);
  const [first] = messages(2, { changed: [post(2), post(3)], gone: [] }, [1]);
  await it.push(first.method, first.params);
  await it.close(1006);
  await it.pass(100);
  await it.live([{ stream: STREAM, mode: "tail" }]);
  const [read] = messages(3, { changed: [post(4)], gone: [] }, []);
  await it.push(read.method, read.params);
  assert.deepEqual([...client.copy(STREAM).keys()], ["post 4"]);
});

stage("a refused token and the codes that say so are final and told, and changes stay", async (it) => {
  for (const [end, name] of [[(one) => one.refuse({ kind: "unauthenticated", retry: "no" }), "signedOut"],
    [(one) => one.close(4502), "signedOut"], [(one) => one.close(4506), "signedOut"], [(one) => one.close(4507), "signedOut"],
    [(one) => one.close(1009), "stopped"], [(one) => one.close(4505), "stopped"], [(one) => one.close(4999), "stopped"]]) {
    it.store = new MemoryStore();
    const client = it.client();
    const change = outcome(client.do("post.remove", { category: "1", id: "1" }));
    await settle();
    it.socket.onopen({});
    await end(it);
    const count = it.sockets.length;
    assert.equal(it.states.at(-1).name, name);
    assert.ok(it.states.at(-1).error);
    assert.ok((await change).error instanceof Lost);
    await it.pass(120_000);
    assert.equal(it.sockets.length, count, "it came back");
    assert.equal(it.store.changes.size, 1);
    assert.ok((await outcome(client.do("post.remove", { category: "1", id: "2" }))).error instanceof Lost);
  }
});

stage("every other code makes it come back, within what the server advises", async (it) => {
  it.client({ random: () => 0.5 });
  await it.live();
  const waits = [];
  for (const code of [1006, 1000, 1001, 1012, 4008, 4501, 4100]) {
    await it.close(code);
    const { name, retryMs } = it.states.at(-1);
    assert.equal(name, "waiting");
    waits.push(retryMs);
    const count = it.sockets.length;
    await it.pass(retryMs - 1);
    assert.equal(it.sockets.length, count);
    await it.pass(1);
    assert.equal(it.sockets.length, count + 1);
    it.socket.onopen({});
  }
  assert.deepEqual(waits, [50, 100, 200, 400, 500, 500, 500]);
  await it.live();
  it.time += 30_000;
  await it.close(1006);
  assert.equal(it.states.at(-1).retryMs, 50, "a good connection begins the back-off anew");
});

stage("a server that stops is given its window", async (it) => {
  const client = it.client({ random: () => 0.5 });
  await it.live();
  await it.push("server.drain", { afterMs: 4000, withinMs: 2000 });
  outcome(client.do("post.remove", { category: "1", id: "1" }));
  await settle();
  assert.equal(it.sent.method, "hello", "nothing new is sent to it");
  await it.close(4001);
  assert.equal(it.states.at(-1).retryMs, 5000);
  await it.pass(5000);
  await it.live();
  await it.refuse({ kind: "draining", retry: "reconnect" });
  assert.equal(it.states.at(-1).name, "waiting");
  await it.pass(5000);
  await it.live();
  assert.equal(it.sent.method, "post.remove");
});

stage("a hello that is refused for a while waits as told", async (it) => {
  it.client({ random: () => 0.5 });
  await settle();
  it.socket.onopen({});
  await it.refuse({ kind: "rate_limited", retry: "after", afterMs: 8000 });
  assert.equal(it.states.at(-1).retryMs, 10_000);
});

stage("a silent server is asked once and then left", async (it) => {
  const client = it.client();
  await it.live();
  const question = outcome(client.ask("session.list"));
  await it.pass(25_000);
  assert.equal(it.sent.method, "ping");
  await it.pass(10_000);
  assert.equal(it.states.at(-1).name, "live");
  await it.answer({ time: 1 });
  await it.pass(25_000);
  await it.pass(15_000);
  assert.equal(it.states.at(-1).name, "waiting");
  assert.ok(it.socket.isClosed);
  assert.ok((await question).error instanceof Lost);
});

stage("what holds for a moment goes with its connection and with its stream", async (it) => {
  const client = it.client(), push = { stream: STREAM, kind: "presence", count: 1, entries: [{ user: "me" }] };
  await it.live(SNAPSHOT);
  await it.snapshot(1);
  await it.push("ephemeral", push);
  await it.push("ephemeral", { stream: STREAM, kind: "typing", count: 99 });
  assert.deepEqual(client.ephemerals.get(STREAM), { presence: push, typing: { stream: STREAM, kind: "typing", count: 99 } });
  await it.push("sync.gone", { stream: STREAM });
  assert.equal(client.ephemerals.size, 0);
  assert.equal(client.copy(STREAM), undefined);
  await it.push("ephemeral", push);
  await it.close(1006);
  assert.equal(client.ephemerals.size, 0);
});

stage("a stream that ended keeps no change waiting", async (it) => {
  const client = it.client();
  await it.live(SNAPSHOT);
  await it.snapshot(1);
  const done = outcome(client.do("member.leave", { stream: STREAM }));
  await settle();
  await it.push("sync.gone", { stream: STREAM });
  await it.answer({ changed: true, events: [{ stream: STREAM, seq: 2 }] });
  assert.ok((await done).result);
  await it.pass(1000);
  assert.equal(it.store.copies.size, 0);
});

stage("no secret goes into the store, and nothing that no message holds", async (it) => {
  const client = it.client();
  await it.live();
  for (const name of ["password", "old", "new"]) {
    assert.ok((await outcome(client.do("account.delete", { [name]: "secret" }))).error instanceof TypeError);
  }
  const long = await outcome(client.do("post.add", { category: "1", id: "1", title: "x".repeat(2000) }));
  assert.equal(long.error.kind, "too_large");
  assert.equal(it.store.changes.size, 0);
});

stage("a store that fails is told of, and the client goes on", async (it) => {
  const faults = [];
  for (const name of ["load", "saveChange", "removeChange", "saveCopy"]) {
    it.store[name] = async () => { throw new Error(name); };
  }
  const client = it.client();
  client.onFault(({ message }) => faults.push(message));
  await it.live(SNAPSHOT);
  await it.snapshot(1);
  const done = outcome(client.do("post.remove", { category: "1", id: "1" }));
  await settle();
  await it.answer({ changed: false, events: [] });
  assert.ok((await done).result);
  await it.pass(1000);
  assert.deepEqual(faults, ["load", "saveChange", "removeChange", "saveCopy"]);
});
