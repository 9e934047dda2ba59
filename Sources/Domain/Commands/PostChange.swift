/// One post of one list.
package struct PostAddress: Hashable, Sendable {
  package let category: CategoryID
  package let post: PostID

  package init(category: CategoryID, post: PostID) {
    self.category = category
    self.post = post
  }

  package var stream: StreamID { .category(category) }
}

/// The fields of a post that is added.
package struct NewPost: Equatable, Sendable {
  package var title: String
  package var notes: String
  /// The other fields that are set; of title and notes it says nothing.
  package var fields: PostEdit
  /// The source of a post that comes from elsewhere.
  var source: Source?

  package init(title: String, notes: String = "", fields: PostEdit = PostEdit()) {
    self.title = title
    self.notes = notes
    self.fields = fields
  }
}

/// A change of a post that there is. Where its answer lies, what it needs and what waits for it are the same
/// for all of them, so a new one is known at `method`, `decide` and in `Wire` only.
package enum PostChange: Equatable, Sendable {
  case edit(PostEdit)
  /// Completes a post; of one that is for each, the own part of who asks.
  case complete
  /// For everybody, whoever has not completed their part.
  case completeForAll
  case reopen
  case remove
  case restore
  /// Takes the text of the post out of its state and out of everything that is kept about it.
  case erase
  case step(StepID, StepChange)
  case tag(TagID)
  case untag(TagID)
  case assign(UserID)
  case unassign(UserID)
  /// Changes a post that comes again, only if this is its occurrence now.
  case occurrence(OccurrenceName, OccurrenceChange)
  /// Between two others, as who asks sees them; with one of them, to that end of the list. At least one.
  case move(after: PostID?, before: PostID?)
  /// To another list.
  case moveTo(CategoryID)
  /// A new post like it, in this list or another, due so many days later.
  case copy(as: PostID, to: CategoryID, days: Int = 0)
  /// For so long, unless it is claimed again.
  case claim(milliseconds: Int64)
  case release
  /// Takes back the last completed time of a post that comes again, by the event that says so.
  case takeBack(event: Int64)

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .edit: .postEdit
    case .complete, .completeForAll: .postComplete
    case .reopen: .postReopen
    case .remove: .postRemove
    case .restore: .postRestore
    case .erase: .postErase
    case .step(_, let change): change.method
    case .tag: .postTag
    case .untag: .postUntag
    case .assign: .postAssign
    case .unassign: .postUnassign
    case .occurrence(_, let change): change.method
    case .move: .postMove
    case .moveTo: .postMoveTo
    case .copy: .postCopy
    case .claim: .postClaim
    case .release: .postRelease
    case .takeBack: .postTakeBack
    }
  }
}

extension Command {
  /// The one post that it makes or changes.
  package var post: PostAddress? {
    switch self {
    case .addPost(let address, _), .changePost(let address, _, ifVersion: _): address
    default: nil
    }
  }

  /// The edit that it makes of a post's texts; nil when it leaves the notes alone.
  package var notesEdit: PostEdit? {
    guard case .changePost(_, .edit(let edit), ifVersion: _) = self, edit.notes != nil else {
      return nil
    }
    return edit
  }

  /// The notes that it writes.
  package var notes: String? {
    if case .addPost(_, let new) = self { return new.notes }
    return notesEdit?.notes
  }
}
