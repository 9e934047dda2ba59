import Domain
import Text
import Wire

/// The things that the account has said of a post to itself. Nobody else ever sees them.
public struct TodoPersonal: Equatable, Sendable {
  /// The time at which the account means to do it, and for how many minutes.
  public let plan: TodoDue?
  public let minutes: Int?
  /// The moments of reminders, in milliseconds since 1970.
  public let remindersAt: [Int64]
  /// The reminders in minutes before the post is due.
  public let remindersBefore: [Int]
  /// The moment until which nothing is told of the post, in milliseconds since 1970.
  public let snoozedUntil: Int64?
  public let watches: Bool
  public let note: String

  init(_ it: Personal) {
    plan = it.plan?.time.map { TodoDue($0) }
    minutes = it.plan?.minutes
    remindersAt = it.reminders.compactMap {
      if case .at(let time) = $0 { time.milliseconds } else { nil }
    }
    remindersBefore = it.reminders.compactMap {
      if case .before(let minutes) = $0 { minutes } else { nil }
    }
    snoozedUntil = it.snooze?.milliseconds
    watches = it.watch
    note = it.note
  }
}

extension Todo {
  /// Returns what this account has said of the post. Nil when it has said nothing.
  public func personal(_ post: TodoPost.ID, in list: TodoList) -> TodoPersonal? {
    look()
    let address = PostAddress(category: list.category, post: post.id)
    guard let user = client.user,
      case .personal(let it)? = client.view[.user(user)]?.objects[address.personalKey],
      it.address == address
    else { return nil }
    return TodoPersonal(it)
  }

  /// Adds a reminder at a moment, in milliseconds since 1970. One that has come is told at once.
  @discardableResult
  public func remind(
    at milliseconds: Int64, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try say(.remind(.at(Timestamp(milliseconds: milliseconds))), of: post, in: list)
  }

  /// Adds a reminder so long before the post is due, whenever that will be.
  @discardableResult
  public func remind(
    minutesBefore minutes: Int, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try say(.remind(.before(minutes: minutes)), of: post, in: list)
  }

  /// Takes back all of the account's own reminders of the post.
  public func forgetReminders(of post: TodoPost.ID, in list: TodoList) throws(TodoError) {
    let held = personal(post, in: list)
    for time in held?.remindersAt ?? [] {
      try say(.forget(.at(Timestamp(milliseconds: time))), of: post, in: list)
    }
    for minutes in held?.remindersBefore ?? [] {
      try say(.forget(.before(minutes: minutes)), of: post, in: list)
    }
  }

  /// Snoozes the post: nothing is told of it until then, in milliseconds since 1970. Nil ends the snooze.
  @discardableResult
  public func snooze(
    until milliseconds: Int64?, _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try say(
      .snooze(until: milliseconds.map { Timestamp(milliseconds: $0) }), of: post, in: list)
  }

  /// Plans when to do the post (a time, not a day), for how many minutes, or both. With neither the plan is taken back.
  @discardableResult
  public func plan(
    _ time: TodoDue?, minutes: Int? = nil, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let plan = Plan(at: time?.due, minutes: minutes)
    guard plan != nil || (time == nil && minutes == nil) else {
      throw TodoError(
        .refused(
          ServerError(
            kind: .invalid, code: ErrorKind.invalid.code, retry: .no,
            sentence: "A plan has a time, not a day.", field: "plan")))
    }
    return try say(.plan(plan), of: post, in: list)
  }

  /// Sets whether the account is reminded of the post in the same way as the person who added it.
  @discardableResult
  public func watch(
    _ watches: Bool, _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try say(.watch(watches), of: post, in: list)
  }

  /// Sets a private note of several lines. An empty one takes it away.
  @discardableResult
  public func note(
    _ text: String, on post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try say(.note(Text.cleaned(notes: text)), of: post, in: list)
  }

  @discardableResult
  private func say(
    _ change: PersonalChange, of post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    try queue(.changePersonal(list.category, post.id, change))
  }
}
