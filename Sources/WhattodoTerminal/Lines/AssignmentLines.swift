// Lines about whose work a post is. Work that one event takes from one person and gives to another has one line.

import Client
import Domain
import Screen

extension EventLines {
  func assigned(
    _ id: PostID, to user: UserID, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line {
    let (name, place) = (situation.name(of: user, in: stream), situation.label(stream))
    let givers = givers(of: id, applied, in: stream).map { situation.name(of: $0, in: stream) }
    let instead = givers.isEmpty ? "" : " instead of \(givers.joined(separator: ", "))"
    return who.line(
      "→", .accent, "\(title(of: id, applied)) is for \(name)\(instead) (in \(place))")
  }

  /// Returns nil for a person whose work the same event gave to another.
  func unassigned(
    _ id: PostID, from user: UserID, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    guard !givers(of: id, applied, in: stream).contains(user) else { return nil }
    let (name, place) = (situation.name(of: user, in: stream), situation.label(stream))
    return who.line(
      "→", .accent, "\(title(of: id, applied)) is not for \(name) any more (in \(place))")
  }

  /// Returns the people whose work the event gave to one other person. Those who left had no work to give: their entry
  /// only made room.
  private func givers(
    of id: PostID, _ applied: AppliedEvent, in stream: StreamID
  ) -> [UserID] {
    let marks = applied.event.ops.marks(of: id)
    let takers = marks.count { if case .assigned = $0 { true } else { false } }
    guard takers == 1 else { return [] }
    return marks.compactMap { mark in
      guard case .unassigned(let giver) = mark,
        situation.streams[stream]?.member(giver)?.role != nil
      else { return nil }
      return giver
    }
  }
}

extension [Op] {
  fileprivate func marks(of id: PostID) -> [PostMark] {
    compactMap { op in
      if case .post(.marked(id, version: _, let mark)) = op { mark } else { nil }
    }
  }
}
