import Domain

/// How much a post matters beside others.
public enum TodoPriority: String, CaseIterable, Sendable {
  case low
  case medium
  case high

  init(_ priority: Priority) {
    switch priority {
    case .low: self = .low
    case .medium: self = .medium
    case .high: self = .high
    }
  }

  var priority: Priority {
    switch self {
    case .low: .low
    case .medium: .medium
    case .high: .high
    }
  }
}

/// When a post is to be done.
public struct TodoDue: Equatable, Sendable, CustomStringConvertible {
  let due: Due

  init(_ due: Due) { self.due = due }

  /// By the end of a day such as `2026-11-24`, in the list's time zone. Nil for what is none.
  public init?(day: String) {
    guard let day = Day(day), Due.days.contains(day) else { return nil }
    due = .day(day)
  }

  /// When a wall clock in a zone such as `Europe/Lisbon` shows a time such as `2026-11-24T18:00`. Nil for what is none;
  /// whether there is such a zone is for the server to say (`invalid`).
  public init?(time: String, zone: String) {
    guard let due = Due(localTime: time, zone: zone), Due.days.contains(due.day) else { return nil }
    self.due = due
  }

  /// `2026-11-24`
  public var day: String { due.day.description }

  /// `2026-11-24T18:00`; nil for a whole day.
  public var time: String? { due.localTime }

  /// Of `time`.
  public var zone: String? { due.zone }

  public var description: String {
    guard let time, let zone else { return day }
    return "\(time) \(zone)"
  }
}

extension Todo {
  /// When the post is to be done; nil for at no time. The last one who sets it wins.
  @discardableResult
  public func setDue(
    _ due: TodoDue?, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let change: FieldChange<Due> = due.map { .set($0.due) } ?? .clear
    return try queue(.editPost(list.category, post.id, PostEdit(due: change), ifVersion: nil))
  }

  /// How much the post matters; nil for none. The last one who sets it wins.
  @discardableResult
  public func setPriority(
    _ priority: TodoPriority?, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let change: FieldChange<Priority> = priority.map { .set($0.priority) } ?? .clear
    return try queue(
      .editPost(list.category, post.id, PostEdit(priority: change), ifVersion: nil))
  }
}
