/// A change of a tag of a category.
package enum TagChange: Equatable, Sendable {
  case add(name: String, color: Color? = nil)
  case edit(TagEdit)
  /// Takes it away from all posts that have it.
  case remove

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .add: .tag(.add)
    case .edit: .tag(.edit)
    case .remove: .tag(.remove)
    }
  }
}
