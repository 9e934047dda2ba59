import Domain
import Screen
import Sync
import Wire

/// The plan of a command, before anything is sent.
enum Plan {
  /// Known already.
  case show(View)
  case send([Errand])
  case open(Category)
  case help(String?)
  case quit
  case logout
  case password
  /// The username that was typed is theirs: the password is asked for.
  case deleteAccount
  case recover
  /// A guest takes this name, and a password that is asked for.
  case upgrade(String, code: String?)
  /// A step with a refused change.
  case decide(UnsentCommand, UnsentStep)
}

/// A request, and how its answer is told.
struct Errand {
  let request: Request
  let report: Report
  /// The notices that are said beside it.
  var notices: [Notice] = []
}

/// The words that are said of a change.
struct Telling: Equatable {
  /// When it was made.
  let made: Phrase
  /// When all was so already; nil for what cannot be.
  let same: Phrase?
}

/// Something to look at that the copies hold.
enum View {
  case lists
  case posts(Category, done: Bool)
  /// One, with its steps.
  case post(Post, Category)
  case value(ShownValue)
  case tags(Category)
  case groups
  /// One, with its lists.
  case group(Group)
  case unsent
  case blocks
  case archived
  case filters
  case settings
  case account
}

/// How the answer to a request is told.
enum Report: Equatable {
  /// Several made as one, each with its own words.
  case changes([Telling])
  /// A change: what is said when it was made (in a script; a chat sees the event) and when all was so already.
  case change(made: Phrase, same: Phrase)
  /// The same, and nobody's event shows it: said in a chat too.
  case told(made: Phrase, same: Phrase)
  /// The same of what no command does, and nothing takes back.
  case unreturned(String, String, made: Phrase, same: Phrase)
  case addedPost(PostAddress, title: String, list: String)
  /// One time that became a post of its own: which number that has says the answer.
  case apart(Phrase)
  /// The answer says which one it is.
  case claimedNext(Category)
  /// A plain line: what was made of its words is told.
  case addedQuickly(Understood)
  case addedList(CategoryID, name: String)
  /// With how long it is kept; nil: for ever.
  case bin(Category, days: Int?)
  /// How long it is kept is asked for first.
  case binOf(Category)
  case removedLists
  case members(Place)
  /// The history of one post, or of all.
  case history(Place, PostID?)
  /// The newest of a list, for what happens next: nobody needs to hear of it.
  case past(Category)
  /// Whether this one went away to another list.
  case whereabouts(of: Int, Category)
  case found
  /// Posts with a title, of this list.
  case twins(Category)
  /// The digest of a day.
  case digest
  /// The same, when its time has come: said in short.
  case digestReady
  /// Who has completed how much there.
  case stats(Place, StatsSpan, StatsView)
  /// Posts of several lists.
  case viewed
  /// The posts that are due on a day, below those that one has planned for it.
  case viewedDay(Day)
  case month(Month)
  /// A code that was made, for so many.
  case madeCode(Place, uses: Int)
  case codes(Place)
  /// The codes are asked for first: which one has this number.
  case revokeCode(Place, Int)
  /// The part of the export that was written before this page.
  case export(String, lines: Int)
  case profile
  /// A code for another device.
  case pairing
  case upgraded
  case madeLink(Category, days: Int)
  case links(Category)
  /// The links are asked for first: which one has this number.
  case unlink(Category, Int)
  case privacy
  case sessions
  case notifications
  /// The first notifications of a chat: what happened since the last time.
  case welcome
  /// Only to know what is unread.
  case unread
  /// How far one has read: nobody needs to hear of it.
  case mark
  /// Only to know the day's total.
  case day
  /// The sessions are asked for first: which one has this number.
  case closeSession(Int)
  /// The removed lists are asked for first: which ones are called so, or have these numbers.
  case restoreLists([Reference])
  /// The removed posts are asked for first: which have these numbers.
  case restorePosts(Category, [Int])
  case purgePosts(Category, [Int])
  /// One's own doings are asked for first: which is the last that counts, or the last undo.
  case undo(Category)
  /// The events of this post are asked for first: which one brought the occurrence with this number.
  case takeBack(Category, Post, next: Int)
  case redo(Category)
  /// An undo of this event, or a redo, which is the undo of an undo: what it left as it was is told.
  /// Of which change of this device it is, when that is known.
  case undone(StreamPosition, isRedo: Bool = false, of: CommandKey? = nil)
  /// The log of its stream is asked for first: whether it was made.
  case undoChange(DoneChange)
  /// By a command that says again what was before.
  case takenBack(DoneChange)
  case doneAgain(DoneChange)

  /// The stream of whose past its answer tells.
  var pastOf: StreamID? {
    switch self {
    case .undo(let list), .redo(let list), .past(let list): .category(list.id)
    case .history(let place, _): place.stream
    default: nil
    }
  }

  /// The words about things that are left behind when it goes no further.
  var leftover: String? {
    guard case .export(let path, let lines) = self else { return nil }
    return "the export is not whole: \(ExportFile(path: path).part) has its first \(lines) lines"
  }

  /// Whether something becomes, or is to become, another than it was.
  var isChange: Bool {
    switch self {
    case .change, .told, .apart, .addedPost, .addedQuickly, .addedList, .closeSession,
      .restoreLists,
      .restorePosts, .purgePosts, .undo, .takeBack,
      .redo, .undone, .madeCode, .revokeCode, .changes:
      true
    case .bin, .binOf, .removedLists, .members, .history, .found, .codes, .profile, .privacy,
      .sessions,
      .notifications,
      .welcome, .unread, .mark, .day:
      false
    case .viewed, .viewedDay, .month, .pairing, .export: false
    case .upgraded, .claimedNext, .madeLink, .unlink: true
    case .links, .whereabouts, .past: false
    case .undoChange, .takenBack, .doneAgain, .unreturned: true
    case .twins, .digest, .digestReady, .stats: false
    }
  }
}
