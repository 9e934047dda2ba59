/// The changes that are of no family.
package enum SingleMethod: String, MethodFamily {
  case batch
  case undo
  case markRead = "notification.read"
  case react = "event.react"

  package var row: MethodRow {
    switch self {
    case .batch: .change(inBatch: false)
    case .undo: .change(from: .doer, inBatch: false)
    case .markRead: .change(from: .viewer, inArchive: true)
    // This reads the log, as an undo does.
    case .react: .change(from: .commenter, inBatch: false)
    }
  }
}
