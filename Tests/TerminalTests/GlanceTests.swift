import Domain
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: a glance")
struct GlanceTests {
  private let groceries = StreamID.category(Demo.groceries)
  private let bigShop = StreamID.category(Demo.bigShop)

  /// Four open posts, of which two are one's own work and one is overdue.
  private func situation() -> Situation {
    var situation = Demo.situation()
    var ops = [1, 2].map {
      Op.post(.marked(Demo.post($0, "").id, version: 2, .assigned(Demo.author)))
    }
    let counters = Counters(open: 4, done: 1, overdue: 1)
    ops.append(.post(.overdue(Demo.post(1, "").id, .became(Demo.start), counters)))
    _ = Demo.applied(ops, by: Demo.editor, &situation)
    return situation
  }

  private func result(more: Bool = false, ofList: Bool = false) -> NotificationsResult {
    NotificationsResult(
      lists: [(groceries, 5, false), (bigShop, 7, ofList)].map {
        UnreadList(
          stream: $0.0, name: "", unread: Unread(count: $0.1, more: $0.2), notifications: [])
      }, directed: [], today: DayTotal(done: 0, of: 0), more: more)
  }

  @Test("The numbers of all lists together")
  func all() {
    let glance = Glance(result(), situation())
    #expect(glance.line.plain == "6 open, 2 yours, 1 overdue, 12 new")
    let json = JSONOutput.answers(
      [(.glance, .notifications(result(ofList: true)))], in: situation())
    #expect(json == #"{"ok":true,"open":6,"mine":2,"overdue":1,"new":12,"more":true}"#)
    #expect(Glance(result(more: true), situation()).line.plain.hasSuffix(", 12+ new"))
  }

  @Test("A muted list has nothing new")
  func muted() {
    var situation = situation()
    var edit = SettingsEdit()
    edit.levels = [.choose(LevelChoice(about: bigShop, level: .none))]
    _ = Demo.applied(
      .personal(.settings(edit)), by: Demo.author, in: .user(Demo.author), &situation)
    #expect(Glance(result(ofList: true), situation).line.plain.hasSuffix(", 5 new"))
  }

  @Test("An archived list is left out")
  func archived() {
    var situation = situation()
    let stamp = Stamp(at: Demo.start, by: Demo.author)
    _ = Demo.applied(.category(.archived(stamp)), by: Demo.author, &situation)
    #expect(Glance(result(), situation).line.plain.hasPrefix("2 open, 0 yours, 0 overdue"))
  }
}
