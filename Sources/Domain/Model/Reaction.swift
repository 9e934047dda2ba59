// A reaction is a sign, such as 👏, that a member gives to what somebody completed (protocol §5.19). The reactions to
// one event are one object of its stream. They change nothing that they are about, and no score counts them.

/// The sign of one person.
package struct Reaction: Equatable, Sendable {
  package let user: UserID
  /// One grapheme, of at most `Limits.reactionScalarsMax` scalars.
  package let sign: String
  /// The post that was completed, or of which something was.
  package let post: PostID

  package init(user: UserID, sign: String, post: PostID) {
    self.user = user
    self.sign = sign
    self.post = post
  }
}

/// The reactions to one event of a stream. There is at least one.
package struct Reactions: Equatable, Sendable {
  /// The number of the event that they are given to.
  package let event: Int64
  /// The reactions in the order in which they were given, each person once. Some may be of people who are no members
  /// any more.
  package let given: [Reaction]

  package init(to event: Int64, _ given: [Reaction]) {
    self.event = event
    self.given = given
  }

  package var key: ObjectKey { Reactions.key(of: event) }

  /// Returns the key of the reactions to an event. Its id is the event's number and zeros: an older client finds every
  /// kind of object by an id (protocol §6).
  package static func key(of event: Int64) -> ObjectKey {
    ObjectKey(kind: .reactions, id: UUID(high: UInt64(bitPattern: event), low: 0))
  }

  package func sign(of user: UserID) -> String? { given.first { $0.user == user }?.sign }

  /// The different signs with the people who gave each. The sign that was given first comes first, and so do people.
  package var bySign: [(sign: String, users: [UserID])] {
    var all: [(sign: String, users: [UserID])] = []
    for it in given {
      if let place = all.firstIndex(where: { $0.sign == it.sign }) {
        all[place].users.append(it.user)
      } else {
        all.append((it.sign, [it.user]))
      }
    }
    return all
  }
}

/// The work that a reaction is about.
package struct CompletedWork: Equatable, Sendable {
  package let post: PostID
  /// The person or bot who did it.
  package let by: UserID

  package init(post: PostID, by: UserID) {
    self.post = post
    self.by = by
  }
}

extension Event {
  /// The work that the event completes, in the order of its ops: posts, occurrences, parts and steps.
  package var completions: [CompletedWork] { ops.compactMap(\.completion) }
}

extension Op {
  /// The work that the op completes. Nil for a step that the completion of its post finishes: the post tells of it, and
  /// of who did it.
  fileprivate var completion: CompletedWork? {
    guard case .post(let op) = self else { return nil }
    switch op {
    case .completed(let post, _, let stamp, _), .marked(let post, _, .submitted(let stamp)):
      return CompletedWork(post: post, by: stamp.by)
    case .occurred(let post, _, let news, _):
      guard case .completed(let stamp) = news.reason else { return nil }
      return CompletedWork(post: post, by: stamp.by)
    case .marked(let post, _, .partCompleted(let user)):
      return CompletedWork(post: post, by: user)
    case .step(let post, _, .completed(_, let finish)):
      return finish.withPost ? nil : CompletedWork(post: post, by: finish.by)
    case .added, .edited, .reopened, .removed, .restored, .erased, .purged, .marked, .overdue,
      .moved, .movedOut, .movedIn, .imported, .step, .claim, .run, .contest:
      return nil
    }
  }
}
