import Calendar
import Testing

@testable import Domain

@Suite("digest: when a day is told")
struct DigestTimesTests {
  private func times(_ time: String, _ zone: String = "UTC") -> DigestTimes {
    DigestTimes(time: ClockTime(time)!, zone: zone, almanac: .system)
  }

  private func utc(_ day: String, _ minute: Int) -> Timestamp {
    Timestamp(milliseconds: Day(day)!.startUTC.milliseconds + Int64(minute) * 60_000)
  }

  @Test("a time of a clock is written as it is read, and nothing else is one")
  func clockTimes() {
    #expect(ClockTime("07:05").map { "\($0)" } == "07:05")
    #expect(ClockTime("00:00")?.minute == 0)
    for text in ["24:00", "7:05", "18:60", "", "1800"] { #expect(ClockTime(text) == nil) }
    #expect(ClockTime(minute: 1_440) == nil)
  }

  @Test("from noon on a day is told on itself, before on the next one")
  func about() {
    let evening = times("12:00").latest(through: utc("2026-11-22", 720))
    #expect(evening == DigestMoment(day: Day("2026-11-22")!, at: utc("2026-11-22", 720)))
    let morning = times("11:59").latest(through: utc("2026-11-22", 720))
    #expect(morning == DigestMoment(day: Day("2026-11-21")!, at: utc("2026-11-22", 719)))
    #expect(times("11:59").moment(about: Day("2026-11-21")!) == utc("2026-11-22", 719))
    #expect(times("12:00").moment(about: Day("2026-11-22")!) == utc("2026-11-22", 720))
  }

  @Test("a moment that has come is not the next one")
  func next() {
    #expect(times("18:00").next(after: utc("2026-11-22", 1_079)) == utc("2026-11-22", 1_080))
    #expect(times("18:00").next(after: utc("2026-11-22", 1_080)) == utc("2026-11-23", 1_080))
    #expect(
      times("18:00").latest(through: utc("2026-11-22", 1_079)).at == utc("2026-11-21", 1_080))
  }

  @Test(
    "every day of a year has one moment, by the clock of the zone",
    arguments: [
      "Europe/Lisbon", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe", "No/Zone",
    ])
  func year(zone: String) {
    let times = times("02:30", zone)
    var (moment, days) = (utc("2011-01-01", 0), [] as [Day])
    while moment < utc("2012-01-01", 0) {
      moment = times.next(after: moment)
      let latest = times.latest(through: moment)
      #expect(latest.at == moment)
      days.append(latest.day)
    }
    #expect(Set(days).count == days.count, "a day twice")
    // Samoa had no 30 December 2011.
    #expect(days.count >= 364)
  }
}

@Suite("digest: a tally counts what happened in a list")
struct DigestTallyTests {
  private let home = StreamID.category(1)

  private func tally(_ events: [Event]) -> DigestTally {
    var tally = DigestTally()
    for event in events { tally.add(event, in: home) }
    return tally
  }

  private func did(_ seq: Int64, by user: UserID?, _ ops: Op...) -> Event {
    Event(
      seq: seq, transaction: TransactionID(UUID(high: 0, low: UInt64(seq))),
      at: Timestamp(milliseconds: 1_000), by: user, key: nil, ops: ops)
  }

  private func completed(_ id: PostID, by user: UserID) -> Op {
    .post(
      .completed(
        id, version: 2, Stamp(at: Timestamp(milliseconds: 1_000), by: user), Counters()))
  }

  @Test("Different posts are counted of each person, and of all together")
  func counts() {
    let tally = tally([
      did(
        1, by: "a", .post(.added(openPost(1), Counters())), .post(.added(openPost(2), Counters()))),
      did(2, by: "b", completed(1, by: "b")),
      did(3, by: "a", .post(.reopened(openPost(1), Counters()))),
      did(4, by: "b", completed(1, by: "b")),
      did(5, by: "a", completed(1, by: "a")),
      did(6, by: nil, .post(.added(openPost(3), Counters()))),
    ])
    #expect(tally.total == DigestCounts(added: 3, completed: 1, reopened: 1))
    #expect(
      tally.people == [
        "a": DigestCounts(added: 2, completed: 1, reopened: 1), "b": DigestCounts(completed: 1),
      ])
  }

  @Test("A completion that an admin confirms is that of who did it")
  func confirmed() {
    let tally = tally([did(1, by: "a", completed(1, by: "b"))])
    #expect(tally.people == ["b": DigestCounts(completed: 1)])
  }

  @Test("Only what people do with posts is counted")
  func others() {
    let tally = tally([did(1, by: "a", .category(.edited(CategoryEdit(name: "x"))))])
    #expect(tally.total.isEmpty && tally.people.isEmpty)
  }
}
