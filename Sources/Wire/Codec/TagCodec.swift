package import Domain

// Ops about the tags of a category (protocol §7): their words, and what each says.

extension TagOp {
  package enum Kind: String, CaseIterable, Sendable {
    case added = "tag.added"
    case edited = "tag.edited"
    case removed = "tag.removed"
    case restored = "tag.restored"
  }

  package var kind: Kind {
    switch self {
    case .added: .added
    case .edited: .edited
    case .removed: .removed
    case .restored: .restored
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let id = TagID(try op.id())
    switch kind {
    case .added: self = .added(try Tag(id: id, op.f()))
    case .edited: self = .edited(id, try TagEdit(op.f()))
    case .removed: self = .removed(id)
    case .restored: self = .restored(try Tag(id: id, op.f()))
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .added(let tag), .restored(let tag):
      writer.op(id: tag.id.uuid) { tag.writeFields(to: &$0) }
    case .edited(let id, let edit):
      writer.op(id: id.uuid) {
        $0.member("name", ifPresent: edit.name)
        $0.member("color", edit.color)
      }
    case .removed(let id): writer.member("id", id.uuid)
    }
  }
}

extension TagEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(name: try fields.optionalString("name"), color: try fields.change("color"))
  }
}
