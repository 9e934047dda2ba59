extension Almanac {
  /// Of zones whose clocks never change: `Etc/GMT-2` is two hours ahead of UTC, as in tzdata, and every other name is
  /// UTC itself. No rule ever fires. For the simulator and for tests, which say the same on every machine.
  package static let fixedOffsets = Almanac(
    firstDay: { _, _, _ in nil },
    startOfDay: { day, zone in moment(day, 0, zone) },
    moment: { day, minute, zone in moment(day, minute, zone) },
    day: { moment, zone in
      let local = Int(moment.milliseconds) + hoursAhead(zone) * 3_600_000
      return Day(number: local.floorDivided(by: 86_400_000))
    })

  private static func moment(_ day: Day, _ minute: Int, _ zone: String) -> Timestamp {
    let minutes = Int64(day.number) * 1_440 + Int64(minute - hoursAhead(zone) * 60)
    return Timestamp(milliseconds: minutes * 60_000)
  }

  /// The signs of these names are those of POSIX: the other way round.
  private static func hoursAhead(_ zone: String) -> Int {
    guard zone.hasPrefix("Etc/GMT") else { return 0 }
    return -(Int(zone.dropFirst(7)) ?? 0)
  }
}
