// Notes about rows of `ReminderRow.swift` that may be wrong, and the parts of them that are checked in one transaction.

package import Domain

/// The rows that are checked again.
package enum ReminderSubject: Hashable, Sendable {
  /// The rows of everybody who has one for this post, and of those whose matter it is.
  case post(PostAddress)
  case one(ReminderKey)
  /// All rows of a person.
  case person(UserID)
  /// The rows of posts with a due that were the matter of this person, who has left the list or come back.
  case member(UserID, CategoryID)
  /// The rows of all posts with a due of a list, because its days have changed.
  case list(CategoryID)
  /// The row of a person's digest.
  case digest(UserID)
}

extension ReminderSubject {
  /// The streams of the persons and lists that it is about.
  package var streams: [StreamID] {
    switch self {
    case .post(let it): [it.stream]
    case .one(let it): [.user(it.person), it.post.stream]
    case .person(let it): [.user(it)]
    case .member(let it, let list): [.user(it), .category(list)]
    case .list(let list): [.category(list)]
    case .digest(let it): [.user(it)]
    }
  }

  /// Whether there is nothing to look at any more when the stream is dropped. The posts of a person whose account has
  /// ended may be somebody else's matter now, so they are still looked at.
  package func goes(with stream: StreamID) -> Bool {
    if case .member(_, let list) = self { return .category(list) == stream }
    return streams.contains(stream)
  }
}

extension ReminderSubject {
  /// The only row of the subject; nil for a subject of several rows.
  package var lone: WaitingKey? {
    switch self {
    case .one(let it): .post(it)
    case .digest(let person): .digest(of: person)
    case .post, .person, .member, .list: nil
    }
  }
}

extension ReminderSubject: CustomStringConvertible {
  package var description: String {
    switch self {
    case .post(let it): "of post \(it.post) of \(it.category)"
    case .one(let it): "\(WaitingKey.post(it))"
    case .person(let it): "\(it)"
    case .member(let it, let list): "\(it) in \(list)"
    case .list(let list): "of \(list)"
    case .digest(let it): "\(WaitingKey.digest(of: it))"
    }
  }
}

/// A note that rows may be wrong or missing.
package struct ReminderCheck: Hashable, Sendable {
  package let subject: ReminderSubject
  /// The moment up to which nothing that should have been told is news any more, except where a row says that it waits.
  package let since: Timestamp
  /// The last row that has been checked, as the store counts rows; for a member and a list it is the number of a post.
  /// Nil when all are checked. A note that is checked in part goes behind the others.
  package let after: Int64?

  package init(subject: ReminderSubject, since: Timestamp, after: Int64? = 0) {
    self.subject = subject
    self.since = since
    self.after = after
  }
}

/// The rows of a note that are checked in one transaction.
package struct ReminderCheckPart: Equatable, Sendable {
  /// A row, or the fact that there is none.
  package struct Row: Equatable, Sendable {
    package let key: WaitingKey
    /// The moment of the row, to come or passed; a row with a moment waits to be told. Nil when there is none.
    package let at: Timestamp?

    package init(key: WaitingKey, at: Timestamp?) {
      self.key = key
      self.at = at
    }
  }

  package let check: ReminderCheck
  package let rows: [Row]
  /// The open posts of the list with a due; only for a member and a list.
  package let posts: [PostID]
  /// The last row of this part; nil when it is the last part.
  package let through: Int64?

  package init(
    check: ReminderCheck, rows: [Row] = [], posts: [PostID] = [], through: Int64? = nil
  ) {
    self.check = check
    self.rows = rows
    self.posts = posts
    self.through = through
  }

  /// Returns the greatest size of a part. A note about many rows, or one that begins again and again, must keep no
  /// other waiting.
  package static func sizeMax(of limit: Int) -> Int { max(1, limit / 2) }

  /// The share of this part in what is checked at once.
  package var size: Int { max(1, rows.count + posts.count) }
}

extension ReminderCheck {
  /// Returns the checks that an event leaves; none for nearly all events.
  static func all(
    of changes: [ObjectChange], in stream: StreamID, by ops: [Op], at time: Timestamp
  ) -> [ReminderCheck] {
    guard !ops.allSatisfy(\.comesOfRows) else { return [] }
    var seen: Set<ReminderSubject> = []
    var subjects: [ReminderSubject] = []
    for change in changes {
      let found: [ReminderSubject] =
        switch stream {
        case .category(let category): [change.reminderSubject(in: category)].compactMap(\.self)
        case .user(let person): change.reminderSubjects(of: person)
        case .group: []
        }
      for subject in found where seen.insert(subject).inserted { subjects.append(subject) }
    }
    return subjects.map { ReminderCheck(subject: $0, since: time) }
  }
}

extension Op {
  /// Whether the writer of the op has seen the rows and writes with it what they must be.
  fileprivate var comesOfRows: Bool {
    switch self {
    case .personal(.fired), .personal(.moved), .personal(.digestReady), .personal(.kept): true
    default: false
    }
  }
}

extension ObjectChange {
  fileprivate func reminderSubject(in category: CategoryID) -> ReminderSubject? {
    switch effect.object {
    case .post(let post)?:
      return changesTimes(of: post)
        ? .post(PostAddress(category: category, post: post.id)) : nil
    case .member(let member)?:
      return changesAccess(of: member) ? .member(member.id, category) : nil
    case .category(let list)?:
      guard case .category(let before)? = self.before, before.zone != list.zone else { return nil }
      return .list(category)
    default: return nil
    }
  }

  /// Whether the times of a post may have changed, or the post moved to another list.
  private func changesTimes(of after: Post) -> Bool {
    let before: Post? = if case .post(let it) = self.before { it } else { nil }
    let isTimed = before?.due != nil || after.due != nil
    return after.moved != before?.moved || (isTimed && before?.timing != after.timing)
  }

  /// Whether the member has left or come. The work of posts depends on it, and no op of the posts says so. A member who
  /// was never there before may have added posts that came from another list. In the first event of a list there is
  /// nothing yet.
  private func changesAccess(of after: Member) -> Bool {
    guard case .member(let before) = self.before else { return after.joinedSeq > 1 }
    return (before.role == nil) != (after.role == nil) || before.joinedSeq != after.joinedSeq
  }

  fileprivate func reminderSubjects(of person: UserID) -> [ReminderSubject] {
    switch key.kind {
    case .settings: return settingsSubjects(of: person)
    case .personal:
      guard case .personal(let it)? = effect.object ?? before else { return [] }
      return [.one(ReminderKey(person: person, post: it.address))]
    case .profile:
      guard case .profile(let old)? = before, case .profile(let new)? = effect.object,
        old.zone != new.zone
      else { return [] }
      return [.digest(person)]
    default: return []
    }
  }

  /// Returns what changed settings affect. A digest is about no post, so another time for it is no reason to check all
  /// posts.
  private func settingsSubjects(of person: UserID) -> [ReminderSubject] {
    var (old, new) = (PersonalSettings(user: person), PersonalSettings(user: person))
    if case .settings(let it)? = before { old = it }
    if case .settings(let it)? = effect.object { new = it }
    let hasMoved = old.digest != new.digest
    (old.digest, new.digest) = (nil, nil)
    return (old == new ? [] : [.person(person)]) + (hasMoved ? [.digest(person)] : [])
  }
}

/// The fields of a post that decide its rows.
private struct Timing: Equatable {
  let due: Due?
  let isOpen: Bool
  let assignees: [Assignment]
  let mode: PostMode?
  let parts: [PostPart]
  let submitted: Stamp?
}

extension Post {
  fileprivate var timing: Timing {
    Timing(
      due: due, isOpen: completed == nil && removed == nil, assignees: assignees, mode: mode,
      parts: parts, submitted: submitted)
  }
}
