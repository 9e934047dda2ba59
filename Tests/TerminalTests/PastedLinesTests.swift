import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("pasted lines")
struct PastedLinesTests {
  static let rows: [(String, [String])] = [
    ("milk\nbread", ["milk", "bread"]), ("milk\r\nbread\r\n", ["milk", "bread"]),
    ("milk\rbread", ["milk", "bread"]), ("\n\n milk \n\n\tbread\n", ["milk", "bread"]),
    ("- milk\n- bread", ["milk", "bread"]), ("* milk\n+ bread\n• tea", ["milk", "bread", "tea"]),
    ("•milk\n-5 degrees", ["•milk", "-5 degrees"]), ("**bold**\n--flag", ["**bold**", "--flag"]),
    ("- [ ] milk\n[ ] bread\n[] tea", ["milk", "bread", "tea"]),
    ("☐ milk\n◻️ bread", ["milk", "bread"]), ("  - milk\n    - oat", ["milk", "oat"]),
    ("1. milk\n2. bread\n3) tea", ["milk", "bread", "tea"]),
    ("1. milk\n1. bread", ["milk", "bread"]), ("- 1. milk\n- 2. bread", ["milk", "bread"]),
    ("24. Dezember\n25. Dezember", ["24. Dezember", "25. Dezember"]),
    ("2. bread\n3. tea", ["2. bread", "3. tea"]), ("1. a\n5. b", ["1. a", "5. b"]),
    ("3.5 kg flour\n2 eggs", ["3.5 kg flour", "2 eggs"]), ("2026. x\ny", ["2026. x", "y"]),
    ("---\nmilk\n===\n* * *\nbread", ["milk", "bread"]), ("-\n- \nmilk", ["milk"]),
    ("/done 1\n/quit", ["/done 1", "/quit"]), ("\u{FEFF}- milk\ntea", ["milk", "tea"]),
    ("a\u{2028}b\u{85}c", ["a", "b", "c"]), ("-\u{A0}milk\ntea", ["milk", "tea"]),
    ("[a](http://x.example)\nb", ["[a](http://x.example)", "b"]), ("", []),
  ]

  @Test("Each line is a post without what made it an item of a list", arguments: rows)
  func lines(text: String, posts: [String]) {
    let pasted = PastedLines(text)
    #expect(pasted.lines.map(\.text) == posts)
    #expect(pasted.ticked == 0)
  }

  @Test("Lines that are ticked off are left out and counted")
  func ticked() {
    let pasted = PastedLines("- [x] milk\n- [X] bread\n☑ tea\n✔️ jam\n✅ salt\n- [-] oil\n- [ ] rye")
    #expect(pasted.lines.map(\.text) == ["rye"])
    #expect(pasted.ticked == 6)
    #expect(pasted.lines.map(\.place) == [7])
  }

  @Test("One line is no list", arguments: ["milk", "milk\n", "\nmilk\n\n", "milk\n---", "", "\n"])
  func one(text: String) { #expect(!PastedLines.areSeveral(in: text)) }

  private func requests(_ text: String) throws -> [PlannedRequest] {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 1_700_000_000_000))
    return try Planner(situation: situation).add(PastedLines(text))
  }

  private func commands(_ planned: PlannedRequest) -> [Command] {
    guard case .command(let command, key: _, base: _) = planned.request else { return [] }
    if case .batch(let commands) = command { return commands }
    return [command]
  }

  private func titles(_ requests: [PlannedRequest]) -> [String] {
    requests.flatMap(commands).compactMap {
      if case .post(.add(_, let new)) = $0 { new.title } else { nil }
    }
  }

  @Test("Each line is read as a plain line, and a new tag is made once")
  func quickAdd() throws {
    let all = try requests(
      "- milk !high\n- bread +oven\n- tea tomorrow +Oven #big-shop\n- jam +oven 20m")
    #expect(titles(all) == ["milk", "bread", "tea", "jam"])
    let made = all.flatMap(commands).filter { if case .changeTag = $0 { true } else { false } }
    // One in each list.
    #expect(made.count == 2)
    #expect(all.count == 2)
    guard case .changePersonal? = commands(all[1]).first else {
      Issue.record("how long it takes is one's own plan")
      return
    }
  }

  @Test("A number that begins a date stays one")
  func dates() throws {
    let all = try requests("1. milk\n2. bread")
    #expect(titles(all) == ["milk", "bread"])
  }

  @Test("Thousands of lines go in batches of a hundred commands, each with its own key")
  func batches() throws {
    let all = try requests((1...250).map { "post \($0)" }.joined(separator: "\n"))
    #expect(all.map { commands($0).count } == [100, 100, 50])
    #expect(titles(all).last == "post 250")
    let keys = all.compactMap {
      if case .command(_, let key, base: _) = $0.request { "\(key)" } else { nil }
    }
    #expect(Set(keys).count == 3)
    // What is about one post is not torn apart.
    let tagged = try requests((1...60).map { "post \($0) !high +urgent" }.joined(separator: "\n"))
    #expect(tagged.map { commands($0).count } == [100, 20])
    let long = try requests(
      (1...100).map { String(repeating: "ü", count: 480) + "\($0)" }.joined(separator: "\n"))
    #expect(long.count > 1)
    #expect(
      titles(try requests((1...PastedLines.max).map { "p\($0)" }.joined(separator: "\n"))).count
        == PastedLines.max)
    #expect(throws: Problem.self) {
      try requests((0...PastedLines.max).map { "p\($0)" }.joined(separator: "\n"))
    }
  }

  @Test("One line that is no title keeps all of them back, and is named")
  func wrong() {
    let long = String(repeating: "x", count: Limits.titleScalarsMax + 1)
    #expect(
      throws: Problem("line 3 is no title: it is longer than 500 letters; nothing was sent")
    ) { try requests("milk\n\n\(long)") }
    #expect(
      throws: Problem("line 2 is no title: it has letters that no title may have; nothing was sent")
    ) { try requests("milk\nte\u{1}a") }
  }
}
