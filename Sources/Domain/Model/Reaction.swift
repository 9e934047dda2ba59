// A reaction is a sign, such as 👏, that a member gives to what somebody completed (protocol §5.19). The reactions to
// one event are one object of its stream. They change nothing that they are about, and no score counts them.

/// The sign of one person.
package struct Reaction: Equatable, Sendable {
  package let user: UserID
  /// One grapheme, of at most `Limits.reactionScalarsMax` scalars.
  package let sign: String

  package init(user: UserID, sign: String) {
    self.user = user
    self.sign = sign
  }
}

/// The reactions to one event of a stream. There is at least one.
package struct Reactions: Equatable, Sendable {
  /// The number of the event that they are given to.
  package let event: Int64
  package let work: CompletedWork
  /// The reactions in the order in which they were given, each person once. Some may be of people who are no members
  /// any more.
  package let given: [Reaction]
  /// The event that changed them last.
  package let seq: Int64

  package init(to event: Int64, _ work: CompletedWork, _ given: [Reaction], seq: Int64) {
    self.event = event
    self.work = work
    self.given = given
    self.seq = seq
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

extension Event {
  /// The work that the event completes first: a post, an occurrence, a part or a step. Nil when it completes nothing.
  package var completion: CompletedWork? {
    for op in ops {
      switch op {
      case .post(.completed(let post, _, let stamp, _)),
        .post(.marked(let post, _, .submitted(let stamp))):
        return CompletedWork(post: post, by: stamp.by)
      case .post(.occurred(let post, _, let news, _)):
        guard case .completed(let stamp) = news.reason else { continue }
        return CompletedWork(post: post, by: stamp.by)
      case .post(.marked(let post, _, .partCompleted(let user))):
        return CompletedWork(post: post, by: user)
      case .post(.step(let post, _, .completed(_, let finish))):
        return CompletedWork(post: post, by: finish.by)
      default: continue
      }
    }
    return nil
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
