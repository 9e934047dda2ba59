/// A change of a group (protocol §7). Its stream is the group's `g:`.
package enum GroupOp: Equatable, Sendable {
  case added(Group)
  /// The group has other fields; at least one is set.
  case edited(GroupEdit)
  /// The group was removed with these categories, in ascending order.
  case removed(Stamp, with: [CategoryID])
  case restored
  case categoryAdded(CategoryID)
}

// A short spelling for the usual edit.
extension GroupOp {
  package static func edited(name: String? = nil, talk: TalkSetting? = nil) -> GroupOp {
    .edited(GroupEdit(name: name, talk: talk))
  }
}

extension GroupOp: OpFamily {
  package func touches(in stream: StreamID) -> [ObjectKey] {
    switch self {
    case .added, .edited, .removed, .restored: [ObjectKey(kind: .group, id: stream.uuid)]
    case .categoryAdded(let id): [ObjectKey(kind: .groupCategory, id: id.uuid)]
    }
  }

  package func rankedKinds(in stream: StreamID) -> [ObjectKind] { [] }

  package func apply(
    to state: inout StreamState, at index: Int, of event: Event,
    into changes: inout [ObjectChange]
  ) {
    state.apply(self, into: &changes)
  }

  package var undo: UndoRole { .left }

  package func without(_ subject: ErasedSubject) -> GroupOp { self }

  package var erased: ErasedSubject? { nil }

  package func meaning(in event: Event, of stream: StreamID, to viewer: UserID) -> Meaning? {
    guard case .categoryAdded(let id) = self else { return nil }
    return Meaning(kind: .categoryAdded, about: .category(id))
  }
}

extension StreamState {
  mutating func apply(_ op: GroupOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let group): put(.group(group), into: &changes)
    case .edited(let edit): changeGroup(into: &changes) { $0 = $0.edited(by: edit) }
    case .removed(let stamp, let categories):
      changeGroup(into: &changes) { ($0.removed, $0.removedCategories) = (stamp, categories) }
    case .restored: changeGroup(into: &changes) { ($0.removed, $0.removedCategories) = (nil, []) }
    case .categoryAdded(let id): put(.groupCategory(GroupCategory(id: id)), into: &changes)
    }
  }

  private mutating func changeGroup(
    into changes: inout [ObjectChange], _ change: (inout Group) -> Void
  ) {
    guard case .group(var group) = object(.group, stream.uuid) else { return }
    change(&group)
    put(.group(group), into: &changes)
  }
}
