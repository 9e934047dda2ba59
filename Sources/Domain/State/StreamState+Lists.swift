// What ops do to lists that are put away, and to views with names.
extension StreamState {
  mutating func applyToArchive(_ op: Op, into changes: inout [ObjectChange]) {
    changeCategory(into: &changes) { category in
      category.archived = if case .categoryArchived(let stamp) = op { stamp } else { nil }
    }
  }

  mutating func applyToFilter(_ op: Op, into changes: inout [ObjectChange]) {
    switch op {
    case .filterSaved(let filter): put(.filter(filter), into: &changes)
    case .filterRemoved(let id):
      delete(ObjectKey(kind: .filter, id: id.uuid), into: &changes)
    default: preconditionFailure("an op about filters")
    }
  }
}
