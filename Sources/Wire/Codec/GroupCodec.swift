package import Domain

// Ops about a group (protocol §7): their words, and what each says.

extension GroupOp {
  package enum Kind: String, CaseIterable, Sendable {
    case added = "group.added"
    case edited = "group.edited"
    case removed = "group.removed"
    case restored = "group.restored"
    case categoryAdded = "group.category_added"
  }

  package var kind: Kind {
    switch self {
    case .added: .added
    case .edited: .edited
    case .removed: .removed
    case .restored: .restored
    case .categoryAdded: .categoryAdded
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    switch kind {
    case .added: self = .added(try Group(id: GroupID(op.id()), op.f()))
    case .edited: self = .edited(try GroupEdit(op.f()))
    case .removed:
      self = .removed(
        try op.f().stamp("removed"), with: try op.f().uuids("categories").map(CategoryID.init))
    case .restored: self = .restored
    case .categoryAdded: self = .categoryAdded(CategoryID(try op.id()))
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .added(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .edited(let edit): writer.op(id: nil) { edit.writeFields(to: &$0) }
    case .removed(let stamp, let categories):
      writer.op(id: nil) {
        $0.member("removed", stamp)
        $0.member("categories", categories.map(\.uuid))
      }
    case .restored: break
    case .categoryAdded(let id): writer.member("id", id.uuid)
    }
  }
}

extension GroupEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(name: try fields.optionalString("name"), talk: try fields.optionalTalk())
  }

  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("name", ifPresent: name)
    writer.member("talk", ifPresent: talk?.rawValue)
  }
}
