// A client of protocol/README.md in JavaScript, the same for Node (as a module) and for a browser (as a script).
// It signs in, adds a post, sees it pushed, waits for somebody else's answer, and tells what it saw.

/** Calls wait for their answer; `seen` waits for a push with these words in it. */
class Peer {
  constructor(socket) {
    this.socket = socket;
    this.number = 0;
    this.waiting = new Map();
    this.pushes = [];
    this.watchers = [];
    this.ended = new Promise((_, reject) => {
      socket.onclose = (event) => reject(new Error(`closed with ${event.code} ${event.reason}`));
    });
    this.ended.catch(() => {});
    socket.onmessage = (event) => this.take(JSON.parse(event.data));
  }

  take(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting) {
      this.waiting.delete(message.id);
      return message.error ? waiting.reject(new Error(JSON.stringify(message.error))) : waiting.resolve(message.result);
    }
    this.pushes.push(JSON.stringify(message));
    for (const watch of this.watchers) watch();
  }

  call(method, params) {
    const id = ++this.number;
    this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    return Promise.race([answer, this.ended]);
  }

  seen(words) {
    const found = new Promise((resolve) => {
      const look = () => this.pushes.some((push) => push.includes(words)) && resolve();
      this.watchers.push(look);
      look();
    });
    return Promise.race([found, this.ended]);
  }
}

/** `uuid` makes a version 4 UUID. */
async function visit(socket, uuid, { username, password, category, title, answer }) {
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = (event) => reject(new Error(`no connection: ${event.message ?? "the browser does not say why"}`));
  });
  const peer = new Peer(socket);
  const { token } = await peer.call("account.login", { username, password });
  await peer.call("hello", { token, client: { name: "peer.js", version: "1" } });
  const added = await peer.call("post.add", { category, id: uuid(), title, key: uuid() });
  await peer.seen(title);
  await peer.seen(answer);
  return { extensions: socket.extensions, protocol: socket.protocol, number: added.number, pushes: peer.pushes.length };
}

if (typeof module !== "undefined" && typeof process !== "undefined") {
  // node peer.js URL AUTHORITY TASK: the task as JSON; what was seen goes to standard output.
  const [url, authority, task] = process.argv.slice(2);
  const WebSocket = require("ws");
  const socket = new WebSocket(url, ["whattodo.v1"], { ca: require("fs").readFileSync(authority) });
  visit(socket, () => require("crypto").randomUUID(), JSON.parse(task)).then(
    (seen) => { console.log(JSON.stringify(seen)); process.exit(0); },
    (error) => { console.error(error.message); process.exit(1); });
}
