/// Something that was put on a post or taken off it again. Each is an element of one of the post's sets, and every
/// element changes by itself.
package enum PostMark: Equatable, Sendable {
  case tagged(TagID)
  case untagged(TagID)
  /// The person is assigned now, whatever was before.
  case assigned(UserID)
  case unassigned(UserID)
  /// Somebody says that its occurrence is done, which an admin has to confirm.
  case submitted(Stamp)
  /// The submission does not count: the occurrence is not done, or not yet.
  case returned
  /// A person has completed their own part of a post that is for each.
  case partCompleted(UserID)
  case partReopened(UserID)

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .tagged: .post(.tag)
    case .untagged: .post(.untag)
    case .assigned: .post(.assign)
    case .unassigned: .post(.unassign)
    case .submitted: .post(.complete)
    case .returned: .post(.reopen)
    case .partCompleted: .post(.complete)
    case .partReopened: .post(.reopen)
    }
  }
}

extension Post {
  mutating func apply(_ mark: PostMark, of event: Event) {
    switch mark {
    case .tagged(let tag): tags = tags.with(tag)
    case .untagged(let tag): tags.removeAll { $0 == tag }
    case .assigned(let user):
      assignees = assignees.with(Assignment(user: user, seq: event.seq))
    case .unassigned(let user): assignees.removeAll { $0.user == user }
    case .submitted, .returned: applyToSubmission(mark)
    case .partCompleted(let user): completePart(of: user, by: event)
    case .partReopened(let user): parts.removeAll { $0.user == user }
    }
  }

  /// Returns the marks that bring the sets of this post to those of the other, in the order of their elements.
  func marks(to wanted: Post) -> [PostMark] {
    tags.filter { !wanted.tags.contains($0) }.map { .untagged($0) }
      + wanted.tags.filter { !tags.contains($0) }.map { .tagged($0) }
      + assignees.filter { !wanted.assignees.contains($0.user) }.map { .unassigned($0.user) }
      + wanted.assignees.filter { !assignees.contains($0.user) }.map { .assigned($0.user) }
      + submissions(to: wanted)
      + partMarks(to: wanted)
  }

  /// Answers whether the same marks are on both posts.
  package func hasMarks(of other: Post) -> Bool {
    hasSets(of: other)
      && submitted == other.submitted && parts.map(\.user) == other.parts.map(\.user)
      && amounts == other.amounts
  }
}

extension Post {
  /// Answers whether both have the same tags and assignees, whatever was completed or submitted.
  func hasSets(of other: Post) -> Bool {
    tags == other.tags && assignees.map(\.user) == other.assignees.map(\.user)
  }
}
