import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("commands without a value")
struct ShownValueTests {
  /// Their name and what they are about say all: there is no value that could have been forgotten.
  static let verbs: Set = [
    "done", "reopen", "rm", "restore", "purge", "undo", "redo", "skip", "claim", "release", "copy",
    "watch", "archive", "unarchive", "group", "invite", "link", "unlink", "revoke", "block",
    "unblock", "leave", "kick", "accept", "decline", "account", "join", "new", "add", "filter",
    "plain", "unassign", "untag", "mute", "handover", "say", "race", "coop", "at", "withdraw",
  ]

  static let forms = [
    "", "1", "#1", "2", "#groceries", "#groceries 1", "@editor", "editor", "1 @editor", "1 2",
    "rename +urgent", "color +urgent", "remove +urgent", "name", "location", "zone", "locale",
    "invited",
    "remind", "soon", "due", "mute", "digest", "save all", "this 1", "all 1", "1.1",
    "#groceries 1.1",
  ]

  /// Author's lists, with everything said of the first post.
  static func world() -> Situation {
    var situation = Demo.withSteps(Demo.situation())
    let post = Demo.post(1, "").id
    let edit = PostEdit(
      notes: "oat", priority: .set(.high), color: .set(.red), due: .set(.day(Day(number: 20_000))),
      location: .set(Location(text: "Rossio")), mode: .set(.each), modeRole: .set(.editor))
    _ = Demo.applied(.post(.edited(post, version: 2, edit)), by: Demo.editor, &situation)
    _ = Demo.applied(
      .post(.marked(post, version: 3, .tagged(Demo.urgent.id))), by: Demo.editor, &situation)
    var own = PersonalEdit()
    own.note = "the blue one"
    own.plan = Plan(at: nil, minutes: 50).map { .set($0) } ?? .keep
    own.reminders = [.before(minutes: 60)]
    _ = Demo.applied(
      .personal(.edited(PostAddress(category: Demo.groceries, post: post), own)), by: Demo.author,
      in: .user(Demo.author), &situation)
    return situation
  }

  private func commands(_ line: String, _ situation: Situation = world()) throws -> [Command] {
    guard case .action(let action) = Input(command: line) else { return [] }
    guard case .send(let requests) = try Planner(situation: situation).plan(action) else {
      return []
    }
    return requests.compactMap {
      if case .command(let command, _, _) = $0.request { command } else { nil }
    }
  }

  @Test("No command of the table changes anything when its value is forgotten")
  func forgotten() {
    for entry in CommandTable.entries
    where !Self.verbs.contains(entry.name) && entry.name != "export" {
      for form in Self.forms where !Self.removes(entry.name, form) {
        do {
          let sent = try commands("\(entry.name) \(form)")
          #expect(sent.isEmpty, "/\(entry.name) \(form): \(sent)")
        } catch {
          #expect(error is Problem)
        }
      }
    }
  }

  /// A verb behind another command's name.
  private static func removes(_ name: String, _ form: String) -> Bool {
    switch name {
    // Their value is any text.
    case "tags": form == "remove +urgent"
    case "note", "edit", "step", "private", "where", "tag", "assign", "comment":
      form == "1 2" || form == "1 @editor"
    case "rename", "zone": !form.isEmpty && form != "#groceries"
    case "move", "open": false
    default: false
    }
  }

  static let cleared = [
    "note", "due", "each", "priority", "where", "color", "tag", "plan", "remind", "private",
  ]

  @Test("A value is shown without a new one, and only off takes it away", arguments: cleared)
  func shown(name: String) throws {
    let entry = try #require(CommandTable.entry(named: name))
    #expect(entry.value == .cleared)
    guard case .action(let action) = Input(command: "\(name) 1"),
      case .show(.value(let value)) = try Planner(situation: Self.world()).plan(action)
    else {
      Issue.record("/\(name) 1 shows no value")
      return
    }
    let lines = ValueLines.lines(value, Self.world()).map(\.plain)
    #expect(lines.count == 1 && lines[0].hasPrefix("#1 milk: "), "\(lines)")
    #expect(!lines[0].hasPrefix("#1 milk: no"), "\(lines)")
    #expect(try !commands("\(name) 1 off").isEmpty)
    #expect(try !commands("\(name) #groceries 1 OFF").isEmpty)
  }

  @Test("A text of several lines stands below its post, and none is said to be none")
  func lines() throws {
    let situation = Demo.situation()
    let list = try situation.list(nil)
    let bread = try situation.post(2, in: list)
    let shown = { (field: ShownField) in
      ValueLines.lines(.field(field, of: bread, step: nil, in: list), situation).map(\.plain)
    }
    #expect(shown(.notes) == ["#2 bread:", "    rye", "    or oat"])
    #expect(shown(.due) == ["#2 bread: due at no time"])
    #expect(shown(.mode) == ["#2 bread: one for all"])
    #expect(shown(.privateNote) == ["#2 bread: no private note"])
    #expect(shown(.title) == ["#2 bread"])
    for field in ShownField.allCases { #expect(!shown(field).isEmpty) }
    #expect(
      ValueLines.lines(.listField(.name, of: list), situation).map(\.plain)
        == ["#groceries: groceries"])
  }

  @Test("A script reads the field and its value beside the post")
  func json() throws {
    let situation = Self.world()
    let list = try situation.list(nil)
    let milk = try situation.post(1, in: list)
    let shown = { (field: ShownField) in
      JSONOutput.view(.value(.field(field, of: milk, step: nil, in: list)), situation)
    }
    #expect(shown(.notes).hasSuffix(#""field":"notes","value":"oat"}"#))
    #expect(shown(.mode).hasSuffix(#""field":"mode","value":"for each editor"}"#))
    #expect(shown(.privateNote).hasSuffix(#""field":"privateNote","value":"the blue one"}"#))
    #expect(shown(.snooze).hasSuffix(#""field":"snooze"}"#))
  }

  @Test("Help says which commands show and which off takes away")
  func help() {
    let own = { (name: String) in HelpLines.one(name).map(\.plain).joined(separator: "\n") }
    #expect(
      own("note").contains(#"without a value: shows it; off takes it away, \off is the word"#))
    #expect(own("rename").contains("without a value: shows it"))
    #expect(!own("rename").contains("off"))
  }
}
