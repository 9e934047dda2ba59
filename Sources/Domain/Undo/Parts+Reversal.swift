// Limits what an undo may make of posts that are for each: as much as a command could do now (Decide/Parts.swift).
// Taking back a part opens the post. Doing a part again completes the post, or its occurrence, only when all have done
// theirs by now, whatever happened when it was done first. Where the post is completed already, nothing is left to do.
// A completion for all is done again for all by a member who may do that.

extension Reversal {
  /// Settles the parts. `present` holds the posts as they are now.
  mutating func settleParts(
    _ present: [Post], in stream: StreamID, _ role: Role, _ user: UserID, _ world: inout World
  ) throws(Halt) {
    for post in present {
      guard let goal = posts[post.id], goal != post, goal.mode == .each else { continue }
      var settling = PartsSettling(
        post: post, goal: goal, closes: Permission.completesOthersWork(role), user: user)
      // The people in the race stay as they are, also when the post goes on to another occurrence.
      var asked = goal
      if post.turns(to: goal) >= 0, post.contest == goal.contest { asked.keepAmounts(of: post) }
      settling.people = try world.participants(of: asked, in: stream)
      settling.open(try world.partsDone(of: post, in: stream))
      if let endings = endings[post.id], post.turns(to: goal) > 0 {
        let people = Set(endings.flatMap { $0.parts.map(\.user) })
        try world.require(people.sorted().map { .member($0, of: stream) })
        for index in endings.indices {
          let parts = try world.counting(endings[index].parts, in: stream)
          self.endings[post.id]?[index].parts = parts
          let before = index == 0 ? try world.counting(post.parts, in: stream) : []
          if settling.passes(endings[index], parts, before) { continue }
          settling.stay(with: index == 0 ? parts : [])
          break
        }
      }
      settling.complete(try world.partsDone(of: settling.goal, in: stream))
      take(settling)
    }
    keepTogether(present)
  }
}

/// One post on the way to what it may become.
struct PartsSettling {
  let post: Post
  var goal: Post
  /// Whether the role may complete the post for all.
  let closes: Bool
  let user: UserID
  /// The people who have a part in it now.
  var people: Set<UserID> = []
  private(set) var isLater = false
  private(set) var isForbidden = false
  /// Whether it stays at its occurrence.
  private(set) var isStuck = false

  init(post: Post, goal: Post, closes: Bool, user: UserID) {
    self.post = post
    self.goal = goal
    self.closes = closes
    self.user = user
  }

  /// Opens the post when a part of it goes: its completion by all goes too. `done` are the people whose parts count.
  mutating func open(_ done: Set<UserID>) {
    guard post.mode == .each, post.occurrence?.number == goal.occurrence?.number else { return }
    guard !done.isSubset(of: Set(goal.parts.map(\.user))) else { return keepCompleted() }
    if post.completed != nil, goal.completed == post.completed { goal = goal.opened }
    if goal.submitted == post.submitted { goal.submitted = nil }
  }

  private mutating func keepCompleted() {
    guard post.completed != nil, goal.completed == post.completed else { return }
    let parts = goal.parts.filter { post.parts.contains($0.user) }
    if parts != goal.parts { isLater = true }
    goal.parts = parts
  }

  /// Answers whether an occurrence may be over again. `parts` were done when it was over, and `before` are done now.
  mutating func passes(_ ending: Ending, _ parts: [PostPart], _ before: [PostPart]) -> Bool {
    guard let stamp = ending.completed else { return true }
    let done = Set((parts + before).map(\.user))
    return mayClose(done, isOwn: parts.contains(stamp.by) && !before.contains(stamp.by))
  }

  /// Keeps the occurrence, with these parts done again.
  mutating func stay(with parts: [PostPart]) {
    goal = goal.keepingMoment(of: post)
    goal.completed = post.completed
    for part in parts where !goal.parts.contains(part.user) { goal.parts = goal.parts.with(part) }
    isStuck = true
  }

  /// Drops the completion or submission where not all have done their parts.
  mutating func complete(_ done: Set<UserID>) {
    let here = post.turns(to: goal) == 0 ? post : nil
    for stamp in [
      here?.completed == nil ? goal.completed?.stamp : nil,
      here?.submitted == nil && here?.completed == nil ? goal.submitted : nil,
    ].compactMap(\.self) {
      let isOwn = goal.parts.contains(stamp.by) && here?.parts.contains(stamp.by) != true
      if mayClose(done, isOwn: isOwn) { continue }
      goal = goal.opened
      goal.submitted = nil
    }
  }

  /// Answers whether the post may be completed. `isOwn` says that a person completed it by their own part.
  private mutating func mayClose(_ done: Set<UserID>, isOwn: Bool) -> Bool {
    if people.isSubset(of: done), closes || people.contains(user) { return true }
    if closes, !isOwn { return true }
    if isOwn { isLater = true } else { isForbidden = true }
    return false
  }
}

extension World {
  /// Returns the parts that count.
  fileprivate mutating func counting(
    _ parts: [PostPart], in stream: StreamID
  ) throws(Halt) -> [PostPart] {
    var found: [PostPart] = []
    for part in parts where try member(part.user, of: stream)?.holds(part) == true {
      found.append(part)
    }
    return found
  }
}
