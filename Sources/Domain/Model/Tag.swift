// The tags of a category (protocol §6). A post holds only the ids of its tags. So renaming a tag is one small event,
// however many posts have it. Taking a tag away is one too: the ids stay in the posts and have no effect until the same
// tag comes back.

/// The id of a tag. It is unique within its category only.
package struct TagID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: TagID, right: TagID) -> Bool { left.uuid < right.uuid }
}

/// A word by which posts of a category are found.
package struct Tag: Equatable, Sendable {
  package let id: TagID
  /// The name. It differs from the names of the category's other tags, also in lower case.
  package var name: String
  /// The colour. Nil is `Color.standard`, which is never set.
  package var color: Color?

  package init(id: TagID, name: String, color: Color? = nil) {
    self.id = id
    self.name = name
    self.color = color
  }

  /// Answers whether people would take one tag for the other.
  package func isTwin(of other: Tag) -> Bool {
    id != other.id && name.lowercased() == other.name.lowercased()
  }
}

/// The fields of a tag that an edit sets. All others stay as they are.
package struct TagEdit: Equatable, Sendable {
  package var name: String?
  package var color: FieldChange<Color>

  package init(name: String? = nil, color: FieldChange<Color> = .keep) {
    self.name = name
    self.color = color
  }

  /// Makes the edit that brings the fields of one tag to those of the other.
  init(from old: Tag, to new: Tag) {
    self.init(
      name: old.name == new.name ? nil : new.name,
      color: FieldChange(from: old.color, to: new.color))
  }
}

extension Tag {
  func edited(by edit: TagEdit) -> Tag {
    var tag = self
    tag.name = edit.name ?? name
    edit.color.apply(to: &tag.color)
    return tag
  }
}
