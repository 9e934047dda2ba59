// What the rules promise about posts that come again, looked at from the log alone: an occurrence is over once, until
// an undo brings it back; and what one means to complete is what is over then.

import Domain
import Wire

extension Request {
  /// The one that a command names.
  var occurrence: Int? {
    guard case .command(.changePost(_, .occurrence(let number, _), _), _, _) = self else {
      return nil
    }
    return number
  }
}

extension Event {
  /// A sentence when it is of a command that meant this occurrence, and another one is over.
  func letsBeOver(another meant: Int, _ tally: inout Tally) -> String? {
    for case .postOccurred(_, _, let news, _) in ops {
      tally.count(.p12Meant)
      let over = news.next.number - 1
      if over != meant { return "P12 \(key?.text ?? "none") means \(meant), and \(over) is over" }
    }
    return nil
  }
}

/// Which occurrences of each post are over.
struct OccurrencesOver {
  private var over: [PostID: Set<Int>] = [:]

  /// A sentence when an event that was appended lets one be over again.
  mutating func add(_ event: Event, in stream: StreamID, _ tally: inout Tally) -> String? {
    for op in event.ops {
      switch op {
      case .postOccurred(let id, _, let news, _):
        tally.count(.p12Once)
        guard over[id, default: []].insert(news.next.number - 1).inserted else {
          return "P12 \(stream) \(event.seq): occurrence \(news.next.number - 1) is over twice"
        }
      case .postReopened(let post, _), .postRestored(let post, _):
        if let back = post.occurrence { over[post.id] = over[post.id]?.filter { $0 < back.number } }
      case .postEdited(let id, _, let edit):
        // An undo that brings a repetition back.
        guard case .set(let repeats) = edit.repeats, let back = repeats.occurrence else { continue }
        over[id] = over[id]?.filter { $0 < back.number }
      default: continue
      }
    }
    return nil
  }
}

extension StreamTruth {
  /// A sentence when an occurrence that has to be confirmed is over by somebody who is no admin, or by another one than
  /// who submitted it.
  func unconfirmed(_ event: Event, _ tally: inout Tally) -> String? {
    let isEdit = event.ops.contains { if case .postEdited = $0 { true } else { false } }
    guard !isEdit, event.undoes.isEmpty else { return nil }
    let before = states[Int(event.seq) - 1]
    for case .postOccurred(let id, _, let news, _) in event.ops {
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
