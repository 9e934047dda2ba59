import Domain
import Screen
import Wire

// Lines about codes. They are shown to those who may give them on, and never in what happened.
extension ListLines {
  /// Returns the codes in the order of `/codes`.
  static func inOrder(_ codes: [CodeLine]) -> [CodeLine] {
    codes.sorted {
      ($0.invitation.made.at, $0.invitation.id) < ($1.invitation.made.at, $1.invitation.id)
    }
  }

  /// The lines of `/codes`.
  static func codes(_ codes: [CodeLine], of place: ListOrGroup, _ clock: Clock) -> [Line] {
    guard !codes.isEmpty else {
      return [Line("no code lets anybody into \(place.label): /invite code makes one", .dim)]
    }
    return inOrder(codes).enumerated().flatMap { index, line in
      let it = line.invitation
      let head = Line("\(pad("\(index + 1)", 3, right: true))  ", .dim, hang: 5)
      return [
        head.and("\(line.code)"),
        Line("     ", hang: 5).and(
          "as \(it.role.word), \(it.uses - it.used) of \(it.uses) left, until \(clock.moment(it.endsAt))",
          .dim),
      ]
    }
  }

  /// The lines for a code that was just made.
  static func made(_ code: String?, for uses: Int, _ place: ListOrGroup) -> [Line] {
    guard let code else { return [] }
    let whom: Phrase = uses == 1 ? "one person" : "\(uses) people"
    return [
      Line("\(code)", .strong, hang: 2),
      Line("  /join and this lets \(whom) into \(place.label); /codes shows it", .dim, hang: 2),
    ]
  }
}
