"""What an operator does beside a running server: operating.py PROGRAMS

Invites by a code that lets one person in, gives somebody without a password the recovery code, copies the data,
verifies the live data and the copy, and puts a copy in the place of the data.
"""
import json
import os
import pathlib
import stat
import subprocess
import time

from harness import DEADLINE, Client, Server, closed, expect, main, new_id, refused, say_hello, sign_in


def a_day(programs, folder):
    privacy = folder / "privacy.txt"
    privacy.write_text("We keep what you write\nuntil you delete it.\n")
    server = Server(programs, folder / "data", "--registration", "code", "--first-list", "to do", "--privacy", str(privacy)).start()
    try:
        asked(server)
        invited(server)
        forgotten(server)
        worked(server)
        forsaken(server)
        deleted(server)
        copied(programs, server, folder)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")
    restored(server, folder)
    secret_changed(server)
    silenced(programs, folder / "silent")
    return "invite, user reset, user delete, backup and verify beside a running server; restore without one"


def silenced(programs, data):
    """On a server without talk nobody says anything. The lines of before are read, and taken back."""
    server = Server(programs, data).start()
    try:
        client, _, token = sign_in(server.url, "talker", streams="none")
        expect("talk" not in client.call("server.about"), "talk is usual")
        client.command("category.add", id=(category := new_id()), name="a list")
        stream = f"c:{category}"
        line = client.command("line.say", stream=stream, text="Hello")["events"][0]["seq"]
        client.close()
        server.stop()
        server.options.append("--no-talk")
        server.start()
        client = Client(server.url)
        say_hello(client, token, streams="none")
        expect(client.call("server.about")["talk"] is False, "the server says that nobody talks")
        refused(lambda: client.command("line.say", stream=stream, text="Hello?"), "forbidden")
        refused(lambda: client.command("line.edit", stream=stream, line=line, text="Hello?"), "forbidden")
        said = client.call("history.get", stream=stream, kinds=["line.said"])["events"]
        expect([it["event"]["ops"][0]["f"]["text"] for it in said] == ["Hello"], f"what was said: {said}")
        client.command("line.remove", stream=stream, line=line)
        client.close()
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status}")


def command(server, *words, data=None, status=0):
    done = subprocess.run([server.program, *words, "--data", str(data or server.data)],
                          capture_output=True, text=True, timeout=30)
    expect(done.returncode == status, f"{words}: {done.returncode} {done.stdout}{done.stderr}")
    return done.stdout.strip() or done.stderr.strip()


def register(server, username, **more):
    client = Client(server.url)
    try:
        return client.call("account.register", id=new_id(), username=username, password="correct horse battery", **more)
    finally:
        client.close()


def asked(server):
    """What the operator says of people's data, before anybody gives a name."""
    client = Client(server.url)
    about = client.call("server.about")
    expect((about["registration"], about["privacy"]) == ("code", "We keep what you write\nuntil you delete it."), f"about: {about}")
    client.close()


def invited(server):
    code = command(server, "invite").split()[-1]
    for more, why in [({}, "without a code"), ({"code": code[:-1] + ("0" if code[-1] != "0" else "1")}, "another code")]:
        refused(lambda: register(server, "newcomer", **more), "invalid", why)
    events = register(server, "newcomer", code=code.lower())["events"]
    expect([event["stream"][0] for event in events] == ["c", "u"], f"a first list: {events}")
    refused(lambda: register(server, "second", code=code), "invalid", "a code that is spent")


def forgotten(server):
    client, _, token = sign_in(server.url, "newcomer", register_first=False)
    category = new_id()
    client.command("category.add", id=category, name="groceries")
    code = command(server, "user", "reset", "newcomer").split()[-1]
    other = Client(server.url)
    other.call("account.recover", username="newcomer", code=code, password="a new horse battery", key=new_id())
    other.close()
    refused(lambda: sign_in(server.url, "newcomer", register_first=False), "unauthenticated", "the old password")
    again, _, _ = sign_in(server.url, "newcomer", "a new horse battery", register_first=False)
    again.wait(lambda pushes: category in str(pushes), "the list, as before")
    again.close()
    expect("nobody" in command(server, "user", "reset", "nobody", status=1), "a sentence about an unknown name")


def add_bot(owner, username, place, host):
    """A bot in a list, with a token and a webhook; (id, the token). Nothing is sent to hosts in documentation (RFC 5737)."""
    bot = new_id()
    owner.command("bot.add", id=bot, username=username)
    owner.command("invitation.send", id=new_id(), stream=f"c:{place}", username=username, role="editor")
    token = owner.command("token.add", bot=bot, id=new_id(), name="a program")["token"]
    owner.command("webhook.add", bot=bot, id=new_id(), name="a chat", address=f"https://{host}/{username}")
    return bot, token


def worked(server):
    """A bot works in a list, and its owner reacts, talks and is told less."""
    owner, _, _ = sign_in(server.url, "newcomer", "a new horse battery", register_first=False)
    builds, post, chore, run = new_id(), new_id(), new_id(), new_id()
    owner.command("category.add", id=builds, name="builds")
    owner.command("post.add", category=builds, id=post, title="the build")
    bot, token = add_bot(owner, "nightly", builds, "192.0.2.7")
    program = Client(server.url)
    say_hello(program, token)
    program.command("run.start", category=builds, id=post, run=run, phase="compile")
    program.command("run.end", category=builds, id=post, run=run, outcome="failed", text="exit 3")
    program.command("run.start", category=builds, id=post, run=new_id())
    program.command("post.add", category=builds, id=chore, title="a chore")
    done = program.command("post.complete", category=builds, id=chore)["events"][0]["seq"]
    program.close()
    owner.command("event.react", category=builds, event=done, sign="👏")
    owner.command("line.say", stream=f"c:{builds}", text="well done, nightly", post=chore)
    owner.command("settings.edit", level={"about": f"u:{bot}", "level": "none"})
    owner.close()
    at_work(server.url, bots_of(server.url))


def bots_of(url):
    """The bots of the newcomer, with what their owner has said of them."""
    owner, _, _ = sign_in(url, "newcomer", "a new horse battery", register_first=False)
    bots = owner.call("bot.list")["bots"]
    owner.close()
    return [{"id": bot["id"], "places": bot["places"], "tokens": [(it["id"], it["name"], it["endsAt"]) for it in bot["tokens"]],
             "webhooks": [(it["id"], it["name"], it["address"]) for it in bot["webhooks"]]} for bot in bots]


def at_work(url, bots):
    """These are the bots, and what they and their owner have done is there."""
    owner, user, _ = sign_in(url, "newcomer", "a new horse battery", register_first=False)
    words = ['"t": "reactions"', f'"user": "{user}", "sign": "👏"', '"t": "settings"', '"level": "none"', '"lastRun": {', '"run": {',
             '"t": "line"', '"text": "well done, nightly"']
    owner.wait(lambda pushes: all(word in json.dumps(pushes, ensure_ascii=False) for word in words), f"all of {words}")
    owner.close()
    found = bots_of(url)
    expect(len(found) == 1 and len(found[0]["webhooks"]) == 1, f"a bot with a webhook: {found}")
    expect(found == bots, f"{found} instead of {bots}")


def forsaken(server):
    """A group whose owner is gone: the operator makes somebody else its owner."""
    owner, _, _ = sign_in(server.url, "newcomer", "a new horse battery", register_first=False)
    register(server, "heir", code=command(server, "invite").split()[-1])
    heir, user, _ = sign_in(server.url, "heir", "correct horse battery", register_first=False)
    group, invitation = new_id(), new_id()
    owner.command("group.add", id=group, name="Our family")
    owner.command("invitation.send", id=invitation, stream=f"g:{group}", username="heir", role="viewer")
    heir.command("invitation.accept", id=invitation)
    code = command(server, "group", "owner", "Our family", "heir").split()[-1]
    refused(lambda: owner.command("invitation.redeem", code=code), "invalid", "another's code")
    heir.command("invitation.redeem", code=code.lower())
    heir.command("member.leave", stream=f"g:{group}", successor=owner.hello["user"])
    refused(lambda: heir.command("invitation.redeem", code=code), "invalid", "a code that is spent")
    other = command(server, "group", "owner", f"g:{group}", "heir").split()[-1]
    heir.command("invitation.redeem", code=other)
    expect("nothing called" in command(server, "group", "owner", "nowhere", "heir", status=1), "a sentence about an unknown group")
    owner.close()
    heir.close()


def deleted(server):
    """An account that the operator ends: at once, and whoever wanted its name does not get it."""
    register(server, "zebra.quagga", code=command(server, "invite").split()[-1])
    leaver, _, _ = sign_in(server.url, "zebra.quagga", "correct horse battery", register_first=False)
    place = new_id()
    leaver.command("category.add", id=place, name="of theirs alone")
    _, token = add_bot(leaver, "quagga-bot", place, "192.0.2.8")
    expect(files_with(server, b"192.0.2.8"), "the address of the webhook is in the database")
    expect("in 14 days" in command(server, "user", "delete", "zebra.quagga"), "a sentence about when")
    leaver.wait(lambda pushes: "account.ending" in str(pushes), "that it will end")
    leaver.command("account.keep")
    expect("at once" in command(server, "user", "delete", "zebra.quagga", "--days", "0"), "a sentence")
    expect(closed(leaver) == 4506, "the session is over")
    program = Client(server.url)
    refused(lambda: say_hello(program, token), "unauthenticated", "the token of a bot whose owner is gone")
    program.close()
    in_no_file(server, b"192.0.2.8", b"quagga-bot", b"zebra.quagga")
    nobody = command(server, "user", "delete", "zebra.quagga", status=1)
    expect("nobody is called" in nobody, f"a sentence about a name that is gone: {nobody}")
    code = command(server, "invite").split()[-1]
    refused(lambda: register(server, "zebra.quagga", code=code), "exists", "the name of somebody who is gone")


def files_with(server, *texts):
    """The files of the folder that have any of the texts."""
    found = []
    for file in pathlib.Path(server.data).iterdir():
        try:
            held = file.read_bytes()
        except FileNotFoundError:
            # A request of the operator that the server has just taken.
            continue
        found += [(file.name, text) for text in texts if text in held]
    return found


def in_no_file(server, *texts):
    """After a while no file of the folder has any of the texts."""
    end = time.monotonic() + DEADLINE
    while found := files_with(server, *texts):
        expect(time.monotonic() < end, f"still there: {found}")
        time.sleep(0.05)


def copied(programs, server, folder):
    copy = folder / "copy"
    copy.mkdir(mode=0o700)
    bots = bots_of(server.url)
    expect([len(bot["tokens"]) for bot in bots] == [1], f"a bot with a token: {bots}")
    command(server, "backup", str(copy / "whattodo.db"))
    expect("sound" in command(server, "verify"), "the live data verify")
    expect("sound" in command(server, "verify", data=copy), "the copy verifies")
    command(server, "backup", str(copy / "whattodo.db"), status=1)
    second = Server(programs, copy).start()
    try:
        client, _, _ = sign_in(second.url, "newcomer", "a new horse battery", register_first=False)
        client.wait(lambda pushes: "groceries" in str(pushes), "the list in the copy")
        client.close()
        at_work(second.url, bots)
    finally:
        expect(second.stop() == 0, "the second server did not stop cleanly")


def recover(server, code):
    client = Client(server.url)
    try:
        client.call("account.recover", username="newcomer", code=code, password="a new horse battery", key=new_id())
    finally:
        client.close()


def secret_changed(server):
    """What codes are derived from lies outside of backups, and can be changed while no server runs."""
    code = command(server, "user", "reset", "newcomer").split()[-1]
    backup = f"{server.data}.backup"
    command(server, "backup", backup, "--with-secret")
    for name in (f"{backup}.secret", f"{server.data}/secret"):
        expect(stat.S_IMODE(os.stat(name).st_mode) == 0o600, f"{name} is not 0600")
    halves = [bytes.fromhex(line.split()[1]) for line in open(f"{backup}.secret", encoding="ascii")]
    expect(not any(half in open(backup, "rb").read() for half in halves), "a backup has the secret")
    server.start()
    try:
        expect("Another server" in command(server, "secret", "new", status=1), "a sentence about the running server")
    finally:
        expect(server.stop() == 0, "the server did not stop cleanly")
    told = command(server, "secret", "new")
    expect("recovery codes" in told and "links" in told, f"what a new secret means: {told}")
    server.start()
    try:
        refused(lambda: recover(server, code), "unauthenticated", "a code of before")
        recover(server, command(server, "user", "reset", "newcomer").split()[-1])
    finally:
        expect(server.stop() == 0, "the server did not stop cleanly")
    elsewhere = f"{server.data}-elsewhere"
    for more, word in [([], "beside the backup"), (["--replace"], "this folder")]:
        expect(word in command(server, "restore", backup, *more, data=elsewhere), f"which secret: {word}")
    os.remove(f"{backup}.secret")
    expect("new one was made" in command(server, "restore", backup, data=f"{elsewhere}-2"), "that a new secret was made")


def restored(server, folder):
    backup = str(folder / "copy" / "whattodo.db")
    command(server, "restore", backup, status=1)
    server.start()
    try:
        client, _, _ = sign_in(server.url, "newcomer", "a new horse battery", register_first=False)
        epochs = {status["epoch"] for status in client.hello["streams"]}
        client.command("category.add", id=new_id(), name="after the backup")
        client.close()
        bots = bots_of(server.url)
        command(server, "restore", backup, "--replace", status=1)
    finally:
        expect(server.stop() == 0, "the server did not stop cleanly")
    expect("sound" in command(server, "restore", backup, "--replace", "--sign-out"), "the restored data verify")
    server.start()
    try:
        client, _, _ = sign_in(server.url, "newcomer", "a new horse battery", register_first=False)
        expect(not epochs & {status["epoch"] for status in client.hello["streams"]}, "every stream has a new epoch")
        client.wait(lambda pushes: "groceries" in str(pushes), "the list of the backup")
        expect("after the backup" not in str(client.pushes), "what came after it is gone")
        client.close()
        # A token is a session.
        at_work(server.url, [{**bot, "tokens": []} for bot in bots])
    finally:
        expect(server.stop() == 0, "the server did not stop cleanly after the restore")


main(a_day)
