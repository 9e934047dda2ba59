import Domain
import Sync
import Wire

/// The way in which a post comes again. It is one post for all its occurrences: when one is done, the same post is due
/// the next time.
public struct TodoRecurrence: Equatable, Sendable {
  /// The rule, an RRULE of RFC 5545, of days (protocol §3.6), as the server writes it: `FREQ=WEEKLY;BYDAY=MO,TH`.
  public let rule: String
  /// Whether intervals are counted from the day on which it was done, not from when it was due.
  public let isFromCompletion: Bool
  /// Whether missed occurrences are due one after the other, instead of being left out.
  public let keepsMissed: Bool
  /// The way in which its people take turns. Nil when they do not.
  public let rotation: Rotation?
  /// Whether an admin must confirm a completion by somebody who is no admin. Until then the post is submitted.
  public let isConfirmed: Bool
  /// The number of the present occurrence, which only rises. Nil for a recurrence that was not read from a post.
  public let occurrence: Int?

  /// The choice of the person whose turn comes next.
  public enum Rotation: String, CaseIterable, Sendable {
    /// The turns come in the order in which people were given the post.
    case turn
    /// The turn is that of the person who has done it least.
    case least
  }

  let repetition: Repetition

  /// Reads a rule. Nil for a text that is no rule, or one that this program does not take.
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

// Posts that come again. `complete` completes the occurrence that the copy has.
extension Todo {
  /// Lets a post come again from its due on, or from the due that is given. With nil it comes again no more. The
  /// receipt throws `invalid` without a due, and for a rule that never fires.
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

  /// Skips the occurrence that the copy has now. The last one cannot be skipped. Nil for a post that does not come
  /// again.
  @discardableResult
  public func skip(
    _ post: TodoPost.ID, in list: TodoList
  ) throws(TodoError) -> TodoReceipt? {
    look()
    guard let occurrence = seen(post, in: list)?.occurrence else { return nil }
    return try queue(.changeOccurrence(list.category, post.id, occurrence.number, .skip))
  }

  /// Takes back that the occurrence before this one was completed: the post is due as it was then, with the steps that
  /// it had (protocol §8 `post.take_back`). Editors take back anybody's completion, doers their own. It waits for the
  /// log, then queues. Nil for a post that does not come again, and when no completion before this one can be found in
  /// the log. Throws what `wait` throws; the receipt throws `conflict` when something of it was changed since.
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
        stream: .category(list.category), post: post.id, kinds: [.post(.occurred)], before: before,
        limit: 5)
      let page: HistoryPage
      do throws(ClientError) {
        page = try client.events(query).wait(milliseconds: milliseconds)
      } catch {
        throw TodoError(error)
      }
      if let event = try page.completion(bringing: occurrence.number, of: post.id) {
        return try queue(.post(.change(list.category, post.id, .takeBack(event: event))))
      }
      before = page.before
    } while before != nil
    return nil
  }
}

extension HistoryPage {
  /// Returns the number of the event that completed the occurrence before `number`. Nil when the page has none. Throws
  /// `rejected` when it cannot be read.
  fileprivate func completion(bringing number: Int, of post: PostID) throws(TodoError) -> Int64? {
    for line in lines {
      let event: Event
      do throws(WireError) {
        event = try line.event()
      } catch {
        throw TodoError(.ended(.unreadable))
      }
      let completes = event.ops.contains { op in
        guard case .post(.occurred(post, _, let news, _)) = op, case .completed = news.reason else {
          return false
        }
        return news.next.number == number
      }
      if completes { return line.seq }
    }
    return nil
  }
}
