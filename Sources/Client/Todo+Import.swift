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
    /// `added`, `edited`, `unchanged`; `removed` and `moved`: somebody has, so it was left alone; `refused`: `reason` says why.
    public let kind: String
    public let reason: TodoError?
    /// The post's number in the list; nil when it is in another list now.
    public let number: Int?
    /// What people have set since, and otherwise: `title`, `notes`, `priority`. That stayed.
    public let left: [String]

    init(_ part: CommandPart) {
      kind = part.imported?.kind.rawValue ?? "unchanged"
      number = part.number
      reason = nil
      left = part.imported?.left.map(\.rawValue) ?? []
    }

    init(refused reason: TodoError) {
      (kind, number, left) = ("refused", nil, [])
      self.reason = reason
    }
  }
}

extension Todo {
  /// Adds what another program has, or brings it up to what that says now; waits for the answers, one for each in their
  /// order. The same may be imported again and again: nothing is added twice, what people have changed stays, and so does
  /// what they have removed. What the server does not take (a title that is too long) keeps nothing else out. At most 100 at once.
  public func importPosts(
    _ posts: [TodoImport], from source: String, to list: TodoList
  ) throws(TodoError) -> [TodoImport.Outcome] {
    guard !posts.isEmpty else { return [] }
    do throws(TodoError) {
      return try importAll(posts, source, list)
    } catch {
      guard ["invalid", "quota", "too_large"].contains(error.kind) else { throw error }
      guard posts.count > 1 else { return [TodoImport.Outcome(refused: error)] }
    }
    var outcomes: [TodoImport.Outcome] = []
    for post in posts { outcomes += try importPosts([post], from: source, to: list) }
    return outcomes
  }

  /// All or none.
  private func importAll(
    _ posts: [TodoImport], _ source: String, _ list: TodoList
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
    return try queue(.batch(commands)).wait().parts.map { TodoImport.Outcome($0) }
  }
}
