/// The fields of a category that is added.
package struct NewCategory: Equatable, Sendable {
  package var name: String
  package var group: GroupID?
  package var history: CategoryHistory
  /// The zone. Nil takes the zone of the person who adds the category.
  package var zone: String?
  package var color: Color?

  package init(
    name: String, group: GroupID? = nil, history: CategoryHistory = .all, zone: String? = nil,
    color: Color? = nil
  ) {
    self.name = name
    self.group = group
    self.history = history
    self.zone = zone
    self.color = color
  }
}

/// The fields of a category that an edit sets. All others stay as they are.
package struct CategoryEdit: Equatable, Sendable {
  package var name: String?
  package var history: CategoryHistory?
  package var zone: String?
  package var color: FieldChange<Color>
  package var talk: TalkSetting?

  package init(
    name: String? = nil, history: CategoryHistory? = nil, zone: String? = nil,
    color: FieldChange<Color> = .keep, talk: TalkSetting? = nil
  ) {
    self.name = name
    self.history = history
    self.zone = zone
    self.color = color
    self.talk = talk
  }

  /// Makes the edit that brings the fields of one category to those of the other.
  init(from old: Category, to new: Category) {
    self.init(
      name: old.name == new.name ? nil : new.name,
      history: old.history == new.history ? nil : new.history,
      zone: old.zone == new.zone ? nil : new.zone,
      color: FieldChange(from: old.color, to: new.color),
      talk: old.talk == new.talk ? nil : new.talk)
  }
}

extension Category {
  func edited(by edit: CategoryEdit) -> Category {
    var category = self
    category.name = edit.name ?? name
    category.history = edit.history ?? history
    category.zone = edit.zone ?? zone
    edit.color.apply(to: &category.color)
    category.talk = edit.talk ?? talk
    return category
  }
}
