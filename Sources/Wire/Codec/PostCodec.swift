package import Domain

// Ops about a post (protocol §7): their words, and what each says. Marks, steps, claims, runs, contests and
// `post.overdue` have words of their own.

extension PostOp {
  /// The kinds of ops about a post, without its marks and without its being overdue.
  package enum Kind: String, CaseIterable, Sendable {
    case added = "post.added"
    case edited = "post.edited"
    case completed = "post.completed"
    case reopened = "post.reopened"
    case removed = "post.removed"
    case restored = "post.restored"
    case erased = "post.erased"
    case purged = "post.purged"
    case occurred = "post.occurred"
    case moved = "post.moved"
    case movedOut = "post.moved_out"
    case movedIn = "post.moved_in"
    case imported = "post.imported"
  }

  package var kind: OpKind {
    switch self {
    case .added: .post(.added)
    case .edited: .post(.edited)
    case .completed: .post(.completed)
    case .reopened: .post(.reopened)
    case .removed: .post(.removed)
    case .restored: .post(.restored)
    case .erased: .post(.erased)
    case .purged: .post(.purged)
    case .occurred: .post(.occurred)
    case .moved: .post(.moved)
    case .movedOut: .post(.movedOut)
    case .movedIn: .post(.movedIn)
    case .imported: .post(.imported)
    case .marked(_, _, let mark): .mark(mark.kind)
    case .overdue(_, let mark, _): .overdue(mark.kind)
    case .step(_, _, let op): .step(op.kind)
    case .claim(_, let op): .claim(op.kind)
    case .run(_, let op): .run(op.kind)
    case .contest(_, let op): .contest(op.kind)
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    switch kind {
    case .added: self = .added(try op.post(), try op.counters())
    case .reopened: self = .reopened(try op.post(), try op.counters())
    case .restored: self = .restored(try op.post(), try op.counters())
    case .movedIn: self = .movedIn(try op.post(), try op.counters())
    case .edited:
      self = .edited(try op.postID(), version: try op.version(), try PostEdit(op.f()))
    case .completed:
      let stamp = try op.f().stamp("completed")
      self = .completed(try op.postID(), version: try op.version(), stamp, try op.counters())
    case .removed:
      let stamp = try op.f().stamp("removed")
      self = .removed(try op.postID(), version: try op.version(), stamp, try op.counters())
    case .movedOut:
      let stamp = try op.f().stamp("removed")
      self = .movedOut(try op.postID(), version: try op.version(), stamp, try op.counters())
    case .erased:
      self = .erased(try op.postID(), version: try op.version(), try op.f().stamp("erased"))
    case .purged:
      self = .purged(try op.postID(), try op.has("f") ? op.f().optionalSource() : nil)
    case .moved:
      self = .moved(try op.postID(), version: try op.version(), try op.f().optionalPosition())
    case .imported:
      let (edit, source) = (try PostEdit(op.f()), try op.f().optionalSource())
      self = .imported(try op.postID(), version: try op.version(), edit, source)
    case .occurred:
      let next = try NextOccurrence(op.f())
      self = .occurred(try op.postID(), version: try op.version(), next, try op.counters())
    }
  }

  func write(to writer: inout JSONWriter) {
    writeContent(to: &writer)
    if let counters { writer.member("counters", counters) }
  }

  private func writeContent(to writer: inout JSONWriter) {
    switch self {
    case .added(let post, _), .reopened(let post, _), .restored(let post, _),
      .movedIn(let post, _):
      writer.op(id: post.id.uuid, version: post.version) {
        post.writeFields(version: nil, to: &$0)
      }
    case .edited(let id, let version, let edit):
      writer.op(id: id.uuid, version: version) { edit.writeFields(to: &$0) }
    case .completed(let id, let version, let stamp, _):
      writer.op(id: id.uuid, version: version) { $0.member("completed", stamp) }
    case .removed(let id, let version, let stamp, _), .movedOut(let id, let version, let stamp, _):
      writer.op(id: id.uuid, version: version) { $0.member("removed", stamp) }
    case .erased(let id, let version, let stamp):
      writer.op(id: id.uuid, version: version) { $0.member("erased", stamp) }
    case .purged(let id, let source):
      guard let source else { return writer.member("id", id.uuid) }
      writer.op(id: id.uuid) { $0.member("source", source) }
    case .imported(let id, let version, let edit, let source):
      writer.op(id: id.uuid, version: version) {
        edit.writeFields(to: &$0)
        if let source { $0.member("source", source) }
      }
    case .occurred(let id, let version, let news, _):
      writer.op(id: id.uuid, version: version) { news.writeFields(to: &$0) }
    case .moved(let id, let version, let position):
      writer.op(id: id.uuid, version: version) { $0.member("position", ifPresent: position?.text) }
    case .marked(let id, let version, let mark): mark.write(of: id, version: version, to: &writer)
    case .overdue(let id, let mark, _): mark.write(of: id, to: &writer)
    case .step(let id, let version, let op):
      writer.op(id: id.uuid, version: version) { $0.writeFields(of: op) }
    case .claim(let id, let op): op.write(of: id, to: &writer)
    case .run(let id, let op): op.write(of: id, to: &writer)
    case .contest(let id, let op): op.write(of: id, to: &writer)
    }
  }
}

extension StoredFields {
  fileprivate func version() throws(WireError) -> Int { try int("v") }

  fileprivate func counters() throws(WireError) -> Counters { try counters("counters") }

  fileprivate func optionalSource() throws(WireError) -> Source? {
    try optionalFields("source").map(Source.init)
  }
}

extension PostEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      title: try fields.optionalString("title"), notes: try fields.optionalString("notes"))
    for member in PostMember.all { try member.readEdit(fields, &self) }
  }

  /// Writes the fields that the edit sets. A text that it empties is written as an empty one.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("title", ifPresent: title)
    writer.member("notes", ifPresent: notes)
    for member in PostMember.all { member.writeEdit(self, &writer) }
  }
}
