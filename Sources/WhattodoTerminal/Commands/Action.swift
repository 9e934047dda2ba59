import Domain
import Sync

/// A category or a group as a person writes it: `#groceries`, `groceries`, or its number in `/lists`.
struct Reference: Equatable {
  /// Without the leading `#`.
  let text: String
  /// Written with `#`: a list, never a group.
  let isList: Bool

  init(_ text: some StringProtocol) {
    isList = text.hasPrefix("#")
    self.text = String(isList ? text.dropFirst() : text[...])
  }
}

/// The request of a line; references are not looked up yet. A missing list means the open one.
enum Action: Equatable, Sendable {
  case help(String?)
  case quit
  case logout
  case lists
  case open(Reference)
  case show(Reference?, done: Bool)
  case showPost(Reference?, Int)
  /// A value that a command would set, had it been given one.
  case look(Reference?, PostNumber, ShownField)
  case lookAtList(Reference?, ShownListField)
  case lookAtTag(Reference?, String)
  /// The role of somebody in a list or a group.
  case lookAtRole(String, in: Reference?)
  case bin(Reference?)
  /// The lists and groups that are removed.
  case removedPlaces
  case who(Reference?)
  /// The history of a post by its number, or of the whole list or group.
  case history(Reference?, Int?)
  /// Posts with these words, in all lists or in one.
  case find(String, in: Reference?)
  /// Posts of a list that have this title already.
  case twins(Reference?, String)
  /// The digest of all lists of a day.
  case digest(DigestWish)
  /// Who has completed how much in a list or a group.
  case stats(Reference?, StatsSpan, StatsView)
  /// Posts of all lists by what they are.
  case view(ViewWish)
  /// Views with names.
  case filter(FilterStep)
  case me
  case editMe(ProfileEdit)
  case groups
  case notifications
  case sessions
  /// The words of the server's operator about people's data.
  case privacy
  /// The changes that the server refused, or a step with one of them.
  case unsent(UnsentStep?)
  case password
  case account(AccountStep)
  /// Into a new file.
  case export(String)

  /// A plain line: a post, with what its words say of it.
  case quickAdd(String)
  /// The last of these again, without what was made of these words, or of any.
  case plain([String])
  /// A title as it is.
  case add(Reference?, title: String)
  case complete(Reference?, [PostNumber])
  /// For everybody, also where it is for each.
  case completeForAll(Reference?, [PostNumber])
  case reopen(Reference?, [PostNumber])
  case edit(Reference?, PostNumber, title: String)
  case addStep(Reference?, Int, String)
  /// Posts among the open ones, or a step among those of its post.
  case move(Reference?, [PostNumber], MoveTarget)
  /// Among one's own lists.
  case moveLists([Reference], ListTarget)
  /// In the same list, or to another one.
  case copy(Reference?, [Int], to: Reference?)
  case copyList(Reference, CopyWish)
  case note(Reference?, Int, notes: String)
  /// Nil: at no time.
  case due(Reference?, Int, DueWish?)
  case repeating(Reference?, Int, RepeatWish)
  /// For so long; nil: as long as the server thinks right.
  case claim(Reference?, [Int], minutes: Int?)
  case claimNext(Reference?, minutes: Int?)
  case release(Reference?, [Int])
  /// Leaves out this time of posts that come again.
  case skip(Reference?, [Int])
  /// Fields of a post that are known from the words alone.
  case set(Reference?, Int, PostEdit)
  case editList(Reference?, CategoryEdit)
  /// To oneself.
  case personal(Reference?, Int, PersonalWish)
  case settings(SettingsWish)
  case remove(Reference?, [PostNumber])
  case restore(Reference?, [Int])
  /// Posts of the bin, at once.
  case purge(Reference?, [Int])
  /// Tags that there are not are made.
  case tag(Reference?, [Int], [String])
  case untag(Reference?, [Int], [String])
  /// All that it has.
  case untagAll(Reference?, Int)
  /// To people by their usernames.
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
  /// The archived lists.
  case archived
  /// Several, of which each is a change or more: they are made as one.
  indirect case together([Action])
  /// The same, where it is about posts that come again.
  indirect case times(Times, Action)
  /// By their names, or by their numbers in `/bin lists`.
  case restoreLists([Reference])
  /// The one that is called so, or has this number; where there is none, a new one.
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
  /// About an account that one has not signed in to: only before the chat.
  case recover

  /// Makes sense before the lists are there; whatever else there is waits for them.
  var needsNoLists: Bool {
    switch self {
    case .help, .quit, .logout, .recover: true
    default: false
    }
  }
}

/// Where something moves to among others of its kind.
enum MoveTarget: Equatable {
  case top
  case bottom
  case before(PostNumber)
  /// To another list; not of steps.
  case list(Reference)
}

/// Where lists move to among one's own.
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
  /// By its number in `/codes`.
  case revoke(Int, from: Reference?)
}

/// A code or a link, which lets somebody in.
enum WayStep: Equatable {
  /// Another device of one's own.
  case pair
  /// For whoever has it to look at a list.
  case link(Reference?, days: Int)
  case links(Reference?)
  /// By its number in `/links`.
  case unlink(Int, from: Reference?)
  /// A name for a guest from now on; with a code where registration needs one, which is asked for otherwise.
  case upgrade(String, code: String? = nil)
}

/// Who may ask one to share something.
enum ReachStep: Equatable {
  case blocks
  case block(String)
  case unblock(String)
}

/// The wishes for a copy of a list.
struct CopyWish: Equatable {
  /// Nil: as the list, and ` copy`.
  var name: String?
  /// Completed posts too, open again.
  var withDone = false
  /// When the first of them is due; nil: as in the list.
  var firstDue: DueWish?
}

/// A step with views that have names.
enum FilterStep: Equatable {
  case list
  case show(String)
  /// Its words.
  case look(String)
  case save(String, FilterWish)
  case remove(String)
}

/// A step with one's own account.
enum AccountStep: Equatable {
  case show
  /// With the username, so that nobody does it by a slip.
  case delete(String)
  case keep
}

/// A step with a refused change, by its number in `/unsent`.
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

/// A line that is a command's, but not as it wants to be written.
struct UsageError: Error, Equatable {
  let command: String
  let usage: String
  /// Words that would be right; empty where `usage` says enough.
  let hint: String

  /// `slash`: as it is typed in a chat.
  func sentence(slash: Bool) -> String {
    "usage: " + (slash ? "/" : "") + command + (usage.isEmpty ? "" : " " + usage)
      + (hint.isEmpty ? "" : ": " + hint)
  }
}
