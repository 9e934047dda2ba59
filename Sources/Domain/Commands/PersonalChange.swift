/// A change of what somebody says of a post to themselves (protocol §8). Each one sets a value.
package enum PersonalChange: Equatable, Sendable {
  case plan(Plan?)
  case remind(Reminder)
  case forget(Reminder)
  case snooze(until: Timestamp?)
  case day(MyDay?)
  /// Sets the note. An empty one takes it away.
  case note(String)
  case watch(Bool)

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .plan: .personal(.plan)
    case .remind: .personal(.addReminder)
    case .forget: .personal(.removeReminder)
    case .snooze: .personal(.snooze)
    case .day: .personal(.day)
    case .note: .personal(.note)
    case .watch: .personal(.watch)
    }
  }
}

extension Command {
  package static func changePersonal(
    _ category: CategoryID, _ post: PostID, _ change: PersonalChange
  ) -> Command {
    .changePersonal(PostAddress(category: category, post: post), change)
  }
}
