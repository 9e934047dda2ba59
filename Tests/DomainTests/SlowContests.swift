import Domain

/// The contests of one list, worked out from its log alone, event by event and in the plainest way. It shares no code
/// with what an op does to a post.
struct SlowContests {
  struct Person {
    var joined: Int64
    var role: Role?
  }

  struct Entry: Equatable {
    var amount: Int64 = 0
    var isIn: Bool?
    var seq: Int64
  }

  struct Finish: Equatable {
    let user: UserID
    let seq: Int64
  }

  struct Contest {
    var kind: Domain.Contest?
    var goal: Int64?
    var role: Role?
    var isFor: [UserID: Int64] = [:]
    var entries: [UserID: Entry] = [:]
    var shares: [StepID: UserID] = [:]
    var finishes: [Finish] = []
    var isOpen = true
  }

  private(set) var people: [UserID: Person] = [:]
  private(set) var posts: [PostID: Contest] = [:]

  mutating func read(_ event: Event) {
    for op in event.ops {
      switch op {
      case .member(let op): read(op)
      case .post(let op): read(op, event.seq)
      default: continue
      }
    }
  }

  /// Takes a post as it is, where the log does not say all by itself.
  mutating func take(_ post: Post) { posts[post.id] = Contest(post) }

  private mutating func read(_ op: MemberOp) {
    switch op {
    case .added(let member):
      people[member.id] = Person(joined: member.joinedSeq, role: member.grants.role)
    case .granted(let user, let grants): people[user]?.role = grants.role
    case .removed(let user, _, _): people[user] = nil
    case .updated: break
    }
  }

  private mutating func read(_ op: PostOp, _ seq: Int64) {
    switch op {
    case .added(let post, _), .restored(let post, _), .reopened(let post, _),
      .movedIn(let post, _):
      take(post)
    case .edited(let id, _, let edit): posts[id]?.read(edit)
    case .marked(let id, _, let mark): posts[id]?.read(mark, seq)
    case .completed(let id, _, _, _): posts[id]?.isOpen = false
    case .removed(let id, _, _, _), .movedOut(let id, _, _, _), .purged(let id, _):
      posts[id] = nil
    case .occurred(let id, _, _, _): posts[id]?.beginAnew()
    case .contest(let id, let op): posts[id]?.read(op, seq)
    case .step(let id, _, .removed(let step)): posts[id]?.shares[step] = nil
    case .step(let id, _, .set(let steps)):
      let left = Set(steps.map(\.id))
      let shares = posts[id]?.shares ?? [:]
      posts[id]?.shares = shares.filter { left.contains($0.key) }
    default: break
    }
  }

  // MARK: Who is in, and where

  func counts(_ user: UserID, since seq: Int64) -> Bool {
    guard let person = people[user], person.role != nil else { return false }
    return person.joined <= seq
  }

  /// Whether a person is in a race.
  func isIn(_ user: UserID, _ post: PostID) -> Bool {
    guard let it = posts[post], let role = people[user]?.role, role >= .doer else { return false }
    if let entry = it.entries[user], let isIn = entry.isIn, counts(user, since: entry.seq) {
      return isIn
    }
    let workers = it.isFor.filter { counts($0.key, since: $0.value) }
    return workers.isEmpty ? it.role == nil || it.role == role : workers[user] != nil
  }

  /// The place of a person: one more than those who finished before, or who are further.
  func place(of user: UserID, among others: [UserID], in post: PostID) -> Int? {
    guard let it = posts[post] else { return nil }
    let finishes = it.finishes.filter { counts($0.user, since: $0.seq) }
    if let own = finishes.first(where: { $0.user == user }) {
      return 1 + finishes.filter { $0.seq < own.seq }.count
    }
    guard it.goal != nil else { return nil }
    let open = others.filter { other in !finishes.contains { $0.user == other } }
    let further = open.filter { amount(of: $0, in: post) > amount(of: user, in: post) }
    return 1 + finishes.count + further.count
  }

  func amount(of user: UserID, in post: PostID) -> Int64 { posts[post]?.entries[user]?.amount ?? 0 }
}

extension SlowContests.Contest {
  fileprivate init(_ post: Post) {
    kind = post.contest
    goal = post.goal?.amount
    role = post.modeRole
    isFor = Dictionary(uniqueKeysWithValues: post.assignees.map { ($0.user, $0.seq) })
    for it in post.entries {
      entries[it.user] = SlowContests.Entry(amount: it.amount, isIn: it.isIn, seq: it.seq)
    }
    shares = Dictionary(uniqueKeysWithValues: post.shares.map { ($0.step, $0.user) })
    finishes = post.parts.map { SlowContests.Finish(user: $0.user, seq: $0.seq) }
    isOpen = post.completed == nil
  }

  fileprivate mutating func beginAnew() { (entries, shares, finishes) = ([:], [:], []) }

  fileprivate mutating func read(_ edit: PostEdit) {
    if edit.mode != .keep || edit.contest != .keep {
      beginAnew()
    } else if edit.goal != .keep {
      finishes = []
      for (user, entry) in entries {
        entries[user]?.amount = 0
        if entry.isIn == nil { entries[user] = nil }
      }
    }
    switch edit.contest {
    case .keep: break
    case .set(let kind): self.kind = kind
    case .clear: (kind, goal) = (nil, nil)
    }
    switch edit.goal {
    case .keep: break
    case .set(let goal): self.goal = goal.amount
    case .clear: goal = nil
    }
    switch edit.modeRole {
    case .keep: if edit.mode == .clear { role = nil }
    case .set(let role): self.role = role
    case .clear: role = nil
    }
  }

  fileprivate mutating func read(_ mark: PostMark, _ seq: Int64) {
    switch mark {
    case .assigned(let user): isFor[user] = seq
    case .unassigned(let user): isFor[user] = nil
    case .partCompleted(let user):
      finishes.removeAll { $0.user == user }
      finishes.append(SlowContests.Finish(user: user, seq: seq))
    case .partReopened(let user): finishes.removeAll { $0.user == user }
    case .tagged, .untagged, .submitted, .returned: break
    }
  }

  fileprivate mutating func read(_ op: ContestOp, _ seq: Int64) {
    switch op {
    case .joined(let user): enter(user, seq) { $0.isIn = true }
    case .withdrew(let user): enter(user, seq) { $0.isIn = false }
    case .reached(let user, amount: let amount, was: _):
      // A word about being in is as old as it was.
      let said = entries[user].flatMap { $0.isIn == nil ? nil : $0.seq }
      enter(user, said ?? seq) { $0.amount = amount }
    case .claimed(let step, let user): shares[step] = user
    case .released(let step): shares[step] = nil
    }
  }

  private mutating func enter(
    _ user: UserID, _ seq: Int64, _ change: (inout SlowContests.Entry) -> Void
  ) {
    var entry = entries[user] ?? SlowContests.Entry(seq: seq)
    entry.seq = seq
    change(&entry)
    entries[user] = entry.amount == 0 && entry.isIn == nil ? nil : entry
  }
}
