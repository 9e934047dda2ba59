import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("lines: a chat tells what was taken back, and what was done again")
struct RedoLinesTests {
  private static let stamp = Stamp(at: Demo.start, by: Demo.editor)
  private static let milk = Demo.post(1, "milk")
  private static let counters = Counters(open: 1, done: 2)
  private static let next = NextOccurrence(
    1, .skipped(stamp), Occurrence(number: 2, due: .day(Day(number: 1)), start: Day(number: 0)))

  /// The lines of a page of history, in which each event may take back the one before it.
  private func history(_ ops: [(op: Op, isUndo: Bool)], from first: Int = 0) throws -> [String] {
    let situation = Demo.situation()
    let events = ops.enumerated().map { index, it in
      Event(
        seq: Int64(index + 1), transaction: TransactionID(UUID(high: 7, low: 1)), at: Demo.start,
        by: Demo.editor, key: nil, undoes: it.isUndo ? [Int64(index)] : [], ops: [it.op])
    }
    let page = HistoryPage(
      lines: events.dropFirst(first).reversed().map {
        HistoryPage.Line(seq: $0.seq, body: EventCodec.encode($0))
      },
      people: [],
      posts: [HistoryPage.Subject(id: Self.milk.id, number: 1, title: "milk")], before: nil)
    return try HistoryLines.lines(page, of: .list(situation.list(nil)), situation).map {
      String($0.plain.dropFirst("00:00 ".count))
    }
  }

  @Test("a completion that is done again is told as one, whichever op it is written with")
  func completion() throws {
    let done = "@editor ✔ milk (2/3 in #groceries)"
    let first = Op.post(.completed(Self.milk.id, version: 2, Self.stamp, Self.counters))
    let open = Op.post(.reopened(Self.milk, Counters(open: 2, done: 1)))
    for again in [Op.post(.restored(Demo.post(1, "milk", done: true), Self.counters)), first] {
      #expect(
        try history([(first, false), (open, true), (again, true)]) == [
          done, "@editor ↺ milk (1/3 in #groceries) (undo)", done + " (redo)",
        ])
    }
  }

  @Test("a time that was left out and is not, and what is back from the bin")
  func others() throws {
    let skip = Op.post(.occurred(Self.milk.id, version: 2, Self.next, Self.counters))
    let back = Op.post(.restored(Self.milk, Self.counters))
    #expect(
      try history([(skip, false), (back, true), (skip, true)]).dropFirst() == [
        "@editor ↺ milk: this time after all (in #groceries) (undo)",
        "@editor ↷ milk: not this time (again tomorrow, in #groceries) (redo)",
      ])
    let removed = Op.post(.removed(Self.milk.id, version: 2, Self.stamp, Self.counters))
    let tea = Op.post(.restored(Demo.post(1, "milk", done: true), Self.counters))
    #expect(
      try history([(removed, false), (tea, true)])[1]
        == "@editor + milk (#1 is back in #groceries) (undo)")
    #expect(try history([(tea, false)]) == ["@editor + milk (#1 is back in #groceries)"])
  }

  @Test("an undo whose event is on no page is an undo; of an undo the undo is a redo")
  func unknown() throws {
    let edit = { (title: String) in
      Op.post(.edited(Self.milk.id, version: 2, PostEdit(title: title)))
    }
    let chain = [(edit("a"), false), (edit("b"), true), (edit("a"), true), (edit("b"), true)]
    let told = ["", " (undo)", " (redo)", " (undo)"]
    #expect(
      try history(chain).map { String($0.dropFirst("@editor ✎ x (in #groceries)".count)) } == told)
    #expect(try history(chain, from: 1)[0].hasSuffix(" (undo)"))
  }

  @Test("The past of a claim says whose it was, and that it was made longer")
  func claims() throws {
    let milk = Self.milk.id
    let until = { Timestamp(milliseconds: $0 * 3_600_000) }
    let taken = { (user: UserID, hours: Int64) in
      (Op.claim(milk, .taken(user, until: until(hours), version: 2)), false)
    }
    let released = (Op.claim(milk, .released(version: 3)), false)
    let ended = (Op.claim(milk, .ended), false)
    #expect(
      try history([taken(Demo.author, 1), released, taken(Demo.editor, 1), ended]) == [
        "@editor ▸ on it until 01:00: milk (#1 in #groceries)",
        "@editor ◂ you are not on it any more: milk (#1 in #groceries)",
        "@editor ▸ on it until 01:00: milk (#1 in #groceries)",
        "nobody is on milk any more: the time of @editor is over (#1 in #groceries)",
      ])
    #expect(
      try history([taken(Demo.editor, 1), taken(Demo.editor, 2), released]).dropFirst() == [
        "@editor ▸ on it until 02:00 now: milk (#1 in #groceries)",
        "@editor ◂ not on it any more: milk (#1 in #groceries)",
      ])
  }

  @Test("News of a post that came back tell it as it is now")
  func news() throws {
    var situation = Demo.situation()
    let rule = RepeatWish("daily")!.repetition(today: Day(number: 20_000))!
    _ = Demo.applied(
      .post(.edited(Demo.post(2, "").id, version: 2, PostEdit(repeats: .set(rule)))),
      by: Demo.author, &situation)
    let told = (1...3).map { number in
      let it = Notification(
        kind: .restored, stream: .category(Demo.groceries), seq: Int64(number), opIndex: 0,
        at: Demo.start, by: Demo.editor, about: .category(Demo.groceries),
        post: Demo.post(number, "").id)
      return NotificationFold.fold([it]).map {
        EventLines(situation: situation).notificationLine($0, verbose: false).plain
      }
    }
    #expect(
      told == [
        ["@editor + milk (back)"], ["@editor ↺ bread (open again)"],
        ["@editor ✔ tea (done again)"],
      ])
  }
}
