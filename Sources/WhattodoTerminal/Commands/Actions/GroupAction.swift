/// An action on groups.
enum GroupAction: Equatable {
  /// Shows the group with this name or number. When there is none, makes a new one.
  case named(String)
  case new(String)
  case rename(Reference, String)
  case remove(Reference)
  case restore(Reference)
}
