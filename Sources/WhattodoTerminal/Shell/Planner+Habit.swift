// A post that comes again is open again as soon as it is completed, with the same number. A person who has just
// completed it, maybe by its last step, and completes it again out of habit would complete the next time. So a person
// who completes a post within a minute after they completed its previous time is asked first.

import Domain
import Sync

/// A completion by the person of a post that comes again.
struct RecentEnding: Equatable {
  /// The number of the time that came by it.
  let next: Int
  /// The moment at which this device heard of it, by its own clock.
  let at: Timestamp
}

extension Situation {
  /// The time in which a person may repeat a command out of habit; it rarely takes so long.
  static let habitMilliseconds: Int64 = 60_000

  /// Whether the person completed the previous time a moment ago. Both the server's stamp and the moment at which the
  /// event was heard here count: this machine's clock may differ, and a confirmed completion bears the stamp of the
  /// person who did it.
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

  /// Keeps which posts that come again the person has completed.
  mutating func hear(endingsOf event: Event, in stream: StreamID) {
    guard event.by == me, case .category(let list) = stream else { return }
    let now = clock.now
    for case .post(.occurred(let post, _, let news, _)) in event.ops {
      guard case .completed = news.reason else { continue }
      endings[PostAddress(category: list, post: post)] = RecentEnding(
        next: news.next.number, at: now)
    }
    // Few of them are from the last minute, and no others are needed.
    endings = endings.filter { isRecent($0.value.at) }
  }
}

extension Planner {
  /// Asks a person who would complete the time after one that they completed a moment ago. A step does so if it is the
  /// last.
  func refuseHabit(_ post: Post, _ step: Step?, in list: Category) throws(Problem) {
    // A person who means it means the time that they were asked about.
    guard !isMeant else { return try refuseOver(post, in: list) }
    guard situation.wasJustDone(post, in: list.id), let due = post.due else { return }
    if let step, post.mode == .each || post.openSteps != [step.id] { return }
    throw Problem(
      "#\(post.number) \(post.title) was done a moment ago, next is "
        + "\(situation.clock.words(due)): complete that one too?", remedy: .again)
  }
}
