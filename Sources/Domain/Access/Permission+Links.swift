extension Permission {
  /// The methods that a viewer by a link may call. They only read, they are about one category, and none is about a
  /// person: they show neither a member's own things, nor what members did, nor what was before. The methods about
  /// accounts ask for no session: they are answered as if nobody were there yet.
  private static let byLink: Set<Method> = [
    .hello, .ping, .serverAbout, .syncOpen, .syncClose, .postList, .presenceSet,
    .accountRegister, .accountLogin, .accountRecover, .accountPair, .accountGuest,
  ]

  package static func allowsLink(_ method: Method) -> Bool { byLink.contains(method) }
}
