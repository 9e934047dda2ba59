/// The changes of the run of a post.
package enum RunMethod: String, MethodFamily {
  case start = "run.start"
  case phase = "run.phase"
  case end = "run.end"

  package var row: MethodRow {
    switch self {
    case .start, .phase: .change(from: .doer)
    case .end: .ending(from: .doer)
    }
  }
}
