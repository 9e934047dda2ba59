import Domain
import Sync

extension Workload {
  /// Changes a post that comes again, or makes one come again; mostly returns nil. The command names the occurrence
  /// that the device sees, so that two people who are quick mean the same one.
  static func change(
    occurrenceOf post: Post, in category: CategoryID, ifVersion: Int?, _ world: Simulation
  ) -> Command? {
    guard let occurrence = post.occurrence else {
      guard world.random.happens(120) else { return nil }
      let edit = PostEdit(
        due: .set(due(&world.random)), repeats: .set(repetition(&world.random)))
      return .editPost(category, post.id, edit, ifVersion: ifVersion)
    }
    guard world.random.happens(750) else { return nil }
    if world.random.happens(120) { return takeBack(post, in: category, world) }
    let change: OccurrenceChange
    switch world.random.below(12) {
    case 0: change = .skip
    case 1: change = .remove
    case 2: return .editPost(category, post.id, PostEdit(repeats: .clear), ifVersion: ifVersion)
    case 3:
      change = .edit(PostEdit(due: .set(due(&world.random))))
    case 4, 5:
      change = world.random.pick(post.steps).map { .finish($0.id) } ?? .complete
    case 6 where post.mode == .each: change = .completeForAll
    default: change = .complete
    }
    return .changeOccurrence(
      category, post.id, occurrence.number, change, ifVersion: ifVersion)
  }

  /// Takes back the last occurrence that was over, or an earlier one, which is refused.
  private static func takeBack(
    _ post: Post, in category: CategoryID, _ world: Simulation
  ) -> Command? {
    let endings = world.endings(of: post.id, in: .category(category))
    let last = world.random.happens(850) ? endings.last : world.random.pick(endings)
    return last.map { .post(.change(category, post.id, .takeBack(event: $0))) }
  }

  private static func due(_ random: inout SimRandom) -> Due {
    let day = Day(number: 20_700 + random.below(200))
    return random.happens(500) ? .day(day) : .time(day, minute: 90, zone: "Europe/Lisbon")
  }

  private static func repetition(_ random: inout SimRandom) -> Repetition {
    do {
      let rule = random.pick(["FREQ=DAILY", "FREQ=MONTHLY", "FREQ=WEEKLY;COUNT=3"])
      return Repetition(
        try RecurrenceRule(rule ?? "FREQ=DAILY"), basis: random.happens(700) ? .due : .completion,
        missed: random.happens(500) ? .dropped : .kept,
        rotation: random.pick([nil, nil, .turn, .least]) ?? nil, confirms: random.happens(400))
    } catch {
      preconditionFailure("a rule of the table")
    }
  }
}

extension Simulation {
  /// Returns the events that completed occurrences of a post, oldest first.
  fileprivate func endings(of post: PostID, in stream: StreamID) -> [Int64] {
    let events = truth.streams[stream]?.events ?? []
    return events.filter { event in
      event.ops.contains { op in
        guard case .post(.occurred(post, _, let news, _)) = op, case .completed = news.reason else {
          return false
        }
        return true
      }
    }.map(\.seq)
  }
}
