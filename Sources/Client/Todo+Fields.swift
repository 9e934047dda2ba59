import Domain

/// The weight of a post beside others.
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

/// The day or time by which a post is to be done.
public struct TodoDue: Equatable, Sendable, CustomStringConvertible {
  let due: Due

  init(_ due: Due) { self.due = due }

  /// Means the end of a day such as `2026-11-24`, in the list's time zone. Nil for a text that is no day.
  public init?(day: String) {
    guard let day = Day(day), Due.days.contains(day) else { return nil }
    due = .day(day)
  }

  /// Means the moment when a wall clock in a zone such as `Europe/Lisbon` shows a time such as `2026-11-24T18:00`. Nil
  /// for a text that is no time. The server says whether there is such a zone (`invalid`).
  public init?(time: String, zone: String) {
    guard let due = Due(localTime: time, zone: zone), Due.days.contains(due.day) else { return nil }
    self.due = due
  }

  /// The day, such as `2026-11-24`.
  public var day: String { due.day.description }

  /// The time, such as `2026-11-24T18:00`. Nil for a whole day.
  public var time: String? { due.localTime }

  /// The zone of `time`. Nil for a whole day.
  public var zone: String? { due.zone }

  public var description: String {
    guard let time, let zone else { return day }
    return "\(time) \(zone)"
  }
}

extension Todo {
  /// Sets when the post is to be done; nil for at no time. The last one who sets it wins.
  @discardableResult
  public func setDue(
    _ due: TodoDue?, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let change: FieldChange<Due> = due.map { .set($0.due) } ?? .clear
    return try queue(.editPost(list.category, post.id, PostEdit(due: change), ifVersion: nil))
  }

  /// Sets how much the post matters; nil for none. The last one who sets it wins.
  @discardableResult
  public func setPriority(
    _ priority: TodoPriority?, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let change: FieldChange<Priority> = priority.map { .set($0.priority) } ?? .clear
    return try queue(
      .editPost(list.category, post.id, PostEdit(priority: change), ifVersion: nil))
  }
}
