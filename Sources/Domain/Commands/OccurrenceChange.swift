/// Which occurrence of a post is meant.
package struct OccurrenceName: Equatable, Sendable, ExpressibleByIntegerLiteral {
  package let number: Int
  /// When it is due by the rule, as far as whoever means it knows; nil: whenever that is. Of one that was only worked
  /// out to come next, another one may have the number by then: what was missed meanwhile is left out.
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

/// What is done to one occurrence of a post that comes again, by its name: never to another one, even when
/// somebody else was faster (protocol §8).
package enum OccurrenceChange: Equatable, Sendable {
  case complete
  /// For everybody, of one that is for each.
  case completeForAll
  /// With the last open one the occurrence is completed.
  case finish(StepID)
  /// Of all fields of the post; a due alone is for this once.
  case edit(PostEdit)
  /// It is left out.
  case skip
  /// The same, of who removes this one and not all; the last one goes with its post.
  case remove

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .complete, .completeForAll: .postComplete
    case .finish: .stepComplete
    case .edit: .postEdit
    case .skip: .postSkip
    case .remove: .postRemove
    }
  }
}

extension Command {
  package static func changeOccurrence(
    _ category: CategoryID, _ post: PostID, _ number: Int, _ change: OccurrenceChange,
    ifVersion: Int? = nil
  ) -> Command {
    .changePost(
      PostAddress(category: category, post: post), .occurrence(OccurrenceName(number), change),
      ifVersion: ifVersion)
  }

  /// Completes the occurrence that somebody sees, or the post when it does not come again. `isForAll`: a post that is
  /// for each, or its occurrence, for everybody; it says nothing of a step.
  package static func complete(
    _ post: Post, in category: CategoryID, step: StepID? = nil, isForAll: Bool = false
  ) -> Command {
    let address = PostAddress(category: category, post: post.id)
    guard let occurrence = post.occurrence, post.completed == nil else {
      let whole = isForAll ? PostChange.completeForAll : .complete
      let change = step.map { PostChange.step($0, .complete) } ?? whole
      return .changePost(address, change, ifVersion: nil)
    }
    let whole = isForAll ? OccurrenceChange.completeForAll : .complete
    let change = step.map { OccurrenceChange.finish($0) } ?? whole
    return .changePost(
      address, .occurrence(OccurrenceName(occurrence.number), change), ifVersion: nil)
  }
}
