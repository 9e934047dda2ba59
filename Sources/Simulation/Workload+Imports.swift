import Domain
import Sync

extension Workload {
  /// Imports a post of another program. That program knows few things, so most imports meet a post that was imported
  /// before, and that somebody has edited, removed, moved or erased since. Chance decides whether an import says the
  /// same as the last one. Now and then a person edits what an import has said.
  mutating func bring(
    to category: CategoryID, _ posts: [Post], _ world: Simulation
  ) -> Command? {
    guard world.chance.happens(260) else { return nil }
    if let post = world.chance.pick(posts.filter { $0.source != nil }), world.chance.happens(550) {
      let edit = PostEdit(title: name("mine", world), notes: world.chance.happens(300) ? "n" : nil)
      return .editPost(category, post.id, edit, ifVersion: nil)
    }
    let key = SourceKey(name: "forge", id: world.chance.happens(800) ? "0" : "1")
    var fields = Workload.fields(world)
    fields.title = world.chance.happens(400) ? "thing \(key.id)" : name("thing", world)
    if world.chance.happens(500) { fields.notes = name("notes", world) }
    let url = world.chance.happens(500) ? "https://forge.example/\(key.id)" : nil
    return .post(
      .importUpsert(
        PostAddress(category: category, post: PostID(world.chance.uuid())),
        ImportedPost(source: key, url: url, fields: fields)))
  }
}
