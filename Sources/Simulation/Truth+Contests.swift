// Checks of races and coops, from the ops of the log alone and apart from the code that applies them. The amounts, the
// claims of steps and the order of the finishes are those of the ops. A goal that is reached ends the part or the post
// in the same event. A step has one person at a time. A place stays as long as nobody takes a finish back.

import Domain

/// The contests of a list as its log has them.
struct ContestsSeen {
  private var posts: [PostID: SeenContest] = [:]

  /// Takes an event of a list, with the states before and after it. Returns a sentence when a contest is not as it must
  /// be.
  mutating func add(
    _ event: Event, _ before: StreamState, _ after: StreamState, _ tally: inout Tally
  ) -> String? {
    let touched = Set(event.ops.compactMap(\.postID))
    let earlier = posts.filter { touched.contains($0.key) }
    for case .post(let op) in event.ops {
      if case .contest(let id, let change) = op,
        let breach = misclaimed(change, of: id, by: event, before, after, &tally)
      {
        return "P12 \(id) at \(event.seq): \(breach)"
      }
      read(op, event)
    }
    for id in touched.sorted() {
      guard let post = after.contest(id), var seen = posts[id] else { continue }
      // Beside the repetition, an op does not say what was in the occurrence that comes back.
      if event.setsRepetition(of: id) { seen = SeenContest(post) }
      posts[id] = seen
      guard post.contest != nil || earlier[id]?.kind != nil else { continue }
      tally.count(.p6Contest)
      guard seen.isShown(by: post) else {
        return "P6 \(id) at \(event.seq) has other amounts, claims or finishes than its log"
      }
      if let breach = unended(seen, earlier[id], of: post, by: event, after, &tally) {
        return "P12 \(id) at \(event.seq): \(breach)"
      }
    }
    return movedPlace(event, touched, after, earlier, &tally)
  }

  private mutating func read(_ op: PostOp, _ event: Event) {
    switch op {
    case .added(let post, _), .restored(let post, _), .reopened(let post, _),
      .movedIn(let post, _):
      let places = posts[post.id]?.places ?? [:]
      posts[post.id] = SeenContest(post)
      if case .reopened = op { posts[post.id]?.places = places }
    case .removed, .movedOut, .purged: posts[op.post] = nil
    case .edited(let id, _, let edit): posts[id]?.read(edit)
    case .marked(let id, _, .partCompleted(let user)): posts[id]?.finish(user, event.seq)
    case .marked(let id, _, .partReopened(let user)): posts[id]?.reopen(user)
    case .occurred(let id, _, _, _): posts[id]?.beginAnew()
    case .contest(let id, let change): posts[id]?.read(change, event.seq)
    case .step(let id, _, .removed(let step)): posts[id]?.shares[step] = nil
    case .step(let id, _, .set(let steps)): posts[id]?.keepShares(of: Set(steps.map(\.id)))
    case .completed, .erased, .marked, .overdue, .moved, .imported, .step, .claim, .run: break
    }
  }

  /// Returns a sentence when a step is claimed by two, or given back by a doer who has not claimed it.
  private func misclaimed(
    _ op: ContestOp, of id: PostID, by event: Event, _ before: StreamState, _ after: StreamState,
    _ tally: inout Tally
  ) -> String? {
    guard event.undoes.isEmpty else { return nil }
    switch op {
    case .claimed(let step, let user):
      tally.count(.p12StepClaimed)
      guard user == event.by else { return "\(step) is claimed for somebody else" }
      guard let share = posts[id]?.shares[step], share.user != user else { return nil }
      return after.mayWork(share.user, since: share.seq) ? "\(step) is claimed by two" : nil
    case .released(let step):
      guard let share = posts[id]?.shares[step] else { return "\(step) is given back by nobody" }
      guard let by = event.by, share.user != by, after.mayWork(share.user, since: share.seq)
      else { return nil }
      let roles = [before.role(of: by), after.role(of: by)].compactMap(\.self)
      return roles.contains { $0 > .doer } ? nil : "a doer gives back \(step) of somebody else"
    case .joined(let user), .withdrew(let user):
      return user == event.by ? nil : "\(user) is in or out by somebody else"
    case .reached: return nil
    }
  }

  /// Returns a sentence when a goal is reached and nothing ends, or is not and a finish is left.
  private func unended(
    _ seen: SeenContest, _ earlier: SeenContest?, of post: Post, by event: Event,
    _ state: StreamState, _ tally: inout Tally
  ) -> String? {
    guard event.undoes.isEmpty, let goal = seen.goal, let earlier, earlier.goal == goal,
      let user = event.onlyAmount(in: post.id)
    else { return nil }
    switch seen.kind {
    case nil: return nil
    case .race:
      let hasFinished = seen.finishes.contains {
        $0.user == user && state.mayWork(user, since: $0.seq)
      }
      guard seen.amounts[user, default: 0] >= goal else {
        return hasFinished ? "\(user) is below the goal and has finished" : nil
      }
      tally.count(.p12RaceGoal)
      return hasFinished ? nil : "\(user) has reached the goal and has not finished"
    case .coop:
      let isOver = post.completed != nil || post.submitted != nil
      if earlier.total < goal, seen.total >= goal {
        tally.count(.p12CoopGoal)
        return isOver ? nil : "all have reached the goal, and it is open"
      }
      guard earlier.total >= goal, seen.total < goal, post.completed != nil else { return nil }
      return "a correction is below the goal, and it is completed"
    }
  }

  /// Returns a sentence when a finisher has another place than before and no finish was taken back.
  private mutating func movedPlace(
    _ event: Event, _ touched: Set<PostID>, _ state: StreamState,
    _ earlier: [PostID: SeenContest], _ tally: inout Tally
  ) -> String? {
    // Leaving, coming in and another role let finishes count or not.
    let people = event.ops.contains { if case .member = $0 { true } else { false } }
    for id in people ? posts.keys.sorted() : touched.sorted() {
      guard let seen = posts[id], seen.kind == .race, let post = state.contest(id) else { continue }
      let places = post.placesOfFinishers(in: state)
      posts[id]?.places = places
      guard !people, event.undoes.isEmpty, let before = earlier[id], before.kind == .race,
        !event.takesFinishesBack(of: id)
      else { continue }
      for (user, place) in before.places.sorted(by: { $0.key < $1.key }) {
        tally.count(.p12Place)
        guard places[user] == place else {
          return "P12 \(user) was at place \(place) of \(id) before \(event.seq), and is no more"
        }
      }
    }
    return nil
  }
}

/// One contest as its log has it.
private struct SeenContest {
  struct Finish: Equatable {
    let user: UserID
    let seq: Int64
  }

  struct Share: Equatable {
    let user: UserID
    let seq: Int64
  }

  private(set) var kind: Contest?
  private(set) var goal: Int64?
  private(set) var amounts: [UserID: Int64] = [:]
  private(set) var isIn: [UserID: Bool] = [:]
  var shares: [StepID: Share] = [:]
  /// In the order of the log.
  private(set) var finishes: [Finish] = []
  /// The places of the finishers that counted when the last event of the post was over.
  var places: [UserID: Int] = [:]

  init(_ post: Post) {
    kind = post.contest
    goal = post.goal?.amount
    for entry in post.entries {
      if entry.amount > 0 { amounts[entry.user] = entry.amount }
      isIn[entry.user] = entry.isIn
    }
    for share in post.shares { shares[share.step] = Share(user: share.user, seq: share.seq) }
    finishes = post.parts.sorted { ($0.seq, $0.user) < ($1.seq, $1.user) }.map {
      Finish(user: $0.user, seq: $0.seq)
    }
  }

  var total: Int64 { amounts.values.reduce(0, +) }

  mutating func beginAnew() {
    (amounts, isIn, shares, finishes) = ([:], [:], [:], [])
  }

  mutating func read(_ edit: PostEdit) {
    if edit.mode != .keep || edit.contest != .keep {
      beginAnew()
    } else if edit.goal != .keep {
      (amounts, finishes) = ([:], [])
    }
    switch edit.contest {
    case .keep: break
    case .set(let contest): kind = contest
    case .clear: (kind, goal) = (nil, nil)
    }
    switch edit.goal {
    case .keep: break
    case .set(let it): goal = it.amount
    case .clear: goal = nil
    }
  }

  mutating func read(_ op: ContestOp, _ seq: Int64) {
    switch op {
    case .joined(let user): isIn[user] = true
    case .withdrew(let user): isIn[user] = false
    case .reached(let user, let amount, _): amounts[user] = amount > 0 ? amount : nil
    case .claimed(let step, let user): shares[step] = Share(user: user, seq: seq)
    case .released(let step): shares[step] = nil
    }
  }

  mutating func finish(_ user: UserID, _ seq: Int64) {
    reopen(user)
    finishes.append(Finish(user: user, seq: seq))
  }

  mutating func reopen(_ user: UserID) { finishes.removeAll { $0.user == user } }

  mutating func keepShares(of steps: Set<StepID>) {
    shares = shares.filter { steps.contains($0.key) }
  }

  /// Answers whether the post of a state says the same.
  func isShown(by post: Post) -> Bool {
    let other = SeenContest(post)
    let order = finishes.sorted { ($0.seq, $0.user) < ($1.seq, $1.user) }
    return kind == other.kind && goal == other.goal && amounts == other.amounts
      && isIn == other.isIn && order == other.finishes && shares == other.shares
      && total == post.contestTotal
  }
}

extension Op {
  fileprivate var postID: PostID? {
    if case .post(let op) = self { op.post } else { nil }
  }
}

extension Event {
  fileprivate func setsRepetition(of post: PostID) -> Bool {
    ops.contains { op in
      guard case .post(.edited(post, _, let edit)) = op else { return false }
      return edit.repeats != .keep
    }
  }

  /// The person whose amount the event sets, when it sets one and only what follows from that.
  fileprivate func onlyAmount(in post: PostID) -> UserID? {
    var users: [UserID] = []
    for case .post(let op) in ops where op.post == post {
      switch op {
      case .contest(_, .reached(let user, _, _)): users.append(user)
      case .marked(_, _, .partCompleted), .marked(_, _, .partReopened), .completed, .reopened,
        .marked(_, _, .submitted), .marked(_, _, .returned), .step(_, _, .completed):
        continue
      default: return nil
      }
    }
    return users.count == 1 ? users.first : nil
  }

  /// Whether the event takes back a finish of the race, all of them, or the race itself.
  fileprivate func takesFinishesBack(of post: PostID) -> Bool {
    ops.contains { op in
      guard case .post(let op) = op, op.post == post else { return false }
      switch op {
      case .marked(_, _, .partReopened), .occurred, .removed, .movedOut, .movedIn, .restored,
        .purged:
        return true
      case .edited(_, _, let edit):
        return edit.mode != .keep || edit.contest != .keep || edit.goal != .keep
          || edit.repeats != .keep
      default: return false
      }
    }
  }
}

extension StreamState {
  fileprivate func contest(_ post: PostID) -> Post? {
    if case .post(let post)? = object(.post, post.uuid) { post } else { nil }
  }

  fileprivate func role(of user: UserID) -> Role? {
    if case .member(let member)? = object(.member, user.uuid) { member.role } else { nil }
  }

  /// Whether somebody may complete posts, and has come in before this event.
  fileprivate func mayWork(_ user: UserID, since seq: Int64) -> Bool {
    guard case .member(let member)? = object(.member, user.uuid), let role = member.role else {
      return false
    }
    return role >= .doer && member.joinedSeq <= seq
  }
}

extension Post {
  /// The places of those who have finished: one more than all who did so in an earlier event.
  fileprivate func placesOfFinishers(in state: StreamState) -> [UserID: Int] {
    let counted = parts.filter { part in
      guard case .member(let member)? = state.object(.member, part.user.uuid) else { return false }
      return member.role != nil && member.joinedSeq <= part.seq
    }
    return Dictionary(
      uniqueKeysWithValues: counted.map { part in
        (part.user, 1 + counted.filter { $0.seq < part.seq }.count)
      })
  }
}
