import Domain
import Sync

/// The plan of a command, before anything is sent.
enum Plan {
  /// Shows a view of the copies.
  case show(View)
  case send([PlannedRequest])
  case open(Category)
  case help(String?)
  case quit
  /// Leaves the view of talk.
  case back
  case logout
  case password
  /// Asks for the password, then deletes the account. The username that was typed is the person's own.
  case deleteAccount
  case recover
  /// Gives a guest this name, and a password that is asked for.
  case upgrade(String, code: String?)
  /// Takes a step with a refused change.
  case decide(UnsentCommand, UnsentStep)
}

/// A view of what the copies hold.
enum View {
  case lists
  case posts(Category, done: Bool)
  /// A post with its steps.
  case post(Post, Category)
  case value(ShownValue)
  case tags(Category)
  /// The talk of a list or a group, all of it or about one post.
  case talk(ListOrGroup, about: Post?)
  /// A line of talk with the people who gave signs to it.
  case line(TalkLine, ListOrGroup)
  case groups
  /// A group with its lists.
  case group(Group)
  case unsent
  case blocks
  case archived
  case filters
  case settings
  /// The lists, groups and people about which one has chosen a level.
  case levels
  case account
}
