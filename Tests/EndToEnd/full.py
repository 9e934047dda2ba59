"""A disk that others fill to the last byte: full.py PROGRAMS

The data folder lies on a small file system of its own, which another file fills up. Completing and removing go on, more
often than the room of the reserve alone would allow. Adding is refused as `unavailable`, and the operator is told. A killed
server starts on the full disk and has all that was acknowledged. When there is room again, everything is taken, without a
new start.
"""
import os
import pathlib
import subprocess
import time

from harness import DEADLINE, Refused, Server, expect, main, new_id, refused, sign_in, Client, say_hello

DISK = 48 * 2**20
RESERVE = DISK // 16
POSTS = 400
RATES = ["--command-rate", "100000", "--hello-rate", "10000"]


def mounted(folder):
    """A file system of this size, or the reason why there is none."""
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr.strip()


def fill(path):
    """Takes every byte that is left."""
    with open(path, "ab", buffering=0) as file:
        for size in (2**16, 2**12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                continue


def waited(found, sentence):
    end = time.monotonic() + DEADLINE
    while not found():
        expect(time.monotonic() < end, f"did not come within {DEADLINE} s: {sentence}")


def takes(client, category, added):
    """Whether a post is added, which is noted then."""
    try:
        added.append(client.command("post.add", category=category, id=new_id(), title="more"))
        return True
    except Refused as refusal:
        expect(refusal.kind == "unavailable", f"refused as {refusal}")
        return False


def back(server, token, category):
    """A new connection, and the counters of the list that it is sent."""
    client = Client(server.url)
    say_hello(client, token)
    stream = f"c:{category}"
    client.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.live" and p["params"]["stream"] == stream], "the list")
    found = [each for push in client.pushes if push["method"] == "sync.snapshot" for each in push["params"]["objects"]
             if each["t"] == "category" and each["id"] == category]
    return client, {key: count for key, count in found[0]["counters"].items() if key != "overdue"}


def on_full_disk(programs, disk, folder):
    data, stone = disk / "data", disk / "others"
    server = Server(programs, data, *RATES)
    server.start()
    client, _, token = sign_in(server.url, "author")
    client.command("category.add", id=(category := new_id()), name="chores")
    posts = [new_id() for _ in range(POSTS)]
    for post in posts:
        client.command("post.add", category=category, id=post, title="a chore", notes="n" * 4000)
    reserve = data / "reserve"
    expect(reserve.stat().st_blocks * 512 >= RESERVE, "the reserve is written")
    log = pathlib.Path(f"{data}.log")

    fill(stone)
    expect(os.statvfs(disk).f_bavail == 0, "there is room left")
    client.command("post.complete", category=category, id=posts[0])
    client.command("post.remove", category=category, id=posts[1])
    added = []
    waited(lambda: not takes(client, category, added), "adding is refused")
    waited(lambda: not reserve.exists(), "the reserve is given up")
    for post in posts[2:200]:
        client.command("post.complete", category=category, id=post)
    for post in posts[200:300]:
        client.command("post.remove", category=category, id=post)
    refused(lambda: client.command("post.add", category=category, id=new_id(), title="no"), "unavailable")

    server.kill()
    fill(stone)
    server.start()
    client, counters = back(server, token, category)
    # 101 posts were removed, none of the 199 that were completed.
    expected = {"open": 100 + len(added), "done": 199, "total": 299 + len(added)}
    expect(counters == expected, f"acknowledged, and now there is {counters}, not {expected}")
    for post in posts[300:350]:
        client.command("post.complete", category=category, id=post)
    refused(lambda: client.command("post.add", category=category, id=new_id(), title="no"), "unavailable")

    stone.unlink()
    waited(lambda: takes(client, category, added), "there is room again")
    expect(reserve.stat().st_blocks * 512 >= RESERVE, "the reserve is written again")
    expect(server.stop() == 0, "the server did not stop well")
    server.verified()
    told = log.read_text()
    expect("is full: the reserve of" in told and "are kept as a reserve" in told, f"the operator is not told: {told}")
    return f"{POSTS} posts on a full disk of {DISK >> 20} MiB: completed, removed, killed, and there is room again"


def full(programs, folder):
    disk = folder / "disk"
    if reason := mounted(disk):
        return f"NOT TRIED: no small file system can be mounted here ({reason})"
    try:
        return on_full_disk(programs, disk, folder)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


if __name__ == "__main__":
    main(full)
