// A bot that reports what other programs do. `whattodo-bot run '#builds' nightly -- make` runs the command and tells of
// it at one post, today and every other night: what goes on (phases and progress, as the output shows them), and at the
// end how it went, with the last lines as notes (Run.swift). `pipe` does so for a run elsewhere, `import` brings the
// things of another program (Importing.swift), and `digest` tells the week (Digesting.swift). It signs in with the
// state folder that it is given, and everybody sees that it is a bot. It is written as any program outside this package
// would be: all that it knows of the product is the library `Todo`.

import Client
import Glibc

@main
struct Bot {
  static let connectMilliseconds = 15_000

  static func main() {
    let authorities = getenv("WHATTODO_CA_FILE").map { String(cString: $0) }
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(BotError) {
      guard let options = try Options(words, authorities: authorities) else {
        fail(ManPage.usage, code: 2)
      }
      try work(options)
    } catch {
      fail(error.sentence, code: error.status)
    }
  }

  private static func work(_ options: Options) throws(BotError) {
    switch options.work {
    case .help: print(ManPage.usage)
    case .manual: print(ManPage.page)
    case .run(let list, let job, let command): run(command, list, job, options)
    case .pipe(let list, let job): try follow(list, job, options)
    case .bring(let list, let source): try bring(source, list, options)
    case .digest(let list, let others): try digest(list, others, options)
    }
  }

  private static func follow(
    _ list: String, _ job: String, _ options: Options
  ) throws(BotError) {
    let todo = try open(options)
    defer { todo.close() }
    let run = try Run(job, in: try find(list, todo), todo)
    var (input, pipes) = (Input(sources: 1, options.patterns), Pipes([STDIN_FILENO]))
    while !pipes.isOver {
      pipes.read(milliseconds: run.tell(&input)) { input.take($0, from: $1) }
    }
    input.finish()
    print(run.end(.unknown, input))
    if let trouble = run.trouble { throw BotError(sentence: trouble, status: 1) }
  }

  /// Runs the command even when nobody can be told of it: the command matters more than the report. Standard output is
  /// the command's alone.
  private static func run(
    _ command: [String], _ list: String, _ job: String, _ options: Options
  ) {
    Child.prepareSignals()
    var (todo, run): (Todo?, Run?)
    do throws(BotError) {
      let opened = try open(options)
      todo = opened
      run = try Run(job, in: try find(list, opened), opened)
    } catch {
      complain("\(error.sentence)\nnobody is told of this run; the command runs all the same")
      // Otherwise a start that was asked for might still come to pass, and nobody would ever end that run.
      todo?.close()
      todo = nil
    }
    let (ending, input) = Child.run(command, options.patterns) { run?.tell(&$0) ?? -1 }
    if let told = run?.end(ending, input) { complain(told) } else { complain(ending.words) }
    if let trouble = run?.trouble { complain(trouble) }
    todo?.close()
    exit(ending.exitStatus)
  }

  private static func bring(
    _ source: String, _ list: String, _ options: Options
  ) throws(BotError) {
    let todo = try open(options)
    defer { todo.close() }
    var importing = Importing(from: source, to: try find(list, todo), todo)
    try importing.run()
  }

  private static func digest(
    _ list: String, _ others: [String], _ options: Options
  ) throws(BotError) {
    let week = if let week = options.week { week } else { try Week(before: time(nil)) }
    let todo = try open(options)
    defer { todo.close() }
    let told = try find(list, todo)
    var asked: [TodoList] = []
    for other in others { asked.append(try find(other, todo)) }
    var digesting = Digesting(week, todo)
    try digesting.run(others.isEmpty ? todo.lists : asked, in: told)
  }

  /// Returns a `Todo` that is signed in, and level with the server.
  private static func open(_ options: Options) throws(BotError) -> Todo {
    do throws(TodoError) {
      let todo = try Todo(
        state: options.state, authorities: options.authorities, program: "whattodo-bot")
      try todo.waitUntilLevel(milliseconds: connectMilliseconds)
      return todo
    } catch {
      throw BotError(opening: error)
    }
  }

  /// Returns the list of this name. Throws when there is none, with a sentence that names the others.
  private static func find(_ name: String, _ todo: Todo) throws(BotError) -> TodoList {
    if let list = todo.list(named: name) { return list }
    if let invitation = todo.invitation(to: name) {
      throw BotError(
        sentence: "there is no list \(name) yet: an invitation of @\(invitation.sender) to "
          + "\(invitation.name) is waiting; whattodo do accept takes it", status: 1)
    }
    let known = todo.lists.map { "#\($0.name)" }
    let whole =
      known.isEmpty ? "this account has no list" : "there are \(known.joined(separator: ", "))"
    throw BotError(sentence: "there is no list \(name): \(whole)", status: 1)
  }

  static func fail(_ sentence: String, code: Int32) -> Never {
    complain(sentence)
    exit(code)
  }

  static func complain(_ sentence: String) {
    let text = "whattodo-bot: \(sentence)\n"
    // There is nowhere to complain when standard error is closed.
    _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
  }
}

/// A reason why the bot cannot do its task, with the exit status that says so.
struct BotError: Error {
  let sentence: String
  let status: Int32

  init(sentence: String, status: Int32) {
    self.sentence = sentence
    self.status = status
  }

  init(_ error: TodoError) { self.init(sentence: "\(error)", status: 1) }

  /// Makes the error of a failed sign-in.
  init(opening error: TodoError) {
    switch error.kind {
    case "signed_out":
      self.init(
        sentence:
          "\(error): run whattodo login NAME --token-stdin --state DIR, and give --state DIR",
        status: 4)
    case "timed_out", "unconnected":
      self.init(sentence: "no connection: \(error)", status: 3)
    default: self.init(error)
    }
  }
}
