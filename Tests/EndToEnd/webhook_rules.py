"""What webhooks.py checks of who may have a webhook, what it says, and where it leads (protocol §5.18)."""
import email.header
import html

from harness import Client, Refused, Server, expect, new_id, refused, say_hello
from webhook_world import MARK, OPTIONS, Witness, World, complete, proved, receiver


def access(world):
    to, witness = receiver(), Witness(world, world.builds, world.work)
    webhook, builds, work = world.webhook(to), f"c:{world.builds}", f"c:{world.work}"
    first = world.head(builds) + 1
    limited = receiver()
    world.webhook(limited, lists=[world.builds])
    joined = left_and_back(world, to, witness, webhook)
    complete(world, limited, {builds: first})
    erased(world, to, webhook)
    complete(world, to, {builds: first, work: joined + 1})
    proved(to, webhook)
    strangers(world, webhook)
    ends(world, to, limited, witness)


def left_and_back(world, to, witness, webhook):
    """A failed delivery of a list waits while the bot is taken out of it; the number of the event that lets it in again."""
    to.mode, work = "500", f"c:{world.work}"
    world.add("not for the bot any more", world.work)
    world.until(webhook, lambda line: line.get("trouble", {}).get("stream") == work, "the trouble of a list")
    world.owner.command("member.remove", stream=work, user=world.bot)
    to.release()
    count = len(to.requests)
    world.set("resume", webhook)
    _, seq = world.add("builds go on")
    to.wait_for_event(f"c:{world.builds}", seq)
    world.add("nobody tells the bot", world.work)
    expect(to.said("not for the bot any more"), "it was tried while the bot was there")
    world.until(webhook, lambda line: "trouble" not in line, "no trouble any more")
    joined = world.let_in(world.work, f"{world.name}-bot")
    world.add("the bot is back", world.work)
    to.wait_for_event(work, joined + 1)
    witness.settle(world.builds)
    for request in to.requests[count:]:
        expect(request.content["stream"] != work or request.content["from"] > joined, f"while the bot was out: {request.content}")
    return joined


def erased(world, to, webhook):
    """A text that is erased while it waits does not leave the server. Its event comes without it."""
    to.release("500")
    count = len(to.requests)
    post, seq = world.add("a secret that is erased")
    world.until(webhook, lambda line: line.get("trouble", {}).get("from") == seq, "the trouble")
    world.owner.command("post.erase", category=world.builds, id=post)
    tried = len(to.requests)
    to.release()
    world.set("resume", webhook)
    to.wait_for_event(f"c:{world.builds}", world.head(f"c:{world.builds}"))
    expect(any(b"a secret that" in request.body for request in to.requests[count:tried]), "the first try has the text")
    expect(not any(b"a secret that" in request.body for request in to.requests[tried:]), "an erased text is sent")


def error(call):
    try:
        return call()
    except Refused as refusal:
        return refusal.error


def strangers(world, webhook):
    """A webhook is its owner's. Somebody else learns not even that there is such a bot, and a token allows none of it."""
    token = world.owner.command("token.add", bot=world.bot, id=new_id(), name="a program")["token"]
    program = Client(world.server.url)
    say_hello(program, token)
    for method in ("add", "pause", "resume", "remove"):
        def call(client, bot):
            more = dict(name="x", address="https://example.org/") if method == "add" else {}
            return client.command(f"webhook.{method}", bot=bot, id=new_id() if method == "add" else webhook, **more)

        told = [error(lambda: call(world.other, bot)) for bot in (world.bot, new_id())]
        expect(told[0] == told[1] and told[0].get("data", {}).get("kind") == "not_found", f"{method} by somebody else: {told}")
        refused(lambda: call(program, world.bot), "forbidden", f"{method} by a token")
    for change in ("pause", "resume", "remove"):
        refused(lambda: world.set(change, new_id()), "not_found", f"{change} of no webhook")


def ends(world, to, limited, witness):
    """The webhooks end when the bot gets another owner, and when it is to end; also one whose delivery waits."""
    to.release("500")
    world.add("fails")
    to.wait(lambda requests: not requests[-1].taken, "a failure")
    world.owner.command("bot.give", bot=world.bot, username=f"{world.name}-other")
    expect(world.webhooks(world.other) == {}, "the webhooks of the former owner")
    to.release()
    nothing_comes(world, (to, limited), witness)
    world.other.command("bot.give", bot=world.bot, username=world.name)
    expect(world.webhooks() == {}, "they do not come back")
    anew = receiver()
    webhook, first = world.webhook(anew), world.add()[1]
    anew.wait_for_event(f"c:{world.builds}", first)
    world.owner.command("bot.end", bot=world.bot)
    expect(world.webhooks() == {}, "the webhooks of a bot that ends")
    refused(lambda: world.webhook(anew), "gone", "a webhook of a bot that ends")
    nothing_comes(world, (to, limited, anew), witness)
    world.owner.command("bot.keep", bot=world.bot)
    expect(world.webhooks() == {}, "they stay removed")
    params = dict(bot=world.bot, id=webhook, name="x", address=anew.address)
    refused(lambda: world.owner.command("webhook.add", **params), "exists", "the id of a webhook that is gone")


def nothing_comes(world, receivers, witness):
    counts = [len(to.requests) for to in receivers]
    witness.settle(world.builds)
    expect([len(to.requests) for to in receivers] == counts, "a webhook that is gone sends")


def groups(world):
    """A bot in a group: what happens to the group comes, and what happens in its lists, also in those that it gets later."""
    to, group, place = receiver(), new_id(), new_id()
    webhook = world.webhook(to)
    world.owner.command("group.add", id=group, name="team")
    world.owner.command("invitation.send", id=new_id(), stream=f"g:{group}", username=f"{world.name}-bot", role="editor")
    joined = world.head(f"g:{group}")
    world.owner.command("category.add", id=place, name="of the team", group=group)
    world.add("in a list of the group", place)
    complete(world, to, {f"g:{group}": joined + 1, f"c:{place}": 2})
    proved(to, webhook)


# 5 Forms for people


def forms(world):
    name, title = "Größe & <Co>", "a <b> & \"c\" für alle"
    place = world.list(name)
    slack, ntfy = receiver(), receiver()
    failed = world.webhook(slack, form="slack", lists=[place])
    world.webhook(ntfy, form="ntfy", lists=[place])
    post, _ = world.add(title, place)
    # Events that are there at the same time share a message, so each message is waited for.
    for count, outcome in ((1, "failed"), (2, "ok")):
        gathered(slack, count), gathered(ntfy, count)
        run(world, place, post, outcome)
    gathered(slack, 3), gathered(ntfy, 3)
    world.owner.command("post.edit", category=place, id=post, notes="no news")
    world.owner.command("tag.add", category=place, id=new_id(), name="no-news")
    world.other.command("post.complete", category=place, id=post)
    texts = gathered(slack, 4), gathered(ntfy, 4)
    for text, words in zip(texts[0], (("Forms", "added"), ("failed",), ("well",), ("Forms-Other", "completed"))):
        raw = text.content["text"]
        expect(set(text.content) == {"text"} and not set(raw.replace("&amp;", "").replace("&lt;", "").replace("&gt;", "")) & set("<>&"),
               f"not escaped: {raw}")
        said = html.unescape(raw)
        expect(-1 < said.find(name) < said.find(title) and all(word in said for word in words), f"{words}: {said}")
    for text, high in zip(texts[1], (False, True, False, False)):
        heading = email.header.make_header(email.header.decode_header(text.headers["title"]))
        expect(text.headers["title"].isascii() and str(heading) == name, f"the title {text.headers}")
        expect(text.headers["content-type"].startswith("text/plain") and title in text.content, f"{text.content}")
        marks = text.headers.get("priority"), text.headers.get("tags")
        expect(marks == (("high", "warning") if high else (None, None)), f"{marks}: {text.content}")
    for request in texts[0] + texts[1]:
        request.verify((slack if request in texts[0] else ntfy).secret)
    many(world, place, failed, slack)
    erased_of_text(world, place, failed, slack)


def run(world, place, post, outcome):
    run = new_id()
    world.owner.command("run.start", category=place, id=post, run=run)
    world.owner.command("run.phase", category=place, id=post, run=run, phase="no news")
    world.owner.command("run.end", category=place, id=post, run=run, outcome=outcome)


def gathered(to, count):
    return to.wait(lambda requests: len(requests) >= count and requests[:], f"{count} messages")


def many(world, place, webhook, slack):
    """What happened while a webhook was paused is one message, of 20 sentences at most."""
    world.set("pause", webhook)
    for number in range(2):
        world.owner.command("batch", commands=[dict(method="post.add", params=dict(category=place, id=new_id(), title=f"one of many {n}"))
                                               for n in range(15)])
    count = len(slack.requests)
    world.set("resume", webhook)
    text = gathered(slack, count + 1)[count].content["text"]
    expect(text.count("one of many") == 20, f"{text}")


def erased_of_text(world, place, webhook, slack):
    slack.release("500")
    post, _ = world.add("a secret that is erased", place)
    world.until(webhook, lambda line: "trouble" in line, "the trouble")
    world.owner.command("post.erase", category=place, id=post)
    count = len(slack.requests)
    slack.release()
    world.set("resume", webhook)
    slack.wait(lambda requests: requests[-1].taken, "the message without the title")
    expect("a secret" not in str([request.content for request in slack.requests[count:]]), "an erased title is sent")


# 6 Paused


def paused(world):
    to, witness, stream = receiver(), Witness(world, world.builds), f"c:{world.builds}"
    webhook, first = world.webhook(to), world.head(stream) + 1
    to.mode = "410"
    world.add("for nobody")
    told = f"u:{world.user}"
    world.owner.wait(lambda pushes: "webhook.paused" in str(pushes), "that the owner is told")
    ops = [op for push in world.owner.pushes if push["method"] == "sync.events" and push["params"]["stream"] == told
           for event in push["params"]["events"] for op in event["ops"] if op["t"] == "webhook.paused"]
    expect(ops == [dict(t="webhook.paused", id=webhook, f=dict(bot=world.bot))], f"{ops}")
    line = world.webhooks()[webhook]
    expect(line["pausedAt"] > 0 and [each.get("status") for each in line["tries"]] == [410], f"{line}")
    to.mode = "ok"
    witness.settle(world.builds)
    expect(len(to.requests) == 1, "nothing comes while it is paused")
    resumed(world, to, webhook, {stream: first})
    expect(world.set("pause", webhook)["changed"] and not world.set("pause", webhook)["changed"], "paused once")
    count = len(to.requests)
    for number in range(120):
        world.owner.command("post.add", category=world.builds, id=new_id(), title=f"meanwhile {number}")
    witness.settle(world.builds)
    expect(len(to.requests) == count, "nothing comes while it is paused")
    resumed(world, to, webhook, {stream: first})
    expect([len(request.events) for request in to.requests[count:]] == [100, 22], "a hundred events in a delivery, and the rest")
    lines = [line for line in world.owner.call("notification.list")["directed"] if line["kind"] == "webhook_paused"]
    expect([line["about"] for line in lines] == [f"u:{world.bot}"], f"told once, and not of what the owner did: {lines}")
    proved(to, webhook)
    return to, webhook, {stream: first}


def resumed(world, to, webhook, firsts):
    expect("pausedAt" in world.webhooks()[webhook], "paused")
    expect(world.set("resume", webhook)["changed"] and not world.set("resume", webhook)["changed"], "resumed once")
    complete(world, to, firsts)
    world.until(webhook, lambda line: "pausedAt" not in line and "trouble" not in line, "at work")


# 7 Addresses


def addresses(programs, folder):
    """A server as most are: its own machine and network are no receivers."""
    server = Server(programs, folder / "closed", *OPTIONS).start()
    try:
        world = World(server, "closed")
        forbidden(world)
        refused_at_once(world)
    finally:
        status = server.stop()
    expect(status == 0, "the end of the server")
    server.verified()


def forbidden(world):
    here = {address: receiver(address=address) for address in ("127.0.0.1", "::1")}
    hosts = ["127.0.0.1", "localhost", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "169.254.169.254", "192.168.0.1",
             "2130706433", "0x7f.1", "[::]", "127.1", "0", "172.16.0.1", "[fc00::1]"]
    bots = [world.bot] + [world.new_bot(f"closed-{number}") for number in range(2)]
    for number in range(2):
        world.let_in(world.builds, f"closed-{number}")
    for number, host in enumerate(hosts):
        port = here["::1" if host == "[::1]" else "127.0.0.1"].place[1]
        world.owner.command("webhook.add", bot=bots[number // 5], id=new_id(), name=host, address=f"http://{host}:{port}/{MARK}")
    refused(lambda: world.webhook(here["127.0.0.1"]), "quota", "the sixth webhook of a bot")
    world.add("for nobody")
    world.owner.wait(lambda pushes: str(pushes).count("webhook.paused") == len(hosts), f"that {len(hosts)} webhooks are paused")
    lines = [line for bot in bots for line in world.webhooks(bot=bot).values()]
    expect(len(lines) == len(hosts), f"{len(lines)} webhooks")
    for line in lines:
        expect("pausedAt" in line and [each.get("status") for each in line["tries"]] == [None] and line["tries"][0]["error"], f"{line}")
    expect([to.connected for to in here.values()] == [0, 0], "the server calls its own machine")
    for webhook in world.webhooks():
        world.set("remove", webhook)
    expect(world.webhooks() == {}, "no webhook any more")


def refused_at_once(world):
    for address in ("ftp://example.org/", "file:///etc/passwd", "javascript:alert(1)", "example.org/x", "//example.org/", "/x",
                    "http:example.org", "https://user:pass@example.org/", "https://user@example.org/", "https://example.org/#x",
                    "https://exa mple.org/", "https://example.org/a b", "https://", "https:///x", "https://:80/",
                    "https://example.org:0/", "https://example.org:99999/", "https://example.org:x/",
                    "https://example.org:/", "https://ex\u00e4mple.org/", "https://example.org/\u00e4", "https://[::1/", "https://[]/", "",
                    "https://example.org\\@127.0.0.1/"):
        told = error(lambda: world.owner.command("webhook.add", bot=world.bot, id=new_id(), name="x", address=address))
        expect((told.get("data", {}).get("kind"), told.get("data", {}).get("field")) == ("invalid", "address"), f"{address}: {told}")
    for length, kind in ((2_048, None), (2_049, ("invalid", "too_large"))):
        params = dict(bot=world.bot, id=new_id(), name="x", address="https://example.org/".ljust(length, "x"))
        told = error(lambda: world.owner.command("webhook.add", **params))
        expect(told.get("changed") if kind is None else told["data"]["kind"] in kind, f"{length} bytes: {told}")
