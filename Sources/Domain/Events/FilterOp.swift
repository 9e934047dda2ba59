/// A change of a filter that a person keeps, in their `u:` (protocol §7).
package enum FilterOp: Equatable, Sendable {
  /// The person saved a filter, which is written whole, also when it replaces another one.
  case saved(Filter)
  case removed(FilterID)

  package var filter: FilterID {
    switch self {
    case .saved(let it): it.id
    case .removed(let id): id
    }
  }
}

extension FilterOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    [ObjectKey(kind: .filter, id: filter.uuid)]
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> FilterOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? { nil }
}

extension StreamState {
  mutating func apply(_ op: FilterOp, into changes: inout [ObjectChange]) {
    switch op {
    case .saved(let filter): put(.filter(filter), into: &changes)
    case .removed(let id): delete(ObjectKey(kind: .filter, id: id.uuid), into: &changes)
    }
  }
}
