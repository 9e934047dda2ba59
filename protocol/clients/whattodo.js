// A client of a WhatTODO server (protocol/README.md) for browsers, their workers and Node. It has no dependencies and
// knows no DOM. Node before 22 has no WebSocket of its own and passes one as an option. Its types are in whattodo.d.ts.
//
// Rules:
//  - copies: whole objects come, and no op is applied. A message without a cursor is applied together with the one that
//    has it. Objects and cursor change together, and go to the store in one call. A new connection forgets the rest.
//  - changes: `do` keeps a change in the store before it sends it. One change is unanswered at a time, so an answer
//    that asks to wait lets no later change pass. After a lost answer the same change goes again with the same key.
//    A change is settled when the copies contain its events, so whoever waits for it sees its effect.
//  - connection: after a loss the client waits as the server advises and comes back with its cursors. After
//    `unauthenticated` and the close codes that forbid it, the client does not come back.

const FINAL_CODES = [1002, 1003, 1007, 1008, 1009]; // and those from 4500 to 4999 (§12)
const SIGNED_OUT_CODES = [4502, 4506, 4507];
const HELLO_TIMEOUT = 4501; // final, but the client always sends `hello`: the way held it up
const STABLE_MS = 30_000; // after so long the back-off begins anew (§2.4)
const LOOK_MS = 5_000; // between two looks whether the server is silent
const SECRETS = ["password", "old", "new"]; // parameters that no store shall keep
/** The values that hold before the first answer to `hello`. */
const DEFAULTS = {
  retry: { minMs: 500, maxMs: 30_000, factor: 2 }, limits: { messageBytes: 262_144 },
  heartbeat: { pingEveryMs: 25_000, timeoutMs: 40_000 },
};
/** Methods about the sender's own `u:` stream (§10.4), beside all of `person` and `filter`. */
const OWN_METHODS = `session.close profile.edit settings.edit account.keep invitation.accept
  invitation.decline invitation.redeem notification.read category.move post.plan post.snooze
  post.day post.note post.watch reminder.add reminder.remove`.split(/\s+/);

/** An error answer of the server (§11). */
export class Refused extends Error {
  kind; field; data;
  constructor(/** @type {any} */ { message, data = {} }) {
    super(message);
    Object.assign(this, { name: "Refused", kind: data.kind, field: data.field, data });
  }
}

/** There is no connection, or it ended before the answer. */
export class Lost extends Error { name = "Lost"; }

/** A number from 0 to below 1 that nobody guesses. */
const secureRandom = () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;

/** Makes a version 7 UUID (RFC 9562 §5.7). @returns {string} */
export function newId(now = Date.now(), random = secureRandom) {
  const time = Math.floor(now).toString(16).padStart(12, "0");
  const any = (letters) => letters[Math.floor(random() * letters.length)];
  const digits = (count) => Array.from({ length: count }, () => any("0123456789abcdef")).join("");
  const variant = any("89ab") + digits(3);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digits(3)}-${variant}-${digits(12)}`;
}

/** The key of an object in its copy, as text. @returns {string} */
export function keyOf(/** @type {any} */ { t, id, category, stream, seq, op }) {
  switch (t) {
    case "personal": case "reminder": return `${t} ${category} ${id}`;
    case "notification": return `${t} ${seq} ${op}`;
    case "membership": case "read_mark": case "declines": return `${t} ${stream}`;
    default: return `${t} ${id}`;
  }
}

const put = (map, objects) => objects.reduce((all, one) => all.set(keyOf(one), one), map);

/** The stream that a command is about and its key belongs to; undefined when it is not known. */
export function streamOf(method, params, user) {
  const [family] = method.split(".");
  const { commands: [first] = [], category, id, stream } = params;
  if (first) return streamOf(first.method, first.params, user);
  const isOwn = OWN_METHODS.includes(method) || ["person", "filter", "bot", "token", "webhook"].includes(family);
  if (isOwn) return user && `u:${user}`;
  if (category || family === "category") return `c:${category ?? id}`;
  return family === "group" ? `g:${id}` : stream;
}

/** Asks the server one thing without a session, such as `account.login`. It is sent once. */
export function askOnce(options, method, params = {}) {
  const { url, WebSocket = globalThis.WebSocket, timeoutMs = 30_000 } = options;
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, "whattodo.v1");
    const timer = setTimeout(() => socket.close(), timeoutMs);
    socket.onopen = () => socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    socket.onmessage = ({ data }) => {
      const { error, result } = JSON.parse(data);
      error ? reject(new Refused(error)) : resolve(result);
      socket.close(1000);
    };
    socket.onerror = () => {};
    socket.onclose = () => { clearTimeout(timer); reject(new Lost(`no answer to ${method}`)); };
  });
}

/** The store of a client whose copies and changes need not outlive the program. */
export class MemoryStore {
  copies = new Map();
  changes = new Map();
  async load() {
    return { copies: [...this.copies.values()], changes: [...this.changes.values()] };
  }
  async saveCopy(copy) { this.copies.set(copy.stream, copy); }
  async dropCopy(stream) { this.copies.delete(stream); }
  async saveChange(change) { this.changes.set(change.key, change); }
  async removeChange(key) { this.changes.delete(key); }
}

/** The copies of the streams, pure: pushes go in, and changes that are complete at a cursor come out. */
export class Copies {
  #copies = new Map(); // stream → { cursor, objects: key → object }
  #parts = new Map(); // stream → pushes whose end has not come

  constructor(saved = []) {
    for (const { stream, cursor, objects } of saved) {
      this.#copies.set(stream, { cursor, objects: put(new Map(), objects) });
    }
  }

  streams() { return [...this.#copies.keys()]; }
  objects(stream) { return this.#copies.get(stream)?.objects; }
  cursor(stream) { return this.#copies.get(stream)?.cursor; }
  saved(stream) {
    const copy = this.#copies.get(stream);
    return copy && { stream, cursor: copy.cursor, objects: [...copy.objects.values()] };
  }

  forgetParts() { this.#parts.clear(); }
  take({ method, params }) {
    if (method === "sync.snapshot" || method === "sync.objects") return this.#gather(params);
    return method === "sync.gone" ? this.#drop(params) : undefined;
  }

  /** Keeps a page of a snapshot, or a piece of a change, until its end comes. */
  #gather(part) {
    const { stream, epoch, seq, tx, page, pages, cursor } = part;
    const parts = page === 1 ? [] : this.#parts.get(stream) ?? [];
    // Pages come in their order. A change needs a copy: the snapshot of a new stream contains what came before it.
    if (page ? page !== parts.length + 1 : !this.#copies.has(stream)) return undefined;
    parts.push(part);
    this.#parts.set(stream, parts);
    if (page ? page < pages : !cursor) return undefined;
    this.#parts.delete(stream);
    const before = this.objects(stream) ?? new Map();
    const objects = parts.flatMap((one) => one.objects);
    const after = put(page ? new Map() : before, objects);
    const gone = page ? [...before.keys()].filter((key) => !after.has(key))
      : parts.flatMap(({ gone = [] }) => gone.map(keyOf));
    for (const key of gone) after.delete(key);
    this.#copies.set(stream, { cursor: cursor ?? { epoch, seq, tx }, objects: after });
    return { stream, objects, gone };
  }

  #drop({ stream }) {
    const copy = this.#copies.get(stream);
    for (const map of [this.#copies, this.#parts]) map.delete(stream);
    return copy && { stream, objects: [], gone: [...copy.objects.keys()] };
  }
}

/** One person's copies and changes; whattodo.d.ts says what each member is for. */
export class Client {
  ephemerals = new Map(); // stream → { kind: its newest push }
  hello;
  state = /** @type {any} */ ({ name: "connecting" });
  #options; #socket;
  #listeners = { change: [], state: [], events: [], ephemeral: [], refused: [], fault: [] };
  #timers = {};
  #moments = { ready: 0, heard: 0, pinged: 0 };
  #copies = new Copies();
  #unsaved = new Set(); // streams whose copy is newer than the store's
  #writes = Promise.resolve(); // ends with the last call of the store
  #loading; // until the store is read
  // Entries { change, status, attempts, resolve?, reject?, result?, isEarlier? }. The status is saving, waiting, sent
  // or answered. `isEarlier`: the answer came over a connection that is gone. Nobody waits for an earlier program's.
  #queue = [];
  #refused = [];
  #isEnded = false;
  #isReady = false; // between the answer to `hello` and the end of the connection
  #counts = { attempts: 0, requests: 0 };
  #pending = new Map(); // id → what to do with the error and the result
  #awaited; // streams that are not complete since `hello`
  #left = new Set(); // streams that ended over this connection
  #drain; // the wait that the server asked for

  constructor(options) {
    this.#options = { store: new MemoryStore(), WebSocket: globalThis.WebSocket, now: Date.now,
      random: secureRandom, streams: "all", program: { name: "whattodo.js", version: "1" },
      saveEveryMs: 1_000, ...options };
    this.#loading = this.#load();
  }

  onChange(f) { return this.#listen("change", f); }
  onState(f) { return this.#listen("state", f); }
  onEvents(f) { return this.#listen("events", f); }
  onEphemeral(f) { return this.#listen("ephemeral", f); }
  onRefused(f) { return this.#listen("refused", f); }
  onFault(f) { return this.#listen("fault", f); }

  copy(stream) { return this.#copies.objects(stream); }
  cursor(stream) { return this.#copies.cursor(stream); }
  get streams() { return this.#copies.streams(); }
  get waiting() { return this.#queue.map(({ change }) => change); }
  get refused() { return [...this.#refused]; }
  newId() { return newId(this.#options.now(), this.#options.random); }

  async do(method, params = {}) {
    const hasSecret = SECRETS.some((name) => name in params);
    if (hasSecret) throw new TypeError("no store shall keep a secret: send it by ask");
    params = JSON.parse(JSON.stringify(params));
    if (this.#loading) await this.#loading;
    if (this.#isEnded) throw new Lost("the client has ended");
    const entry = { change: this.#newChange(method, params), status: "saving", attempts: 0 };
    const settled = new Promise((...ends) => { [entry.resolve, entry.reject] = ends; });
    this.#queue.push(entry);
    settled.catch(() => {}); // The client may end while the change is being saved.
    await this.#write((store) => store.saveChange(entry.change));
    entry.status = "waiting";
    this.#pump();
    return settled;
  }

  ask(method, params = {}) {
    return new Promise((resolve, reject) => {
      if (!this.#isReady) throw new Lost("there is no connection");
      this.#request(method, params, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }

  discard(key) {
    this.#refused = this.#refused.filter((change) => change.key !== key);
    return this.#remove({ key });
  }

  flush() {
    for (const stream of this.#unsaved) {
      this.#write((store) => (
        this.copy(stream) ? store.saveCopy(this.#copies.saved(stream)) : store.dropCopy(stream)));
    }
    this.#unsaved.clear();
    return this.#writes;
  }
  wake() { if (this.state.name === "waiting") this.#connect(); }
  close() { this.#end("closed"); return this.flush(); }

  #listen(name, f) {
    this.#listeners[name].push(f);
    return () => { this.#listeners[name] = this.#listeners[name].filter((other) => other !== f); };
  }

  /** Calls the listeners. A fault of one is its program's own and does not stop the client. */
  #tell(name, value) {
    for (const f of this.#listeners[name]) {
      try { f(value); } catch (error) { queueMicrotask(() => { throw error; }); }
    }
  }

  #become(state) { this.state = state; this.#tell("state", state); }
  #after(purpose, milliseconds, f) {
    clearTimeout(this.#timers[purpose]);
    const fire = () => { this.#timers[purpose] = undefined; f(); };
    this.#timers[purpose] = setTimeout(fire, milliseconds);
  }

  async #load() {
    const { copies = [], changes = [] } = await this.#write((store) => store.load()) ?? {};
    changes.sort((one, other) => one.number - other.number);
    const waiting = changes.filter((change) => !change.error);
    this.#refused = changes.filter((change) => change.error);
    this.#queue = waiting.map((change) => ({ change, status: "waiting", attempts: 0 }));
    this.#copies = new Copies(copies);
    this.#loading = undefined;
    if (this.#isEnded) return;
    for (const { stream, objects } of copies) this.#tell("change", { stream, objects, gone: [] });
    this.#connect();
  }

  /** Calls the store when it has done everything before. */
  #write(call) {
    const done = this.#writes.then(() => call(this.#options.store));
    return this.#writes = done.catch((error) => this.#tell("fault", error));
  }

  #remove({ key }) { return this.#write((store) => store.removeChange(key)); }
  #newChange(method, params) {
    const own = this.streams.find((stream) => stream.startsWith("u:"));
    const cursor = this.cursor(streamOf(method, params, this.hello?.user ?? own?.slice(2)));
    const base = cursor && { epoch: cursor.epoch, seq: cursor.seq }; // as §10.4 says
    const number = Math.max(this.#options.now(), 1 + (this.waiting.at(-1)?.number ?? 0));
    const change = { number, key: this.newId(), method, params, base };
    const most = (this.hello ?? DEFAULTS).limits.messageBytes - 100;
    if (new TextEncoder().encode(JSON.stringify(change)).length <= most) return change;
    throw new Refused({ message: "The message is too long.", data: { kind: "too_large" } });
  }

  /** Sends the next change when none is unanswered. */
  #pump() {
    const entry = this.#queue.find(({ status }) => status !== "answered");
    const isHeld = !this.#isReady || this.#drain || this.#timers.hold;
    if (isHeld || entry?.status !== "waiting") return;
    const { method, params, base, key } = entry.change;
    Object.assign(entry, { status: "sent", attempts: entry.attempts + 1 });
    this.#request(method, { ...params, base, key }, (error, result) => {
      if (error) return this.#failed(entry, error);
      Object.assign(entry, { status: "answered", result });
      this.#settle();
      this.#pump();
    });
  }

  #failed(entry, error) {
    entry.status = "waiting";
    if (!(error instanceof Refused)) return;
    const { retry, afterMs } = error.data;
    if (retry === "reconnect") return this.#lose(1012);
    if (retry === "now" || retry === "after") {
      const usual = retry === "now" && entry.attempts === 1 ? 0 : this.#backOff(entry.attempts);
      return this.#after("hold", afterMs ?? usual, () => this.#pump());
    }
    this.#refuse(entry, error);
    this.#pump();
  }

  #refuse({ change, reject }, error) {
    this.#queue = this.#queue.filter((entry) => entry.change !== change);
    // The store forgets the change before the refusal is told, so no later program sends it again.
    if (reject) return void this.#remove(change).then(() => reject(error));
    // Nobody waits for it any more, so it is kept until somebody has looked; the text of others is not (§5.6).
    const { kind, message, field } = error;
    const refused = { ...change, error: { kind, message, field } };
    this.#refused.push(refused);
    this.#write((store) => store.saveChange(refused));
    this.#tell("refused", refused);
  }

  /** Ends the answered changes whose events the copies contain. */
  #settle() {
    const isSettled = (entry) => entry.status === "answered" && this.#contains(entry);
    for (const entry of this.#queue.filter(isSettled)) {
      this.#queue = this.#queue.filter((other) => other !== entry);
      this.#remove(entry.change);
      entry.resolve?.(entry.result);
    }
  }

  #contains({ result, isEarlier }) {
    // Copies that a later connection completed contain the events, unless the history is another one.
    if (isEarlier && this.#awaited?.size === 0) return true;
    // A stream without a copy counts only while its copy is on its way.
    const { user, limits } = this.hello;
    const hasAll = this.#options.streams === "all" && this.streams.length < limits.subscriptions;
    const isMember = (stream) => this.copy(`u:${user}`)?.has(keyOf({ t: "membership", stream }));
    const isComing = (stream) => this.#awaited?.has(stream)
      || (hasAll && !this.#left.has(stream) && isMember(stream));
    return (result.events ?? []).every(({ stream, seq }) => (
      this.copy(stream) ? this.cursor(stream).seq >= seq : !isComing(stream)));
  }

  #connect() {
    clearTimeout(this.#timers.retry);
    this.#become({ name: "connecting" });
    if (this.#isEnded) return;
    const socket = new this.#options.WebSocket(this.#options.url, "whattodo.v1");
    const ours = (f) => (event) => { if (this.#socket === socket) f(event); };
    socket.onopen = ours(() => this.#greet());
    socket.onmessage = ours(({ data }) => this.#receive(JSON.parse(data)));
    socket.onclose = ours(({ code, reason }) => this.#lose(code, reason));
    socket.onerror = () => {};
    this.#socket = socket;
    this.#moments.heard = this.#options.now();
    this.#timers.look = setInterval(() => this.#look(), LOOK_MS);
  }

  #greet() {
    const { token, link, program, streams } = this.#options;
    const cursors = Object.fromEntries(this.streams.map((one) => [one, this.cursor(one)]));
    const hello = { token, link, client: program, cursors, streams, features: ["objects"] };
    this.#request("hello", hello, (error, result) => {
      if (!error) return this.#greeted(result);
      if (!(error instanceof Refused)) return;
      const { kind, retry, afterMs } = error.data;
      if (kind === "unauthenticated") return this.#end("signedOut", error);
      if (retry === "no") return this.#end("stopped", error);
      if (afterMs) this.#drain = { afterMs, withinMs: afterMs / 2 };
      this.#lose(1013);
    });
  }

  #greeted(hello) {
    const isOld = !hello.features?.includes("objects");
    if (isOld) return this.#end("stopped", new Error("the server does not send whole objects"));
    [this.hello, this.#isReady] = [hello, true];
    this.#moments.ready = this.#options.now();
    const inMode = (...modes) => hello.streams.filter(({ mode }) => modes.includes(mode));
    this.#awaited = new Set(inMode("tail", "snapshot").map(({ stream }) => stream));
    for (const params of inMode("gone")) this.#take({ method: "sync.gone", params });
    this.#level();
    this.#pump();
  }

  /** Notes that a stream is complete. */
  #level(stream) {
    this.#awaited?.delete(stream);
    if (this.#awaited?.size !== 0 || this.state.name === "live") return;
    this.#settle();
    this.#become({ name: "live" });
  }

  #receive(message) {
    this.#moments.heard = this.#options.now();
    if (message.method) return this.#take(message);
    // Answers come in the order of the requests. One without an id belongs to the oldest request.
    const id = message.id ?? this.#pending.keys().next().value;
    const done = this.#pending.get(id);
    this.#pending.delete(id);
    done?.(message.error && new Refused(message.error), message.result);
  }

  #take(push) {
    const { method, params, params: { stream, kind } } = push;
    switch (method) {
      case "sync.events": return this.#tell("events", params);
      case "sync.live": return this.#level(stream);
      case "server.drain": return void (this.#drain = params);
      case "ephemeral":
        this.ephemerals.set(stream, { ...this.ephemerals.get(stream), [kind]: params });
        return this.#tell("ephemeral", params);
      case "sync.snapshot": this.#left.delete(stream); break;
      case "sync.gone": this.#left.add(stream); this.ephemerals.delete(stream);
    }
    const change = this.#copies.take(push);
    if (change) {
      this.#unsaved.add(stream);
      if (!this.#timers.save) this.#after("save", this.#options.saveEveryMs, () => this.flush());
    }
    this.#settle();
    if (change) this.#tell("change", change);
    if (method === "sync.gone") this.#level(stream);
  }

  #request(method, params, done) {
    const id = ++this.#counts.requests;
    this.#pending.set(id, done);
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  }

  /** Asks a silent server for a sign of life, and leaves it when none comes (§2.3). A tab that slept asks first. */
  #look() {
    const { pingEveryMs, timeoutMs } = (this.hello ?? DEFAULTS).heartbeat;
    const now = this.#options.now(), { heard, pinged } = this.#moments;
    if (now - heard < pingEveryMs) return;
    if (pinged > heard) return void (now - pinged >= timeoutMs - pingEveryMs && this.#lose(1006));
    this.#moments.pinged = now;
    if (this.#isReady) this.#request("ping", {}, () => {});
  }

  /** A random wait before attempt n, from 0 (§2.4). */
  #backOff(n) {
    const { minMs, maxMs, factor } = (this.hello ?? DEFAULTS).retry;
    return this.#options.random() * Math.min(maxMs, minMs * factor ** n);
  }

  /** The connection is gone, or is given up. */
  #lose(code, reason = "") {
    const isForbidden = code >= 4500 && code <= 4999 && code !== HELLO_TIMEOUT;
    if (isForbidden || FINAL_CODES.includes(code)) {
      const name = SIGNED_OUT_CODES.includes(code) ? "signedOut" : "stopped";
      return this.#end(name, new Lost(`closed with ${code} ${reason}`));
    }
    const { now, random } = this.#options;
    if (this.#isReady && now() - this.#moments.ready >= STABLE_MS) this.#counts.attempts = 0;
    const drain = this.#drain;
    const retryMs = drain ? drain.afterMs + random() * drain.withinMs
      : this.#backOff(this.#counts.attempts++);
    this.#disconnect();
    this.#after("retry", retryMs, () => this.#connect());
    this.#become({ name: "waiting", retryMs });
  }

  /** Forgets everything that belongs to the connection. */
  #disconnect() {
    const [socket, pending] = [this.#socket, [...this.#pending.values()]];
    clearInterval(this.#timers.look);
    this.#socket = this.#drain = this.#awaited = undefined;
    this.#isReady = false;
    for (const one of [this.#pending, this.#left, this.ephemerals]) one.clear();
    this.#copies.forgetParts();
    socket?.close();
    for (const entry of this.#queue) entry.isEarlier = entry.status === "answered";
    for (const done of pending) done(new Lost("the connection ended before the answer"));
  }

  /** Nothing is tried any more. Changes stay in the store. */
  #end(name, error) {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#disconnect();
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
    for (const { reject } of this.#queue) reject?.(new Lost("the client has ended; this is kept"));
    this.#become({ name, error });
    this.flush();
  }
}
