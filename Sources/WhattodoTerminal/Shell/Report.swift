import Domain
import Screen
import Sync
import Wire

/// How the answer to a request is told.
enum Report: Equatable {
  /// Several changes that are made as one, each with its own words.
  case changes([ChangeReport])
  /// A change: the words when it was made (for a script; a chat sees the event) and when everything was so already.
  case change(made: Phrase, same: Phrase)
  /// A change that no event shows to the person, so a chat tells it too.
  case told(made: Phrase, same: Phrase)
  /// A change that is no command, and that nothing takes back: its noun, and why it is not taken back.
  case unreturned(String, String, made: Phrase, same: Phrase)
  case addedPost(PostAddress, title: String, list: String)
  /// One time that became a post of its own; the answer has the new post's number.
  case apart(Phrase)
  /// The next post was claimed; the answer says which one.
  case claimedNext(Category)
  /// A plain line became a post; what was made of its words is told.
  case addedQuickly(UnderstoodLine)
  case addedList(CategoryID, name: String)
  /// The bin, with the number of days that posts are kept; nil means for ever.
  case bin(Category, days: Int?)
  /// The server is asked first how long posts are kept in the bin.
  case binOf(Category)
  case removedLists
  /// The members are asked for first; their counts come with the statistics.
  case members(ListOrGroup, StatsSpan)
  /// The members, and what each has done.
  case who(ListOrGroup, StatsSpan, [MemberLine])
  /// The history of one post, or of all.
  case history(ListOrGroup, PostID?)
  /// Lines of talk that are older than those of the copy. They may be asked for in several steps.
  case olderTalk(OlderTalk)
  /// The state of a list, and what has happened since.
  case handOver(Category, since: Timestamp)
  /// Why one is told of a post, and what others did to it.
  case why(Category, PostID)
  /// Why one is told of what a person does in a list or group, and what that is.
  case whyPerson(ListOrGroup, Member)
  /// The newest events of a list, which are only needed for what happens next; nobody is told.
  case past(Category)
  /// The log of the list is asked whether this post has moved to another list.
  case whereabouts(of: Int, Category)
  case found
  /// The posts of this list with a title.
  case twins(Category)
  /// The digest of a day.
  case digest
  /// The digest at its set time, told in short.
  case digestReady
  /// The counts of what people have completed there; nil stands for one's own in all lists.
  case stats(ListOrGroup?, StatsSpan, StatsView)
  /// The posts of several lists.
  case viewed
  /// The posts that are due on a day, below those that one has planned for it.
  case viewedDay(Day)
  case month(Month)
  /// A code that was made for this number of people.
  case madeCode(ListOrGroup, uses: Int)
  case codes(ListOrGroup)
  /// The codes are asked for first, to find the one with this number.
  case revokeCode(ListOrGroup, Int)
  /// The export, with the number of lines that were written before this page.
  case export(String, lines: Int)
  case profile
  /// A code for another device.
  case pairing
  case upgraded
  case madeLink(Category, days: Int)
  case links(Category)
  /// The links are asked for first, to find the one with this number.
  case unlink(Category, Int)
  case bots
  /// The bots are asked for first, to find the one with this name.
  case botChange(String, BotWish)
  /// A token that was made for this bot, for these lists or for all.
  case madeToken(bot: String, days: Int, lists: [CategoryID])
  case madeWebhook(bot: String, NewWebhook)
  /// The last tries of the webhook with this number.
  case webhook(String, Int)
  case privacy
  case sessions
  /// The news of all lists and groups, or of one.
  case notifications(ListOrGroup?)
  /// The notifications are asked for first, to find what is new and mark it as read.
  case markRead(ListOrGroup?)
  /// The first notifications of a chat, with what happened since the last time.
  case welcome
  /// The notifications are only needed for how many events are unread.
  case glance
  /// The notifications are only needed for what is unread.
  case unread
  /// The mark of how far one has read; nobody is told.
  case mark
  /// The notifications are only needed for the day's total.
  case day
  /// The sessions are asked for first, to find the one with this number.
  case closeSession(Int)
  /// The removed lists are asked for first, to find those with these names or numbers.
  case restoreLists([Reference])
  /// The removed posts are asked for first, to find those with these numbers.
  case restorePosts(Category, [Int])
  case purgePosts(Category, [Int])
  /// One's own events are asked for first, to find the last that counts, or the last undo.
  case undo(Category)
  /// The events of this post are asked for first, to find the one that brought the occurrence with this number.
  case takeBack(Category, Post, next: Int)
  /// The events of this post are asked for first, to find the one that completed it last.
  case react(Category, Post, String?)
  case redo(Category)
  /// An undo of this event, or a redo, which is the undo of an undo. What it left as it was is told. `of` names the
  /// change of this device, when it is known.
  case undone(StreamPosition, isRedo: Bool = false, of: CommandKey? = nil)
  /// The log of the change's stream is asked first whether the change was made.
  case undoChange(DoneChange)
  /// The change was taken back by a command that sets the former values.
  case takenBack(DoneChange)
  case doneAgain(DoneChange)

  /// The stream about whose past the answer tells; nil for answers about something else.
  var pastOf: StreamID? {
    switch self {
    case .undo(let list), .redo(let list), .past(let list): .category(list.id)
    case .history(let place, _), .whyPerson(let place, _): place.stream
    case .handOver(let list, _), .why(let list, _): .category(list.id)
    default: nil
    }
  }

  /// The words about what is left behind when it goes no further; nil when nothing is.
  var leftover: String? {
    guard case .export(let path, let lines) = self else { return nil }
    return "the export is not whole: \(ExportFile(path: path).part) has its first \(lines) lines"
  }

  /// Whether it is about a change, made or to be made.
  var isChange: Bool {
    switch self {
    case .change, .changes, .told, .unreturned, .apart, .addedPost, .addedQuickly, .addedList,
      .claimedNext, .closeSession, .restoreLists, .restorePosts, .purgePosts, .upgraded, .madeCode,
      .revokeCode, .madeLink, .unlink, .botChange, .madeToken, .madeWebhook, .undo, .takeBack,
      .react, .redo, .undone, .undoChange, .takenBack, .doneAgain, .markRead:
      true
    case .bin, .binOf, .removedLists, .members, .who, .history, .olderTalk, .handOver, .why,
      .whyPerson, .past, .whereabouts, .found, .twins, .digest, .digestReady, .stats, .viewed,
      .viewedDay, .month, .codes, .links, .bots, .webhook, .export, .profile, .pairing, .privacy,
      .sessions, .notifications, .welcome, .glance, .unread, .mark, .day:
      false
    }
  }
}

/// How one of several changes is told.
struct ChangeReport: Equatable {
  /// The words for a change that was made.
  let made: Phrase
  /// The words for when everything was so already; nil where that cannot be.
  let same: Phrase?
}
