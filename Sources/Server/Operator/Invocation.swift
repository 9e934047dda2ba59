// Reads the task of the program from its arguments. It is pure: words in, a value or a sentence out.

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Text

/// One run of `whattodo-server`.
package enum Invocation: Sendable {
  case serve(ServerOptions)
  case verify(dataFolder: String)
  case backup(dataFolder: String, destination: String, withSecret: Bool)
  case restore(backup: String, dataFolder: String, replacing: Bool, closingSessions: Bool)
  case invite(dataFolder: String, days: Int)
  case confirmClock(dataFolder: String)
  case newSecret(dataFolder: String)
  case resetUser(dataFolder: String, username: String)
  case deleteUser(dataFolder: String, username: String, days: Int)
  case giveBot(dataFolder: String, bot: String, owner: String)
  case ownGroup(dataFolder: String, group: String, username: String, days: Int)
  case help
  case version
}

/// The fault in the arguments, as a sentence.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let description: String
}

extension Invocation {
  package static let usage = """
    usage: whattodo-server [OPTION]…              serve until SIGTERM or SIGINT
           whattodo-server verify                 rebuild every list from the log and compare
           whattodo-server backup FILE [--with-secret]
                                                  write a copy, also of a running server's data;
                                                  --with-secret: FILE.secret too, with which codes
                                                  of then are good after a restore elsewhere
           whattodo-server restore FILE [--replace] [--sign-out]
                                                  put a copy in the place of the data; no server
                                                  may run. --replace: keep the data that is there
                                                  under another name; --sign-out: close all sessions
           whattodo-server user reset USERNAME    print this person's recovery code
           whattodo-server user delete USERNAME [--days N]
                                                  end this person's account, 14 days from now or N
           whattodo-server group owner GROUP USERNAME [--days N]
                                                  print a code by which this person becomes its
                                                  owner; GROUP: its name or id, also of a list
           whattodo-server bot owner BOT USERNAME
                                                  let this person own that bot
           whattodo-server invite [--days N]      print a code that lets one person register
           whattodo-server secret new             when somebody else has the secret: make another;
                                                  codes and links of before are not good any more;
                                                  no server may run
           whattodo-server clock confirm          the clock is right: deadlines may be told

      --data DIR               where everything is kept; default $WHATTODO_DATA, else
                               $XDG_DATA_HOME/whattodo, else ~/.local/share/whattodo
      --listen ADDRESS:PORT    default 127.0.0.1:8484, port 0 for any free one; may be repeated
      --listen unix:PATH       a socket file for a proxy on this machine, mode 0660
      --registration open|code who may register; default: everybody while only this machine can
                               connect, with a code otherwise
      --guests N               let people begin without a name and a password, N of them at a time who
                               have not given themselves one; default none may
      --privacy FILE           what you say of people's data: text for `server.about` and `/privacy`
      --first-list NAME        a list that everybody who registers begins with; up to ten
      --allow-host NAME        a host name by which clients reach this server; may be repeated
      --origin URL             a web origin that may connect; may be repeated
      --trusted-proxy RANGE    a proxy (10.0.0.0/8, ::1, or unix for socket files) whose X-Forwarded-For says
                               who the client is; may be repeated
      --tls-certificate FILE   speak TLS: the certificate with its chain (PEM). SIGHUP reads both
      --tls-key FILE           files again; who is connected stays
      --insecure-plaintext     listen without TLS where other machines can connect
      --metrics-listen PORT    show /metrics to this machine on that port; also ADDRESS:PORT or
                               unix:PATH, may be repeated; default nowhere
      --webhooks-reach-private
                               webhooks may send to this machine and to private networks
      --webhook-authorities PEM
                               the authorities that webhooks trust, instead of the system's
      --grace DAYS             how long a deleted account can be kept by its owner, 0 to 365; default 14
      --keep-history DAYS      forget what happened more than so many days ago, 1 to 36500; default
                               everything is kept. What is there stays; how it came to be goes
      --keep-removed DAYS      how long a removed post can be brought back, 0 to 36500 or `ever`; default
                               30. Then its text goes for good
      --loops N                network threads, 1 to 64; default one for each processor
      --scrypt-log-n N         cost of a password hash, 10 to 20; default 15
      --command-rate N         requests per second of a connection, commands of a person; default 20, burst five times that
      --bot-rate N             the same of a bot, which has its own; default 50, burst four times that
      --hello-rate N           hellos per minute and user; default 60
      --bytes-per-day N        what a person or a bot writes in a day; default 268435456
      --stored-bytes N         what is kept of a person and their lists; default 2147483648
      --group-stored-bytes N   what is kept of a group and its lists; default 8589934592
      --connections N          of all clients together; default 19000
      --connections-per-address N
                               of one address; default as many as of all
      --record-frames FILE     append every message to this file, for tests; also
                               $WHATTODO_RECORD_FRAMES
      --help, --version
    """

  /// Reads the arguments after the program's name.
  package init(
    _ arguments: [String], environment: [String: String]
  ) throws(UsageError) {
    var reader = ArgumentReader(rest: arguments[...], environment: environment)
    self = try reader.invocation()
  }
}

private struct ArgumentReader {
  var rest: ArraySlice<String>
  let environment: [String: String]
  private var certificateFile: String?
  private var keyFile: String?

  init(rest: ArraySlice<String>, environment: [String: String]) {
    self.rest = rest
    self.environment = environment
  }

  mutating func invocation() throws(UsageError) -> Invocation {
    if rest.contains("--help") || rest.contains("-h") { return .help }
    switch rest.first {
    case "verify":
      rest.removeFirst()
      return .verify(dataFolder: try folderOnly())
    case "backup":
      rest.removeFirst()
      return try backup(try word("backup needs the name of a new file."))
    case "restore":
      rest.removeFirst()
      return try restore(try word("restore needs the name of a backup."))
    case "invite":
      rest.removeFirst()
      return try invite()
    case "group":
      rest.removeFirst()
      return try group()
    case "bot":
      rest.removeFirst()
      return try bot()
    case "clock":
      rest.removeFirst()
      guard rest.popFirst() == "confirm" else {
        throw UsageError(description: "The only thing to do to the clock is: clock confirm.")
      }
      return .confirmClock(dataFolder: try folderOnly())
    case "secret":
      rest.removeFirst()
      guard rest.popFirst() == "new" else {
        throw UsageError(description: "The only thing to do to the secret is: secret new.")
      }
      return .newSecret(dataFolder: try folderOnly())
    case "user":
      rest.removeFirst()
      return try user()
    default: return try serve()
    }
  }

  private mutating func folderOnly() throws(UsageError) -> String {
    var folder: String?
    while let name = rest.popFirst() {
      guard name == "--data" else { throw unknown(name) }
      folder = try value(of: name)
    }
    if let folder { return folder }
    return try defaultFolder()
  }

  private mutating func backup(_ destination: String) throws(UsageError) -> Invocation {
    var folder: String?
    var withSecret = false
    while let name = rest.popFirst() {
      switch name {
      case "--data": folder = try value(of: name)
      case "--with-secret": withSecret = true
      default: throw unknown(name)
      }
    }
    let known = if let folder { folder } else { try defaultFolder() }
    return .backup(dataFolder: known, destination: destination, withSecret: withSecret)
  }

  private mutating func restore(_ backup: String) throws(UsageError) -> Invocation {
    var folder: String?
    var (replacing, closingSessions) = (false, false)
    while let name = rest.popFirst() {
      switch name {
      case "--data": folder = try value(of: name)
      case "--replace": replacing = true
      case "--sign-out": closingSessions = true
      default: throw unknown(name)
      }
    }
    let known = if let folder { folder } else { try defaultFolder() }
    return .restore(
      backup: backup, dataFolder: known, replacing: replacing, closingSessions: closingSessions)
  }

  private mutating func invite() throws(UsageError) -> Invocation {
    let (folder, days) = try folderAndDays()
    return .invite(dataFolder: folder, days: days)
  }

  private mutating func user() throws(UsageError) -> Invocation {
    switch rest.popFirst() {
    case "reset":
      let username = try word("user reset needs a username.")
      return .resetUser(dataFolder: try folderOnly(), username: username)
    case "delete":
      let username = try word("user delete needs a username.")
      let (folder, days) = try folderAndDays(14, of: AccountEndRequest.days)
      return .deleteUser(dataFolder: folder, username: username, days: days)
    default:
      throw UsageError(description: "To do to a user: user reset USERNAME, user delete USERNAME.")
    }
  }

  private mutating func group() throws(UsageError) -> Invocation {
    guard rest.popFirst() == "owner" else {
      throw UsageError(description: "The only thing to do to a group is: group owner GROUP USER.")
    }
    let group = try word("group owner needs a group and a username.")
    let username = try word("group owner needs a username.")
    let (folder, days) = try folderAndDays()
    return .ownGroup(dataFolder: folder, group: group, username: username, days: days)
  }

  private mutating func bot() throws(UsageError) -> Invocation {
    guard rest.popFirst() == "owner" else {
      throw UsageError(description: "The only thing to do to a bot is: bot owner BOT USERNAME.")
    }
    let bot = try word("bot owner needs a bot and a username.")
    let owner = try word("bot owner needs a username.")
    return .giveBot(dataFolder: try folderOnly(), bot: bot, owner: owner)
  }

  private mutating func folderAndDays(
    _ usual: Int = 7, of range: ClosedRange<Int> = 1...365
  ) throws(UsageError) -> (folder: String, days: Int) {
    var folder: String?
    var days = usual
    while let name = rest.popFirst() {
      switch name {
      case "--data": folder = try value(of: name)
      case "--days": days = try number(name, range)
      default: throw unknown(name)
      }
    }
    if let folder { return (folder, days) }
    return (try defaultFolder(), days)
  }

  private mutating func serve() throws(UsageError) -> Invocation {
    var options = ServerOptions(dataFolder: "")
    options.recordFrames = environment["WHATTODO_RECORD_FRAMES"]
    options.stopsOnSignals = true
    while let name = rest.popFirst() {
      switch name {
      case "--version": return .version
      default: try read(name, into: &options)
      }
    }
    options.certificate = try certificate()
    if options.dataFolder.isEmpty { options.dataFolder = try defaultFolder() }
    if options.listen.isEmpty { options.listen = [try address("127.0.0.1:8484")] }
    return .serve(options)
  }

  private mutating func read(
    _ name: String, into options: inout ServerOptions
  ) throws(UsageError) {
    switch name {
    case "--data": options.dataFolder = try value(of: name)
    case "--listen":
      options.listen.append(try address(try value(of: name)))
      try checkListeners(options)
    case "--metrics-listen":
      options.metricsListen.append(try metricsAddress(try value(of: name)))
      try checkListeners(options)
    case "--registration": options.registration = try registration(try value(of: name))
    case "--guests": options.guestsMax = try number(name, 1...1_000_000)
    case "--privacy": options.privacyFile = try value(of: name)
    case "--first-list": options.firstLists.append(try firstList(after: options.firstLists))
    case "--allow-host": options.hosts.append(try value(of: name))
    case "--origin": options.origins.append(try value(of: name))
    case "--trusted-proxy":
      let range = try value(of: name)
      options.trustedProxies.append(try net { () throws(NetError) in try TrustedProxy(range) })
    case "--tls-certificate": certificateFile = try value(of: name)
    case "--tls-key": keyFile = try value(of: name)
    case "--insecure-plaintext": options.allowsPlaintext = true
    case "--webhooks-reach-private": options.webhooksReachPrivate = true
    case "--webhook-authorities": options.webhookAuthorities = try value(of: name)
    case "--grace": options.graceDays = try number(name, 0...365)
    case "--keep-history": options.keepHistoryDays = try number(name, 1...36_500)
    case "--keep-removed": options.keepRemovedDays = try daysOrEver(name)
    case "--loops": options.loops = try number(name, 1...ServerLimits.loopsMax)
    case "--scrypt-log-n":
      options.scryptCost = ScryptCost(
        logN: try number(name, 10...20), r: options.scryptCost.r, p: options.scryptCost.p)
    case "--command-rate":
      let rate = Int64(try number(name, 1...1_000_000_000))
      options.session.rate = TokenRate(
        count: rate, everyMilliseconds: 1_000, burst: rate * 5)
    case "--bot-rate":
      let rate = Int64(try number(name, 1...1_000_000_000))
      options.session.botRate = TokenRate(
        count: rate, everyMilliseconds: 1_000, burst: rate * 4)
    case "--hello-rate":
      let rate = Int64(try number(name, 1...1_000_000_000))
      options.helloRate = TokenRate(count: rate, everyMilliseconds: 60_000, burst: rate)
    case "--bytes-per-day":
      let bytes = Int64(try number(name, 1...1 << 50))
      options.storage.bytesPerDay = bytes
      options.storage.ownerBytesPerDay = 4 * bytes
    case "--stored-bytes": options.storage.storedBytesMax = Int64(try number(name, 1...1 << 50))
    case "--group-stored-bytes":
      options.storage.groupStoredBytesMax = Int64(try number(name, 1...1 << 50))
    case "--connections": options.connectionsMax = try number(name, 1...1_000_000)
    case "--connections-per-address":
      options.connectionsPerAddressMax = try number(name, 1...1_000_000)
    case "--record-frames": options.recordFrames = try value(of: name)
    default: throw unknown(name)
    }
  }

  // MARK: Values

  private func unknown(_ name: String) -> UsageError {
    UsageError(description: "There is no option \(name); --help shows all.")
  }

  private mutating func word(_ otherwise: String) throws(UsageError) -> String {
    guard let word = rest.popFirst(), !word.hasPrefix("--") else {
      throw UsageError(description: otherwise)
    }
    return word
  }

  private mutating func value(of name: String) throws(UsageError) -> String {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw UsageError(description: "\(name) needs a value; --help shows all options.")
    }
    return value
  }

  private mutating func number(
    _ name: String, _ range: ClosedRange<Int>
  ) throws(UsageError) -> Int {
    let text = try value(of: name)
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        description:
          "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text).")
    }
    return number
  }

  /// Reads a number of days. Nil means for ever.
  private mutating func daysOrEver(_ name: String) throws(UsageError) -> Int? {
    let text = try value(of: name)
    if text == "ever" { return nil }
    guard let days = Int(text), (0...36_500).contains(days) else {
      throw UsageError(
        description: "\(name) takes a number from 0 to 36500, or `ever`, not \(text).")
    }
    return days
  }

  private func checkListeners(_ options: ServerOptions) throws(UsageError) {
    guard options.listen.count + options.metricsListen.count < NetOptions.listenersMax else {
      throw UsageError(description: "There are too many addresses to listen on.")
    }
  }

  private mutating func firstList(after others: [String]) throws(UsageError) -> String {
    let text = try value(of: "--first-list")
    guard others.count < Limits.firstListsMax else {
      throw UsageError(description: "--first-list may be given \(Limits.firstListsMax) times.")
    }
    do throws(TextError) {
      return try Text.line(text, scalars: 1...Limits.nameScalarsMax)
    } catch {
      throw UsageError(description: "--first-list takes the name of a list, not \(text).")
    }
  }

  /// Reads an address for metrics. A port alone means that port of this machine.
  private func metricsAddress(_ text: String) throws(UsageError) -> ListenAddress {
    try address(text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? "127.0.0.1:\(text)" : text)
  }

  private func address(_ text: String) throws(UsageError) -> ListenAddress {
    try net { () throws(NetError) in try ListenAddress(text) }
  }

  private func net<Value>(_ read: () throws(NetError) -> Value) throws(UsageError) -> Value {
    do throws(NetError) {
      return try read()
    } catch {
      throw UsageError(description: "\(error)")
    }
  }

  private func certificate() throws(UsageError) -> CertificateFiles? {
    switch (certificateFile, keyFile) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return CertificateFiles(certificate: certificate, key: key)
    case (nil, _?), (_?, nil):
      throw UsageError(description: "--tls-certificate and --tls-key go together.")
    }
  }

  private func registration(
    _ word: String
  ) throws(UsageError) -> ServerOptions.Registration {
    switch word {
    case "open": return .open
    case "code": return .byCode
    default:
      throw UsageError(description: "--registration is open or code, not \(word).")
    }
  }

  private func defaultFolder() throws(UsageError) -> String {
    if let folder = environment["WHATTODO_DATA"], !folder.isEmpty { return folder }
    if let home = environment["XDG_DATA_HOME"], !home.isEmpty { return home + "/whattodo" }
    if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/whattodo" }
    throw UsageError(description: "There is no home folder: say where with --data DIR.")
  }
}
