/// A change of the run of a post (protocol §8, `run.…`).
package enum RunChange: Equatable, Sendable {
  /// Starts the run. It is lost when nothing was heard of it for `lease` milliseconds.
  case start(lease: Int64, phase: String?)
  case phase(String)
  /// Ends the run. The outcome is one of `RunOutcome.told`.
  case end(RunOutcome, text: String?)

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .start: .run(.start)
    case .phase: .run(.phase)
    case .end: .run(.end)
    }
  }
}

extension Command {
  package static func changeRun(
    _ category: CategoryID, _ post: PostID, _ run: RunID, _ change: RunChange
  ) -> Command {
    .post(
      .change(
        PostAddress(category: category, post: post), .run(run, change), ifVersion: nil))
  }
}
