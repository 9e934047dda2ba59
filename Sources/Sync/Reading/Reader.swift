// The decisions of a reader thread: how a connection goes on in its streams, tails, snapshots, queries. The thread
// gives it a connection to the store and carries out its answers; the simulator does the same.
//
// Every request checks who may read what inside the read transaction in which it reads, and no transaction outlives its
// request (DESIGN §6). A failure of the store is thrown: the asker is told `unavailable`, or reads again.

package import Domain
package import Wire

/// The things from outside that a reader needs, as values.
package struct ReaderTools<Frame: Sendable>: Sendable {
  /// Returns the SHA-256 of a token; nil when the text cannot be one.
  let tokenHash: @Sendable (String) -> [UInt8]?
  /// Returns the first moment of the day in a zone; nil when there is no such zone.
  let startOfDay: @Sendable (Timestamp, String) -> Timestamp?
  let almanac: Almanac
  /// Makes one text message into a frame for everybody.
  let frame: @Sendable ([UInt8]) -> Frame
  let server: ServerName
  let codes: CodeBook

  package init(
    server: ServerName, tokenHash: @escaping @Sendable (String) -> [UInt8]?,
    startOfDay: @escaping @Sendable (Timestamp, String) -> Timestamp?,
    frame: @escaping @Sendable ([UInt8]) -> Frame, codes: CodeBook = .none,
    almanac: Almanac
  ) {
    self.almanac = almanac
    self.server = server
    self.codes = codes
    self.tokenHash = tokenHash
    self.startOfDay = startOfDay
    self.frame = frame
  }
}

/// Answers hellos, watches and queries. Owned by one thread, with its connection to the store.
package final class Reader<Frame: Sendable> {
  let store: any EventStore
  let tools: ReaderTools<Frame>
  var hellos: UserLimits
  /// The rate of hellos of all who use one link together.
  var linkHellos = UserLimits(
    TokenRate(
      count: Int64(Limits.linkHellosPerMinute), everyMilliseconds: 60_000,
      burst: Int64(Limits.linkHellosPerMinute)))
  /// The rate of calendars, by the link that shows them.
  var calendars = UserLimits(
    TokenRate(
      count: Int64(Limits.calendarsPerMinute), everyMilliseconds: 60_000,
      burst: Int64(Limits.calendarsPerMinute)))
  /// The calendars that were made, for lists that this reader is asked for.
  var shelf = CalendarShelf(bytesMax: ReadingLimits.calendarsKeptBytes)
  let subscriptionsMax: Int
  /// The rate of questions about the past, of searches and of views.
  var looks: UserLimits
  /// The rate of export pages, apart from `looks`, so that a person who exports a lot can still search.
  var exports: UserLimits
  /// The rate of all other questions that read more than a few rows, as high as that of commands.
  var questions: KindLimits
  /// The limits that a person and a bot are told; the rates are those that are counted here.
  private let toldToPeople: [ToldLimit]
  private let toldToBots: [ToldLimit]
  var snapshots: SnapshotCache<Frame>
  /// The number of times that a snapshot was kept already; `snapshotMisses` counts the other times.
  package internal(set) var snapshotHits = 0
  package internal(set) var snapshotMisses = 0

  /// Makes a reader. `snapshotBytesMax` is for the pages that are kept for others who come for the same state.
  /// `subscriptionsMax` is the number of streams that one hello may begin to follow. `lines` are the limits of lines of
  /// talk, which the ledger counts; here they are only told.
  package init(
    _ store: any EventStore, hellos: UserLimits, looks: UserLimits = UserLimits(.history),
    exports: UserLimits = UserLimits(.exports),
    questions: KindLimits = KindLimits(SessionRules()), lines: KindLimits = .lines(),
    storage: StorageRules = StorageRules(),
    snapshotBytesMax: Int, subscriptionsMax: Int = Limits.subscriptionsMax,
    _ tools: ReaderTools<Frame>
  ) {
    self.store = store
    self.subscriptionsMax = subscriptionsMax
    self.hellos = hellos
    self.looks = looks
    self.exports = exports
    self.questions = questions
    toldToPeople = Reader.limits(of: .person, questions, lines, hellos, looks, exports, storage)
    toldToBots = Reader.limits(of: .bot, questions, lines, hellos, looks, exports, storage)
    self.tools = tools
    snapshots = SnapshotCache(bytesMax: snapshotBytesMax)
  }

  func limits(of kind: UserKind) -> [ToldLimit] {
    switch kind {
    case .person: toldToPeople
    case .bot: toldToBots
    }
  }

  /// The bytes of the kept snapshots.
  package var snapshotBytes: Int { snapshots.bytes }
}

/// The most that reading may cost, with the reasons.
package enum ReadingLimits {
  /// The amount that one `notification.list` looks through, some 20 ms, so that nobody holds a reader.
  package static let newsOfRequest = NewsBudget(events: 4_000, bytes: 2 << 20)
  /// The part of that for one list; unread events beyond it show as `+`. Its read transaction lasts some 5 ms.
  package static let newsOfList = NewsBudget(events: 500, bytes: 512 << 10)
  /// The bytes of events, and those of their objects, that a connection which asked for objects is sent in place of a
  /// snapshot.
  package static let changesBytesMax = 256 << 10
  /// The number of events that are read at once, going back from the head of a list.
  package static let newsWindow: Int64 = 16
  /// The number of events that one question about the past looks through; others who ask the same reader wait for it.
  static let historyEvents: Int64 = 5_000
  static let historyBytes = 8 << 20
  /// The number of events that are read at once, going back.
  static let historyWindow: Int64 = 16
  /// The number of posts whose words one search looks through, in the lists that were changed last. A single list is
  /// always searched, whatever it holds.
  static let searchPosts = 250_000
  /// The number of posts whose rows one view goes through, some 1 µs each, in the lists that were changed last, at
  /// least one.
  static let viewRows = 100_000
  /// The number of those that one question reads after SQLite has picked them out, some 80 ms. The page ends there.
  static let viewLooks = ViewLooks(posts: 5_000, bytes: 16 << 20)
  /// The amount that is read for a calendar: every post of a full list, unless the posts are long.
  static let calendarLooks = ViewLooks(posts: Limits.postsOpenPerCategoryMax, bytes: 16 << 20)
  /// The number of calendars that are kept; each has at most `Limits.calendarBytesMax`.
  static let calendarsKeptMax = 256
  static let calendarsKeptBytes = 16 << 20
  /// The time, for every hundred open posts, that a calendar stands although its list has changed. A full list, which
  /// takes some 0.3 s, is made every 10 s at most, which is a thirtieth of a reader. Programs ask every 15 minutes.
  static let calendarRestMillisecondsPerHundred = 100
  /// The number of open posts that are read at once where somebody's work is counted.
  static let workPage = 100
  /// The bytes of a badge as it is written, without its name.
  static let badgeBytes = 320
  /// The number of streams that are looked up one by one; for more, one query reads all that the user has.
  static let lookupsMax = 8
  /// The number of snapshots that are kept; they are looked through one by one.
  static let snapshotsMax = 256
}

extension TokenRate {
  /// The rate of one user for questions about the past and for searches.
  package static let history = TokenRate(
    count: Int64(Limits.historyPerMinute), everyMilliseconds: 60_000,
    burst: Int64(Limits.historyBurst))

  /// The rate of one user for pages of an export.
  package static let exports = TokenRate(
    count: Int64(Limits.exportPagesPerMinute), everyMilliseconds: 60_000,
    burst: Int64(Limits.exportPagesBurst))
}
