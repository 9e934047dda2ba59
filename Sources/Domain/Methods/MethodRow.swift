/// The row of a method: everything that holds for each call of it. Its parameters are declared in `Wire`.
package struct MethodRow: Equatable, Sendable {
  package enum Kind: Sendable {
    /// Concerns the connection itself.
    case session
    /// Concerns an account or a sign-in and carries a secret in the request or the answer, or ends an account.
    case account
    /// Changes nothing.
    case query
    /// Sets something that holds for a moment and is stored nowhere (protocol §5.5).
    case moment
    /// A command with a key, which the ledger decides. Some methods of an account are commands too, but they are read
    /// and written separately, because they carry secrets.
    case change
  }

  package let kind: Kind
  /// The lowest role in the stream that may call the method. Nil: the method is about the caller (sign-in, own profile,
  /// own invitations) or makes something new, so no role is asked for.
  package let leastRole: Role?
  /// Whether a batch takes the method. A batch takes nothing about the caller's own account: its changes are rows
  /// beside the log, or need what a batch lacks (a calendar for the zone). It takes no erasing: the key of a batch
  /// keeps the hash of all that stands in it. It takes no method that has or makes a code: a code that is brought is
  /// looked up before a command is decided, and one that is made is added after it.
  package var standsInBatch = false
  /// Whether the result has a token or a code. Such an answer is never compressed, because its length would tell
  /// something of it (protocol §2.6).
  package var answersWithSecret = false
  /// Whether the method ends or finishes something. People must always be able to do that, however full the disk is.
  package var makesRoom = false
  /// Whether a viewer by a link may call the method. Such methods only read, they are about one category, and none is
  /// about a person: they show neither a member's own things, nor what members did, nor what was before. The methods
  /// about accounts ask for no session: they are answered as if nobody were there yet.
  package var isOpenToLinks = false
  /// Whether a token may call the method. Those about accounts, sessions, bots, tokens and
  /// webhooks are for who has signed in.
  package var isOpenToTokens = true
  /// Whether an archived category takes the method: it is about the category as a whole, about who is in it or about
  /// the caller alone, or it erases a text. A copy is made elsewhere.
  package var worksInArchive = false
}

// The usual rows, each with the members in which it may differ.
extension MethodRow {
  static func session(from role: Role? = nil, openToLinks: Bool = true) -> MethodRow {
    MethodRow(kind: .session, leastRole: role, isOpenToLinks: openToLinks)
  }

  static func account(
    secret: Bool = false, makesRoom: Bool = false, openToLinks: Bool = false
  ) -> MethodRow {
    MethodRow(
      kind: .account, leastRole: nil, answersWithSecret: secret, makesRoom: makesRoom,
      isOpenToLinks: openToLinks, isOpenToTokens: false)
  }

  static func query(
    from role: Role? = nil, secret: Bool = false, openToLinks: Bool = false,
    openToTokens: Bool = true
  ) -> MethodRow {
    MethodRow(
      kind: .query, leastRole: role, answersWithSecret: secret, isOpenToLinks: openToLinks,
      isOpenToTokens: openToTokens)
  }

  static func moment(openToLinks: Bool = false) -> MethodRow {
    // The loops let every member do these: they know no roles.
    MethodRow(kind: .moment, leastRole: .viewer, isOpenToLinks: openToLinks)
  }

  static func change(
    from role: Role? = nil, inBatch: Bool = true, secret: Bool = false, makesRoom: Bool = false,
    inArchive: Bool = false, openToTokens: Bool = true
  ) -> MethodRow {
    MethodRow(
      kind: .change, leastRole: role, standsInBatch: inBatch, answersWithSecret: secret,
      makesRoom: makesRoom, isOpenToTokens: openToTokens, worksInArchive: inArchive)
  }

  /// A change that ends or finishes something.
  static func ending(from role: Role? = nil, inArchive: Bool = false) -> MethodRow {
    change(from: role, makesRoom: true, inArchive: inArchive)
  }
}
