// Invitation codes and link codes, for code that holds the store's secret: the codes are derived from it
// (Server/Authentication/Codes), and the rules of Domain know no secret. The ledger's turn looks up which invitation a
// given code opens before the command is decided. Readers write the codes for the people who may make them.

package import Domain
import Wire

/// The functions that make and recognize codes, made from a store's secret.
package struct CodeBook: Sendable {
  /// Returns the code of an invitation, as people read it.
  package let text: @Sendable (InvitationID, StreamID) -> String
  /// Returns the id of the category or group that a text of the form of a code names, or nil for any other text.
  package let place: @Sendable (String) -> UUID?
  /// Answers whether the text is the code of the invitation, however it is spelled. Takes constant time.
  package let isCode: @Sendable (String, InvitationID, StreamID) -> Bool
  /// Returns the opening of a code that the operator has made for this person, or nil for any other text.
  package let ownership: @Sendable (String, UserID) -> CodeInHand.Opening?
  /// Returns the code of a link.
  package let linkText: @Sendable (LinkID, CategoryID) -> String
  /// Answers whether the text is the code of the link. Takes constant time.
  package let isLink: @Sendable (String, LinkID, CategoryID) -> Bool
  /// Returns the text of a token of a bot.
  package let token: @Sendable (TokenID, UserID) -> String
  /// Returns the secret with which what a webhook sends is signed, as its receiver gets it.
  package let webhookSecret: @Sendable (WebhookID, UserID) -> String
  /// Returns the SHA-256 that is kept of a token's text.
  let tokenHash: @Sendable (String) -> [UInt8]
  /// Returns the mark by which a username that nobody may have again is known.
  package let mark: @Sendable (String) -> String

  package init(
    text: @escaping @Sendable (InvitationID, StreamID) -> String,
    place: @escaping @Sendable (String) -> UUID?,
    isCode: @escaping @Sendable (String, InvitationID, StreamID) -> Bool,
    ownership: @escaping @Sendable (String, UserID) -> CodeInHand.Opening? = { _, _ in nil },
    linkText: @escaping @Sendable (LinkID, CategoryID) -> String = { _, _ in "" },
    isLink: @escaping @Sendable (String, LinkID, CategoryID) -> Bool = { _, _, _ in false },
    mark: @escaping @Sendable (String) -> String = { "name \($0)" },
    token: @escaping @Sendable (TokenID, UserID) -> String = { "\($0) \($1)" },
    webhookSecret: @escaping @Sendable (WebhookID, UserID) -> String = { "\($0) \($1)" },
    tokenHash: @escaping @Sendable (String) -> [UInt8] = { Array($0.utf8) }
  ) {
    self.token = token
    self.webhookSecret = webhookSecret
    self.tokenHash = tokenHash
    self.linkText = linkText
    self.isLink = isLink
    self.text = text
    self.place = place
    self.isCode = isCode
    self.ownership = ownership
    self.mark = mark
  }

  /// The book of a store without a secret, in which no text is a code.
  package static let none = CodeBook(
    text: { _, _ in "" }, place: { _ in nil }, isCode: { _, _, _ in false })

  /// Adds to the answer of a piece of work the code that it made. A repeat gets the code again, and it is kept nowhere.
  package func completed(_ result: CommandResult, of work: LedgerWork) -> CommandResult {
    guard case .command(let it) = work else { return result }
    var result = result
    switch it.command {
    case .invitation(.makeCode(let id, let stream, _)): result.code = text(id, stream)
    case .link(.make(let id, let category, _)):
      result.code = linkText(id, category)
      result.shows = GuestLink.shows
    case .bot(.addToken(let bot, let id, _)): result.token = token(id, bot)
    case .bot(.addWebhook(let bot, let id, _)): result.secret = webhookSecret(id, bot)
    default: break
    }
    return result
  }

  /// Returns the wish for a token with what is kept of its text. The session has an id that nobody can choose.
  package func making(_ new: NewToken, _ id: TokenID, of bot: UserID) -> NewToken {
    var new = new
    let hash = tokenHash(token(id, bot))
    let bytes = Array((hash + [UInt8](repeating: 0, count: 16)).prefix(16))
    new.made = UUID(bytes: bytes).map { NewToken.Made(session: SessionID($0), hash: hash) }
    return new
  }

  /// Returns the link that a text is the code of, or nil when the text is the code of no kept link.
  func link(
    of text: String, in store: any EventStore
  ) throws(StoreError) -> (GuestLink, CategoryID)? {
    guard let place = place(text) else { return nil }
    let category = CategoryID(place)
    for body in try store.objects(.link, in: .category(category)) {
      guard case .link(let it) = try store.decodedObject(body), isLink(text, it.id, category) else {
        continue
      }
      return (it, category)
    }
    return nil
  }

  /// Returns the opening of a code, or nil when it is the code of no invitation that is kept. A code that was made in
  /// the batch that is being written is known to nobody yet.
  func opening(
    of text: String, by user: UserID, in store: any EventStore
  ) throws(StoreError) -> CodeInHand.Opening? {
    if let ownership = ownership(text, user) { return ownership }
    guard let place = place(text) else { return nil }
    for stream in [StreamID.category(CategoryID(place)), .group(GroupID(place))] {
      for body in try store.objects(.invitationCode, in: stream) {
        guard case .invitationCode(let it) = try store.decodedObject(body) else { continue }
        if isCode(text, it.id, stream) { return .invitation(it.id, stream) }
      }
    }
    return nil
  }
}
