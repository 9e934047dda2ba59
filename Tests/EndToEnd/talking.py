"""Talk (protocol §5.20): a part of methods.py and of limits.py."""
import select

from harness import Client, Refused, Server, expect, new_id, refused, say_hello, sign_in


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
    switched_off(owner, editor, category)
    in_a_group(owner)


def number(answer):
    return answer["events"][0]["seq"]


def refused_to_others(owner, editor, stream, question, comment):
    refused(lambda: owner.change("line.edit", stream=stream, line=comment, text="Red."), "forbidden")
    refused(lambda: editor.change("line.remove", stream=stream, line=question), "forbidden")
    refused(lambda: editor.change("line.say", stream=stream, text="Red.", post=new_id()), "not_found")
    refused(lambda: editor.change("line.say", stream=stream, text="Red.", answers=1), "not_found")
    refused(lambda: editor.change("line.say", stream=stream, text=" \n "), "invalid")


def switched_off(owner, editor, category):
    """A silent list: what was said is read and can be taken back, and nothing more is said."""
    stream = f"c:{category}"
    line = number(editor.change("line.say", stream=stream, text="Last words"))
    held = len(lines(owner, stream))
    refused(lambda: editor.change("category.edit", id=category, talk="off"), "forbidden")
    off = owner.change("category.edit", id=category, talk="off")
    expect(not owner.change("category.edit", id=category, talk="off")["changed"], "talk that is off already")
    expect(head(owner, stream).get("talk") == "off", "the list says that talk is off")
    says_who(lambda: owner.change("line.say", stream=stream, text="More words"), "list")
    says_who(lambda: editor.change("line.edit", stream=stream, line=line, text="Other words"), "list")
    expect(len(lines(owner, stream)) == held, "a silent list keeps its lines")
    editor.change("line.remove", stream=stream, line=line)
    owner.change("undo", stream=stream, events=[number(off)])
    expect("talk" not in head(owner, stream), "an undo brings talk back")
    editor.change("line.say", stream=stream, text="Words again")


def says_who(call, place):
    """The refusal names the place that is silent."""
    try:
        call()
    except Refused as refusal:
        message = refusal.error["message"]
        expect((refusal.kind, f"switched off in this {place}" in message) == ("forbidden", True), f"in a silent {place}: {refusal}")
        return
    expect(False, f"said in a silent {place}")


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
    owner.change("category.add", id=(shared := new_id()), name="fence", group=group)
    owner.change("group.edit", id=group, talk="off")
    for stream in (f"g:{group}", f"c:{shared}"):
        says_who(lambda stream=stream: owner.change("line.say", stream=stream, text="Hello?"), "group")
    expect((head(owner, f"g:{group}").get("talk"), "talk" in head(owner, f"c:{shared}")) == ("off", False), "only the group says so")
    owner.change("group.edit", id=group, name="all neighbours", talk="on")
    owner.change("line.say", stream=f"c:{shared}", text="Hello again")


def lines(person, stream):
    return [it for it in snapshot(person, stream) if it["t"] == "line"]


def head(person, stream):
    return next(it for it in snapshot(person, stream) if it["t"] in ("category", "group"))


def snapshot(person, stream):
    """The objects of a new one."""
    client = person.connect(streams="none")
    client.call("sync.open", streams=[{"stream": stream}])
    client.wait(lambda pushes: [it for it in pushes if it["method"] == "sync.live"], "the snapshot's end")
    found = [it for push in client.pushes if push["method"] == "sync.snapshot" for it in push["params"]["objects"]]
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


def rate_of_lines(programs, data):
    """Twenty lines at once by two connections together, and one more every three seconds. A line that was said is answered when it
    comes again, and no other person waits."""
    server = Server(programs, data, "--line-rate", "20").start()
    try:
        first, _, token = sign_in(server.url, "rita", streams="none")
        other, _, _ = sign_in(server.url, "bob", streams="none")
        robot, _, _ = sign_in(server.url, "robot", kind="bot", streams="none")
        second = Client(server.url)
        told = [say_hello(second, token, streams="none")["limits"], robot.hello["limits"]]
        expect([limits["linesPerMinute"] for limits in told] == [20, 200], "a person and a bot are told each their own rate")
        stream = own_list(first)
        said = [{"stream": stream, "text": f"{n}", "key": new_id()} for n in range(21)]
        clients = [first, second]
        sent_lines = [(clients[n % 2], clients[n % 2].send("line.say", **line)) for n, line in enumerate(said[:20])]
        answers = [client.answer(request) for client, request in sent_lines]
        wait = refused_for_rate(lambda: first.call("line.say", **said[20]))
        expect(0 < wait <= 3_000, f"the next line is for in {wait} ms")
        refused_for_rate(lambda: second.call("line.say", **said[0]))
        refused_for_rate(lambda: second.command("category.add", id=new_id(), name="a list"))
        other.command("line.say", stream=own_list(other), text="Hello")
        select.select([], [], [], 3)
        line = answered(first, said[20])["events"][0]["seq"]
        again = answered(second, said[0])
        expect(again == answers[0], f"a line that comes again: {again}, not {answers[0]}")
        select.select([], [], [], 3)
        first.command("line.remove", stream=stream, line=line)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    return 1


def own_list(client):
    client.command("category.add", id=(category := new_id()), name="a list")
    return f"c:{category}"


def refused_for_rate(call):
    """How many milliseconds the sender shall wait."""
    try:
        got = call()
    except Refused as refusal:
        expect(refusal.kind == "rate_limited", f"refused as {refusal}")
        return refusal.error["data"]["afterMs"]
    return expect(False, f"answered {got}")


def answered(client, line):
    """The answer to a line that is sent until it is taken, each time after the wait that was told."""
    for _ in range(5):
        try:
            return client.call("line.say", **line)
        except Refused as refusal:
            expect(refusal.kind == "rate_limited", f"refused as {refusal}")
            select.select([], [], [], refusal.error["data"]["afterMs"] / 1_000)
    return expect(False, "a line is refused again and again")
