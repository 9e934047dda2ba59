/// What happens to the links of a category.
package enum LinkOp: Equatable, Sendable {
  case made(GuestLink)
  /// Taken back, over, or ended with its maker's right to make it.
  case ended(LinkID)

  package var link: LinkID {
    switch self {
    case .made(let link): link.id
    case .ended(let id): id
    }
  }
}
