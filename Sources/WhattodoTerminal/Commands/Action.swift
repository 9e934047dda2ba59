import Domain
import Sync

/// A category or a group as a person writes it: `#groceries`, `groceries`, or its number in `/lists`.
struct Reference: Equatable {
  /// The text without its leading `#`.
  let text: String
  /// Whether it was written with `#`. Then it is a list, never a group.
  let isList: Bool

  init(_ text: some StringProtocol) {
    isList = text.hasPrefix("#")
    self.text = String(isList ? text.dropFirst() : text[...])
  }
}

/// The request of a line. Its references are not looked up yet; a missing list means the open one.
enum Action: Equatable, Sendable {
  case help(String?)
  case quit
  case logout
  case lists
  case open(Reference)
  case show(Reference?, done: Bool)
  case showPost(Reference?, Int)
  /// Shows a value that the command would set if it had been given one.
  case look(Reference?, PostNumber, ShownField)
  case lookAtList(Reference?, ShownListField)
  case lookAtTag(Reference?, String)
  /// Shows the role of a person in a list or a group.
  case lookAtRole(String, in: Reference?)
  case bin(Reference?)
  /// Shows the lists and groups that are removed.
  case removedPlaces
  case who(Reference?)
  /// Shows the history of a post, or of the whole list or group.
  case history(Reference?, Int?)
  /// Finds posts with these words in all lists, or in one.
  case find(String, in: Reference?)
  /// Finds posts of a list that already have this title.
  case twins(Reference?, String)
  /// Shows the digest of a day for all lists.
  case digest(DigestWish)
  /// Shows who has completed how much in a list or a group.
  case stats(Reference?, StatsSpan, StatsView)
  /// Shows posts of all lists that meet a condition.
  case view(ViewWish)
  /// Shows or changes the named views.
  case filter(FilterStep)
  case me
  case editMe(ProfileEdit)
  case groups
  case notifications
  case sessions
  /// Shows the server, and its operator's words about people's data.
  case privacy
  /// Shows the changes that the server refused, or takes a step with one of them.
  case unsent(UnsentStep?)
  case password
  case account(AccountStep)
  /// Writes all that is one's own into a new file.
  case export(String)

  /// Adds a post from a plain line, with the fields that its words name.
  case quickAdd(String)
  /// Adds the last such post again, without the fields that were made of these words, or of any words.
  case plain([String])
  /// Adds a post with exactly this title.
  case add(Reference?, title: String)
  case complete(Reference?, [PostNumber])
  /// Completes posts for everybody, also those that each person completes for themselves.
  case completeForAll(Reference?, [PostNumber])
  case reopen(Reference?, [PostNumber])
  case edit(Reference?, PostNumber, title: String)
  case addStep(Reference?, Int, String)
  /// Moves posts among the open ones, or a step among the steps of its post.
  case move(Reference?, [PostNumber], MoveTarget)
  /// Moves lists among one's own lists.
  case moveLists([Reference], ListTarget)
  /// Copies posts into the same list, or into another one.
  case copy(Reference?, [Int], to: Reference?)
  case copyList(Reference, CopyWish)
  case note(Reference?, Int, notes: String)
  /// Sets when a post is due; nil takes the due away.
  case due(Reference?, Int, DueWish?)
  case repeating(Reference?, Int, RepeatWish)
  /// Claims posts for a number of minutes; nil leaves the length to the server.
  case claim(Reference?, [Int], minutes: Int?)
  case claimNext(Reference?, minutes: Int?)
  case release(Reference?, [Int])
  /// Leaves out this time of posts that come again.
  case skip(Reference?, [Int])
  /// Sets fields of a post that need nothing but the words of the command.
  case set(Reference?, Int, PostEdit)
  case editList(Reference?, CategoryEdit)
  /// Changes what one has said of a post to oneself.
  case personal(Reference?, Int, PersonalWish)
  case settings(SettingsWish)
  case remove(Reference?, [PostNumber])
  case restore(Reference?, [Int])
  /// Purges posts from the bin at once.
  case purge(Reference?, [Int])
  /// Puts tags on posts; tags that do not exist are made.
  case tag(Reference?, [Int], [String])
  case untag(Reference?, [Int], [String])
  /// Takes all tags off a post.
  case untagAll(Reference?, Int)
  /// Assigns posts to people by their usernames.
  case assign(Reference?, [Int], [String])
  case unassign(Reference?, [Int], [String])
  case unassignAll(Reference?, Int)
  case tags(Reference?)
  case changeTag(Reference?, String, TagStep)
  case undo(Reference?)
  case redo(Reference?)
  case newList(String, group: Reference?)
  case renameList(Reference?, String)
  case removeList(Reference)
  case archiveList(Reference)
  case unarchiveList(Reference)
  /// Shows the archived lists.
  case archived
  /// Makes several changes as one.
  indirect case together([Action])
  /// The inner action for these times of a post that comes again.
  indirect case times(Times, Action)
  /// Restores lists by their names, or by their numbers in `/bin lists`.
  case restoreLists([Reference])
  /// Shows the group with this name or number. When there is none, makes a new one.
  case group(String)
  case newGroup(String)
  case renameGroup(Reference, String)
  case removeGroup(Reference)
  case restoreGroup(Reference)
  case invite(String, Role, to: Reference?)
  case code(CodeStep)
  case reach(ReachStep)
  case revoke(String, from: Reference?)
  case setRole(String, Role, in: Reference?)
  case removeMember(String, from: Reference?)
  case leave(Reference?, successor: String? = nil)
  case accept(Int?)
  case decline(Int?)
  case closeSession(Int)
  case way(WayStep)
  /// Recovers an account that one has not signed in to; possible only before the chat.
  case recover

  /// Whether the action can run before the lists are loaded; all others wait for them.
  var needsNoLists: Bool {
    switch self {
    case .help, .quit, .logout, .recover: true
    default: false
    }
  }
}

/// The place to which something moves among others of its kind.
enum MoveTarget: Equatable {
  case top
  case bottom
  case before(PostNumber)
  /// Moves posts to another list; steps cannot go there.
  case list(Reference)
}

/// The place to which lists move among one's own.
enum ListTarget: Equatable {
  case top
  case bottom
  case before(Reference)
}

/// A step with invitations by code.
enum CodeStep: Equatable {
  case make(Role, uses: Int, to: Reference?)
  case join(String)
  case list(Reference?)
  /// Revokes a code by its number in `/codes`.
  case revoke(Int, from: Reference?)
}

/// A step with a code or a link that lets somebody in.
enum WayStep: Equatable {
  /// Makes a code that signs in another device of one's own.
  case pair
  /// Makes a link by which whoever has it can look at a list.
  case link(Reference?, days: Int)
  case links(Reference?)
  /// Takes back a link by its number in `/links`.
  case unlink(Int, from: Reference?)
  /// Gives a guest a username to keep, with a code where registration needs one. Without it the code is asked for.
  case upgrade(String, code: String? = nil)
}

/// A step with the people who may not invite one.
enum ReachStep: Equatable {
  case blocks
  case block(String)
  case unblock(String)
}

/// The wishes for the copy of a list.
struct CopyWish: Equatable {
  /// The name of the copy; nil means the list's name and ` copy`.
  var name: String?
  /// Whether completed posts are copied too, as open ones.
  var withDone = false
  /// When the first post of the copy is due; nil keeps the dues of the list.
  var firstDue: DueWish?
}

/// A step with the named views.
enum FilterStep: Equatable {
  case list
  case show(String)
  /// Shows the words of a view.
  case look(String)
  case save(String, FilterWish)
  case remove(String)
}

/// A step with one's own account.
enum AccountStep: Equatable {
  case show
  /// Ends the account. The username is repeated, so that nobody does it by accident.
  case delete(String)
  case keep
}

/// A step with a refused change, named by its number in `/unsent`.
enum UnsentStep: Equatable {
  case again(Int)
  case drop(Int)
  case choose(Int, Conflict.Choice)
}

/// A step with a tag.
enum TagStep: Equatable {
  case rename(String)
  case color(Color)
  case remove
}

/// A line that names a command but does not match its usage.
struct UsageError: Error, Equatable {
  let command: String
  let usage: String
  /// An example of words that would be right; empty where `usage` says enough.
  let hint: String

  /// Returns the message for the person. `slash` shows the command as it is typed in a chat.
  func sentence(slash: Bool) -> String {
    "usage: " + (slash ? "/" : "") + command + (usage.isEmpty ? "" : " " + usage)
      + (hint.isEmpty ? "" : ": " + hint)
  }
}
