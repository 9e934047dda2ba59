import Client

/// One run of an import:
///
///     gh issue list --json number,title,url -q '.[]|[.number,.title,.url]|@tsv' \
///         | whattodo-bot import '#issues' github
///
/// Each line of the input is a thing of another program: its id there, a tab, its title, and perhaps a tab and its
/// address. The thing is added to the list, or the post that it became before gets what the program says now. An import
/// may be repeated: nothing is added twice, and nothing is overwritten that people have changed, removed or moved. A
/// line that cannot be taken keeps no other line out.
struct Importing {
  private let source: String
  private let list: TodoList
  private let todo: Todo
  private var counts: [String: Int] = [:]
  /// The number of posts of which people have set something otherwise.
  private var left = 0

  init(from source: String, to list: TodoList, _ todo: Todo) {
    (self.source, self.list, self.todo) = (source, list, todo)
  }

  /// The most posts that the server takes at once (protocol §13), and a number of bytes that keeps a request with names
  /// and escaped quotes below 256 KiB.
  private static let atOnce = 100
  private static let bytesAtOnce = 96 * 1024

  /// Reads standard input to its end and prints the counts. Throws when it cannot be read, when the server cannot be
  /// asked, and when a line was left out.
  mutating func run() throws(BotError) {
    var lines = try ImportLines(0)
    var (taken, bytes): ([(number: Int, post: TodoImport)], Int) = ([], 0)
    while let line = try lines.next() {
      switch line.post {
      case .failure(let fault): leaveOut(line.number, fault.words)
      case .success(let post):
        bytes += post.id.utf8.count + post.title.utf8.count + (post.url?.utf8.count ?? 0)
        taken.append((line.number, post))
      }
      if taken.count == Importing.atOnce || bytes > Importing.bytesAtOnce {
        try send(&taken)
        bytes = 0
      }
    }
    try send(&taken)
    print(summary)
    if let count = counts["refused"] {
      throw BotError(sentence: "\(count) left out", status: 1)
    }
  }

  private mutating func send(_ lines: inout [(number: Int, post: TodoImport)]) throws(BotError) {
    do throws(TodoError) {
      let outcomes = try todo.importPosts(lines.map(\.post), from: source, to: list)
      for (line, outcome) in zip(lines, outcomes) { count(line.number, outcome) }
    } catch {
      if !counts.isEmpty { print(summary) }
      throw BotError(error)
    }
    lines = []
  }

  private mutating func count(_ line: Int, _ outcome: TodoImport.Outcome) {
    guard let reason = outcome.reason else {
      counts[outcome.kind, default: 0] += 1
      if !outcome.left.isEmpty { left += 1 }
      return
    }
    leaveOut(line, "\(reason)")
  }

  private mutating func leaveOut(_ line: Int, _ reason: String) {
    Bot.complain("line \(line): \(reason)")
    counts["refused", default: 0] += 1
  }

  /// The counts as one line: `2 added, 1 edited, 40 unchanged, 1 removed; 1 as people have set it`.
  private var summary: String {
    let kinds = ["added", "edited", "unchanged", "removed", "moved"]
    let words = kinds.compactMap { kind in counts[kind].map { "\($0) \(kind)" } }
    let theirs = left > 0 ? "; \(left) as people have set it" : ""
    return (words.isEmpty ? "nothing to import" : words.joined(separator: ", ")) + theirs
  }
}
