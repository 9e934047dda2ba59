// Checks of P12 from the log alone: a deadline is told at most once, not before it comes, and by nobody. At the end
// every deadline that has come is told.

import Calendar
import Domain
import Sync

extension StreamTruth {
  /// Returns a sentence when the newest event tells what it must not.
  func checkDeadlines(_ event: Event, _ tally: inout Tally) -> String? {
    for case .post(.overdue(let post, let mark, _)) in event.ops {
      switch mark {
      case .became(let deadline):
        tally.count(.p12Told)
        guard event.by == nil, deadline <= event.at else {
          return "P12 \(post) became overdue before its deadline, or by somebody"
        }
        // This includes forgotten events, because the key of what was told is kept.
        if events.dropLast().contains(where: { $0.tells(post, deadline) }) {
          return "P12 \(post) became overdue at \(deadline.milliseconds) twice"
        }
      case .again(let deadline):
        guard events.dropLast().contains(where: { $0.tells(post, deadline) }) else {
          return "P12 \(post) is overdue again, and never was"
        }
      case .taken: break
      }
    }
    return nil
  }

  /// Returns a sentence when a deadline has come and the log does not say so, or the badge is not the count.
  fileprivate func untold(at now: Timestamp, _ tally: inout Tally) -> String? {
    let head = state.objects.values.compactMap { object -> Domain.Category? in
      if case .category(let category) = object { category } else { nil }
    }
    guard let category = head.first else { return nil }
    var overdue = 0
    for case .post(let post) in state.objects.values where post.completed == nil {
      if post.overdue != nil { overdue += 1 }
      guard category.isActive,
        let deadline = post.awaitedDeadline(in: category, .system), deadline <= now
      else { continue }
      tally.count(.p12Level)
      if post.overdue != deadline { return "P12 #\(post.number) is overdue and was not told" }
      guard events.contains(where: { $0.tells(post.id, deadline) }) else {
        return "P12 #\(post.number) never became overdue"
      }
    }
    guard category.counters.overdue == overdue else {
      return "P6 \(category.counters.overdue) posts are counted as overdue instead of \(overdue)"
    }
    return nil
  }
}

extension Event {
  fileprivate func tells(_ post: PostID, _ deadline: Timestamp) -> Bool {
    ops.contains { op in
      guard case .post(.overdue(post, .became(deadline), _)) = op else { return false }
      return true
    }
  }
}

extension Truth {
  func untold(at now: Timestamp, _ tally: inout Tally) -> String? {
    for stream in order where streams[stream]?.isDropped == false {
      if let breach = streams[stream]?.untold(at: now, &tally) { return "\(stream): \(breach)" }
    }
    return nil
  }
}
