import Glibc

/// The options that the words of the command line give.
struct Options: Equatable {
  enum Work: Equatable {
    case help
    /// A run that goes on elsewhere; its output is standard input.
    case follow(list: String, title: String)
    /// A run of this command, given by its name and its arguments.
    case run(list: String, title: String, command: [String])
    /// An import of the things of another program, by that program's name.
    case bring(list: String, source: String)
  }

  private(set) var state: String?
  private(set) var authorities: String?
  let work: Work

  static let usage =
    """
    usage: whattodo-example-bot [--state DIR] [--ca-file FILE] '#LIST' TITLE -- COMMAND [ARGUMENT…]
           whattodo-example-bot [--state DIR] [--ca-file FILE] '#LIST' TITLE < lines
           whattodo-example-bot [--state DIR] [--ca-file FILE] --from PROGRAM '#LIST' < lines of ID, tab, TITLE[, tab, URL]

    With a command behind -- it runs the command and shows its output. The exit status is that
    of the command. All runs of one TITLE are told at one post: the open one of that title in
    the list, or else a new one. It stays open, and its title stays.
    While a run goes on, a line that begins with "== ", "::group::" or "Step 3: " names a phase,
    and [37/109] or 40% tell how far it is. Afterwards the post says how the run ended: ok with
    status 0, cancelled when SIGINT or SIGTERM stopped it, otherwise failed. A pipe does not
    tell how a run ended: such a run ends as cancelled, which says neither ok nor failed. The
    last lines stand in the notes, below "\(Run.mark)". The bot leaves alone what people write
    above that.

    A bot has an account of its own: whattodo register NAME --bot --password-stdin --server URL --state DIR < password
    Then somebody invites it: /invite NAME #LIST. It comes in by: whattodo do accept --state DIR
    """

  /// Reads the words; nil when they are not as `usage` says.
  init?(_ arguments: [String], authorities: String?) {
    self.authorities = authorities
    var words = arguments[...]
    var source: String?
    let parting = words.firstIndex(of: "--") ?? words.endIndex
    if words[..<parting].contains(where: { $0 == "--help" || $0 == "-h" }) {
      work = .help
      return
    }
    while let name = words.first, ["--state", "--ca-file", "--from"].contains(name) {
      guard let value = words.dropFirst().first, value != "--", !value.isEmpty else { return nil }
      switch name {
      case "--state": state = value
      case "--ca-file": self.authorities = value
      default: source = value
      }
      words = words.dropFirst(2)
    }
    let named = Array(words.prefix { $0 != "--" })
    let command = Array(words.dropFirst(named.count + 1))
    let hasCommand = words.count > named.count
    switch (source, named.count, hasCommand) {
    case (let source?, 1, false): work = .bring(list: named[0], source: source)
    case (nil, 2, true) where !command.isEmpty:
      work = .run(list: named[0], title: named[1], command: command)
    case (nil, 2, false): work = .follow(list: named[0], title: named[1])
    default: return nil
    }
  }
}
