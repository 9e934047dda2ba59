import Domain

// The parameters of the requests that sign in, or carry a secret, both ways. The idempotency hash covers no secret and
// no key, so these are added only for the wire.

extension RegisterRequest {
  init(_ params: Params) throws(Refusal) {
    let id = try params.read(.newUser)
    let username = try params.read(.newUsername)
    self.init(
      id: id, username: username, name: try params.optional(.shownName) ?? username,
      zone: try params.read(.shownZone, or: "UTC"), password: try params.read(.newPassword),
      code: try params.optional(.registrationCode), kind: try params.read(.kind, or: .person))
  }

  func add(to fields: inout SortedFields, for purpose: RequestPurpose) {
    fields.add(.newUser, id)
    fields.add(.newUsername, username)
    fields.add(.shownName, name)
    fields.add(.shownZone, zone)
    // When it is missing it is a person: so a registration from before there was the word is still the same request.
    fields.add(.kind, kind == .person ? nil : kind)
    guard purpose == .wire else { return }
    fields.add(.newPassword, password)
    fields.add(.registrationCode, code)
  }
}

extension LoginRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      username: try params.read(.ownUsername), password: try params.read(.password),
      client: try params.optional(.client), device: try params.optional(.loginDevice))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.ownUsername, username)
    fields.add(.password, password)
    fields.add(.client, client)
    fields.add(.loginDevice, device)
  }
}

extension PairRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      code: try params.read(.pairingCode), client: try params.optional(.client),
      device: try params.optional(.device))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.pairingCode, code)
    fields.add(.client, client)
    fields.add(.device, device)
  }
}

extension GuestRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      id: try params.read(.newUser), name: try params.read(.guestName, or: GuestRequest.name),
      zone: try params.read(.shownZone, or: "UTC"), device: try params.read(.device),
      client: try params.optional(.client))
  }

  func add(to fields: inout SortedFields) {
    fields.add(.newUser, id)
    fields.add(.guestName, name)
    fields.add(.shownZone, zone)
    fields.add(.device, device)
    fields.add(.client, client)
  }
}

extension UpgradeRequest {
  init(_ params: Params) throws(Refusal) {
    let username = try params.read(.newUsername)
    self.init(
      username: username, name: try params.optional(.shownName) ?? username,
      password: try params.read(.newPassword), code: try params.optional(.registrationCode),
      key: try params.read(.key))
  }

  func add(to fields: inout SortedFields, for purpose: RequestPurpose) {
    fields.add(.newUsername, username)
    fields.add(.shownName, name)
    guard purpose == .wire else { return }
    fields.add(.newPassword, password)
    fields.add(.registrationCode, code)
    fields.add(.key, key)
  }
}

extension RecoverRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      username: try params.read(.lockedOut), code: try params.read(.recoveryCode),
      password: try params.read(.newPassword), key: try params.read(.key))
  }

  func add(to fields: inout SortedFields, for purpose: RequestPurpose) {
    fields.add(.lockedOut, username)
    guard purpose == .wire else { return }
    fields.add(.recoveryCode, code)
    fields.add(.newPassword, password)
    fields.add(.key, key)
  }
}

extension DeleteAccountRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(password: try params.optional(.ownPassword), key: try params.read(.key))
  }

  func add(to fields: inout SortedFields, for purpose: RequestPurpose) {
    guard purpose == .wire else { return }
    fields.add(.ownPassword, password)
    fields.add(.key, key)
  }
}

extension ChangePasswordRequest {
  init(_ params: Params) throws(Refusal) {
    self.init(
      old: try params.read(.old), new: try params.read(.new), key: try params.read(.key))
  }

  func add(to fields: inout SortedFields, for purpose: RequestPurpose) {
    guard purpose == .wire else { return }
    fields.add(.old, old)
    fields.add(.new, new)
    fields.add(.key, key)
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<UserID> {
  fileprivate static var newUser: Self { Self("id", S(), "the id of the new account") }
}

extension Parameter where S == UsernameShape {
  fileprivate static var newUsername: Self { .username("the name by which others find the person") }
  fileprivate static var ownUsername: Self { .username("who signs in") }
  fileprivate static var lockedOut: Self { .username("who has lost the password") }
}

extension Parameter where S == LineShape {
  fileprivate static var shownName: Self {
    .name("the name that others see; without it the username")
  }

  fileprivate static var guestName: Self { .name("the name that others see") }
  fileprivate static var shownZone: Self { .zone("the zone of the person's days") }
}

extension Parameter where S == WordShape<UserKind> {
  fileprivate static var kind: Self {
    Self("kind", S(), "the kind of user, for the life of the account (§5.12)")
  }
}

extension Parameter where S == SecretShape {
  /// A password that is compared with the one that is there.
  private static func given(_ name: String, _ meaning: String) -> Self {
    Self(name, S(bytes: 0...Limits.passwordBytes.upperBound), meaning)
  }

  private static func chosen(_ name: String, _ meaning: String) -> Self {
    Self(name, S(bytes: Limits.passwordBytes), meaning)
  }

  private static func code(_ meaning: String) -> Self {
    Self("code", S(bytes: 1...RegisterRequest.codeBytesMax), meaning)
  }

  fileprivate static var password: Self { given("password", "the password of the account") }
  fileprivate static var ownPassword: Self {
    given("password", "the password of the account; everybody sends it but a guest, who has none")
  }

  fileprivate static var old: Self { given("old", "the present password") }
  fileprivate static var new: Self { chosen("new", "the new password") }
  fileprivate static var newPassword: Self { chosen("password", "the new password") }
  fileprivate static var recoveryCode: Self { code("the recovery code") }
  fileprivate static var registrationCode: Self {
    code("a code, where registration needs one (`server.about`)")
  }
  fileprivate static var pairingCode: Self {
    code("the code of `session.pair` (§3.4); case, hyphens and blanks do not matter")
  }

  private static func device(_ meaning: String) -> Self {
    Self("device", S(bytes: 16...Hello.tokenBytesMax), meaning)
  }

  fileprivate static var loginDevice: Self { device("a lasting secret of the device") }

  fileprivate static var device: Self {
    device("a lasting secret of the device, as in `account.login`")
  }
}

extension RegisterRequest {
  static let codeBytesMax = 64
}
