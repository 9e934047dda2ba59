import Domain
import Screen
import Wire

// Who may ask one to share something.
extension ListLines {
  /// `/block`
  static func blocks(_ situation: Situation) -> [Line] {
    let blocks = situation.ownStream?.blocks ?? []
    guard !blocks.isEmpty else { return [Line("nobody is blocked: /block PERSON does it", .dim)] }
    return blocks.map {
      Line("  @\($0.username)", .strong).and("  since \(situation.clock.day($0.at))", .dim)
    }
  }
}

extension ListLines {
  /// `/privacy`
  static func about(_ about: ServerAbout) -> [Line] {
    let server = Line("\(about.server.name) \(about.server.version)", .dim)
    guard let privacy = about.privacy else {
      return [server, Line("its operator says nothing of what becomes of your data", .dim)]
    }
    return [server]
      + privacy.split(separator: "\n", omittingEmptySubsequences: false).map {
        Line("\(String($0))")
      }
  }
}

extension InvitedBy {
  /// As `/me` says it.
  var words: String {
    switch self {
    case .anybody: "anybody"
    case .shared: "people in your lists and groups"
    case .nobody: "nobody"
    }
  }
}
