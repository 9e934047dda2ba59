import Calendar
import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

private let own = StreamID.user(Demo.author)

private func note(
  _ kind: Domain.Notification.Kind, _ seq: Int64, post: Int? = 1, by: UserID? = Demo.editor,
  in list: CategoryID = Demo.groceries
) -> Domain.Notification {
  Notification(
    kind: kind, stream: own, seq: seq, opIndex: 0, at: Demo.start, by: by, about: .category(list),
    post: post.map { Demo.post($0, "").id })
}

private func result(
  directed: [Domain.Notification] = [], reminders: [Domain.Notification] = []
) -> NotificationsResult {
  NotificationsResult(
    lists: [], directed: directed, reminders: reminders, today: DayTotal(done: 0, of: 0))
}

@Suite("lines: reminders that one asked for stand apart from batches of other news")
struct DirectedLinesTests {
  /// The posts 1 and 2 are the author's work.
  private var situation: Situation {
    var situation = Demo.situation()
    for number in [1, 2] {
      _ = Demo.applied(
        .post(.marked(Demo.post(number, "").id, version: 2, .assigned(Demo.author))),
        by: Demo.editor, &situation)
    }
    return situation
  }

  private func news(_ result: NotificationsResult, all: Bool = true) -> [String] {
    ListLines.news(result, situation, allReminders: all).map(\.plain)
  }

  @Test("a reminder is shown with its title behind seven assignments, which are one line")
  func apart() {
    let flood = (0..<7).map { note(.assigned, 20 - Int64($0), post: 1 + $0 % 2) }
    let asked = note(.reminder, 3, post: 1, by: nil)
    #expect(
      news(result(directed: flood + [asked], reminders: [asked])) == [
        "00:00 @editor gave you 7 posts in #groceries", "you asked to be told:",
        "  00:00 ⏰ reminder: milk (#1 in #groceries)",
      ])
  }

  @Test("a batch of each kind is one line, and of what is over nothing is said")
  func batches() {
    func line(_ kind: Domain.Notification.Kind, by: UserID? = Demo.editor) -> [String] {
      news(result(directed: [note(kind, 9, by: by), note(kind, 8, post: 2, by: by)]))
    }
    #expect(line(.removedFrom) == ["00:00 @editor took you out of 2 lists and groups"])
    #expect(line(.roleChanged) == ["00:00 @editor gave you another role in 2 lists and groups"])
    #expect(line(.overdue, by: nil) == ["00:00 ⏰ overdue: 2 posts in #groceries"])
    #expect(line(.dueSoon, by: nil) == ["00:00 ⏰ due soon: 2 posts in #groceries"])
    // Post 3 is nobody's work.
    #expect(
      news(result(directed: [note(.assigned, 9, post: 3), note(.assigned, 8)]))
        == ["00:00 @editor gave you #1 milk in #groceries"])
  }

  @Test("A line says how many more there are")
  func more() {
    let kinds: [Domain.Notification.Kind] = [.assigned, .roleChanged]
    let many = (0..<12).map { note(kinds[$0 % 2], 20 - Int64($0)) }
    let lines = news(result(directed: many))
    #expect(lines.count == 6)
    #expect(lines[0] == "… 7 more of what others told you")
  }

  @Test("at the start of a chat the newest reminders are shown and the others are counted")
  func start() {
    let asked = (0..<11).map { note(.planned, 20 - Int64($0), post: 1, by: nil) }
    let first = news(result(reminders: asked), all: false)
    #expect(first.count == 2 + DirectedLines.remindersAtStart)
    #expect(first[1] == "  … 3 more: /n shows them")
    #expect(news(result(reminders: asked)).count == 12)
  }

  @Test("Everything up to the read mark of the own stream is read")
  func read() {
    var situation = situation
    _ = Demo.applied(
      .personal(.readMarked(ReadMark(stream: own, seq: 9))), by: Demo.author, in: own, &situation)
    let directed = [note(.assigned, 10), note(.assigned, 9, post: 2)]
    #expect(
      ListLines.news(result(directed: directed), situation).map(\.plain)
        == ["00:00 @editor gave you #1 milk in #groceries"])
  }

  @Test("Reminders in the copy of the own stream count, beyond those of the answer")
  func copy() {
    var situation = situation
    for seq in 1...3 {
      let event = Event(
        seq: Int64(seq), transaction: TransactionID(UUID(high: 7, low: 1)), at: Demo.start,
        by: Demo.editor, key: nil,
        ops: [.personal(.assignmentAdded(.category(Demo.groceries), Demo.post(1, "").id))])
      _ = situation.streams[own]?.apply(event)
    }
    let told = ListLines.news(result(directed: [note(.assigned, 3)]), situation)
    #expect(told.map(\.plain) == ["00:00 @editor gave you 3 posts in #groceries"])
  }

  @Test("missed events tell what was asked for of each post, behind all others")
  func missed() {
    var situation = situation
    let asked = Reminded(
      address: PostAddress(category: Demo.groceries, post: Demo.post(1, "").id),
      kind: .reminder, at: Demo.start)
    let appliedEvents =
      [
        Demo.applied(
          [.personal(.fired(asked)), .personal(.kept(asked))], by: nil, in: own, &situation)
      ]
      + (0..<7).map { _ in
        Demo.applied(
          .personal(.assignmentAdded(.category(Demo.groceries), Demo.post(2, "").id)),
          by: Demo.editor,
          in: own, &situation)
      }
    let lines = EventLines(situation: situation).summary(appliedEvents).map(\.plain)
    #expect(
      lines == [
        "00:00 @editor → gave you 7 posts in #groceries",
        "00:00 ⏰ reminder: milk in #groceries",
      ])
  }

  @Test("JSON has each reminder with its post")
  func json() {
    let asked = note(.reminder, 3, post: 1, by: nil)
    let answer = ReplicaAnswer.notifications(result(reminders: [asked]))
    let json = JSONOutput.answers([(.notifications(nil), answer)], in: situation)
    #expect(
      json.contains(
        #""reminders":[{"kind":"reminder","at":0,"#
          + #""list":{"id":"\#(Demo.groceries)","name":"groceries"},"#
          + #""id":"\#(Demo.post(1, "").id)","number":1,"title":"milk"}]"#), "\(json)")
  }
}
