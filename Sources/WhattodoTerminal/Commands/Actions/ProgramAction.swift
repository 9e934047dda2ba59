/// An action of the program itself. It needs no lists, so it can run before they are loaded.
enum ProgramAction: Equatable {
  case help(String?)
  case quit
  /// Leaves the view of talk.
  case back
  case logout
  /// Recovers an account that one has not signed in to; possible only before the chat.
  case recover
}
