package import Domain

// Finds the days of people. A day begins at midnight of its zone or, where clocks skip midnight, at the first moment
// after it; where clocks show midnight twice, at the first time. So a local midnight is looked for with the offsets
// that hold around it: a day and more before the moment asked about, at it, and after it.

/// Time zones by their IANA names, from the system's tzdata through libical. Any thread may use them.
package enum Zones {
  /// The longest name that is accepted. The longest one of tzdata has 32.
  private static let nameBytesMax = 64

  /// Drops the system's zones that were read, because they have changed. The lock sees to it that
  /// nobody is using them meanwhile.
  package static func readAgain() { Ical.forgetZones() }

  /// The seconds of the years 1970–9998, which libical and four digits hold.
  private static let seconds: ClosedRange<Int64> = 0...253_370_764_799

  /// Answers whether there is a zone of this exact name, such as `Europe/Lisbon` or `UTC`.
  package static func isKnown(_ name: String) -> Bool { isName(name) && Ical.hasZone(name) }

  /// Returns the first moment of the local day that holds this one. Nil for an unknown zone, and for moments before
  /// 1970 or after 9998.
  package static func startOfDay(containing time: Timestamp, zone: String) -> Timestamp? {
    let moment = time.milliseconds.floorDivided(by: 1_000)
    guard isName(zone), seconds.contains(moment) else { return nil }
    let start = Ical.withOffsets(of: zone) { offset in
      startOfDay(containing: moment, offset: offset)
    }
    return start.map { Timestamp(milliseconds: 1_000 * $0) }
  }

  /// Returns the first moment of a day. Nil for an unknown zone, and for days outside the years 1970–9998 or in their
  /// first or last three days.
  package static func startOfDay(_ day: Day, zone: String) -> Timestamp? {
    moment(of: day, minute: 0, zone: zone).flatMap { moment in
      // Where clocks skip midnight, the day begins earlier than its 00:00, counted as if it were shown.
      startOfDay(containing: moment, zone: zone)
    }
  }

  /// Returns the moment when a wall clock in the zone shows this number of minutes after the day's midnight. Nil as for
  /// `startOfDay`.
  ///
  /// RFC 5545 §3.3.5: a time that is shown twice is the first of the two; one that is never shown is counted with the
  /// offset before the gap, so that 02:30 becomes 03:30. Python's zoneinfo (`fold=0`) decides in the same way.
  package static func moment(of day: Day, minute: Int, zone: String) -> Timestamp? {
    let local = Int64(day.number) * 86_400 + Int64(minute) * 60
    // Two days of room are for the offsets that are asked for around it.
    guard isName(zone), seconds.contains(local - 3 * 86_400), seconds.contains(local + 2 * 86_400)
    else { return nil }
    let moment = Ical.withOffsets(of: zone) { offset in
      let before = offset(local - 2 * 86_400)
      let offsets = [before, offset(local - Int64(before)), offset(local + 86_400)]
      let shown = offsets.map { local - Int64($0) }.filter { $0 + Int64(offset($0)) == local }
      return shown.min() ?? local - Int64(before)
    }
    return moment.map { Timestamp(milliseconds: 1_000 * $0) }
  }

  /// Returns what a wall clock in the zone shows. Nil as for `startOfDay`.
  package static func localTime(of time: Timestamp, zone: String) -> LocalTime? {
    let moment = time.milliseconds.floorDivided(by: 1_000)
    guard isName(zone), seconds.contains(moment) else { return nil }
    return Ical.withOffsets(of: zone) { offset in
      LocalTime(seconds: moment, offsetSeconds: offset(moment))
    }
  }

  /// Answers whether the text may be handed to libical, which opens a file of this name below the system's zones.
  ///
  /// Only whole parts between slashes are accepted, because libical remembers every spelling that opens a file. Names
  /// `posix/…` and `right/…` are refused, because these are copies of other kinds (the latter count leap seconds), and
  /// so is the zone that this machine was set to.
  private static func isName(_ name: String) -> Bool {
    let bytes = name.utf8
    guard bytes.count <= nameBytesMax, bytes.allSatisfy(isNameByte) else { return false }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return false }
    return !name.hasPrefix("posix") && !name.hasPrefix("right") && name != "localtime"
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "_"),
      UInt8(ascii: "+"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func startOfDay(containing moment: Int64, offset: (Int64) -> Int) -> Int64 {
    let here = offset(moment)
    let midnight = 86_400 * (moment + Int64(here)).floorDivided(by: 86_400)
    let offsets = [offset(moment - 2 * 86_400), here, offset(moment + 86_400)]
    let starts = offsets.map { midnight - Int64($0) }.filter { $0 + Int64(offset($0)) == midnight }
    if let start = starts.min() { return start }
    return firstMoment(
      after: midnight - 86_400, until: moment, atLocal: midnight, offset: offset)
  }

  /// Returns the moment at which clocks skip over a local time, found by halving.
  private static func firstMoment(
    after early: Int64, until late: Int64, atLocal local: Int64, offset: (Int64) -> Int
  ) -> Int64 {
    var before = early
    var after = late
    while after - before > 1 {
      let middle = before + (after - before) / 2
      if middle + Int64(offset(middle)) >= local { after = middle } else { before = middle }
    }
    return after
  }
}
