// Decides what the system tells people of their posts, each thing once (protocol §5.10), and whom it tells. It judges
// everything as it is now: whoever found that something may be told has only a row that was true once. `World.alarms`
// computes the moments, and Model/PersonalSettings.swift has the defaults of people. Sync/Deadlines/ReminderRow.swift
// says how the ledger knows when to look, and Sync/Ledger/Ledger+Reminders.swift tells.

/// Something to be told of a post at a moment.
package struct Alarm: Hashable, Sendable {
  package let kind: ReminderKind
  package let at: Timestamp

  package init(kind: ReminderKind, at: Timestamp) {
    self.kind = kind
    self.at = at
  }
}

/// A reminder that was told.
package struct Reminded: Hashable, Sendable {
  package let address: PostAddress
  package let kind: ReminderKind
  /// The moment for which it was meant; the event may be later.
  package let at: Timestamp

  package init(address: PostAddress, kind: ReminderKind, at: Timestamp) {
    self.address = address
    self.kind = kind
    self.at = at
  }
}

/// Everything that there may be to tell one person of one post.
package struct Alarms: Equatable, Sendable {
  /// The alarms in ascending order of their moments. Muted ones are among them, and those of a completed or removed
  /// post: it may be brought back.
  package let all: [Alarm]
  /// The alarms that the person has asked for at a moment. When one is told, it is taken out of what they have said.
  let asked: Set<Alarm>
  /// The alarms that the person has said by themselves, with those of `asked`. When one is told, that is kept.
  let wished: Set<Alarm>
  /// Whether any of them is told now.
  package let isOpen: Bool
  package let personal: Personal?
  package let settings: PersonalSettings

  /// Answers whether the person asked for it themselves, and not only by settings for all their posts.
  package func isWish(_ alarm: Alarm) -> Bool { wished.contains(alarm) }

  /// Returns the next moment after this one. Nil when there is none.
  package func next(after time: Timestamp) -> Timestamp? {
    all.first { $0.at > time }?.at
  }

  /// Returns a moment for an alarm that was asked for when its own moment had already come, because the command waited
  /// in a queue. It is the last moment up to this time at which no alarm is, and by that `told` knows it. Nil when
  /// there is no such alarm.
  package func late(at time: Timestamp) -> Timestamp? {
    guard isOpen, asked.contains(where: { $0.at <= time }) else { return nil }
    var moment = time
    while all.contains(where: { $0.at == moment }) { moment = moment.justBefore }
    return moment
  }

  /// Returns the alarms that are to be told now, out of those since `first`, that moment included; of earlier ones only
  /// those that were asked for late. While the post is snoozed there are none, and alarms in that time are never told:
  /// the end of the snooze is told instead.
  package func told(from first: Timestamp, through now: Timestamp) -> [Alarm] {
    let quiet = personal?.snooze ?? Timestamp(milliseconds: .min)
    guard isOpen, quiet <= now else { return [] }
    let isLate = !all.contains { $0.at == first }
    return all.filter { alarm in
      (alarm.at >= first || (isLate && asked.contains(alarm)))
        && alarm.at <= now && alarm.at >= quiet
        && !(alarm.kind.canBeMuted && settings.mutes(alarm.kind))
    }
  }
}

/// A person and a post.
package struct ReminderKey: Hashable, Sendable {
  package let person: UserID
  package let post: PostAddress

  package init(person: UserID, post: PostAddress) {
    self.person = person
    self.post = post
  }
}

extension Need {
  package static func toRemind(_ key: ReminderKey) -> [Need] {
    let (stream, own) = (key.post.stream, StreamID.user(key.person))
    return [
      .object(stream, ObjectKey(kind: .post, id: key.post.post.uuid)),
      .object(stream, stream.headKey),
      .object(stream, ObjectKey(kind: .member, id: key.person.uuid)), .head(own),
      .object(own, key.post.personalKey),
      .object(own, ObjectKey(kind: .settings, id: key.person.uuid)),
    ]
  }
}

extension Post {
  /// Returns the people whom the post concerns by itself.
  fileprivate func concerned(_ workers: [UserID]) -> [UserID] {
    workers.isEmpty ? [addedBy] : workers
  }
}

extension World {
  /// Loads everything that `alarms`, `destination` and `personalMove` ask about these, in few questions.
  package mutating func prepare(toRemind keys: [ReminderKey]) throws(Halt) {
    try require(keys.flatMap(Need.toRemind))
    try requireAssignees(of: keys.map(\.post))
    var moved: [(key: ReminderKey, at: StreamPosition)] = []
    for key in keys {
      guard let post = try post(key.post.post, in: key.post.category), let went = post.moved
      else { continue }
      moved.append((key, StreamPosition(stream: key.post.stream, seq: went)))
    }
    try require(moved.map { .trails($0.at) })
    var members: [Need] = []
    for (key, position) in moved {
      guard let next = try trails(at: position).lists(of: key.post.post).last else { continue }
      members.append(.object(.category(next), ObjectKey(kind: .member, id: key.person.uuid)))
    }
    try require(members)
  }

  /// Loads the people whose work these posts may be.
  package mutating func requireAssignees(of posts: [PostAddress]) throws(Halt) {
    var needs: [Need] = []
    for address in posts {
      guard let post = try post(address.post, in: address.category) else { continue }
      needs += post.assignees.map {
        .object(address.stream, ObjectKey(kind: .member, id: $0.user.uuid))
      }
    }
    try require(needs)
  }

  /// Returns the alarms of a person for a post. Nil when they may not see the post or there is none.
  package mutating func alarms(
    _ key: ReminderKey, _ almanac: Almanac
  ) throws(Halt) -> Alarms? {
    try require(Need.toRemind(key))
    guard let category = try category(key.post.category),
      let post = try post(key.post.post, in: key.post.category), post.moved == nil,
      let member = try member(key.person, of: key.post.stream), member.role != nil
    else { return nil }
    let personal = try personal(key.post, of: key.person)
    let settings = try settings(of: key.person)
    let workers = try workers(on: post, in: key.post.stream)
    let isConcerned =
      post.concerned(workers).contains(key.person) || (personal?.watch == true && workers.isEmpty)
    let asked = Set(personal.map(\.askedAlarms) ?? [])
    var wished = asked
    if let time = personal?.plan?.moment(almanac) { wished.insert(Alarm(kind: .planned, at: time)) }
    var all = wished
    if let deadline = post.due?.deadline(categoryZone: category.zone, almanac: almanac) {
      for case .before(let minutes) in personal?.reminders ?? [] {
        wished.insert(Alarm(kind: .reminder, at: deadline.minutesBefore(minutes)))
      }
      all.formUnion(wished)
      if isConcerned { all.formUnion(settings.alarms(before: deadline)) }
    }
    return Alarms(
      all: all.sorted { ($0.at, $0.kind.rawValue) < ($1.at, $1.kind.rawValue) }, asked: asked,
      wished: wished, isOpen: post.isOpen(for: member) && category.isActive,
      personal: personal, settings: settings)
  }

  /// Returns the people whom a post concerns by itself: its assignees, or else the person who added it. People who
  /// watch it are known by what they have said of it.
  package mutating func concerned(
    by post: Post, in category: CategoryID
  ) throws(Halt) -> [UserID] {
    post.concerned(try workers(on: post, in: .category(category)))
  }

  /// Returns the list to which a post went, if the person may see it there.
  package mutating func destination(
    of post: Post, for key: ReminderKey
  ) throws(Halt) -> CategoryID? {
    guard let went = post.moved,
      let next = try trails(at: StreamPosition(stream: key.post.stream, seq: went))
        .lists(of: post.id).last
    else { return nil }
    try require([.object(.category(next), ObjectKey(kind: .member, id: key.person.uuid))])
    return try member(key.person, of: .category(next))?.role == nil ? nil : next
  }

  /// Returns the op for what a person has said of a post that went away: it goes along where they may see the post, and
  /// ends where not. Nil when they have said nothing.
  package mutating func personalMove(
    _ key: ReminderKey, to list: CategoryID?
  ) throws(Halt) -> Op? {
    guard try personal(key.post, of: key.person) != nil else { return nil }
    guard let list else { return .personal(.ended(key.post.category, [key.post.post])) }
    return .personal(.moved(key.post.post, from: key.post.category, to: list))
  }
}

extension Personal {
  fileprivate var askedAlarms: [Alarm] {
    var alarms = reminders.compactMap { reminder -> Alarm? in
      guard case .at(let time) = reminder else { return nil }
      return Alarm(kind: .reminder, at: time)
    }
    if let snooze { alarms.append(Alarm(kind: .snoozed, at: snooze)) }
    return alarms
  }
}

extension PersonalSettings {
  fileprivate func alarms(before deadline: Timestamp) -> [Alarm] {
    reminderMinutes.map { Alarm(kind: .reminder, at: deadline.minutesBefore($0)) } + [
      Alarm(kind: .dueSoon, at: deadline.minutesBefore(soonHours * 60)),
      Alarm(kind: .overdue, at: deadline),
    ]
  }
}

extension Timestamp {
  package var justBefore: Timestamp { Timestamp(milliseconds: max(milliseconds, 0) - 1) }

  fileprivate func minutesBefore(_ minutes: Int) -> Timestamp {
    Timestamp(milliseconds: milliseconds - Int64(minutes) * 60_000)
  }
}
