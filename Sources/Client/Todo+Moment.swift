import Domain
import Sync
import Text
import Wire

// Things that hold for a moment (protocol §5.5): who has a list in front of them, who is typing, how far a bot has
// come. None of it is kept anywhere, and nobody waits for an answer: a message that is lost is said again the next
// time. Without a connection nothing is told, and nobody is known to be there.
extension Todo {
  /// Tells everybody who has the list how far the work on a post has come; nil takes it back. It holds for ten minutes,
  /// and ends with the connection and with the post. More than five a second are dropped; once a second is plenty.
  public func setProgress(_ progress: TodoProgress?, of post: TodoPost.ID, in list: TodoList) {
    tell(.progress(list.category, post.id, progress?.value))
  }

  /// Tells that somebody has the list in front of them. It holds for 45 seconds: say it again every 30.
  public func setHere(_ isHere: Bool = true, in list: TodoList) {
    tell(.presence(.category(list.category), isHere: isHere))
  }

  /// Tells that somebody is typing, at a post or in the list. It holds for five seconds: say it again every three.
  public func setTyping(
    _ isTyping: Bool = true, at post: TodoPost.ID? = nil, in list: TodoList
  ) {
    tell(.typing(list.category, post?.id, isTyping: isTyping))
  }

  /// Returns the people who have the list in front of them, the account included, by username. Empty when there are
  /// more than fifty.
  public func peopleHere(in list: TodoList) -> [TodoPerson] {
    people(entries(.presence, of: list).map(\.user), of: list)
  }

  /// Returns the people who are typing at the post, or in the list with nil, by username.
  public func peopleTyping(at post: TodoPost.ID? = nil, in list: TodoList) -> [TodoPerson] {
    people(entries(.typing, of: list).filter { $0.post == post?.id }.map(\.user), of: list)
  }

  /// Returns how far the work on a post has come, by who does it, in no order that means anything. Empty for a post
  /// that is done.
  public func progress(of post: TodoPost.ID, in list: TodoList) -> [TodoPerson.ID: TodoProgress] {
    let isOpen = posts(in: list).contains { $0.id == post && !$0.isDone }
    var told: [TodoPerson.ID: TodoProgress] = [:]
    for entry in entries(.progress, of: list) where isOpen && entry.post == post.id {
      told[entry.user.description] = entry.progress.map { TodoProgress($0) }
    }
    return told
  }

  private func tell(_ request: EphemeralRequest) {
    // Answers to earlier ones lie among the news.
    look()
    _ = client.submit(.ephemeral(request))
  }

  private func entries(_ kind: EphemeralKind, of list: TodoList) -> [EphemeralEntry] {
    look()
    let topic = EphemeralTopic(stream: .category(list.category), kind: kind)
    return client.ephemerals[topic]?.entries ?? []
  }

  private func people(_ users: [UserID], of list: TodoList) -> [TodoPerson] {
    let wanted = Set(users.map(\.description))
    return everybody(in: list).filter { wanted.contains($0.id) }
  }
}

/// A measure of how far something has come. The value is absolute, so that a lost or repeated one does no harm.
public struct TodoProgress: Hashable, Sendable {
  let value: Progress

  /// The part that is done, from 0 to `of`.
  public var done: Int { value.done }
  /// The whole, from 1 to 1 000 000.
  public var of: Int { value.of }
  /// One line that says what is being done.
  public var text: String? { value.text }

  /// Makes a value. `done` and `of` are brought into their ranges. `text` is cut to 120 Unicode scalars, white space in
  /// front of it is dropped, and an empty text counts as none.
  public init(_ done: Int, of: Int = 100, text: String? = nil) {
    let whole = min(max(of, 1), Progress.ofMax)
    let start = (text ?? "").unicodeScalars.prefix(Limits.progressScalarsMax)
    let line = Text.cleaned(line: String(start)).unicodeScalars
      .drop { $0.properties.isWhitespace }
    value = Progress(
      done: min(max(done, 0), whole), of: whole,
      text: line.isEmpty ? nil : String(String.UnicodeScalarView(line)))
  }

  init(_ value: Progress) { self.value = value }
}
