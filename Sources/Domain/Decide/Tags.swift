// Changes the tags of a category, and puts them on posts.

func decide(
  _ change: TagChange, of id: TagID, in category: CategoryID, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  let stream = StreamID.category(category)
  try world.require([
    .object(stream, ObjectKey(kind: .category, id: category.uuid)), .objects(stream, .tag),
    .object(stream, ObjectKey(kind: .member, id: caller.user.uuid)), .head(stream),
  ])
  _ = try enter(category, for: change.method, by: caller, in: &world)
  let tags = try world.tags(of: stream)
  guard let op = try change.op(on: id, among: tags) else { return Decision() }
  return Decision(drafts: [Draft(stream: stream, ops: [.tag(op)])])
}

extension TagChange {
  /// Returns the op of the change. Nil when everything is already so.
  fileprivate func op(on id: TagID, among tags: [Tag]) throws(Halt) -> TagOp? {
    let known = tags.first { $0.id == id }
    switch self {
    case .add(let name, let color):
      guard known == nil else { throw .refused(.exists(field: "id")) }
      let tag = Tag(id: id, name: name, color: color)
      try refuseTwin(of: tag, among: tags)
      guard tags.count < Limits.tagsPerCategoryMax else {
        throw .refused(.quota(limit: "tags", max: Limits.tagsPerCategoryMax))
      }
      return .added(tag)
    case .edit(let edit):
      guard let known else { throw .refused(.notFound("tag")) }
      let tag = known.edited(by: edit)
      try refuseTwin(of: tag, among: tags)
      return tag == known ? nil : .edited(id, TagEdit(from: known, to: tag))
    case .remove:
      guard known != nil else { throw .refused(.notFound("tag")) }
      return .removed(id)
    }
  }

  private func refuseTwin(of tag: Tag, among tags: [Tag]) throws(Halt) {
    guard !tags.contains(where: tag.isTwin) else { throw .refused(.exists(field: "name")) }
  }
}

func tagPost(
  _ target: PostTarget, _ tag: TagID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .post(.tag), by: caller, in: &world)
  guard try world.tag(tag, of: target.stream) != nil else { throw .refused(.notFound("tag")) }
  guard !post.tags.contains(tag) else { return unchanged(post) }
  var marks = [PostMark.tagged(tag)]
  if post.tags.count >= Limits.tagsPerPostMax {
    // An id that is no tag any more makes room.
    let gone = try post.tags.firstGone(from: target.stream, in: &world)
    guard let gone else { throw .refused(.quota(limit: "postTags", max: Limits.tagsPerPostMax)) }
    marks.insert(.untagged(gone), at: 0)
  }
  return changed(post, in: target.stream, by: marks)
}

func untagPost(
  _ target: PostTarget, _ tag: TagID, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let (_, post) = try open(target, for: .post(.untag), by: caller, in: &world)
  guard post.tags.contains(tag) else { return unchanged(post) }
  return changed(post, in: target.stream, by: [.untagged(tag)])
}

func changed(_ post: Post, in stream: StreamID, by marks: [PostMark]) -> Decision {
  let ops = marks.enumerated().map {
    Op.post(.marked(post.id, version: post.version + 1 + $0.offset, $0.element))
  }
  return Decision(
    drafts: [Draft(stream: stream, ops: ops)], number: post.number,
    version: post.version + ops.count)
}

extension [TagID] {
  fileprivate func firstGone(
    from stream: StreamID, in world: inout World
  ) throws(Halt) -> TagID? {
    try world.require(map { .object(stream, ObjectKey(kind: .tag, id: $0.uuid)) })
    for tag in self where try world.tag(tag, of: stream) == nil { return tag }
    return nil
  }
}
