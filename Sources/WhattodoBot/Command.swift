// The commands and the options of the bot. `--help` and the manual page (ManPage.swift) print these rows, and the
// reader of the arguments (Options.swift) goes by them. A command or an option without its words does not compile.

/// A task of the bot.
enum Command: String, CaseIterable {
  case run
  case pipe
  case bring = "import"
  case digest
  case man

  /// The words behind the name and the options.
  var usage: String {
    switch self {
    case .run: "'#LIST' JOB -- COMMAND [ARGUMENT…]"
    case .pipe: "'#LIST' JOB < lines"
    case .bring: "'#LIST' PROGRAM < lines"
    case .digest: "'#LIST' ['#LIST'…]"
    case .man: ""
    }
  }

  /// The options that it takes.
  var options: [Option] {
    switch self {
    case .run, .pipe: [.state, .authorities, .phase, .progress]
    case .bring: [.state, .authorities]
    case .digest: [.state, .authorities, .week]
    case .man: []
    }
  }

  /// The sentences that say what it does.
  var text: String {
    switch self {
    case .run:
      """
      run runs the command and shows its output. The exit status is that of the command. All runs \
      of one JOB are told at one post: the open one with that title in the list, or else a new \
      one. It stays open, and its title stays. While a run goes on, a line that begins with "== ", \
      "::group::" or "Step 3: " names a phase, and [37/109] or 40% tell how far it is. Afterwards \
      the post says how the run ended: ok with status 0, cancelled when SIGINT or SIGTERM stopped \
      it, otherwise failed. The last lines stand in the notes, below "\(Run.mark)". The bot leaves \
      alone what people write above that. A pattern with repeats inside repeats may take for ever.
      """
    case .pipe:
      """
      pipe tells of a run that goes on elsewhere. A pipe does not tell how a run ended: such a run \
      ends as cancelled, which says neither ok nor failed.
      """
    case .bring:
      """
      import adds the things of another program, or brings them up to what that program says. A \
      line is ID, tab, TITLE, and perhaps tab and URL.
      """
    case .digest:
      """
      digest tells the week from Monday to Sunday that is over, in one post: what was done and \
      added in the lists (in those behind the first one, or else in all that the bot is in), and \
      by whom. The week is that of this machine's clock. Its days are counted in the zone of the \
      bot. cron runs it on Mondays.
      """
    case .man: "man prints the manual page."
    }
  }

  /// An example, as it is typed; one of several lines goes on behind a backslash.
  var example: String {
    switch self {
    case .run: "whattodo-bot run '#builds' nightly -- make"
    case .pipe: "ssh builder make 2>&1 | whattodo-bot pipe '#builds' nightly"
    case .bring:
      #"""
      gh issue list --json number,title,url -q '.[]|[.number,.title,.url]|@tsv' \
        | whattodo-bot import '#issues' github
      """#
    case .digest: "0 8 * * 1 whattodo-bot digest '#home' --state DIR"
    case .man: "whattodo-bot man | man -l -"
    }
  }
}

/// An option of the bot. All but the last have a value behind them.
enum Option: String, CaseIterable {
  case state = "--state"
  case authorities = "--ca-file"
  case phase = "--phase"
  case progress = "--progress"
  case week = "--week"
  case help = "--help"

  var value: String {
    switch self {
    case .state: "DIR"
    case .authorities: "FILE"
    case .phase, .progress: "REGEX"
    case .week: "2026-W48"
    case .help: ""
    }
  }

  var text: String {
    switch self {
    case .state: "the sign-in of the bot; default ${XDG_STATE_HOME:-~/.local/state}/whattodo"
    case .authorities:
      "the authority of the server's certificate (PEM); default $WHATTODO_CA_FILE, else the one of "
        + "the sign-in, else the system's"
    case .phase: "a line that matches names a phase: by its first group, or as it is"
    case .progress:
      "a line that matches tells how far it is: 40 of a hundred, or 37 of 109 by two groups"
    case .week: "the week that digest tells, in place of the one that is over"
    case .help: "print what there is to type; also -h"
    }
  }

  /// The name, with its value behind it.
  var call: String { value.isEmpty ? rawValue : "\(rawValue) \(value)" }
}
