import Domain
import Sync
import Testing

@testable import WhattodoTerminal

@Suite("commands: the one table")
struct CommandTableTests {
  @Test("no two commands have a name in common")
  func uniqueNames() {
    let names = CommandTable.entries.flatMap(\.names)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0 == $0.lowercased() && !$0.contains(" ") })
  }

  @Test("Help for scripts shows the whole usage of every command within 80 columns")
  func help() {
    let lines = HelpLines.all
    for entry in CommandTable.entries {
      let own = lines.filter { $0.plain.hasPrefix("  \(entry.name) ") }
      #expect(own.count == 1 && own[0].plain.hasPrefix("  \(entry.name) \(entry.usage)"))
      #expect(lines.contains { $0.plain.hasSuffix(entry.help) })
    }
    #expect(lines.allSatisfy { $0.width < 80 })
  }

  @Test("the overview shows every command on one screen", arguments: [40, 79, 80, 160])
  func overview(columns: Int) {
    let rows = HelpLines.overview(columns: columns).flatMap { $0.wrapped(columns: columns - 1) }
    let text = rows.map(\.plain).joined(separator: "\n")
    for entry in CommandTable.entries {
      #expect(entry.brief.count <= CommandEntry.briefColumnsMax)
      let name = "/" + entry.name
      let row = entry.isRare ? name : ListLines.pad(name, 10) + entry.brief
      #expect(text.contains(row), "\(row)")
    }
    // What was typed, and the line being typed.
    if columns >= 80 { #expect(rows.count <= 24 - 2) }
  }

  @Test(
    "every command that takes words has two examples, which are read",
    arguments: CommandTable.entries.map(\.name))
  func examples(_ name: String) throws {
    let entry = try #require(CommandTable.entry(named: name))
    let examples = CommandExamples.of(name)
    #expect(examples.count == (entry.usage.isEmpty ? 0 : 2))
    for example in examples {
      #expect(example == name || example.hasPrefix(name + " "), "\(example)")
      guard case .action = Input(command: example) else {
        Issue.record("\(example) is not read")
        continue
      }
    }
  }

  @Test("help for one command tells its words and its other names")
  func one() {
    #expect(
      HelpLines.one("/d").map(\.plain) == [
        "  /done [#LIST] NUMBER… [all]  complete posts, or steps (12.3)  (also /d /x)",
        "    /done 3 5-9", "    /done #chores 2",
      ])
    let more = HelpLines.one("repeat").dropLast().last?.plain
    #expect(more?.hasSuffix("rotate, rotate least, confirmed") == true)
    #expect(HelpLines.one("me").map(\.plain)[0].contains("upgrade NAME"))
    #expect(
      HelpLines.one("dnoe").map(\.plain) == [
        "there is no command /dnoe; /help shows all. Do you mean /done?"
      ])
  }

  @Test("words become actions", arguments: CommandRows.all)
  func parse(line: String, action: Action) {
    #expect(Input(command: line) == .action(action))
    #expect(Input(chat: "  /\(line) ") == .action(action))
  }

  @Test("who gets the words of a setting wrong is shown right ones")
  func hint() {
    guard case .wrong(let error) = Input(command: "settings soon 90m") else {
      Issue.record("understood")
      return
    }
    #expect(
      error.sentence(slash: true)
        == "usage: /settings [WORD VALUE…]: remind 1d 1h, soon 24h (whole hours, up to 30d), "
        + "due today, mute overdue, digest 18:00")
    for case .wrong(let other) in [Input(command: "rm")] {
      #expect(other.sentence(slash: false) == "usage: rm [#LIST] NUMBER… | #LIST…")
    }
  }

  static let wrong = [
    "copy", "copy #l as", "copy #l from x", "copy #l done from", "copy #l into",
    "filter save", "filter remove", "filter a b", "filter save x someday", "filter save x by name",
    "filter save x done by due", "archive 3", "unarchive", "done 3 #b", "done 3 #b x",
    "unsent 2", "unsent drop", "unsent 2 ours", "unsent 2 drop now",
    "due", "due fri", "due 3 someday", "due 3 fri 25:00", "priority 3 urgent", "priority",
    "where 3 geo:98.7,-9.1", "where 3 Rossio geo:38.7", "group new",
    "group remove", "group restore", "group rename home", "restore list", "restore list x",
    "priority 3 high now", "color mauve", "color 3 red red", "where",
    "done", "done milk", "done 0", "done -1", "done 12x", "done 9999999999", "done #l", "edit",
    "done 12.", "done 12.0", "done .3", "done 1.2.3", "done 12.#3", "step",
    "step 12.3 x", "move 12.3", "move 12.3 up", "move 12.3 before", "move 12.3 before x",
    "move 12.3 top 4",
    "edit milk", "note", "rm", "new", "invite", "invite @", "invite author home", "join",
    "invite code boss", "revoke code", "revoke code x",
    "invite author to",
    "accept all", "accept 1 2", "me", "open", "lists all", "quit now", "sessions close",
    "me shoe 12", "me invited friends", "block a b", "unblock", "unblock a b",
    "plan", "plan x", "plan 3 for", "plan 3 for 9x", "plan 3 for 25h", "remind 3 soon",
    "remind 3 5w", "snooze 3 x", "watch", "watch 3 on", "private", "me zone off", "assign 3 4",
    "settings soon 0h", "settings soon 90m", "settings soon 1h30", "settings soon 31d",
    "settings soon 24", "settings soon 24h now", "new #", "new # in home", "rename #l #",
    "copy #l as #",
    "settings mute reminder", "mute @", "mute 2", "mute 2 directed", "handover @a",
    "handover @a @b", "handover @a to @b now", "handover since", "handover since never",
    "handover since 24:00", "handover since 9:5", "handover since x9:30", "handover since 9999w",
    "handover since fri",
    "handover #l @a to @b", "why", "why me", "why 3 4",
    "mute #builds sometime", "mute @bot off 2h",
    "mute Home all 2h", "settings shoe 1", "settings remind 1d 2d 3d 4d 5d 6d",
    "me name off", "add", "revoke", "role author boss", "role author in",
    "say", "say #l", "say in home:", "comment", "comment milk", "answer", "answer 5", "answer x y",
    "react 12.c3 two words", "react 12.c3 👍 👍", "react 12.c 👍", "react 12.c0 👍", "react 12.c#3 👍",
    "react 12.x3 👍", "react line 12.c3 👍", "react line x 👍", "react c3 👍", "react in home: 5 👍",
    "unsay 12.c3 4", "answer 12.c3", "talk 12 older x", "talk #l older 5 6", "back 3",
    "resay 5", "unsay", "unsay 5 6", "unsay x", "talk 12 now", "talk #l home",
    "add #groceries", "me upgrade", "me upgrade a b c", "link 367", "unlink",
  ].filter { $0 != "me" }

  @Test("words that do not fit are told with the usage", arguments: wrong)
  func usage(line: String) {
    guard case .wrong(let error) = Input(command: line) else {
      Issue.record("\(line) was understood as \(Input(command: line))")
      return
    }
    #expect(line.hasPrefix(error.command))
  }

  @Test(
    "A line that begins with / and is no command is never a post",
    arguments: ["/dnoe 1", "/", "/ add x", "//x"])
  func unknown(line: String) {
    guard case .unknown = Input(chat: line) else {
      Issue.record("\(Input(chat: line))")
      return
    }
  }

  static let plain: [(String, Input)] = [
    ("milk", .action(.post(.quickAdd("milk")))),
    ("  milk  ", .action(.post(.quickAdd("milk")))),
    ("#1 in town", .action(.post(.quickAdd("#1 in town")))),
    ("done 3", .action(.post(.quickAdd("done 3")))),
    ("'hello", .action(.talk(.say(nil, "hello")))), ("", .nothing), ("   ", .nothing),
    (" ' in home: 'x' ", .action(.talk(.say(nil, "in home: 'x'")))),
    ("'#groceries", .action(.talk(.say(nil, "#groceries")))), ("'", Input(command: "say")),
  ]

  static let said: [(String, Input)] = [
    ("which milk?", .action(.talk(.sayHere("which milk?")))),
    ("  done 3 ", .action(.talk(.sayHere("done 3")))), ("yes", .action(.talk(.sayHere("yes")))),
    ("'hello", .action(.talk(.sayHere("hello")))), ("'", Input(command: "say")),
    ("+1", .action(.talk(.sayHere("+1")))), ("+ 1", .action(.post(.quickAdd("1")))),
    ("+", .action(.talk(.sayHere("+")))), ("++", .action(.talk(.sayHere("++")))),
    ("+milk tomorrow", .action(.post(.quickAdd("milk tomorrow")))),
    ("+  #l milk", .action(.post(.quickAdd("#l milk")))), ("", .nothing), ("  ", .nothing),
    ("/done 3", .action(.post(.complete(nil, [3])))), ("/ add x", .unknown("")),
    ("/back", .action(.program(.back))),
  ]

  @Test("In a view of talk a plain line is said, and a post stands behind a +", arguments: said)
  func talkLines(line: String, input: Input) {
    #expect(Input(chat: line, talking: true) == input)
  }

  static let scripted: [(String, Input)] = [
    ("+ milk tomorrow", .action(.post(.quickAdd("milk tomorrow")))),
    ("  +   done 3", .action(.post(.quickAdd("done 3")))), ("+milk", .unknown("+milk")),
    ("lists", .action(.show(.lists))), (" /lists", .action(.show(.lists))), ("", .unknown("")),
  ]

  @Test("A line of a script is a command, or a post behind a +", arguments: scripted)
  func scriptLines(line: String, input: Input) {
    #expect(Input(script: line) == input)
  }

  @Test("other lines add, talk, or nothing", arguments: plain)
  func plainLines(line: String, input: Input) {
    #expect(Input(chat: line) == input)
  }
}
