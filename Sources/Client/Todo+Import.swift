import Domain
import Sync
import Text
import Wire

/// A post as another program has it.
public struct TodoImport: Equatable, Sendable {
  /// The id that it is found by there, for ever.
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

  /// The outcome of an import.
  public struct Outcome: Equatable, Sendable {
    /// `added`, `edited`, `unchanged`; `removed` and `moved`: somebody has, so it was left alone; `refused`: `reason`
    /// says why.
    public let kind: String
    public let reason: TodoError?
    /// The post's number in the list; nil when it is in another list now.
    public let number: Int?
    /// The fields that people have set since, and otherwise: `title`, `notes`, `priority`. They stayed.
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
  /// order. The same may be imported again and again: nothing is added twice, what people have changed stays, and so
  /// does what they have removed. What the server does not take (a title that is too long) keeps nothing else out. At
  /// most 100 at once.
  public func importPosts(
    _ posts: [TodoImport], from source: String, to list: TodoList
  ) throws(TodoError) -> [TodoImport.Outcome] {
    var outcomes: [Int: TodoImport.Outcome] = [:]
    var rest = Array(posts.indices)
    while !rest.isEmpty {
      do throws(ClientError) {
        let done = try importAll(rest.map { posts[$0] }, source, list)
        for (index, outcome) in zip(rest, done) { outcomes[index] = outcome }
        rest = []
      } catch {
        guard let place = Todo.place(of: error, among: rest.count) else { throw TodoError(error) }
        outcomes[rest.remove(at: place)] = TodoImport.Outcome(refused: TodoError(error))
      }
    }
    return posts.indices.compactMap { outcomes[$0] }
  }

  /// The post of so many that was refused, when it is the post's own fault.
  private static func place(of error: ClientError, among count: Int) -> Int? {
    guard case .refused(let refusal) = error, let kind = refusal.kind,
      [.invalid, .quota, .tooLarge].contains(kind)
    else { return nil }
    guard let index = refusal.index else { return count == 1 ? 0 : nil }
    return index < count ? index : nil
  }

  /// All or none. A refusal is told here and nowhere else.
  private func importAll(
    _ posts: [TodoImport], _ source: String, _ list: TodoList
  ) throws(ClientError) -> [TodoImport.Outcome] {
    let commands = posts.map { post in
      Command.importPost(
        PostAddress(category: list.category, post: PostID(Identifiers.make())),
        ImportedPost(
          source: SourceKey(name: source, id: post.id), url: post.url,
          fields: PostEdit(
            title: Text.cleaned(line: post.title),
            notes: post.notes.map { Text.cleaned(notes: $0) },
            priority: post.priority.map { .set($0.priority) } ?? .keep)))
    }
    let handle = try client.queued(.batch(commands))
    do throws(ClientError) {
      return try handle.wait().parts.map { TodoImport.Outcome($0) }
    } catch {
      if case .refused = error { handle.discardQueued() }
      throw error
    }
  }
}
