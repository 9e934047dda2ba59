import CIcal
import Domain
import Synchronization

// libical keeps its zones in global arrays, which it fills when they are first asked for (zone.tab, then the zone's
// file, then the list of changes up to the year asked for). It has a mutex of its own for each of these when it was
// built with pthreads, which a program cannot see. So every call is made under one lock here, and no pointer leaves it.
// A call costs about a microsecond.
//
// libical 3.0 turns a zone's file into a few rules, and some years of the past do not fit into them: in about 75 of 420
// zones hours of single years before May 2022 are wrong (Pacific/Easter in 2020 and 2021 is the last). From then to the
// end of 2036 every zone agrees with Foundation's; a test holds that.

/// The door to libical's time zones: the only file that sees a pointer.
enum Ical {
  private static let lock = Mutex(())

  /// Answers whether libical finds a zone of this name, which must be one that `Zones` lets through.
  static func hasZone(_ name: String) -> Bool {
    lock.withLock { _ in icaltimezone_get_builtin_timezone(name) != nil }
  }

  /// Forgets the zones. They are read again when they are asked for.
  static func forgetZones() { lock.withLock { _ in icaltimezone_free_builtin_timezones() } }

  /// Runs a calculation that asks for the zone's offsets. Nil when there is no such zone.
  ///
  /// The argument of `body` answers the seconds east of Greenwich at this number of seconds after 1970.
  static func withOffsets<Result: Sendable>(
    of name: String, _ body: (_ offset: (Int64) -> Int) -> Result
  ) -> Result? {
    lock.withLock { _ in
      guard let zone = icaltimezone_get_builtin_timezone(name) else { return nil }
      return body { seconds in offset(in: zone, at: seconds) }
    }
  }

  private static func offset(in zone: OpaquePointer, at seconds: Int64) -> Int {
    let utc = LocalTime(seconds: seconds, offsetSeconds: 0)
    var time = icaltime_null_time()
    time.year = Int32(utc.year)
    time.month = Int32(utc.month)
    time.day = Int32(utc.day)
    time.hour = Int32(utc.hour)
    time.minute = Int32(utc.minute)
    time.second = Int32(seconds - 60 * seconds.floorDivided(by: 60))
    return Int(icaltimezone_get_utc_offset_of_utc_time(zone, &time, nil))
  }
}
