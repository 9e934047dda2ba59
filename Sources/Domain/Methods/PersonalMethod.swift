/// The methods by which somebody says something of a post to themselves.
package enum PersonalMethod: String, MethodFamily {
  case plan = "post.plan"
  case addReminder = "reminder.add"
  case removeReminder = "reminder.remove"
  case snooze = "post.snooze"
  case day = "post.day"
  case note = "post.note"
  case watch = "post.watch"

  package var row: MethodRow {
    switch self {
    case .plan, .addReminder, .snooze, .day, .note, .watch: .change(from: .viewer)
    case .removeReminder: .ending(from: .viewer, inArchive: true)
    }
  }
}
