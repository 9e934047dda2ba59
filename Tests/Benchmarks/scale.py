"""Makes a populated store as large as one that has been used for years, in minutes: what the ledger would write in hours is
copied in SQL from what it wrote for one list. Such a store is for speed alone: `verify` would find its copies.

With 100 000 lists of 10 posts and 100 events it takes about 3.5 GB; of its commands every tenth has left a key.
"""
import json
import sqlite3

from programs import Trouble

EVENT = json.dumps({"tx": "01900000-0003-7000-b6a9-9b4b1f77dd0f", "at": 1700000000001,
                    "by": "01900000-0001-7000-a78d-de6e5fd29f05",
                    "ops": [{"t": "category.edited", "v": 2, "f": {"name": "A list"}}]}, separators=(",", ":")).encode()
WAS = b"[null]"
KEY_EACH = 10


def enlarge(folder, lists, posts, events):
    """The store has one person with the list 0, which has one post. From now on the person has `lists` of them."""
    database = sqlite3.connect(f"{folder}/whattodo.db", isolation_level=None)
    for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -1500000", "locking_mode = EXCLUSIVE"):
        database.execute(f"PRAGMA {setting}")
    database.execute("BEGIN")
    number, name, epoch, at, tx, own = database.execute(
        "SELECT number, name, epoch, at, tx, own FROM stream WHERE substr(name, 1, 1) = x'63'").fetchone()
    added, = database.execute("SELECT body FROM event WHERE place = ?", ((number << 32) + 1,)).fetchone()
    by, = database.execute("SELECT id FROM object WHERE stream = ? AND kind = 4", (number,)).fetchone()
    post, = database.execute("SELECT body FROM object WHERE stream = ? AND kind = 6", (number,)).fetchone()
    if name[-5:] != bytes.fromhex("1000000000"):
        raise Trouble("the list 0 has another name than the lists of StoreBenchmark")
    state = json.loads(own)
    state |= {"lastPost": posts, "counters": {"open": posts, "done": 0, "total": posts}}
    own = json.dumps(state, separators=(",", ":")).encode()
    first = number + 1
    database.executemany(
        "INSERT INTO stream(number, name, epoch, seq, at, tx, own) VALUES(?, ?, ?, ?, ?, ?, ?)",
        ((number + place, name[:-5] + bytes.fromhex(f"{1_000_000_000 + place}"), epoch, events, at, tx,
          own.replace(b"001000000000", b"00%d" % (1_000_000_000 + place))) for place in range(1, lists)))
    fill(database, first, posts, events, (at, by, tx, added, post))
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()
    without_sums(f"{folder}/whattodo.db")


def fill(database, first, posts, events, rows):
    """In the order in which it would have come about: round by round over the lists."""
    at, by, tx, added, post = rows
    database.execute(
        """INSERT INTO object(stream, kind, id, number, rank, in_state, body)
           SELECT s.number, 4, o.id, NULL, NULL, 1, o.body FROM stream s
           JOIN object o ON o.stream = ?1 - 1 AND o.kind = 4 WHERE s.number >= ?1""", (first,))
    for seq in range(1, events + 1):
        database.execute(
            """INSERT INTO event(place, at, by, tx, body, was)
               SELECT (number << 32) + ?2, ?3, ?4, ?5, ?6, ?7 FROM stream WHERE number >= ?1""",
            (first, seq, at, by, tx, added if seq == 1 else EVENT, WAS))
        if seq <= posts:
            identity = f"0190bbbb-0000-7000-8000-{seq:012x}"
            body = json.loads(post) | {"id": identity, "number": seq}
            database.execute(
                """INSERT INTO object(stream, kind, id, number, rank, in_state, body)
                   SELECT number, 6, ?2, ?3, NULL, 1, ?4 FROM stream WHERE number >= ?1""",
                (first, bytes.fromhex(identity.replace("-", "")), seq, json.dumps(body, separators=(",", ":")).encode()))
        if seq % KEY_EACH == 0:
            mark = (seq * 0x9E37_79B9_7F4A_7C15) % (1 << 63)
            database.execute(
                """INSERT INTO command_key(stream, mark, actor, key, hash, changed, events, seq)
                   SELECT number, ?2, ?3, ?4, ?5, 1, CAST(name || ?6 AS BLOB), ?7 FROM stream WHERE number >= ?1""",
                (first, mark, by, f"0190cccc-0000-7000-8000-{seq:012x}", bytes(32), seq.to_bytes(8), seq))


def without_sums(path):
    """Only the server knows how to sum pages (CPages.h). A file whose first page has no sum has none."""
    with open(path, "r+b") as file:
        file.seek(4096 - 8)
        file.write(bytes(8))


def crowd(folder, lists, first, source):
    """From now on there are `lists` more lists, of nobody who looks: each has the posts of the list `source`, with their words
    and dues. `first`: the number of the first new one. Without their events: what is measured there reads none."""
    database = sqlite3.connect(f"{folder}/whattodo.db", isolation_level=None)
    for setting in ("journal_mode = OFF", "synchronous = OFF", "cache_size = -1500000", "locking_mode = EXCLUSIVE"):
        database.execute(f"PRAGMA {setting}")
    database.execute("BEGIN")
    ending = bytes.fromhex(f"{1_000_000_000 + source}")
    number, name, epoch, seq, at, tx, own = next(
        row for row in database.execute("SELECT number, name, epoch, seq, at, tx, own FROM stream") if row[1][-5:] == ending)
    begin, = database.execute("SELECT max(number) + 1 FROM stream").fetchone()
    database.executemany(
        "INSERT INTO stream(number, name, epoch, seq, at, tx, own) VALUES(?, ?, ?, ?, ?, ?, ?)",
        ((begin + place, name[:-5] + bytes.fromhex(f"{1_000_000_000 + first + place}"), epoch, seq, at, tx,
          own.replace(b"00%d" % (1_000_000_000 + source), b"00%d" % (1_000_000_000 + first + place)))
         for place in range(lists)))
    database.execute(
        """INSERT INTO object(stream, kind, id, number, rank, in_state, body)
           SELECT s.number, o.kind, o.id, o.number, o.rank, o.in_state, o.body FROM object o, stream s
           WHERE o.stream = ?1 AND s.number >= ?2 ORDER BY o.number, s.number""", (number, begin))
    database.execute(
        """INSERT INTO post_words(place, at, removed, words)
           SELECT (s.number << 32) + (w.place & 0xffffffff), w.at, w.removed, w.words FROM post_words w, stream s
           WHERE w.place >> 32 = ?1 AND s.number >= ?2 ORDER BY 1""", (number, begin))
    # All are told: nothing shall come due while something is measured.
    database.execute(
        """INSERT INTO post_due(stream, at, post, told) SELECT s.number, d.at, d.post, 1 FROM post_due d, stream s
           WHERE d.stream = ?1 AND s.number >= ?2 ORDER BY 1, 2""", (number, begin))
    database.execute("COMMIT")
    database.execute("PRAGMA journal_mode = WAL")
    database.close()
    without_sums(f"{folder}/whattodo.db")
