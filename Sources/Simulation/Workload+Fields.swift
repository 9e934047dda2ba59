import Domain
import Sync

extension Workload {
  /// Sets some of the fields that may be missing, or clears them.
  static func fields(_ world: Simulation) -> PostEdit {
    let now = Int(world.moment.wall.milliseconds / 60_000)
    var random = world.random
    defer { world.random = random }
    let due = due(around: now, &random)
    let location = Location(text: "room \(random.below(9))")
    let mode: FieldChange<PostMode> = random.happens(300) ? change(.each, &random) : .keep
    return PostEdit(
      priority: change(random.pick(Priority.allCases), &random),
      color: change(random.pick([.red, .green]), &random),
      due: random.happens(400) ? .set(due) : change(due, &random),
      location: change(location, &random),
      mode: mode,
      modeRole: mode == .set(.each) ? change(random.pick([.doer, .editor]), &random) : .keep)
  }

  /// Returns a due for some new posts.
  static func due(_ world: Simulation) -> PostEdit {
    let now = Int(world.moment.wall.milliseconds / 60_000)
    guard world.random.happens(600) else { return PostEdit() }
    return PostEdit(due: .set(due(around: now, &world.random)))
  }

  /// Returns a due that is mostly about now, at one of few minutes, so that deadlines come, pass and are met again.
  private static func due(around now: Int, _ random: inout SimRandom) -> Due {
    let begun = now - now % 10
    let minutes = random.pick([begun - 10, begun, now + 1]) ?? now
    let day = Day(number: minutes / 1_440)
    switch random.below(4) {
    case 0: return .day(day.adding(days: random.below(3) - 1))
    default: return .time(day, minute: minutes % 1_440, zone: "UTC")
    }
  }

  private static func change<Value>(_ value: Value?, _ random: inout SimRandom) -> FieldChange<
    Value
  > {
    guard let value, random.happens(300) else { return .keep }
    return random.happens(700) ? .set(value) : .clear
  }
}
