/// The options that the words of the command line give.
struct Options {
  enum Work: Equatable {
    case help
    /// Prints the manual page.
    case manual
    /// A run of this command, given by its name and its arguments.
    case run(list: String, job: String, command: [String])
    /// A run that goes on elsewhere; its output is standard input.
    case pipe(list: String, job: String)
    /// An import of the things of another program, by that program's name.
    case bring(list: String, source: String)
    /// The week that is over, told in the first list; `of` are the lists that it is about.
    case digest(list: String, of: [String])
  }

  private(set) var state: String?
  private(set) var authorities: String?
  private(set) var patterns = Patterns()
  /// The week of a digest. Nil for the one that is over.
  private(set) var week: Week?
  private(set) var work = Work.help

  /// Reads the words. Throws what is wrong with an option; nil when they are not as `ManPage.usage` says.
  init?(_ arguments: [String], authorities: String?) throws(BotError) {
    self.authorities = authorities
    var words = arguments[...]
    let parting = words.firstIndex(of: "--") ?? words.endIndex
    if words[..<parting].contains(where: { $0 == Option.help.rawValue || $0 == "-h" }) {
      return
    }
    let command = parting == words.endIndex ? nil : Array(words[(parting + 1)...])
    words = words[..<parting]
    guard let kind = words.popFirst().flatMap({ Command(rawValue: $0) }) else { return nil }
    var named: [String] = []
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else {
        named.append(word)
        continue
      }
      guard let option = Option(rawValue: word), kind.options.contains(option),
        let value = words.popFirst(), !value.isEmpty
      else { return nil }
      try take(option, value)
    }
    guard let work = Options.work(kind, named, command) else { return nil }
    self.work = work
  }

  private mutating func take(_ option: Option, _ value: String) throws(BotError) {
    switch option {
    case .state: state = value
    case .authorities: authorities = value
    case .phase: patterns.phase = try Pattern(value)
    case .progress: patterns.progress = try Pattern(value)
    case .week: week = try Week(named: value)
    // No command takes it behind its name: it was answered before.
    case .help: work = .help
    }
  }

  private static func work(_ kind: Command, _ named: [String], _ command: [String]?) -> Work? {
    switch (kind, named.count, command) {
    case (.run, 2, let command?) where !command.isEmpty:
      .run(list: named[0], job: named[1], command: command)
    case (.pipe, 2, nil): .pipe(list: named[0], job: named[1])
    case (.bring, 2, nil): .bring(list: named[0], source: named[1])
    case (.digest, 1..., nil): .digest(list: named[0], of: Array(named.dropFirst()))
    case (.man, 0, nil): .manual
    default: nil
    }
  }
}
