import Domain

/// An action that sets a field of one post.
enum FieldAction: Equatable {
  /// Sets the title of a post, or the text of a step.
  case title(Reference?, PostNumber, String)
  case notes(Reference?, Int, String)
  /// Sets when a post is due; nil takes the due away.
  case due(Reference?, Int, DueWish?)
  case repeating(Reference?, Int, RepeatWish)
  /// Sets fields that need nothing but the words of the command.
  case set(Reference?, Int, PostEdit)
  /// Changes what one has said of a post to oneself.
  case personal(Reference?, Int, PersonalWish)
}
