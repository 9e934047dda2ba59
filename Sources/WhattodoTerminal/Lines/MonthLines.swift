// A month with a row for each week. Behind each day stands how many posts are due then, with `!` and in red where some
// are overdue.

import Domain
import Screen
import Wire

enum MonthLines {
  static func lines(_ result: AgendaResult, _ month: Month, _ clock: Clock) -> [Line] {
    let (year, number, _) = month.first.parts
    let due = result.days.reduce(0) { $0 + $1.open }
    var title = Line("\(months[number - 1]) \(year)", .strong).and("  \(due) due")
    if result.overdue > 0 { title.add("  \(result.overdue) overdue in all", .bad) }
    let week = Clock.weekdays.reduce(Line("  ")) {
      $0.and("\(ListLines.pad(" " + $1, columns))", .dim)
    }
    var lines = [title, week]
    if result.omitted > 0 {
      lines.append(Line("not looked through: \(result.omitted) of your lists", .dim))
    }
    let counts = Dictionary(result.days.map { ($0.day, $0) }) { first, _ in first }
    var monday = month.first.adding(days: -month.first.weekday.index)
    while monday <= month.last {
      let days = (0..<7).map { monday.adding(days: $0) }
      lines.append(
        days.reduce(Line("  ")) { line, day in
          (month.first...month.last).contains(day)
            ? line.and(cell(day, counts[day], isToday: clock.today?.day == day))
            : line.and("\(ListLines.pad("", columns))")
        })
      monday = monday.adding(days: 7)
    }
    return lines
  }

  /// The columns for each day: its number, two blanks, a count.
  private static let columns = 10

  private static func cell(_ day: Day, _ counts: AgendaDay?, isToday: Bool) -> Line {
    let number = ListLines.pad("\(day.parts.day)", 3, right: true)
    var cell = Line("\(number)", isToday ? .strong : .dim)
    var count = ""
    if let counts { count = counts.overdue > 0 ? " !\(counts.open)" : "  \(counts.open)" }
    cell.add(
      "\(ListLines.pad(count, columns - 3))", (counts?.overdue ?? 0) > 0 ? .bad : .accent)
    return cell
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
