// What ops do to lists that are put away, to the order that somebody has them in, and to views with names.
extension StreamState {
  /// Another role; the list stays where it stands.
  mutating func regrant(_ membership: Membership, into changes: inout [ObjectChange]) {
    var granted = membership
    if case .membership(let held) = object(.membership, membership.stream.uuid) {
      granted.position = held.position
    }
    put(.membership(granted), into: &changes)
  }

  mutating func move(
    _ list: StreamID, to place: Position, into changes: inout [ObjectChange]
  ) {
    guard case .membership(var held) = object(.membership, list.uuid) else { return }
    held.position = place
    put(.membership(held), into: &changes)
  }

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
