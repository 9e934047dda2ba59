import Domain
import Wire

/// The completions of people in a list, as the server told them (protocol §8 `stats.get`). A completion that was taken
/// back does not count. Each occurrence of a post that comes again is one, and so is each person's part of a post that
/// is for each.
public struct TodoStats: Equatable, Sendable {
  /// Completions of posts that had a deadline.
  public struct Punctuality: Equatable, Sendable {
    public let onTime: Int
    public let late: Int

    init(_ it: Domain.Punctuality) { (onTime, late) = (it.onTime, it.late) }
  }

  public struct Person: Equatable, Sendable {
    public let username: String
    public let added: Int
    public let completed: Int
    /// The completions in time and late. Nil when nothing had a deadline.
    public let punctuality: Punctuality?
    /// The days in a row with a completion, up to the last one. The present day, while it lasts, breaks no row.
    public let streak: Int
    /// The most days in a row.
    public let best: Int
  }

  public struct Day: Equatable, Sendable {
    /// The day, such as `2026-11-21`.
    public let day: String
    public let completed: Int
  }

  /// The numbers of everybody together.
  public let added: Int
  public let completed: Int
  /// The completions in time and late. Nil when nothing had a deadline; the same holds for the next one.
  public let punctuality: Punctuality?
  /// The median lateness: half of the posts were done no later than this many milliseconds after their deadline. It is
  /// below zero when that was before it.
  public let lateMedianMilliseconds: Int64?
  /// The people, those who completed most first; at most 50.
  public let people: [Person]
  /// The days on which something was completed, in order.
  public let days: [Day]
  /// Whether there was more than the server looked through.
  public let more: Bool

  init(_ it: StatsResult) {
    (added, completed, more) = (it.added, it.completed, it.more)
    punctuality = it.punctuality.map(Punctuality.init)
    lateMedianMilliseconds = it.lateMedian
    people = it.people.map {
      Person(
        username: $0.username, added: $0.score.added, completed: $0.score.completed,
        punctuality: $0.score.punctuality.map(Punctuality.init), streak: $0.score.streak,
        best: $0.score.best)
    }
    days = it.days.map { Day(day: $0.day.description, completed: $0.completed) }
  }
}

extension Todo {
  /// Asks who has completed how much in a list between two days such as `2026-11-21`, both included, and waits for it.
  /// Throws `invalid` (texts that are no days, or more than 92 days), `not_found`, `rate_limited`, `timed_out`,
  /// `unconnected`.
  public func waitForStats(
    of list: TodoList, from: String, to: String, milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> TodoStats {
    look()
    let query = StatsQuery(
      .category(list.category), from: try day(from, "from"), to: try day(to, "to"))
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
