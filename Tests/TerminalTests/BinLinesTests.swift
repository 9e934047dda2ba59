import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("lines: the bin")
struct BinLinesTests {
  /// Returns the lines of `/bin`, where the server keeps removed posts so long.
  private func bin(_ posts: [Post], days: Int?) throws -> [String] {
    let situation = Demo.situation()
    let planner = Planner(situation: situation)
    guard case .send(let requests) = try planner.plan(.ask(.bin(nil))), let first = requests.first
    else {
      throw Problem("nothing is asked for")
    }
    let about = ServerAbout(
      server: ServerName(name: "s", version: "1"), registrationIsOpen: true, privacy: nil,
      removedDays: days)
    let next = try #require(try planner.followUp(first.report, .about(about))?.first)
    #expect(next.request.is(.posts) && !next.report.isChange && !first.report.isChange)
    let answer = ReplicaAnswer.posts(PostsResult(posts: posts, before: nil))
    #expect(try planner.followUp(next.report, answer) == nil)
    return AnswerLines.lines(next.report, answer, situation, chat: true).map(\.plain)
  }

  @Test("each post says until when it can be brought back")
  func days() throws {
    var milk = Demo.post(7, "milk")
    let stamp = Stamp(at: Demo.start, by: Demo.author)
    milk.removed = stamp
    // Its text was erased there.
    milk.updatedAt = Timestamp(milliseconds: Demo.start.milliseconds + 86_400_000)
    let day = Demo.situation().clock.day(
      Timestamp(milliseconds: milk.updatedAt.milliseconds + 30 * 86_400_000))
    let title = "removed from #groceries; /restore NUMBER brings one back"
    #expect(try bin([milk], days: 30) == [title, "    #7  milk  gone for good on \(day)"])
    #expect(try bin([milk], days: nil) == [title, "    #7  milk"])
    milk.title = ""
    #expect(try bin([milk], days: nil) == [title, "    #7  (erased)"])
    #expect(try bin([], days: 30) == ["the bin of #groceries is empty"])
  }

  @Test("Posts that go together are one line, of which nobody hears what it was")
  func purged() {
    func told(_ posts: [Int]) -> [String] {
      var situation = Demo.situation()
      let stream = StreamID.category(Demo.groceries)
      let event = Event(
        seq: 30, transaction: TransactionID(UUID(high: 7, low: 2)), at: Demo.start, by: nil,
        key: nil, ops: posts.map { .post(.purged(Demo.post($0, "").id, nil)) })
      let changes = situation.streams[stream]?.apply(event) ?? []
      let applied = AppliedEvent(event: event, changes: changes, notifications: [])
      return EventLines(situation: situation).lines(applied, in: stream).map(\.plain)
    }
    #expect(told([7]) == ["a removed post is gone from the bin of #groceries for good"])
    #expect(told([7, 8]) == ["2 removed posts are gone from the bin of #groceries for good"])
  }
}

extension Request {
  fileprivate enum Kind { case posts }

  fileprivate func `is`(_ kind: Kind) -> Bool {
    if case .query(.posts(let query)) = self { query.show == .removed } else { false }
  }
}
