"""Large lists beside each other: attacks(programs, folder).

Two people open two lists of 23 MB at once, while somebody changes both all the time. Each gets every page once, and both are
live in about twice the time that one of them needs alone. The memory that this takes is near one copy of the lists.

Before that somebody pages through one of them as it was: a page costs a page, not the list.
"""
import pathlib
import threading
import time

from harness import Client, Server, expect, new_id, say_hello, sign_in
from witness import beside

WIDE = "\U0001f9c0"
NOTES, POSTS = 12_000, 480
CHANGE_SECONDS = 0.1
# The scheduler's part: two processors carry server, clients and whoever changes the lists.
SLACK = 1.5
# Measured: 3 MiB. A list that is decoded whole takes 50 MiB more.
PAST_MIB_MOST = 12


def filled(person, name):
    """A list of 23 MB."""
    person.command("category.add", id=(category := new_id()), name=name)
    for number in range(POSTS):
        person.command("post.add", category=category, id=new_id(), title=f"post {number}", notes=WIDE * NOTES)
    return category


def opened(url, token, category):
    """A new client follows the list until it is live: (seconds, pages that came, pages of the snapshot)."""
    client, stream = Client(url), f"c:{category}"
    begun = time.monotonic()
    say_hello(client, token, streams=[stream])
    client.wait(lambda pushes: any(push["method"] == "sync.live" for push in pushes), f"{name_of(stream)} is live")
    seconds = time.monotonic() - begun
    pages = [push["params"] for push in client.pushes if push["method"] == "sync.snapshot"]
    client.close()
    return seconds, len(pages), pages[-1]["pages"]


def name_of(stream):
    return f"the list {stream[:10]}"


def together(url, token, categories):
    found = {}
    threads = [threading.Thread(target=lambda it=it: found.update({it: opened(url, token, it)})) for it in categories]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expect(len(found) == len(categories), "a list was never live")
    return [found[it] for it in categories]


def looked_back(server, person, category):
    """Reads pages of the list as it was ten events ago: (milliseconds of the slowest, MiB more memory)."""
    before, slowest, pages = memory(server.process), 0, 480
    for page in range(1, pages, 60):
        begun = time.monotonic()
        answer = person.command("history.state", category=category, seq=POSTS - 10, page=page)
        slowest = max(slowest, time.monotonic() - begun)
        expect(answer["objects"], f"page {page} of the past is empty")
    grown = (memory(server.process) - before) >> 20
    expect(grown <= PAST_MIB_MOST, f"pages of the past took {grown} MiB, expected at most {PAST_MIB_MOST}")
    return 1000 * slowest, grown


class Changes:
    """Somebody who changes lists all the time."""

    def __init__(self, person, categories):
        self.person, self.categories, self.count, self.is_done = person, categories, 0, threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        while not self.is_done.wait(CHANGE_SECONDS):
            for category in self.categories:
                self.person.command("post.add", category=category, id=new_id(), title="one more")
                self.count += 1

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_done.set()
        self.thread.join()


def memory(process):
    """Proportional set size, in bytes."""
    text = pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return 1024 * int(next(line.split()[1] for line in text.splitlines() if line.startswith("Pss:")))


def attacks(programs, folder):
    server = Server(programs, folder / "data", "--command-rate", "100000").start()
    try:
        person, _, token = sign_in(server.url, "owner", streams="none")
        categories = [filled(person, name) for name in ("one", "two")]
        past_took, past_grown = looked_back(server, person, categories[0])
        alone, _, pages = opened(server.url, token, categories[0])
        before = memory(server.process)
        with Changes(person, categories) as changes:
            results, sentence = beside(server, lambda: together(server.url, token, categories))
        after = memory(server.process)
        for seconds, came, wanted in results:
            expect(came == wanted, f"{came} pages came for a snapshot of {wanted}")
            expect(seconds <= 2 * alone * SLACK + 0.5, f"live after {seconds:.2f} s, alone after {alone:.2f} s")
        slowest = max(seconds for seconds, _, _ in results)
    finally:
        expect(server.stop() == 0, "the server did not stop well")
    return [f"two lists of {pages} pages at once: live after {slowest:.2f} s, one alone after {alone:.2f} s, {changes.count} "
            f"changes meanwhile; {(after - before) >> 20} MiB more memory; {sentence}",
            f"a page of the past of such a list: {past_took:.0f} ms at most, {past_grown} MiB more memory"]
