import Domain

/// An action on whole lists.
enum ListAction: Equatable {
  /// Opens a list, to work in it.
  case open(Reference)
  case new(String, group: Reference?)
  case rename(Reference?, String)
  case edit(Reference?, CategoryEdit)
  case copy(Reference, CopyWish)
  /// Moves lists among one's own lists.
  case move([Reference], ListTarget)
  case archive(Reference)
  case unarchive(Reference)
  case remove(Reference)
  /// Restores lists by their names, or by their numbers in `/bin lists`.
  case restore([Reference])
}

/// The place to which lists move among one's own.
enum ListTarget: Equatable {
  case top
  case bottom
  case before(Reference)
}

/// The wishes for the copy of a list.
struct CopyWish: Equatable {
  /// The name of the copy; nil means the list's name and ` copy`.
  var name: String?
  /// Whether completed posts are copied too, as open ones.
  var withDone = false
  /// When the first post of the copy is due; nil keeps the dues of the list.
  var firstDue: DueWish?
}
