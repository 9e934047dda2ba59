// What ops do to lists that are put away, and to the order that somebody has them in.
extension StreamState {
  /// Another role; the list stays where it stands.
  mutating func regrant(_ membership: Membership, into changes: inout [ObjectChange]) {
    var granted = membership
    if case .membership(let held) = object(.membership, membership.stream.uuid) {
      granted.position = held.position
    }
    put(.membership(granted), into: &changes)
  }

  /// The membership that is over, and how far its stream was read.
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
