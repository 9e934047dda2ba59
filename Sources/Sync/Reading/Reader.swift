// What a reader thread decides: how a connection goes on in its streams, tails, snapshots, queries. The thread
// gives it a connection to the store and does what it answers; the simulator does the same.
//
// Every request looks at who may read what inside the same read transaction that reads it, and no
// transaction outlives its request (DESIGN §6). A store that fails is thrown: whoever asked is told
// `unavailable`, or reads again.

package import Domain
package import Wire

/// The things of the world that a reader needs, as values.
package struct ReaderTools<Frame: Sendable>: Sendable {
  /// SHA-256 of a token; nil when the text cannot be one.
  let tokenHash: @Sendable (String) -> [UInt8]?
  /// When the day began in a zone; nil when there is no such zone.
  let startOfDay: @Sendable (Timestamp, String) -> Timestamp?
  let almanac: Almanac
  /// One text message, framed once for everybody.
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

/// Owned by one thread, with its connection to the store.
package final class Reader<Frame: Sendable> {
  let store: any EventStore
  let tools: ReaderTools<Frame>
  var hellos: UserLimits
  /// The hellos of those who have one link together.
  var linkHellos = UserLimits(
    TokenRate(
      count: Int64(Limits.linkHellosPerMinute), everyMilliseconds: 60_000,
      burst: Int64(Limits.linkHellosPerMinute)))
  /// Calendars, by the link that shows them.
  var calendars = UserLimits(
    TokenRate(
      count: Int64(Limits.calendarsPerMinute), everyMilliseconds: 60_000,
      burst: Int64(Limits.calendarsPerMinute)))
  /// Those that were made, of lists that this reader is asked for.
  var shelf = CalendarShelf(bytesMax: ReadingLimits.calendarsKeptBytes)
  let subscriptionsMax: Int
  /// Questions about what was, searches and views.
  var looks: UserLimits
  /// Pages of exports: who takes home a lot can still search.
  var exports: UserLimits
  /// All other questions that read more than a few rows, as often as commands.
  var questions: KindLimits
  /// The limits that are told to a person and to a bot: the rates are those that are counted here.
  private let toldToPeople: [ToldLimit]
  private let toldToBots: [ToldLimit]
  var snapshots: SnapshotCache<Frame>
  /// How often a snapshot was kept already, and how often it was not.
  package internal(set) var snapshotHits = 0
  package internal(set) var snapshotMisses = 0

  /// `snapshotBytesMax`: of the pages that are kept for others who come for the same state. `subscriptionsMax`:
  /// streams that one hello may begin to follow.
  package init(
    _ store: any EventStore, hellos: UserLimits, looks: UserLimits = UserLimits(.history),
    exports: UserLimits = UserLimits(.exports),
    questions: KindLimits = KindLimits(SessionRules()), storage: StorageRules = StorageRules(),
    snapshotBytesMax: Int, subscriptionsMax: Int = Limits.subscriptionsMax,
    _ tools: ReaderTools<Frame>
  ) {
    self.store = store
    self.subscriptionsMax = subscriptionsMax
    self.hellos = hellos
    self.looks = looks
    self.exports = exports
    self.questions = questions
    toldToPeople = Reader.limits(of: .person, questions, hellos, looks, exports, storage)
    toldToBots = Reader.limits(of: .bot, questions, hellos, looks, exports, storage)
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

/// The most that reading may cost, with the reason.
package enum ReadingLimits {
  /// One `notification.list` looks through so much, so that nobody holds a reader: some 20 ms.
  package static let newsOfRequest = NewsBudget(events: 4_000, bytes: 2 << 20)
  /// The part of that for one list; what is unread beyond is `+`. Its read transaction lasts some 5 ms.
  package static let newsOfList = NewsBudget(events: 500, bytes: 512 << 10)
  /// Events that are read at once, going back from the head of a list.
  package static let newsWindow: Int64 = 16
  /// One question about the past looks through so much; others who ask the same reader wait for it.
  static let historyEvents: Int64 = 5_000
  static let historyBytes = 8 << 20
  /// Events that are read at once, going back.
  static let historyWindow: Int64 = 16
  /// Posts whose words one search looks through, in the lists that were changed last; a single list counts as
  /// one whatever it holds.
  static let searchPosts = 250_000
  /// Posts whose rows one view goes through, in the lists that were changed last, one at least: some 1 µs each.
  static let viewRows = 100_000
  /// One question reads so many of these, after SQLite has picked them out: some 80 ms. The page ends there.
  static let viewLooks = ViewLooks(posts: 5_000, bytes: 16 << 20)
  /// The posts of a calendar: every one of a full list, unless they are long.
  static let calendarLooks = ViewLooks(posts: Limits.postsOpenPerCategoryMax, bytes: 16 << 20)
  /// Calendars that are kept, of lists: each has at most `Limits.calendarBytesMax`.
  static let calendarsKeptMax = 256
  static let calendarsKeptBytes = 16 << 20
  /// So long for every hundred open posts a calendar stands though its list has changed since: a full list, which takes
  /// some 0.3 s, is made every 10 s at most, a thirtieth of a reader. Programs ask every 15 minutes.
  static let calendarRestMillisecondsPerHundred = 100
  /// Open posts that are read at once where somebody's work is counted.
  static let workPage = 100
  /// A badge without its name, as it is written.
  static let badgeBytes = 320
  /// Streams that are looked up one by one; for more, all that the user has are read by one query.
  static let lookupsMax = 8
  /// Snapshots kept; they are looked through one by one.
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
