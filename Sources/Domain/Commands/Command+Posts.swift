// Short spellings for changes of one post, for callers that know which post is meant.
extension Command {
  package static func editPost(
    _ category: CategoryID, _ post: PostID, _ edit: PostEdit, ifVersion: Int?
  ) -> Command {
    .post(.change(category, post, .edit(edit), ifVersion: ifVersion))
  }

  package static func completePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    .post(.change(category, post, .complete, ifVersion: ifVersion))
  }

  package static func reopenPost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    .post(.change(category, post, .reopen, ifVersion: ifVersion))
  }

  package static func removePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    .post(.change(category, post, .remove, ifVersion: ifVersion))
  }

  package static func restorePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    .post(.change(category, post, .restore, ifVersion: ifVersion))
  }

  package static func erasePost(_ category: CategoryID, _ post: PostID) -> Command {
    .post(.change(category, post, .erase))
  }

  package static func movePost(
    _ category: CategoryID, _ post: PostID, to other: CategoryID, ifVersion: Int? = nil
  ) -> Command {
    .post(.change(category, post, .moveTo(other), ifVersion: ifVersion))
  }

  package static func movePost(
    _ category: CategoryID, _ post: PostID, after upper: PostID?, before lower: PostID?,
    ifVersion: Int? = nil
  ) -> Command {
    .post(.change(category, post, .move(after: upper, before: lower), ifVersion: ifVersion))
  }
}
