/// A change of a tag of a category (protocol §7, `tag.…`).
package enum TagOp: Equatable, Sendable {
  case added(Tag)
  case edited(TagID, TagEdit)
  case removed(TagID)
  /// An undo brought the tag back, for all posts that still hold its id.
  case restored(Tag)

  package var tag: TagID {
    switch self {
    case .added(let tag), .restored(let tag): tag.id
    case .edited(let id, _), .removed(let id): id
    }
  }
}

extension TagOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] { [ObjectKey(kind: .tag, id: tag.uuid)] }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole {
    switch self {
    // Others may have the tag on their posts by now.
    case .added: .passedOver
    case .edited, .removed, .restored: .takenBack
    }
  }

  package func without(_ subject: ErasedSubject) -> TagOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: TagOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let tag), .restored(let tag): put(.tag(tag), into: &changes)
    case .edited(let id, let edit):
      guard case .tag(let tag) = object(.tag, id.uuid) else { return }
      put(.tag(tag.edited(by: edit)), into: &changes)
    case .removed(let id): delete(ObjectKey(kind: .tag, id: id.uuid), into: &changes)
    }
  }
}

extension [TagID] {
  /// Returns the ids with this one, ascending, each once.
  func with(_ tag: TagID) -> [TagID] {
    guard !contains(tag) else { return self }
    return (self + [tag]).sorted()
  }
}
