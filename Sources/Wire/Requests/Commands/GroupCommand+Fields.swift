import Domain

// The parameters of the changes of a group, both ways.

extension GroupMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let id = try params.read(self == .add ? .newGroup : .groupID)
    return switch self {
    case .add: .group(.add(id, name: try params.read(.groupName)))
    case .edit: .group(.edit(id, try GroupEdit(params)))
    case .remove: .group(.remove(id))
    case .restore: .group(.restore(id))
    }
  }
}

extension GroupCommand {
  func add(to fields: inout SortedFields) {
    fields.add(.groupID, id)
    switch self {
    case .add(_, let name): fields.add(.groupName, name)
    case .edit(_, let edit): edit.add(to: &fields)
    case .remove, .restore: break
    }
  }
}

extension GroupEdit {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(name: try params.optional(.groupName), talk: try params.optional(.groupTalk))
    try params.needsOne(from: "name", self != GroupEdit())
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.groupName, name)
    fields.add(.groupTalk, talk)
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

extension Parameter where S == WordShape<TalkSetting> {
  fileprivate static var groupTalk: Self {
    Self(
      "talk", S(),
      "`off`: nobody says anything in the group and its categories, until it is `on` again")
  }
}
