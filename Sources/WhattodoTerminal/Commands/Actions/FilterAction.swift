/// An action on the named views.
enum FilterAction: Equatable {
  case list
  case show(String)
  /// Shows the words of a view.
  case look(String)
  case save(String, FilterWish)
  case remove(String)
}
