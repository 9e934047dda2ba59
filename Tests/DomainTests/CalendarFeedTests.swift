import Calendar
import Testing

@testable import Domain

private func day(_ text: String) -> Day { Day(text) ?? Day(number: 0) }

/// Makes a post that is due on a day, and comes again by a rule.
private func post(
  _ number: Int, _ due: String?, _ rule: String? = nil, _ basis: Recurrence.Basis = .due
) throws -> Post {
  var post = Post(
    id: .numbered(number), number: number, title: "post \(number)", notes: "", addedBy: "a",
    createdAt: .zero, updatedAt: .zero, version: 1)
  guard let due else { return post }
  let deadline = Due(localTime: due, zone: "Europe/Lisbon") ?? .day(day(due))
  post.due = deadline
  if let rule {
    post.repeats = try Repetition(RecurrenceRule(rule), basis: basis)
      .begun(at: deadline, number: 1, last: nil, almanac: .system)
  }
  return post
}

extension PostID {
  fileprivate static func numbered(_ number: Int) -> PostID {
    PostID(UUID(high: 0, low: UInt64(number)))
  }
}

extension Timestamp {
  fileprivate static let zero = Timestamp(milliseconds: 0)
  /// The moment 2026-11-23T12:00:00Z.
  fileprivate static let noon = Timestamp(milliseconds: 1_795_435_200_000)
}

/// Returns the entries that a feed shows at that noon: the number of the post and its day, with a star for a next time.
private func shown(_ posts: [Post], at now: Timestamp = .noon, zone: String = "UTC") -> [String] {
  var category = Category(
    id: CategoryID(UUID(high: 1, low: 1)), name: "Home", group: nil,
    added: Stamp(at: .zero, by: "a"))
  category.zone = zone
  return CalendarFeed(category, posts, tags: [:], now: now, almanac: .system).entries
    .map { "\($0.post.number) \($0.due.day)\($0.isLater ? " *" : "")" }
}

@Suite("protocol §5.14: a calendar shows the posts that are due")
struct CalendarFeedTests {
  @Test("posts with a due, each once, in the order of their days")
  func once() throws {
    let posts = [try post(1, "2026-11-01"), try post(3, nil), try post(2, "2026-11-24T18:00")]
    #expect(shown(posts) == ["1 2026-11-01", "2 2026-11-24"])
  }

  @Test("A post that comes again stands where it is, and on its next days for two months")
  func again() throws {
    let weekly = try shown([post(1, "2026-11-20", "FREQ=WEEKLY")])
    #expect(weekly.first == "1 2026-11-20")
    #expect(weekly.dropFirst().first == "1 2026-11-27 *")
    // 62 days after the 23rd are 24 January.
    #expect(weekly.last == "1 2027-01-22 *")
    #expect(weekly.count == 10)
  }

  @Test("the last day of the month stays the last one")
  func shortMonths() throws {
    let now = Timestamp(milliseconds: Timestamp.noon.milliseconds + 70 * 86_400_000)
    let rows = try shown([post(1, "2027-01-31", "FREQ=MONTHLY")], at: now)
    #expect(rows == ["1 2027-01-31", "1 2027-02-28 *", "1 2027-03-31 *"])
  }

  @Test("Days that were missed are not told again, and a rule that ends, ends")
  func missed() throws {
    let daily = try shown([post(1, "2026-10-01", "FREQ=DAILY;UNTIL=20261125")])
    #expect(daily == ["1 2026-10-01", "1 2026-11-23 *", "1 2026-11-24 *", "1 2026-11-25 *"])
    let counted = try shown([post(1, "2026-11-22", "FREQ=DAILY;COUNT=3")])
    #expect(counted == ["1 2026-11-22", "1 2026-11-23 *", "1 2026-11-24 *"])
  }

  @Test("Nothing is known of days that are counted from a completion")
  func fromCompletion() throws {
    #expect(try shown([post(1, "2026-11-24", "FREQ=DAILY", .completion)]) == ["1 2026-11-24"])
  }

  @Test("today is the list's own day")
  func zone() throws {
    let late = Timestamp(milliseconds: Timestamp.noon.milliseconds + 11 * 3_600_000)
    let daily = try post(1, "2026-11-01", "FREQ=DAILY;UNTIL=20261124")
    #expect(shown([daily], at: late) == ["1 2026-11-01", "1 2026-11-23 *", "1 2026-11-24 *"])
    #expect(shown([daily], at: late, zone: "Asia/Tokyo") == ["1 2026-11-01", "1 2026-11-24 *"])
  }

  @Test("where not all find room, the posts come before their next times, and the first of these")
  func room() throws {
    let many = try (1...Limits.calendarEntriesMax - 3).map { try post($0, "2026-12-01") }
    let again = try post(5_000, "2026-11-24", "FREQ=DAILY")
    let rows = shown([again] + many)
    #expect(rows.count == Limits.calendarEntriesMax)
    #expect(rows.filter { $0.hasSuffix("*") } == ["5000 2026-11-25 *", "5000 2026-11-26 *"])
    let full = try (1...Limits.calendarEntriesMax + 5).map { try post($0, "2026-12-01") }
    #expect(shown(full).count == Limits.calendarEntriesMax)
  }
}
