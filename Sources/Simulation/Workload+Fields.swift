import Domain
import Sync

extension Workload {
  /// Sets some of the fields that may be missing, or clears them.
  static func fields(_ world: Simulation) -> PostEdit {
    let now = Int(world.moment.wall.milliseconds / 60_000)
    var chance = world.chance
    defer { world.chance = chance }
    let due = due(around: now, &chance)
    let location = Location(text: "room \(chance.below(9))")
    return PostEdit(
      priority: change(chance.pick(Priority.allCases), &chance),
      color: change(chance.pick([.red, .green]), &chance),
      due: chance.happens(400) ? .set(due) : change(due, &chance),
      location: change(location, &chance),
      mode: chance.happens(300) ? change(.each, &chance) : .keep)
  }

  /// Returns a due for some new posts.
  static func due(_ world: Simulation) -> PostEdit {
    let now = Int(world.moment.wall.milliseconds / 60_000)
    guard world.chance.happens(600) else { return PostEdit() }
    return PostEdit(due: .set(due(around: now, &world.chance)))
  }

  /// Returns a due that is mostly about now, at one of few minutes, so that deadlines come, pass and are met again.
  private static func due(around now: Int, _ chance: inout Chance) -> Due {
    let begun = now - now % 10
    let minutes = chance.pick([begun - 10, begun, now + 1]) ?? now
    let day = Day(number: minutes / 1_440)
    switch chance.below(4) {
    case 0: return .day(day.adding(days: chance.below(3) - 1))
    default: return .time(day, minute: minutes % 1_440, zone: "UTC")
    }
  }

  private static func change<Value>(_ value: Value?, _ chance: inout Chance) -> FieldChange<Value> {
    guard let value, chance.happens(300) else { return .keep }
    return chance.happens(700) ? .set(value) : .clear
  }
}
