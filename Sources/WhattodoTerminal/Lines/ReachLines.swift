import Domain
import Screen
import Wire

// Lines about the people who may not invite one.
extension ListLines {
  /// The lines of `/block`.
  static func blocks(_ situation: Situation) -> [Line] {
    let blocks = situation.ownStream?.blocks ?? []
    guard !blocks.isEmpty else { return [Line("nobody is blocked: /block PERSON does it", .dim)] }
    return blocks.map {
      Line("  @\($0.username)", .strong).and("  since \(situation.clock.day($0.at))", .dim)
    }
  }
}

extension ListLines {
  /// The lines of `/about`.
  static func about(_ about: ServerAbout) -> [Line] {
    let door = about.registrationIsOpen ? "everybody may register" : "who registers needs a code"
    let guests = about.takesGuests ? ", guests are welcome" : ""
    let talk = about.hasTalk ? "" : ", nobody talks"
    let bin = about.removedDays.map { "for \($0) \($0 == 1 ? "day" : "days")" } ?? "for ever"
    let server = [
      Line("\(about.server.name) \(about.server.version): \(door)\(guests)\(talk)", .dim),
      Line("what is removed is kept \(bin), for /restore", .dim),
    ]
    guard let privacy = about.privacy else {
      return server + [Line("its operator says nothing of what becomes of your data", .dim)]
    }
    return server
      + privacy.split(separator: "\n", omittingEmptySubsequences: false).map {
        Line("\(String($0))")
      }
  }
}

extension InvitedBy {
  /// The words that `/me` shows.
  var words: String {
    switch self {
    case .anybody: "anybody"
    case .shared: "people in your lists and groups"
    case .nobody: "nobody"
    }
  }
}
