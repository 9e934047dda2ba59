// Says what an event means to a person (DESIGN §8). The server runs this one rule for queries, and clients run it for
// events that arrive, so both always say the same.
// - Directed notifications come from the person's `u:`. Somebody else has invited them, ended a membership, given them
//   another role, or made a post their work. A group speaks for its categories.
// - A reaction to their work or to what they said comes from the stream in which that was, and is directed too.
// - A line of talk is told once: to whom it names, to whom it answers, as a comment, or as something said.
// - Progress comes from `c:` and `g:`: everything that brings work on, and the people and lists that come and go. A
//   person who came into a category with a group is told once, in the group.
// - A person gets no notification of what they did themselves, and none of events up to the one that let them in.

/// Returns the notifications of an event for this viewer, in the order of its ops.
package func notify(_ event: Event, in stream: StreamID, viewer: Viewer) -> [Notification] {
  guard event.by != viewer.user, event.seq > viewer.joinedSeq else { return [] }
  return event.ops.indices.compactMap { index in
    event.ops[index].family?.meaning(in: event, of: stream, to: viewer.user).map { meaning in
      Notification(
        kind: meaning.kind, stream: stream, seq: event.seq, opIndex: index, at: event.at,
        by: event.by, about: meaning.about ?? stream, post: meaning.post, user: meaning.user,
        sign: meaning.sign, line: meaning.line)
    }
  }
}

extension Event {
  /// Answers whether a new member is told. Members that a new category or group begins with are not told, and neither
  /// are those who came into a category with a group.
  func tellsJoining(of member: Member, in stream: StreamID) -> Bool {
    guard seq > 1 else { return false }
    switch stream {
    case .category: return member.grants.direct != nil
    case .group: return true
    case .user: return false
    }
  }
}
