import Client
import Glibc

/// One run and its post. Its output is told as progress, once a second, and is kept nowhere (protocol §5.5). Notes are
/// kept for ever by everybody who shares the list, so a long run writes them once a minute.
final class Run {
  private let todo: Todo
  private let list: TodoList
  private let title: String
  private let post: TodoPost.ID
  private let number: Int
  private var toldAt: Int64
  private var writtenAt: Int64
  /// The first failure to tell something, as a sentence; nil when all was told.
  private(set) var trouble: String?

  static let tellEveryMilliseconds: Int64 = 1_000
  static let writeEveryMilliseconds: Int64 = 60_000
  /// The greatest length of a title, in scalars (protocol §13).
  static let titleScalarsMax = 500

  /// Adds the post and waits until it is there. Throws when it cannot be added.
  init(_ title: String, in list: TodoList, _ todo: Todo) throws(BotError) {
    do throws(TodoError) {
      let added = try todo.add(title, to: list)
      number = try added.wait().number ?? 0
      guard let post = added.post else { preconditionFailure("a receipt names the added post") }
      self.post = post
    } catch {
      throw BotError(error)
    }
    (self.todo, self.list, self.title) = (todo, list, title)
    writtenAt = Monotonic.milliseconds
    toldAt = writtenAt - Run.tellEveryMilliseconds
  }

  /// Tells new output if it is time to. Returns the milliseconds for which there is nothing to tell, or -1 for until
  /// there is output.
  func tell(_ input: inout Input) -> Int32 {
    guard input.isDirty else { return -1 }
    let now = Monotonic.milliseconds
    let wait = toldAt + Run.tellEveryMilliseconds - now
    guard wait <= 0 else { return Int32(clamping: wait) }
    if let progress = input.progress { todo.setProgress(progress, of: post, in: list) }
    input.isDirty = false
    toldAt = now
    if now >= writtenAt + Run.writeEveryMilliseconds {
      write(input.notes)
      writtenAt = now
    }
    return -1
  }

  /// Tells the ending of the run. Only a run that is known to have succeeded is a completed post. Returns the line for
  /// the terminal.
  func end(_ ending: Ending, _ input: Input) -> String {
    if let progress = input.progress { todo.setProgress(progress, of: post, in: list) }
    if ending == .succeeded {
      if !input.notes.isEmpty { write(input.notes) }
      attempt { () throws(TodoError) in try todo.complete(post, in: list).wait() }
    } else {
      write(input.notes.isEmpty ? ending.words : "\(input.notes)\n\(ending.words)")
      rename(ending.words)
    }
    return "#\(number) \(title): \(ending.words)"
  }

  /// Puts the ending into the title, where everybody sees it, unless a person has given the post another title.
  private func rename(_ words: String) {
    guard todo.posts(in: list).first(where: { $0.id == post })?.title == title else { return }
    let kept = title.unicodeScalars.prefix(Run.titleScalarsMax - words.unicodeScalars.count - 2)
    let whole = "\(String(String.UnicodeScalarView(kept))): \(words)"
    attempt { () throws(TodoError) in try todo.rename(post, to: whole, in: list).wait() }
  }

  /// Writes the notes, unless a person has written there meanwhile.
  private func write(_ notes: String) {
    attempt { () throws(TodoError) in
      let receipt = try todo.setNotes(notes, of: post, in: list)
      do throws(TodoError) {
        try receipt.wait()
      } catch {
        guard error.kind == "conflict" else { throw error }
      }
    }
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
  /// A signal ended the command.
  case killed(signal: Int32)
  /// The command could not be started. `error` is an `errno`.
  case unstarted(error: Int32)
  /// The output ended; a pipe does not tell how.
  case unknown

  /// The exit status, as a shell has it.
  var exitStatus: Int32 {
    switch self {
    case .succeeded, .unknown: 0
    case .failed(let status): status
    case .killed(let signal): 128 + signal
    case .unstarted(ENOENT): 127
    case .unstarted: 126
    }
  }

  var words: String {
    switch self {
    case .succeeded: "done"
    case .failed(let status): "failed with exit status \(status)"
    case .killed(let signal): "ended by signal \(signal) (\(String(cString: strsignal(signal))))"
    case .unstarted(let error): "could not be started: \(String(cString: strerror(error)))"
    case .unknown: "ended"
    }
  }
}
