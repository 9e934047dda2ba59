import Domain
import Sync
import Text
import Wire

/// A post as another program has it.
public struct TodoImport: Equatable, Sendable {
  /// The id by which that program finds the post, for ever.
  public let id: String
  /// The address where the post is seen. Nil for nowhere.
  public let url: String?
  public let title: String
  /// The notes. With nil the notes that the post has stay.
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
    /// The kind: `added`, `edited`, `unchanged`; `removed` or `moved` when somebody has done so, and the post was left
    /// alone; `refused`, and `reason` says why.
    public let kind: String
    public let reason: TodoError?
    /// The post's number in the list. Nil when it is in another list now.
    public let number: Int?
    /// The fields that people have set to something else since: `title`, `notes`, `priority`. They stayed.
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
  /// Adds the posts of another program, or brings them up to what that says now. It waits for the answers, and returns
  /// one for each post in their order. The same posts may be imported again and again: nothing is added twice, and
  /// posts that people have changed or removed stay so. A post that the server does not take (a title that is too long)
  /// keeps no other out. At most 100 may come at once.
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

  /// Returns the post of so many that was refused, when it is the post's own fault. Otherwise nil.
  private static func place(of error: ClientError, among count: Int) -> Int? {
    guard case .refused(let refusal) = error, let kind = refusal.kind,
      [.invalid, .quota, .tooLarge].contains(kind)
    else { return nil }
    guard let index = refusal.index else { return count == 1 ? 0 : nil }
    return index < count ? index : nil
  }

  /// Imports all of the posts or none. A refusal is told here and nowhere else.
  private func importAll(
    _ posts: [TodoImport], _ source: String, _ list: TodoList
  ) throws(ClientError) -> [TodoImport.Outcome] {
    let commands = posts.map { post in
      Command.post(
        .importUpsert(
          PostAddress(category: list.category, post: PostID(Identifiers.make())),
          ImportedPost(
            source: SourceKey(name: source, id: post.id), url: post.url,
            fields: PostEdit(
              title: Text.cleaned(line: post.title),
              notes: post.notes.map { Text.cleaned(notes: $0) },
              priority: post.priority.map { .set($0.priority) } ?? .keep))))
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
