/// One change of a post's steps, in the past tense (protocol §7). A change of a step that is not there does nothing.
package enum StepOp: Equatable, Sendable {
  /// The step was added behind all others.
  case added(Step)
  case edited(StepID, content: String)
  case removed(StepID)
  /// The step was moved in front of that one. When `before` is nil or not there, it was moved behind all others.
  case moved(StepID, before: StepID?)
  case completed([StepID], StepFinish)
  case reopened(StepID)
  /// All steps are as they are here; an undo writes this.
  case set([Step])
}
