// A post that comes again is there at once when it was completed, with the same number. Who has just completed it,
// maybe by its last step, and says so once more out of habit would complete the time after it. So whoever completes
// something within a minute after they completed the time before is asked first.

import Domain
import Sync

/// A completion by the person.
struct RecentEnding: Equatable {
  /// The number of the time that came by it.
  let next: Int
  /// When this device heard of it, by its own clock.
  let at: Timestamp
}

extension Situation {
  /// Twice the same out of habit takes less.
  static let habitMilliseconds: Int64 = 60_000

  /// Whether the person completed the time before this one a moment ago. By the server's stamp, and by when the event
  /// was heard of here: this machine's clock may be another, and what an admin confirmed bears the stamp of whoever
  /// did it.
  func wasJustDone(_ post: Post, in list: CategoryID) -> Bool {
    guard post.completed == nil, let occurrence = post.occurrence else { return false }
    if let last = occurrence.last, last.by == me, isRecent(last.at) { return true }
    let heard = endings[PostAddress(category: list, post: post.id)]
    return heard.map { $0.next == occurrence.number && isRecent($0.at) } ?? false
  }

  private func isRecent(_ time: Timestamp) -> Bool {
    let passed = clock.now.milliseconds - time.milliseconds
    return passed.magnitude < UInt64(Situation.habitMilliseconds)
  }

  /// Keeps what the person has completed of posts that come again.
  mutating func hear(endingsOf event: Event, in stream: StreamID) {
    guard event.by == me, case .category(let list) = stream else { return }
    let now = clock.now
    for case .postOccurred(let post, _, let news, _) in event.ops {
      guard case .completed = news.reason else { continue }
      endings[PostAddress(category: list, post: post)] = RecentEnding(
        next: news.next.number, at: now)
    }
    // Few are of the last minute, and none of the others is needed.
    endings = endings.filter { isRecent($0.value.at) }
  }
}

extension Planner {
  /// Asks whoever would complete the time after one that they completed a moment ago. A step does that if it is the
  /// last.
  func refuseHabit(_ post: Post, _ step: Step?, in list: Category) throws(Problem) {
    // Whoever means it means the time that they were asked about.
    guard !isMeant else { return try refuseOver(post, in: list) }
    guard situation.wasJustDone(post, in: list.id), let due = post.due else { return }
    if let step, post.mode == .each || post.openSteps != [step.id] { return }
    throw Problem(
      "#\(post.number) \(post.title) was done a moment ago, next is "
        + "\(situation.clock.words(due)): complete that one too?", remedy: .again)
  }
}
