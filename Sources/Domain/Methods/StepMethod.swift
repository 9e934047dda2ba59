/// The changes of one step of a post.
package enum StepMethod: String, MethodFamily {
  case add = "step.add"
  case edit = "step.edit"
  case remove = "step.remove"
  case move = "step.move"
  case complete = "step.complete"
  case reopen = "step.reopen"

  package var row: MethodRow {
    switch self {
    case .add, .edit, .move: .change(from: .editor)
    case .remove: .ending(from: .editor)
    case .complete, .reopen: .ending(from: .doer)
    }
  }
}
