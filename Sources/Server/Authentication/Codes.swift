// Codes that people write down. All kinds are derived from the store's secret (Store/SecretFile.swift) by
// HMAC-SHA-256 (RFC 2104), so nothing has to be stored before they are used, a repeated request can be answered with
// the same code, and the operator's commands work beside a running server.
//
//   recovery      HMAC(secret, "recovery" ‖ user ‖ generation), the first 15 bytes: 120 bits
//   guest         HMAC(secret, "guest" ‖ id of the user), the first 6 bytes. It is no code, but the end of a guest's
//                 username: always the same for one id, and nobody knows it before
//   registration  id (8 random bytes) ‖ end (4 bytes, seconds) ‖ HMAC(secret, "registration" ‖ id ‖ end),
//                 the first 8 bytes. It is good until its end and once, which the ledger holds by the id
//   invitation    id of the category or group (16 bytes) ‖ HMAC(secret, "invitation" ‖ stream ‖ id of the
//                 invitation), the first 16 bytes. The state of the place says whether it is still good. The
//                 place stands in it so that it is found without a table; to know a place's id is no right
//   link          id of the category (16 bytes) ‖ HMAC(secret, "link" ‖ category ‖ id of the link), the first 16
//                 bytes. The state of the category says whether it still shows anything
//   token         HMAC(secret, "token" ‖ id of the bot ‖ id of the token), all 32 bytes, in base64url. A row beside the
//                 sessions holds its SHA-256; the row goes when the token is revoked
//   webhook       HMAC(secret, "webhook" ‖ id of the bot ‖ id of the webhook), all 32 bytes, as `whsec_` and base64
//                 (Standard Webhooks). The receiver checks signatures by it
//   ownership     letter and id of the place (17 bytes) ‖ id (8 random bytes) ‖ end (4 bytes, seconds) ‖
//                 HMAC(secret, "ownership" ‖ the bytes before ‖ user), the first 16 bytes. It is good for that
//                 user, until its end and once, which the ledger holds by the id

internal import Crypto
package import Domain
package import Store
package import Sync

/// The codes of one store.
package struct Codes: Sendable {
  private let secret: [UInt8]
  /// The secret of names and marks that stay when codes change.
  private let namesSecret: [UInt8]

  package init(_ secret: StoreSecret) {
    self.secret = secret.codes
    namesSecret = secret.names
  }

  /// Makes codes from one secret for both: 32 random bytes that never leave the server.
  package init(secret: [UInt8]) {
    self.secret = secret
    namesSecret = secret
  }

  // MARK: Recovery

  /// Returns the code that lets this user in without a password, as people read it.
  package func recovery(_ user: UUID, generation: Int) -> String {
    HumanCode.encode(recoveryBytes(user, generation))
  }

  /// Answers whether the text is that code.
  package func isRecovery(_ text: String, _ user: UUID, generation: Int) -> Bool {
    constantTimeEquals(HumanCode.decode(text) ?? [], recoveryBytes(user, generation))
  }

  private func recoveryBytes(_ user: UUID, _ generation: Int) -> [UInt8] {
    let message = Array("recovery".utf8) + user.bytes + bigEndian(UInt64(generation), count: 8)
    return Array(hmacSHA256(key: secret, message: message).prefix(15))
  }

  // MARK: Guests

  /// Returns the username of a guest until they give themselves one.
  package func guestName(_ user: UserID) -> String {
    let message = Array("guest".utf8) + user.uuid.bytes
    let bytes = Array(hmacSHA256(key: namesSecret, message: message).prefix(6))
    return NewGuest.usernamePrefix + HumanCode.encode(bytes).filter { $0 != "-" }.lowercased()
  }

  // MARK: Registration

  /// Returns a new registration code. `id` is 8 random bytes; `endsAt` is in seconds since 1970.
  package func registration(id: [UInt8], endsAt: UInt32) -> String {
    precondition(id.count == 8, "the id of a registration code has 8 bytes")
    let end = bigEndian(UInt64(endsAt), count: 4)
    return HumanCode.encode(id + end + registrationMAC(id, end))
  }

  /// Returns the id of a registration code that is still good, for the ledger to note it as spent. Nil for any other
  /// text.
  package func registrationID(_ text: String, nowSeconds: Int64) -> String? {
    guard let bytes = HumanCode.decode(text), bytes.count == 20 else { return nil }
    let (id, end) = (Array(bytes[..<8]), Array(bytes[8..<12]))
    guard constantTimeEquals(Array(bytes[12...]), registrationMAC(id, end)) else { return nil }
    let endsAt = end.reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return nowSeconds <= endsAt ? Hex.encode(id) : nil
  }

  private func registrationMAC(_ id: [UInt8], _ end: [UInt8]) -> [UInt8] {
    Array(hmacSHA256(key: secret, message: Array("registration".utf8) + id + end).prefix(8))
  }

  // MARK: Invitation

  /// The functions of codes, for the ledger and the readers.
  package var book: CodeBook {
    CodeBook(
      text: { invitation($0, to: $1) }, place: { Codes.place(of: $0) },
      isCode: { isInvitation($0, $1, to: $2) }, ownership: { ownership($0, of: $1) },
      linkText: { link($0, to: $1) }, isLink: { isLink($0, $1, to: $2) },
      mark: { usernameMark($0) }, token: { token($0, of: $1) },
      webhookSecret: { webhookSecret($0, of: $1) },
      tokenHash: { Codes.tokenHash($0) ?? [] })
  }

  /// Returns the code of an invitation into a category or a group.
  package func invitation(_ id: InvitationID, to stream: StreamID) -> String {
    HumanCode.encode(invitationBytes(id, stream))
  }

  /// Answers whether the text is that code.
  package func isInvitation(_ text: String, _ id: InvitationID, to stream: StreamID) -> Bool {
    constantTimeEquals(HumanCode.decode(text) ?? [], invitationBytes(id, stream))
  }

  /// Returns the id of the place that a text names. Nil when it has not the form of such a code.
  package static func place(of text: String) -> UUID? {
    guard let bytes = HumanCode.decode(text), bytes.count == 32 else { return nil }
    return UUID(bytes: Array(bytes[..<16]))
  }

  private func invitationBytes(_ id: InvitationID, _ stream: StreamID) -> [UInt8] {
    let message = Array("invitation\(stream)".utf8) + id.uuid.bytes
    return stream.uuid.bytes + hmacSHA256(key: secret, message: message).prefix(16)
  }

  // MARK: Links

  /// Returns the code of a link to a category. It has the form of an invitation's code, and is never the same as one.
  package func link(_ id: LinkID, to category: CategoryID) -> String {
    HumanCode.encode(linkBytes(id, category))
  }

  /// Answers whether the text is that code.
  package func isLink(_ text: String, _ id: LinkID, to category: CategoryID) -> Bool {
    constantTimeEquals(HumanCode.decode(text) ?? [], linkBytes(id, category))
  }

  private func linkBytes(_ id: LinkID, _ category: CategoryID) -> [UInt8] {
    let message = Array("link".utf8) + category.uuid.bytes + id.uuid.bytes
    return category.uuid.bytes + hmacSHA256(key: secret, message: message).prefix(16)
  }

  // MARK: Tokens

  /// Returns the text of a token. It has the form of a session's token.
  package func token(_ id: TokenID, of bot: UserID) -> String {
    let message = Array("token".utf8) + bot.uuid.bytes + id.uuid.bytes
    return Base64.encodeURL(hmacSHA256(key: secret, message: message))
  }

  /// Returns the hash that is kept of the text of a session's or bot's token. Nil for a text of another form.
  package static func tokenHash(_ text: String) -> [UInt8]? {
    Base64.decodeURL(text).map { sha256($0) }
  }

  // MARK: Webhooks

  /// Returns the secret of a webhook, as its receiver gets it.
  package func webhookSecret(_ id: WebhookID, of bot: UserID) -> String {
    "whsec_" + Base64.encode(webhookKey(id, of: bot))
  }

  /// Returns the bytes with which what a webhook sends is signed.
  package func webhookKey(_ id: WebhookID, of bot: UserID) -> [UInt8] {
    let message = Array("webhook".utf8) + bot.uuid.bytes + id.uuid.bytes
    return hmacSHA256(key: secret, message: message)
  }

  // MARK: Usernames

  /// Returns the mark that is kept of a username whose account has ended. Only with the secret and a guess can the name
  /// be found from it.
  package func usernameMark(_ username: String) -> String {
    "name " + Hex.encode(hmacSHA256(key: namesSecret, message: Array("username\(username)".utf8)))
  }

  // MARK: Ownership

  /// Returns a code that makes this person an owner of the place. `id` is 8 random bytes; `endsAt` is in seconds since
  /// 1970.
  package func ownership(
    of place: StreamID, for user: UserID, id: [UInt8], endsAt: UInt32
  ) -> String {
    precondition(id.count == 8, "the id of a code has 8 bytes")
    let head = [place.letter] + place.uuid.bytes + id + bigEndian(UInt64(endsAt), count: 4)
    return HumanCode.encode(head + ownershipMAC(head, user))
  }

  /// Returns what a text opens if it is such a code of this person. Nil for any other text.
  package func ownership(_ text: String, of user: UserID) -> CodeInHand.Opening? {
    guard let bytes = HumanCode.decode(text), bytes.count == 45 else { return nil }
    let head = Array(bytes[..<29])
    guard constantTimeEquals(Array(bytes[29...]), ownershipMAC(head, user)),
      let uuid = UUID(bytes: Array(head[1..<17])),
      let place = StreamID(letter: head[0], uuid: uuid)
    else { return nil }
    let seconds = head[25...].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    return .ownership(
      place, code: "owner " + Hex.encode(Array(head[17..<25])),
      endsAt: Timestamp(milliseconds: seconds * 1_000))
  }

  private func ownershipMAC(_ head: [UInt8], _ user: UserID) -> [UInt8] {
    let message = Array("ownership".utf8) + head + user.uuid.bytes
    return Array(hmacSHA256(key: secret, message: message).prefix(16))
  }

  private func bigEndian(_ value: UInt64, count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - $0))) }
  }
}
