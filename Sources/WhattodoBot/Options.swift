/// The options that the words of the command line give.
struct Options {
  enum Work: Equatable {
    case help
    /// A run of this command, given by its name and its arguments.
    case run(list: String, job: String, command: [String])
    /// A run that goes on elsewhere; its output is standard input.
    case pipe(list: String, job: String)
    /// An import of the things of another program, by that program's name.
    case bring(list: String, source: String)
    /// The week that is over, told in the first list; `of` are the lists that it is about.
    case digest(list: String, of: [String])

    /// Whether it is about a week.
    var takesWeek: Bool {
      if case .digest = self { true } else { false }
    }

    /// Whether it looks at lines of output.
    var takesPatterns: Bool {
      switch self {
      case .run, .pipe: true
      case .help, .bring, .digest: false
      }
    }
  }

  private(set) var state: String?
  private(set) var authorities: String?
  private(set) var patterns = Patterns()
  /// The week of a digest. Nil for the one that is over.
  private(set) var week: Week?
  private(set) var work = Work.help

  static let usage =
    """
    usage: whattodo-bot run [OPTIONS] '#LIST' JOB -- COMMAND [ARGUMENT…]
           whattodo-bot pipe [OPTIONS] '#LIST' JOB < lines
           whattodo-bot import [OPTIONS] '#LIST' PROGRAM < lines of ID, tab, TITLE[, tab, URL]
           whattodo-bot digest [OPTIONS] '#LIST' ['#LIST'…]

    options: --state DIR       the sign-in of the bot
             --ca-file FILE    the authority of the server's certificate
             --phase REGEX     a line that matches names a phase: by its first group, or as it is
             --progress REGEX  a line that matches tells how far it is: 40 of a hundred, or 37 of 109 by two groups
             --week 2026-W48   the week that digest tells, in place of the one that is over

    run runs the command and shows its output. The exit status is that of the command. All runs of
    one JOB are told at one post: the open one with that title in the list, or else a new one. It
    stays open, and its title stays. While a run goes on, a line that begins with "== ",
    "::group::" or "Step 3: " names a phase, and [37/109] or 40% tell how far it is. Afterwards
    the post says how the run ended: ok with status 0, cancelled when SIGINT or SIGTERM stopped
    it, otherwise failed. The last lines stand in the notes, below "\(Run.mark)". The bot leaves
    alone what people write above that. A pattern with repeats inside repeats may take for ever.

    pipe tells of a run that goes on elsewhere. A pipe does not tell how a run ended: such a run
    ends as cancelled, which says neither ok nor failed.

    import adds the things of another program, or brings them up to what that program says.

    digest tells the week from Monday to Sunday that is over, in one post: what was done and added
    in the lists (in those behind the first one, or else in all that the bot is in), and by whom.
    cron runs it on Mondays: 0 8 * * 1 whattodo-bot digest '#home' --state DIR
    The week is that of this machine's clock. Its days are counted in the zone of the bot.

    Its owner makes the bot in the chat: /bot new NAME, /invite NAME to #LIST, and /token NAME CI
    shows a token. Here: whattodo login NAME --token-stdin --server URL --state DIR < token
    """

  /// Reads the words. Throws what is wrong with an option; nil when they are not as `usage` says.
  init?(_ arguments: [String], authorities: String?) throws(BotError) {
    self.authorities = authorities
    var words = arguments[...]
    let parting = words.firstIndex(of: "--") ?? words.endIndex
    if words[..<parting].contains(where: { $0 == "--help" || $0 == "-h" }) {
      return
    }
    let command = parting == words.endIndex ? nil : Array(words[(parting + 1)...])
    words = words[..<parting]
    guard let kind = words.popFirst() else { return nil }
    var named: [String] = []
    while let word = words.popFirst() {
      guard word.hasPrefix("--") else {
        named.append(word)
        continue
      }
      guard let value = words.popFirst(), !value.isEmpty, try take(word, value) else { return nil }
    }
    guard let work = Options.work(kind, named, command) else { return nil }
    if !work.takesPatterns, !patterns.areUsual { return nil }
    if !work.takesWeek, week != nil { return nil }
    self.work = work
  }

  /// Takes an option. Returns false when there is none of that name.
  private mutating func take(_ name: String, _ value: String) throws(BotError) -> Bool {
    switch name {
    case "--state": state = value
    case "--ca-file": authorities = value
    case "--phase": patterns.phase = try Pattern(value)
    case "--week": week = try Week(named: value)
    case "--progress": patterns.progress = try Pattern(value)
    default: return false
    }
    return true
  }

  private static func work(_ kind: String, _ named: [String], _ command: [String]?) -> Work? {
    switch (kind, named.count, command) {
    case ("run", 2, let command?) where !command.isEmpty:
      .run(list: named[0], job: named[1], command: command)
    case ("pipe", 2, nil): .pipe(list: named[0], job: named[1])
    case ("import", 2, nil): .bring(list: named[0], source: named[1])
    case ("digest", 1..., nil): .digest(list: named[0], of: Array(named.dropFirst()))
    default: nil
    }
  }
}
