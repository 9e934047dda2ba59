import Domain

/// An action on tags, and on whose work posts are.
enum MarkAction: Equatable {
  /// Puts tags on posts; tags that do not exist are made.
  case tag(Reference?, [Int], [String])
  case untag(Reference?, [Int], [String])
  /// Takes all tags off a post.
  case untagAll(Reference?, Int)
  case changeTag(Reference?, String, TagStep)
  /// Assigns posts to people by their usernames.
  case assign(Reference?, [Int], [String])
  case unassign(Reference?, [Int], [String])
  case unassignAll(Reference?, Int)
  /// Makes the open work of one person another's, in one list or in all.
  case handOver(from: String, to: String, in: Reference?)
}

/// A step with a tag.
enum TagStep: Equatable {
  case rename(String)
  case color(Color)
  case remove
}
