import Domain

// The fields of the changes of a category, both ways.

extension CategoryMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let id = try params.category("id")
    return switch self {
    case .add: .category(.add(id, try NewCategory(params)))
    case .edit: .category(.edit(id, try CategoryEdit(params)))
    case .remove: .category(.remove(id))
    case .restore: .category(.restore(id))
    case .archive: .category(.archive(id))
    case .unarchive: .category(.unarchive(id))
    case .move:
      .category(.move(id, before: try params.has("before") ? params.category("before") : nil))
    }
  }
}

extension CategoryCommand {
  func add(to fields: inout SortedFields) {
    fields.add("id", id.uuid)
    switch self {
    case .add(_, let new): new.add(to: &fields)
    case .edit(_, let edit): edit.add(to: &fields)
    case .move(_, let other): fields.add("before", other?.uuid)
    case .remove, .restore, .archive, .unarchive: break
    }
  }
}

extension NewCategory {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.name(),
      group: try params.has("group") ? GroupID(params.uuid("group")) : nil,
      history: try params.has("history") ? params.history() : .all,
      zone: try params.has("zone") ? params.zone() : nil,
      color: try params.has("color") ? Color.asked(params, "color") : nil)
  }
}

extension NewCategory {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("name", name)
    fields.add("group", group?.uuid)
    fields.add("history", history == .all ? nil : history.rawValue)
    fields.add("zone", zone)
    fields.add("color", color?.rawValue)
  }
}

extension CategoryEdit {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.has("name") ? params.name() : nil,
      history: try params.has("history") ? params.history() : nil,
      zone: try params.has("zone") ? params.zone() : nil,
      color: try params.change("color", takesNull: true))
    guard self != CategoryEdit() else {
      throw params.invalid("name", "or another field must be there")
    }
  }
}

extension CategoryEdit {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("name", name)
    fields.add("history", history?.rawValue)
    fields.add("zone", zone)
    if color != .keep { fields.add("color") { [color] in $0.member("color", color) } }
  }
}
