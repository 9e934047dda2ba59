import Domain
import Sync

extension Workload {
  /// What another program has, which knows a few things: so most imports meet a post that was imported before, and that
  /// somebody has edited, removed, moved or erased since. Whether it says the same as last time is a matter of chance.
  mutating func bring(to category: CategoryID, _ world: Simulation) -> Command? {
    guard world.chance.happens(60) else { return nil }
    let key = SourceKey(name: "forge", id: "\(world.chance.below(4))")
    var fields = Workload.fields(world)
    fields.title = world.chance.happens(500) ? "thing \(key.id)" : name("thing", world)
    if world.chance.happens(300) { fields.notes = name("notes", world) }
    let url = world.chance.happens(500) ? "https://forge.example/\(key.id)" : nil
    return .importPost(
      PostAddress(category: category, post: PostID(world.chance.uuid())),
      ImportedPost(source: key, url: url, fields: fields))
  }
}
