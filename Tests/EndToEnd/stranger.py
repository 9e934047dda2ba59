"""A client nobody here wrote goes the whole way: stranger.py PROGRAMS

Registers, logs in, says hello, adds, sees the push; disconnects, misses events, resumes from its cursor
without a gap; is removed, misses events, is invited again and gets a snapshot. Every frame of the run is
recorded by the server and validated against protocol/schema afterwards.
"""
from harness import Client, Copy, Server, expect, main, new_id, refused, register, say_hello, sign_in, validate


def whole_way(programs, folder):
    frames = folder / "frames.jsonl"
    server = Server(programs, folder / "data", "--record-frames", str(frames)).start()
    try:
        owner, owner_id, _ = sign_in(server.url, "owner")
        editor, editor_id, token = sign_in(server.url, "editor")
        category = new_id()
        stream = f"c:{category}"
        owner.command("category.add", id=category, name="groceries")
        invite(owner, editor, stream)
        copy = sees_the_push(owner, editor, category)
        editor.close()
        editor = resumes_without_a_gap(server, owner, category, token, copy)
        removed_and_back(server, owner, editor, category, editor_id, token, copy)
        repeats_and_refusals(server, owner, category)
        owner.close()
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    server.verified()
    return f"the whole way; {validate(frames)}"


def invite(owner, invited, stream):
    invitation = new_id()
    owner.command("invitation.send", id=invitation, stream=stream, username="editor", role="editor")
    invited.command("invitation.accept", id=invitation)


def sees_the_push(owner, editor, category):
    post = new_id()
    answer = owner.command("post.add", category=category, id=post, title="milk")
    expect(answer["number"] == 1 and answer["changed"], f"the first post: {answer}")
    copy = Copy(f"c:{category}")
    editor.call("sync.open", streams=[{"stream": copy.stream}])
    editor.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.live"
                                and p["params"]["stream"] == copy.stream], "the list, live")
    second = owner.command("post.add", category=category, id=new_id(), title="bread")
    editor.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.events"
                                and last_seq(p) >= second["events"][0]["seq"]
                                and p["params"]["stream"] == copy.stream], "the push of a post")
    copy.take(editor.pushes)
    expect(copy.seq == second["events"][0]["seq"], f"at {copy.seq} after event {second['events']}")
    return copy


def last_seq(push):
    return push["params"]["from"] + len(push["params"]["events"]) - 1


def resumes_without_a_gap(server, owner, category, token, copy):
    missed = [owner.command("post.add", category=category, id=new_id(), title=f"missed {n}") for n in range(20)]
    editor = Client(server.url)
    hello = say_hello(editor, token, cursors={copy.stream: copy.cursor})
    mode = next(s for s in hello["streams"] if s["stream"] == copy.stream)
    expect(mode["mode"] == "tail", f"resumed with {mode}")
    editor.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.live"
                                and p["params"]["stream"] == copy.stream], "the tail's end")
    before = copy.seq
    copy.take(editor.pushes)
    expect(copy.seq == missed[-1]["events"][0]["seq"], f"after the tail at {copy.seq}")
    expect([seq for seq, _ in copy.events[-20:]] == list(range(before + 1, before + 21)), "a gap in the tail")
    return editor


def removed_and_back(server, owner, editor, category, editor_id, token, copy):
    editor.pushes.clear()
    removal = owner.command("member.remove", stream=copy.stream, user=editor_id)
    editor.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.gone"
                                and p["params"]["stream"] == copy.stream], "sync.gone")
    copy.take(editor.pushes)
    end = next(e["seq"] for e in removal["events"] if e["stream"] == copy.stream)
    expect(copy.gone and copy.seq <= end, f"told up to {copy.seq}, removed at {end}")
    secret = owner.command("post.add", category=category, id=new_id(), title="not for the editor")
    refused(lambda: editor.command("post.add", category=category, id=new_id(), title="x"), "not_found")
    expect("not for the editor" not in str(editor.pushes), "an event after the removal reached the removed")
    editor.close()
    editor = Client(server.url)
    say_hello(editor, token, streams="none")
    invite(owner, editor, copy.stream)
    editor.close()
    editor = Client(server.url)
    hello = say_hello(editor, token, cursors={copy.stream: copy.cursor})
    mode = next(s for s in hello["streams"] if s["stream"] == copy.stream)
    expect(mode["mode"] == "snapshot" and mode["reason"] == "rejoined", f"back again with {mode}")
    editor.wait(lambda pushes: [p for p in pushes if p["method"] == "sync.live"
                                and p["params"]["stream"] == copy.stream], "the snapshot's end")
    fresh = Copy(copy.stream).take(editor.pushes)
    expect(fresh.snapshots == 1 and fresh.seq > secret["events"][0]["seq"], f"snapshot at {fresh.seq}")
    editor.close()


def repeats_and_refusals(server, owner, category):
    key, post = new_id(), new_id()
    first = owner.command("post.add", category=category, id=post, title="once", key=key)
    again = owner.command("post.add", category=category, id=post, title="once", key=key)
    expect(first == again, f"a repeat answers {again}, not {first}")
    refused(lambda: owner.command("post.add", category=category, id=post, title="twice", key=key), "key_reused")
    refused(lambda: owner.command("post.add", category=category, id=new_id(), title="  "), "invalid")
    refused(lambda: owner.command("post.add", category=category, id=new_id(), title="x" * 501), "too_large")
    refused(lambda: owner.command("post.add", category=new_id(), id=new_id(), title="x"), "not_found")
    refused(lambda: owner.call("no.such.method"), "unknown_method")
    stranger = Client(server.url)
    refused(lambda: stranger.call("session.list"), "unauthenticated")
    user = new_id()
    once = dict(id=user, username="repeated", password="correct horse battery")
    expect(stranger.call("account.register", **once) == stranger.call("account.register", **once),
           "register answers a repeat differently")
    refused(lambda: register(stranger, "repeated"), "exists")
    stranger.close()


main(whole_way)
