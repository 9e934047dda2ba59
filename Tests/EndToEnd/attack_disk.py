"""Who fills the disk with small requests: attacks(programs, folder).

A bot adds 95 posts of 48 KB, changes them all in one batch, and then undoes, and undoes the undo, 200 bytes each time. What a
request makes the database grow by is bounded: what stands beside an event is what it changed, not whole posts. Another bot
writes as much as it may in a day: then it is refused with `quota`, and may still complete and remove; others write on.
"""
import contextlib
import itertools
import sqlite3

from harness import Refused, Server, expect, new_id, sign_in
from witness import beside, while_idle

POSTS, NOTES = 95, 12_000  # of four bytes each
UNDOS = 8
WIDE = "\U0001f9c0"
# Measured: 30 KiB, a third of a KiB for each post, where it was 4.7 MB.
GROWTH_MOST = 60 * 1024
DAY_BYTES = 8 * 2**20


def pages(folder):
    """The bytes of the database with what is still in the write-ahead log, which itself is bounded."""
    with contextlib.closing(sqlite3.connect(f"file:{folder / 'whattodo.db'}?mode=ro", uri=True)) as database:
        return database.execute("PRAGMA page_count").fetchone()[0] * 4096


def undoing(url, folder, username="undoer"):
    """How much the database grows with each undo of the undo before it."""
    bot, _, _ = sign_in(url, username, kind="bot")
    bot.command("category.add", id=(category := new_id()), name="long posts")
    posts = [new_id() for _ in range(POSTS)]
    for post in posts:
        bot.command("post.add", category=category, id=post, title="long", notes=WIDE * NOTES)
    edits = [{"method": "post.edit", "params": {"category": category, "id": post, "priority": "high"}} for post in posts]
    event = bot.command("batch", commands=edits)["events"][0]
    before = pages(folder)
    for _ in range(UNDOS):
        event = bot.command("undo", stream=event["stream"], events=[event["seq"]])["events"][0]
    return (pages(folder) - before) / UNDOS


def writing(url):
    """How many posts of 48 KB a bot adds before its day is over."""
    bot, _, _ = sign_in(url, "writer", kind="bot")
    expect(bot.hello["limits"]["bytesPerDay"] == DAY_BYTES, "hello tells the limit that the operator has set")
    bot.command("category.add", id=(category := new_id()), name="long posts")
    posts = []
    try:
        for _ in itertools.count():
            bot.command("post.add", category=category, id=(post := new_id()), title="long", notes=WIDE * NOTES)
            posts.append(post)
    except Refused as refusal:
        data = refusal.error["data"]
        expect((refusal.kind, data.get("limit")) == ("quota", "bytesPerDay"), f"refused as {refusal}")
    bot.command("post.complete", category=category, id=posts[0])
    bot.command("post.remove", category=category, id=posts[1])
    return len(posts)


def attacks(programs, folder):
    lines = []
    server = Server(programs, folder / "undo", "--command-rate", "100000", "--bot-rate", "100000").start()
    try:
        # The witness writes too, the more the longer the attack takes. So the growth is measured without one.
        growth = undoing(server.url, folder / "undo", "undoes-alone")
        _, sentence = beside(server, lambda: while_idle(undoing, server.url, folder / "undo"))
        expect(growth <= GROWTH_MOST, f"a request makes the database grow by {growth / 1024:.0f} KiB")
        lines.append(f"undo of the undo of {POSTS} long posts: the database grows by {growth / 1024:.0f} KiB with each; {sentence}")
    finally:
        expect(server.stop() == 0, "the server did not stop well")
    expect((checked := server.verify())[0] == 0, f"verify: {checked[1]}")

    server = Server(programs, folder / "day", "--bytes-per-day", str(DAY_BYTES)).start()
    try:
        count, sentence = beside(server, lambda: while_idle(writing, server.url))
        grown = pages(folder / "day")
        expect(grown < 4 * DAY_BYTES, f"the database has {grown >> 20} MiB")
        lines.append(f"a bot that writes all it can: refused after {count} posts, the database has {grown >> 20} MiB; {sentence}")
    finally:
        expect(server.stop() == 0, "the server did not stop well")
    expect((checked := server.verify())[0] == 0, f"verify: {checked[1]}")
    return lines
