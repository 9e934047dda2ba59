import Domain

/// An action on what people say to each other in a list or a group.
enum TalkAction: Equatable {
  case say(Reference?, String)
  /// Says a line about a post.
  case comment(Reference?, Int, String)
  /// Says a line that answers the one with this number.
  case answer(Reference?, Int, String)
  /// Changes the text of a line.
  case edit(Reference?, Int, String)
  case remove(Reference?, Int)
  /// Switches talk off or on in a list or a group.
  case set(Reference?, TalkSetting)
}
