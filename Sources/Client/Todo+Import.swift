import Domain
import Sync

/// A post as another program has it.
public struct TodoImport: Equatable, Sendable {
  /// What it is found by there, for ever.
  public let id: String
  /// Where it is seen; nil for nowhere.
  public let url: String?
  public let title: String
  /// Nil: what the post has stays.
  public let notes: String?
  public let priority: TodoPriority?

  public init(
    id: String, url: String? = nil, title: String, notes: String? = nil,
    priority: TodoPriority? = nil
  ) {
    self.id = id
    self.url = url
    self.title = title
    self.notes = notes
    self.priority = priority
  }

  /// What came of it.
  public struct Outcome: Equatable, Sendable {
    /// `added`, `edited`, `unchanged`; `removed` and `moved`: somebody has, so it was left alone.
    public let kind: String
    /// The post's number in the list; nil when it is in another list now.
    public let number: Int?
    /// What people have set since, and otherwise: `title`, `notes`, `priority`. That stayed.
    public let left: [String]

    init(_ part: CommandPart) {
      kind = part.imported?.kind.rawValue ?? "unchanged"
      number = part.number
      left = part.imported?.left.map(\.rawValue) ?? []
    }
  }
}

extension Todo {
  /// Adds what another program has, or brings it up to what that says now; waits for the answer, one for each in their
  /// order. All or none take effect. The same may be imported again and again: nothing is added twice, what people have
  /// changed stays, and so does what they have removed. At most 100 at once.
  public func importPosts(
    _ posts: [TodoImport], from source: String, to list: TodoList
  ) throws(TodoError) -> [TodoImport.Outcome] {
    let commands = posts.map { post in
      Command.importPost(
        PostAddress(category: list.category, post: PostID(Identifiers.make())),
        ImportedPost(
          source: SourceKey(name: source, id: post.id), url: post.url,
          fields: PostEdit(
            title: post.title, notes: post.notes,
            priority: post.priority.map { .set($0.priority) } ?? .keep)))
    }
    guard !commands.isEmpty else { return [] }
    let receipt = try queue(.batch(commands))
    return try receipt.wait().parts.map { TodoImport.Outcome($0) }
  }
}
