// A bot in one file: `make 2>&1 | whattodo-example-bot '#builds' 'nightly build'` adds a post, keeps the last
// lines of its input as the post's notes, and completes it at the end. It signs in as the person whose state
// folder it is given. However fast the lines come, it writes at most once in two seconds, because every write is
// kept for ever by everybody who shares the list.

import Client
import Domain
import Glibc
import Sync

@main
struct ExampleBot {
  static let usage =
    "usage: whattodo-example-bot [--state DIR] [--ca-file FILE] '#LIST' TITLE < lines"
  static let writeEveryMilliseconds: Int64 = 2_000
  static let linesKept = 20
  static let lineScalarsMax = 200

  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    var state: String?
    var authorities = getenv("WHATTODO_CA_FILE").map { String(cString: $0) }
    while words.count > 2, words[0] == "--state" || words[0] == "--ca-file" {
      if words[0] == "--state" { state = words[1] } else { authorities = words[1] }
      words.removeFirst(2)
    }
    guard words.count == 2 else { fail(usage, code: 2) }
    do throws(ClientError) {
      try run(
        list: words[0], title: words[1], folder: StateFolder(path: state), authorities: authorities)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  static func run(
    list name: String, title: String, folder: StateFolder, authorities: String?
  ) throws(ClientError) {
    guard let session = try folder.session() else {
      fail("nobody is signed in at \(folder.path): run whattodo, or give --state DIR", code: 4)
    }
    let client = try Client(
      server: ServerAddress(session.server), authorities: authorities ?? session.authorities,
      token: session.token)
    defer { client.close() }
    guard client.waitUntilLevel(milliseconds: 15_000) else {
      if case .ended(let reason) = client.standing { throw .ended(reason) }
      let why = client.obstacle?.words ?? "no answer in time"
      fail("no connection to \(session.server): \(why)", code: 3)
    }
    guard let list = client.category(named: name)?.id else {
      fail("\(session.username) has no list \(name); whattodo do lists shows them", code: 1)
    }

    let post = PostID(Identifiers.make())
    let number = try client.addPost(in: list, post, title: title).wait().number ?? 0
    var input = Input()
    var written = now()
    while let isDirty = input.read(until: written + writeEveryMilliseconds) {
      guard isDirty, now() >= written + writeEveryMilliseconds else { continue }
      try client.editPost(in: list, post, PostEdit(notes: input.notes)).wait()
      input.isDirty = false
      written = now()
    }
    if input.isDirty {
      rest(until: written + writeEveryMilliseconds)
      try client.editPost(in: list, post, PostEdit(notes: input.notes)).wait()
      written = now()
    }
    rest(until: written + writeEveryMilliseconds)
    try client.completePost(in: list, post).wait()
    print("#\(number) \(title): done")
  }

  static func rest(until moment: Int64) {
    _ = poll(nil, 0, Int32(clamping: max(0, moment - now())))
  }

  static func now() -> Int64 {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  static func fail(_ sentence: String, code: Int32) -> Never {
    let text = "whattodo-example-bot: \(sentence)\n"
    _ = write(2, text, text.utf8.count)
    exit(code)
  }
}

/// The last lines of standard input, as a post's notes may have them.
struct Input {
  var isDirty = false
  private var lines: [String] = []
  private var rest: [UInt8] = []

  var notes: String { lines.joined(separator: "\n") }

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

  private mutating func add(_ bytes: [UInt8]) {
    // Colours (ESC [ … letter) and other controls are for terminals, not for lists.
    let plain = String(decoding: bytes, as: UTF8.self)
      .replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").unicodeScalars
      .filter { ![.control, .format, .privateUse].contains($0.properties.generalCategory) }
    lines = (lines + [String(String.UnicodeScalarView(plain.prefix(ExampleBot.lineScalarsMax)))])
      .suffix(ExampleBot.linesKept)
    isDirty = true
  }
}
