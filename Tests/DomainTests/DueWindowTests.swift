import Calendar
import Testing

@testable import Domain

private let zones = ["UTC", "Etc/GMT-14", "Etc/GMT+11"]

private func day(_ number: Int) -> Day { Day(number: number) }

@Suite("windows of dues")
struct DueWindowTests {
  @Test("both ends are in it, each by day or by moment")
  func bounds() {
    let noon = Timestamp(milliseconds: 12 * 3_600_000)
    let later = Timestamp(milliseconds: noon.milliseconds + 1)
    let rows: [(DueWindow, Timestamp, Day, Bool)] = [
      (DueWindow(), noon, day(0), true),
      (DueWindow(from: .day(day(0)), until: .day(day(0))), noon, day(0), true),
      (DueWindow(from: .day(day(1))), noon, day(0), false),
      (DueWindow(until: .day(day(-1))), noon, day(0), false),
      (DueWindow(from: .moment(noon), until: .moment(noon)), noon, day(9), true),
      (DueWindow(from: .moment(later)), noon, day(0), false),
      (DueWindow(until: .moment(noon)), later, day(0), false),
      (DueWindow(from: .moment(noon), until: .day(day(0))), later, day(0), true),
      (DueWindow(from: .moment(noon), until: .day(day(0))), later, day(1), false),
      (DueWindow(from: .day(day(0)), until: .moment(noon)), later, day(0), false),
    ]
    for (window, deadline, day, holds) in rows {
      #expect(window.holds(deadline: deadline, day: day) == holds, "\(window)")
    }
  }

  @Test("the range of deadlines leaves nothing of a window out, whatever the zones")
  func range() throws {
    for number in 20_780..<20_784 {
      let dues =
        [Due.day(day(number))]
        + zones.flatMap { zone in
          [0, 719, 1_439].map { Due.time(day(number), minute: $0, zone: zone) }
        }
      for (due, list) in dues.flatMap({ due in zones.map { (due, $0) } }) {
        let deadline = try #require(due.deadline(categoryZone: list, almanac: .system))
        for reader in zones {
          let shown = due.shownDay(deadline: deadline, zone: reader, almanac: .system)
          for window in [
            DueWindow(from: .day(shown), until: .day(shown)), DueWindow(from: .day(shown)),
            DueWindow(until: .day(shown)), DueWindow(until: .moment(deadline)),
            DueWindow(from: .moment(deadline), until: .day(shown)),
          ] {
            #expect(window.holds(deadline: deadline, day: shown))
            #expect(window.deadlines.contains(deadline), "\(due) \(list) \(reader)")
          }
        }
      }
    }
    let window = DueWindow(from: .day(day(20_780)), until: .day(day(20_780)))
    #expect(!window.deadlines.contains(Timestamp(milliseconds: 20_770 * 86_400_000)))
  }

  @Test("a due stands under the day that was written, a time under the reader's")
  func shown() throws {
    let rows: [(Due, String, Int)] = [
      (.day(day(5)), "UTC", 5), (.day(day(5)), "Etc/GMT-14", 5), (.day(day(5)), "Etc/GMT+11", 5),
      (.time(day(5), minute: 660, zone: "UTC"), "UTC", 5),
      (.time(day(5), minute: 660, zone: "UTC"), "Etc/GMT-14", 6),
      (.time(day(5), minute: 659, zone: "UTC"), "Etc/GMT+11", 4),
      (.time(day(5), minute: 660, zone: "UTC"), "Etc/GMT+11", 5),
      (.time(day(5), minute: 0, zone: "Etc/GMT-14"), "UTC", 4),
    ]
    for (due, reader, expected) in rows {
      let deadline = try #require(due.deadline(categoryZone: "UTC", almanac: .system))
      let shown = due.shownDay(deadline: deadline, zone: reader, almanac: .system)
      #expect(shown.number == expected, "\(due) \(reader)")
    }
  }
}
