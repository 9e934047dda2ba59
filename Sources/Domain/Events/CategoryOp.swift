/// A change of a list as a whole (protocol §7, `category.…`).
package indirect enum CategoryOp: Equatable, Sendable {
  case added(Category)
  /// The category has other fields; at least one is set. An event that we write for a change of `history` sets nothing
  /// else, and no undo takes it back.
  case edited(CategoryEdit)
  case removed(Stamp)
  case restored
  case archived(Stamp)
  case unarchived
}

extension CategoryOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .category, id: stream.uuid)]
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole {
    switch self {
    case .edited(let edit): edit == CategoryEdit(history: edit.history) ? .left : .takenBack
    case .removed, .restored, .archived, .unarchived: .takenBack
    case .added: .left
    }
  }

  package func without(_ subject: ErasedSubject) -> CategoryOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: CategoryOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let category): put(.category(category), into: &changes)
    case .edited(let edit): changeCategory(into: &changes) { $0 = $0.edited(by: edit) }
    case .removed(let stamp): changeCategory(into: &changes) { $0.removed = stamp }
    case .restored: changeCategory(into: &changes) { $0.removed = nil }
    case .archived(let stamp): changeCategory(into: &changes) { $0.archived = stamp }
    case .unarchived: changeCategory(into: &changes) { $0.archived = nil }
    }
  }

  mutating func changeCategory(
    into changes: inout [ObjectChange], _ change: (inout Category) -> Void
  ) {
    guard case .category(var category) = object(.category, stream.uuid) else { return }
    change(&category)
    put(.category(category), into: &changes)
  }
}
