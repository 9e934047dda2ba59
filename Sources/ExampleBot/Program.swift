// A bot in one file: `make 2>&1 | whattodo-example-bot '#builds' 'nightly build'` adds a post, tells how far it has come
// (from `[37/109]` or `40%` in its input) while it runs, and at the end keeps the last lines of its input as the
// post's notes and completes it. It signs in as whose state folder it is given: one of its own is made by
// `whattodo register NAME --bot --password-stdin --state DIR`, and everybody sees that it is a bot. What is going on is told
// as progress, once a second and kept nowhere (protocol §5.5). Notes are kept for ever by everybody who shares the
// list: a long run writes them once a minute. With `--from PROGRAM` it brings what another program has (Importing.swift).
// It is written as any program outside this package would be: all that it knows of the product is the library `Todo`.

import Client
import Glibc

@main
struct ExampleBot {
  static let usage =
    """
    usage: whattodo-example-bot [--state DIR] [--ca-file FILE] '#LIST' TITLE < lines
           whattodo-example-bot [--state DIR] [--ca-file FILE] --from PROGRAM '#LIST' < lines of ID, tab, TITLE[, tab, URL]
    """
  static let writeEveryMilliseconds: Int64 = 60_000
  static let tellEveryMilliseconds: Int64 = 1_000
  static let connectMilliseconds = 15_000
  static let linesKept = 20
  static let lineScalarsMax = 200

  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    var state: String?
    var authorities = getenv("WHATTODO_CA_FILE").map { String(cString: $0) }
    var source: String?
    while words.count > 2, ["--state", "--ca-file", "--from"].contains(words[0]) {
      switch words[0] {
      case "--state": state = words[1]
      case "--ca-file": authorities = words[1]
      default: source = words[1]
      }
      words.removeFirst(2)
    }
    guard words.count == (source == nil ? 2 : 1) else { fail(usage, code: 2) }
    let todo = open(state: state, authorities: authorities)
    defer { todo.close() }
    do throws(TodoError) {
      if let source {
        var importing = Importing(from: source)
        try importing.run(list: words[0], todo)
      } else {
        try run(list: words[0], title: words[1], todo)
      }
    } catch {
      fail("\(error)", code: 1)
    }
  }

  /// Signed in, and level with the server.
  static func open(state: String?, authorities: String?) -> Todo {
    do throws(TodoError) {
      let todo = try Todo(
        state: state, authorities: authorities, program: "whattodo-example-bot")
      try todo.waitUntilLevel(milliseconds: connectMilliseconds)
      return todo
    } catch {
      switch error.kind {
      case "signed_out":
        fail(
          "\(error): run whattodo register NAME --bot --password-stdin, or give --state DIR",
          code: 4)
      case "timed_out", "unconnected": fail("no connection: \(error)", code: 3)
      default: fail("\(error)", code: 1)
      }
    }
  }

  static func run(list name: String, title: String, _ todo: Todo) throws(TodoError) {
    guard let list = todo.list(named: name) else {
      fail("there is no list \(name); whattodo do lists shows them", code: 1)
    }
    let added = try todo.add(title, to: list)
    let number = try added.wait().number ?? 0
    guard let post = added.post else { fail("a post was added and has no id", code: 1) }
    var input = Input()
    var (written, told) = (now(), now() - tellEveryMilliseconds)
    while let isDirty = input.read(until: told + tellEveryMilliseconds) {
      guard isDirty, now() >= told + tellEveryMilliseconds else { continue }
      if let progress = input.progress { todo.setProgress(progress, of: post, in: list) }
      input.isDirty = false
      told = now()
      guard now() >= written + writeEveryMilliseconds else { continue }
      try write(input, to: post, in: list, todo)
      written = now()
    }
    if let progress = input.progress { todo.setProgress(progress, of: post, in: list) }
    if input.hasLines { try write(input, to: post, in: list, todo) }
    try todo.complete(post, in: list).wait()
    print("#\(number) \(title): done")
  }

  /// Notes that a person has written there meanwhile are left as they are.
  static func write(
    _ input: borrowing Input, to post: TodoPost.ID, in list: TodoList, _ todo: Todo
  ) throws(TodoError) {
    let receipt = try todo.setNotes(input.notes, of: post, in: list)
    do throws(TodoError) {
      try receipt.wait()
    } catch {
      guard error.kind == "conflict" else { throw error }
    }
  }

  static func now() -> Int64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  static func fail(_ sentence: String, code: Int32) -> Never {
    complain(sentence)
    exit(code)
  }

  static func complain(_ sentence: String) {
    let text = "whattodo-example-bot: \(sentence)\n"
    _ = Glibc.write(2, text, text.utf8.count)
  }
}

/// The last lines of standard input, as a post's notes may have them, and how far they say that it is.
struct Input {
  var isDirty = false
  private var far = (done: 0, of: 100)
  private var lines: [String] = []
  private var rest: [UInt8] = []

  var notes: String { lines.joined(separator: "\n") }
  var hasLines: Bool { !lines.isEmpty }

  /// Nil before the first line.
  var progress: TodoProgress? {
    lines.last.map { TodoProgress(far.done, of: far.of, text: $0) }
  }

  /// Waits for input, or until that moment when something is not written yet. Whether something is; nil at the end.
  mutating func read(until moment: Int64) -> Bool? {
    var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    let patience = isDirty ? Int32(clamping: max(0, moment - ExampleBot.now())) : -1
    guard poll(&ready, 1, patience) > 0 else { return isDirty }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = Glibc.read(0, &bytes, bytes.count)
    guard count > 0 else {
      if !rest.isEmpty { add(rest) }
      return nil
    }
    let parts = (rest + bytes[..<count]).split(separator: 10, omittingEmptySubsequences: false)
    for part in parts.dropLast() { add(Array(part)) }
    rest = Array((parts.last ?? []).prefix(4 * ExampleBot.lineScalarsMax))
    return isDirty
  }

  /// `[37/109]` as builds have it, or `40%`.
  static func far(_ line: String) -> (done: Int, of: Int)? {
    if let match = line.firstMatch(of: /\[\s*(\d{1,6})\/(\d{1,6})\]/),
      let done = Int(match.1), let of = Int(match.2), of > 0, done <= of
    {
      return (done, of)
    }
    guard let match = line.firstMatch(of: /\b(\d{1,3})\s?%/), let percent = Int(match.1),
      percent <= 100
    else { return nil }
    return (percent, 100)
  }

  private mutating func add(_ bytes: [UInt8]) {
    // Colours (ESC [ … letter) and other controls are for terminals, not for lists.
    let plain = String(decoding: bytes, as: UTF8.self)
      .replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").unicodeScalars
      .filter { ![.control, .format, .privateUse].contains($0.properties.generalCategory) }
    lines = (lines + [String(String.UnicodeScalarView(plain.prefix(ExampleBot.lineScalarsMax)))])
      .suffix(ExampleBot.linesKept)
    isDirty = true
    if let told = Input.far(lines.last ?? "") { far = told }
  }
}
