/// The changes of a category as a whole.
package enum CategoryMethod: String, MethodFamily {
  case add = "category.add"
  case edit = "category.edit"
  case remove = "category.remove"
  case restore = "category.restore"
  case archive = "category.archive"
  case unarchive = "category.unarchive"
  case move = "category.move"

  package var row: MethodRow {
    switch self {
    // The role is asked for in the group to which the category is added.
    case .add, .edit: .change(from: .editor)
    case .remove: .ending(from: .owner, inArchive: true)
    case .restore: .change(from: .owner, inArchive: true)
    case .archive: .ending(from: .admin, inArchive: true)
    case .unarchive: .change(from: .admin, inArchive: true)
    // This orders the caller's own lists.
    case .move: .change(from: .viewer, inArchive: true)
    }
  }
}
