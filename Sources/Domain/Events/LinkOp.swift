/// One change of the links of a category.
package enum LinkOp: Equatable, Sendable {
  case made(GuestLink)
  /// The link was taken back, its time is over, or its maker may not make links any more.
  case ended(LinkID)

  package var link: LinkID {
    switch self {
    case .made(let link): link.id
    case .ended(let id): id
    }
  }
}
