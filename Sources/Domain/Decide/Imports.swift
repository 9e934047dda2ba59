// An import adds a post as another program has it, or brings it up to that program's present state. The same import may
// come again and again, from any point where it was left. Fields that people have set since are theirs
// (`Source.edited`) until the import says the same: then there is nothing to choose between. A post that somebody
// removed stays removed, and one that somebody took to another list is left alone there. A post whose text was erased
// is not known any more: to keep it erased, it has to be taken out of the other program first.

func importPost(
  _ item: ImportedPost, at address: PostAddress, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let category = address.category
  let known = Need.imported(category, item.source)
  try world.require(Need.toChange(address, by: caller.user) + [known])
  let head = try enter(category, for: .post(.importUpsert), by: caller, in: &world)
  guard let id = try world.imported(item.source, in: category),
    let post = try world.post(id, in: category), post.source?.key == item.source,
    try world.finds(post, in: head, caller.user)
  else { return try add(item, at: address, to: head, by: caller, in: &world) }
  return try update(post, to: item, in: head, by: caller, in: &world)
}

private func add(
  _ item: ImportedPost, at address: PostAddress, to category: Category, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  var new = NewPost(title: item.fields.title ?? "", notes: item.fields.notes ?? "")
  new.fields = item.fields
  new.source = Source(name: item.source.name, id: item.source.id, url: item.url)
  var decision = try addPost(new, at: address, by: caller, in: &world)
  decision.imported = ImportOutcome(.added)
  return decision
}

private func update(
  _ post: Post, to item: ImportedPost, in category: Category, by caller: Caller,
  in world: inout World
) throws(Halt) -> Decision {
  guard post.moved == nil else { return left(post, .moved) }
  guard post.removed == nil else { return left(post, .removed) }
  var source = Source(
    name: item.source.name, id: item.source.id, url: item.url, edited: post.source?.edited ?? [])
  var edit = item.fields
  let differing = PostEdit(from: post, to: post.edited(by: edit))
  // A field that the import sets to its present value belongs to the import again.
  source.edited.removeAll { edit.sets($0) && !differing.sets($0) }
  // The due of a post that comes again follows from what people did.
  let comesAgain = post.repeats != nil
  let taken = Source.Field.allCases.filter { field in
    differing.sets(field) && (source.edited.contains(field) || comesAgain && field == .due)
  }
  for field in taken { edit = edit.without(field) }
  let whole = try edit.whole(
    of: post, version: post.version + 1, categoryZone: category.zone, caller.almanac)
  let news = PostEdit(from: post, to: post.edited(by: whole))
  guard news != PostEdit() || source != post.source else {
    var decision = unchanged(post)
    decision.imported = ImportOutcome(.unchanged, left: taken)
    return decision
  }
  var ops = [Op.post(.imported(post.id, version: post.version + 1, news, source))]
  if let mark = post.overdueTaken(by: news, category.counters) { ops.append(mark) }
  var decision = Decision(
    drafts: [Draft(stream: .category(category.id), ops: ops)], number: post.number,
    version: post.version + 1)
  decision.imported = ImportOutcome(.edited, left: taken)
  return decision
}

private func left(_ post: Post, _ kind: ImportOutcome.Kind) -> Decision {
  var decision = Decision(number: kind == .moved ? nil : post.number)
  decision.imported = ImportOutcome(kind)
  return decision
}

extension World {
  /// Returns the post of this list with this source, also a removed one. Nil when there is none.
  mutating func imported(_ source: SourceKey, in category: CategoryID) throws(Halt) -> PostID? {
    guard case .post(let id) = try answer(.imported(category, source)) else {
      preconditionFailure("an answer to another question")
    }
    let staged = stagedPosts(of: source, in: category)
    return staged.first { $0.moved == nil }?.id ?? id ?? staged.first?.id
  }
}
