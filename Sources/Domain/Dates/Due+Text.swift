extension Due {
  /// The days that a due may have: every zone's calendar holds them and their neighbours.
  package static let days: ClosedRange<Day> = {
    guard let first = Day("1971-01-01"), let last = Day("9997-12-31") else {
      preconditionFailure("both are days")
    }
    return first...last
  }()

  /// The time that a wall clock shows then, `2026-11-24T18:00`. Nil for a whole day.
  package var localTime: String? {
    guard case .time(let day, let minute, _) = self else { return nil }
    return "\(day)T" + Due.clock(minute)
  }

  /// Returns minutes after midnight as `18:00`.
  package static func clock(_ minute: Int) -> String {
    "\(Day.padded(minute / 60, to: 2)):\(Day.padded(minute % 60, to: 2))"
  }

  /// Reads exactly `18:00`. Returns the minutes after midnight, and nil for anything else.
  package static func minute(_ text: some StringProtocol) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = Day.digits(bytes[0..<2]),
      let minute = Day.digits(bytes[3..<5]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  /// Reads exactly `2026-11-24T18:00`, in a zone. Nil for anything else.
  package init?(localTime text: String, zone: String) {
    guard text.utf8.count == 16, let day = Day(String(text.prefix(10))),
      text.dropFirst(10).hasPrefix("T"), let minute = Due.minute(text.dropFirst(11))
    else { return nil }
    self = .time(day, minute: minute, zone: zone)
  }

  /// The zone that the due names itself. Nil for a whole day.
  package var zone: String? {
    guard case .time(_, _, let zone) = self else { return nil }
    return zone
  }
}

extension Post {
  /// Returns what the post's dates say of it at a moment. `categoryZone` is the zone of its list, and `soonHours` is
  /// what the person who looks has set (`PersonalSettings.soonHours`).
  package func status(
    now: Timestamp, categoryZone: String, almanac: Almanac, soonHours: Int
  ) -> PostStatus {
    PostStatus(
      completed: completed != nil,
      deadline: due?.deadline(categoryZone: categoryZone, almanac: almanac), now: now,
      soonHours: soonHours)
  }
}
