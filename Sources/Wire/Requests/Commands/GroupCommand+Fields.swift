import Domain

// The parameters of the changes of a group, both ways.

extension GroupMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let id = try params.read(self == .add ? .newGroup : .groupID)
    return switch self {
    case .add: .group(.add(id, name: try params.read(.groupName)))
    case .edit: .group(.edit(id, name: try params.read(.groupName)))
    case .remove: .group(.remove(id))
    case .restore: .group(.restore(id))
    }
  }
}

extension GroupCommand {
  func add(to fields: inout SortedFields) {
    fields.add(.groupID, id)
    switch self {
    case .add(_, let name), .edit(_, let name): fields.add(.groupName, name)
    case .remove, .restore: break
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<GroupID> {
  fileprivate static var newGroup: Self { Self("id", S(), "the id of the new group") }
  fileprivate static var groupID: Self { Self("id", S(), "the group") }
}

extension Parameter where S == LineShape {
  fileprivate static var groupName: Self { .name("its name") }
}
