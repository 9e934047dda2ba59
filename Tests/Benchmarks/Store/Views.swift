import CStatementRecorder
import Calendar
import Domain
import Glibc
import Store
import Sync
import Wire

/// One measured run of a question of a view, asked again and again as a reader thread answers it.
struct Views {
  enum Kind: String {
    case today
    case soon
    case mine
    case month
    case search
    case badges
    case digest
    /// The table of a year in the first of the person's groups.
    case table
    /// The year of the person in all their lists.
    case year
  }

  private let asked: Int
  private let cpu: Double
  /// The size of the last answer.
  private let bytes: Int

  /// By the first person of a `Population`.
  init(_ kind: Kind, count: Int, on store: SQLiteStore) throws {
    var driver = BenchmarkDriver(epoch: store.identity.epoch)
    let user = UserID(driver.name())
    let identity = Identity(user: user, session: SessionID(driver.name()))
    let free = UserLimits(TokenRate(count: 1_000_000, everyMilliseconds: 1, burst: 1_000_000))
    let reader = Reader(
      store, hellos: free, looks: free, snapshotBytesMax: 1 << 20,
      ReaderTools<[UInt8]>(
        server: ServerName(name: "bench", version: "1"), tokenHash: { _ in nil },
        startOfDay: { time, _ in time }, frame: { $0 }, almanac: .system))
    let wall = Timestamp(milliseconds: Int64(time(nil)) * 1_000)
    let group = try store.streams(of: user).map(\.stream).first { stream in
      if case .group = stream { true } else { false }
    }
    let query = try kind.query(at: wall, of: user, in: group)
    let moment = SessionMoment(milliseconds: 0, wall: wall)
    func answer() throws -> Int {
      let outcome = try reader.answer(.number(1), identity, query, at: moment)
      guard case .answer(let answer) = outcome else { fail("\(kind.rawValue) is not answered") }
      return answer.count
    }
    // The first one warms what is kept.
    var answered = try answer()
    statements_mark()
    let begun = now(CLOCK_PROCESS_CPUTIME_ID)
    for _ in 0..<count { answered = try answer() }
    cpu = now(CLOCK_PROCESS_CPUTIME_ID) - begun
    (asked, bytes) = (count, answered)
  }

  var line: String {
    """
    {"cmds":\(asked),"cpu_s_per_m":\(thousandths(cpu * 1e6 / Double(asked))),"bytes":\(bytes)}
    """
  }
}

extension Views.Kind {
  fileprivate func query(
    at now: Timestamp, of user: UserID, in group: StreamID?
  ) throws -> Query {
    let today = Day(number: Int(now.milliseconds / 86_400_000))
    switch self {
    case .today:
      return .view(ViewQuery(PostWhere(due: DueWindow(until: .day(today))), sort: .due))
    case .soon:
      let end = Timestamp(milliseconds: now.milliseconds + 48 * 3_600_000)
      let window = DueWindow(from: .moment(now), until: .moment(end))
      return .view(ViewQuery(PostWhere(due: window), sort: .due))
    case .mine: return .view(ViewQuery(PostWhere(assignee: .me), sort: .created))
    case .month: return .agenda(AgendaQuery(from: today, to: today.adding(days: 30)))
    case .search:
      guard let query = SearchQuery("flowers sunday") else { fail("no words") }
      return .search(query)
    case .badges: return .badges(BadgesQuery())
    case .digest: return .digest(DigestQuery(day: today))
    case .table, .year:
      guard let group else { fail("no group") }
      // All that a population does happens on one day.
      let day = Day(number: Int(BenchmarkDriver.begin / 86_400_000))
      return .stats(
        StatsQuery(
          self == .table ? group : .user(user), from: day.adding(days: -364), to: day, zone: "UTC"))
    }
  }
}
