import Domain
import Sync

extension Workload {
  /// Changes a post that comes again, or makes one come again; mostly returns nil. The command names the occurrence
  /// that the device sees, so that two people who are quick mean the same one.
  static func change(
    occurrenceOf post: Post, in category: CategoryID, ifVersion: Int?, _ world: Simulation
  ) -> Command? {
    guard let occurrence = post.occurrence else {
      guard world.chance.happens(120) else { return nil }
      let edit = PostEdit(
        due: .set(due(&world.chance)), repeats: .set(repetition(&world.chance)))
      return .editPost(category, post.id, edit, ifVersion: ifVersion)
    }
    guard world.chance.happens(750) else { return nil }
    if world.chance.happens(120) { return takeBack(post, in: category, world) }
    let change: OccurrenceChange
    switch world.chance.below(12) {
    case 0: change = .skip
    case 1: change = .remove
    case 2: return .editPost(category, post.id, PostEdit(repeats: .clear), ifVersion: ifVersion)
    case 3:
      change = .edit(PostEdit(due: .set(due(&world.chance))))
    case 4, 5:
      change = world.chance.pick(post.steps).map { .finish($0.id) } ?? .complete
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
    let last = world.chance.happens(850) ? endings.last : world.chance.pick(endings)
    return last.map { .post(.change(category, post.id, .takeBack(event: $0))) }
  }

  private static func due(_ chance: inout Chance) -> Due {
    let day = Day(number: 20_700 + chance.below(200))
    return chance.happens(500) ? .day(day) : .time(day, minute: 90, zone: "Europe/Lisbon")
  }

  private static func repetition(_ chance: inout Chance) -> Repetition {
    do {
      let rule = chance.pick(["FREQ=DAILY", "FREQ=MONTHLY", "FREQ=WEEKLY;COUNT=3"])
      return Repetition(
        try RecurrenceRule(rule ?? "FREQ=DAILY"), basis: chance.happens(700) ? .due : .completion,
        missed: chance.happens(500) ? .dropped : .kept,
        rotation: chance.pick([nil, nil, .turn, .least]) ?? nil, confirms: chance.happens(400))
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
