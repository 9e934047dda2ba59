"""Steps of `terminals.py` about races and coops: who is how far is on both screens at once."""
import json

from harness import expect
from screens import done


def race_and_coop(owner, editor):
    owner.do("new Books")
    owner.do("invite editor to #Books")
    editor.do("accept")
    for person in (owner, editor):
        person.enter("/open books")
        person.sees("#Books  0 open, 0 done")
    race(owner, editor)
    coop(owner, editor)
    owner.enter("/open groceries")
    owner.until(lambda: "#Groceries" in owner.row, "another list is open")


def race(owner, editor):
    """Two people race to a goal. Both see the bar of their own, and the same standing."""
    owner.enter("novel")
    editor.sees("@owner + novel (#1 in #Books)")
    owner.enter("/race 1")
    editor.sees("@owner ✎ made #1 novel a race (in #Books)")
    owner.enter("/goal 1 10.5 km")
    owner.sees("whole numbers only")
    owner.enter("/goal 1 300 pages")
    editor.sees("@owner ✎ set the goal of #1 novel to 300 pages (in #Books)")
    owner.enter("/at 1 120")
    owner.sees("you are at 120 of 300 pages in #1 novel (in #Books)")
    editor.sees("@owner is at 120 of 300 pages in #1 novel (in #Books)")
    editor.enter("/at 1 80")
    owner.sees("@editor is at 80 of 300 pages in #1 novel (in #Books)")
    for person, bar, rows in [(owner, "race ▓▓░░ 120/300 pages", ["1. you 120 pages", "2. @editor 80 pages, 40 behind"]),
                              (editor, "race ▓░░░ 80/300 pages", ["1. @owner 120 pages", "2. you 80 pages, 40 behind"])]:
        person.enter("/show")
        person.sees(bar)
        person.enter("/show #1")
        for row in rows:
            person.sees(row)
    post = json.loads(owner.do("show #books", 0, "--json"))["posts"][0]
    told = [(entry["username"], entry["place"], entry["amount"]) for entry in post["entries"]]
    expect((post["contest"], post["goal"], told) == ("race", {"amount": 300, "unit": "pages"},
                                                     [("owner", 1, 120), ("editor", 2, 80)]),
           f"a script reads the standing: {post}")
    owner.enter("/at 1 60")
    owner.sees("you are at 120 already")
    owner.enter("/at 1 100 correct")
    editor.sees("@owner is at 100 of 300 pages in #1 novel (in #Books)")
    editor.enter("/withdraw 1")
    owner.sees("@editor withdrew from the race #1 novel (in #Books)")
    editor.enter("/join 1")
    owner.sees("@editor joined the race #1 novel (in #Books)")
    owner.enter("/at 1 300")
    owner.sees("✔ finished #1 novel, first (in #Books)")
    editor.sees("@owner ✔ finished #1 novel, first (in #Books)")
    editor.enter("/done 1")
    owner.sees("@editor ✔ finished #1 novel, second (in #Books)")
    for person in (owner, editor):
        person.enter("/score")
        person.sees("won 1 race  300 pages")
        person.sees("2nd in 1 race")
    done("two people race: amounts, bars, the standing, the places and the score are on both screens")


def coop(owner, editor):
    """A step that somebody is on is refused to others with words, until it is given back."""
    for line in ("feast", "/step 2 soup", "/step 2 cake", "/coop 2"):
        owner.enter(line)
    editor.sees("@owner ✎ made #2 feast a coop (in #Books)")
    owner.enter("/claim 2.1")
    editor.sees('@owner takes step 2.1 "soup" (in #Books)')
    editor.enter("/claim 2.1")
    editor.sees("Somebody else has this step")
    editor.enter("/show #2")
    editor.sees("soup  · @owner is on it")
    editor.enter("/done 2.2")
    owner.sees("@editor ✔ 2.2 cake")
    owner.enter("/show")
    owner.sees("coop ▓▓░░ 1/2")
    owner.enter("/release 2.1")
    editor.sees('@owner gives back step 2.1 "soup" (in #Books)')
    editor.enter("/claim 2.1")
    owner.sees('@editor takes step 2.1 "soup" (in #Books)')
    done("a coop shows who is on which step, and a step that somebody is on is refused with words")
