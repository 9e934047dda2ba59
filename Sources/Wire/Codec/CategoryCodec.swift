package import Domain

// Ops about a list as a whole (protocol §7): their words, and what each says. The list is that of the stream, so only
// `category.added` names it.

extension CategoryOp {
  package enum Kind: String, CaseIterable, Sendable {
    case added = "category.added"
    case edited = "category.edited"
    case removed = "category.removed"
    case restored = "category.restored"
    case archived = "category.archived"
    case unarchived = "category.unarchived"
  }

  package var kind: Kind {
    switch self {
    case .added: .added
    case .edited: .edited
    case .removed: .removed
    case .restored: .restored
    case .archived: .archived
    case .unarchived: .unarchived
    }
  }

  init(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    switch kind {
    case .added: self = .added(try Category(id: CategoryID(op.id()), op.f()))
    case .edited: self = .edited(try CategoryEdit(op.f()))
    case .removed: self = .removed(try op.f().stamp("removed"))
    case .restored: self = .restored
    case .archived: self = .archived(try op.f().stamp("archived"))
    case .unarchived: self = .unarchived
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .added(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .edited(let edit): writer.op(id: nil) { edit.writeFields(to: &$0) }
    case .removed(let stamp): writer.op(id: nil) { $0.member("removed", stamp) }
    case .archived(let stamp): writer.op(id: nil) { $0.member("archived", stamp) }
    case .restored, .unarchived: break
    }
  }
}

extension CategoryEdit {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      name: try fields.optionalString("name"), history: try fields.optionalHistory(),
      zone: try fields.optionalString("zone"), color: try fields.change("color"),
      talk: try fields.optionalTalk())
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", ifPresent: name)
    writer.member("history", ifPresent: history?.rawValue)
    writer.member("zone", ifPresent: zone)
    writer.member("color", color)
    writer.member("talk", ifPresent: talk?.rawValue)
  }
}
