import Domain
import Sync

extension Workload {
  /// Imports a post of another program. That program knows few things, so most imports meet a post that was imported
  /// before, and that somebody has edited, removed, moved or erased since. Chance decides whether an import says the
  /// same as the last one. Now and then a person edits what an import has said.
  mutating func bring(
    to category: CategoryID, _ posts: [Post], _ world: Simulation
  ) -> Command? {
    guard world.random.happens(400) else { return nil }
    if let post = world.random.pick(posts.filter { $0.source != nil }), world.random.happens(550) {
      let edit = PostEdit(title: name("mine", world), notes: world.random.happens(300) ? "n" : nil)
      return .editPost(category, post.id, edit, ifVersion: nil)
    }
    let key = SourceKey(name: "forge", id: world.random.happens(800) ? "0" : "1")
    var fields = Workload.fields(world)
    fields.title = world.random.happens(400) ? "thing \(key.id)" : name("thing", world)
    if world.random.happens(500) { fields.notes = name("notes", world) }
    let url = world.random.happens(500) ? "https://forge.example/\(key.id)" : nil
    return .post(
      .importUpsert(
        PostAddress(category: category, post: PostID(world.random.uuid())),
        ImportedPost(source: key, url: url, fields: fields)))
  }
}
