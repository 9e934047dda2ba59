package import Crypto
internal import Domain
package import Net
package import Sync

/// Everything about a server that can be set, with what is meant when it is not.
package struct ServerOptions: Sendable {
  package enum Registration: Sendable {
    case open
    /// Only with a code of `whattodo-server invite`.
    case byCode
  }

  package var listen: [ListenAddress] = []
  /// The folder with the database; made with mode 0700 when it is not there.
  package var dataFolder: String
  /// Nil: open while every listener is a loopback address and no proxy is trusted, by code otherwise.
  package var registration: Registration?
  /// How many accounts without a name and a password there may be; with none nobody makes one.
  package var guestsMax = 0
  /// With it every listener but socket files speaks TLS.
  package var certificate: CertificateFiles?
  /// Lets a listener that others can reach speak without TLS.
  package var allowsPlaintext = false
  /// Where the operator reads `/metrics`; nowhere unless given.
  package var metricsListen: [ListenAddress] = []
  /// Network threads; one for each processor that we may use.
  package var loops = min(Processors.usable, ServerLimits.loopsMax)
  /// Threads that read the database; one stream is always read by the same one.
  package var readers = 2
  /// Threads that hash passwords: each takes `128 · r · 2^logN` bytes while it works.
  package var hashers = 2
  package var scryptCost = ScryptCost.standard
  /// Host names besides the listeners' own; see `NetOptions.hosts`.
  package var hosts: [String] = []
  package var origins: [String] = []
  /// The connections of all loops together. A process has so many descriptors, and a few are for the store.
  package var connectionsMax = 19_000
  /// Proxies whose X-Forwarded-For says who the client is; see `NetOptions.trustedProxies`.
  package var trustedProxies: [TrustedProxy] = []
  /// The connections of one address prefix; nil: as many as of all.
  package var connectionsPerAddressMax: Int?
  package var session = SessionRules()
  /// Commands of one user, over all connections together; nil: as many as one connection may send.
  package var commandRate: TokenRate?
  /// The same of a bot.
  package var botCommandRate: TokenRate?
  /// The rate of one user: whoever says hello again and again costs reads.
  package var helloRate = TokenRate(
    count: Int64(Limits.hellosPerMinute), everyMilliseconds: 60_000,
    burst: Int64(Limits.hellosPerMinute))
  /// The rate of one user for questions about the past, which look through the log.
  package var historyRate = TokenRate.history
  package var signIn = SignInRules()
  /// How much is stored for whom.
  package var storage = StorageRules()
  package var disk = DiskRules()
  /// Whether the wall clock is kept right from outside.
  package var clockIsSynchronized: @Sendable () -> Bool = { MachineClock.isSynchronized }
  /// Events older than so many days are forgotten; nil: none is.
  package var keepHistoryDays: Int?
  /// Removed posts go for good after so many days; nil: they never do.
  package var keepRemovedDays: Int? = 30
  /// Where the machine has its time zones: looked at for which they are; what they say is libical's matter.
  package var zoneFolder = "/usr/share/zoneinfo"
  /// A file that gets every message of both directions as a line of JSON; for tests of the protocol.
  package var recordFrames: String?
  /// Names of the lists that everybody who registers begins with.
  package var firstLists: [String] = []
  /// So long an account whose end was asked for can be kept.
  package var graceDays = 14
  /// A file with what the operator says of what happens to people's data.
  package var privacyFile: String?
  /// SIGTERM and SIGINT stop the server. One server per process may do so.
  package var stopsOnSignals = false
  /// How long a client may take to answer our close frame.
  package var closeMilliseconds: Int64 = 5_000
  /// How long a client may take no bytes while some wait for it.
  package var slowMilliseconds: Int64 = ServerLimits.slowMilliseconds
  /// Messages from this size on are compressed; see `NetOptions.compressedBytesMin`.
  package var compressedBytesMin = NetOptions().compressedBytesMin
  /// The kernel's send buffer of each connection; nil: the system's own. For tests.
  package var sendBufferBytes: Int?

  package init(dataFolder: String) {
    self.dataFolder = dataFolder
  }

  /// The rate of each user over all connections.
  func commandLimits(restMilliseconds: Int64) -> KindLimits {
    KindLimits(
      people: commandRate ?? session.rate, bots: botCommandRate ?? session.botRate,
      restMilliseconds: restMilliseconds)
  }

  /// Whether everybody who reaches the server may register.
  package var registrationIsOpen: Bool {
    switch registration {
    case .open: true
    case .byCode: false
    // Behind a socket file there is mostly a proxy, and behind a proxy the world.
    case nil: trustedProxies.isEmpty && listen.allSatisfy { $0.isLoopback && !$0.isUnix }
    }
  }
}

/// Numbers of the threads, with their reasons.
enum ServerLimits {
  /// Network threads; a frame of the recorder names them in six bits.
  static let loopsMax = 64
  /// One piece of ordinary work takes about so long. A turn looks at no more of it than fits into its time.
  static let nanosecondsPerWork: Int64 = 40_000
  /// Decisions of one transaction, in CPU time: some hundred commands, or one that is dear. Others wait no longer than
  /// that and one decision. Where the disk takes longer for a commit, so may the decisions: or most of the time would
  /// go to commits.
  static let turnNanoseconds: ClosedRange<Int64> = 5_000_000...20_000_000
  /// The bytes of streams that the ledger keeps between batches.
  static let ledgerCacheBytes = 64 << 20
  /// Snapshot pages that a reader keeps for others who come for the same state.
  static let snapshotCacheBytes = 16 << 20
  /// A connection with more than this on its way is given nothing further until it is taken. All of it that the
  /// kernel did not take is the connection's own, and its array may be twice as large; whoever does take is told so
  /// by the kernel long before that much is there.
  static let pendingBytesMax = 32 * 1024
  /// Nothing was taken for so long: the connection is closed as too slow.
  static let slowMilliseconds: Int64 = 30_000
  /// After a failed read of a stream.
  static let retryReadMilliseconds: Int64 = 1_000
  /// Lines of the log that wait to be written: some 100 KB when standard error takes nothing.
  static let logLinesMax = 1_000
  /// A note that still holds is told to the operator again after so long.
  static let sameNoteMilliseconds: Int64 = 60_000
  /// A client is told to wait so long when the store does not answer.
  static let unavailableMilliseconds = LedgerWaits().unavailableMilliseconds
  /// How often the ledger looks around while it has nothing to do.
  static let idleLookMilliseconds = 10_000
  /// How often the kernel and the operator are asked whether a doubtful clock is right: some four calls of the kernel.
  static let clockEveryMilliseconds: Int64 = 200
  /// How often at most the ledger looks for accounts that are to end because the operator says so.
  static let endMarksEveryMilliseconds: Int64 = 1_000
  /// An update of tzdata waits so long at most.
  static let zonesEveryMilliseconds: Int64 = 15 * 60_000
  /// How often the ledger looks for events that are too old.
  static let trimEveryMilliseconds: Int64 = 3_600_000
  /// How often the ledger looks at the disk.
  static let diskEveryMilliseconds: Int64 = 1_000
  /// How long connections may take to finish when the server stops.
  static let drainMilliseconds: Int64 = 10_000
  /// Clients come back within so many milliseconds after a stop, each at its own random moment: five
  /// seconds, and more when that were over 2 000 a second, who all say hello to a cold store.
  static func returnWithinMilliseconds(connections: Int) -> Int { max(5_000, connections / 2) }
}
