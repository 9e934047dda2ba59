import Domain
import Wire

/// The summary of one day in the lists of an account, as the server told it (protocol §8 `digest.get`).
public struct TodoDigest: Equatable, Sendable {
  /// Numbers of different posts.
  public struct Counts: Equatable, Sendable {
    public let added: Int
    public let completed: Int
    public let reopened: Int
    public let removed: Int

    init(_ it: DigestCounts) {
      (added, completed, reopened, removed) = (it.added, it.completed, it.reopened, it.removed)
    }
  }

  /// Somebody else who did something in a list.
  public struct Person: Equatable, Sendable {
    public let username: String
    public let counts: Counts
  }

  public struct List: Equatable, Sendable {
    public let list: TodoList.ID
    public let name: String
    /// The numbers of everybody together.
    public let total: Counts
    /// The numbers of the account itself.
    public let mine: Counts
    /// The people who did something, those who did most first. They may not be all.
    public let people: [Person]
  }

  /// The day, such as `2026-11-21`.
  public let day: String
  /// The lists in which something happened.
  public let lists: [List]
  /// The number of posts that the account added or completed (`of`), and how many of these are completed (`done`).
  public let done: Int
  public let of: Int
  /// Whether there was more than the server looked through.
  public let more: Bool

  init(_ it: DigestResult) {
    day = it.day.description
    lists = it.lists.compactMap { list in
      guard case .category(let id) = list.stream else { return nil }
      return List(
        list: id.description, name: list.name, total: Counts(list.total), mine: Counts(list.mine),
        people: list.people.map { Person(username: $0.username, counts: Counts($0.counts)) })
    }
    (done, of) = (it.today.done, it.today.of)
    more = it.more || it.lists.contains(where: \.more)
  }
}

extension Todo {
  /// Asks what happened on a day such as `2026-11-21`, between the midnights of the account's zone, and waits for it.
  /// Throws `invalid` (for a text that is no day), `rate_limited`, `timed_out`, `unconnected`.
  public func waitForDigest(
    of day: String, milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> TodoDigest {
    look()
    guard let day = Day(day), Due.days.contains(day) else {
      throw TodoError(
        .refused(
          ServerError(
            kind: .invalid, code: ErrorKind.invalid.code, retry: .no,
            sentence: "The day must be a day such as 2026-11-24.", field: "day")))
    }
    do throws(ClientError) {
      return TodoDigest(try client.digest(DigestQuery(day: day)).wait(milliseconds: milliseconds))
    } catch {
      throw TodoError(error)
    }
  }
}
