// A visit of protocol/clients/whattodo.js in a browser, first in the tab and then in a worker, for javascript_client.py.
import { Client, askOnce, newId } from "./whattodo.js";

/** The object with these words in its title, once a copy has it. */
const seen = (client, title) => new Promise((resolve) => {
  const look = ({ objects }) => {
    const found = objects.find((object) => object.title === title);
    if (found) resolve(found);
  };
  client.onChange(look);
  for (const stream of client.streams) look({ objects: [...client.copy(stream).values()] });
});

/** Signs in, adds a post, and sees somebody else's answer. */
async function visit({ url, username, password, category, title, answer }) {
  const { token } = await askOnce({ url }, "account.login", { username, password });
  const client = new Client({ url, token });
  const ended = new Promise((_, reject) => {
    client.onState(({ name, error }) => { if (error) reject(new Error(`${name}: ${error.message}`)); });
  });
  const id = newId();
  const { number } = await Promise.race([client.do("post.add", { category, id, title }), ended]);
  const answered = await Promise.race([seen(client, answer), ended]);
  const mine = client.copy(`c:${category}`).get(`post ${id}`);
  await client.close();
  return { number, mine: mine.title, answer: answered.title, state: client.state.name };
}

if (typeof document === "undefined") {
  onmessage = ({ data }) => visit(data).then(postMessage, (error) => postMessage({ error: String(error) }));
} else {
  const tell = (words) => fetch("/seen", { method: "POST", body: JSON.stringify(words) });
  const inWorker = (task) => new Promise((resolve, reject) => {
    const worker = new Worker("/javascript_visit.js", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(task);
  });
  fetch("/task").then((task) => task.json()).then(async (task) => {
    const tab = await visit(task);
    return { tab, worker: await inWorker({ ...task, title: `${task.title} too` }) };
  }).then(tell, (error) => tell({ error: String(error) }));
}
