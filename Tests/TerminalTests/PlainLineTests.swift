import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("plain lines that are no posts")
struct PlainLineTests {
  private func asked(_ line: String, _ situation: Situation = world()) -> PlainLine? {
    Planner(situation: situation).command(inPlain: line)
  }

  static func world() -> Situation {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 1_700_000_000_000))
    return situation
  }

  static let commands = [
    "help", "Help", "?", "h", "help done", "quit", "q", "exit", "undo", "redo", "undo groceries",
    "n",
    "lists", "l", "today", "who", "who home", "tags", "me", "settings", "sessions", "logout",
    "password",
    "done 1", "DONE 1", "done  1 2", "x 1", "d #1", "done 1.1", "done #groceries 1", "rm 1", "show",
    "show 1", "show done", "show groceries", "open groceries", "open gro", "open 2", "s #big-shop",
    "note 1", "note 1 two bottles", "edit 1 oat milk", "due 1 fri", "due 1 off", "plan 1 tomorrow",
    "private 1 secret", "tag 1 urgent", "assign 1 @editor", "claim 1", "claim next",
    "move 1 bottom",
    "day tomorrow", "month", "undo #groceries", "rename #groceries shop", "add #groceries milk",
    "invite lima to home", "role editor admin", "kick editor", "leave",
    "leave home",
    "group home", "block editor", "new lamp in home", "find #groceries milk", "color red",
    "archive",
    "talk", "talk home", "talk 1", "talk 1 older", "back",
    "say #groceries hi", "comment 1 which", "unsay 57",
    "zone Europe/Lisbon", "join ABCD-EFGH-JKMN", "me name Author", "account", "pair", "link",
    // There is no such post; a number alone says nothing to others.
    "done 7", "x 41", "rm 3-9", "show 12", "reopen 8", "restore 4", "open 9",
  ]

  @Test("A plain line that is a whole command is asked about", arguments: commands)
  func command(line: String) {
    #expect(asked(line)?.isCommand == true)
    #expect(asked("  \(line) ")?.isCommand == true)
  }

  static let posts = [
    "milk", "plan party", "move sofa", "show grandma the photos", "done with this", "help me move",
    "help grandma", "add milk", "find a plumber", "new shoes", "join the club", "open the window",
    "open bank account", "invite grandma", "invite grandma to the party", "note to self",
    "due diligence",
    "rename the files", "export photos", "group photo", "group new ideas", "block calendar",
    "kick off",
    "leave house at 8", "who is coming", "history of rome", "filter coffee", "tag along", "day off",
    "zone out", "plain yoghurt", "watch 2 films", "move 3 chairs", "remind anna", "copy keys", "x",
    "d",
    "quit smoking", "exit interview", "undo the knot", "today is the day", "me and you",
    "settings for tv",
    "score a goal", "twins birthday", "edit 9 videos", "note 9 oranges", "step 9 report",
    "yes we can",
    "all the eggs", "this and that", "no sugar", "password for wifi", "link the pages",
    "pair of shoes",
    "color the eggs", "soon to be done", "about the trip", "role play", "skip the gym",
    "again and again",
    "talk to anna", "say hello to anna", "comment on the draft", "answer 3 mails", "c",
    "both shoes", "y tu mama", "done 1 of 3", "rm the old files", "logout everywhere",
  ]

  @Test(
    "A line that only begins as a command, or names what is not there, is a post", arguments: posts)
  func post(line: String) { #expect(asked(line) == nil) }

  static let answers = [
    "y", "Y", "yes", "no", "this", "All", " all ", "ja", "nein", "oui", "non", "sí", "j", "o",
  ]

  @Test("A word that answers a question is asked about", arguments: answers)
  func answer(line: String) { #expect(asked(line) != nil) }

  @Test("The question names the line, and says whether it is a command")
  func words() throws {
    let command = try #require(asked("done 1"))
    #expect(
      command.question == "\"done 1\" is a command: run /done 1, or add it as a post? (no: neither)"
    )
    let answer = try #require(asked("this"))
    #expect(!answer.isCommand)
    #expect(answer.question == "\"this\" answers nothing that was asked: add it as a post?")
  }

  @Test("Yes and no are understood in four languages, and only alone")
  func yesNo() {
    for word in ["y", "Yes", " ja ", "OUI", "sí", "s"] { #expect(YesNo(word) == .yes) }
    for word in ["n", "No", "nein", "non"] { #expect(YesNo(word) == .no) }
    for word in ["", "yes please", "ok", "this"] { #expect(YesNo(word) == nil) }
  }

  @Test("The question which times does not make a line a post")
  func times() throws {
    var situation = Self.world()
    let wish = try #require(RepeatWish("every week"))
    let rule = wish.repetition(today: Day(number: 19_675))
    let edit = PostEdit(
      due: .set(.day(Day(number: 19_675))), repeats: rule.map { .set($0) } ?? .keep)
    let id = Demo.post(1, "").id
    _ = Demo.applied(.post(.edited(id, version: 2, edit)), by: Demo.editor, &situation)
    #expect(asked("rm 1", situation)?.isCommand == true)
    #expect(asked("edit 1 oat milk", situation)?.isCommand == true)
  }
}
