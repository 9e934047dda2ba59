import Domain
import Sync
import Wire

/// The achievements of people in a list, or one's own in all lists, as the server told them (protocol §8 `stats.get`).
/// A completion that was taken back does not count. Each occurrence of a post that comes again is one, and so is each
/// person's part of a post that is for each.
public struct TodoStats: Equatable, Sendable {
  /// Completions of posts that had a deadline.
  public struct Punctuality: Equatable, Sendable {
    public let onTime: Int
    public let late: Int

    init(_ it: Domain.Punctuality) { (onTime, late) = (it.onTime, it.late) }
  }

  public struct Person: Equatable, Sendable {
    public let username: String
    /// The number of posts that the person added. Nil when more than 92 days were asked for.
    public let added: Int?
    public let completed: Int
    /// The completions in time and late. Nil when nothing had a deadline.
    public let punctuality: Punctuality?
    /// The days in a row with a completion, up to the last one. The present day, while it lasts, breaks no row.
    public let streak: Int
    /// The most days in a row.
    public let best: Int
    /// The number of races against others that the person finished first, second and third. Numbers of 0 at the end are
    /// left out, so it has at most 3 numbers, and none when there was no such race.
    public let places: [Int]
    /// The number of steps of coops that the person finished.
    public let steps: Int
    /// The amounts that the person reached in contests, the greatest first; at most 5 units.
    public let amounts: [Amount]
    /// The day on which the person completed most, the first of equals. Nil when they completed nothing.
    public let record: Day?

    init(_ it: StatsPerson) {
      username = it.username
      (added, completed) = (it.score.added, it.score.completed)
      punctuality = it.score.punctuality.map(Punctuality.init)
      (streak, best) = (it.score.streak, it.score.best)
      (places, steps) = (it.score.places, it.score.steps)
      amounts = it.score.amounts.map { Amount(unit: $0.unit, amount: $0.amount) }
      record = it.score.record.map(Day.init)
    }
  }

  /// The sum of what somebody reached in contests with this unit.
  public struct Amount: Equatable, Sendable {
    /// The unit as a goal names it, such as `pages`.
    public let unit: String
    public let amount: Int64
  }

  public struct Day: Equatable, Sendable {
    /// The day, such as `2026-11-21`.
    public let day: String
    public let completed: Int

    init(_ it: DayScore) { (day, completed) = (it.day.description, it.completed) }
  }

  /// The number of posts that anybody added. Nil when more than 92 days were asked for.
  public let added: Int?
  /// The number of completions of everybody together.
  public let completed: Int
  /// The completions in time and late. Nil when nothing had a deadline; the same holds for the next one.
  public let punctuality: Punctuality?
  /// The median lateness: half of the posts were done no later than this many milliseconds after their deadline. It is
  /// below zero when that was before it.
  public let lateMedianMilliseconds: Int64?
  /// The people, those who completed most first; at most 50. In one's own statistics it is oneself, or nobody when one
  /// did nothing. Bots are not counted.
  public let people: [Person]
  /// The days on which something was completed, in order.
  public let days: [Day]
  /// Whether there was more than the server looked through.
  public let more: Bool

  init(_ it: StatsResult) {
    (added, completed, more) = (it.added, it.completed, it.more)
    punctuality = it.punctuality.map(Punctuality.init)
    lateMedianMilliseconds = it.lateMedian
    people = it.people.map(Person.init)
    days = it.days.map(Day.init)
  }
}

extension Todo {
  /// Asks who has completed how much in a list between two days such as `2026-11-21`, both included, and waits for it.
  /// Throws `invalid` (texts that are no days, a last day before the first, or more than 3 660 days), `not_found`,
  /// `rate_limited`, `timed_out`, `unconnected`.
  public func waitForStats(
    of list: TodoList, from: String, to: String, milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> TodoStats {
    look()
    return try stats(of: .category(list.category), from, to, milliseconds)
  }

  /// Asks what the account itself has completed in all its lists between two days such as `2026-11-21`, both included,
  /// and waits for it. A bot has completed nothing. Throws `invalid` (texts that are no days, a last day before the
  /// first, or more than 3 660 days), `signed_out`, `rate_limited`, `timed_out`, `unconnected`.
  public func waitForMyStats(
    from: String, to: String, milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> TodoStats {
    look()
    guard let user = client.user else { throw TodoError(.ended(.signedOut)) }
    return try stats(of: .user(user), from, to, milliseconds)
  }

  private func stats(
    of stream: StreamID, _ from: String, _ to: String, _ milliseconds: Int
  ) throws(TodoError) -> TodoStats {
    let query = StatsQuery(stream, from: try day(from, "from"), to: try day(to, "to"))
    do throws(ClientError) {
      return TodoStats(try client.stats(query).wait(milliseconds: milliseconds))
    } catch {
      throw TodoError(error)
    }
  }

  private func day(_ text: String, _ field: String) throws(TodoError) -> Domain.Day {
    guard let day = Domain.Day(text), Due.days.contains(day) else {
      throw TodoError(
        .refused(
          ServerError(
            kind: .invalid, code: ErrorKind.invalid.code, retry: .no,
            sentence: "The \(field) must be a day such as 2026-11-24.", field: field)))
    }
    return day
  }
}
