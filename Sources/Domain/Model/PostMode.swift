// The mode says who has to complete a post (DESIGN §3). Mostly one person does it for all. When a post is for each,
// everybody has a part of their own: homework, or something that everybody has to read. A part is a completion of its
// own in the post (`PostPart`), so a hundred people make a hundred small events and one post. The post is completed
// with the last part. A post may be for the members of one role: a teacher, the owner, gives homework to the pupils,
// and has no part in it. Who has a part is worked out when somebody completes one (Decide/Parts.swift), so no event is
// needed when people come and go, and when their roles change.

/// The way in which people do a post together.
package enum PostMode: String, CaseIterable, Sendable {
  /// Every assignee completes it for themselves. When the post has no assignee, everybody in the list does, or
  /// everybody with the post's role (`Post.modeRole`).
  case each
}

/// The person who has completed their own part of a post, when, and the event that says so.
package struct PostPart: Equatable, Sendable {
  package let user: UserID
  package let at: Timestamp
  package let seq: Int64

  package init(user: UserID, at: Timestamp, seq: Int64) {
    self.user = user
    self.at = at
    self.seq = seq
  }
}

extension Member {
  /// Answers whether this part of the member counts, as for an `Assignment`.
  package func holds(_ part: PostPart) -> Bool { role != nil && joinedSeq <= part.seq }

  /// Whether this member has a part in posts that are nobody's work. Programs have one only in posts that are assigned
  /// to them.
  package var sharesInAll: Bool {
    guard kind == .person, let role else { return false }
    return Permission.allows(role, .post(.complete))
  }
}

extension Role {
  /// The roles for which a post may be meant, weakest first: those that may complete posts.
  package static let withParts = allCases.filter { Permission.allows($0, .post(.complete)) }
}

extension Post {
  /// Answers whether the member has a part in this post, if it is for each and nobody's work.
  package func isShared(with member: Member) -> Bool {
    member.sharesInAll && (modeRole == nil || modeRole == member.role)
  }
}

extension [PostPart] {
  package func contains(_ user: UserID) -> Bool { contains { $0.user == user } }

  /// Returns the parts with this one, by user, each user once.
  func with(_ part: PostPart) -> [PostPart] {
    (filter { $0.user != part.user } + [part]).sorted { $0.user < $1.user }
  }
}

extension Post {
  mutating func completePart(of user: UserID, by event: Event) {
    parts = parts.with(PostPart(user: user, at: event.at, seq: event.seq))
    // The claim was for this part, and the part is done.
    if claim?.user == user { claim = nil }
  }

  func partMarks(to wanted: Post) -> [PostMark] {
    parts.filter { !wanted.parts.contains($0.user) }.map { .partReopened($0.user) }
      + wanted.parts.filter { !parts.contains($0.user) }.map { .partCompleted($0.user) }
  }

  /// Returns the people whose part is completed in only one of the two posts.
  func partsUnlike(_ other: Post) -> [UserID] {
    let (mine, theirs) = (Set(parts.map(\.user)), Set(other.parts.map(\.user)))
    return mine.symmetricDifference(theirs).sorted()
  }

  /// Takes back parts for an undo, each by itself, when the repetition has gone back as far as it can: parts of one
  /// occurrence are no parts of another. A part that was completed anew goes too: the earlier one did not count any
  /// more.
  mutating func takeBackParts(_ after: Post, to before: Post) -> Bool {
    let made = after.parts.filter { !before.parts.contains($0) }.map(\.user)
    guard !made.isEmpty || after.parts.map(\.user) != before.parts.map(\.user) else { return true }
    guard occurrence?.number == before.occurrence?.number, mode == before.mode else {
      return parts.map(\.user) == before.parts.map(\.user)
    }
    parts.removeAll { made.contains($0.user) && !before.parts.contains($0) }
    for part in before.parts where !after.parts.contains(part.user) && !parts.contains(part.user) {
      parts = parts.with(part)
    }
    return true
  }
}
