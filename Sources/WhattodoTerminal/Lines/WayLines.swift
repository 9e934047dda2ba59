import Domain
import Screen
import Wire

/// What lets somebody in: shown to who asked for it, and never in what happened.
enum WayLines {
  /// `/me upgrade`
  static func upgraded(_ it: RegisterResult) -> [Line] {
    [
      Line("you are @\(it.username) now", .strong).and("; this is your recovery code:"),
      Line("\(it.recoveryCode)", .strong, hang: 2),
      Line("  Write it down: it opens the account when the password is lost.", .dim, hang: 2),
    ]
  }

  /// `/pair`
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
