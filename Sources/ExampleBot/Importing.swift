import Client

/// `gh issue list --json number,title,url -q '.[]|[.number,.title,.url]|@tsv' | whattodo-example-bot --from github '#issues'`: each line of
/// the input is a thing of another program: its id there, a tab, its title, and perhaps a tab and its address. It is added
/// to the list, or the post that it is already gets what the program says now. To be run again and again: nothing is added
/// twice, and what people have changed, removed or moved is theirs.
struct Importing {
  let source: String
  private var counts: [String: Int] = [:]
  /// Those of which people have set something otherwise.
  private var left = 0

  init(from source: String) { self.source = source }

  /// As many as the server takes at once.
  private static let atOnce = 100

  mutating func run(list name: String, _ todo: Todo) throws(TodoError) {
    guard let list = todo.list(named: name) else {
      ExampleBot.fail("there is no list \(name); whattodo do lists shows them", code: 1)
    }
    var posts: [TodoImport] = []
    while let line = readLine() {
      guard !line.isEmpty else { continue }
      guard let post = Importing.post(line) else {
        ExampleBot.fail("not an id, a tab and a title: \(line.prefix(60))", code: 2)
      }
      posts.append(post)
      if posts.count == Importing.atOnce { try send(&posts, to: list, todo) }
    }
    try send(&posts, to: list, todo)
    print(summary)
    if let count = counts["refused"] { ExampleBot.fail("\(count) left out", code: 1) }
  }

  /// Nil for what has no id or no title.
  static func post(_ line: String) -> TodoImport? {
    let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
    let url = parts.count == 3 && !parts[2].isEmpty ? String(parts[2]) : nil
    return TodoImport(id: String(parts[0]), url: url, title: String(parts[1]))
  }

  private mutating func send(
    _ posts: inout [TodoImport], to list: TodoList, _ todo: Todo
  ) throws(TodoError) {
    let outcomes = try todo.importPosts(posts, from: source, to: list)
    for (post, outcome) in zip(posts, outcomes) {
      if let reason = outcome.reason { ExampleBot.complain("\(post.id): \(reason)") }
      counts[outcome.kind, default: 0] += 1
      if !outcome.left.isEmpty { left += 1 }
    }
    posts = []
  }

  /// `2 added, 1 edited, 40 unchanged, 1 removed; 1 as people have set it`
  private var summary: String {
    let kinds = ["added", "edited", "unchanged", "removed", "moved"]
    let words = kinds.compactMap { kind in counts[kind].map { "\($0) \(kind)" } }
    let theirs = left > 0 ? "; \(left) as people have set it" : ""
    return (words.isEmpty ? "nothing to import" : words.joined(separator: ", ")) + theirs
  }
}
