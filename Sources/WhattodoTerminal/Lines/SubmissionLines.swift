// Lines about work that waits for an admin (protocol §3.6, `confirm`).

import Domain
import Screen
import Wire

extension PostChips {
  /// Returns `  ? @editor says done`.
  static func submission(_ post: Post, in list: Category, _ situation: Situation) -> Line {
    guard let submitted = post.submitted else { return Line() }
    let name = situation.name(of: submitted.by, in: .category(list.id))
    return Line("  ? \(name) \(name == "you" ? "say" : "says") done", .warn)
  }
}

extension EventLines {
  func submitted(_ title: String, _ mark: PostMark, _ who: Who, _ place: String) -> Line {
    if case .submitted = mark {
      return who.line("?", .accent, "\(title): done, if an admin confirms it (in \(place))")
    }
    return who.line("↺", .accent, "\(title) is not done yet (in \(place))")
  }
}

extension Situation {
  /// Whether the person's completion only submits the post for an admin to confirm.
  func submits(_ post: Post, in list: Category) -> Bool {
    guard post.completed == nil, post.repeats?.confirms == true,
      let role = role(in: .category(list.id))
    else { return false }
    return !Permission.confirms(role)
  }
}

extension JSONWriter {
  /// Writes `"submittedBy"?`.
  mutating func submission(of post: Post, in stream: StreamID, _ situation: Situation) {
    guard let by = post.submitted?.by else { return }
    person("submittedBy", by, situation.streams[stream]?.member(by)?.username ?? "")
  }
}
