// The reminders that are due, and those that are to be looked at again (Schema+Reminders.swift).

package import Domain
package import Sync

extension SQLiteStore {
  package func dueReminders(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [ReminderRow] {
    try query { (reads) throws(DatabaseError) in
      try reads.dueReminders.bind(1, time.milliseconds)
      try reads.dueReminders.bind(2, limit)
      return try reads.dueReminders.rows { (row) throws(DatabaseError) in
        ReminderRow(
          key: try row.waiting(of: try row.person(0), in: 1, about: 2),
          at: Timestamp(milliseconds: row.int64(3)))
      }
    }
  }

  package func reminderChecks(
    limit: Int, butAbout others: Set<ReminderSubject>
  ) throws(StoreError) -> [ReminderCheckPart] {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in
        try reads.reminderChecks(limit: limit, butAbout: others)
      }
    }
  }
}

/// A check as it is stored.
private struct StoredCheck {
  let check: ReminderCheck
  /// The numbers of the streams; 0 where the subject names none.
  let person, list: Int64
}

extension ReadStatements {
  fileprivate func reminderChecks(
    limit: Int, butAbout others: Set<ReminderSubject>
  ) throws(DatabaseError) -> [ReminderCheckPart] {
    try reminderCheck.bind(1, limit + others.count)
    let notes = try reminderCheck.rows { (row) throws(DatabaseError) in
      StoredCheck(check: try row.reminderCheck(), person: row.int64(1), list: row.int64(2))
    }
    var (parts, left) = ([] as [ReminderCheckPart], limit)
    for note in notes where left > 0 && !others.contains(note.check.subject) {
      let part = try part(of: note, limit: min(left, ReminderCheckPart.sizeMax(of: limit)))
      parts.append(part)
      left -= part.size
    }
    return parts
  }

  private func part(of note: StoredCheck, limit: Int) throws(DatabaseError) -> ReminderCheckPart {
    let check = note.check
    switch check.subject {
    case .one(let key): return try part(of: note, .post(key), in: note.list)
    case .digest(let user): return try part(of: note, .digest(of: user), in: note.person)
    case .post(let post):
      try remindersOf.bind(1, note.list)
      try remindersOf.bind(2, post.post.uuid)
      try remindersOf.bind(3, check.after ?? 0)
      try remindersOf.bind(4, limit)
      let rows = try remindersOf.rows { (row) throws(DatabaseError) in
        let key = ReminderKey(person: try row.person(1), post: post)
        return (id: row.int64(0), row: ReminderCheckPart.Row(key: .post(key), at: row.moment(2)))
      }
      return ReminderCheckPart(check, rows, limit)
    case .person(let user):
      try remindersFor.bind(1, note.person)
      try remindersFor.bind(2, check.after ?? 0)
      try remindersFor.bind(3, limit)
      let rows = try remindersFor.rows { (row) throws(DatabaseError) in
        let key = try row.waiting(of: user, in: 1, about: 2)
        return (id: row.int64(0), row: ReminderCheckPart.Row(key: key, at: row.moment(3)))
      }
      return ReminderCheckPart(check, rows, limit)
    case .member, .list:
      let (posts, through) = try openDues(of: note.list, after: check.after ?? 0, limit: limit)
      return ReminderCheckPart(check: check, posts: posts, through: through.map { Int64($0) })
    }
  }
}

extension ReadStatements {
  /// Returns the part of a check about one row, which may not be there.
  private func part(
    of note: StoredCheck, _ key: WaitingKey, in list: Int64
  ) throws(DatabaseError) -> ReminderCheckPart {
    try reminderOf.bind(1, note.person)
    try reminderOf.bind(2, list)
    try reminderOf.bind(3, key.storedPost)
    let at = try reminderOf.first { (row) throws(DatabaseError) in row.moment(0) }
    return ReminderCheckPart(
      check: note.check, rows: [ReminderCheckPart.Row(key: key, at: at ?? nil)])
  }
}

extension ReminderCheckPart {
  fileprivate init(_ check: ReminderCheck, _ rows: [(id: Int64, row: Row)], _ limit: Int) {
    self.init(
      check: check, rows: rows.map(\.row), through: rows.count < limit ? nil : rows.last?.id)
  }
}

extension Statement {
  fileprivate func person(_ column: Int32) throws(DatabaseError) -> UserID {
    guard case .user(let person) = try stream(column) else {
      throw damaged(column, "is nobody's own")
    }
    return person
  }

  fileprivate func list(_ column: Int32) throws(DatabaseError) -> CategoryID {
    guard case .category(let list) = try stream(column) else { throw damaged(column, "is no list") }
    return list
  }

  /// Reads from `reminder` what a row of this person is about, by the names of the streams and the post's id.
  fileprivate func waiting(
    of person: UserID, in list: Int32, about post: Int32
  ) throws(DatabaseError) -> WaitingKey {
    switch try stream(list) {
    case .category(let category):
      let address = PostAddress(category: category, post: PostID(try uuid(post)))
      return .post(ReminderKey(person: person, post: address))
    case .user(person): return .digest(of: person)
    case .user, .group: throw damaged(list, "is no list")
    }
  }

  /// Reads a moment from `reminder`. Nil for a row without one.
  fileprivate func moment(_ column: Int32) -> Timestamp? {
    let at = int64(column)
    return at == .max ? nil : Timestamp(milliseconds: at)
  }

  /// Reads a row of `reminder_check`, by its kind and the names of its streams.
  fileprivate func reminderCheck() throws(DatabaseError) -> ReminderCheck {
    let subject: ReminderSubject
    switch int64(0) {
    case ReminderSubject.Stored.post: subject = .post(try reminded())
    case ReminderSubject.Stored.one:
      subject = .one(ReminderKey(person: try person(3), post: try reminded()))
    case ReminderSubject.Stored.person: subject = .person(try person(3))
    case ReminderSubject.Stored.member: subject = .member(try person(3), try list(4))
    case ReminderSubject.Stored.list: subject = .list(try list(4))
    case ReminderSubject.Stored.digest: subject = .digest(try person(3))
    default: throw damaged(0, "is about nothing")
    }
    return ReminderCheck(
      subject: subject, since: Timestamp(milliseconds: int64(6)), after: int64(7))
  }

  private func reminded() throws(DatabaseError) -> PostAddress {
    PostAddress(category: try list(4), post: PostID(try uuid(5)))
  }
}
