// Uses everything that protocol/clients/whattodo.d.ts exports, for javascript_types.py. It is compiled and never run. A
// line below `@ts-expect-error` must not compile.
import {
  Client, Copies, Lost, MemoryStore, Refused, askOnce, keyOf, newId, streamOf,
} from "../../protocol/clients/whattodo.js";
import type {
  Change, CopyChange, Cursor, End, Ephemeral, Options, SavedCopy, State, Store, StoredObject, WebSocketClass,
} from "../../protocol/clients/whattodo.js";
// @ts-expect-error: there is no such name.
import type { Replica } from "../../protocol/clients/whattodo.js";

const post: StoredObject = { t: "post", id: "1", title: "Milk", version: 1 };
const cursor: Cursor = { epoch: "e", seq: 7, tx: "t" };
const saved: SavedCopy = { stream: "c:1", cursor, objects: [post] };
const waiting: Change = { number: 1, key: "k", method: "post.add", params: { title: "Milk" } };
const refused: Change = { ...waiting, base: { epoch: "e", seq: 7 }, error: { kind: "invalid", message: "no", field: "title" } };
// @ts-expect-error: a cursor has a number.
const noCursor: Cursor = { epoch: "e" };
// @ts-expect-error: the number of an event is no text.
const textCursor: Cursor = { epoch: "e", seq: "7" };

/** A store of one's own, as a program writes it for IndexedDB or a file. */
class OwnStore implements Store {
  async load() { return { copies: [saved], changes: [waiting, refused] }; }
  async saveCopy({ stream, cursor, objects }: SavedCopy) { return [stream, cursor.seq, objects.length]; }
  async dropCopy(stream: string) { return stream; }
  async saveChange(change: Change) { return change.key; }
  async removeChange(key: string) { return key; }
}
// @ts-expect-error: it keeps no changes.
const half: Store = { load: async () => ({ copies: [], changes: [] }), saveCopy: async () => 1, dropCopy: async () => 1 };
// @ts-expect-error: a store answers with promises.
const sudden: Store = { ...new OwnStore(), load: () => ({ copies: [], changes: [] }) };

const memory: Store = new MemoryStore();
const sizes: number = new MemoryStore().copies.size + new MemoryStore().changes.size;
const platform: WebSocketClass = WebSocket;
const options: Options = {
  url: "wss://host/ws", token: "t", link: "l", store: new OwnStore(), WebSocket: platform, now: () => 1, random: () => 0.5,
  streams: ["c:1"], program: { name: "p", version: "1" }, saveEveryMs: 500,
};
// @ts-expect-error: an address is needed.
new Client({ token: "t" });
// @ts-expect-error: an option that is not known.
new Client({ url: "wss://host/ws", password: "p" });
// @ts-expect-error: there is no such choice of streams.
new Client({ url: "wss://host/ws", streams: "some" });

/** Says a state in words, which needs each name once. */
function words(state: State): string {
  switch (state.name) {
    case "connecting": case "live": return state.name;
    case "waiting": return `again in ${state.retryMs} ms`;
    case "signedOut": case "stopped": case "closed": return state.error?.message ?? state.name;
  }
}
// @ts-expect-error: only a client that waits has a time.
const wait = (state: State): number => state.retryMs;

export async function visit(): Promise<string[]> {
  const client = new Client({ url: "wss://host/ws", store: memory, streams: "all" });
  const seen: string[] = [words(client.state), client.hello?.user, client.newId()];
  const ends: End[] = [
    client.onChange(({ stream, objects, gone }: CopyChange) => seen.push(stream, ...gone, ...objects.map(keyOf))),
    client.onState((state) => seen.push(words(state))),
    client.onEvents(({ stream, epoch, from, events }) => seen.push(stream, epoch, `${from + events.length}`)),
    client.onEphemeral(({ stream, kind, count, entries }: Ephemeral) => seen.push(
      stream, kind, `${count}`, ...(entries ?? []).map(({ user, post, done, of, text }) => `${user}${post}${done}${of}${text}`))),
    client.onRefused(({ key, error }) => seen.push(key, error?.kind ?? "")),
    client.onFault((error) => seen.push(`${error}`)),
  ];
  const titles = [...client.copy("c:1")?.values() ?? []].map(({ title }) => title);
  seen.push(...titles, ...client.streams, ...client.waiting.map(({ method }) => method));
  seen.push(`${client.cursor("c:1")?.seq}`, `${client.ephemerals.get("c:1")?.typing?.count}`);
  try {
    await client.do("post.add", { category: "1", id: newId(), title: "Milk" });
    await client.ask("post.list", { category: "1", show: "open" });
    await client.ask("ping");
  } catch (error) {
    if (error instanceof Refused) seen.push(error.kind, error.field ?? "", error.message, error.data.retry);
    if (error instanceof Lost) seen.push(error.message);
  }
  for (const change of client.refused) await client.discard(change.key);
  for (const end of ends) end();
  client.wake();
  await client.flush();
  await client.close();
  return seen;
}

export async function wrong(client: Client, copies: Copies) {
  // @ts-expect-error: a method is a text.
  await client.do(1);
  // @ts-expect-error: nobody sets the state from outside.
  client.state = { name: "live" };
  // @ts-expect-error: a copy is not changed in place.
  client.copy("c:1")?.set("post 1", post);
  // @ts-expect-error: there may be no copy.
  client.copy("c:1").size;
  // @ts-expect-error: there may be no cursor.
  client.cursor("c:1").seq;
  // @ts-expect-error: there may be no cursor here either.
  copies.cursor("c:1").seq;
  // @ts-expect-error: an object has a kind.
  keyOf({ id: "1" });
  // @ts-expect-error: the stream may not be known.
  const stream: string = streamOf("post.add", {});
  // @ts-expect-error: it is told to nobody.
  client.onPush(() => {});
}

export async function signIn(): Promise<string> {
  const { token } = await askOnce({ url: options.url, WebSocket: platform, timeoutMs: 1_000 }, "account.login", { username: "u" });
  // @ts-expect-error: the method is missing.
  await askOnce({ url: options.url });
  return token;
}

export function pure(): unknown[] {
  const copies = new Copies([saved]), error = new Refused({ message: "no", code: -32602, data: { kind: "invalid" } });
  copies.forgetParts();
  const change: CopyChange | undefined = copies.take({ method: "sync.gone", params: { stream: "c:1" } });
  return [copies.streams(), copies.objects("c:1")?.get("post 1")?.title, copies.cursor("c:1")?.seq, copies.saved("c:1")?.objects,
    change?.gone, error.kind, newId(1, () => 0), streamOf("post.add", { category: "1" }, "u")?.slice(2), new Lost().message, sizes];
}
