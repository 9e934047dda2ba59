// Checks of the rules for posts that come again, from the log alone: an occurrence is over once, until an undo brings
// it back; its number is never that of another one; and the occurrence that a person means to complete is the one that
// is over then.

import Domain
import Wire

extension Request {
  /// The occurrence that a command names.
  var occurrence: Int? {
    guard case .command(.post(.change(_, .occurrence(let name, _), _)), _, _) = self else {
      return nil
    }
    return name.number
  }
}

extension Event {
  /// Returns a sentence when the event belongs to a command that meant this occurrence, and another one is over.
  func letsBeOver(another meant: Int, _ tally: inout Tally) -> String? {
    for case .post(.occurred(_, _, let news, _)) in ops {
      tally.count(.p12Meant)
      if news.over != meant {
        return "P12 \(key?.text ?? "none") means \(meant), and \(news.over) is over"
      }
    }
    return nil
  }
}

/// The occurrences that each post of a list has had, and those of them that are over.
struct OccurrencesOver {
  private var given: [PostID: Set<Int>] = [:]
  private var over: [PostID: Set<Int>] = [:]

  /// Takes an event that was appended; returns a sentence when it lets an occurrence be over again, or gives its number
  /// to another one.
  mutating func add(_ event: Event, in stream: StreamID, _ tally: inout Tally) -> String? {
    for op in event.ops {
      if case .post(.occurred(let id, _, let news, _)) = op {
        tally.count(.p12Once)
        guard over[id, default: []].insert(news.over).inserted else {
          return "P12 \(stream) \(event.seq): occurrence \(news.over) is over twice"
        }
      }
      guard let (id, number) = op.occurrence else { continue }
      // Only an undo brings back an earlier occurrence; other ops that carry a whole post leave it at its present one.
      if !given[id, default: []].insert(number).inserted, op.begins, event.undoes.isEmpty {
        return "P12 \(stream) \(event.seq): another occurrence was \(number) before"
      }
      over[id]?.remove(number)
    }
    return nil
  }
}

extension Op {
  /// The occurrence that a post is at after the op; nil for ops that do not say it.
  fileprivate var occurrence: (PostID, Int)? {
    switch self {
    case .post(.occurred(let id, _, let news, _)): return (id, news.next.number)
    case .post(.added(let post, _)), .post(.reopened(let post, _)), .post(.restored(let post, _)),
      .post(.movedIn(let post, _)):
      return post.occurrence.map { (post.id, $0.number) }
    case .post(.edited(let id, _, let edit)):
      guard case .set(let repeats) = edit.repeats else { return nil }
      return repeats.occurrence.map { (id, $0.number) }
    default: return nil
    }
  }

  /// Whether it says so because the post is at another occurrence than before.
  fileprivate var begins: Bool {
    switch self {
    case .post(.occurred), .post(.edited): true
    default: false
    }
  }
}

extension StreamTruth {
  /// Returns a sentence when an occurrence that has to be confirmed is over by somebody who is no admin, or is
  /// completed by another person than the one who submitted it.
  func unconfirmed(_ event: Event, _ tally: inout Tally) -> String? {
    let isEdit = event.ops.contains { if case .post(.edited) = $0 { true } else { false } }
    guard !isEdit, event.undoes.isEmpty else { return nil }
    let before = states[Int(event.seq) - 1]
    for case .post(.occurred(let id, _, let news, _)) in event.ops {
      guard case .completed(let stamp) = news.reason,
        case .post(let post) = before.object(.post, id.uuid), post.repeats?.confirms == true,
        let by = event.by, case .member(let member) = before.object(.member, by.uuid)
      else { continue }
      tally.count(.p12Confirmed)
      guard let role = member.role, Permission.confirms(role) else {
        return "P12 \(stream) \(event.seq): \(by) lets an occurrence be over that an admin confirms"
      }
      if let submitted = post.submitted, event.ops.count == 1, submitted != stamp {
        return
          "P12 \(stream) \(event.seq): what \(submitted.by) submitted is completed by \(stamp.by)"
      }
    }
    return nil
  }

  private var stream: StreamID { state.stream }
}
