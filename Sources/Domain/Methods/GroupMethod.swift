/// The changes of a group as a whole.
package enum GroupMethod: String, MethodFamily {
  case add = "group.add"
  case edit = "group.edit"
  case remove = "group.remove"
  case restore = "group.restore"

  package var row: MethodRow {
    switch self {
    case .add: .change()
    case .edit: .change(from: .admin)
    case .remove: .ending(from: .owner)
    case .restore: .change(from: .owner)
    }
  }
}
