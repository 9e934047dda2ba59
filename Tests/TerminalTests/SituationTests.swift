import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("times, as a person reads them")
struct ClockTests {
  // 2026-11-20 13:05 UTC.
  private static let noon = Timestamp(milliseconds: 1_795_179_900_000)

  static let rows: [(Int64, String, String)] = [
    (0, "UTC", "13:05"), (0, "Europe/Berlin", "14:05"), (0, "Asia/Kolkata", "18:35"),
    (-14 * 60, "UTC", "11-19 23:05"), (-14 * 60, "Europe/Berlin", "00:05"),
    (-366 * 24 * 60, "UTC", "2025-11-19 13:05"), (0, "Moon/Crater", "13:05"),
  ]

  @Test("the time of day, with the date when it was another", arguments: rows)
  func moment(minutes: Int64, zone: String, expected: String) {
    let clock = Clock(zone: zone, now: Self.noon)
    let then = Timestamp(milliseconds: Self.noon.milliseconds + minutes * 60_000)
    #expect(clock.moment(then) == expected)
  }
}

@Suite("places that one is no longer in")
struct FormerPlacesTests {
  @Test("are told with the names that they had")
  func names() throws {
    var situation = Demo.situation()
    let place = StreamID.category(Demo.groceries)
    situation.remember(try #require(situation.streams[place]))
    situation.streams = situation.streams.filter { $0.key.letter == UInt8(ascii: "u") }
    #expect(situation.label(place) == "#groceries")
    let removed = Notification(
      kind: .removedFrom, stream: .user(Demo.author), seq: 4, opIndex: 0, at: Demo.start,
      by: Demo.editor, about: place, post: nil)
    let result = NotificationsResult(
      lists: [], directed: [removed], today: DayTotal(done: 0, of: 0))
    #expect(
      ListLines.news(result, situation).map(\.plain) == ["00:00 @editor took you out of #groceries"]
    )
    let other = Demo.situation()
    #expect(other.names == [:])
  }

  @Test("another role is told with the one that one has now")
  func role() {
    let changed = Notification(
      kind: .roleChanged, stream: .user(Demo.author), seq: 4, opIndex: 0, at: Demo.start,
      by: Demo.editor, about: .category(Demo.groceries), post: nil)
    let result = NotificationsResult(
      lists: [], directed: [changed], today: DayTotal(done: 0, of: 0))
    let told = ListLines.news(result, Demo.situation()).map(\.plain)
    #expect(told == ["00:00 @editor made you owner of #groceries"])
  }

  @Test("a post that is one's work is told with its title of today")
  func work() {
    let given = Notification(
      kind: .assigned, stream: .user(Demo.author), seq: 4, opIndex: 0, at: Demo.start,
      by: Demo.editor, about: .category(Demo.groceries), post: Demo.post(1, "milk").id)
    let result = NotificationsResult(lists: [], directed: [given], today: DayTotal(done: 0, of: 0))
    var situation = Demo.situation()
    _ = Demo.applied(
      .post(.marked(Demo.post(1, "").id, version: 2, .assigned(Demo.author))), by: Demo.editor,
      &situation)
    let told = ListLines.news(result, situation).map(\.plain)
    #expect(told == ["00:00 @editor gave you #1 milk in #groceries"])
  }

  @Test("who has no list yet is told how to make one")
  func none() throws {
    var situation = Demo.situation(open: nil)
    #expect(throws: Problem("no list is open: /open one, or name it (#list)", remedy: .list)) {
      try situation.list(nil)
    }
    situation.streams = situation.streams.filter { $0.key.letter == UInt8(ascii: "u") }
    #expect(throws: Problem("there is no list yet: /new NAME makes one")) {
      try situation.list(nil)
    }
  }
}
