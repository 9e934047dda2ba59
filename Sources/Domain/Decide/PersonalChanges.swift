// Decides what people say to themselves. It is in their own `u:`, and only their right to see the post is asked for.

func say(
  _ change: PersonalChange, of address: PostAddress, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require(
    Need.toChange(address, by: caller.user) + [
      .head(caller.stream), .object(caller.stream, address.personalKey),
    ])
  if change.onlyTakesAway {
    // It may also be of a post that is removed or in another list: nobody is kept from clearing up.
    _ = try role(of: caller.user, in: address.stream, for: change.method, in: &world)
  } else {
    let target = PostTarget(address: address, ifVersion: nil)
    _ = try open(target, for: change.method, by: caller, in: &world)
  }
  let held = try world.personal(address, of: caller.user)
  var wanted = held ?? Personal(address)
  wanted.apply(change)
  let edit = PersonalEdit(from: held ?? Personal(address), to: wanted)
  guard edit != PersonalEdit() else { return Decision() }
  var ops: [Op] = []
  if held == nil || wanted.reminders.count > held?.reminders.count ?? 0
    || wanted.note.unicodeScalars.count > held?.note.unicodeScalars.count ?? 0
  {
    ops = try makeRoom(for: wanted, of: caller, in: &world)
  }
  ops.append(.personal(.edited(address, edit)))
  return Decision(drafts: [Draft(stream: caller.stream, ops: ops)])
}

/// Makes room for the value, which replaces the one of its post. Things that are over and were said longest ago go
/// first, some of them at once.
private func makeRoom(
  for wanted: Personal, of caller: Caller, in world: inout World
) throws(Halt) -> [Op] {
  guard wanted.reminders.count <= Limits.remindersPerPostMax else {
    throw .refused(.quota(limit: "remindersPerPost", max: Limits.remindersPerPostMax))
  }
  let others = try world.personals(of: caller.user).filter { $0.address != wanted.address }
  guard others.allSatisfy({ $0.key != wanted.key }) else { throw .refused(.exists(field: "id")) }
  let over = others.over(
    leaving: Limits.personalPostsMax - 1, at: caller.now, caller.almanac)
  guard others.count - over.count < Limits.personalPostsMax else {
    throw .refused(.quota(limit: "personalPosts", max: Limits.personalPostsMax))
  }
  let reminders = others.reduce(wanted.reminders.count) { $0 + $1.reminders.count }
  guard reminders <= Limits.remindersPerUserMax else {
    throw .refused(.quota(limit: "reminders", max: Limits.remindersPerUserMax))
  }
  let scalars = others.reduce(wanted.note.unicodeScalars.count) {
    $0 + $1.note.unicodeScalars.count
  }
  guard scalars <= Limits.personalNotesScalarsMax else {
    throw .refused(.quota(limit: "personalNotesScalars", max: Limits.personalNotesScalarsMax))
  }
  return over.ended
}

extension [Personal] {
  /// The number of things that go beyond those that have to, so that not every new one costs a look at all.
  private static var roomMade: Int { 100 }

  /// Returns the posts whose things go, so that no more than this many are left, if possible.
  func over(leaving max: Int, at now: Timestamp, _ almanac: Almanac) -> [PostAddress] {
    guard count > max else { return [] }
    return filter { $0.isOver(at: now, almanac) }.sorted { $0.seq < $1.seq }
      .prefix(count - max + Self.roomMade).map(\.address)
  }
}

extension [PostAddress] {
  /// One op for each list.
  fileprivate var ended: [Op] {
    Dictionary(grouping: self, by: \.category).sorted { $0.key < $1.key }.map { list, posts in
      .personal(.ended(list, posts.map(\.post).sorted()))
    }
  }
}

/// Ends what a person has said of the posts of a list, together with the membership.
func endPersonal(
  of user: UserID, in stream: StreamID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  guard case .category(let category) = stream else { return }
  var posts: [PostID] = []
  for case .personal(let it) in try world.objects(.personal, in: .user(user))
  where it.address.category == category { posts.append(it.address.post) }
  guard !posts.isEmpty else { return }
  drafting.add(.personal(.ended(category, posts.sorted())), to: .user(user))
}

/// Ends the kept reminders of these posts in the same way.
func endReminders(
  of user: UserID, in stream: StreamID, _ drafting: inout Drafting, _ world: inout World
) throws(Halt) {
  guard case .category(let category) = stream else { return }
  var posts: [PostID] = []
  for case .reminder(let it) in try world.objects(.reminder, in: .user(user))
  where it.told.address.category == category { posts.append(it.told.address.post) }
  guard !posts.isEmpty else { return }
  drafting.add(.personal(.keptEnded(category, posts.sorted())), to: .user(user))
}

extension PersonalChange {
  fileprivate var onlyTakesAway: Bool {
    switch self {
    case .plan(nil), .snooze(until: nil), .day(nil), .note(""), .watch(false), .forget: true
    case .plan, .snooze, .day, .note, .watch, .remind: false
    }
  }
}

extension Personal {
  fileprivate mutating func apply(_ change: PersonalChange) {
    switch change {
    case .plan(let plan): self.plan = plan
    case .remind(let reminder): reminders = Set(reminders + [reminder]).sorted()
    case .forget(let reminder): reminders.removeAll { $0 == reminder }
    case .snooze(let until): snooze = until
    case .day(let day): self.day = day
    case .note(let note): self.note = note
    case .watch(let watch): self.watch = watch
    }
  }
}

extension World {
  /// Returns what the person has said of the post. Nil when they have said nothing.
  package mutating func personal(
    _ address: PostAddress, of user: UserID
  ) throws(Halt) -> Personal? {
    guard case .personal(let it) = try object(address.personalKey, in: .user(user)),
      it.address == address
    else { return nil }
    return it
  }

  mutating func personals(of user: UserID) throws(Halt) -> [Personal] {
    try objects(.personal, in: .user(user)).compactMap {
      guard case .personal(let it) = $0 else { return nil }
      return it
    }
  }

  package mutating func settings(of user: UserID) throws(Halt) -> PersonalSettings {
    let key = ObjectKey(kind: .settings, id: user.uuid)
    guard case .settings(let it) = try object(key, in: .user(user)) else {
      return PersonalSettings(user: user)
    }
    return it
  }
}
