// Short spellings for the usual commands about categories.
extension Command {
  package static func addCategory(
    _ category: CategoryID, name: String, group: GroupID?, history: CategoryHistory = .all
  ) -> Command {
    .addCategory(category, NewCategory(name: name, group: group, history: history))
  }

  package static func editCategory(
    _ category: CategoryID, name: String? = nil, history: CategoryHistory? = nil
  ) -> Command {
    .editCategory(category, CategoryEdit(name: name, history: history))
  }
}
