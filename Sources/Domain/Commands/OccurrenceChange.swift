/// The name of one occurrence of a post.
package struct OccurrenceName: Equatable, Sendable, ExpressibleByIntegerLiteral {
  package let number: Int
  /// The due of the occurrence by the rule, as far as the caller knows it. Nil: any due. It is needed for an occurrence
  /// that was only worked out to come: by then another one may have its number, because occurrences that were missed
  /// meanwhile are left out.
  package let due: Due?

  package init(_ number: Int, due: Due? = nil) {
    self.number = number
    self.due = due
  }

  package init(integerLiteral number: Int) { self.init(number) }

  func means(_ occurrence: Occurrence) -> Bool {
    number == occurrence.number && (due == nil || due == occurrence.due)
  }
}

/// A change of one occurrence of a post that comes again. It names the occurrence, so it never changes another one,
/// even when somebody else was faster (protocol §8).
package enum OccurrenceChange: Equatable, Sendable {
  case complete
  /// Completes the occurrence for everybody, when the post is for each.
  case completeForAll
  /// Finishes a step. Finishing the last open step completes the occurrence.
  case finish(StepID)
  /// Says how far somebody is in this occurrence. That may complete it.
  case reach(ContestChange.Reach)
  /// Edits any fields of the post. An edit of the due alone counts for this occurrence only.
  case edit(PostEdit)
  /// Leaves the occurrence out.
  case skip
  /// Leaves the occurrence out too, for a person who removes this one and not all. Removing the last one removes the
  /// post.
  case remove

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .complete, .completeForAll: .post(.complete)
    case .finish: .step(.complete)
    case .reach: .contest(.reach)
    case .edit: .post(.edit)
    case .skip: .post(.skip)
    case .remove: .post(.remove)
    }
  }
}

extension Command {
  package static func changeOccurrence(
    _ category: CategoryID, _ post: PostID, _ number: Int, _ change: OccurrenceChange,
    ifVersion: Int? = nil
  ) -> Command {
    .post(
      .change(
        PostAddress(category: category, post: post), .occurrence(OccurrenceName(number), change),
        ifVersion: ifVersion))
  }

  /// Completes the occurrence that somebody sees, or the post when it does not come again. `isForAll` completes a post
  /// that is for each, or its occurrence, for everybody; it has no effect on a step.
  package static func complete(
    _ post: Post, in category: CategoryID, step: StepID? = nil, isForAll: Bool = false
  ) -> Command {
    let address = PostAddress(category: category, post: post.id)
    guard let occurrence = post.occurrence, post.completed == nil else {
      let whole = isForAll ? PostChange.completeForAll : .complete
      let change = step.map { PostChange.step($0, .complete) } ?? whole
      return .post(.change(address, change, ifVersion: nil))
    }
    let whole = isForAll ? OccurrenceChange.completeForAll : .complete
    let change = step.map { OccurrenceChange.finish($0) } ?? whole
    return .post(
      .change(
        address, .occurrence(OccurrenceName(occurrence.number), change), ifVersion: nil))
  }
}
