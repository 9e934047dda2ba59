import Domain

// The things that the system tells people by itself (protocol §5.10). Each is told once for each person, post, kind and
// moment, under a key of nobody, as a deadline is (P12).

extension Ledger {
  /// Tells one person everything that has come, in one event of their own stream. Every row is written as it must be
  /// afterwards, so that none comes again for the same reason.
  mutating func remind(
    _ person: UserID, of rows: [ReminderRow], at moment: Moment
  ) throws(Halt) -> Verdict {
    try world.prepare(toRemind: rows.compactMap(\.key.post))
    var told: [(address: KeyAddress, ops: [Op])] = []
    var writes: [ReminderWrite] = []
    var checks: [ReminderCheck] = []
    for row in rows {
      guard let key = row.key.post else {
        let (next, day) = try digest(of: person, from: row.at, at: moment.now)
        writes.append(next)
        if let day {
          told.append((KeyAddress(digestOf: day, person), [.personal(.digestReady(day))]))
        }
        continue
      }
      guard let alarms = try world.alarms(key, almanac) else {
        // Perhaps the post went to another list, and was not checked again yet. Then the reminders that wait
        // go with it.
        writes.append(ReminderWrite(key: row.key, at: nil, isKept: true))
        checks.append(ReminderCheck(subject: .one(key), since: row.at.justBefore))
        continue
      }
      writes.append(ReminderWrite(key, alarms, after: moment.now))
      for alarm in alarms.told(from: row.at, through: moment.now) {
        let reminded = Reminded(address: key.post, kind: alarm.kind, at: alarm.at)
        // A program that does not know what is kept is told all the same.
        let kept = alarms.isWish(alarm) ? [Op.personal(.kept(reminded))] : []
        told.append((KeyAddress(reminded, person), [.personal(.fired(reminded))] + kept))
      }
    }
    let unknown = told.map(\.address).filter { keys[$0] == nil }
    guard unknown.isEmpty else { return .needs(unknown.map { .key($0) }) }
    told = told.filter { keys[$0.address] == .some(nil) }
    let draft = Draft(stream: .user(person), ops: told.flatMap(\.ops))
    let decision = Decision(drafts: told.isEmpty ? [] : [draft])
    let result = try write(decision, by: nil, key: nil, at: moment)
    for (address, _) in told {
      let record = KeyRecord(address: address, hash: [], result: result)
      keys[address] = .some(record)
      batch.keys.append(record)
    }
    batch.reminders += writes
    batch.reminderChecks += checks
    return settled(result)
  }

  /// Writes the rows of these parts anew, and moves what people have said of posts that went to another list.
  mutating func check(
    _ parts: [ReminderCheckPart], at moment: Moment
  ) throws(Halt) -> CommandResult {
    var wanted = WantedRows()
    var checks: [ReminderCheck] = []
    for part in parts {
      let since = min(part.check.since, moment.sure)
      let isSaid = part.check.subject.isOne
      for row in part.rows { wanted.add(row, since: since, now: moment.now, isSaid: isSaid) }
      checks.append(
        ReminderCheck(subject: part.check.subject, since: part.check.since, after: part.through))
    }
    for (key, since) in try unseen(by: parts) {
      wanted.add(.post(key), since: min(since, moment.sure))
    }
    // This comes behind everything that is finished, as one of these checks may be about the same subject.
    for part in parts { checks += try left(by: part) }
    try world.prepare(toRemind: wanted.all.compactMap(\.key.post))
    var drafts: [Draft] = []
    var writes: [ReminderWrite] = []
    for row in wanted.all {
      guard let key = row.key.post else {
        let times = try world.digestTimes(of: row.key.person, almanac)
        writes.append(ReminderWrite(digestOf: row.key.person, times, after: row.after))
        continue
      }
      let (op, there) = try move(key)
      if let op { drafts.add(op, to: .user(key.person)) }
      if let there { checks.append(ReminderCheck(subject: .one(there), since: row.after)) }
      let alarms = try world.alarms(key, almanac)
      let late = alarms.flatMap { row.isLate($0) ? $0.late(at: row.after) : nil }
      let written = ReminderWrite(key, alarms, after: row.after, late, isNew: row.isNew)
      if written.isKept || !written.isNew { writes.append(written) }
    }
    let result = try write(Decision(drafts: drafts), by: nil, key: nil, at: moment)
    batch.reminders += writes
    batch.reminderChecks += checks
    return result
  }

  /// Returns the people whom the post of a check concerns. They may have no row yet, and the first part of a check is
  /// about them, too. Those who have a row in a later part are checked again with it.
  private mutating func unseen(
    by parts: [ReminderCheckPart]
  ) throws(Halt) -> [(key: ReminderKey, since: Timestamp)] {
    let first = parts.compactMap { part -> (post: PostAddress, since: Timestamp)? in
      guard case .post(let address) = part.check.subject, part.check.after == 0 else { return nil }
      return (address, part.check.since)
    }
    try world.require(
      first.map { .object($0.post.stream, ObjectKey(kind: .post, id: $0.post.post.uuid)) })
    try world.requireAssignees(of: first.map(\.post))
    var unseen: [(key: ReminderKey, since: Timestamp)] = []
    for (address, since) in first {
      guard let post = try world.post(address.post, in: address.category), post.moved == nil
      else { continue }
      for person in try world.concerned(by: post, in: address.category) {
        unseen.append((ReminderKey(person: person, post: address), since))
      }
    }
    return unseen
  }

  /// Returns checks of posts. For a member they are the posts that were their matter, as these may be another person's
  /// now. For a list they are all.
  private mutating func left(by part: ReminderCheckPart) throws(Halt) -> [ReminderCheck] {
    let (member, list): (UserID?, CategoryID)
    switch part.check.subject {
    case .member(let it, let place): (member, list) = (it, place)
    case .list(let place): (member, list) = (nil, place)
    case .post, .one, .person, .digest: return []
    }
    let stream = StreamID.category(list)
    try world.require(part.posts.map { .object(stream, ObjectKey(kind: .post, id: $0.uuid)) })
    var checks: [ReminderCheck] = []
    for id in part.posts {
      guard let post = try world.post(id, in: list),
        member.map({ post.addedBy == $0 || post.assignees.contains($0) }) ?? true
      else { continue }
      let address = PostAddress(category: list, post: id)
      checks.append(ReminderCheck(subject: .post(address), since: part.check.since))
    }
    return checks
  }

  /// Returns the change that moves what a person has said of a post to the list where the post is now, and the key of
  /// its reminders there. Both are nil when the post did not go to another list.
  private mutating func move(_ key: ReminderKey) throws(Halt) -> (op: Op?, to: ReminderKey?) {
    guard let post = try world.post(key.post.post, in: key.post.category), post.moved != nil
    else { return (nil, nil) }
    let list = try world.destination(of: post, for: key)
    let there = list.map { PostAddress(category: $0, post: post.id) }
    let op = try world.personalMove(key, to: list)
    return (op, there.map { ReminderKey(person: key.person, post: $0) })
  }
}

/// The rows to be written, each one once.
private struct WantedRows {
  struct Row {
    let key: WaitingKey
    /// The moment after which the row's next moment is looked for.
    var after: Timestamp
    let isNew: Bool
    /// Whether the check is about this row alone, because the person said something about it, perhaps late.
    var isSaid = false
    /// The moment of the row, if it has come; otherwise nil.
    var waits: Timestamp?

    /// Answers whether something that was asked for late is to be told. Perhaps it waits already.
    func isLate(_ alarms: Alarms) -> Bool {
      isSaid || waits.map { moment in !alarms.all.contains { $0.at == moment } } ?? false
    }
  }

  private(set) var all: [Row] = []
  private var places: [WaitingKey: Int] = [:]

  /// Adds a row. If its moment has come, it waits to be told, and it keeps waiting.
  mutating func add(
    _ row: ReminderCheckPart.Row, since: Timestamp, now: Timestamp, isSaid: Bool
  ) {
    let waits = row.at.flatMap { $0 <= now ? $0 : nil }
    var after = min(since, waits?.justBefore ?? since)
    // By today's settings the moment of this day may have come, and by the earlier ones it would have come later. Such
    // a day is told late: no day is left out because a zone or a time was changed. No day is told twice, because a told
    // day has its key.
    if row.key.post == nil, let at = row.at { after = min(after, at.aDayBefore) }
    let place = place(of: row.key, after)
    all[place] = Row(
      key: row.key, after: min(after, all[place].after), isNew: false,
      isSaid: isSaid || all[place].isSaid, waits: waits)
  }

  mutating func add(_ key: WaitingKey, since: Timestamp) {
    let place = place(of: key, since)
    all[place].after = min(since, all[place].after)
  }

  private mutating func place(of key: WaitingKey, _ after: Timestamp) -> Int {
    if let place = places[key] { return place }
    places[key] = all.count
    all.append(Row(key: key, after: after, isNew: true))
    return all.count - 1
  }
}

extension [Draft] {
  /// Adds an op to the draft of its stream. There is one draft for each stream, in stream order.
  fileprivate mutating func add(_ op: Op, to stream: StreamID) {
    if let place = firstIndex(where: { $0.stream == stream }) {
      self[place].ops.append(op)
    } else {
      append(Draft(stream: stream, ops: [op]))
      sort { $0.stream < $1.stream }
    }
  }
}

extension ReminderWrite {
  /// Makes the row of a person and a post. Nothing waits for a person who may not see the post.
  fileprivate init(
    _ key: ReminderKey, _ alarms: Alarms?, after time: Timestamp, _ late: Timestamp? = nil,
    isNew: Bool = false
  ) {
    let at = late ?? alarms?.next(after: time)
    self.init(key: .post(key), at: at, isKept: at != nil || alarms?.personal != nil, isNew: isNew)
  }
}

extension ReminderSubject {
  fileprivate var isOne: Bool { if case .one = self { true } else { false } }
}

extension Timestamp {
  fileprivate var aDayBefore: Timestamp { Timestamp(milliseconds: milliseconds - 86_400_000) }
}

extension KeyAddress {
  /// Makes the address of a told reminder. It is like that of a command's key, but of nobody. Posts of two lists may
  /// have one id, so the key mixes list and post.
  init(_ reminded: Reminded, _ person: UserID) {
    let post = reminded.address.personalKey.id
    guard let key = CommandKey("\(reminded.kind.rawValue):\(post):\(reminded.at.milliseconds)")
    else { preconditionFailure("a word, an id and a number make a key") }
    self.init(stream: .user(person), actor: .system, key: key)
  }
}
