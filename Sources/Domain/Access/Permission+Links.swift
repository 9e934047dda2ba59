extension Permission {
  /// What somebody who looks by a link may call. It is read only, of one category, and nothing of it is about a person:
  /// neither what a member has of their own, nor what members did, nor what was. Those about accounts ask for no
  /// session: they are answered as if nobody were there yet.
  private static let byLink: Set<Method> = [
    .hello, .ping, .serverAbout, .syncOpen, .syncClose, .postList, .presenceSet,
    .accountRegister, .accountLogin, .accountRecover, .accountPair, .accountGuest,
  ]

  package static func allowsLink(_ method: Method) -> Bool { byLink.contains(method) }
}
