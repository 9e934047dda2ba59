import Domain

extension Repetition {
  /// Makes a repetition every day, or every so many days.
  static func days(
    _ interval: Int = 1, _ basis: Recurrence.Basis = .due, count: Int? = nil,
    confirms: Bool = false
  ) -> Repetition {
    do {
      let end = count.map { RecurrenceRule.End.count($0) } ?? .never
      return Repetition(
        try RecurrenceRule(.daily, interval: interval, end: end), basis: basis, confirms: confirms)
    } catch {
      preconditionFailure("a rule of days")
    }
  }
}

extension NewPost {
  /// A new post that is due every day, from long before any test on.
  static let daily = NewPost(
    title: "Daily",
    fields: PostEdit(due: .set(.day(Day(number: 1_003))), repeats: .set(.days())))
}
