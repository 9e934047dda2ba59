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
    in_company(server, owner, editor)


# The signs that a line takes, and one more.
SIGNS = ["👏", "🎉", "👍", "🌱", "🚀", "👀", "✅", "🙂", "🍀"]


def in_company(server, owner, editor):
    """Members are mentioned, answered, told and give signs in a list of their own; comments on its posts are counted."""
    category, post = new_id(), new_id()
    stream = f"c:{category}"
    owner.change("category.add", id=category, name="the shed")
    owner.change("post.add", category=category, id=post, title="mend the roof")
    code = owner.change("invitation.make_code", id=new_id(), stream=stream, role="commenter", uses=30)["code"]
    friends = [type(owner)(server, f"friend-{place}") for place in range(len(SIGNS) - 2)]
    for person in (editor, *friends):
        person.change("invitation.redeem", code=code)
    onlookers = [by_link(server, owner, category, features) for features in (["objects"], [])]
    talked = [*mentioned(server, owner, editor, friends[0], stream)]
    talked += concerned(owner, editor, friends[0], stream, post)
    talked += reacted(owner, [editor, *friends], stream)
    talked += counted(owner, editor, stream)
    moved(owner, stream)
    for onlooker in (*onlookers, by_link(server, owner, category)):
        saw_nothing(onlooker, owner, category, set(talked) if onlooker in onlookers else set())


def mentioned(server, owner, editor, friend, stream):
    """A line is told once to each member. A name of nobody here is a word, whoever has it."""
    outsider = type(owner)(server, "passer.by")
    line = number(owner.change("line.say", stream=stream, text="👏🏽 @Editor, and @editor."))
    found = op(owner, stream, line)
    expect(found["mentions"] == [{"user": editor.user, "at": at, "length": 7} for at in (3, 16)], f"the mentions: {found}")
    expect_told(stream, line, {owner: [], editor: ["mentioned"], friend: ["said"]})
    answer = number(editor.change("line.say", stream=stream, text="@owner: yes", answers=line))
    expect(op(owner, stream, answer)["to"] == owner.user, "an answer says whom it answers")
    expect_told(stream, answer, {owner: ["mentioned"], editor: [], friend: ["said"]})
    plain = number(friend.change("line.say", stream=stream, text="Yes", answers=line))
    expect_told(stream, plain, {owner: ["answered"], editor: ["said"], friend: []})
    words = {number(owner.change("line.say", stream=stream, text=text)): text for text in ("@passer.by", "@passer.bz")}
    for word, text in words.items():
        found = op(owner, stream, word)
        expect(found == {"line": word, "text": text}, f"a name of no member: {found}")
        expect_told(stream, word, {owner: [], editor: ["said"], friend: ["said"]})
    expect(outsider.ask("notification.list")["lists"] == [], "an outsider is told nothing")
    edited = number(owner.change("line.edit", stream=stream, line=line, text="@friend-0 and x@editor"))
    shown = next(it for it in lines(owner, stream) if it["line"] == line)
    expect(shown["mentions"] == [{"user": friend.user, "at": 0, "length": 9}], f"other mentions: {shown}")
    expect_told(stream, edited, {editor: [], friend: []})
    expect_told(stream, line, {editor: ["mentioned"], friend: ["said"]})
    before = unread(editor, stream)
    removed = number(owner.change("line.remove", stream=stream, line=line))
    expect_told(stream, line, {editor: [], friend: []})
    after = unread(editor, stream)
    expect(after == before - 1, f"a removed line is counted: {before}, {after}")
    for seq in (line, edited):
        found = op(owner, stream, seq)
        expect(found == {"line": line, "text": ""}, f"the log of a removed line: {found}")
    return line, answer, plain, *words, edited, removed


def concerned(owner, editor, friend, stream, post):
    """With the level `directed` a comment is told to whose work the post is, and to who added it."""
    owner.change("post.assign", category=stream[2:], id=post, user=friend.user)
    for person in (owner, editor, friend):
        person.change("settings.edit", level={"about": stream, "level": "directed"})
    before = unread(editor, stream)
    first = number(owner.change("line.say", stream=stream, text="Which nails?", post=post))
    expect_told(stream, first, {owner: [], editor: [], friend: ["commented"]})
    found = told(friend, stream, first)
    expect([it["post"] for it in found] == [post], f"a comment names its post: {found}")
    expect(unread(editor, stream) == before + 1, "a comment that is muted is unread all the same")
    second = number(editor.change("line.say", stream=stream, text="The long ones", post=post))
    expect_told(stream, second, {owner: ["commented"], editor: [], friend: ["commented"]})
    other = number(friend.change("line.say", stream=stream, text="Hello"))
    expect_told(stream, other, {owner: [], editor: []})
    for person in (owner, editor, friend):
        person.change("settings.edit", level={"about": stream, "level": None})
    expect_told(stream, first, {editor: ["commented"]})
    expect_told(stream, other, {owner: ["said"], editor: ["said"]})
    return first, second, other


def reacted(owner, people, stream):
    """A line takes eight different signs, and one of each person."""
    line = number(owner.change("line.say", stream=stream, text="It is mended"))
    talked = [line]

    def react(person, sign=None, changes=True):
        given = person.change("line.react", stream=stream, line=line, **({} if sign is None else {"sign": sign}))
        expect(given["changed"] == changes, f"{sign}: {given}")
        talked.extend(each["seq"] for each in given["events"])

    for person, sign in zip(people, SIGNS):
        react(person, sign)
    react(owner, SIGNS[0])
    limit = {"limit": "reactionSigns", "max": 8}
    refused_with(lambda: owner.change("line.react", stream=stream, line=line, sign=SIGNS[8]), "quota", limit)
    react(people[0], SIGNS[0], changes=False)
    react(people[0], SIGNS[1])
    react(owner)
    react(owner, changes=False)
    for sign, kind in [("👏🎉", "invalid"), ("", "invalid"), ("well", "invalid"), ("👩" + "‍👩" * 450, "too_large")]:
        refused(lambda sign=sign: owner.change("line.react", stream=stream, line=line, sign=sign), kind, repr(sign[:9]))
    refused(lambda: owner.change("line.react", stream=stream, line=1, sign=SIGNS[0]), "not_found")
    shown = next(it for it in lines(people[0], stream) if it["line"] == line)
    wanted = [*zip(people[1:], SIGNS[1:]), (people[0], SIGNS[1])]
    expect(shown["reactions"] == [{"user": person.user, "sign": sign} for person, sign in wanted], f"the signs: {shown}")
    news = told(owner, stream, line)
    signs = {it["by"]: it["sign"] for it in news if it["kind"] == "reacted"}
    expect(signs == {person.user: sign for person, sign in wanted}, f"the signs of which the owner is told: {signs}")
    expect(len(news) == len(people), f"each person's newest sign is told once: {news}")
    return talked


def counted(owner, editor, stream):
    """The number of comments goes up and down with them, and the object goes with the last one."""
    post = new_id()
    owner.change("post.add", category=stream[2:], id=post, title="oil the hinges")
    posts = owner.ask("post.list", category=stream[2:], show="open")["posts"]
    copy = Client(owner.server.url)
    copy.call("hello", token=owner.token, client={"name": "a copy", "version": "1"}, streams=[stream], features=["objects"])

    def expect_count(wanted):
        copy.wait(lambda pushes: held(pushes, post) == wanted, f"{wanted} comments in the copy")
        shown = counts(owner, stream).get(post, {}).get("count")
        expect(shown == wanted, f"{wanted} comments in a snapshot: {shown}")

    copy.wait(lambda pushes: [it for it in pushes if it["method"] == "sync.live"], "the copy")
    first = number(owner.change("line.say", stream=stream, text="All of them?", post=post))
    expect_count(1)
    second = number(editor.change("line.say", stream=stream, text="All", post=post))
    expect_count(2)
    told = [op(owner, stream, line)["comments"] for line in (first, second)]
    ends = []
    for line, left in [(second, 1), (first, None)]:
        ends.append(number(owner.change("line.remove", stream=stream, line=line)))
        expect_count(left)
    told += [op(owner, stream, end)["comments"] for end in ends]
    expect(told == [1, 2, 1, 0], f"the numbers in the log: {told}")
    copy.close()
    expect(owner.ask("post.list", category=stream[2:], show="open")["posts"] == posts, "comments change no post")
    return [first, second, *ends]


def held(pushes, post):
    """The number of comments on the post in a copy of whole objects. None where the copy has none."""
    count = None
    for params in (push["params"] for push in pushes):
        found = [it["count"] for it in params.get("objects", []) if (it["t"], it.get("id")) == ("comments", post)]
        is_gone = {"t": "comments", "id": post} in params.get("gone", [])
        count = None if is_gone else found[0] if found else count
    return count


def moved(owner, stream):
    """A post that goes to another list has no comments there."""
    post, there = dict(category=stream[2:], id=new_id()), new_id()
    owner.change("post.add", **post, title="sweep the floor")
    owner.change("category.add", id=there, name="the house")
    for text in ("Today?", "Today."):
        owner.change("line.say", stream=stream, text=text, post=post["id"])
    owner.change("post.move_to", **post, to=there)
    expect(counts(owner, stream)[post["id"]]["count"] == 2, "the comments stay where they were said")
    expect(counts(owner, f"c:{there}") == {} and lines(owner, f"c:{there}") == [], "comments went along")
    owner.change("line.say", stream=f"c:{there}", text="Now", post=post["id"])
    expect(counts(owner, f"c:{there}")[post["id"]]["count"] == 1, "the number begins anew")


def op(person, stream, seq):
    """The fields of the op of an event of talk."""
    return person.ask("history.get", stream=stream, before=seq + 1, limit=1)["events"][0]["event"]["ops"][0]["f"]


def news(person, stream):
    return [each for each in person.ask("notification.list", limit=200)["lists"] if each["stream"] == stream]


def told(person, stream, line):
    """The notifications that name the line."""
    return [it for each in news(person, stream) for it in each["notifications"] if it.get("line") == line]


def expect_told(stream, line, people):
    """The kinds by which each of these people is told of the line."""
    for person, kinds in people.items():
        found = told(person, stream, line)
        expect([it["kind"] for it in found] == kinds, f"{person.name} is told of the line {line}: {found}, and not {kinds}")


def unread(person, stream):
    return sum(each["unread"]["count"] for each in news(person, stream))


def counts(person, stream):
    """The objects `comments` of a new snapshot, by their posts."""
    return {it["id"]: it for it in snapshot(person, stream) if it["t"] == "comments"}


def refused_with(call, kind, data):
    """The call is refused with an error of this kind, which has these data."""
    try:
        answer = call()
    except Refused as refusal:
        found = refusal.error["data"]
        expect(refusal.kind == kind and data.items() <= found.items(), f"refused with {found}, not with {kind} {data}")
        return
    expect(False, f"{kind} expected, answered {answer}")


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


def by_link(server, owner, category, features=("objects",)):
    """Somebody who looks at the list, with whole objects or by ops alone."""
    code = owner.change("link.make", category=category, id=new_id())["code"]
    client = Client(server.url)
    client.has_objects = "objects" in features
    client.call("hello", link=code, client={"name": "onlooker", "version": "1"}, features=list(features))
    client.wait(lambda pushes: [it for it in pushes if it["method"] == "sync.live"], "the snapshot's end")
    return client


def saw_nothing(client, owner, category, talked):
    """The numbers of the talk came all the same, without authors and ops; what was done behind it came as ever."""
    post = new_id()
    head = number(owner.change("post.add", category=category, id=post, title="buy paint"))
    last = lambda it: it["params"].get("cursor", {}).get("seq", 0) if it["method"] == "sync.objects" else (
        it["params"]["from"] + len(it["params"]["events"]) - 1 if it["method"] == "sync.events" and not client.has_objects else 0)
    client.wait(lambda pushes: [it for it in pushes if last(it) >= head], "the post behind the talk")
    events = {params["from"] + place: event for params in (it["params"] for it in client.pushes if it["method"] == "sync.events")
              for place, event in enumerate(params["events"])}
    expect(talked | {head} <= set(events), f"no number is left out: {sorted(events)}")
    for seq in talked:
        expect((set(events[seq]), events[seq]["ops"]) == ({"tx", "at", "ops"}, []), f"talk by a link: {events[seq]}")
    expect("by" in events[head] and events[head]["ops"][0]["id"] == post, f"what came behind: {events[head]}")
    seen = [it for push in client.pushes for it in push["params"].get("objects", []) + push["params"].get("gone", [])]
    expect(not {"line", "comments"} & {it["t"] for it in seen}, f"objects by a link: {seen}")
    expect(not client.has_objects or post in {it.get("id") for it in seen}, f"objects by a link: {seen}")
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
