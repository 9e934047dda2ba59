/// A change of a list as a whole (protocol §7, `category.…`).
package indirect enum CategoryOp: Equatable, Sendable {
  case added(Category)
  /// The category has other fields; at least one is set. An event that we write for a change of `history` sets nothing
  /// else, and no undo takes it back.
  case edited(CategoryEdit)
  case removed(Stamp)
  case restored
  case archived(Stamp)
  case unarchived

  /// Whether an undo takes the op back (`Op.isUndone`).
  var isUndone: Bool {
    switch self {
    case .edited(let edit): edit != CategoryEdit(history: edit.history)
    case .removed, .restored, .archived, .unarchived: true
    case .added: false
    }
  }
}

extension StreamState {
  mutating func apply(_ op: CategoryOp, into changes: inout [ObjectChange]) {
    switch op {
    case .added(let category): put(.category(category), into: &changes)
    case .edited(let edit): changeCategory(into: &changes) { $0 = $0.edited(by: edit) }
    case .removed(let stamp): changeCategory(into: &changes) { $0.removed = stamp }
    case .restored: changeCategory(into: &changes) { $0.removed = nil }
    case .archived(let stamp): changeCategory(into: &changes) { $0.archived = stamp }
    case .unarchived: changeCategory(into: &changes) { $0.archived = nil }
    }
  }

  mutating func changeCategory(
    into changes: inout [ObjectChange], _ change: (inout Category) -> Void
  ) {
    guard case .category(var category) = object(.category, stream.uuid) else { return }
    change(&category)
    put(.category(category), into: &changes)
  }
}
