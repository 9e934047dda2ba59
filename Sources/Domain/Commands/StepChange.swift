/// A change of one step of a post (protocol §8, `step.…`). The post may change with it: finishing the last open step
/// completes the post, and adding or reopening a step reopens it.
package enum StepChange: Equatable, Sendable {
  /// Adds a step behind all others.
  case add(content: String)
  case edit(content: String)
  case remove
  /// Moves the step in front of that one. Nil: behind all others.
  case move(before: StepID?)
  case complete
  case reopen

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .add: .step(.add)
    case .edit: .step(.edit)
    case .remove: .step(.remove)
    case .move: .step(.move)
    case .complete: .step(.complete)
    case .reopen: .step(.reopen)
    }
  }
}

extension Command {
  package static func changeStep(
    _ category: CategoryID, _ post: PostID, _ step: StepID, _ change: StepChange,
    ifVersion: Int? = nil
  ) -> Command {
    .post(
      .change(
        PostAddress(category: category, post: post), .step(step, change), ifVersion: ifVersion))
  }
}
