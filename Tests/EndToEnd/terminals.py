"""Two people at two terminals and a bot share a list: terminals.py PROGRAMS

The real server, two `whattodo` in tmux, the one-shot commands and the example bot. When a step is not seen, both
screens are shown.
"""
import json
import re
import subprocess

from harness import DEADLINE, Failure, Server, expect, main
from screens import PASSWORD, Person, Tmux, done
from terminal_contest import race_and_coop
from terminal_lists import moved_away, put_away, this_or_all, twins_in_the_bin
from terminal_surprises import surprises
from terminal_talk import talk, view_of_talk


def share_a_group(owner, editor):
    owner.enter("/group home")
    owner.sees("+ home is a group of @owner")
    owner.enter("/new Groceries in home")
    owner.sees("#Groceries  0 open, 0 done, in home")
    owner.enter("milk")
    owner.sees("+ milk (#1 in #Groceries)")
    owner.enter("bread")
    owner.sees("+ bread (#2 in #Groceries)")
    owner.enter("/invite editor to home")
    editor.sees("@owner invites you to home as editor: /accept or /decline")
    editor.enter("/accept")
    editor.sees("#Groceries is yours to see: 2 open")
    owner.sees("@editor joined home")
    done("owner makes a group with a list and invites, editor accepts and has the list")


def see_each_other(owner, editor):
    editor.enter("/open groceries")
    editor.sees("#2  bread")
    editor.enter("/done 1")
    owner.sees("@editor ✔ milk (1/2 in #Groceries)")
    editor.sees("today: 1 of 1 done")
    owner.enter("/react 1 👏")
    editor.sees("@owner 👏 milk (in #Groceries)")
    editor.enter("/react 1")
    editor.sees("        👏 @owner")
    owner.enter("/reopen 1")
    editor.sees("@owner ↺ milk (0/2 in #Groceries)")
    editor.enter("/edit 2 rye bread")
    owner.sees("@editor ✎ bread → rye bread")
    owner.enter("/rm 2")
    editor.sees("@owner ✘ rye bread (removed from #Groceries)")
    editor.enter("/restore 2")
    owner.sees("@editor + rye bread (#2 is back in #Groceries)")
    talk(owner, editor)
    owner.enter("/who")
    owner.sees("@editor  editor    0 done")
    done("both see each other's changes at once, with the list's progress")


def taken_back(owner, editor):
    editor.enter("/edit 1 oat milk")
    owner.sees("@editor ✎ milk → oat milk (in #Groceries)")
    editor.enter("/undo")
    owner.sees("@editor ✎ oat milk → milk (in #Groceries) (undo)")
    editor.enter("/redo")
    owner.sees("@editor ✎ milk → oat milk (in #Groceries) (redo)")
    editor.enter("/undo")
    owner.sees("@editor ✎ oat milk → milk (in #Groceries) (undo)", times=2)
    editor.enter("/done 1")
    owner.sees("@editor ✔ milk (1/2 in #Groceries)", times=2)
    for command, sign, word in [("/undo", "↺ milk (0", "undo"), ("/redo", "✔ milk (1", "redo"),
                                ("/undo", "↺ milk (0", "undo")]:
        editor.enter(command)
        for person, times in [(owner, "@editor "), (editor, "")]:
            person.sees(f"{times}{sign}/2 in #Groceries) ({word})")
    owner.enter("/history 1")
    owner.sees("@editor ✎ oat milk (in #Groceries)")
    owner.sees("@editor ✎ milk (in #Groceries) (undo)")
    asked = owner.do("history #groceries", 0)
    expect("✔ milk (1/2 in #Groceries)" in asked, f"who did what, for a script: {asked}")
    expect("✔ milk (1/2 in #Groceries) (redo)" in asked, f"what was done again: {asked}")
    owner.enter("/find MIL")
    owner.sees("#Groceries #1  milk")
    asked = owner.do("find #groceries milk", 0)
    expect("#Groceries #1  milk" in asked, f"found, for a script: {asked}")
    owner.enter("/due 1 today")
    owner.enter("/today")
    owner.sees("  today  #Groceries #1  milk")
    asked = owner.do("today", 0)
    expect("today  #Groceries #1  milk" in asked, f"what is due, for a script: {asked}")
    owner.enter("/due 1 off")
    owner.enter("/month")
    owner.sees("Mon       Tue       Wed")
    done("a change is undone, redone and undone, the history of a post and of a list tells of it")


def half_typed_line(owner, editor):
    owner.type("oat dri")
    owner.until(lambda: owner.row.endswith("❯ oat dri"), "the half-typed line")
    owner.press("Left", "Left")
    editor.enter("butter")
    owner.sees("@editor + butter (#3 in #Groceries)")
    expect(owner.row.endswith("❯ oat dri"), f"the half-typed line below the event, not {owner.row!r}")
    owner.press("End")
    owner.enter("nk")
    editor.sees("@owner + oat drink (#4 in #Groceries)")
    done("a half-typed line survives an incoming event")


def never_sent(owner, editor):
    owner.enter("/dnoe 1")
    owner.sees("there is no command /dnoe; nothing was sent")
    owner.enter("/help")
    owner.sees("leave; you stay signed in")
    owner.press("C-l")
    expect("dnoe" not in editor.screen(), "not on editor's screen")
    refused = owner.do("add #groceries \x1b[2Jboo\u202e", 1)
    expect("boo" not in editor.screen(), f"a title with controls refused: {refused}")
    done("a mistyped command and a title with controls reach nobody")


def bot(owner, robot, programs, editor):
    subprocess.run([robot.program, "register", "robot", "--password-stdin", "--state", robot.state, "--server",
                    robot.url], input=PASSWORD + "\n", text=True, check=True, capture_output=True,
                   timeout=DEADLINE)
    owner.enter("/invite robot")
    editor.sees("@owner → invited @robot to #Groceries")
    robot.do("accept")
    editor.sees("@robot joined #Groceries")
    done("a third account is made and accepts by one-shot commands")


def run_bot(programs, robot, owner):
    build = "for n in $(seq 30); do printf '\\033[32mstep %s\\033[0m\\n' $n; done"
    subprocess.run([programs / "whattodo-bot", "run", "--state", robot.state, "#groceries", "nightly build", "--", "sh", "-c", build],
                   check=True, capture_output=True, timeout=DEADLINE * 2)
    owner.sees("@robot + nightly build")
    owner.sees("@robot ✔ ok after")
    owner.sees(": nightly build (#6 in #Groceries)")
    shown = json.loads(owner.do("show #groceries", 0, "--json"))
    build = [post for post in shown["posts"] if post["title"] == "nightly build"]
    expect(len(build) == 1 and "run" not in build[0], f"one post of the bot, which stays open: {build}")
    last = build[0]["lastRun"]
    expect((last["by"]["username"], last["outcome"]) == ("robot", "ok"), f"how its last run ended: {last}")
    notes = build[0]["notes"].split("\n")
    expect(notes == ["── last output ──"] + [f"step {number}" for number in range(11, 31)], f"the last 20 lines as notes: {notes}")
    done("the bot adds a post, keeps the last lines of its command as notes and tells that it went well")


def absence(programs, owner, editor, robot):
    editor.enter("/quit")
    editor.sees("[ended 0]")
    editor.close()
    owner.enter("apples")
    owner.sees("+ apples (#5 in #Groceries)")
    owner.enter("/done 3")
    owner.sees("✔ butter")
    run_bot(programs, robot, owner)
    news = json.loads(editor.do("n", 0, "--json"))
    groceries = [row for row in news["lists"] if row["name"] == "Groceries"]
    expect([row["unread"] for row in groceries] == [4], f"4 unread of Groceries: {news}")
    editor.open()
    editor.sees("since you last looked:")
    editor.sees("#Groceries  4 new")
    for line in ["@owner + apples", "@owner ✔ butter", "@robot + nightly build", "@robot ✔ ok: nightly build"]:
        editor.sees(line)
    editor.until(lambda: "❯" in editor.row, "editor's prompt")
    editor.enter("/lists")
    # As of the last time, at the start, and now.
    editor.sees("group of @editor @owner", times=3)
    row = [line for line in editor.screen().splitlines() if "▸#Groceries" in line][-1]
    expect("new" not in row, f"nothing new in the open list, not {row!r}")
    editor.enter("/n")
    editor.sees("nothing new")
    owner.enter("/edit 5 pears")
    editor.sees("✎ apples → pears")
    owner.enter("/undo")
    editor.sees("✎ pears → apples (in #Groceries) (undo)")
    editor.enter("/quit")
    editor.sees("[ended 0]")
    editor.close()
    editor.open()
    editor.until(lambda: editor.row.startswith("●") and "❯" in editor.row, "editor's prompt")
    editor.sees("/help shows the commands")
    # Answers come in the order of the questions: what was asked at the start is answered, too.
    editor.enter("/find apples")
    editor.sees("#Groceries #5  apples")
    owner.enter("/redo")
    editor.sees("@owner ✎ apples → pears (in #Groceries) (redo)")
    owner.enter("/undo")
    editor.sees("@owner ✎ pears → apples (in #Groceries) (undo)")
    done("after an absence editor reads what happened since, and then nothing is new")


def restart(server, owner, editor):
    server.stop()
    for person in (owner, editor):
        person.sees("○ offline")
    owner.enter("written without a server")
    owner.sees("kept until the connection is back")
    owner.enter("/new Trip")
    owner.sees("#Trip  0 open, 0 done")
    server.start()
    for person in (owner, editor):
        person.until(lambda person=person: person.row.startswith("●"), f"{person.name} live again")
    editor.sees("written without a server")
    expect(editor.screen().count("written without a server") == 1, "the post once")
    owner.enter("/rm #trip")
    owner.sees("✘ removed the list #Trip")
    expect("#Trip is yours to see" not in owner.screen(), "no news of a list that one made and works in")
    owner.enter("/open groceries")
    owner.until(lambda: "#Groceries" in owner.row, "groceries open again")
    done("both come back by themselves after a restart, and what was written meanwhile arrives once")


def killed_offline(server, owner, editor):
    server.stop()
    for person in (owner, editor):
        person.until(lambda person=person: person.row.startswith("○"), f"{person.name} offline")
    owner.enter("written and killed")
    owner.until(lambda: "…1" in owner.row, "one change waits")
    owner.kill()
    owner.sees("[ended 137]")
    owner.close()
    owner.open()
    owner.sees("as of the last time")
    owner.sees("1 change waits to be sent")
    owner.enter("/show")
    owner.sees("written and killed  … not sent yet")
    server.start()
    editor.sees("written and killed")
    owner.until(lambda: owner.row.startswith("●") and "…" not in owner.row, "nothing waits")
    expect(editor.screen().count("written and killed") == 1, "the post once")
    done("what was written without a server survives a kill -9, shows as not sent, and arrives once")


def two_texts(server, owner, editor):
    owner.enter("/note 1 before")
    editor.sees("milk: before")
    server.stop()
    people = (owner, editor)
    for person in people:
        person.until(lambda person=person: person.row.startswith("○"), f"{person.name} offline")
        person.enter(f"/note 1 by {person.name}")
        person.until(lambda person=person: "…1" in person.row, "one change waits")
    server.start()
    question = "changed the notes at the same time"
    owner.until(lambda: any(question in person.screen() for person in people), "the question which text")
    asked, other = (owner, editor) if question in owner.screen() else (editor, owner)
    asked.sees(f"yours:  by {asked.name}")
    asked.sees(f"theirs: by {other.name}")
    asked.enter("/unsent 1 both")
    other.sees(f"✎ milk: by {asked.name}")
    asked.enter("/unsent")
    asked.sees("nothing was refused")
    asked.enter("/show")
    for name in (owner.name, editor.name):
        asked.sees(f"        by {name}")
    done("of two texts written at once both are kept until somebody chooses")


def out_and_in(owner, editor):
    owner.enter("/kick editor from home")
    editor.sees("@owner ✘ took you out of home")
    editor.sees("@owner ✘ took you out of #Groceries")
    owner.enter("editor does not see this yet")
    owner.sees("+ editor does not see this yet")
    owner.enter("/invite editor to home")
    editor.sees("@owner invites you to home as editor", times=1)
    expect("editor does not see" not in editor.screen(), "nothing after the removal on editor's screen")
    editor.enter("/accept")
    editor.sees("#Groceries is yours to see")
    editor.enter("/open groceries")
    editor.sees("editor does not see this yet")
    done("somebody taken out sees nothing more, and everything again after a new invitation")


def read_at_once(owner, editor):
    """A look at one list marks that list alone. A word marks what is new without a look, of one list or of all."""
    def new():
        lists = json.loads(editor.do("n", 0, "--json"))["lists"]
        return {row["name"]: row["unread"] for row in lists if row["name"] in ("Errands", "Repairs")}

    for name in ("Errands", "Repairs"):
        owner.do(f"new {name}")
        owner.do(f"invite editor to #{name}")
        editor.do("accept")
    for line in ("add #errands stamps", "add #errands glue", "add #repairs tap"):
        owner.do(line)
    editor.sees("@owner + tap")
    expect(new() == {"Errands": 2, "Repairs": 1}, f"a script that looks marks nothing: {new()}")
    editor.enter("/n #errands")
    editor.sees("#Errands  2 new")
    editor.until(lambda: new() == {"Repairs": 1}, "the list that was looked at is read, and the other is not")
    editor.do("mute #errands")
    owner.do("add #errands string")
    editor.enter("/n")
    editor.until(lambda: new() == {"Errands": 1}, "all that was shown is read, and the muted list is not")
    told = json.loads(editor.do("n #errands read", 0, "--json"))
    expect([it["changed"] for it in told["results"]] == [True] and new() == {}, f"a script marks a list: {told} {new()}")
    told = json.loads(editor.do("n #errands read", 0, "--json"))
    expect(told == {"ok": True, "results": []}, f"there is nothing left to mark: {told}")
    expect(editor.do("n #errands") == "nothing new in #Errands\n", "there is nothing to look at")
    for line in ("add #errands tape", "add #repairs hinge"):
        owner.do(line)
    editor.sees("@owner + hinge")
    editor.enter("/n read")
    editor.sees("all is read: ")
    editor.until(lambda: new() == {}, "one word marks all, what is muted too")
    editor.says("n #nowhere read", 1)
    done("a list is read by itself or all at once, in a chat and in a script")


def another_language(owner):
    owner.enter("/me locale de")
    owner.sees("profile changed", times=1)
    owner.do("new Haus")
    owner.sees("+ #Haus is yours to see")
    owner.enter("/open haus")
    owner.sees("#Haus  0 open")
    owner.enter("Brot am Dienstag um 18 Uhr !hoch")
    owner.sees("18:00 (#1 in #Haus)")
    owner.sees("18:00, high priority")
    owner.enter("/me locale en")
    owner.sees("profile changed", times=2)
    done("the language of one's profile is the one in which a plain line is read")


def guest_with_code(programs, folder, tmux):
    server = Server(programs, folder / "closed", "--registration", "code", "--guests", "5").start()
    visitor, script = (Person(tmux, programs, folder, server.url, name) for name in ("visitor", "script"))
    try:
        visitor.open("--server", server.url)
        visitor.sees("register, login, guest, pair or recover?")
        visitor.enter("guest")
        visitor.sees("/help shows the commands")
        visitor.enter("/new Mine")
        visitor.sees("#Mine  0 open")
        visitor.enter("/me upgrade ann")
        visitor.sees("registration code:")
        visitor.enter(invited(programs, server))
        visitor.sees("choose a password")
        visitor.enter(PASSWORD)
        visitor.sees("the same once more:")
        visitor.enter(PASSWORD)
        visitor.sees("you are @ann now; this is your recovery code:")
        visitor.enter("/quit")
        visitor.sees("[ended 0]")
        expect("#Mine" in visitor.do("lists"), "the guest's list is ann's")
        script.run("guest", "--server", server.url)
        refused = script.run("upgrade", "bea", "--password-stdin", status=1)
        expect("code" in refused, f"without a code: {refused}")
        told = script.run("upgrade", "bea", "--password-stdin", "--code", invited(programs, server))
        expect("you are bea now" in told, f"with a code: {told}")
    except (Failure, subprocess.SubprocessError):
        print(f"--- visitor's screen\n{visitor.screen().rstrip()}\n---")
        raise
    finally:
        server.stop()
    done("where registration needs a code, a guest is asked for it and becomes a person; so by --code")


def invited(programs, server):
    return subprocess.run([programs / "whattodo-server", "invite", "--data", server.data], check=True, text=True,
                          capture_output=True, timeout=DEADLINE).stdout.split()[-1]


def colors(owner, editor):
    expect("\x1b[3" in owner.screen("-e"), "colours on owner's screen")
    coloured = re.search(r"\x1b\[(?:[0-9;]*;)?3[0-7]", editor.screen("-e"))
    expect(coloured is None, f"no colours with NO_COLOR: {coloured}")
    widest = max(len(line) for line in owner.screen().splitlines())
    expect(widest <= 80, f"at most 80 columns, not {widest}")
    done("colours, and none with NO_COLOR")


def logout(owner):
    owner.enter("/logout")
    owner.sees("nothing is left on this machine")
    owner.sees("[ended 0]")
    expect(not owner.state.exists(), "the state folder is gone")
    owner.do("lists", 4)
    done("/logout deletes all that is local; then a script's exit code is 4")


def story(programs, folder, server, tmux):
    owner = Person(tmux, programs, folder, server.url, "owner")
    editor = Person(tmux, programs, folder, server.url, "editor", NO_COLOR="1")
    robot = Person(tmux, programs, folder, server.url, "robot")
    people = [owner, editor]
    try:
        for person in people:
            person.register()
        share_a_group(owner, editor)
        see_each_other(owner, editor)
        taken_back(owner, editor)
        half_typed_line(owner, editor)
        never_sent(owner, editor)
        bot(owner, robot, programs, editor)
        absence(programs, owner, editor, robot)
        restart(server, owner, editor)
        killed_offline(server, owner, editor)
        two_texts(server, owner, editor)
        out_and_in(owner, editor)
        put_away(owner, editor)
        this_or_all(owner, editor)
        moved_away(owner, editor)
        twins_in_the_bin(owner)
        surprises(owner, editor, folder)
        read_at_once(owner, editor)
        view_of_talk(owner, editor)
        race_and_coop(owner, editor)
        another_language(owner)
        colors(owner, editor)
        logout(owner)
    except (Failure, subprocess.SubprocessError):
        for person in people:
            try:
                print(f"--- {person.name}'s screen\n{person.screen().rstrip()}\n---")
            except subprocess.SubprocessError:
                print(f"--- {person.name} has no screen")
        raise


def everything(programs, folder):
    programs = programs.resolve()
    server, tmux = Server(programs, folder / "data").start(), Tmux(folder)
    try:
        story(programs, folder, server, tmux)
        guest_with_code(programs, folder, tmux)
    finally:
        tmux.stop()
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    return "two terminals and a bot: every step was seen"


main(everything)
