// Lines for what comes back: a post from the bin, a completion by a redo, a time that was left out. All of them are
// `post.restored` (protocol §7); the state of the post before the event tells which of them it is.

import Client
import Domain
import Screen

extension EventLines {
  private enum Back {
    case post
    case completion
    case time
  }

  /// Returns a line for a post that is back in its list, or whose completion or time is back.
  func restored(
    _ post: Post, _ counters: Counters, _ applied: AppliedEvent, _ who: Who, _ place: String
  ) -> Line {
    switch back(post, applied) {
    case .post:
      who.line("+", .accent, "\(post.shownTitle) (#\(post.number) is back in \(place))")
    case .completion:
      who.line("✔", .good, "\(post.shownTitle) (\(counters.done)/\(counters.total) in \(place))")
    case .time: who.line("↺", .accent, "\(post.shownTitle): this time after all (in \(place))")
    }
  }

  private func back(_ post: Post, _ applied: AppliedEvent) -> Back {
    if let past { return back(post, by: applied.event, past) }
    guard let before = applied.before(post.id), before.removed == nil else { return .post }
    return before.completed == nil && post.completed != nil ? .completion : .time
  }

  /// Decides what comes back by the events that this event undoes.
  private func back(_ post: Post, by event: Event, _ past: [Event]) -> Back {
    let taken = past.filter { event.undoes.contains($0.seq) }.flatMap(\.ops)
    for op in taken.reversed() {
      switch op {
      case .post(.reopened(let it, _)) where it.id == post.id: return .completion
      case .post(.occurred(post.id, _, _, _)): return .time
      case .post(.removed(post.id, _, _, _)): return .post
      default: continue
      }
    }
    return .post
  }

  /// Returns a line by the present state of the post, because its former state is not known here.
  func backLine(_ fold: NotificationFold, _ who: Who, _ what: Phrase) -> Line {
    let one = fold.notifications[0]
    let post = one.post.flatMap { situation.streams[one.about]?.post($0) }
    guard fold.notifications.count == 1, let post else {
      return who.line("+", .accent, what + " (back)")
    }
    if post.completed != nil { return who.line("✔", .good, what + " (done again)") }
    return post.repeats == nil
      ? who.line("+", .accent, what + " (back)") : who.line("↺", .accent, what + " (open again)")
  }
}

extension AppliedEvent {
  /// Returns the post before the event; nil when it is not known.
  fileprivate func before(_ id: PostID) -> Post? {
    changes.lazy.compactMap { change in
      if case .post(let post) = change.before { post } else { nil }
    }
    .first { $0.id == id }
  }
}
