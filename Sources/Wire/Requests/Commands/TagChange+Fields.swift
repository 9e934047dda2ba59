import Domain

// The parameters of the changes of a tag, both ways.

extension TagMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    .changeTag(
      try params.read(.tagCategory), try params.read(self == .add ? .newTagID : .tagID),
      try TagChange(self, params))
  }
}

extension TagChange {
  fileprivate init(_ method: TagMethod, _ params: Params) throws(Refusal) {
    switch method {
    case .add:
      let name = try params.read(.tagName)
      self = .add(name: name, color: try params.optional(.newTagColor))
    case .edit:
      let edit = TagEdit(
        name: try params.optional(.tagName), color: try params.change(.tagColor, takesNull: true))
      try params.needsOne(from: "name", or: "the color", edit != TagEdit())
      self = .edit(edit)
    case .remove: self = .remove
    }
  }
}

extension SortedFields {
  mutating func add(_ change: TagChange, of id: TagID, in category: CategoryID) {
    add(.tagCategory, category)
    add(.tagID, id)
    switch change {
    case .add(let name, let color):
      add(.tagName, name)
      add(.newTagColor, color)
    case .edit(let edit):
      add(.tagName, edit.name)
      add(.tagColor, change: edit.color)
    case .remove: break
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<CategoryID> {
  fileprivate static var tagCategory: Self { Self("category", S(), "the category of the tag") }
}

extension Parameter where S == IDShape<TagID> {
  fileprivate static var newTagID: Self { Self("id", S(), "the id of the new tag") }
  fileprivate static var tagID: Self { Self("id", S(), "the tag") }
}

extension Parameter where S == LineShape {
  fileprivate static var tagName: Self {
    Self("name", S(scalars: 1...Limits.tagScalarsMax, named: "tagName"), "its name")
  }
}

extension Parameter where S == MemberShape<Color> {
  fileprivate static var newTagColor: Self { .color("how the tag looks") }

  fileprivate static var tagColor: Self {
    .color("how the tag looks; null takes the color away")
  }
}
