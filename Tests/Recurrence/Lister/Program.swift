import Calendar
import Domain

// Answers what days and moments a rule means, for a judge in another language (../agreement.py). A line in, a
// line out: RULE <tab> DAY <tab> MINUTE <tab> ZONE <tab> HOW MANY, answered by so many DAY=SECONDS after 1970 or fewer
// where the rule ends, or by "refused" and why. Occurrences are found as a post would come to them, one after the
// other. With a sixth field, the day on which what was due on DAY is completed: the day after that of a post that is
// counted from completion, or "done".

@main
struct Program {
  static func main() {
    while let line = readLine() { print(answer(to: line)) }
  }

  static func answer(to line: String) -> String {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count >= 5, let day = Day(fields[1]), let minute = Int(fields[2]),
      let count = Int(fields[4])
    else { return "not a question" }
    do {
      if fields.count > 5, let completed = Day(fields[5]) {
        return try next(of: fields[0], due: day, completed: completed)
      }
      let due = Due.time(day, minute: minute, zone: fields[3])
      let days = try occurrences(of: fields[0], from: due, count: count)
      return days.map { "\($0)=\(seconds($0, minute, fields[3]))" }.joined(separator: " ")
    } catch {
      return "refused \(error)"
    }
  }

  static func occurrences(
    of text: String, from due: Due, count: Int
  ) throws(RecurrenceProblem) -> [Day] {
    let start = due.day
    let settled = try RecurrenceRule(text).settled(
      for: due, categoryZone: "UTC", almanac: .system)
    precondition(settled.due == due, "the due has the time of the rule")
    let rule = settled.rule.anchored(on: start)
    let again = try RecurrenceRule(rule.description)
    precondition(again == rule, "the canonical text of a rule is that rule")
    guard let first = Almanac.system.firstDay(rule, start, start.adding(days: -1)) else {
      throw .neverFires
    }
    var present: Recurrence? = try Recurrence(rule, basis: .due, due: first, almanac: .system)
    var days: [Day] = []
    while days.count < count, let occurrence = present {
      days.append(occurrence.day)
      present = occurrence.next(completedOn: occurrence.day, missed: .kept, almanac: .system)
    }
    return days
  }

  static func next(
    of text: String, due: Day, completed: Day
  ) throws(RecurrenceProblem) -> String {
    let rule = try RecurrenceRule(text)
    let it = try Recurrence(rule, basis: .completion, due: due, almanac: .system)
    return it.next(completedOn: completed, missed: .dropped, almanac: .system)?.day.description
      ?? "done"
  }

  static func seconds(_ day: Day, _ minute: Int, _ zone: String) -> String {
    let due = Due.time(day, minute: minute, zone: zone)
    return due.deadline(categoryZone: "UTC", almanac: .system)
      .map { String($0.milliseconds / 1_000) } ?? "?"
  }
}
