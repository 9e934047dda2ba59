// A person with protocol/clients/whattodo.js behind a bad network, for javascript_client.py: node javascript_client.mjs TASK
// They change things at random, and now and then their program is killed and made anew from its store. Lines on
// standard input: `calm` ends the changes and answers with a line when nothing waits any more; then `{stream: seq}`
// answers with the log and the copies, when they go that far.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import { Client, Lost, Refused, keyOf } from "../../protocol/clients/whattodo.js";

const WebSocket = createRequire(import.meta.url)("ws");
const { url, token, category, seed } = JSON.parse(process.argv[2]);
const STREAM = `c:${category}`;
/** The kinds that others' changes and one's own earlier ones explain. */
const EXPECTED = new Set(["gone", "not_found", "invalid", "forbidden"]);
/** More than this many changes without an answer are enough. */
const WAITING_MOST = 12;
const KILL_EVERY = 40;

let state = seed >>> 0;

/** A number from 0 to below 1: mulberry32. */
function chance() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
/** What a listener is told next. */
const next = (listen) => new Promise((resolve) => { listen(resolve); });
const pick = (list) => list[Math.floor(chance() * list.length)];

/** What a killed program leaves behind: a write has happened as a whole, or not at all. */
class Disk {
  copies = new Map();
  changes = new Map();
}

/** A store that takes its time. After `die` it does nothing more and answers nobody. */
class DiskStore {
  isDead = false;

  constructor(disk) { this.disk = disk; }

  async write(effect) {
    if (chance() < 0.5) await after(chance() * 4);
    if (this.isDead) await new Promise(() => {});
    effect(this.disk);
  }

  async load() {
    await this.write(() => {});
    const read = (map) => [...map.values()].map((text) => JSON.parse(text));
    return { copies: read(this.disk.copies), changes: read(this.disk.changes) };
  }

  saveCopy(copy) { return this.write(({ copies }) => copies.set(copy.stream, JSON.stringify(copy))); }
  dropCopy(stream) { return this.write(({ copies }) => copies.delete(stream)); }
  saveChange(change) { return this.write(({ changes }) => changes.set(change.key, JSON.stringify(change))); }
  removeChange(key) { return this.write(({ changes }) => changes.delete(key)); }
}

/** One person: their program as long as it runs, their disk, and all that they asked for. */
class Person {
  disk = new Disk();
  /** In their order: { key, method, result | refused | kept | lost }. */
  log = [];
  faults = [];
  counts = { kills: 0, waits: 0, changes: 0, lives: 0 };

  begin() {
    this.store = new DiskStore(this.disk);
    this.client = new Client({ url, token, WebSocket, store: this.store, random: chance, saveEveryMs: 20 });
    this.client.onState(({ name, error }) => {
      if (name === "waiting") this.counts.waits += 1;
      if (name === "live") this.counts.lives += 1;
      if (error) this.faults.push(String(error));
    });
    this.client.onFault((error) => this.faults.push(String(error)));
    this.client.onChange((change) => this.watch(change));
    this.client.onRefused(({ key, error }) => this.refused(key, error.kind));
  }

  /** What was told as changed is in the copy, and what was told as gone is not. */
  watch({ stream, objects, gone }) {
    this.counts.changes += 1;
    const copy = this.client.copy(stream);
    for (const object of objects) {
      if (copy?.get(keyOf(object)) !== object) this.faults.push(`${keyOf(object)} was told and is not there`);
    }
    for (const key of gone) if (copy?.has(key)) this.faults.push(`${key} was told as gone and is there`);
  }

  refused(key, kind) {
    this.log.find((one) => one.key === key).refused = kind;
    if (!EXPECTED.has(kind)) this.faults.push(`a change was refused as ${kind}`);
  }

  /** The program dies between any two steps. The next one reads what is on the disk. */
  async kill() {
    this.counts.kills += 1;
    this.store.isDead = true;
    this.client.close();
    for (const one of this.log) {
      if (one.result || one.refused) continue;
      if (this.disk.changes.has(one.key)) one.kept = true;
      else if (!one.kept) one.lost = true;
    }
    this.begin();
    await next((f) => this.client.onState(f));
  }

  act() {
    const { client } = this;
    const [method, params] = this.wish();
    const done = client.do(method, params);
    const one = { key: client.waiting.at(-1).key, method };
    this.log.push(one);
    done.then((result) => {
      one.result = result;
      this.shows(method, params, result);
    }, (error) => {
      if (error instanceof Refused) this.refused(one.key, error.kind);
      else if (!(error instanceof Lost)) this.faults.push(String(error));
    });
  }

  /** Whoever waited for a change sees it. */
  shows(method, { id, title }, { changed, version }) {
    if (!changed || method !== "post.add") return;
    const post = this.client.copy(STREAM)?.get(`post ${id}`);
    if (!post || (post.version === version && post.title !== title)) {
      this.faults.push(`${title} was added and is not in the copy`);
    }
  }

  wish() {
    const id = this.client.newId(), copy = this.client.copy(STREAM) ?? new Map();
    const posts = [...copy.values()].filter(({ t }) => t === "post");
    const post = pick(posts);
    const title = `post ${Math.floor(chance() * 1e9)}`;
    const add = ["post.add", { category, id, title }];
    if (!post || chance() < 0.25) return add;
    const at = { category, id: post.id };
    return pick([
      () => ["post.edit", { ...at, title }],
      () => ["post.edit", { ...at, notes: "notes ".repeat(1 + Math.floor(chance() * 300)) }],
      () => [post.completed ? "post.reopen" : "post.complete", at],
      () => ["post.remove", at],
      () => ["step.add", { ...at, step: id, content: title }],
      () => ["post.day", { ...at, date: "2026-11-28" }],
      () => ["category.add", { id, name: title }],
      () => ["batch", { commands: posts.slice(0, 40).map(({ id }) => (
        { method: "post.edit", params: { category, id, notes: `${title} ${"long ".repeat(500)}` } })) }],
    ])();
  }

  async run(isOver) {
    this.begin();
    await next((f) => this.client.onChange(f));
    while (!isOver()) {
      await after(chance() * 8);
      if (this.client.waiting.length < WAITING_MOST) this.act();
      if (chance() < 1 / KILL_EVERY) await this.kill();
    }
  }

  /** Waits until something is so, or a fault shows that it will not be. */
  async until(found) {
    while (!found() && this.faults.length === 0) await new Promise((resolve) => { setTimeout(resolve, 5); });
  }
}

const person = new Person(), lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let isCalm = false;
const running = person.run(() => isCalm);
assert.equal((await lines.next()).value, "calm");
isCalm = true;
await running;
await person.until(() => person.client.waiting.length === 0 && person.client.state.name === "live");
console.log(JSON.stringify("settled"));
const heads = Object.entries(JSON.parse((await lines.next()).value));
await person.until(() => heads.every(([stream, seq]) => person.client.cursor(stream)?.seq === seq));
await person.client.close();
const { log, faults, counts, disk } = person;
const copies = [...disk.copies.values()].map((text) => JSON.parse(text));
console.log(JSON.stringify({ log, faults, counts, copies, left: disk.changes.size,
  shown: person.client.streams.map((stream) => [stream, [...person.client.copy(stream).values()]]) }));
