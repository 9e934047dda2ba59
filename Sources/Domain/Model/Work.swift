// What there is to do for one person in a post (protocol §8.18): the badges of the server and the screen of a client
// count it by the same rule.

/// A person's open work in a list: counted up to `Limits.workCountMax`, then `more` (shown as `1000+`).
package struct WorkCount: Equatable, Sendable {
  package let count: Int
  package let more: Bool

  package static let none = WorkCount(count: 0, more: false)

  package init(count: Int, more: Bool) {
    self.count = count
    self.more = more
  }

  /// Of several lists together.
  package static func + (left: WorkCount, right: WorkCount) -> WorkCount {
    WorkCount(count: left.count + right.count, more: left.more || right.more)
  }
}

extension Counters {
  /// Of several lists together.
  package static func + (left: Counters, right: Counters) -> Counters {
    Counters(
      open: left.open + right.open, done: left.done + right.done,
      overdue: left.overdue + right.overdue)
  }
}

extension Post {
  /// Whether there is something to do in it for this person: of what is for each, an own part. Whoever submitted it
  /// waits.
  package func isOpen(for member: Member) -> Bool {
    guard completed == nil, removed == nil, submitted?.by != member.id else { return false }
    let mine = mode == .each ? parts.first { $0.user == member.id } : nil
    return mine.map { !member.holds($0) } ?? true
  }

  /// Whether it is open for this member and theirs to do: made their work, or for each and nobody's. What somebody is
  /// on (`claim`) they have not been given. `people`: the members of the list, those who left too; asked only where
  /// somebody else's assignment decides. Throws what that throws.
  package func isWork<Failure: Error>(
    of member: Member, among people: (UserID) throws(Failure) -> Member?
  ) throws(Failure) -> Bool {
    guard member.role != nil, isOpen(for: member) else { return false }
    if assignees.contains(where: { $0.user == member.id && member.holds($0) }) { return true }
    guard mode == .each, member.sharesInAll else { return false }
    for assignment in assignees {
      if let other = try people(assignment.user), other.holds(assignment) { return false }
    }
    return true
  }
}
