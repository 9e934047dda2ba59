import Calendar
import Domain
import Glibc

/// The present time and a zone; writes times as a person reads them.
struct Clock: Equatable {
  /// The zone by its IANA name.
  let zone: String
  let now: Timestamp

  /// Returns `14:05`, with the date in front when it is not today's: `11-19 14:05`, `2025-11-19 14:05`.
  func moment(_ time: Timestamp) -> String {
    guard let then = local(time), let today = local(now) else { return "??:??" }
    let clock = "\(two(then.hour)):\(two(then.minute))"
    if then.year != today.year { return "\(day(time)) \(clock)" }
    let isToday = then.month == today.month && then.day == today.day
    return isToday ? clock : "\(two(then.month))-\(two(then.day)) \(clock)"
  }

  /// Returns a day such as `2026-11-20`.
  func day(_ time: Timestamp) -> String {
    local(time).map { "\($0.year)-\(two($0.month))-\(two($0.day))" } ?? "?"
  }

  /// Returns the local time. A zone that this machine does not know is taken as UTC.
  func local(_ time: Timestamp) -> LocalTime? {
    Zones.localTime(of: time, zone: zone) ?? Zones.localTime(of: time, zone: "UTC")
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  static func now() -> Timestamp {
    var time = timespec()
    // CLOCK_REALTIME is always there.
    guard clock_gettime(CLOCK_REALTIME, &time) == 0 else { return Timestamp(milliseconds: 0) }
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Returns this machine's zone by its IANA name; `UTC` when the machine does not say.
  static func machineZone() -> String { statedZone() ?? "UTC" }

  /// Returns this machine's zone by its IANA name; nil when the machine does not say.
  static func statedZone() -> String? {
    if let set = getenv("TZ") {
      let name = String(cString: set)
      if name.contains("/"), !name.hasPrefix("/"), !name.hasPrefix(":") { return name }
    }
    var target = [UInt8](repeating: 0, count: 512)
    let count = readlink("/etc/localtime", &target, target.count)
    guard count > 0 else { return nil }
    let path = String(decoding: target[..<count], as: UTF8.self)
    guard let range = path.firstRange(of: "zoneinfo/") else { return nil }
    let name = path[range.upperBound...]
    return name.contains("/") ? String(name) : nil
  }
}
