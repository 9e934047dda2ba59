import Client
import Screen

/// The options and the task of the command line.
struct Options: Equatable {
  enum Task: Equatable {
    case chat
    /// Carries out one command. `again` also completes a time that comes after one done a moment ago. `batch` makes
    /// all lines of standard input one change.
    case perform(String, json: Bool, again: Bool = false, batch: Bool = false)
    /// Registers an account. Passwords come from standard input: `--password-stdin`.
    case register(String, code: String?, isBot: Bool)
    case login(String)
    /// Signs in as a bot with a token, one line of standard input: `--token-stdin`.
    case loginByToken(String)
    /// Signs in with a code that another device of the person shows.
    case pair(String)
    /// Looks at a list with the code of a link.
    case look(String)
    /// Begins as a guest, without a name and a password.
    case guest
    /// Gives a guest this name.
    case upgrade(String, code: String?)
    case help
    case version
    /// Prints the script that completes words in a shell.
    case completion(ShellName)
    /// Prints the manual page.
    case manual
    /// Prints the words that may stand in place of the last of these.
    case complete([String])
  }

  /// The server as given; nil for the saved or usual one.
  private(set) var server: String?
  /// The state folder as given; nil for the usual place.
  private(set) var state: String?
  /// A file with the certificate authorities to trust; nil for the one used at the sign-in, or the system's.
  private(set) var authorities: String?
  /// Whether a password and a token may be sent where others can read them.
  private(set) var allowsPlaintext = false
  private(set) var task = Task.chat

  /// Reads the arguments behind the program's name. Throws a sentence when they cannot be understood.
  init(_ arguments: [String], environment: [String: String] = [:]) throws(Problem) {
    var words: [String] = []
    var flags: Set<String> = []
    var code: String?
    var link: String?
    var rest = arguments[...]
    if let file = environment["WHATTODO_CA_FILE"], !file.isEmpty { authorities = file }
    if arguments.starts(with: ["complete", "--"]) {
      task = .complete(Array(arguments.dropFirst(2)))
      return
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--server": server = try Options.value(of: argument, &rest)
      case "--state": state = try Options.value(of: argument, &rest)
      case "--code": code = try Options.value(of: argument, &rest)
      case "--link": link = try Options.value(of: argument, &rest)
      case "--ca-file": authorities = try Options.value(of: argument, &rest)
      case "--insecure-plaintext": allowsPlaintext = true
      case "--json", "--again", "--batch", "--bot", "--glance", "--password-stdin",
        "--token-stdin", "--help", "-h", "--version":
        flags.insert(argument)
      default:
        guard !argument.hasPrefix("--") else { throw Problem("there is no option \(argument)") }
        words.append(argument)
      }
    }
    task = try Options.task(words, flags, code)
    if let link, task == .chat { task = .look(link) }
  }

  private static func task(
    _ words: [String], _ flags: Set<String>, _ code: String?
  ) throws(Problem) -> Task {
    if flags.contains("--help") || flags.contains("-h") { return .help }
    if flags.contains("--version") { return .version }
    switch words.first {
    case nil where flags.contains("--glance"):
      return .perform("glance", json: flags.contains("--json"))
    case nil: return .chat
    case "help": return .help
    case "completion":
      guard words.count == 2, let shell = ShellName(rawValue: words[1]) else {
        throw Problem("completion wants a shell: bash, fish or zsh")
      }
      return .completion(shell)
    case "man": return .manual
    case "do":
      guard words.count > 1 else {
        throw Problem("do wants a command: whattodo do 'add #groceries milk'")
      }
      guard words.count == 2 || words[1] != "-" else {
        throw Problem("do - reads commands from standard input, and takes none beside it")
      }
      guard words[1] == "-" || !flags.contains("--batch") else {
        throw Problem("--batch makes one change of the lines of do -: whattodo do - --batch")
      }
      return .perform(
        words.dropFirst().joined(separator: " "), json: flags.contains("--json"),
        again: flags.contains("--again"), batch: flags.contains("--batch"))
    case "login" where flags.contains("--token-stdin"):
      guard words.count == 2 else { throw Problem("login --token-stdin wants the name of the bot") }
      return .loginByToken(words[1])
    case "register", "login":
      guard words.count == 2, flags.contains("--password-stdin") else {
        throw Problem(
          "\(words[0]) wants a name and --password-stdin; without arguments whattodo asks")
      }
      return words[0] == "login"
        ? .login(words[1]) : .register(words[1], code: code, isBot: flags.contains("--bot"))
    case "guest": return .guest
    case "upgrade":
      guard words.count == 2, flags.contains("--password-stdin") else {
        throw Problem("upgrade wants a name and --password-stdin; in the chat /me upgrade asks")
      }
      return .upgrade(words[1], code: code)
    case "pair":
      guard words.count > 1 else { throw Problem("pair wants the code that /pair shows elsewhere") }
      return .pair(words.dropFirst().joined(separator: " "))
    default:
      throw Problem(
        "there is no command \(words[0]); for the commands of the chat: whattodo do '…'")
    }
  }

  /// The words that may stand behind the program's name.
  static let tasks = [
    "completion", "do", "guest", "help", "login", "man", "pair", "register", "upgrade",
  ]

  /// The options behind which a value stands.
  static let withValue: Set = ["--ca-file", "--code", "--link", "--server", "--state"]

  static let names = [
    "--again", "--batch", "--bot", "--ca-file", "--code", "--glance", "--help",
    "--insecure-plaintext", "--json", "--link", "--password-stdin", "--server", "--state",
    "--token-stdin", "--version",
  ]

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(Problem)
    -> String
  {
    guard let value = rest.popFirst(), !value.isEmpty else {
      throw Problem("\(option) wants a value")
    }
    return value
  }

  static var help: String {
    """
    whattodo — shared lists, live

    \(OptionWords.calls)

    \(OptionWords.options)

    \(OptionWords.scripts)

    Commands, for do and (with a / in front) in the chat:

    """ + HelpLines.all.map(\.plain).joined(separator: "\n")
  }
}

/// The words of the command line, as `--help` and the manual page show them.
enum OptionWords {
  static let calls = """
      whattodo                                the chat; asks for a name at the first start
      whattodo do 'COMMAND' [--json] [--again]
                                              one command, for scripts
      whattodo do - [--json] [--again] [--batch]
                                              commands from standard input, one a line
      whattodo --glance [--json]              how much there is, in numbers only, for a status bar
      whattodo register NAME --password-stdin [--code CODE] [--bot]
                                              --bot: the account of a program, for as long as it is there
      whattodo login NAME --password-stdin    the password is one line of standard input
      whattodo login BOT --token-stdin        the token of a bot, which /token makes
      whattodo --link CODE                    look at a list that somebody shows you
      whattodo pair CODE                      sign in with what /pair shows on another device
      whattodo guest                          begin without a name, where the server takes guests
      whattodo upgrade NAME --password-stdin [--code CODE]
                                              a guest's name and password; all else stays
      whattodo completion bash|fish|zsh       completes words in a shell, as its first line says
      whattodo man                            prints the manual page: whattodo man | man -l -
    """

  static let options = """
      --server URL    \(ServerAddress.usual) unless signed in elsewhere; wss:// is encrypted
      --ca-file FILE  trust the certificate authorities in this file (PEM) instead of the system's;
                      kept with the sign-in; also $WHATTODO_CA_FILE
      --insecure-plaintext
                      sign in with ws:// over a network, where others can read the password
      --state DIR     where the sign-in is kept; ${XDG_STATE_HOME:-~/.local/state}/whattodo
      --json          the answer of do as one JSON object, with do - one a line
      --batch         all lines of do - as one change: all of it is made, or nothing
      --again         complete a post that comes again, though its last time was done a moment ago
      --version, --help
    """

  static let scripts = """
    A + in front adds a post as a line of the chat does, with due, tags and people:
    whattodo do '+ milk tomorrow !high #groceries'

    With --json the names and forms of the answers stay, so scripts may rest on them:
    whattodo do 'show #groceries' --json | jq -r '.posts[].title'

    Exit codes of do: 0 done, 1 refused, 2 usage, 3 no connection, 4 not signed in,
    5 done a moment ago: nothing has changed, --again completes the next time too,
    6 somebody would have to be asked: nothing was sent,
    7 the server is busy: give this command again later.
    """
}
