import Domain
import Screen

/// The newest thing that somebody did to a post, as far as the copies of one's lists tell: they tell who added,
/// completed and ran a post, and not who edited it.
struct LastDoing {
  enum Deed: Equatable {
    case added
    case completed
    case isRunning
    case ended(RunOutcome, text: String?)
  }

  let at: Timestamp
  let deed: Deed
  let post: Post
  let list: StreamID
}

extension LastDoing {
  /// The order of doings: by time, then by the place of the post, and those of one post as they happen in one batch.
  fileprivate func isBefore(_ other: LastDoing) -> Bool {
    (at, list, post.number, deed.rank) < (other.at, other.list, other.post.number, other.deed.rank)
  }
}

extension LastDoing.Deed {
  fileprivate var rank: Int {
    switch self {
    case .added: 0
    case .completed: 1
    // A run that begins ends the one before.
    case .ended: 2
    case .isRunning: 3
    }
  }
}

extension Situation {
  /// Returns what each of these users did last. Users of whom the copies tell nothing are left out.
  func lastDoings(of users: Set<UserID>) -> [UserID: LastDoing] {
    var last: [UserID: LastDoing] = [:]
    for (stream, state) in streams where stream.category != nil {
      for post in state.posts where post.removed == nil {
        for (user, at, deed) in post.deeds where users.contains(user) {
          let doing = LastDoing(at: at, deed: deed, post: post, list: stream)
          if last[user].map({ $0.isBefore(doing) }) ?? true { last[user] = doing }
        }
      }
    }
    return last
  }
}

extension Post {
  fileprivate var deeds: [(user: UserID, at: Timestamp, deed: LastDoing.Deed)] {
    var deeds: [(user: UserID, at: Timestamp, deed: LastDoing.Deed)] = [
      (addedBy, createdAt, .added)
    ]
    if let completed { deeds.append((completed.by, completed.at, .completed)) }
    if let lastRun {
      deeds.append((lastRun.user, lastRun.endedAt, .ended(lastRun.outcome, text: lastRun.text)))
    }
    if let run { deeds.append((run.user, run.startedAt, .isRunning)) }
    return deeds
  }
}
