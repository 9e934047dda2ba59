/// The changes that are of no family.
package enum SingleMethod: String, MethodFamily {
  case batch
  case undo
  case markRead = "notification.read"

  package var row: MethodRow {
    switch self {
    case .batch: .change(inBatch: false)
    case .undo: .change(from: .doer, inBatch: false)
    case .markRead: .change(from: .viewer, inArchive: true)
    }
  }
}
