// Short spellings for changes of one post, for callers that know which post is meant.
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
    changePost(category, post, .edit(edit), ifVersion: ifVersion)
  }

  package static func completePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    changePost(category, post, .complete, ifVersion: ifVersion)
  }

  package static func reopenPost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    changePost(category, post, .reopen, ifVersion: ifVersion)
  }

  package static func removePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    changePost(category, post, .remove, ifVersion: ifVersion)
  }

  package static func restorePost(
    _ category: CategoryID, _ post: PostID, ifVersion: Int?
  ) -> Command {
    changePost(category, post, .restore, ifVersion: ifVersion)
  }

  package static func erasePost(_ category: CategoryID, _ post: PostID) -> Command {
    changePost(category, post, .erase)
  }

  package static func movePost(
    _ category: CategoryID, _ post: PostID, to other: CategoryID, ifVersion: Int? = nil
  ) -> Command {
    changePost(category, post, .moveTo(other), ifVersion: ifVersion)
  }

  package static func movePost(
    _ category: CategoryID, _ post: PostID, after upper: PostID?, before lower: PostID?,
    ifVersion: Int? = nil
  ) -> Command {
    changePost(category, post, .move(after: upper, before: lower), ifVersion: ifVersion)
  }

  package static func changePost(
    _ category: CategoryID, _ post: PostID, _ change: PostChange, ifVersion: Int? = nil
  ) -> Command {
    .changePost(PostAddress(category: category, post: post), change, ifVersion: ifVersion)
  }
}
