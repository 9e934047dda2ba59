// Reads the task of the program from its arguments. It is pure: words in, a value or a sentence out. The options are
// in ServerOption.swift, the commands in OperatorCall.swift.

internal import Net

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
  case manual
  case help
  case version
}

/// The fault in the arguments, as a sentence.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  package let description: String
}

extension Invocation {
  /// The environment variables that are looked at, with what they do.
  package static let variables = [
    (name: "WHATTODO_DATA", text: "the folder of --data when the option is not given"),
    (name: "XDG_DATA_HOME", text: "the folder in which whattodo is the folder of --data otherwise"),
    (name: "HOME", text: "without the others, .local/share/whattodo in it"),
    (name: "WHATTODO_RECORD_FRAMES", text: "the file of --record-frames"),
  ]

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

  mutating func invocation() throws(UsageError) -> Invocation {
    if rest.contains("--help") || rest.contains("-h") { return .help }
    let calls = OperatorCall.all.filter { $0.nameWords.first == rest.first }
    if calls.isEmpty { return try serve() }
    guard let call = calls.first(where: { rest.starts(with: $0.nameWords) }) else {
      let whole = calls.map(\.call).joined(separator: ", ")
      throw UsageError(description: "There is only: \(whole).")
    }
    rest.removeFirst(call.nameWords.count)
    return call.invocation(try given(to: call))
  }

  /// Reads what stands behind a command: its words, then its options in any order.
  private mutating func given(to call: OperatorCall) throws(UsageError) -> OperatorCall.Given {
    var given = OperatorCall.Given()
    for word in call.words {
      guard let next = rest.popFirst(), !next.hasPrefix("--") else {
        throw UsageError(description: "\(call.name) needs \(word.meaning).")
      }
      given.words.append(next)
    }
    for case .days(let usual, _, _) in call.options { given.days = usual }
    while let name = rest.popFirst() {
      switch call.options.first(where: { $0.row.name == name }) {
      case .days(_, let range, _): given.days = try number(name, range)
      case .flag: given.flags.insert(name)
      case nil where call.takesFolder && name == "--data": given.folder = try value(of: name)
      case nil: throw unknown(name)
      }
    }
    if call.takesFolder, given.folder.isEmpty { given.folder = try defaultFolder() }
    return given
  }

  private mutating func serve() throws(UsageError) -> Invocation {
    var given = ServerOption.Given()
    given.options.recordFrames = environment["WHATTODO_RECORD_FRAMES"]
    given.options.stopsOnSignals = true
    while let name = rest.popFirst() {
      guard let option = ServerOption.named(name) else { throw unknown(name) }
      switch option.reading {
      case .flag(let set): set(&given)
      case .number(let range, let set): set(&given, try number(name, range))
      case .numberOr(let word, let range, let set):
        set(&given, try number(name, range, or: word))
      case .text(let set): try set(&given, try value(of: name))
      case .asks(let other): return other
      }
    }
    given.options.certificate = try certificate(given)
    if given.options.dataFolder.isEmpty { given.options.dataFolder = try defaultFolder() }
    if given.options.listen.isEmpty {
      given.options.listen = [try ServerOption.address(ServerOption.usualAddress)]
    }
    return .serve(given.options)
  }

  // MARK: Values

  private func unknown(_ name: String) -> UsageError {
    UsageError(description: "There is no option \(name); --help shows all.")
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

  /// Reads a number, or nil for the word.
  private mutating func number(
    _ name: String, _ range: ClosedRange<Int>, or word: String
  ) throws(UsageError) -> Int? {
    let text = try value(of: name)
    if text == word { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw UsageError(
        description: "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), "
          + "or `\(word)`, not \(text).")
    }
    return number
  }

  private func certificate(
    _ given: ServerOption.Given
  ) throws(UsageError) -> CertificateFiles? {
    switch (given.certificateFile, given.keyFile) {
    case (nil, nil): return nil
    case (let certificate?, let key?): return CertificateFiles(certificate: certificate, key: key)
    case (nil, _?), (_?, nil):
      throw UsageError(description: "--tls-certificate and --tls-key go together.")
    }
  }

  private func defaultFolder() throws(UsageError) -> String {
    if let folder = environment["WHATTODO_DATA"], !folder.isEmpty { return folder }
    if let home = environment["XDG_DATA_HOME"], !home.isEmpty { return home + "/whattodo" }
    if let home = environment["HOME"], !home.isEmpty { return home + "/.local/share/whattodo" }
    throw UsageError(description: "There is no home folder: say where with --data DIR.")
  }
}
