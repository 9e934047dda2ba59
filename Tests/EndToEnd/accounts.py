"""For methods.py: everything of somebody, and the end of their account."""
import subprocess

from harness import expect, new_id


def exported(owner):
    """All pages of it: a line of each stream, and its log without a gap."""
    lines, after, pages = [], None, 0
    while after or not pages:
        page = owner.client.call("account.export", **({"after": after} if after else {}))
        lines, after, pages = lines + page["lines"], page.get("after"), pages + 1
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
