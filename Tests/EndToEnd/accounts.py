"""For methods.py: everything of somebody, and the end of their account."""
import subprocess

from harness import Client, closed, expect, new_id, refused, say_hello, sign_in

PASSWORD = "correct horse battery"


def bots(server, owner, editor):
    """A bot from its beginning to its end, with a token, and in between it is somebody else's."""
    bot, token, shared, invitation = new_id(), new_id(), new_id(), new_id()
    owner.change("bot.add", id=bot, username="nightly", name="Nightly build", zone="Europe/Lisbon")
    owner.change("category.add", id=shared, name="shared")
    owner.change("invitation.send", id=new_id(), stream=f"c:{shared}", username="nightly", role="editor")
    owner.change("invitation.send", id=invitation, stream=f"c:{shared}", username="editor", role="editor")
    editor.change("invitation.accept", id=invitation)
    made = owner.change("token.add", bot=bot, id=token, name="a program", lists=[shared], methods=["post.add", "post.list"], days=2)
    program = Client(server.url)
    say_hello(program, made["token"])
    program.command("post.add", category=shared, id=new_id(), title="by a token")
    free = owner.change("token.add", bot=bot, id=new_id(), name="for all")
    whole = Client(server.url)
    say_hello(whole, free["token"])
    expect(owner.ask("bot.list")["bots"][0]["tokens"][0]["usedAt"], "when the token was used")
    owner.change("token.revoke", bot=bot, id=token)
    webhooks(owner, bot, shared)
    owner.change("bot.give", bot=bot, username="editor")
    expect(closed(whole) == 4506, "the token ends with the gift")
    free = editor.change("token.add", bot=bot, id=new_id(), name="for all")
    whole = Client(server.url)
    say_hello(whole, free["token"])
    expect(whole.call("profile.get")["profile"]["owner"] == editor.user, "its owner")
    editor.change("bot.end", bot=bot)
    expect(editor.ask("bot.list")["bots"][0]["endsAt"], "when the bot ends")
    editor.change("bot.keep", bot=bot)


def webhooks(owner, bot, category):
    """A webhook that leads where the server does not send is paused, and its owner is told."""
    watcher, webhook = owner.connect(streams="all"), new_id()
    owner.change("webhook.add", bot=bot, id=webhook, name="nowhere", address="http://127.0.0.1:9/", lists=[category])
    owner.change("post.add", category=category, id=new_id(), title="for nobody")
    watcher.wait(lambda pushes: "webhook.paused" in str(pushes), "that the webhook is paused")
    watcher.close()
    expect(owner.ask("bot.list")["bots"][0]["webhooks"][0]["tries"][0]["error"], "why it is paused")
    for step in ("resume", "pause", "remove"):
        owner.change(f"webhook.{step}", bot=bot, id=webhook)


def accounts(server, owner, editor):
    anonymous = Client(server.url)
    user = new_id()
    once = dict(id=user, username="newcomer", name="Newcomer", zone="UTC", password=PASSWORD)
    first = anonymous.call("account.register", **once)
    expect(anonymous.call("account.register", **once) == first, "register: a repeat answers differently")
    recover = dict(username="newcomer", code=first["recoveryCode"], password="another horse battery", key=new_id())
    recovered = anonymous.call("account.recover", **recover)
    expect(anonymous.call("account.recover", **recover) == recovered, "recover: a repeat answers differently")
    shown = dict(category=new_id(), id=new_id())
    owner.change("category.add", id=shown["category"], name="shown")
    link = owner.change("link.make", **shown)
    expect([line["code"] for line in owner.ask("link.list", category=shown["category"])["links"]] == [link["code"]], "codes of links")
    onlooker = Client(server.url)
    looked = onlooker.call("hello", link=link["code"], client={"name": "onlooker", "version": "1"})
    expect([entry["stream"] for entry in looked["streams"]] == ["c:" + shown["category"]], f"a link shows {looked['streams']}")
    refused(lambda: onlooker.call("profile.get"), "forbidden")
    owner.change("link.revoke", **shown)
    guest = dict(id=new_id(), name="Somebody", device="0123456789abcdef")
    begun = anonymous.call("account.guest", **guest)
    again = anonymous.call("account.guest", **guest)
    expect(again["username"] == begun["username"], "a guest comes back with the device")
    visitor = Client(server.url)
    say_hello(visitor, again["token"])
    visitor.command("category.add", key=new_id(), id=new_id(), name="a guest's")
    visitor.call("profile.get")
    visitor.call("account.delete", key=new_id())
    visitor.command("account.keep", key=new_id())
    upgrade = dict(username="visitor", name="Visitor", password=PASSWORD, key=new_id())
    upgraded = visitor.call("account.upgrade", **upgrade)
    expect(visitor.call("account.upgrade", **upgrade) == upgraded, "upgrade: a repeat answers differently")
    sign_in(server.url, "visitor", PASSWORD, register_first=False)
    code = owner.ask("session.pair")["code"]
    paired = anonymous.call("account.pair", code=code, client={"name": "second", "version": "1"}, device="0123456789abcdef")
    expect(paired["username"] == "owner" and paired["user"] == owner.user, f"paired: {paired}")
    refused(lambda: anonymous.call("account.pair", code=code), "unauthenticated")
    sessions = owner.ask("session.list")["sessions"]
    other, _, _ = sign_in(server.url, "owner", PASSWORD, register_first=False)
    opened = [s for s in owner.ask("session.list")["sessions"] if s not in sessions and not s["current"]]
    owner.change("session.close", id=opened[0]["id"])
    owner.change("account.change_password", old=PASSWORD, new="a third horse battery")
    refused(lambda: sign_in(server.url, "owner", PASSWORD, register_first=False), "unauthenticated")
    exported(owner)
    newcomer, _, _ = sign_in(server.url, "newcomer", "another horse battery", register_first=False)
    refused(lambda: newcomer.command("account.delete", password=PASSWORD), "invalid")
    asked = dict(password="another horse battery", key=new_id())
    ending = newcomer.command("account.delete", **asked)
    expect(ending["changed"] and newcomer.command("account.delete", **asked) == ending, "delete: a repeat answers differently")
    expect(newcomer.call("profile.get")["profile"]["endsAt"], "the profile does not say when the account ends")
    newcomer.command("account.keep")
    expect("endsAt" not in newcomer.call("profile.get")["profile"], "the account still ends")
    ended(server, owner, newcomer)
    editor.ask("account.logout")
    refused(lambda: editor.connect(), "unauthenticated")


def exported(owner):
    """All pages of it: a line of each stream, and its log without a gap; then that it is whole."""
    lines, after, pages = [], None, 0
    while after or not pages:
        page = owner.client.call("account.export", **({"after": after} if after else {}))
        lines, after, pages = lines + page["lines"], page.get("after"), pages + 1
    expect(lines.pop() == {"end": True} and {"end": True} not in lines, "the export does not end, or not once")
    heads = [line for line in lines if "stream" in line]
    arrived = owner.connect(streams="all")
    expect({head["stream"] for head in heads} == {entry["stream"] for entry in arrived.hello["streams"]}, "other streams")
    arrived.close()
    for head, after in zip(heads, heads[1:] + [None]):
        part = lines[lines.index(head):lines.index(after) if after else None]
        numbers = [line["seq"] for line in part if "event" in line]
        expect(numbers == list(range(head["from"], head["seq"] + 1)), f"the log of {head}: {numbers}")


def ended(server, owner, leaver):
    """The operator ends somebody's account at once: whoever knew them is told to forget the name."""
    category, invitation = new_id(), new_id()
    owner.client.command("category.add", id=category, name="with somebody who goes")
    owner.client.command("invitation.send", id=invitation, stream=f"c:{category}", username="newcomer", role="editor")
    leaver.command("invitation.accept", id=invitation)
    subprocess.run([server.program, "user", "delete", "newcomer", "--days", "0", "--data", str(server.data)], check=True, timeout=30)
    owner.client.wait(lambda pushes: "person.forgotten" in str(pushes), "that they are gone")
    leaver.close()
