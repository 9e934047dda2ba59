/// The request of a line, by family. Its references are not looked up yet; a missing list means the open one.
enum Action: Equatable, Sendable {
  case program(ProgramAction)
  case show(ShowAction)
  case ask(AskAction)
  case filter(FilterAction)
  case post(PostAction)
  case field(FieldAction)
  case mark(MarkAction)
  case list(ListAction)
  case group(GroupAction)
  case people(PeopleAction)
  case talk(TalkAction)
  case account(AccountAction)
  case undo(Reference?)
  case redo(Reference?)
  /// Shows the changes that the server refused, or takes a step with one of them.
  case unsent(UnsentStep?)
  /// Makes several changes as one.
  indirect case together([Action])
  /// The inner action for these times of a post that comes again.
  indirect case times(Times, Action)

  /// Whether the action can run before the lists are loaded; all others wait for them.
  var needsNoLists: Bool {
    if case .program = self { true } else { false }
  }
}
