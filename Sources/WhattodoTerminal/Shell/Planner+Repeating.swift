import Calendar
import Domain
import Screen
import Sync

// Posts that come again: what is typed of one means the occurrence that is on the screen.

extension Planner {
  /// A post that is due at no time yet is due on the first day that the rule names.
  func setRepeat(
    _ number: Int, in reference: Reference?, _ wish: RepeatWish
  ) throws(Problem) -> Errand {
    guard !wish.isOff else {
      return try set(number, in: reference, PostEdit(repeats: .clear))
    }
    guard let today = situation.clock.today?.day,
      let repetition = wish.repetition(today: today, languages: situation.languages)
    else { throw Problem("there is no such day") }
    var edit = PostEdit(repeats: .set(repetition))
    let list = try situation.list(reference)
    if try situation.post(number, in: list).due == nil {
      guard let first = Almanac.system.firstDay(repetition.rule, today, today.adding(days: -1))
      else { throw Problem("there is no such day") }
      edit.due = .set(.day(first))
    }
    return try set(number, in: reference, edit)
  }

  /// Leaves out the occurrence of now of each.
  func skip(_ numbers: [Int], in reference: Reference?) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      guard let occurrence = post.occurrence else {
        throw Problem("#\(number) does not come again: /repeat \(number) every week")
      }
      changes.append(
        PlannedChange(
          .changeOccurrence(list.id, post.id, occurrence.number, .skip),
          "↷ #\(number) \(post.title)"))
    }
    return try together(changes)
  }
}
