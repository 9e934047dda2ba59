// Says what is left of a post whose text was erased, and of its earlier events (protocol §5.6). Kinds, people, times
// and numbers stay. Its texts are empty, and its location is gone. An edit still says which texts it changed.

extension Post {
  /// Returns the post with an empty title, without notes, location and source. Its steps and runs say nothing.
  package var withoutText: Post {
    var post = self
    post.title = ""
    post.notes = ""
    post.steps = post.steps.withoutText
    post.location = nil
    post.source = nil
    post.goal = post.goal?.withoutText
    post.eraseRuns()
    return post
  }
}

extension [Op] {
  /// The ops of one event without the texts that the event itself erases. The text in ops before the erasing op goes as
  /// all earlier text does; the text in ops after it is new and stays.
  package var withoutErasedTexts: [Op] {
    var ops = self
    for (index, op) in enumerated() {
      guard let subject = op.family?.erased else { continue }
      for earlier in ops.indices.prefix(index) { ops[earlier] = ops[earlier].without(subject) }
    }
    return ops
  }

  /// Takes the same texts out of what was there before each of these ops.
  package func withoutErasedTexts(before was: [Object?]) -> [Object?] {
    var was = was
    for (index, op) in enumerated() {
      guard let subject = op.family?.erased else { continue }
      for earlier in was.indices.prefix(index + 1) { was[earlier] = was[earlier]?.without(subject) }
    }
    return was
  }

  /// The posts that these ops erase, each once.
  package var erasedPosts: [PostID] {
    erasedSubjects.compactMap { if case .post(let id) = $0 { id } else { nil } }
  }

  /// The posts that are in another list after these ops, each once.
  package var postsThatLeft: [PostID] {
    var left: [PostID] = []
    for op in self {
      if case .post(.movedOut(let id, _, _, _)) = op, !left.contains(id) { left.append(id) }
      if case .post(.movedIn(let post, _)) = op { left.removeAll { $0 == post.id } }
    }
    return left
  }
}
