// Counts what happened in a list on one day (protocol §8, digest.get). It follows the rule by which people are told of
// events (`notify`), but for everybody's events: a reader's own are told apart afterwards.

/// The numbers of different posts to which something happened. Each occurrence of a post that comes again counts for
/// itself.
package struct DigestCounts: Equatable, Sendable {
  package var added = 0
  package var completed = 0
  package var reopened = 0
  package var removed = 0

  package init(added: Int = 0, completed: Int = 0, reopened: Int = 0, removed: Int = 0) {
    self.added = added
    self.completed = completed
    self.reopened = reopened
    self.removed = removed
  }

  package var isEmpty: Bool { self == DigestCounts() }

  fileprivate mutating func count(_ kind: Notification.Kind) {
    switch kind {
    case .added: added += 1
    case .completed: completed += 1
    case .reopened: reopened += 1
    case .removed: removed += 1
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .planned, .snoozed, .dueSoon,
      .overdue, .digest, .webhookPaused, .submitted, .restored, .stepCompleted, .partCompleted,
      .reached, .claimed, .released, .reacted, .mentioned, .answered, .commented, .said, .joined,
      .left,
      .categoryAdded, .runOk, .runFailed, .runCancelled, .runLost, .runRecovered:
      break
    }
  }
}

/// Counts one list's events of a day, in any order.
package struct DigestTally: Equatable, Sendable {
  /// The counts of each person. It counts for the person who did it, not for the author of the event: a person who
  /// confirms another's submission has not completed the post.
  package private(set) var people: [UserID: DigestCounts] = [:]
  /// The counts of everybody together, with what the system did.
  package private(set) var total = DigestCounts()
  private var seen: Set<Doing> = []

  package init() {}

  package mutating func add(_ event: Event, in stream: StreamID) {
    // This viewer is nobody, so no event is left out.
    let nobody = Viewer(user: .system, joinedSeq: 0)
    for it in notify(event, in: stream, viewer: nobody) {
      guard let post = it.post else { continue }
      let op = event.ops[it.opIndex]
      let doer = op.doer ?? event.by
      if isNew(Doing(kind: it.kind, post: post, occurrence: op.endedOccurrence, by: nil)) {
        total.count(it.kind)
      }
      guard let doer else { continue }
      if isNew(Doing(kind: it.kind, post: post, occurrence: op.endedOccurrence, by: doer)) {
        people[doer, default: DigestCounts()].count(it.kind)
      }
    }
  }

  private mutating func isNew(_ doing: Doing) -> Bool { seen.insert(doing).inserted }

  private struct Doing: Hashable {
    let kind: Notification.Kind
    let post: PostID
    let occurrence: Int?
    /// The person who did it. Nil when anybody counts.
    let by: UserID?
  }
}

extension Op {
  /// The person who completed the post, when that may be another than the author of the event.
  fileprivate var doer: UserID? {
    switch self {
    case .post(.completed(_, _, let stamp, _)): stamp.by
    case .post(.occurred(_, _, let news, _)): news.reason.stamp.by
    default: nil
    }
  }

  fileprivate var endedOccurrence: Int? {
    if case .post(.occurred(_, _, let news, _)) = self { news.over } else { nil }
  }
}
