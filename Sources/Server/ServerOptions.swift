internal import Courier
package import Crypto
internal import Domain
package import Net
package import Sync

/// Everything about a server that can be set, with the values that hold when it is not.
package struct ServerOptions: Sendable {
  package enum Registration: Sendable {
    case open
    /// Only a person with a code of `whattodo-server invite` may register.
    case byCode
  }

  package var listen: [ListenAddress] = []
  /// The folder with the database. It is made with mode 0700 when it is not there.
  package var dataFolder: String
  /// The kind of registration. With nil it is open while every listener is a loopback address and no proxy is trusted,
  /// and by code otherwise.
  package var registration: Registration?
  /// The most accounts without a name and a password. With 0 nobody can make one.
  package var guestsMax = 0
  /// The certificate. With it every listener but socket files speaks TLS.
  package var certificate: CertificateFiles?
  /// Whether a listener that others can reach may speak without TLS.
  package var allowsPlaintext = false
  /// The addresses where the operator reads `/metrics`; nowhere unless given.
  package var metricsListen: [ListenAddress] = []
  /// The number of network threads: one for each processor that we may use.
  package var loops = min(Processors.usable, ServerLimits.loopsMax)
  /// The number of threads that read the database. One stream is always read by the same one.
  package var readers = 2
  /// The number of threads that hash passwords. Each takes `128 · r · 2^logN` bytes while it works.
  package var hashers = 2
  package var scryptCost = ScryptCost.standard
  /// The host names besides the listeners' own; see `NetOptions.hosts`.
  package var hosts: [String] = []
  package var origins: [String] = []
  /// The most connections of all loops together. A process has so many descriptors, and a few are for the store.
  package var connectionsMax = 19_000
  /// The proxies whose X-Forwarded-For says who the client is; see `NetOptions.trustedProxies`.
  package var trustedProxies: [TrustedProxy] = []
  /// The most connections of one address prefix. Nil for as many as of all.
  package var connectionsPerAddressMax: Int?
  package var session = SessionRules()
  /// The rate of commands of one user, over all connections together. Nil for as many as one connection may send.
  package var commandRate: TokenRate?
  /// The rate of commands of a bot, over all connections together.
  package var botCommandRate: TokenRate?
  /// The rate of one person for lines of talk, and that of a bot.
  package var lineRate = TokenRate.lines
  package var botLineRate = TokenRate.botLines
  /// Whether people may talk.
  package var hasTalk = true
  /// The rate of hellos of one user, because each hello costs reads.
  package var helloRate = TokenRate(
    count: Int64(Limits.hellosPerMinute), everyMilliseconds: 60_000,
    burst: Int64(Limits.hellosPerMinute))
  /// The rate of one user for questions about the past, which look through the log.
  package var historyRate = TokenRate.history
  package var signIn = SignInRules()
  /// The rules of how much is stored for whom.
  package var storage = StorageRules()
  package var disk = DiskRules()
  /// Answers whether the wall clock is kept right from outside.
  package var clockIsSynchronized: @Sendable () -> Bool = { MachineClock.isSynchronized }
  /// The age in days from which events are forgotten. Nil when none is.
  package var keepHistoryDays: Int?
  /// The days after which removed posts go for good. Nil when they never do.
  package var keepRemovedDays: Int? = 30
  /// The folder with the machine's time zones. It is looked at only for their version; libical reads the zones
  /// themselves.
  package var zoneFolder = "/usr/share/zoneinfo"
  /// The file that gets every message of both directions as a line of JSON, for tests of the protocol.
  package var recordFrames: String?
  /// The names of the lists that everybody who registers begins with.
  package var firstLists: [String] = []
  /// The days for which an account whose end was asked for can be kept.
  package var graceDays = 14
  /// The file with the operator's text about what happens to people's data.
  package var privacyFile: String?
  /// Whether webhooks may send to addresses of this machine and of private networks.
  package var webhooksReachPrivate = false
  /// The PEM file with the authorities that webhooks trust. Nil for those of the system.
  package var webhookAuthorities: String?
  /// Whether SIGTERM and SIGINT stop the server. One server per process may do so.
  package var stopsOnSignals = false
  /// The time that a client may take to answer our close frame.
  package var closeMilliseconds: Int64 = 5_000
  /// The time for which a client may take no bytes while some wait for it.
  package var slowMilliseconds: Int64 = ServerLimits.slowMilliseconds
  /// The size from which messages are compressed; see `NetOptions.compressedBytesMin`.
  package var compressedBytesMin = NetOptions().compressedBytesMin
  /// The kernel's send buffer of each connection, for tests. Nil for the system's own.
  package var sendBufferBytes: Int?

  package init(dataFolder: String) {
    self.dataFolder = dataFolder
  }

  /// Returns the rate of each user over all connections.
  func commandLimits(restMilliseconds: Int64) -> KindLimits {
    KindLimits(
      people: commandRate ?? session.rate, bots: botCommandRate ?? session.botRate,
      restMilliseconds: restMilliseconds)
  }

  /// Returns the rate of lines of talk of each user over all connections.
  func lineLimits(restMilliseconds: Int64) -> KindLimits {
    KindLimits(people: lineRate, bots: botLineRate, restMilliseconds: restMilliseconds)
  }

  /// The options of the courier.
  var courier: CourierOptions {
    var options = CourierOptions()
    options.reachesPrivateAddresses = webhooksReachPrivate
    options.authorities = webhookAuthorities
    options.answerBytesMax = 0
    return options
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

/// The limits of the threads, with their reasons.
enum ServerLimits {
  /// The most network threads; a frame of the recorder names them in six bits.
  static let loopsMax = 64
  /// The time of one piece of ordinary work. A turn looks at no more works than fit into its time.
  static let nanosecondsPerWork: Int64 = 40_000
  /// The CPU time of the decisions of one transaction: some seventy commands, or one that is dear. Others wait no
  /// longer than that and one decision. Where the disk takes longer for a commit, the decisions may take as long:
  /// otherwise most of the time would go to commits.
  static let turnNanoseconds: ClosedRange<Int64> = 3_000_000...20_000_000
  /// The bytes of streams that the ledger keeps between batches.
  static let ledgerCacheBytes = 64 << 20
  /// The bytes of snapshot pages that a reader keeps for others who come for the same state.
  static let snapshotCacheBytes = 16 << 20
  /// The bytes on their way beyond which a connection is given nothing more until it takes some. Bytes that the kernel
  /// did not take lie in the connection's own array, which may be twice as large. A connection that does take them is
  /// reported by the kernel long before that many lie there.
  static let pendingBytesMax = 32 * 1024
  /// The time after which a connection that took nothing is closed as too slow.
  static let slowMilliseconds: Int64 = 30_000
  /// The wait after a failed read of a stream.
  static let retryReadMilliseconds: Int64 = 1_000
  /// The most lines of the log that wait to be written: some 100 KB when standard error takes nothing.
  static let logLinesMax = 1_000
  /// The time after which a note that still holds is told to the operator again.
  static let sameNoteMilliseconds: Int64 = 60_000
  /// The time that a client is told to wait when the store does not answer.
  static let unavailableMilliseconds = LedgerWaits().unavailableMilliseconds
  /// The time between two looks of the ledger while it has nothing to do.
  static let idleLookMilliseconds = 10_000
  /// The time between two questions to the kernel and the operator whether a doubtful clock is right: some four calls
  /// of the kernel.
  static let clockEveryMilliseconds: Int64 = 200
  /// The least time between two looks of the ledger for what the operator asks about accounts.
  static let requestsEveryMilliseconds: Int64 = 1_000
  /// The longest time that an update of tzdata waits.
  static let zonesEveryMilliseconds: Int64 = 15 * 60_000
  /// The time between two looks of the ledger for events that are too old.
  static let trimEveryMilliseconds: Int64 = 3_600_000
  /// The time between two looks of the ledger at the disk.
  static let diskEveryMilliseconds: Int64 = 1_000
  /// The time that connections may take to finish when the server stops.
  static let drainMilliseconds: Int64 = 10_000
  /// Returns the time within which clients come back after a stop, each at its own random moment. It is five seconds,
  /// or more when that would be over 2 000 a second, who all say hello to a cold store.
  static func returnWithinMilliseconds(connections: Int) -> Int { max(5_000, connections / 2) }
}
