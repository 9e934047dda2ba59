// The options of a server that serves. An option is one row: its name, what `--help` and the manual page say of it, and
// how it is read. So no option is read that they do not show. The defaults come from `ServerOptions`.

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Text

/// One option of `whattodo-server` without a command.
struct ServerOption: Sendable {
  /// The values that the options have set so far. A certificate needs two of them.
  struct Given {
    var options = ServerOptions(dataFolder: "")
    var certificateFile: String?
    var keyFile: String?
  }

  enum Reading: Sendable {
    /// An option without a value.
    case flag(@Sendable (inout Given) -> Void)
    case number(ClosedRange<Int>, @Sendable (inout Given, Int) -> Void)
    /// A number, or nil for the word that may stand in its place.
    case numberOr(String, ClosedRange<Int>, @Sendable (inout Given, Int?) -> Void)
    /// Any text but an empty one.
    case text(@Sendable (inout Given, String) throws(UsageError) -> Void)
    /// Asks for something else than to serve.
    case asks(Invocation)
  }

  let row: OptionRow
  let reading: Reading

  /// Makes an option of its name, with its value behind a blank, and of what it does.
  private init(
    _ call: String, _ text: String, usual: String? = nil, isRepeated: Bool = false,
    _ reading: Reading
  ) {
    let parts = call.split(separator: " ").map(String.init)
    row = OptionRow(
      name: parts[0], value: parts.dropFirst().joined(), text: text, numbers: reading.numbers,
      word: reading.word, usual: usual, isRepeated: isRepeated)
    self.reading = reading
  }

  /// Returns the option of this name.
  static func named(_ name: String) -> ServerOption? { all.first { $0.row.name == name } }

  static let all: [ServerOption] = reach + people + machine + limits + others

  private static let usual = ServerOptions(dataFolder: "")
  private static let rates = 1...1_000_000_000
  private static let bytes = 1...1 << 50
  private static let counts = 1...1_000_000

  private static let reach = [
    ServerOption(
      "--data DIR",
      "where everything is kept; default $WHATTODO_DATA, else $XDG_DATA_HOME/whattodo, else "
        + "~/.local/share/whattodo",
      .text { $0.options.dataFolder = $1 }),
    ServerOption(
      "--listen ADDRESS:PORT|unix:PATH",
      "where clients connect: an address of this machine, with port 0 for any free one, or a "
        + "socket file for a proxy on this machine, mode 0660",
      usual: usualAddress, isRepeated: true, .text(listen)),
    ServerOption(
      "--metrics-listen PORT|ADDRESS:PORT|unix:PATH",
      "show /metrics there; a port alone is one of this machine", usual: "nowhere",
      isRepeated: true, .text(metricsListen)),
    ServerOption(
      "--allow-host NAME", "a host name by which clients reach this server", isRepeated: true,
      .text { $0.options.hosts.append($1) }),
    ServerOption(
      "--origin URL", "a web origin that may connect", isRepeated: true,
      .text { $0.options.origins.append($1) }),
    ServerOption(
      "--trusted-proxy RANGE",
      "a proxy (10.0.0.0/8, ::1, or unix for socket files) whose X-Forwarded-For says who the "
        + "client is", isRepeated: true, .text(trustedProxy)),
    ServerOption(
      "--tls-certificate FILE",
      "speak TLS: the certificate with its chain (PEM), together with --tls-key. SIGHUP reads both "
        + "files again; who is connected stays",
      .text { $0.certificateFile = $1 }),
    ServerOption(
      "--tls-key FILE", "the key of the certificate (PEM)", .text { $0.keyFile = $1 }),
    ServerOption(
      "--insecure-plaintext", "listen without TLS where other machines can connect",
      .flag { $0.options.allowsPlaintext = true }),
  ]

  private static let people = [
    ServerOption(
      "--registration open|code",
      "who may register; default: everybody while only this machine can connect, with a code "
        + "otherwise", .text(registration)),
    ServerOption(
      "--guests N",
      "let people begin without a name and a password; at a time so many who have not given "
        + "themselves one", usual: "none may",
      .number(counts) { $0.options.guestsMax = $1 }),
    ServerOption(
      "--privacy FILE", "what you say of people's data: text for `server.about` and `/privacy`",
      .text { $0.options.privacyFile = $1 }),
    ServerOption(
      "--first-list NAME",
      "a list that everybody who registers begins with; at most \(Limits.firstListsMax)",
      isRepeated: true, .text(firstList)),
    ServerOption(
      "--no-talk", "nobody says anything in lists and groups; what was said stays",
      .flag { $0.options.hasTalk = false }),
    ServerOption(
      "--webhooks-reach-private", "webhooks may send to this machine and to private networks",
      .flag { $0.options.webhooksReachPrivate = true }),
    ServerOption(
      "--webhook-authorities PEM",
      "the authorities that webhooks trust, instead of the system's",
      .text { $0.options.webhookAuthorities = $1 }),
    ServerOption(
      "--grace DAYS", "how long a deleted account can be kept by its owner",
      usual: "\(usual.graceDays)", .number(0...365) { $0.options.graceDays = $1 }),
    ServerOption(
      "--keep-history DAYS",
      "forget what happened more than so many days ago; what is there stays, how it came to be "
        + "goes",
      usual: "everything is kept", .number(1...36_500) { $0.options.keepHistoryDays = $1 }),
    ServerOption(
      "--keep-removed DAYS",
      "how long a removed post can be brought back, before its text goes for good",
      usual: usual.keepRemovedDays.map { "\($0)" } ?? "ever",
      .numberOr("ever", 0...36_500) { $0.options.keepRemovedDays = $1 }),
  ]

  private static let machine = [
    ServerOption(
      "--loops N", "network threads", usual: "one for each processor",
      .number(1...ServerLimits.loopsMax) { $0.options.loops = $1 }),
    ServerOption(
      "--scrypt-log-n N", "cost of a password hash", usual: "\(usual.scryptCost.logN)",
      .number(10...20) { given, logN in
        let cost = given.options.scryptCost
        given.options.scryptCost = ScryptCost(logN: logN, r: cost.r, p: cost.p)
      }),
    ServerOption(
      "--connections N", "the most connections of all clients together",
      usual: "\(usual.connectionsMax)",
      .number(counts) { $0.options.connectionsMax = $1 }),
    ServerOption(
      "--connections-per-address N", "the most connections of one address",
      usual: "as many as of all",
      .number(counts) { $0.options.connectionsPerAddressMax = $1 }),
  ]

  private static let limits = [
    ServerOption(
      "--command-rate N",
      "requests per second of a connection, commands of a person; burst five times that",
      usual: "\(usual.session.rate.count)",
      .number(rates) { $0.options.session.rate = rate($1, every: 1_000, bursts: 5) }),
    ServerOption(
      "--bot-rate N", "the same of a bot, which has its own; burst four times that",
      usual: "\(usual.session.botRate.count)",
      .number(rates) { $0.options.session.botRate = rate($1, every: 1_000, bursts: 4) }),
    ServerOption(
      "--line-rate N",
      "lines of talk per minute of a person; burst as many, and a bot has ten times that",
      usual: "\(usual.lineRate.count)",
      .number(rates) {
        $0.options.lineRate = rate($1, every: 60_000, bursts: 1)
        $0.options.botLineRate = rate(10 * $1, every: 60_000, bursts: 1)
      }),
    ServerOption(
      "--hello-rate N", "hellos per minute and user", usual: "\(usual.helloRate.count)",
      .number(rates) { $0.options.helloRate = rate($1, every: 60_000, bursts: 1) }),
    ServerOption(
      "--bytes-per-day N", "what a person or a bot writes in a day",
      usual: "\(usual.storage.bytesPerDay)",
      .number(bytes) {
        $0.options.storage.bytesPerDay = Int64($1)
        $0.options.storage.ownerBytesPerDay = 4 * Int64($1)
      }),
    ServerOption(
      "--stored-bytes N", "what is kept of a person and their lists",
      usual: "\(usual.storage.storedBytesMax)",
      .number(bytes) { $0.options.storage.storedBytesMax = Int64($1) }),
    ServerOption(
      "--group-stored-bytes N", "what is kept of a group and its lists",
      usual: "\(usual.storage.groupStoredBytesMax)",
      .number(bytes) { $0.options.storage.groupStoredBytesMax = Int64($1) }),
  ]

  private static let others = [
    ServerOption(
      "--record-frames FILE",
      "append every message to this file, for tests; also $WHATTODO_RECORD_FRAMES",
      .text { $0.options.recordFrames = $1 }),
    ServerOption("--help", "print what there is to type; also -h", .asks(.help)),
    ServerOption("--version", "print the version", .asks(.version)),
  ]
}

extension ServerOption.Reading {
  fileprivate var numbers: ClosedRange<Int>? {
    switch self {
    case .number(let range, _), .numberOr(_, let range, _): range
    case .flag, .text, .asks: nil
    }
  }

  fileprivate var word: String? {
    switch self {
    case .numberOr(let word, _, _): word
    case .flag, .number, .text, .asks: nil
    }
  }
}

// MARK: Values

extension ServerOption {
  static let usualAddress = "127.0.0.1:8484"

  private static func rate(
    _ count: Int, every milliseconds: Int64, bursts: Int64
  ) -> TokenRate {
    TokenRate(count: Int64(count), everyMilliseconds: milliseconds, burst: Int64(count) * bursts)
  }

  @Sendable private static func listen(
    _ given: inout Given, _ text: String
  ) throws(UsageError) {
    given.options.listen.append(try address(text))
    try checkListeners(given.options)
  }

  @Sendable private static func metricsListen(
    _ given: inout Given, _ text: String
  ) throws(UsageError) {
    let isPort = text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    given.options.metricsListen.append(try address(isPort ? "127.0.0.1:\(text)" : text))
    try checkListeners(given.options)
  }

  private static func checkListeners(_ options: ServerOptions) throws(UsageError) {
    guard options.listen.count + options.metricsListen.count < NetOptions.listenersMax else {
      throw UsageError(description: "There are too many addresses to listen on.")
    }
  }

  /// Reads an address to listen on.
  static func address(_ text: String) throws(UsageError) -> ListenAddress {
    try net { () throws(NetError) in try ListenAddress(text) }
  }

  @Sendable private static func trustedProxy(
    _ given: inout Given, _ text: String
  ) throws(UsageError) {
    given.options.trustedProxies.append(
      try net { () throws(NetError) in try TrustedProxy(text) })
  }

  private static func net<Value>(
    _ read: () throws(NetError) -> Value
  ) throws(UsageError) -> Value {
    do throws(NetError) {
      return try read()
    } catch {
      throw UsageError(description: "\(error)")
    }
  }

  @Sendable private static func registration(
    _ given: inout Given, _ word: String
  ) throws(UsageError) {
    switch word {
    case "open": given.options.registration = .open
    case "code": given.options.registration = .byCode
    default:
      throw UsageError(description: "--registration is open or code, not \(word).")
    }
  }

  @Sendable private static func firstList(
    _ given: inout Given, _ text: String
  ) throws(UsageError) {
    guard given.options.firstLists.count < Limits.firstListsMax else {
      throw UsageError(description: "--first-list may be given \(Limits.firstListsMax) times.")
    }
    do throws(TextError) {
      given.options.firstLists.append(try Text.line(text, scalars: 1...Limits.nameScalarsMax))
    } catch {
      throw UsageError(description: "--first-list takes the name of a list, not \(text).")
    }
  }
}
