package import Domain
package import Sync

// The reminders of a store in memory. They are found by a look at every row.
struct MemoryReminders {
  /// The rows with their ids, which follow the order in which they came. Parts of a check are counted by these ids.
  private(set) var rows: [WaitingKey: (id: Int64, at: Timestamp?)] = [:]
  private(set) var checks: [ReminderCheck] = []
  private var last: Int64 = 0

  mutating func write(_ it: ReminderWrite) {
    guard it.isKept else {
      rows[it.key] = nil
      return
    }
    guard !it.isNew || rows[it.key] == nil else { return }
    if rows[it.key] == nil {
      last += 1
      rows[it.key] = (last, it.at)
    } else {
      rows[it.key]?.at = it.at
    }
  }

  mutating func write(_ it: ReminderCheck) {
    guard let place = checks.firstIndex(where: { $0.subject == it.subject }) else {
      if it.after != nil { checks.append(it) }
      return
    }
    let since = min(it.since, checks[place].since)
    switch it.after {
    case nil: checks.remove(at: place)
    case 0?: checks[place] = ReminderCheck(subject: it.subject, since: since)
    case _?:
      checks.remove(at: place)
      checks.append(it)
    }
  }

  /// Drops every row and check of a person or of a list.
  mutating func drop(_ stream: StreamID) {
    rows = rows.filter { key, _ in .user(key.person) != stream && key.place != stream }
    checks.removeAll { $0.subject.goes(with: stream) }
  }

  /// Notes for every person that their rows are to be looked at again.
  mutating func checkAll(since time: Timestamp) {
    for person in Set(rows.keys.map(\.person)).sorted() {
      write(ReminderCheck(subject: .person(person), since: time))
    }
  }

  func due(through time: Timestamp, limit: Int) -> [ReminderRow] {
    let due = rows.compactMap { key, row -> (id: Int64, row: ReminderRow)? in
      guard let at = row.at, at <= time else { return nil }
      return (row.id, ReminderRow(key: key, at: at))
    }
    return due.sorted { ($0.row.at, $0.id) < ($1.row.at, $1.id) }.prefix(limit).map(\.row)
  }

  /// Returns the next part of the rows that a check is about.
  func part(of check: ReminderCheck, limit: Int) -> ReminderCheckPart {
    if let key = check.subject.lone {
      return ReminderCheckPart(
        check: check, rows: [ReminderCheckPart.Row(key: key, at: rows[key]?.at)])
    }
    let all = rows.filter { key, row in
      guard row.id > check.after ?? 0 else { return false }
      return switch check.subject {
      case .post(let post): key.post?.post == post
      case .person(let person): key.person == person
      case .one, .digest, .member, .list: false
      }
    }
    let part = all.sorted { $0.value.id < $1.value.id }.prefix(limit)
    return ReminderCheckPart(
      check: check, rows: part.map { ReminderCheckPart.Row(key: $0.key, at: $0.value.at) },
      through: part.count < limit ? nil : part.last?.value.id)
  }
}

extension MemoryStore {
  package func dueReminders(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [ReminderRow] {
    content.reminders.due(through: time, limit: limit)
  }

  package func reminderChecks(
    limit: Int, butAbout others: Set<ReminderSubject>
  ) throws(StoreError) -> [ReminderCheckPart] {
    let content = content
    var (parts, left) = ([] as [ReminderCheckPart], limit)
    for check in content.reminders.checks where left > 0 && !others.contains(check.subject) {
      let most = min(left, ReminderCheckPart.sizeMax(of: limit))
      var part = content.reminders.part(of: check, limit: most)
      if let list = check.subject.walked {
        let (posts, through) = try openDues(
          of: list, after: Int(check.after ?? 0), limit: most, in: content)
        part = ReminderCheckPart(check: check, posts: posts, through: through.map { Int64($0) })
      }
      parts.append(part)
      left -= part.size
    }
    return parts
  }
}

extension ReminderSubject {
  /// The list whose posts the check looks at. Nil when it looks at rows.
  fileprivate var walked: CategoryID? {
    switch self {
    case .member(_, let list), .list(let list): list
    case .post, .one, .person, .digest: nil
    }
  }
}
