import Domain

// The parameters of the changes of a category, both ways.

extension CategoryMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    let id = try params.read(self == .add ? .newCategory : .categoryID)
    return switch self {
    case .add: .category(.add(id, try NewCategory(params)))
    case .edit: .category(.edit(id, try CategoryEdit(params)))
    case .remove: .category(.remove(id))
    case .restore: .category(.restore(id))
    case .archive: .category(.archive(id))
    case .unarchive: .category(.unarchive(id))
    case .move: .category(.move(id, before: try params.optional(.categoryBefore)))
    }
  }
}

extension CategoryCommand {
  func add(to fields: inout SortedFields) {
    fields.add(.categoryID, id)
    switch self {
    case .add(_, let new): new.add(to: &fields)
    case .edit(_, let edit): edit.add(to: &fields)
    case .move(_, let other): fields.add(.categoryBefore, other)
    case .remove, .restore, .archive, .unarchive: break
    }
  }
}

extension NewCategory {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.read(.categoryName), group: try params.optional(.group),
      history: try params.read(.history, or: .all), zone: try params.optional(.newCategoryZone),
      color: try params.optional(.newCategoryColor))
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.categoryName, name)
    fields.add(.group, group)
    fields.add(.history, history == .all ? nil : history)
    fields.add(.newCategoryZone, zone)
    fields.add(.newCategoryColor, color)
  }
}

extension CategoryEdit {
  fileprivate init(_ params: Params) throws(Refusal) {
    self.init(
      name: try params.optional(.categoryName), history: try params.optional(.history),
      zone: try params.optional(.categoryZone),
      color: try params.change(.categoryColor, takesNull: true),
      talk: try params.optional(.categoryTalk))
    try params.needsOne(from: "name", self != CategoryEdit())
  }

  fileprivate func add(to fields: inout SortedFields) {
    fields.add(.categoryName, name)
    fields.add(.history, history)
    fields.add(.categoryZone, zone)
    fields.add(.categoryColor, change: color)
    fields.add(.categoryTalk, talk)
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<CategoryID> {
  fileprivate static var newCategory: Self { Self("id", S(), "the id of the new category") }
  fileprivate static var categoryID: Self { Self("id", S(), "the category") }

  fileprivate static var categoryBefore: Self {
    Self(
      "before", S(),
      "another of the sender's categories: the one behind its new place; without it the end")
  }
}

extension Parameter where S == IDShape<GroupID> {
  fileprivate static var group: Self { Self("group", S(), "the group that it belongs to") }
}

extension Parameter where S == LineShape {
  fileprivate static var categoryName: Self { .name("its name") }
  fileprivate static var categoryZone: Self { .zone("the zone in which its days begin and end") }

  fileprivate static var newCategoryZone: Self {
    .zone("the zone in which its days begin and end; without it that of the sender's profile")
  }
}

extension Parameter where S == WordShape<CategoryHistory> {
  fileprivate static var history: Self {
    Self("history", S(), "`joined`: members see only what happened since they came")
  }
}

extension Parameter where S == WordShape<TalkSetting> {
  fileprivate static var categoryTalk: Self {
    Self("talk", S(), "`off`: nobody says anything there, until it is `on` again")
  }
}

extension Parameter where S == MemberShape<Color> {
  fileprivate static var newCategoryColor: Self { .color("how the category looks") }

  fileprivate static var categoryColor: Self {
    .color("how the category looks; null takes the color away")
  }
}
