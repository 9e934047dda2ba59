/// The origin of a post in another program: its name, the id that the post has there, and perhaps an address where it
/// is seen. A list has one post of each name and id, also when that is removed. So an import that is repeated adds
/// nothing twice and brings nothing back (`Decide/Imports.swift`).
package struct Source: Equatable, Sendable {
  package let name: String
  package let id: String
  /// The address. It begins with `https://` or `http://`.
  package let url: String?
  /// The fields that people have set since the import, in the order of `Field.allCases`. No import sets them again.
  package var edited: [Field]

  /// A field that an import may set.
  package enum Field: String, CaseIterable, Sendable {
    case title
    case notes
    case priority
    case color
    case due
    case location
  }

  package init(name: String, id: String, url: String? = nil, edited: [Field] = []) {
    self.name = name
    self.id = id
    self.url = url
    self.edited = edited
  }

  package var key: SourceKey { SourceKey(name: name, id: id) }

  /// Notes the fields that a person's edit sets.
  mutating func note(_ edit: PostEdit) {
    edited = Field.allCases.filter { edited.contains($0) || edit.sets($0) }
  }
}

/// The name and the id by which a post from another program is found.
package struct SourceKey: Hashable, Sendable {
  package let name: String
  package let id: String

  package init(name: String, id: String) {
    self.name = name
    self.id = id
  }
}

/// A post as another program has it.
package struct ImportedPost: Equatable, Sendable {
  package let source: SourceKey
  package let url: String?
  /// The fields, with a title. Fields that the program leaves alone are not set, and a recurrence never is.
  package let fields: PostEdit

  package init(source: SourceKey, url: String?, fields: PostEdit) {
    self.source = source
    self.url = url
    self.fields = fields
  }
}

/// The outcome of an import of a post.
package struct ImportOutcome: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case added
    case edited
    case unchanged
    /// Somebody has removed the post, and it stays removed.
    case removed
    /// Somebody has taken the post to another list, where it is left alone.
    case moved
  }

  package let kind: Kind
  /// The fields that the import left alone because people had set them to something else.
  package let left: [Source.Field]

  package init(_ kind: Kind, left: [Source.Field] = []) {
    self.kind = kind
    self.left = left
  }
}

extension PostEdit {
  package func sets(_ field: Source.Field) -> Bool {
    switch field {
    case .title: title != nil
    case .notes: notes != nil
    case .priority: priority != .keep
    case .color: color != .keep
    case .due: due != .keep
    case .location: location != .keep
    }
  }

  /// Returns the same edit without this field.
  func without(_ field: Source.Field) -> PostEdit {
    var edit = self
    switch field {
    case .title: edit.title = nil
    case .notes: edit.notes = nil
    case .priority: edit.priority = .keep
    case .color: edit.color = .keep
    case .due: edit.due = .keep
    case .location: edit.location = .keep
    }
    return edit
  }
}
