// Lines about whose work a post is. Work that one event takes from one person and gives to another has one line.

import Client
import Domain
import Screen

extension EventLines {
  func assigned(
    _ id: PostID, to user: UserID, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line {
    let (name, place) = (situation.name(of: user, in: stream), situation.label(stream))
    let givers = applied.event.ops.marks(of: id).compactMap { mark in
      if case .unassigned(let giver) = mark { situation.name(of: giver, in: stream) } else { nil }
    }
    let instead = givers.isEmpty ? "" : " instead of \(givers.joined(separator: ", "))"
    return who.line(
      "→", .accent, "\(title(of: id, applied)) is for \(name)\(instead) (in \(place))")
  }

  /// Returns nil for a post that the same event gave to somebody else.
  func unassigned(
    _ id: PostID, from user: UserID, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    let isGiven = applied.event.ops.marks(of: id).contains { mark in
      if case .assigned = mark { true } else { false }
    }
    guard !isGiven else { return nil }
    let (name, place) = (situation.name(of: user, in: stream), situation.label(stream))
    return who.line(
      "→", .accent, "\(title(of: id, applied)) is not for \(name) any more (in \(place))")
  }
}

extension [Op] {
  fileprivate func marks(of id: PostID) -> [PostMark] {
    compactMap { op in
      if case .post(.marked(id, version: _, let mark)) = op { mark } else { nil }
    }
  }
}
