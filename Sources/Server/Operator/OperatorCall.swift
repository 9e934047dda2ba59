// The operator's commands as they are typed. A command is one row: its words, its options, what it does, and the
// invocation that comes of it. The reader of the arguments, `--help` and the manual page go by these rows.

/// One command of `whattodo-server`.
struct OperatorCall: Sendable {
  /// A word that has to stand behind the command.
  struct Word: Sendable {
    let shown: String
    /// The thing that it names, as in "needs a username".
    let meaning: String
  }

  /// An option that stands behind the command, besides `--data`.
  enum Option: Sendable {
    case days(usual: Int, ClosedRange<Int>, String)
    case flag(String, String)

    var row: OptionRow {
      switch self {
      case .days(let usual, let range, let text):
        OptionRow(name: "--days", value: "N", text: text, numbers: range, usual: "\(usual)")
      case .flag(let name, let text): OptionRow(name: name, value: "", text: text)
      }
    }
  }

  /// The words and options that were typed behind the command.
  struct Given {
    var folder = ""
    /// One for each word of the command.
    var words: [String] = []
    var days = 0
    var flags: Set<String> = []
  }

  /// One word or two, such as `user reset`.
  let name: String
  let words: [Word]
  let text: String
  let options: [Option]
  /// Whether it is about a data folder, and so takes `--data`.
  let takesFolder: Bool
  let invocation: @Sendable (Given) -> Invocation

  private init(
    _ name: String, _ text: String, _ words: [Word] = [], _ options: [Option] = [],
    takesFolder: Bool = true, _ invocation: @escaping @Sendable (Given) -> Invocation
  ) {
    self.name = name
    self.words = words
    self.options = options
    self.takesFolder = takesFolder
    self.text = text
    self.invocation = invocation
  }

  var nameWords: [String] { name.split(separator: " ").map(String.init) }

  /// The words and the options behind the name.
  var rest: String {
    (words.map(\.shown) + options.map { "[\($0.row.call)]" }).joined(separator: " ")
  }

  /// All that is typed behind the program's name.
  var call: String { rest.isEmpty ? name : "\(name) \(rest)" }

  /// All that there is to say about what it does and about its options.
  var sentences: [String] { [text] + options.map { "\($0.row.name): \($0.row.sentence)" } }

  private static let username = Word(shown: "USERNAME", meaning: "a username")

  static let all: [OperatorCall] = copies + people + others

  private static let copies = [
    OperatorCall("verify", "rebuild every list from the log and compare") {
      .verify(dataFolder: $0.folder)
    },
    OperatorCall(
      "backup", "write a copy, also of a running server's data",
      [Word(shown: "FILE", meaning: "the name of a new file")],
      [
        .flag(
          "--with-secret",
          "write FILE.secret too, with which codes of then are good after a restore elsewhere")
      ]
    ) {
      .backup(
        dataFolder: $0.folder, destination: $0.words[0],
        withSecret: $0.flags.contains("--with-secret"))
    },
    OperatorCall(
      "restore", "put a copy in the place of the data; no server may run",
      [Word(shown: "FILE", meaning: "the name of a backup")],
      [
        .flag("--replace", "keep the data that is there under another name"),
        .flag("--sign-out", "close all sessions"),
      ]
    ) {
      .restore(
        backup: $0.words[0], dataFolder: $0.folder, replacing: $0.flags.contains("--replace"),
        closingSessions: $0.flags.contains("--sign-out"))
    },
  ]

  private static let people = [
    OperatorCall("user reset", "print this person's recovery code", [username]) {
      .resetUser(dataFolder: $0.folder, username: $0.words[0])
    },
    OperatorCall(
      "user delete", "end this person's account", [username],
      [.days(usual: 14, AccountEndRequest.days, "so many days from now")]
    ) { .deleteUser(dataFolder: $0.folder, username: $0.words[0], days: $0.days) },
    OperatorCall(
      "group owner",
      "print a code by which this person becomes its owner; GROUP: its name or id, also of a list",
      [Word(shown: "GROUP", meaning: "a group"), username], [codeDays]
    ) {
      .ownGroup(
        dataFolder: $0.folder, group: $0.words[0], username: $0.words[1], days: $0.days)
    },
    OperatorCall(
      "bot owner", "let this person own that bot",
      [Word(shown: "BOT", meaning: "a bot"), username]
    ) { .giveBot(dataFolder: $0.folder, bot: $0.words[0], owner: $0.words[1]) },
    OperatorCall("invite", "print a code that lets one person register", [], [codeDays]) {
      .invite(dataFolder: $0.folder, days: $0.days)
    },
  ]

  private static let codeDays = Option.days(usual: 7, 1...365, "how many days the code is good")

  private static let others = [
    OperatorCall(
      "secret new",
      "when somebody else has the secret: make another; codes and links of before are not good any "
        + "more; no server may run"
    ) { .newSecret(dataFolder: $0.folder) },
    OperatorCall("clock confirm", "say that the clock is right: deadlines may be told") {
      .confirmClock(dataFolder: $0.folder)
    },
    OperatorCall(
      "man", "print the manual page: whattodo-server man | man -l -", takesFolder: false
    ) { _ in .manual },
  ]
}
