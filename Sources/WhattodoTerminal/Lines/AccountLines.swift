import Domain
import Screen

// Lines about one's own account and its end.
extension ListLines {
  /// The lines of `/account`.
  static func account(_ situation: Situation) -> [Line] {
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
}
