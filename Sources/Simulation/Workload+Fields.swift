import Domain
import Sync

extension Workload {
  /// Sets some of the fields that may be missing, or takes them away.
  static func fields(_ chance: inout Chance) -> PostEdit {
    let day = Day(number: 20_700 + chance.below(200))
    let due = chance.happens(500) ? Due.day(day) : .time(day, minute: 1_080, zone: "Europe/Lisbon")
    let location = Location(text: "room \(chance.below(9))")
    return PostEdit(
      priority: change(chance.pick(Priority.allCases), &chance),
      color: change(chance.pick([.red, .green]), &chance), due: change(due, &chance),
      location: change(location, &chance))
  }

  private static func change<Value>(_ value: Value?, _ chance: inout Chance) -> FieldChange<Value> {
    guard let value, chance.happens(300) else { return .keep }
    return chance.happens(700) ? .set(value) : .clear
  }
}
