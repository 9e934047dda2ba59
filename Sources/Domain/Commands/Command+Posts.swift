// The changes of posts by their names, for whoever knows which one is meant.
extension Command {
  package static func addPost(
    _ category: CategoryID, _ post: PostID, title: String, notes: String
  ) -> Command {
    .addPost(
      PostAddress(category: category, post: post), NewPost(title: title, notes: notes))
  }

  package static func editPost(
    _ category: CategoryID, _ post: PostID, _ edit: PostEdit, ifVersion: Int?
  ) -> Command {
    change(category, post, .edit(edit), ifVersion)
  }

  package static func completePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    change(category, post, .complete, ifVersion)
  }

  package static func reopenPost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    change(category, post, .reopen, ifVersion)
  }

  package static func removePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    change(category, post, .remove, ifVersion)
  }

  package static func restorePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    change(category, post, .restore, ifVersion)
  }

  package static func erasePost(_ category: CategoryID, _ post: PostID) -> Command {
    change(category, post, .erase, nil)
  }

  private static func change(
    _ category: CategoryID, _ post: PostID, _ change: PostChange, _ version: Int?
  ) -> Command {
    .changePost(PostAddress(category: category, post: post), change, ifVersion: version)
  }
}
