/// What is done to one step of a post (protocol §8, `step.…`). The post may change with it: the last open step
/// that is finished completes it, one that is added or reopened reopens it.
package enum StepChange: Equatable, Sendable {
  /// As the last one.
  case add(content: String)
  case edit(content: String)
  case remove
  /// In front of that one; nil: behind all others.
  case move(before: StepID?)
  case complete
  case reopen

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .add: .stepAdd
    case .edit: .stepEdit
    case .remove: .stepRemove
    case .move: .stepMove
    case .complete: .stepComplete
    case .reopen: .stepReopen
    }
  }
}

extension Command {
  package static func changeStep(
    _ category: CategoryID, _ post: PostID, _ step: StepID, _ change: StepChange,
    ifVersion: Int? = nil
  ) -> Command {
    .changePost(
      PostAddress(category: category, post: post), .step(step, change), ifVersion: ifVersion)
  }
}
