import Calendar
import Client
import Domain
import Screen
import Sync

// Plans for posts that come again. A command about one means the occurrence on the screen. Where it could also mean all
// coming ones, the person has to say so (`Times`); for the last occurrence nothing is asked.

extension Planner {
  /// Sets how a post comes again. A post without a due is due on the first day that the rule names. "starting 7 dec"
  /// moves a due to that day, at its time of day.
  func setRepeat(
    _ number: Int, in reference: Reference?, _ wish: RepeatWish
  ) throws(Problem) -> PlannedRequest {
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

  /// Returns the rule and the due as the server settles them: the due keeps its time of day, and the rule has none.
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

  /// Leaves out the present occurrence of each post.
  func skip(_ numbers: [Int], in reference: Reference?) throws(Problem) -> PlannedRequest {
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

  /// Returns a change of the present occurrence of a post that comes again.
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
  /// Returns the first day of a post whose due comes from this rule alone; nil when no day is left. The interval is
  /// counted from there: "every other tue" begins with the next Tuesday, whatever week that is in.
  func firstDay(from day: Day) -> Day? {
    let first = Almanac.system.firstDay(everyPeriod, day, day.adding(days: -1))
    return first.flatMap { allows($0) ? $0 : nil }
  }
}
