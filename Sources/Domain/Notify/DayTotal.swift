/// Own progress as a line for oneself ("5 of 8 today").
///
/// `of`: how many different posts I added or completed since the start of my day, without those that
/// are removed now. `done`: how many of them are completed now, by whomever. Each occurrence of a post that comes again
/// that was completed counts for itself, as long as nobody takes that back.
package struct DayTotal: Equatable, Sendable {
  package let done: Int
  package let of: Int

  package init(done: Int, of: Int) {
    self.done = done
    self.of = of
  }
}

/// Counts a `DayTotal` from the events of the categories that I see: each stream's newest first, the
/// streams in any order. So what is seen first of a post is what became of it. Only events since the start of the day
/// count, and they suffice: a post of mine was added or completed in one of them, and what became of it is in later
/// ones.
package struct DayTally: Equatable, Sendable {
  package let user: UserID
  /// Midnight in the user's zone.
  package let start: Timestamp
  private var posts: [PostKey: Progress] = [:]
  /// The lowest occurrence at which a post stood after what is still to be read.
  private var back: [PostKey: Int] = [:]

  package init(user: UserID, start: Timestamp) {
    self.user = user
    self.start = start
  }

  package var total: DayTotal {
    let present = posts.values.filter { $0.removed != true && $0.mine }
    return DayTotal(done: present.count { $0.done == true }, of: present.count)
  }

  package mutating func add(_ event: Event, in stream: StreamID) {
    guard event.at >= start else { return }
    let mine = event.by == user
    for op in event.ops.reversed() {
      switch op {
      case .postAdded(let post, _):
        change(post.id, in: stream) { $0.mine = $0.mine || mine }
      // By whoever did it, also when somebody else has confirmed it.
      case .postCompleted(let id, _, let stamp, _):
        let isMine = stamp.by == user && isOfToday(stamp, in: event)
        change(id, in: stream) {
          $0.mine = $0.mine || isMine
          $0.done = $0.done ?? true
        }
      case .postOccurred(let id, _, let news, _):
        guard case .completed(let stamp) = news.reason else { break }
        // The last part of one that is for each counts as such.
        let isMine =
          stamp.by == user && isOfToday(stamp, in: event) && !event.completesPart(of: user)
        complete(news.over, of: id, in: stream, isMine: isMine)
      case .postMarked(let id, _, let mark): count(mark, of: id, in: stream)
      case .postReopened(let post, _):
        change(post.id, in: stream) { $0.done = $0.done ?? false }
        stands(post, in: stream)
      case .postRemoved(let id, _, _, _): change(id, in: stream) { $0.removed = $0.removed ?? true }
      case .postRestored(let post, _):
        stands(post, in: stream)
        change(post.id, in: stream) {
          $0.done = $0.done ?? (post.completed != nil)
          $0.removed = $0.removed ?? false
        }
      case .postMovedOut(let id, _, _, _):
        change(id, in: stream) { $0.removed = $0.removed ?? true }
      case .postMovedIn(let post, _):
        let isMine = isOfToday(post)
        change(post.id, in: stream) {
          $0.mine = $0.mine || isMine
          $0.done = $0.done ?? (post.completed != nil)
          $0.removed = $0.removed ?? false
        }
      case .categoryAdded, .categoryEdited, .categoryRemoved, .categoryRestored, .postEdited,
        .categoryArchived, .categoryUnarchived,
        .filterSaved, .filterRemoved, .claim,
        .postErased, .postPurged, .step, .postOverdue, .tag, .groupAdded, .groupEdited, .postMoved,
        .postImported, .groupRemoved, .groupRestored, .groupCategoryAdded, .memberAdded,
        .memberUpdated, .memberGranted, .memberRemoved, .invitationSent, .invitationAccepted,
        .invitationDeclined,
        .invitationExpired, .invitationHeldBack, .personBlocked, .personUnblocked, .declinesCounted,
        .personal,
        .invitationRevoked, .codeMade, .codeUsed, .codeEnded, .accountRegistered, .profileEdited,
        .membershipAdded, .membershipGranted, .roleChanged, .membershipRemoved, .membershipMoved,
        .readMarked, .assignmentAdded, .accountEnding, .accountKept, .personForgotten, .upgraded,
        .link, .unknown:
        break
      }
    }
  }

  /// Neither this time nor a later one was over then.
  private mutating func stands(_ post: Post, in stream: StreamID) {
    guard let number = post.occurrence?.number else { return }
    let key = PostKey(stream: stream, id: post.id, occurrence: nil)
    back[key] = min(back[key] ?? number, number)
    if post.completed == nil { change(post.id, occurrence: number, in: stream) { $0.takeBack() } }
  }

  /// Unless it was taken back since, of which more is known: the log is read back from its end.
  private mutating func complete(
    _ occurrence: Int, of id: PostID, in stream: StreamID, isMine: Bool
  ) {
    let lowest = back[PostKey(stream: stream, id: id, occurrence: nil)]
    change(id, occurrence: occurrence, in: stream) {
      if let lowest, lowest <= occurrence { $0.takeBack() }
      $0.mine = $0.mine || isMine
      $0.done = $0.done ?? true
    }
  }

  /// One's own part of a post that is for each.
  private mutating func count(_ mark: PostMark, of id: PostID, in stream: StreamID) {
    switch mark {
    case .partCompleted(user):
      change(id, in: stream) {
        $0.mine = true
        $0.done = $0.done ?? true
      }
    case .partReopened(user): change(id, in: stream) { $0.done = $0.done ?? false }
    case .partCompleted, .partReopened, .tagged, .untagged, .assigned, .unassigned, .submitted,
      .returned:
      break
    }
  }

  /// What an undo does again was done when it was.
  private func isOfToday(_ stamp: Stamp, in event: Event) -> Bool {
    event.undoes.isEmpty || stamp.at >= start
  }

  /// What was done with it where it was before.
  private func isOfToday(_ post: Post) -> Bool {
    if post.addedBy == user, post.createdAt >= start { return true }
    return post.completed.map { $0.by == user && $0.at >= start } ?? false
  }

  private mutating func change(
    _ id: PostID, occurrence: Int? = nil, in stream: StreamID, _ change: (inout Progress) -> Void
  ) {
    let key = PostKey(stream: stream, id: id, occurrence: occurrence)
    change(&posts[key, default: Progress()])
  }

  /// Ids of posts are unique within their category only.
  private struct PostKey: Hashable {
    let stream: StreamID
    let id: PostID
    /// One that is over; nil for the post itself.
    let occurrence: Int?
  }

  private struct Progress: Equatable {
    /// Added or completed by the user since the start of the day.
    var mine = false
    /// Nil while nothing was seen that says so.
    var done: Bool?
    var removed: Bool?

    /// Unless it was completed again.
    mutating func takeBack() {
      if done == nil { (done, removed) = (false, true) }
    }
  }
}

extension Event {
  fileprivate func completesPart(of user: UserID) -> Bool {
    ops.contains { op in
      if case .postMarked(_, _, .partCompleted(user)) = op { true } else { false }
    }
  }
}
