import Domain

/// An action on what people say to each other in a list or a group.
enum TalkAction: Equatable {
  case say(Reference?, String)
  /// Says a line in the view of talk that is open.
  case sayHere(String)
  /// Says a line about a post.
  case comment(Reference?, Int, String)
  /// Says a line that answers the one with this number.
  case answer(Reference?, LineNumber, String)
  /// Changes the text of a line.
  case edit(Reference?, LineNumber, String)
  case remove(Reference?, LineNumber)
  /// Gives a sign to a line; nil takes one's own back.
  case react(Reference?, LineNumber, String?)
  /// Switches talk off or on in a list or a group.
  case set(Reference?, TalkSetting)
}
