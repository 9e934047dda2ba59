/// Whose work a post is, and the event that made it so.
///
/// It ends with the access of the person, in the same transaction and without an event for each of perhaps
/// thousands of posts: it counts only while the person is a member, and only if they have not come in anew since.
/// So whoever comes back has nothing to do until somebody gives it to them.
package struct Assignment: Equatable, Sendable {
  package let user: UserID
  package let seq: Int64

  package init(user: UserID, seq: Int64) {
    self.user = user
    self.seq = seq
  }
}

extension Member {
  /// Whether it counts. Of this person's assignments.
  package func holds(_ assignment: Assignment) -> Bool {
    role != nil && joinedSeq <= assignment.seq
  }
}

extension [Assignment] {
  package func contains(_ user: UserID) -> Bool { contains { $0.user == user } }

  /// By user, each once.
  func with(_ assignment: Assignment) -> [Assignment] {
    (filter { $0.user != assignment.user } + [assignment]).sorted { $0.user < $1.user }
  }
}
