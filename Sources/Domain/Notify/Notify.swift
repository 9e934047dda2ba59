// Says what an event means to a person (DESIGN §8). The server runs this one rule for queries, and clients run it for
// events that arrive, so both always say the same.
// - Directed notifications come from the person's `u:`. Somebody else has invited them, ended a membership, given them
//   another role, or made a post their work. A group speaks for its categories.
// - Progress comes from `c:` and `g:`: added, completed, submitted, reopened, removed, restored, joined. A person who
//   came into a category with a group is told once, in the group.
// - A person gets no notification of what they did themselves, and none of events up to the one that let them in.

/// Returns the notifications of an event for this viewer, in the order of its ops.
package func notify(_ event: Event, in stream: StreamID, viewer: Viewer) -> [Notification] {
  guard event.by != viewer.user, event.seq > viewer.joinedSeq else { return [] }
  return event.ops.indices.compactMap { index in
    event.meaning(of: event.ops[index], in: stream, to: viewer.user).map { meaning in
      Notification(
        kind: meaning.kind, stream: stream, seq: event.seq, opIndex: index, at: event.at,
        by: event.by, about: meaning.about ?? stream, post: meaning.post, user: meaning.user)
    }
  }
}

/// The meaning of one op, without the place where it is written.
private struct Meaning {
  let kind: Notification.Kind
  var about: StreamID?
  var post: PostID?
  var user: UserID?
}

extension Event {
  fileprivate func meaning(of op: Op, in stream: StreamID, to viewer: UserID) -> Meaning? {
    switch op {
    case .post(.added(let post, _)): Meaning(kind: .added, post: post.id)
    case .post(.completed(let id, _, _, _)): Meaning(kind: .completed, post: id)
    case .post(.occurred(let id, _, let news, _)):
      if case .completed = news.reason { Meaning(kind: .completed, post: id) } else { nil }
    case .post(.marked(let id, _, .submitted)): Meaning(kind: .submitted, post: id)
    case .post(.reopened(let post, _)): Meaning(kind: .reopened, post: post.id)
    case .post(.removed(let id, _, _, _)): Meaning(kind: .removed, post: id)
    case .post(.restored(let post, _)): Meaning(kind: .restored, post: post.id)
    case .member(.added(let member)):
      tellsJoining(of: member, in: stream) ? Meaning(kind: .joined, user: member.id) : nil
    case .invitation(.sent(let invitation)):
      stream == .user(viewer) && invitation.user == viewer
        ? Meaning(kind: .invited, about: invitation.stream) : nil
    case .membership(.removed(let left, .removed)):
      stream == .user(viewer) && tellsRemoval(from: left)
        ? Meaning(kind: .removedFrom, about: left) : nil
    case .membership(.roleChanged(let membership)):
      stream == .user(viewer)
        ? Meaning(kind: .roleChanged, about: membership.stream) : nil
    case .assignmentAdded(let place, let post):
      stream == .user(viewer) ? Meaning(kind: .assigned, about: place, post: post) : nil
    case .personal(.fired(let it)):
      stream == .user(viewer)
        ? Meaning(
          kind: it.kind.notification, about: it.address.stream, post: it.address.post) : nil
    case .personal(.digestReady): stream == .user(viewer) ? Meaning(kind: .digest) : nil
    case .category, .post(.edited), .post(.erased), .post(.purged), .post(.marked), .post(.overdue),
      .post(.moved), .post(.movedOut), .post(.movedIn), .post(.imported), .step, .tag, .claim,
      .group, .member, .code, .person, .invitation, .link, .account, .membership, .readMarked,
      .declinesCounted, .block, .filter, .personal, .unknown:
      nil
    }
  }

  /// Answers whether a new member is told. Members that a new category or group begins with are not told, and neither
  /// are those who came into a category with a group.
  private func tellsJoining(of member: Member, in stream: StreamID) -> Bool {
    guard seq > 1 else { return false }
    switch stream {
    case .category: return member.grants.direct != nil
    case .group: return true
    case .user: return false
    }
  }
}
