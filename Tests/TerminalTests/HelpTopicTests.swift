import Domain
import QuickAdd
import Testing

@testable import WhattodoTerminal

@Suite("commands: the subjects of /help")
struct HelpTopicTests {
  /// Reads an example behind a title, on a Wednesday at noon.
  private static func read(_ example: String, _ locale: String) -> QuickAdd {
    QuickAdd(
      "x \(example)", today: Day(year: 2026, month: 11, day: 25)!, minuteOfDay: 12 * 60,
      languages: Language.tables(for: locale))
  }

  @Test("every example of /help adding is read as a whole", arguments: Language.locales)
  func examples(locale: String) {
    let all = AddingExamples.of(locale)
    let rows: [([String], QuickAdd.Kind)] = [
      (all.days, .due), (all.times, .time), (all.rules, .recurrence), (all.spans, .recurrence),
      (all.lengths, .minutes), (all.priorities, .priority),
    ]
    for (examples, kind) in rows {
      #expect(!examples.isEmpty)
      for example in examples {
        let reading = Self.read(example, locale)
        #expect(reading.title == "x", "\(example)")
        #expect(reading.guesses.contains { $0.kind == kind }, "\(example)")
      }
    }
    #expect(all.rules.contains { $0.hasPrefix(all.fromDone) })
    let line = Self.read(all.line, locale)
    let kinds: Set<QuickAdd.Kind> = [
      .due, .time, .recurrence, .priority, .tag, .assignee, .category, .minutes,
    ]
    #expect(Set(line.guesses.map(\.kind)) == kinds, "\(line.title)")
    let first = Self.read(all.first, locale)
    #expect(Set(first.guesses.map(\.kind)) == [.due, .priority], "\(first.title)")
  }

  @Test("A list that never had a post shows a line to whoever may add one")
  func firstPost() throws {
    for (role, last, isShown) in [
      (Role.editor, 0, true), (.owner, 0, true), (.doer, 0, false), (.owner, 3, false),
    ] {
      var situation = Demo.situation()
      var list = Demo.category(Demo.groceries, "groceries")
      list.lastPost = last
      situation.streams[.category(list.id)] = StreamState(
        stream: .category(list.id),
        objects: [.category(list), .member(Demo.member(Demo.author, "author", role))])
      let lines = ListLines.posts(of: list, done: false, situation).map(\.plain)
      let hint = isShown ? "; a line adds a post, such as milk tomorrow !high" : ""
      #expect(lines.last == "  nothing open" + hint, "\(role)")
      #expect(
        ListLines.posts(of: list, done: true, situation).map(\.plain).last == "  nothing done yet")
    }
  }

  @Test("/help adding speaks the language of the person, or the one that is asked for")
  func languages() {
    let german = HelpLines.one("adding", locale: "de-AT").map(\.plain)
    #expect(german.contains { $0.contains("übermorgen") })
    #expect(HelpLines.one("/adding de", locale: "fr").map(\.plain) == german)
    #expect(HelpLines.one("adding").map(\.plain) == HelpLines.one("adding en").map(\.plain))
    #expect(HelpTopic("adding xx", locale: "") == nil)
    #expect(HelpTopic("numbers 3", locale: "") == nil)
  }

  @Test("each call of /help numbers is a command")
  func numbers() {
    let calls = HelpTopic.numbers.lines.map(\.plain).filter { $0.hasPrefix("  /") }
    #expect(calls.count == 9)
    for line in calls {
      let call = line.dropFirst(2).split(separator: "  ").first.map(String.init) ?? ""
      guard case .action = Input(chat: call) else {
        Issue.record("\(call) is no command")
        continue
      }
    }
  }

  @Test("each command of /help roles stands at the role that its method needs")
  func roles() throws {
    let needed: [String: Method] = [
      "plan": .personal(.plan), "remind": .personal(.addReminder), "private": .personal(.note),
      "watch": .personal(.watch), "done": .post(.complete), "reopen": .post(.reopen),
      "claim": .post(.claim), "undo": .single(.undo), "add": .post(.add), "edit": .post(.edit),
      "due": .post(.edit), "repeat": .post(.edit), "tag": .post(.tag),
      "assign": .post(.assign), "move": .post(.move), "copy": .post(.copy),
      "rename": .category(.edit), "invite": .invitation(.send), "kick": .member(.remove),
      "role": .member(.setRole), "link": .link(.make), "archive": .category(.archive),
      "restore": .category(.restore), "say": .line(.say), "comment": .line(.say),
      "answer": .line(.say), "resay": .line(.edit), "unsay": .line(.remove), "react": .line(.react),
    ]
    for role in Role.allCases {
      let line = try #require(
        HelpTopic.roles.lines.map(\.plain).first { $0.hasPrefix("  \(role.word) ") })
      for word in line.split(whereSeparator: { " ,;".contains($0) }) where word.hasPrefix("/") {
        let name = String(word.dropFirst())
        #expect(CommandTable.entry(named: name) != nil, "\(word)")
        // One owns the list to remove it, and edits it to remove its posts; an admin undoes what others did.
        guard !["rm", "purge"].contains(name), name != "undo" || role == .doer else { continue }
        #expect(needed[name]?.row.leastRole == role, "\(word)")
      }
    }
  }

  @Test("the subjects are in the help of /help, and fit into 80 columns")
  func shown() {
    let help = HelpLines.one("help").map(\.plain).joined()
    for word in HelpTopic.all.map(\.word) {
      #expect(help.contains("help \(word)"))
      let lines = HelpLines.one(word).flatMap { $0.wrapped(columns: 79) }
      #expect(lines.count > 5 && lines.count <= 24)
      #expect(lines.allSatisfy { $0.width < 80 })
    }
  }
}
