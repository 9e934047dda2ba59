/// One change of a post's steps, past tense (protocol §7). What is said of a step that is not there
/// changes nothing.
package enum StepOp: Equatable, Sendable {
  /// As the last one.
  case added(Step)
  case edited(StepID, content: String)
  case removed(StepID)
  /// In front of that one; nil, or one that is not there: behind all others.
  case moved(StepID, before: StepID?)
  case completed([StepID], StepFinish)
  case reopened(StepID)
  /// All of them, as they are now: what an undo did.
  case set([Step])
}
