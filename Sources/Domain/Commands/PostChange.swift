/// The address of one post in one list.
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
  /// The other fields that are set. Its title and notes are not used.
  package var fields: PostEdit
  /// The source of a post that comes from another program.
  var source: Source?

  package init(title: String, notes: String = "", fields: PostEdit = PostEdit()) {
    self.title = title
    self.notes = notes
    self.fields = fields
  }
}

/// A change of a post that exists. All of these share the place of their answer, what they need and what waits for
/// them, so a new one has to be added at `method`, in `decide` and in `Wire` only.
package enum PostChange: Equatable, Sendable {
  case edit(PostEdit)
  /// Completes a post, or the caller's own part of a post that is for each.
  case complete
  /// Completes a post that is for each for everybody, whoever has not completed their part.
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
  /// Moves the post between two others, as the caller sees them, or with one of them to that end of the list. At least
  /// one is given.
  case move(after: PostID?, before: PostID?)
  /// Moves the post to another list.
  case moveTo(CategoryID)
  /// Makes a new post like it, in this list or another, due this number of days later.
  case copy(as: PostID, to: CategoryID, days: Int = 0)
  /// Claims the post for this time, unless it is claimed again.
  case claim(milliseconds: Int64)
  case release
  /// Takes back the last completed occurrence of a post that comes again. It names the event that completed it.
  case takeBack(event: Int64)
  case run(RunID, RunChange)
  case contest(ContestChange)

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .edit: .post(.edit)
    case .complete, .completeForAll: .post(.complete)
    case .reopen: .post(.reopen)
    case .remove: .post(.remove)
    case .restore: .post(.restore)
    case .erase: .post(.erase)
    case .step(_, let change): change.method
    case .tag: .post(.tag)
    case .untag: .post(.untag)
    case .assign: .post(.assign)
    case .unassign: .post(.unassign)
    case .occurrence(_, let change): change.method
    case .move: .post(.move)
    case .moveTo: .post(.moveTo)
    case .copy: .post(.copy)
    case .claim: .post(.claim)
    case .release: .post(.release)
    case .takeBack: .post(.takeBack)
    case .run(_, let change): change.method
    case .contest(let change): change.method
    }
  }
}

extension Command {
  /// The one post that the command makes or changes. Nil for other commands.
  package var post: PostAddress? {
    switch self {
    case .post(.add(let address, _)), .post(.change(let address, _, ifVersion: _)): address
    default: nil
    }
  }

  /// The edit of a post's texts in the command. Nil when it leaves the notes alone.
  package var notesEdit: PostEdit? {
    guard case .post(.change(_, .edit(let edit), ifVersion: _)) = self, edit.notes != nil else {
      return nil
    }
    return edit
  }

  /// The notes that the command writes. Nil when it writes none.
  package var notes: String? {
    if case .post(.add(_, let new)) = self { return new.notes }
    return notesEdit?.notes
  }
}
