/// A person's own progress, shown to them as one line ("5 of 8 today").
///
/// `of` is the number of different posts that the person added or completed since the start of their day and that are
/// not removed now. `done` is the number of these that are completed now, by anybody. Each completed occurrence of a
/// post that comes again counts for itself, as long as nobody takes it back.
package struct DayTotal: Equatable, Sendable {
  package let done: Int
  package let of: Int

  package init(done: Int, of: Int) {
    self.done = done
    self.of = of
  }
}

/// Counts a `DayTotal` from the events of the categories that the person sees: the newest of each stream first, the
/// streams in any order. So the first event that names a post says what became of it. Only events since the start of
/// the day count. They suffice: each counted post was added or completed in one of them, and later events say what
/// became of it.
package struct DayTally: Equatable, Sendable {
  package let user: UserID
  /// The last midnight in the person's zone.
  package let start: Timestamp
  private var posts: [PostKey: Progress] = [:]
  /// The lowest number that an occurrence of a post went back to in an event that was read already.
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
    for case .post(let op) in event.ops.reversed() {
      switch op {
      case .added(let post, _):
        change(post.id, in: stream) { $0.mine = $0.mine || mine }
      // It counts for the person who completed it, also when another one has confirmed it.
      case .completed(let id, _, let stamp, _):
        let isMine = stamp.by == user && isOfToday(stamp, in: event)
        change(id, in: stream) {
          $0.mine = $0.mine || isMine
          $0.done = $0.done ?? true
        }
      case .occurred(let id, _, let news, _):
        guard case .completed(let stamp) = news.reason else { break }
        // An occurrence of a post that is for each counts by its parts: completing the last part is not counted again.
        let isMine =
          stamp.by == user && isOfToday(stamp, in: event) && !event.completesPart(of: user)
        complete(news.over, of: id, in: stream, isMine: isMine)
      case .marked(let id, _, let mark): count(mark, of: id, in: stream)
      case .reopened(let post, _):
        change(post.id, in: stream) { $0.done = $0.done ?? false }
        stands(post, in: stream)
      case .removed(let id, _, _, _):
        change(id, in: stream) { $0.removed = $0.removed ?? true }
      case .restored(let post, _):
        stands(post, in: stream)
        change(post.id, in: stream) {
          $0.done = $0.done ?? (post.completed != nil)
          $0.removed = $0.removed ?? false
        }
      case .movedOut(let id, _, _, _):
        change(id, in: stream) { $0.removed = $0.removed ?? true }
      case .movedIn(let post, _):
        let isMine = isOfToday(post)
        change(post.id, in: stream) {
          $0.mine = $0.mine || isMine
          $0.done = $0.done ?? (post.completed != nil)
          $0.removed = $0.removed ?? false
        }
      case .edited, .erased, .purged, .overdue, .moved, .imported, .step, .claim, .run, .contest:
        break
      }
    }
  }

  /// Notes that the post went back to this occurrence: at that moment neither this one nor a later one was over.
  private mutating func stands(_ post: Post, in stream: StreamID) {
    guard let number = post.occurrence?.number else { return }
    let key = PostKey(stream: stream, id: post.id, occurrence: nil)
    back[key] = min(back[key] ?? number, number)
    if post.completed == nil { change(post.id, occurrence: number, in: stream) { $0.takeBack() } }
  }

  /// Counts a completed occurrence, unless a later event took it back. The log is read from its end, so such an event
  /// was read before.
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

  /// Counts the person's own part of a post that is for each.
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

  /// Whether the completion is from today. An undo repeats a completion with its old time, so that time decides.
  private func isOfToday(_ stamp: Stamp, in event: Event) -> Bool {
    event.undoes.isEmpty || stamp.at >= start
  }

  /// Whether the person added or completed the post today, in this list or in the one that it came from.
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

  /// The key of a post. Ids of posts are unique within their category only.
  private struct PostKey: Hashable {
    let stream: StreamID
    let id: PostID
    /// The number of an occurrence that is over. Nil for the post itself.
    let occurrence: Int?
  }

  private struct Progress: Equatable {
    /// Whether the user added or completed it since the start of the day.
    var mine = false
    /// Whether it is completed now. Nil while no event has told.
    var done: Bool?
    var removed: Bool?

    /// Marks the occurrence as taken back, unless it was completed again later.
    mutating func takeBack() {
      if done == nil { (done, removed) = (false, true) }
    }
  }
}

extension Event {
  fileprivate func completesPart(of user: UserID) -> Bool {
    ops.contains { op in
      if case .post(.marked(_, _, .partCompleted(user))) = op { true } else { false }
    }
  }
}
