// Applies ops about the archive and about the order of a person's lists.
extension StreamState {
  /// Gives another role. The list keeps its place.
  mutating func regrant(_ membership: Membership, into changes: inout [ObjectChange]) {
    var granted = membership
    if case .membership(let held) = object(.membership, membership.stream.uuid) {
      granted.position = held.position
    }
    put(.membership(granted), into: &changes)
  }

  /// Takes out a membership that is over, and the read mark of its stream.
  mutating func forget(_ left: StreamID, into changes: inout [ObjectChange]) {
    delete(ObjectKey(kind: .membership, id: left.uuid), into: &changes)
    delete(ObjectKey(kind: .readMark, id: left.uuid), into: &changes)
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
}
