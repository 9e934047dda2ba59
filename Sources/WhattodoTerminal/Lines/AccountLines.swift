import Domain
import Screen
import Wire

/// Lines about one's own account: its end, and the codes that open it.
enum AccountLines {
  /// The lines of `/account`.
  static func lines(_ situation: Situation) -> [Line] {
    guard let profile = situation.ownStream?.profile else { return [] }
    let since = situation.clock.day(profile.registeredAt)
    let who = Line("  @\(profile.username)", .strong).and("  here since \(since)", .dim)
    guard let ending = ending(situation) else {
      return [
        who, Line("  /account delete @\(profile.username) ends it some days later:", .dim),
        Line("  what only you are in goes with it; what you wrote elsewhere stays", .dim),
      ]
    }
    return [who, ending]
  }

  /// Returns the line that says when the account ends; nil when it does not end.
  static func ending(_ situation: Situation) -> Line? {
    situation.ownStream?.profile?.endsAt.map { ending($0, situation.clock) }
  }

  static func ending(_ end: Timestamp, _ clock: Clock) -> Line {
    Line("! this account ends on \(clock.moment(end)): /account keep keeps it", .bad)
  }

  /// The lines of `/me upgrade`.
  static func upgraded(_ it: RegisterResult) -> [Line] {
    [
      Line("you are @\(it.username) now", .strong).and("; this is your recovery code:"),
      Line("\(it.recoveryCode)", .strong, hang: 2),
      Line("  Write it down: it opens the account when the password is lost.", .dim, hang: 2),
    ]
  }

  /// The lines of `/pair`.
  static func pairing(_ it: PairingResult) -> [Line] {
    let minutes = max(1, it.expiresAfterMilliseconds / 60_000)
    let time: Phrase = minutes == 1 ? "one minute" : "\(minutes) minutes"
    return [
      Line("\(it.code)", .strong, hang: 2),
      Line(
        "  signs in another device as you: whattodo pair CODE there. Good once, for ", .dim, hang: 2
      )
      .and(time, .dim).and("; give it to nobody", .dim),
    ]
  }
}
