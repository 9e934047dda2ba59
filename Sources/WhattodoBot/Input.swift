import Client
import Glibc

/// The last lines that a run writes, in a form for a post's notes, with the progress and the phase that they show.
struct Input {
  /// Whether something came that is not told yet.
  var isDirty = false
  /// The newest phase. Nil until a line has named one.
  private(set) var phase: String?
  private var far = Far(done: 0, of: 100, words: nil)
  private var lines: [String] = []
  private var text: String?
  /// The unfinished line of each source.
  private var rests: [[UInt8]]
  private let patterns: Patterns

  static let linesKept = 20
  static let lineScalarsMax = 200

  init(sources: Int, _ patterns: Patterns) {
    rests = Array(repeating: [], count: sources)
    self.patterns = patterns
  }

  var notes: String { lines.joined(separator: "\n") }

  /// The progress that the lines show, nothing of a hundred before one shows any, with the last line as its text. The
  /// text does not say the progress once more.
  var progress: TodoProgress { TodoProgress(far.done, of: far.of, text: text) }

  mutating func take(_ bytes: some Collection<UInt8>, from source: Int) {
    let parts = (rests[source] + bytes).split(separator: 10, omittingEmptySubsequences: false)
    for part in parts.dropLast() { add(part) }
    rests[source] = Array((parts.last ?? []).prefix(4 * Input.lineScalarsMax))
  }

  /// Takes the last lines, which have no line feed.
  mutating func finish() {
    for index in rests.indices where !rests[index].isEmpty {
      add(rests[index][...])
      rests[index] = []
    }
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    // Colours (ESC [ … letter) and other control characters are for terminals, not for lists. `Todo` takes out
    // invisible characters.
    let plain = String(decoding: bytes, as: UTF8.self)
      .replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").unicodeScalars
      .filter { ![.control, .privateUse].contains($0.properties.generalCategory) }
    lines = (lines + [String(String.UnicodeScalarView(plain.prefix(Input.lineScalarsMax)))])
      .suffix(Input.linesKept)
    isDirty = true
    let line = lines.last ?? ""
    let told = patterns.far(line)
    if let told { far = told }
    text = told == nil ? line : told?.words
    if let named = patterns.phase(line) { phase = named }
  }
}

/// The descriptors that a run writes to, until each has ended.
struct Pipes {
  private var sources: [pollfd]

  init(_ descriptors: [Int32]) {
    sources = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  }

  var isOver: Bool { sources.allSatisfy { $0.fd < 0 } }

  /// Waits for so many milliseconds at most, with -1 as long as it takes. Hands on the bytes that came, with the index
  /// of their source. Returns whether anything came or ended.
  @discardableResult
  mutating func read(milliseconds: Int32, _ take: (ArraySlice<UInt8>, Int) -> Void) -> Bool {
    guard poll(&sources, nfds_t(sources.count), milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    for index in sources.indices where sources[index].revents != 0 {
      let count = Glibc.read(sources[index].fd, &bytes, bytes.count)
      if count > 0 {
        take(bytes[..<count], index)
      } else if count == 0 || errno != EINTR && errno != EAGAIN {
        // poll passes over a descriptor below 0.
        sources[index].fd = -1
      }
    }
    return true
  }
}

/// A clock that nobody sets.
enum Monotonic {
  static var milliseconds: Int64 {
    var time = timespec()
    guard clock_gettime(CLOCK_MONOTONIC, &time) == 0 else {
      preconditionFailure("the monotonic clock could not be read: \(errno)")
    }
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
