import Client
import Domain
import Screen
import Testing

@testable import WhattodoTerminal

@Suite("terminal: a deadline of one's own is told once")
struct OverdueNewsTests {
  private let milk = Demo.post(1, "").id
  private let bread = Demo.post(2, "").id
  private let deadline = Timestamp(milliseconds: 9)

  private func list(_ posts: [PostID], _ situation: inout Situation) -> AppliedEvent {
    Demo.applied(
      posts.map { .post(.overdue($0, .became(deadline), Counters(open: 2, overdue: 1))) }, by: nil,
      &situation)
  }

  private func reminder(
    _ kind: ReminderKind, of post: PostID, at time: Timestamp? = nil, _ situation: inout Situation
  ) -> AppliedEvent {
    let address = PostAddress(category: Demo.groceries, post: post)
    let reminded = Reminded(address: address, kind: kind, at: time ?? deadline)
    return Demo.applied(
      [.personal(.fired(reminded))], by: nil, in: .user(Demo.author), &situation)
  }

  /// Returns the lines that are told at once, and those that are told later.
  private func told(
    _ appliedEvents: [(StreamID, AppliedEvent)], _ situation: Situation
  ) -> (now: [String], later: [String]) {
    var news = OverdueNews()
    let lines = EventLines(situation: situation)
    let now = appliedEvents.flatMap { news.lines(of: $0.1, in: $0.0, lines, now: 100) }
    #expect(news.due(now: 1_099).isEmpty)
    let later = news.due(now: 1_100)
    #expect(news.wait(now: 1_100) == nil)
    #expect(news.due(now: 9_999).isEmpty)
    return (now.map(\.plain), later.map(\.plain))
  }

  @Test("by the reminder, whichever comes first; others' by the list, a moment later")
  func once() {
    var situation = Demo.situation()
    let both = list([milk, bread], &situation)
    let mine = reminder(.overdue, of: milk, &situation)
    let groceries = StreamID.category(Demo.groceries)
    let own = StreamID.user(Demo.author)
    for order in [[(groceries, both), (own, mine)], [(own, mine), (groceries, both)]] {
      let it = told(order, situation)
      #expect(it.now == ["00:00 ⏰ overdue: milk (#1 in #groceries)"])
      #expect(it.later == ["00:00 ! bread is overdue (1 overdue in #groceries)"])
    }
  }

  @Test("Other news of the post, or of another deadline, takes no line away")
  func others() {
    var situation = Demo.situation()
    let groceries = StreamID.category(Demo.groceries)
    let own = StreamID.user(Demo.author)
    let rows = [
      reminder(.dueSoon, of: milk, &situation), reminder(.overdue, of: bread, &situation),
      reminder(.overdue, of: milk, at: Timestamp(milliseconds: 8), &situation),
    ]
    for row in rows {
      let it = told([(own, row), (groceries, list([milk], &situation))], situation)
      #expect(it.now.count == 1)
      #expect(it.later == ["00:00 ! milk is overdue (1 overdue in #groceries)"])
    }
  }

  @Test("a reminder that is told in a sum counts, too, and the chat wakes up for what waits")
  func sums() {
    var situation = Demo.situation()
    var news = OverdueNews()
    let both = list([milk, bread], &situation)
    let lines = EventLines(situation: situation)
    #expect(news.wait(now: 0) == nil)
    #expect(news.lines(of: both, in: .category(Demo.groceries), lines, now: 50).isEmpty)
    #expect(news.wait(now: 51) == 999)
    news.hear(reminder(.overdue, of: bread, &situation))
    #expect(news.due(now: 2_000).map { $0.plain.contains("milk") } == [true])
  }

  @Test("News that one does not want to hear is not told by its list either")
  func muted() {
    let groceries = StreamID.category(Demo.groceries)
    let own = StreamID.user(Demo.author)
    var situation = Demo.situation()
    var edit = SettingsEdit()
    edit.muted = .set([.overdue])
    _ = Demo.applied(.personal(.settings(edit)), by: Demo.author, in: own, &situation)
    let both = list([milk, bread], &situation)
    let muted = told([(groceries, both)], situation)
    #expect(muted.now == [] && muted.later == [])
    situation = Demo.situation()
    let address = PostAddress(category: Demo.groceries, post: milk)
    for (until, posts) in [(Int64(9), 2), (21, 1)] {
      var it = Personal(address)
      it.snooze = Timestamp(milliseconds: until)
      let edit = PersonalEdit(from: Personal(address), to: it)
      _ = Demo.applied(
        .personal(.edited(address, edit)), by: Demo.author, in: own, &situation)
      let told = told([(groceries, list([milk, bread], &situation))], situation)
      #expect(told.now == [] && told.later.count == posts)
      #expect(told.later.last == "00:00 ! bread is overdue (1 overdue in #groceries)")
    }
  }

  @Test("it remembers a bounded number of reminders whose list says nothing")
  func bounded() {
    var situation = Demo.situation()
    var news = OverdueNews()
    for number in 0...OverdueNews.rememberedMax {
      let time = Timestamp(milliseconds: 9 + Int64(number))
      news.hear(reminder(.overdue, of: milk, at: time, &situation))
    }
    let lines = EventLines(situation: situation)
    let first = list([milk], &situation)
    #expect(news.lines(of: first, in: .category(Demo.groceries), lines, now: 0).isEmpty)
    #expect(news.due(now: 5_000).count == 1)
  }
}
