"""Who only looks, and what another program has: ways.py PROGRAMS

A link shows a list to somebody without an account, in a terminal, into a pipe and in a calendar program, until it is taken back; the
example bot brings what another program has, again and again, and leaves to people what they have changed.
"""
import datetime
import json
import subprocess
import urllib.error
import urllib.request

import icalendar

from harness import DEADLINE, Failure, Server, expect, main
from screens import Person, Tmux, done


def ways(programs, folder):
    programs = programs.resolve()
    server, tmux = Server(programs, folder / "data").start(), Tmux(folder)
    owner, looker = (Person(tmux, programs, folder, server.url, name) for name in ("owner", "looker"))
    try:
        owner.run("register", "owner", "--password-stdin", "--server", server.url)
        owner.do("new Work")
        imported(programs, owner)
        looked(server, owner, looker)
        subscribed(owner)
    except (Failure, subprocess.SubprocessError):
        for person in (owner, looker):
            try:
                print(f"--- {person.name}'s screen\n{person.screen().rstrip()}\n---")
            except subprocess.SubprocessError:
                print(f"--- {person.name} has no screen")
        raise
    finally:
        tmux.stop()
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return "links and imports: every step was seen"


def bring(programs, owner, lines, status=0):
    text = "".join("\t".join(line) + "\n" for line in lines)
    result = subprocess.run([programs / "whattodo-bot", "import", "--state", owner.state, "#work", "forge"], input=text,
                            text=True, capture_output=True, timeout=DEADLINE * 2)
    expect(result.returncode == status, f"status {status} of an import, not {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout.strip()


def imported(programs, owner):
    issues = [[str(number), f"issue {number}", f"https://forge.example/{number}"] for number in range(1, 131)]
    told = bring(programs, owner, issues)
    expect(told == "130 added", f"more than one batch of new ones: {told}")
    told = bring(programs, owner, issues)
    expect(told == "130 unchanged", f"the same again: {told}")
    owner.do("edit #work 1 mine")
    owner.do("rm #work 2")
    issues[0][1], issues[2][1] = "theirs", "issue three"
    told = bring(programs, owner, issues)
    expect(told == "1 edited, 128 unchanged, 1 removed; 1 as people have set it", f"after people: {told}")
    posts = {post["number"]: post for post in json.loads(owner.do("show #work", 0, "--json"))["posts"]}
    expect((posts[1]["title"], posts[3]["title"], 2 in posts) == ("mine", "issue three", False), "what people did is theirs")
    expect(posts[3]["source"] == {"name": "forge", "id": "3", "url": "https://forge.example/3"}, f"where it is from: {posts[3]}")
    bring(programs, owner, [["no title"]], status=1)
    told = bring(programs, owner, [["1", "x" * 600], ["900", "one more"]], status=1)
    expect(told == "1 added", f"what is too long keeps nothing else out: {told}")
    done("the bot brings what another program has, twice once, and leaves to people what they have changed and removed")


def looked(server, owner, looker):
    owner.do("new Party")
    owner.do("add #party cake")
    told = owner.do("link #party 3")
    code = told.split()[0]
    made = json.loads(owner.do("link #party", 0, "--json"))["results"][0]
    expect(made["code"] != code and "sees what a viewer sees" in made["shows"], f"another one, for a script: {made}")
    owner.do("unlink #party 2")
    expect("sees what a viewer sees" in told and "3 days" in told, f"what a link shows: {told}")
    once = subprocess.run([looker.program, "--link", code, "--server", server.url, "--state", looker.state],
                          capture_output=True, text=True, timeout=DEADLINE * 2)
    expect(once.returncode == 0 and "cake" in once.stdout and "read only" in once.stdout, f"into a pipe, once: {once}")
    expect(not (looker.state / "session").exists(), "nothing is kept of it")
    looker.open("--link", code, "--server", server.url)
    looker.sees("You look at #Party by a link. It is read only.")
    looker.sees("cake")
    owner.open()
    owner.sees("/help shows the commands")
    owner.enter("/open party")
    owner.until(lambda: "(a guest is here)" in owner.row, "that somebody looks")
    owner.enter("/quit")
    owner.sees("[ended 0]")
    owner.close()
    owner.do("add #party candles")
    looker.sees("candles")
    expect(code in owner.do("links #party"), "its code is told again")
    owner.do("unlink #party 1")
    looker.sees("this link shows nothing (any more)")
    looker.sees("[ended 1]")
    owner.do("add #party secret")
    expect("secret" not in looker.screen(), "nothing after the end")
    looker.close()
    looker.open("--link", owner.do("link #party").split()[0], "--server", server.url)
    looker.sees("secret")
    owner.do("rm #party")
    looker.sees("this list was removed")
    looker.sees("[ended 1]")
    looker.close()
    owner.do("restore #party")
    again = subprocess.run([looker.program, "--link", code, "--server", server.url, "--state", looker.state],
                           capture_output=True, text=True, timeout=DEADLINE * 2)
    expect(again.returncode == 1 and "shows nothing" in again.stderr, f"after the end: {again}")
    done("a link shows a list, its maker is told what; nothing is seen after it is taken back")


def subscribed(owner):
    """As a calendar program does, with a reader of RFC 5545 that others wrote."""
    owner.do("new Home")
    title = "cake; with candles, and 'é', " + "very " * 30 + "sweet"
    for line in (f"add #home {title}", "due #home 1 tomorrow", "priority #home 1 high", "add #home dishes", "due #home 2 today",
                 "repeat #home 2 every day", "add #home no due"):
        owner.do(line)
    address = json.loads(owner.do("link #home 366", 0, "--json"))["results"][0]["calendar"]
    expect(address in owner.do("links #home").replace("\n", "").replace(" ", ""), "its address is told again")
    with urllib.request.urlopen(address, timeout=DEADLINE) as page:
        expect(page.headers["Content-Type"] == "text/calendar; charset=utf-8", f"its kind: {page.headers}")
        mark, calendar = page.headers["ETag"], icalendar.Calendar.from_ical(page.read().decode())
    expect(str(calendar["X-WR-CALNAME"]) == "Home" and not calendar.errors, "a calendar with a name and without errors")
    today = datetime.date.today()
    cakes = [event for event in calendar.walk("VEVENT") if "cake" in event["SUMMARY"]]
    expect([(str(event["SUMMARY"]), event.decoded("DTSTART"), event["PRIORITY"]) for event in cakes]
           == [(title, today + datetime.timedelta(1), 1)], f"one post: {cakes}")
    dishes = sorted(event.decoded("DTSTART") for event in calendar.walk("VEVENT") if event["SUMMARY"] == "dishes")
    expect(dishes == [today + datetime.timedelta(days) for days in range(63)], f"what comes again, each day: {dishes[:3]}")
    expect(len({event["UID"] for event in calendar.walk("VEVENT")}) == 64, "each is known by a name of its own")
    request = urllib.request.Request(address, headers={"If-None-Match": mark})
    expect(status_of(request) == 304, "nothing new")
    owner.do("done #home 1")
    expect(status_of(request) == 200, "something new")
    owner.do("unlink #home 1")
    expect(status_of(request) == 404, "nothing after the end")
    done("a calendar program reads the list's deadlines until the link is taken back")


def status_of(request):
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as page:
            return page.status
    except urllib.error.HTTPError as error:
        return error.code


main(ways)
