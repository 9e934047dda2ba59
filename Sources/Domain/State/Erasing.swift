// Says what is left of a post whose text was erased, and of its earlier events (protocol §5.6). Kinds, people, times
// and numbers stay. Its texts are empty, and its location is gone. An edit still says which texts it changed.

extension Post {
  /// Returns the post with an empty title, without notes, location and source, and with steps that say nothing.
  package var withoutText: Post {
    var post = self
    post.title = ""
    post.notes = ""
    post.steps = post.steps.withoutText
    post.location = nil
    post.source = nil
    return post
  }
}

extension Op {
  /// Returns the same op without the text of this post.
  package func withoutText(of id: PostID) -> Op {
    switch self {
    case .postAdded(let post, let counters):
      post.id == id ? .postAdded(post.withoutText, counters) : self
    case .postReopened(let post, let counters):
      post.id == id ? .postReopened(post.withoutText, counters) : self
    case .postRestored(let post, let counters):
      post.id == id ? .postRestored(post.withoutText, counters) : self
    case .postMovedIn(let post, let counters):
      post.id == id ? .postMovedIn(post.withoutText, counters) : self
    case .postEdited(id, let version, let edit):
      .postEdited(id, version: version, edit.withoutText)
    case .step(id, let version, let op): .step(id, version: version, op.withoutText)
    case .postImported(id, let version, let edit, _):
      .postImported(id, version: version, edit.withoutText, nil)
    case .postEdited, .step, .postCompleted, .postRemoved, .postErased, .postPurged, .postMarked,
      .postOccurred, .postOverdue, .postMoved, .postMovedOut, .postImported, .tag, .claim,
      .categoryAdded, .categoryEdited, .categoryRemoved, .categoryRestored, .categoryArchived,
      .categoryUnarchived, .group, .member, .code, .person, .invitation, .link, .account,
      .membership, .assignmentAdded, .readMarked, .declinesCounted, .block, .filter, .personal,
      .unknown:
      self
    }
  }
}

extension PostEdit {
  fileprivate var withoutText: PostEdit {
    var edit = self
    if title != nil { edit.title = "" }
    if notes != nil { edit.notes = "" }
    if location != .keep { edit.location = .clear }
    return edit
  }
}

extension [Op] {
  /// The ops of one event without the texts that the event itself erases. The text in ops before the erasing op goes as
  /// all earlier text does; the text in ops after it is new and stays.
  package var withoutErasedTexts: [Op] {
    var ops = self
    for (index, op) in enumerated() {
      guard let subject = op.erased else { continue }
      for earlier in ops.indices.prefix(index) { ops[earlier] = ops[earlier].without(subject) }
    }
    return ops
  }

  /// Takes the same texts out of what was there before each of these ops.
  package func withoutErasedTexts(before was: [Object?]) -> [Object?] {
    var was = was
    for (index, op) in enumerated() {
      guard let subject = op.erased else { continue }
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
      if case .postMovedOut(let id, _, _, _) = op, !left.contains(id) { left.append(id) }
      if case .postMovedIn(let post, _) = op { left.removeAll { $0 == post.id } }
    }
    return left
  }
}
