/// A change of a category as a whole (protocol §8, `category.…`).
package enum CategoryCommand: Equatable, Sendable {
  case add(CategoryID, NewCategory)
  case edit(CategoryID, CategoryEdit)
  case remove(CategoryID)
  case restore(CategoryID)
  /// Puts the category into the archive: nothing in it changes until it is taken out again.
  case archive(CategoryID)
  case unarchive(CategoryID)
  /// Moves the category among the caller's own lists, in front of that one. Nil: behind all others.
  case move(CategoryID, before: CategoryID?)

  package var id: CategoryID {
    switch self {
    case .add(let id, _), .edit(let id, _), .remove(let id), .restore(let id), .archive(let id),
      .unarchive(let id), .move(let id, _):
      id
    }
  }

  var method: CategoryMethod {
    switch self {
    case .add: .add
    case .edit: .edit
    case .remove: .remove
    case .restore: .restore
    case .archive: .archive
    case .unarchive: .unarchive
    case .move: .move
    }
  }

  func home(of actor: UserID) -> StreamID {
    if case .move = self { .user(actor) } else { .category(id) }
  }
}

// Short spellings for the usual commands.
extension CategoryCommand {
  package static func add(
    _ category: CategoryID, name: String, group: GroupID?, history: CategoryHistory = .all
  ) -> CategoryCommand {
    .add(category, NewCategory(name: name, group: group, history: history))
  }

  package static func edit(
    _ category: CategoryID, name: String? = nil, history: CategoryHistory? = nil
  ) -> CategoryCommand {
    .edit(category, CategoryEdit(name: name, history: history))
  }
}
