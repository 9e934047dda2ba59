/// A change of a group as a whole (protocol §8, `group.…`).
package enum GroupCommand: Equatable, Sendable {
  case add(GroupID, name: String)
  case edit(GroupID, GroupEdit)
  case remove(GroupID)
  case restore(GroupID)

  package var id: GroupID {
    switch self {
    case .add(let id, _), .edit(let id, _), .remove(let id), .restore(let id): id
    }
  }

  var method: GroupMethod {
    switch self {
    case .add: .add
    case .edit: .edit
    case .remove: .remove
    case .restore: .restore
    }
  }
}

// A short spelling for the usual edit.
extension GroupCommand {
  package static func edit(
    _ group: GroupID, name: String? = nil, talk: TalkSetting? = nil
  ) -> GroupCommand {
    .edit(group, GroupEdit(name: name, talk: talk))
  }
}
