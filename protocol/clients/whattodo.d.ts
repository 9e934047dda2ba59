// The types of whattodo.js, and the contract of its store.

/** An object of protocol §6. It is never changed in place; a newer one replaces it. */
export interface StoredObject {
  t: string;
  id?: string;
  [member: string]: any;
}

/** The last event that a copy contains (§5.2). */
export interface Cursor {
  epoch: string;
  seq: number;
  tx?: string;
}

/** A copy at its cursor. */
export interface SavedCopy {
  stream: string;
  cursor: Cursor;
  objects: StoredObject[];
}

/** A change of a copy that is complete at a cursor: the objects as they are now, and the keys of those that went. */
export interface CopyChange {
  stream: string;
  objects: StoredObject[];
  gone: string[];
}

/** A command that was asked for and is not settled, or was refused (`error`). */
export interface Change {
  /** The order in which changes are sent. */
  number: number;
  /** The key by which the server knows a repeat (§10.1). */
  key: string;
  method: string;
  params: { [name: string]: any };
  /** The cursor that the person acted on (§10.4). */
  base?: { epoch: string; seq: number };
  error?: { kind: string; message: string; field?: string };
}

/**
 * Keeps copies and changes beyond the life of a program; one store belongs to one account and one client at a time. A
 * client calls it for one thing after the other and waits for each. When the program dies during a call, the call has
 * happened as a whole or not at all. A call that fails is told by `onFault`, and the client goes on in memory.
 */
export interface Store {
  load(): Promise<{ copies: SavedCopy[]; changes: Change[] }>;
  /** Replaces the copy of the stream, objects and cursor together. It may be lost: the server sends the rest again. */
  saveCopy(copy: SavedCopy): Promise<unknown>;
  dropCopy(stream: string): Promise<unknown>;
  /** Adds or replaces the change with this key. It is on stable storage when the promise is fulfilled. */
  saveChange(change: Change): Promise<unknown>;
  removeChange(key: string): Promise<unknown>;
}

/** A store whose copies and changes end with the program. */
export class MemoryStore implements Store {
  /** Each copy by its stream, and each change by its key. */
  readonly copies: Map<string, SavedCopy>;
  readonly changes: Map<string, Change>;
  load(): Promise<{ copies: SavedCopy[]; changes: Change[] }>;
  saveCopy(copy: SavedCopy): Promise<void>;
  dropCopy(stream: string): Promise<void>;
  saveChange(change: Change): Promise<void>;
  removeChange(key: string): Promise<void>;
}

/** A `WebSocket` of the platform, or a class with the same interface such as that of Node's `ws`. */
export type WebSocketClass = new (url: string, protocol: string) => any;

export interface Options {
  /** `wss://HOST/ws`. */
  url: string;
  /** The token of a session. Without it and without `link`, `hello` has neither. */
  token?: string;
  /** The code of a link (§8.12), for somebody who only looks. */
  link?: string;
  /** A `MemoryStore` by default. */
  store?: Store;
  /** The platform's by default. */
  WebSocket?: WebSocketClass;
  /** Milliseconds since 1970; `Date.now` by default. */
  now?: () => number;
  /** A number from 0 to below 1; by default one that nobody guesses. */
  random?: () => number;
  /** The streams that are wanted; `all` by default. */
  streams?: "all" | "none" | string[];
  /** How the person's sessions name this program. */
  program?: { name: string; version: string };
  /** How long a changed copy may wait for the store; 1000 by default. */
  saveEveryMs?: number;
}

/**
 * `live`: every copy is complete. `waiting`: the next attempt comes after `retryMs`. `signedOut`: the session is over.
 * `stopped`: the server wants no more attempts of this program. `closed`: `close` was called. The last three are final.
 */
export type State =
  | { name: "connecting" | "live" }
  | { name: "waiting"; retryMs: number }
  | { name: "signedOut" | "stopped" | "closed"; error?: Error };

/** The push `ephemeral` (§5.5). */
export interface Ephemeral {
  stream: string;
  kind: string;
  count: number;
  entries?: { user: string; post?: string; done?: number; of?: number; text?: string }[];
}

/** Ends what `on…` began. */
export type End = () => void;

/** One person's copies and changes. It loads its store and connects by itself. */
export class Client {
  constructor(options: Options);

  readonly state: State;
  /** The result of the last `hello` (§8.1). */
  readonly hello: any;
  /** stream → kind → its newest push. Empty without a connection. */
  readonly ephemerals: ReadonlyMap<string, { [kind: string]: Ephemeral }>;
  /** The streams that have a copy. */
  readonly streams: string[];
  /** The changes that are not settled, in their order. */
  readonly waiting: Change[];
  /** Refused changes of an earlier program, until `discard`. Those of this program are told by their promise. */
  readonly refused: Change[];

  /** The objects of a stream by `keyOf`; undefined without a copy. */
  copy(stream: string): ReadonlyMap<string, StoredObject> | undefined;
  cursor(stream: string): Cursor | undefined;

  /** Called for each copy of the store, and each time that a copy is complete at a new cursor, or gone. */
  onChange(f: (change: CopyChange) => void): End;
  onState(f: (state: State) => void): End;
  /** The events behind the changes (§7), for news. They come before their objects, and not with a snapshot. */
  onEvents(f: (push: { stream: string; epoch: string; from: number; events: any[] }) => void): End;
  onEphemeral(f: (push: Ephemeral) => void): End;
  /** Called when a change of an earlier program was refused; it is in `refused` then. */
  onRefused(f: (change: Change) => void): End;
  /** Called when a call of the store failed. */
  onFault(f: (error: unknown) => void): End;

  /**
   * Sends a command (a method with a `key`), now or when there is a connection, and once in effect whatever happens. The
   * promise has the result when the copies contain it. It fails with `Refused` when the server or the client refuses
   * the change, and with `Lost` when the client ends first; then the change stays in the store. Secrets are refused
   * with a `TypeError`, because the store would keep them: send them by `ask` with a key of `newId`.
   */
  do(method: string, params?: object): Promise<any>;
  /** Asks once, now. It fails with `Refused`, or with `Lost` when there is no connection or it ends too early. */
  ask(method: string, params?: object): Promise<any>;
  /** Forgets a refused change. */
  discard(key: string): Promise<void>;
  /** A version 7 UUID. */
  newId(): string;
  /** Gives changed copies to the store now. Fulfilled when the store has done everything. */
  flush(): Promise<void>;
  /** Ends a wait: connects now, as when a tab comes back or the network does. */
  wake(): void;
  /** Ends the connection and flushes. Changes stay in the store. */
  close(): Promise<void>;
}

/** The copies of the streams, pure: pushes go in, and changes that are complete at a cursor come out. */
export class Copies {
  constructor(saved?: SavedCopy[]);
  streams(): string[];
  objects(stream: string): Map<string, StoredObject> | undefined;
  cursor(stream: string): Cursor | undefined;
  /** All of a copy with its cursor, for a store. */
  saved(stream: string): SavedCopy | undefined;
  /** Forgets what a lost connection has begun. */
  forgetParts(): void;
  /** Takes a push. Answers with the change when a copy is complete at a new cursor, or gone. */
  take(push: { method: string; params: any }): CopyChange | undefined;
}

/** An error answer (§11). */
export class Refused extends Error {
  constructor(error: { message: string; code?: number; data?: { [name: string]: any } });
  readonly kind: string;
  readonly field?: string;
  readonly data: { [name: string]: any };
}

/** There is no connection, or it ended before the answer. */
export class Lost extends Error {}

/** Asks the server one thing without a session, such as `account.login`. It is sent once. */
export function askOnce(
  options: { url: string; WebSocket?: WebSocketClass; timeoutMs?: number }, method: string, params?: object,
): Promise<any>;

/** Makes a version 7 UUID (RFC 9562 §5.7). */
export function newId(now?: number, random?: () => number): string;

/** The key of an object in its copy, or of a key in `gone`, as text. */
export function keyOf(object: StoredObject): string;

/** The stream that a command is about and its key belongs to (§10.4); undefined when it is not known. */
export function streamOf(method: string, params: { [name: string]: any }, user?: string): string | undefined;
