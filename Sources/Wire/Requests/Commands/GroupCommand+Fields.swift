import Domain

// The fields of the changes of a group, both ways.

extension GroupMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let id = GroupID(try params.uuid("id"))
    return switch self {
    case .add: .group(.add(id, name: try params.name()))
    case .edit: .group(.edit(id, name: try params.name()))
    case .remove: .group(.remove(id))
    case .restore: .group(.restore(id))
    }
  }
}

extension GroupCommand {
  func add(to fields: inout SortedFields) {
    fields.add("id", id.uuid)
    switch self {
    case .add(_, let name), .edit(_, let name): fields.add("name", name)
    case .remove, .restore: break
    }
  }
}
