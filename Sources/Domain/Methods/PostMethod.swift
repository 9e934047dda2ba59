/// The changes of a post, without those of its steps.
package enum PostMethod: String, MethodFamily {
  case add = "post.add"
  case edit = "post.edit"
  case complete = "post.complete"
  case reopen = "post.reopen"
  case takeBack = "post.take_back"
  case skip = "post.skip"
  case remove = "post.remove"
  case restore = "post.restore"
  case erase = "post.erase"
  case move = "post.move"
  case moveTo = "post.move_to"
  case copy = "post.copy"
  case tag = "post.tag"
  case untag = "post.untag"
  case assign = "post.assign"
  case unassign = "post.unassign"
  case claim = "post.claim"
  case release = "post.release"
  case claimNext = "post.claim_next"
  case importUpsert = "import.upsert"

  package var row: MethodRow {
    switch self {
    case .add, .edit, .restore, .tag, .untag, .assign, .unassign, .importUpsert:
      .change(from: .editor)
    case .remove, .skip: .ending(from: .editor)
    case .complete, .reopen, .release: .ending(from: .doer)
    // This reads the log, as an undo does.
    case .takeBack: .change(from: .doer, inBatch: false, makesRoom: true)
    case .claim, .claimNext: .change(from: .doer)
    // Editors and admins may erase only posts that they added themselves.
    case .erase: .change(from: .editor, inBatch: false, makesRoom: true, inArchive: true)
    // The role counts in both lists.
    case .move, .moveTo: .change(from: .editor)
    case .copy: .change(from: .editor, inArchive: true)
    }
  }
}
