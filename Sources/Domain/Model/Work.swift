// Says what one person has to do in a post (protocol §8 `category.list`). The badges of the server and the screen of a
// client count it by the same rule.

/// The number of a person's open posts to do in a list. It is counted up to `Limits.workCountMax`; beyond that `more`
/// is true (shown as `1000+`).
package struct WorkCount: Equatable, Sendable {
  package let count: Int
  package let more: Bool

  package static let none = WorkCount(count: 0, more: false)

  package init(count: Int, more: Bool) {
    self.count = count
    self.more = more
  }

  /// Adds the work of several lists.
  package static func + (left: WorkCount, right: WorkCount) -> WorkCount {
    WorkCount(count: left.count + right.count, more: left.more || right.more)
  }
}

extension Counters {
  /// Adds the counters of several lists.
  package static func + (left: Counters, right: Counters) -> Counters {
    Counters(
      open: left.open + right.open, done: left.done + right.done,
      overdue: left.overdue + right.overdue)
  }
}

extension Post {
  /// Answers whether this person can still do something in the post. In a post that is for each, it is their own part.
  /// A person who has submitted the post waits and has nothing to do.
  package func isOpen(for member: Member) -> Bool {
    guard completed == nil, removed == nil, submitted?.by != member.id else { return false }
    let mine = mode == .each ? parts.first { $0.user == member.id } : nil
    return mine.map { !member.holds($0) } ?? true
  }

  /// Answers whether the post is open for this member and theirs to do: it is assigned to them, or it is nobody's and
  /// for each with their role. A person who has joined a race is in it, and one who has withdrawn is not. A claim does
  /// not make it theirs. `people` answers the members of the list, also those who left; it is asked only where somebody
  /// else's assignment decides. Throws what `people` throws.
  package func isWork<Failure: Error>(
    of member: Member, among people: (UserID) throws(Failure) -> Member?
  ) throws(Failure) -> Bool {
    guard let role = member.role, isOpen(for: member) else { return false }
    if let isIn = isInRace(member) { return isIn && Permission.allows(role, .post(.complete)) }
    if assignees.contains(where: { $0.user == member.id && member.holds($0) }) { return true }
    guard mode == .each, isShared(with: member) else { return false }
    for assignment in assignees {
      if let other = try people(assignment.user), other.holds(assignment) { return false }
    }
    return true
  }

  /// Answers whether the post is the member's work, done or not, or watched by them. `personal` is all that they have
  /// said of it.
  package func concerns(_ member: Member, _ personal: Personal?) -> Bool {
    assignees.contains { $0.user == member.id && member.holds($0) } || personal?.watch == true
  }
}
