import Domain

// The fields of the changes of a tag, both ways.

extension TagMethod {
  func command(_ params: Params) throws(Refusal) -> Command {
    .changeTag(try params.category(), TagID(try params.uuid("id")), try TagChange(self, params))
  }
}

extension TagChange {
  fileprivate init(_ method: TagMethod, _ params: Params) throws(Refusal) {
    switch method {
    case .add:
      let name = try params.tagName()
      let color: FieldChange<Color> = try params.change("color", takesNull: false)
      self =
        if case .set(let color) = color { .add(name: name, color: color) } else { .add(name: name) }
    case .edit:
      let name = try params.has("name") ? params.tagName() : nil
      let edit = TagEdit(name: name, color: try params.change("color", takesNull: true))
      guard edit != TagEdit() else { throw params.invalid("name", "or the color must be there") }
      self = .edit(edit)
    case .remove: self = .remove
    }
  }
}

extension TagChange {
  func add(to fields: inout SortedFields) {
    switch self {
    case .add(let name, let color):
      fields.add("name", name)
      fields.add("color", color?.rawValue)
    case .edit(let edit):
      fields.add("name", edit.name)
      if edit.color != .keep { fields.add("color") { $0.member("color", edit.color) } }
    case .remove: break
    }
  }
}

extension Params {
  fileprivate func tagName() throws(Refusal) -> String {
    try line("name", 1...Limits.tagScalarsMax)
  }
}
