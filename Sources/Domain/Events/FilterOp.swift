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

extension StreamState {
  mutating func apply(_ op: FilterOp, into changes: inout [ObjectChange]) {
    switch op {
    case .saved(let filter): put(.filter(filter), into: &changes)
    case .removed(let id): delete(ObjectKey(kind: .filter, id: id.uuid), into: &changes)
    }
  }
}
