/// A change of the links by which guests look at a list (protocol §8, `link.…`).
package enum LinkCommand: Equatable, Sendable {
  case make(LinkID, CategoryID, NewLink)
  case revoke(LinkID, CategoryID)

  package var category: CategoryID {
    switch self {
    case .make(_, let category, _), .revoke(_, let category): category
    }
  }

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .make: .link(.make)
    case .revoke: .link(.revoke)
    }
  }
}
