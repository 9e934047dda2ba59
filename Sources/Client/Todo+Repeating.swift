import Domain
import Sync
import Wire

/// How a post comes again: one post for all its occurrences. When one is done, the same post is due the next time.
public struct TodoRecurrence: Equatable, Sendable {
  /// An RRULE of RFC 5545, of days (protocol §3.6), as the server writes it: `FREQ=WEEKLY;BYDAY=MO,TH`.
  public let rule: String
  /// Intervals are counted from the day on which it was done, not from when it was due.
  public let isFromCompletion: Bool
  /// Occurrences that were missed are due one after the other, instead of being left out.
  public let keepsMissed: Bool
  /// Its people do it in turn.
  public let rotation: Rotation?
  /// What is completed by who is no admin counts when an admin completes it: until then it is submitted.
  public let isConfirmed: Bool
  /// The one that it is now; it only rises. Nil of a wish.
  public let occurrence: Int?

  /// Whose turn comes next.
  public enum Rotation: String, CaseIterable, Sendable {
    /// In the order in which they were given the post.
    case turn
    /// Who has done it least.
    case least
  }

  let repetition: Repetition

  /// Nil for a text that is no rule, or one that this program does not take.
  public init?(
    _ rule: String, isFromCompletion: Bool = false, keepsMissed: Bool = false,
    rotation: Rotation? = nil, isConfirmed: Bool = false
  ) {
    do throws(RecurrenceProblem) {
      self.init(
        Repetition(
          try RecurrenceRule(rule), basis: isFromCompletion ? .completion : .due,
          missed: keepsMissed ? .kept : .dropped,
          rotation: rotation.flatMap { Domain.Rotation(rawValue: $0.rawValue) },
          confirms: isConfirmed))
    } catch {
      return nil
    }
  }

  init(_ repetition: Repetition) {
    self.repetition = repetition
    rule = repetition.rule.description
    isFromCompletion = repetition.basis == .completion
    keepsMissed = repetition.missed == .kept
    rotation = repetition.rotation.flatMap { Rotation(rawValue: $0.rawValue) }
    isConfirmed = repetition.confirms
    occurrence = repetition.occurrence?.number
  }
}

// Posts that come again. Completing one is `complete`, which completes the occurrence that the copy has.
extension Todo {
  /// Lets a post come again from its due on, or from the one that is given; nil: not any more. The receipt throws
  /// `invalid` without a due, and for a rule that never fires.
  @discardableResult
  public func setRecurrence(
    _ recurrence: TodoRecurrence?, from due: TodoDue? = nil, of post: TodoPost.ID,
    in list: TodoList
  ) throws(TodoError) -> TodoReceipt {
    let edit = PostEdit(
      due: due.map { .set($0.due) } ?? .keep,
      repeats: recurrence.map { .set($0.repetition.at(nil)) } ?? .clear)
    return try queue(.editPost(list.category, post.id, edit, ifVersion: nil))
  }

  /// Leaves out the occurrence that the copy has now; the last one is not left out. Nil for a post that does not come
  /// again.
  @discardableResult
  public func skip(
    _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt? {
    look()
    guard let occurrence = seen(post, in: list)?.occurrence else { return nil }
    return try queue(.changeOccurrence(list.category, post.id, occurrence.number, .skip))
  }

  /// Takes back that the occurrence before this one was completed: the post is due as it was then, with the steps
  /// that it had (protocol §8.106). Editors take back anybody's, doers their own. Waits for the log, then queues. Nil
  /// for a post that does not come again, and where none was completed before this one or the log does not say so any
  /// more. Throws what `wait` throws; the receipt throws `conflict` when something of it was changed since.
  @discardableResult
  public func waitToTakeBack(
    _ post: TodoPost.ID, in list: TodoList, milliseconds: Int = Todo.patienceMilliseconds
  ) throws(TodoError) -> TodoReceipt? {
    look()
    guard let occurrence = seen(post, in: list)?.occurrence, occurrence.last != nil else {
      return nil
    }
    var before: Int64?
    repeat {
      let query = HistoryEventsQuery(
        stream: .category(list.category), post: post.id, kinds: [.postOccurred], before: before,
        limit: 5)
      let page: HistoryPage
      do throws(ClientError) {
        page = try client.events(query).wait(milliseconds: milliseconds)
      } catch {
        throw TodoError(error)
      }
      if let event = try page.completion(bringing: occurrence.number, of: post.id) {
        return try queue(.changePost(list.category, post.id, .takeBack(event: event)))
      }
      before = page.before
    } while before != nil
    return nil
  }
}

extension HistoryPage {
  /// The number of the event that completed the occurrence before `number`. Nil where the page has none.
  /// Throws `rejected` when it cannot be read.
  fileprivate func completion(bringing number: Int, of post: PostID) throws(TodoError) -> Int64? {
    for line in lines {
      let event: Event
      do throws(WireError) {
        event = try line.event()
      } catch {
        throw TodoError(.ended(.unreadable))
      }
      let completes = event.ops.contains { op in
        guard case .postOccurred(post, _, let news, _) = op, case .completed = news.reason else {
          return false
        }
        return news.next.number == number
      }
      if completes { return line.seq }
    }
    return nil
  }
}
