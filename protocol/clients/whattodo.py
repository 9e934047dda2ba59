"""A client of a WhatTODO server (protocol/README.md). It needs Python 3.11, and `websockets` 13 or later (PyPI).

    with Client("wss://HOST/ws", login("wss://HOST/ws", "mybot", "correct horse")) as client:
        client.wait_live()
        groceries = next(each for each in client.lists() if each["name"] == "Groceries")
        client.on_change(lambda stream, objects, gone: print(stream, objects, gone))
        client.do("post.add", category=groceries["id"], id=new_id(), title="Milk")

Changes: one change is unanswered at a time, so they take effect in the order in which they were made, also when the
server has to refuse for a while. A `batch` sends many at once. After a lost answer the same change goes again with
the same key. Only a result or a final refusal takes a change out of the line.

Connection: after a loss the client comes back with its cursors when the server's advice says so. After
`unauthenticated` and the close codes that forbid it, the client stays away, and every call raises `Ended`.

Threads: one has the event loop, another calls the listeners. `_lock` guards the values that callers share with the
loop. A copy's objects are replaced and never changed in place, so reading needs no lock.
"""
import asyncio
import collections
import contextlib
import functools
import json
import logging
import os
import pathlib
import queue
import random
import secrets
import ssl
import threading
import time
import types
import urllib.parse
import uuid

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, WebSocketException

PROGRAM = {"name": "whattodo.py", "version": "1"}
RETRY, LIMITS = {"minMs": 500, "maxMs": 30_000, "factor": 2}, {"messageBytes": 262_144}  # Before the first `hello`.
STABLE_SECONDS = 30  # A connection that was ready for so long begins the back-off anew (§2.4).
SEEN_SECONDS = 10  # An answer waits at most so long for its copy.
# The library answers the server's pings. It sends its own, and gives a silent server up after 60 s (§2.3).
CONNECTION = {"subprotocols": ["whattodo.v1"], "max_size": 2**20, "open_timeout": 20,
              "ping_interval": 20, "ping_timeout": 40, "close_timeout": 2}
FINAL_CODES = {1002, 1003, 1007, 1008, 1009, *range(4500, 5000)} - {4501}
# Objects of other kinds have `t` and `id` as their key (§6).
KEYS = {"personal": ("t", "category", "id"), "reminder": ("t", "category", "id"),
        "notification": ("t", "seq", "op"), "membership": ("t", "stream"),
        "read_mark": ("t", "stream"), "declines": ("t", "stream")}
# Methods about the sender's own `u:` stream, although they name another one (§10.4).
OWN = {"post.plan", "post.snooze", "post.day", "post.note", "post.watch", "reminder.add",
       "reminder.remove", "category.move", "notification.read"}
# A command that waits for its outcome, a result or `Refused`. A kept one stands in the folder's file.
Change = functools.partial(types.SimpleNamespace, is_wanted=True, outcome=None)
log = logging.getLogger("whattodo")


class Refused(Exception):
    """An error answer (§11). `field` is the parameter at fault, if there is one."""
    def __init__(self, kind, message, data=()):
        super().__init__(f"{kind}: {message}")
        self.kind, self.message, self.data = kind, message, dict(data)
        self.field, self.retry, self.after = map(self.data.get, ("field", "retry", "afterMs"))


class Ended(Refused):
    """The client is closed, or the server does not let it come back."""


def new_id():
    """A version 7 UUID (RFC 9562 §5.7)."""
    value = int(time.time() * 1000) << 80 | 7 << 76 | secrets.randbits(12) << 64
    return str(uuid.UUID(int=value | 2 << 62 | secrets.randbits(62)))


def key_of(item):
    """The key of an object, or of an entry of `gone`, as a tuple."""
    return tuple(item.get(name) for name in KEYS.get(item["t"], ("t", "id")))


def stream_of(method, params, own):
    """The stream that a command is about (§10.4), as far as it is known. `own` is the sender's."""
    if method == "batch":
        return stream_of(*map(params["commands"][0].get, ("method", "params")), own)
    if method in OWN:
        return own
    if "category" in params:
        return f"c:{params['category']}"
    if method.split(".")[0] in ("category", "group"):
        return f"{method[0]}:{params['id']}"
    return params.get("stream", own)


def options_for(url, plain, more):
    """The connection's options. Tokens go over TLS, or stay on this machine (§2.5)."""
    parts = urllib.parse.urlsplit(url)
    is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.scheme != "wss" and not plain and not is_here:
        raise ValueError(f"{url} is not encrypted; plain=True uses it all the same")
    return CONNECTION | more


async def ask_on(socket, method, params):
    """The answer to the first request of a connection. Pushes that come before it say nothing yet."""
    await socket.send(json.dumps({"jsonrpc": "2.0", "id": 0, "method": method, "params": params}))
    while "id" not in (answer := json.loads(await socket.recv())):
        pass
    return result_of(answer)


def result_of(answer):
    if "error" not in answer:
        return answer["result"]
    data = answer["error"].get("data", {})
    raise Refused(data.get("kind", "internal"), answer["error"]["message"], data)


def ask_once(url, method, params, *, plain=False, **options):
    """Asks one thing without a session, on a connection of its own. The options are those of `websockets`."""
    async def ask():
        # The library compresses all messages or none, and a secret is not compressed (§2.6).
        async with connect(url, **(options_for(url, plain, options) | {"compression": None})) as socket:
            return await ask_on(socket, method, params)
    return asyncio.run(ask())


def login(url, username, password, **options):
    """The token of a new session."""
    params = {"username": username, "password": password, "client": PROGRAM}
    return ask_once(url, "account.login", params, **options)["token"]


def register(url, username, password, *, kind="bot", code=None, **options):
    """Makes an account. The answer is the token of its first session."""
    params = {"id": new_id(), "username": username, "password": password, "kind": kind}
    ask_once(url, "account.register", params | ({"code": code} if code else {}), **options)
    return login(url, username, password, **options)


class Copy:
    """The objects of a stream by their keys, at a cursor (§5.4)."""
    def __init__(self, cursor=None, objects=()):
        self.cursor, self.objects = cursor, {key_of(each): each for each in objects}
        self.forget()

    def forget(self):  # Messages that wait for the last one of them.
        self.put, self.gone = {}, []

    def take(self, push):
        """(changed objects, keys of gone ones) with the last page, or the message with a cursor; else None."""
        is_page, before = "page" in push, self.objects
        if is_page and push["page"] == 1:
            self.forget()
        self.put |= {key_of(each): each for each in push["objects"]}
        self.gone += map(key_of, push.get("gone", ()))
        cursor = push if is_page and push["page"] == push["pages"] else push.get("cursor")
        if not cursor:
            return None
        put, gone = self.put, set(self.gone)
        self.forget()
        if not is_page and (cursor["epoch"] != self.cursor["epoch"] or cursor["seq"] <= self.cursor["seq"]):
            return None
        objects = put if is_page else {key: it for key, it in (before | put).items() if key not in gone}
        self.objects, self.cursor = objects, {it: cursor[it] for it in ("epoch", "seq", "tx") if it in cursor}
        changed = [it for key, it in put.items() if it != before.get(key)]
        return changed, [key for key in before if key not in objects]


class Folder:
    """One file of kept changes and one of copies. A folder has one account, and one client at a time."""
    def __init__(self, path):
        import fcntl  # Windows has no such lock, and a client without a folder needs none.
        self.path, changes = pathlib.Path(path), {}
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.file = open(self.path / "changes", "a+b", buffering=0)
        fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.file.seek(0)
        for line in self.file.read().splitlines():
            try:
                key, *change = json.loads(line)
                changes[key] = change
            except ValueError:
                continue  # It is empty, or was cut off by the end of its program, and nobody was told of it.
        self.changes = [change for change in changes.values() if change]

    def append(self, *record):
        """The record is on stable storage afterwards. The line feed before it ends a line that was cut off."""
        if self.file.write(data := f"\n{json.dumps(record)}\n".encode()) != len(data):
            raise OSError("there is no room for a change")
        os.fsync(self.file.fileno())

    def load(self):
        """The copies; none if their file is damaged, because the server sends the objects again."""
        try:
            return {it[0]: Copy(*it[1:]) for it in json.loads((self.path / "copies").read_bytes())}
        except (FileNotFoundError, ValueError):
            return {}

    def save(self, copies):
        rows = [(name, it.cursor, list(it.objects.values())) for name, it in copies.items() if it.cursor]
        try:
            (self.path / "part").write_text(json.dumps(rows))
            os.replace(self.path / "part", self.path / "copies")
        except OSError as fault:
            log.warning("the copies are not saved: %s", fault)


class Client(contextlib.AbstractContextManager):
    """One session's copies and changes. It connects by itself, and `close` ends it.

    `streams` is as in `hello`. `folder` keeps copies, and the changes of `queue`, beyond the life of the program. Calls
    raise `TimeoutError` after `timeout` seconds; None waits as long as it takes. The options are those of `websockets`.
    `changes` are the ones without an answer, in their order.
    """
    def __init__(self, url, token, *, folder=None, streams="all", timeout=60, plain=False, **options):
        self.url, self.options, self.timeout = url, options_for(url, plain, options), timeout
        self._wishes = {"token": token, "client": PROGRAM, "streams": streams, "features": ["objects"]}
        self._folder = Folder(folder) if folder else None
        self.copies = self._folder.load() if folder else {}
        self.changes = collections.deque(
            Change(method=it[0], params=it[1], is_kept=True) for it in (self._folder.changes if folder else ()))
        # Streams whose copies are not complete on this connection; None without a connection.
        self._missing = self._pause = self._sender = self.ended = None
        self.hello, self._answers, self._number = {}, {}, 0
        self._lock, self._listeners = threading.Condition(), collections.defaultdict(list)
        self._calls, self._news, self._loop = queue.SimpleQueue(), asyncio.Event(), asyncio.new_event_loop()
        self._work = self._loop.create_task(self._run())
        self._threads = [threading.Thread(target=target, daemon=True) for target in (
            self._call_listeners, lambda: self._loop.run_until_complete(self._work))]
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Ends everything. The changes of `queue` stay in the folder."""
        if not self.ended:
            self._loop.call_soon_threadsafe(self._work.cancel)
        for thread in set(self._threads) - {threading.current_thread()}:
            thread.join()

    def on_change(self, f):
        """Calls f(stream, changed objects, keys of gone ones) for each copy that is complete at a new cursor."""
        self.on("change", f)

    def on(self, name, f):
        """Calls `f` for each `change`, first for the copies that are there; for each `push` with (method, params); for
        each `refused` change of `queue` with (method, params, refusal); and for the `end` with its reason."""
        with self._lock:
            self._listeners[name].append(f)
            for stream, copy in self.copies.items() if name == "change" else ():
                if copy.cursor:
                    self._calls.put((f, (stream, list(copy.objects.values()), [])))

    def objects(self, stream, kind=None):
        """The copy's objects; they belong to it, so change none."""
        return [it for it in self.copies.get(stream, Copy()).objects.values() if kind in (None, it["t"])]

    def cursor(self, stream, default=None):
        """The last event that the copy contains, or the default without a copy."""
        return self.copies.get(stream, Copy()).cursor or default

    def lists(self):
        """The categories that are not removed."""
        return [each for stream in self.copies for each in self.objects(stream, "category") if "removed" not in each]

    def wait_live(self, timeout=None):
        """Returns once every copy is complete."""
        self.wait_until(lambda: self._missing == set(), timeout)

    def wait_until(self, holds, timeout=None):
        """Returns once `holds()`, which is asked after each message and each call of a listener."""
        with self._lock:
            if not self._lock.wait_for(lambda: holds() or self.ended, timeout or self.timeout):
                raise TimeoutError("the server has not told it in time")
            if not holds():
                raise self.ended

    def do(self, method, /, **params):
        """The result of a command, once the copies contain it. After a TimeoutError it may have taken effect."""
        change = self._add(method, params, False)
        try:
            self.wait_until(lambda: change.outcome is not None)
        finally:
            change.is_wanted = False
        if isinstance(change.outcome, Refused):
            raise change.outcome
        with self._lock:  # A copy of another history may never contain the events, so this ends by itself.
            self._lock.wait_for(lambda: self.ended or all(self.cursor(it["stream"], it)["seq"] >= it["seq"]
                                                          for it in change.outcome.get("events", ())), SEEN_SECONDS)
        return change.outcome

    def queue(self, method, /, **params):
        """Keeps a command in the folder and returns its key. It is sent in its turn, also by a later program."""
        if not self._folder or {"password", "old", "new", "code"} & params.keys():
            raise ValueError("queue needs a folder, and keeps no secrets")
        return self._add(method, params, True).params["key"]

    def ask(self, method, /, **params):
        """The answer to a request without a key. It is sent once, and raises `ConnectionError` without a connection."""
        return self.ask_later(method, **params).result(self.timeout)

    def ask_later(self, method, /, **params):
        """The same as a future, which nobody has to look at."""
        with self._lock:
            if self.ended:
                raise self.ended
            return asyncio.run_coroutine_threadsafe(self._request(method, params), self._loop)

    def _add(self, method, params, is_kept):
        with self._lock:
            if self.ended:
                raise self.ended
            params = {"key": new_id(), **params}
            own = next((stream for stream in self.copies if stream.startswith("u:")), None)
            cursor = self.cursor(stream_of(method, params, own))
            if cursor and (is_kept or self._missing is None):
                params["base"] = {name: cursor[name] for name in ("epoch", "seq")}
            if len(json.dumps([method, params])) + 100 > self.hello.get("limits", LIMITS)["messageBytes"]:
                raise Refused("too_large", "The message is too long.")  # It would end each connection (§10.4).
            if is_kept:
                self._folder.append(params["key"], method, params)
            self.changes.append(change := Change(method=method, params=params, is_kept=is_kept))
            self._loop.call_soon_threadsafe(self._news.set)
            return change

    def _call_listeners(self):
        while call := self._calls.get():
            try:
                call[0](*call[1])
            except Exception:
                log.exception("a listener failed")
            with self._lock:
                self._lock.notify_all()

    async def _run(self):
        attempt, end = 0, Ended("closed", "this client is closed")
        try:
            while True:
                self._ready_at = float("inf")
                await self._connect_once()
                attempt = 0 if time.monotonic() - self._ready_at >= STABLE_SECONDS else attempt
                pause, self._pause = self._pause, None
                await asyncio.sleep(self._delay(attempt, pause))
                attempt += 1
        except (Ended, asyncio.CancelledError) as reason:
            end = reason if isinstance(reason, Ended) else end
        except Exception as fault:
            log.exception("the client is at fault")
            end = Ended("internal", repr(fault))
        with self._lock:
            self.ended = end
            if self._folder:
                self._folder.save(self.copies)
                self._folder.file.close()
            self._tell("end", end)
            self._calls.put(None)
            self._lock.notify_all()

    async def _connect_once(self):
        """Returns when the connection is lost; raises `Ended` when there shall be no other."""
        try:
            async with connect(self.url, **self.options) as self._socket:
                await self._say_hello()
                self._sender = asyncio.create_task(self._send_changes(self._socket))
                while True:
                    self._take(json.loads(await self._socket.recv()))
        except ConnectionClosed as closed:
            if closed.rcvd and closed.rcvd_then_sent and closed.rcvd.code in FINAL_CODES:
                kind = "unauthenticated" if closed.rcvd.code in (4502, 4506, 4507) else "closed"
                raise Ended(kind, closed.rcvd.reason or f"close code {closed.rcvd.code}") from None
        except ssl.SSLCertVerificationError as fault:
            raise Ended("certificate", str(fault)) from None
        except (OSError, EOFError, WebSocketException) as fault:
            log.info("no connection: %s", fault)
        finally:
            if self._sender:
                self._sender.cancel()
            self._missing = None
            for copy in self.copies.values():
                copy.forget()
            while self._answers:
                self._take({"id": next(iter(self._answers))})

    async def _say_hello(self):
        cursors = {stream: copy.cursor for stream, copy in self.copies.items() if copy.cursor}
        try:
            self.hello = await ask_on(self._socket, "hello", {**self._wishes, "cursors": cursors})
        except Refused as refusal:
            if refusal.retry == "no":
                raise Ended(refusal.kind, refusal.message, refusal.data) from None
            self._pause = refusal.after
            raise ConnectionError("no hello for now") from None
        if "objects" not in self.hello.get("features", ()):
            raise Ended("unsupported", "this server does not send whole objects")
        self._ready_at = time.monotonic()
        with self._lock:
            self._missing = {it["stream"] for it in self.hello["streams"] if it["mode"] != "live"}
            self._lock.notify_all()
        for it in self.hello["streams"]:
            if it["mode"] == "gone":
                self._take_push("sync.gone", {"stream": it["stream"]})

    async def _request(self, method, params):
        if self._missing is None:
            raise ConnectionError(f"no connection for {method}")
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        future = self._answers[self._number] = self._loop.create_future()
        with contextlib.suppress(ConnectionClosed):  # The end of the connection answers, too.
            await self._socket.send(json.dumps(message))
        if answer := await future:
            return result_of(answer)
        raise ConnectionError(f"the connection ended before the answer to {method}")

    def _take(self, message):
        """A push or an answer; one without a result says that none comes."""
        if "method" in message:
            return self._take_push(message["method"], message["params"])
        future = self._answers.pop(message["id"], None)
        if future and not future.done():
            future.set_result(message if len(message) > 1 else None)

    def _delay(self, attempt, after=None):
        """Full jitter (§2.4), unless the server says after how many milliseconds; in seconds."""
        retry = self.hello.get("retry", RETRY)
        most = min(retry["maxMs"], retry["minMs"] * retry["factor"] ** min(attempt, 60))
        return (random.uniform(0, most) if after is None else after) / 1000

    async def _send_changes(self, socket):
        """Ends with the connection, and the connection with it."""
        attempt = 0
        try:
            while change := await self._first_change():
                try:
                    outcome = await self._request(change.method, change.params)
                except Refused as refusal:
                    outcome = refusal
                retry = getattr(outcome, "retry", "no")
                if retry == "reconnect":
                    return
                if retry in ("now", "after"):
                    await asyncio.sleep(self._delay(attempt, outcome.after))
                    attempt += 1
                else:
                    self._settle(change, outcome)
                    attempt = 0
        except ConnectionError:
            pass
        finally:
            await socket.close()

    async def _first_change(self):
        """The one whose turn it is and that somebody still wants. There is none while the server stops."""
        while True:
            while self.changes and not self.changes[0].is_wanted:
                self.changes.popleft()
            if self.changes and self._pause is None:
                return self.changes[0]
            self._news.clear()
            await self._news.wait()

    def _settle(self, change, outcome):
        with self._lock:
            if change.is_kept:
                self._folder.append(change.params["key"])
            if change.is_kept and isinstance(outcome, Refused):
                self._tell("refused", change.method, change.params, outcome)
            self.changes.popleft()
            if change.is_kept and not any(it.is_kept for it in self.changes):
                self._folder.file.truncate(0)
            change.outcome = outcome
            self._lock.notify_all()

    def _take_push(self, method, params):
        with self._lock:
            stream = params.get("stream")
            copy = self.copies.get(stream, Copy())
            self._tell("push", method, params)
            if method == "sync.snapshot" or method == "sync.objects" and copy.cursor:
                self.copies = {**self.copies, stream: copy}
                if change := copy.take(params):
                    self._tell("change", stream, *change)
            elif method == "sync.gone":
                self.copies = {name: it for name, it in self.copies.items() if name != stream}
                self._tell("change", stream, [], list(copy.objects))
            elif method == "server.drain":
                self._pause = params["afterMs"] + random.uniform(0, params["withinMs"])
            if method in ("sync.live", "sync.gone"):
                self._missing.discard(stream)
                if self._folder and not self._missing:
                    self._folder.save(self.copies)
            self._lock.notify_all()

    def _tell(self, name, *arguments):
        for f in self._listeners[name]:
            self._calls.put((f, arguments))
