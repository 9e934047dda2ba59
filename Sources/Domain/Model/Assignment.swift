/// The person whose work a post is, and the event that made it so.
///
/// An assignment ends with the person's access, in the same transaction. There is no event for each of perhaps
/// thousands of posts. Instead an assignment counts only while the person is a member, and only if they have not come
/// in anew since. So a person who comes back has nothing to do until somebody gives it to them.
package struct Assignment: Equatable, Sendable {
  package let user: UserID
  package let seq: Int64

  package init(user: UserID, seq: Int64) {
    self.user = user
    self.seq = seq
  }
}

extension Member {
  /// Answers whether this assignment of the member counts.
  package func holds(_ assignment: Assignment) -> Bool {
    role != nil && joinedSeq <= assignment.seq
  }
}

extension [Assignment] {
  package func contains(_ user: UserID) -> Bool { contains { $0.user == user } }

  /// Returns the assignments with this one, by user, each user once.
  func with(_ assignment: Assignment) -> [Assignment] {
    (filter { $0.user != assignment.user } + [assignment]).sorted { $0.user < $1.user }
  }
}
