/// An action that shows something of the copies. It sends nothing.
enum ShowAction: Equatable {
  case lists
  case groups
  /// Shows the archived lists.
  case archived
  case posts(Reference?, done: Bool)
  case post(Reference?, Int)
  case tags(Reference?)
  /// Shows what people say to each other in a list or a group.
  case talk(Reference?)
  /// Shows what people say about a post.
  case comments(Reference?, Int)
  /// Shows a line of talk with the people who gave signs to it.
  case line(Reference?, LineNumber)
  /// Shows a value that the command would set if it had been given one.
  case value(Reference?, PostNumber, ShownField)
  case listValue(Reference?, ShownListField)
  case tag(Reference?, String)
  /// Shows the role of a person in a list or a group.
  case role(String, in: Reference?)
}
