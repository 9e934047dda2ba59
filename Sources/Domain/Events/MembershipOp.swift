/// The reason for which a membership ended.
package enum LeaveReason: String, Sendable {
  case left
  case removed
}

/// A change of the streams that a person is in, in their `u:` (protocol §7).
package enum MembershipOp: Equatable, Sendable {
  case added(Membership)
  case granted(Membership)
  /// Somebody gave this person another role. The person is told, unlike with `granted`, which follows from something
  /// that is told by itself.
  case roleChanged(Membership)
  case removed(StreamID, LeaveReason)
  /// The list has another place among the person's lists.
  case moved(StreamID, Position)
}

extension MembershipOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    switch self {
    case .added(let it), .granted(let it), .roleChanged(let it):
      [ObjectKey(kind: .membership, id: it.stream.uuid)]
    case .moved(let list, _): [ObjectKey(kind: .membership, id: list.uuid)]
    case .removed(let left, _):
      [ObjectKey(kind: .membership, id: left.uuid), ObjectKey(kind: .readMark, id: left.uuid)]
    }
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] {
    guard case .user = stream else { return [] }
    return switch self {
    case .roleChanged, .removed: [.notice]
    case .added, .granted, .moved: []
    }
  }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, at: index, of: event, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> MembershipOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    guard stream == .user(viewer) else { return nil }
    return switch self {
    case .removed(let left, .removed):
      event.tellsRemoval(from: left) ? Meaning(kind: .removedFrom, about: left) : nil
    case .roleChanged(let it): Meaning(kind: .roleChanged, about: it.stream)
    case .removed(_, .left), .added, .granted, .moved: nil
    }
  }
}

extension StreamState {
  mutating func apply(
    _ op: MembershipOp, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    switch op {
    case .added(let membership): put(.membership(membership), into: &changes)
    case .granted(let it): regrant(it, into: &changes)
    case .moved(let list, let place): move(list, to: place, into: &changes)
    case .roleChanged(let it):
      regrant(it, into: &changes)
      tell(.roleChanged, about: it.stream, at: index, of: event, into: &changes)
    case .removed(let left, let reason):
      forget(left, into: &changes)
      // When somebody was taken out of a group, the group speaks for its categories.
      guard reason == .removed, event.tellsRemoval(from: left) else { return }
      tell(.removed, about: left, at: index, of: event, into: &changes)
    }
  }

  /// Gives another role; the list stays where it stands.
  private mutating func regrant(_ membership: Membership, into changes: inout [ObjectChange]) {
    var granted = membership
    if case .membership(let held) = object(.membership, membership.stream.uuid) {
      granted.position = held.position
    }
    put(.membership(granted), into: &changes)
  }

  /// Deletes the membership that is over, and the mark of how far its stream was read.
  private mutating func forget(_ left: StreamID, into changes: inout [ObjectChange]) {
    delete(ObjectKey(kind: .membership, id: left.uuid), into: &changes)
    delete(ObjectKey(kind: .readMark, id: left.uuid), into: &changes)
  }

  private mutating func move(
    _ list: StreamID, to place: Position, into changes: inout [ObjectChange]
  ) {
    guard case .membership(var held) = object(.membership, list.uuid) else { return }
    held.position = place
    put(.membership(held), into: &changes)
  }
}

extension Event {
  /// Answers whether the end of this membership is told by itself. It is not when the same event ends the membership of
  /// a group, whose categories go with it.
  func tellsRemoval(from left: StreamID) -> Bool {
    guard case .category = left else { return true }
    return !ops.contains { op in
      guard case .membership(.removed(.group, _)) = op else { return false }
      return true
    }
  }
}
