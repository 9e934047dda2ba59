import Domain
import Sync

extension Workload {
  /// Changes the tags of a list, or those of one of its posts.
  mutating func tag(in category: CategoryID, _ device: Device) -> Command? {
    let world = device.world
    if world.random.happens(400) { return assign(in: category, device) }
    var (tags, posts): ([TagID], [PostID]) = ([], [])
    for object in device.objects(of: .category(category)) {
      if case .tag(let tag) = object { tags.append(tag.id) }
      if case .post(let post) = object { posts.append(post.id) }
    }
    guard let tag = world.random.pick(tags), world.random.happens(850) else {
      let add = TagChange.add(name: name("tag", world))
      return .changeTag(category, TagID(world.random.uuid()), add)
    }
    switch world.random.below(8) {
    case 0: return .changeTag(category, tag, .remove)
    case 1:
      let edit = TagEdit(name: name("tag", world), color: .set(.red))
      return .changeTag(category, tag, .edit(edit))
    case 2, 3: return world.random.pick(posts).map { .post(.change(category, $0, .untag(tag))) }
    default: return world.random.pick(posts).map { .post(.change(category, $0, .tag(tag))) }
    }
  }

  /// Assigns a post to somebody, or takes it from them; also people who have left.
  private func assign(in category: CategoryID, _ device: Device) -> Command? {
    let world = device.world
    var (people, posts): ([UserID], [PostID]) = ([], [])
    for object in device.objects(of: .category(category)) {
      if case .member(let member) = object { people.append(member.id) }
      if case .post(let post) = object { posts.append(post.id) }
    }
    guard let user = world.random.pick(people), let post = world.random.pick(posts) else {
      return nil
    }
    return .post(
      .change(
        category, post, world.random.happens(700) ? .assign(user) : .unassign(user)))
  }
}
