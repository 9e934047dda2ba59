import Calendar
import Client
import Domain
import Screen
import Sync

// Posts that come again: what is typed of one means the occurrence that is on the screen. Where it could mean all
// that come as well, it has to be said (`Times`): of the last occurrence there is nothing to ask.

extension Planner {
  /// A post that is due at no time yet is due on the first day that the rule names. "starting 7 dec" moves one that
  /// is due to that day, at its time of day.
  func setRepeat(
    _ number: Int, in reference: Reference?, _ wish: RepeatWish
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    var edit = PostEdit(repeats: .clear)
    if !wish.isOff {
      guard let today = situation.today(in: list.zone)?.day,
        let asked = wish.repetition(today: today, languages: situation.languages),
        let due = begun(wish, today, post.due)
          ?? asked.rule.firstDay(from: today).map({ .day($0) })
      else { throw Problem("there is no such day") }
      let (repetition, timed) = try settled(asked, for: due, in: list)
      edit.repeats = .set(repetition)
      if timed != post.due { edit.due = .set(timed) }
    }
    return editAll(post, in: list, edit, told(edit, of: post))
  }

  private func begun(_ wish: RepeatWish, _ today: Day, _ due: Due?) -> Due? {
    guard let start = wish.start(today: today, languages: situation.languages) else { return due }
    return due?.moved(to: start) ?? .day(start)
  }

  /// With the time of day, and without it in the rule, as the server settles it.
  private func settled(
    _ asked: Repetition, for due: Due, in list: Category
  ) throws(Problem) -> (Repetition, Due) {
    do throws(RecurrenceProblem) {
      let (rule, due) = try asked.rule.settled(
        for: due, categoryZone: list.zone, almanac: .system)
      return (asked.asking(rule), due)
    } catch {
      throw Problem("the rule " + error.reason)
    }
  }

  /// Leaves out the occurrence of now of each.
  func skip(_ numbers: [Int], in reference: Reference?) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      guard post.occurrence != nil else {
        throw Problem("#\(number) does not come again: /repeat \(number) every week")
      }
      changes.append(leaveOut(post, in: list, .skip))
    }
    return try together(changes)
  }

  /// Of a post that comes again.
  func leaveOut(
    _ post: Post, in list: Category, _ change: OccurrenceChange
  ) -> PlannedChange {
    let next = post.skipped(almanac: .system)
    let again: Phrase = next.map { " (again \(situation.clock.words($0.due)))" } ?? ""
    return PlannedChange(
      .changeOccurrence(list.id, post.id, post.occurrence?.number ?? 0, change),
      "↷ #\(post.number) \(post.title): not this time" + again)
  }
}

extension RecurrenceRule {
  /// On which day a post begins that is due by this rule alone. Its interval is counted from there: "every other tue"
  /// has the next Tuesday, whichever week that is in. Nil when none is left.
  func firstDay(from day: Day) -> Day? {
    let first = Almanac.system.firstDay(everyPeriod, day, day.adding(days: -1))
    return first.flatMap { allows($0) ? $0 : nil }
  }
}
