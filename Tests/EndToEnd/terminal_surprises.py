"""Steps of `terminals.py` about what nobody means: values that are forgotten, lines without a `/`, pastes, and undo."""
import json

from harness import expect
from screens import done


def values(owner):
    owner.do("new Surprise in home")
    owner.sees("+ #Surprise is yours to see")
    owner.enter("/open surprise")
    owner.sees("#Surprise  0 open")
    owner.enter("tea")
    owner.sees("+ tea (#1 in #Surprise)")
    for line, told, shown in [("/note 1 green or black", "✎ tea: green or black", "#1 tea: green or black"),
                              ("/due 1 2031-05-06", "due 2031-05-06", "#1 tea: due 2031-05-06"),
                              ("/where 1 the corner", "at the corner", "#1 tea: at the corner"),
                              ("/private 1 not the cheap one", "noted, only for you", "#1 tea: not the cheap one")]:
        owner.enter(line)
        owner.sees(told)
        owner.enter(line.split(" 1 ")[0] + " 1")
        owner.sees(shown)
    shown = json.loads(owner.do("note #Surprise 1", 0, "--json"))
    expect(shown["field"] == "notes" and shown["value"] == "green or black", f"the note for a script: {shown}")
    owner.enter("/note 1 \\off")
    owner.sees("✎ tea: off")
    owner.enter("/note 1 off")
    owner.until(lambda: "value" not in json.loads(owner.do("note #Surprise 1", 0, "--json")), "the note gone")
    shown = json.loads(owner.do("note #Surprise 1", 0, "--json"))
    expect("value" not in shown, f"off takes the note away: {shown}")
    done("a command without a value shows it, and only off takes it away")


def taken_back_in_order(owner):
    owner.enter("/private 1 the dear one")
    owner.sees("noted, only for you", times=2)
    owner.enter("/undo")
    owner.sees("undone: your private note on #1 tea")
    owner.enter("/private 1")
    owner.sees("#1 tea: not the cheap one", times=2)
    owner.enter("/redo")
    owner.sees("done again: your private note on #1 tea")
    owner.do("settings soon 24h")
    owner.enter("/undo")
    owner.sees("undone: your settings")
    owner.enter("/undo")
    owner.sees("undone: your private note on #1 tea", times=2)
    undos = owner.screen().count("(undo)")
    # What was done before that is the note that off took away, in the list.
    owner.enter("/undo")
    owner.until(lambda: owner.screen().count("(undo)") > undos, "the undo of a change in the list")
    shown = json.loads(owner.do("note #Surprise 1", 0, "--json"))
    expect(shown.get("value") == "off", f"the note is back: {shown}")
    owner.do("purge #Surprise 9", 1)
    owner.do("rm #Surprise 1")
    owner.do("purge #Surprise 1")
    owner.enter("/undo")
    owner.sees("is not taken back by /undo: an erased text is gone")
    owner.do("undo", 1)
    done("undo takes back what is private, in its order, and nothing older where it cannot")


def plain_lines(owner, editor):
    owner.enter("coffee")
    owner.sees("+ coffee (#2 in #Surprise)")
    owner.enter("done 2")
    owner.sees('"done 2" is a command: run /done 2, or add it as a post?')
    owner.until(lambda: owner.row.startswith("run or add?"), "the question is where one types")
    owner.enter("n")
    owner.sees("nothing was sent")
    owner.enter("done 2")
    owner.sees('"done 2" is a command', times=2)
    owner.press("Escape")
    owner.until(lambda: "❯" in owner.row, "escape ends the question")
    owner.enter("y")
    owner.sees('"y" answers nothing that was asked: add it as a post?')
    owner.enter("sugar for coffee")
    owner.sees("neither one nor the other; nothing was sent")
    owner.until(lambda: owner.row.endswith("❯ sugar for coffee"), "the line is not lost")
    owner.press("Enter")
    owner.sees("+ sugar for coffee (#3 in #Surprise)")
    owner.enter("done 2")
    owner.sees('"done 2" is a command', times=3)
    owner.enter("y")
    owner.sees("✔ coffee (1/2 in #Surprise)")
    owner.enter("plan party")
    owner.sees("+ plan party (#4 in #Surprise)")
    for line in ("done 2", "+ y ", "help"):
        expect(f"+ {line}" not in editor.screen(), f"{line} was told to nobody")
    done("a plain line that is a command, or an answer to nothing, is asked about and told to nobody")


def pasted(owner, editor, folder):
    owner.paste("- [ ] flour !high\n- [x] salt\n\n- [ ] /quit\n2 eggs\n", folder)
    owner.sees("first: flour !high")
    owner.sees("last:  2 eggs")
    owner.sees("left out, as ticked off: 1")
    owner.until(lambda: owner.row.startswith("add 3 posts?"), "the question is where one types")
    owner.enter("y")
    owner.sees("3 posts are added to #Surprise")
    editor.sees("+ 2 eggs")
    owner.enter("/undo")
    owner.sees("✘ 2 eggs")
    owner.paste("/rm 4\n/quit\n", folder, bracketed=False)
    owner.until(lambda: owner.row.startswith("add 2 posts?"), "lines that nobody typed are asked about")
    owner.press("C-c")
    owner.until(lambda: "❯" in owner.row, "the prompt")
    shown = json.loads(owner.do("show #Surprise", 0, "--json"))
    expect("plan party" in [post["title"] for post in shown["posts"]], f"no pasted line is run: {shown}")
    owner.type("/note 4 ")
    owner.paste("balloons\ncake\n", folder)
    owner.press("Enter")
    owner.sees("✎ plan party: balloons cake")
    owner.paste("only one line\n", folder)
    owner.until(lambda: owner.row.endswith("❯ only one line"), "one line is typed text")
    owner.press("C-c")
    done("several pasted lines are posts when somebody says so, with and without bracketed paste")


def nearest(owner):
    owner.enter("/dlete 1")
    owner.sees("there is no command /dlete; nothing was sent. Do you mean /rm?")
    owner.enter("/show 77")
    owner.sees("there is no #77 in #Surprise")
    refused = owner.do("claim #Surprise next 5m", 0)
    expect("▸" in refused, f"the next post: {refused}")
    owner.do("new Empty")
    expect(owner.says("claim #Empty next", 1).find("no such post") < 0, "an empty queue is no missing post")
    done("a wrong command names the nearest one, and a number without a post opens no list")


def surprises(owner, editor, folder):
    values(owner)
    taken_back_in_order(owner)
    plain_lines(owner, editor)
    pasted(owner, editor, folder)
    nearest(owner)
