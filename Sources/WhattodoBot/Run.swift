import Client
import Glibc

/// One run and its post, which all runs of the same title have in common. Phases are in the log for ever, so they are
/// told every five seconds at most. How far it has come is told once a second, and is kept nowhere (protocol §5.5). It
/// also says that the run goes on, so it is repeated while the command is silent. Notes are kept for ever by everybody
/// who shares the list, so a long run writes them once a minute.
final class Run {
  private let todo: Todo
  private let list: TodoList
  private let title: String
  private let post: TodoPost.ID
  private let number: Int
  private let id: TodoRun.ID
  /// The phase that was told last.
  private var phase: String?
  private var phasedAt: Int64
  private var toldAt: Int64
  private var writtenAt: Int64
  /// The first failure to tell something, as a sentence; nil when all was told.
  private(set) var trouble: String?

  /// The time without a word after which people see that the run is lost: longer than a server's restart.
  static let leaseMilliseconds = 120_000
  static let repeatEveryMilliseconds = Int64(leaseMilliseconds) / 3
  static let tellEveryMilliseconds: Int64 = 1_000
  static let phaseEveryMilliseconds: Int64 = 5_000
  static let writeEveryMilliseconds: Int64 = 60_000
  /// The line in the notes below which everything is the bot's.
  static let mark = "── last output ──"

  /// Starts a run of the open post with this title, or of a new one, and waits until it goes on. Throws when it cannot
  /// be started.
  init(_ title: String, in list: TodoList, _ todo: Todo) throws(BotError) {
    let (post, number) = try Run.post(titled: title, in: list, todo)
    do throws(TodoError) {
      let start = try todo.startRun(
        of: post, in: list, leaseMilliseconds: Run.leaseMilliseconds)
      try start.receipt.wait()
      id = start.run
    } catch {
      throw BotError(sentence: "#\(number) \(title): \(error)", status: 1)
    }
    (self.todo, self.list, self.title) = (todo, list, title)
    (self.post, self.number) = (post, number)
    writtenAt = Monotonic.milliseconds
    toldAt = writtenAt - Run.tellEveryMilliseconds
    phasedAt = writtenAt - Run.phaseEveryMilliseconds
  }

  private static func post(
    titled title: String, in list: TodoList, _ todo: Todo
  ) throws(BotError) -> (TodoPost.ID, Int) {
    if let known = todo.openPost(titled: title, in: list) { return (known.id, known.number) }
    do throws(TodoError) {
      let added = try todo.add(title, to: list)
      let number = try added.wait().number ?? 0
      guard let post = added.post else { preconditionFailure("a receipt names the added post") }
      return (post, number)
    } catch {
      throw BotError(error)
    }
  }

  // MARK: - while it goes on

  /// Tells what is to be told by now. Returns the milliseconds for which there is nothing more, unless output comes.
  func tell(_ input: inout Input) -> Int32 {
    let now = Monotonic.milliseconds
    if due(input) <= now { tell(&input, at: now) }
    return Int32(clamping: max(1, due(input) - now))
  }

  /// The moment at which new output, a new phase, or that the run goes on, is to be told.
  private func due(_ input: Input) -> Int64 {
    let every = input.isDirty ? Run.tellEveryMilliseconds : Run.repeatEveryMilliseconds
    guard input.phase != phase else { return toldAt + every }
    return min(toldAt + every, phasedAt + Run.phaseEveryMilliseconds)
  }

  private func tell(_ input: inout Input, at now: Int64) {
    if let named = input.phase, named != phase,
      now >= phasedAt + Run.phaseEveryMilliseconds
    {
      say(named, at: now)
    }
    todo.setProgress(input.progress, of: post, in: list)
    toldAt = now
    if input.isDirty, now >= writtenAt + Run.writeEveryMilliseconds {
      write(input.notes)
      writtenAt = now
    }
    input.isDirty = false
  }

  private func say(_ named: String, at now: Int64) {
    phasedAt = now
    // Without a connection phases would only pile up. The newest is told when there is one.
    guard todo.isLevel else { return }
    phase = named
    attempt { () throws(TodoError) in
      // Nobody looks at phases that were refused, and they would pile up too.
      for refusal in todo.refused { try todo.discard(refusal) }
      try todo.setPhase(named, of: id, at: post, in: list)
    }
  }

  // MARK: - the end

  /// Tells the ending of the run. Returns the line for the terminal.
  func end(_ ending: Ending, _ input: Input) -> String {
    write(input.notes)
    attempt { () throws(TodoError) in
      let text = ending == .succeeded ? nil : ending.words
      try todo.endRun(id, as: ending.outcome, text: text, at: post, in: list).wait()
    }
    return "#\(number) \(title): \(ending.words)"
  }

  /// Writes the lines into the notes, unless a person writes there at the same time.
  private func write(_ lines: String) {
    let notes = todo.posts(in: list).first { $0.id == post }?.notes ?? ""
    let new = Run.notes(notes, with: lines)
    guard new != notes else { return }
    attempt { () throws(TodoError) in
      let receipt = try todo.setNotes(new, of: post, in: list)
      do throws(TodoError) {
        try receipt.wait()
      } catch {
        guard error.kind == "conflict" else { throw error }
      }
    }
  }

  /// Returns the notes with these lines in place of those of the run before. What stands above the mark is people's.
  private static func notes(_ notes: String, with lines: String) -> String {
    let people = notes.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0 != mark }.joined(separator: "\n")
    guard !lines.isEmpty else { return people }
    return (people.isEmpty ? "" : "\(people)\n") + "\(mark)\n\(lines)"
  }

  /// Does something with the post. The run goes on whatever comes of it: the first failure is kept in `trouble`.
  private func attempt(_ act: () throws(TodoError) -> Void) {
    do throws(TodoError) {
      try act()
    } catch {
      if trouble == nil { trouble = "not all of this run could be told: \(error)" }
    }
  }
}

/// How a run ended.
enum Ending: Equatable {
  case succeeded
  case failed(status: Int32)
  /// The bot was asked to end while the command ran, and the command then ended with this status.
  case stopped(status: Int32)
  /// A signal ended the command.
  case killed(signal: Int32)
  /// The command could not be started. `error` is an `errno`.
  case unstarted(error: Int32)
  /// The input ended; a pipe does not tell how.
  case unknown

  /// The exit status, as a shell has it.
  var exitStatus: Int32 {
    switch self {
    case .succeeded, .unknown: 0
    case .failed(let status), .stopped(let status): status
    case .killed(let signal): 128 + signal
    case .unstarted(ENOENT): 127
    case .unstarted: 126
    }
  }

  /// The outcome that people see. Of a pipe nobody knows whether it went well, and nobody should be called for it.
  var outcome: TodoRunOutcome {
    switch self {
    case .succeeded: .ok
    case .stopped, .killed(SIGINT), .killed(SIGTERM), .unknown: .cancelled
    case .failed, .killed, .unstarted: .failed
    }
  }

  var words: String {
    switch self {
    case .succeeded: "done"
    case .failed(let status): "failed with exit status \(status)"
    case .stopped(let status): "stopped, with exit status \(status)"
    case .killed(let signal): "ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    case .unstarted(let error): "could not be started: \(String(cString: strerror(error)))"
    case .unknown: "the input ended; a pipe does not tell how"
    }
  }
}
