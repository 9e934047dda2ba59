"""Talk (protocol §5.20): a part of methods.py."""
from harness import Client, expect, new_id, refused


def talk(server, owner, editor, category):
    """Lines are said, answered, changed and taken back. Whoever looks by a link gets none of that."""
    stream, post = f"c:{category}", new_id()
    owner.change("post.add", category=category, id=post, title="paint the fence")
    onlooker = by_link(server, owner, category)
    question = number(owner.change("line.say", stream=stream, text="Which color?"))
    comment = number(editor.change("line.say", stream=stream, text="Green.\nOr blue.", post=post, answers=question))
    changed = number(editor.change("line.edit", stream=stream, line=comment, text="Green."))
    refused_to_others(owner, editor, stream, question, comment)
    shown = {line["line"]: line for line in lines(editor, stream)}
    expect(set(shown) == {question, comment}, f"the lines: {shown}")
    expect((shown[comment]["text"], shown[comment]["post"], shown[comment]["answers"]) == ("Green.", post, question), f"{shown}")
    expect("edited" in shown[comment] and "edited" not in shown[question], f"which was changed: {shown}")
    removed = number(owner.change("line.remove", stream=stream, line=comment))
    expect([line["line"] for line in lines(editor, stream)] == [question], "a removed line is gone")
    texts = {told["seq"]: told["event"]["ops"][0]["f"].get("text") for told in
             owner.ask("history.get", stream=stream, kinds=["line.said", "line.edited", "line.removed"])["events"]}
    expect(texts == {question: "Which color?", comment: "", changed: "", removed: None}, f"the texts in the log: {texts}")
    told = owner.ask("history.get", stream=stream, post=post, kinds=["line.said", "line.edited", "line.removed"])["events"]
    expect([each["seq"] for each in told] == [removed, changed, comment], f"the comments on the post: {told}")
    refused(lambda: editor.change("line.edit", stream=stream, line=comment, text="Blue."), "not_found")
    refused(lambda: editor.change("line.say", stream=stream, text="Why?", answers=comment), "not_found")
    copy = exported(owner)
    expect("Which color?" in copy and "Green." not in copy, "an export has what was said, and not what was taken back")
    state = owner.ask("history.state", category=category, seq=removed)["objects"]
    expect(not [it for it in state if it["t"] == "line"], "a state of the past has no talk")
    saw_nothing(onlooker, owner, category, {question, comment, changed, removed})
    in_a_group(owner)


def number(answer):
    return answer["events"][0]["seq"]


def refused_to_others(owner, editor, stream, question, comment):
    refused(lambda: owner.change("line.edit", stream=stream, line=comment, text="Red."), "forbidden")
    refused(lambda: editor.change("line.remove", stream=stream, line=question), "forbidden")
    refused(lambda: editor.change("line.say", stream=stream, text="Red.", post=new_id()), "not_found")
    refused(lambda: editor.change("line.say", stream=stream, text="Red.", answers=1), "not_found")
    refused(lambda: editor.change("line.say", stream=stream, text=" \n "), "invalid")


def exported(person):
    """All pages as one text."""
    pages = [person.ask("account.export")]
    while "after" in pages[-1]:
        pages.append(person.ask("account.export", after=pages[-1]["after"]))
    return str(pages)


def in_a_group(owner):
    group = new_id()
    owner.change("group.add", id=group, name="neighbours")
    line = number(owner.change("line.say", stream=f"g:{group}", text="Hello"))
    owner.change("line.edit", stream=f"g:{group}", line=line, text="Hello, all")
    expect([it["text"] for it in lines(owner, f"g:{group}")] == ["Hello, all"], "the lines of a group")
    refused(lambda: owner.change("line.say", stream=f"g:{group}", text="Hello", post=new_id()), "invalid")
    owner.change("line.remove", stream=f"g:{group}", line=line)


def lines(person, stream):
    """Those of a new snapshot."""
    client = person.connect(streams="none")
    client.call("sync.open", streams=[{"stream": stream}])
    client.wait(lambda pushes: [it for it in pushes if it["method"] == "sync.live"], "the snapshot's end")
    found = [it for push in client.pushes if push["method"] == "sync.snapshot" for it in push["params"]["objects"] if it["t"] == "line"]
    client.close()
    return found


def by_link(server, owner, category):
    """Somebody who looks at the list, with whole objects."""
    code = owner.change("link.make", category=category, id=new_id())["code"]
    client = Client(server.url)
    client.call("hello", link=code, client={"name": "onlooker", "version": "1"}, features=["objects"])
    client.wait(lambda pushes: [it for it in pushes if it["method"] == "sync.live"], "the snapshot's end")
    return client


def saw_nothing(client, owner, category, talked):
    """The numbers of the talk came all the same, without authors and ops; what was done behind it came as ever."""
    post = new_id()
    head = number(owner.change("post.add", category=category, id=post, title="buy paint"))
    client.wait(lambda pushes: [it for it in pushes if it["method"] == "sync.objects"
                                and it["params"].get("cursor", {}).get("seq", 0) >= head], "the post behind the talk")
    events = {params["from"] + place: event for params in (it["params"] for it in client.pushes if it["method"] == "sync.events")
              for place, event in enumerate(params["events"])}
    expect(talked | {head} <= set(events), f"no number is left out: {sorted(events)}")
    for seq in talked:
        expect((set(events[seq]), events[seq]["ops"]) == ({"tx", "at", "ops"}, []), f"talk by a link: {events[seq]}")
    expect("by" in events[head] and events[head]["ops"][0]["id"] == post, f"what came behind: {events[head]}")
    seen = [it for push in client.pushes for it in push["params"].get("objects", [])]
    expect("line" not in {it["t"] for it in seen} and post in {it.get("id") for it in seen}, f"objects by a link: {seen}")
    client.close()
