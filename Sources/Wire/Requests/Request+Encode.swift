package import Domain

// Writes requests as bytes. One writer serves the client, which sends them, and the server, which hashes them. Members
// are sorted, texts are normalised, and absent members are left out, so equal requests have equal bytes however a
// client spelled them (protocol §10.2).

extension Request {
  /// Returns the request as a client sends it.
  package func encoded(id: RequestID) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    writer.member("id", id)
    write(for: .wire, to: &writer)
    writer.endObject()
    return writer.bytes
  }

  /// The bytes that the idempotency hash covers. Empty for requests that take no key.
  package var canonical: [UInt8] {
    switch self {
    case .hello, .ping, .about, .open, .close, .login, .logout, .query, .ephemeral: return []
    case .openPairing, .pair, .guest: return []
    case .register, .recover, .changePassword, .upgrade, .deleteAccount, .command: break
    }
    var writer = JSONWriter()
    writer.beginObject()
    write(for: .hash, to: &writer)
    writer.endObject()
    return writer.bytes
  }

  package var method: Method {
    switch self {
    case .hello: .connection(.hello)
    case .ping: .connection(.ping)
    case .about: .connection(.about)
    case .open: .connection(.open)
    case .close: .connection(.close)
    case .register: .signIn(.register)
    case .login: .signIn(.login)
    case .recover: .signIn(.recover)
    case .changePassword: .signIn(.changePassword)
    case .openPairing: .signIn(.openPairing)
    case .pair: .signIn(.pair)
    case .guest: .signIn(.guest)
    case .upgrade: .signIn(.upgrade)
    case .deleteAccount: .signIn(.delete)
    case .logout: .signIn(.logout)
    case .command(let command, _, _): command.method
    case .query(let query): query.method
    case .ephemeral(let request): request.method
    }
  }

  private func write(for purpose: RequestPurpose, to writer: inout JSONWriter) {
    writer.member("method", method.name)
    writer.key("params")
    writer.beginObject()
    switch self {
    case .ping, .about, .logout, .openPairing: break
    case .pair(let it): it.writeFields(to: &writer)
    case .guest(let it): it.writeFields(to: &writer)
    case .upgrade(let it): it.writeFields(for: purpose, to: &writer)
    case .hello(let it): it.writeFields(to: &writer)
    case .open(let cursors): writer.member("streams", cursors)
    case .close(let streams): writer.member("streams", streams)
    case .register(let it): it.writeFields(for: purpose, to: &writer)
    case .login(let it): it.writeFields(to: &writer)
    case .recover(let it): it.writeFields(for: purpose, to: &writer)
    case .changePassword(let it): it.writeFields(for: purpose, to: &writer)
    case .deleteAccount(let it): it.writeFields(for: purpose, to: &writer)
    case .command(let command, let key, let base):
      let sent = purpose == .wire ? SentFields(key: key, base: base) : SentFields()
      command.writeFields(sent, to: &writer)
    case .query(let query): query.writeFields(to: &writer)
    case .ephemeral(let request): request.writeFields(to: &writer)
    }
    writer.endObject()
  }
}

/// The purpose for which a request is written. `hash` leaves out secrets and the key.
enum RequestPurpose {
  case wire
  case hash
}

extension Hello {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("client", client)
    writer.key("cursors")
    writer.beginObject()
    for cursor in cursors {
      guard let position = cursor.position else { continue }
      writer.key(cursor.stream.description)
      writer.beginObject()
      position.writeFields(to: &writer)
      writer.endObject()
    }
    writer.endObject()
    if !features.isEmpty {
      writer.key("features")
      writer.beginArray()
      for feature in features { writer.string(feature) }
      writer.endArray()
    }
    writer.member("link", ifPresent: link)
    switch streams {
    case .all: writer.member("streams", "all")
    case .none: writer.member("streams", "none")
    case .only(let streams): writer.member("streams", streams)
    }
    if link == nil { writer.member("token", token) }
  }
}

extension CursorPosition {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("epoch", epoch.text)
    writer.member("seq", seq)
    writer.member("tx", ifPresent: transaction?.uuid)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ client: ClientName) {
    key(name)
    beginObject()
    member("name", client.name)
    member("version", client.version)
    endObject()
  }

  fileprivate mutating func member(_ name: String, _ streams: [StreamID]) {
    key(name)
    beginArray()
    for stream in streams { self.stream(stream) }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ cursors: [Cursor]) {
    members(name, cursors) { cursor, writer in
      writer.member("stream", cursor.stream)
      cursor.position?.writeFields(to: &writer)
    }
  }
}

extension RegisterRequest {
  fileprivate func writeFields(for purpose: RequestPurpose, to writer: inout JSONWriter) {
    if purpose == .wire { writer.member("code", ifPresent: code) }
    writer.member("id", id.uuid)
    // When it is missing it is a person: so a registration from before there was the word is still the same request.
    if kind != .person { writer.member("kind", kind.rawValue) }
    writer.member("name", name)
    if purpose == .wire { writer.member("password", password) }
    writer.member("username", username)
    writer.member("zone", zone)
  }
}

extension LoginRequest {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    if let client { writer.member("client", client) }
    writer.member("device", ifPresent: device)
    writer.member("password", password)
    writer.member("username", username)
  }
}

extension PairRequest {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    if let client { writer.member("client", client) }
    writer.member("code", code)
    writer.member("device", ifPresent: device)
  }
}

extension GuestRequest {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    if let client { writer.member("client", client) }
    writer.member("device", device)
    writer.member("id", id.uuid)
    writer.member("name", name)
    writer.member("zone", zone)
  }
}

extension UpgradeRequest {
  fileprivate func writeFields(for purpose: RequestPurpose, to writer: inout JSONWriter) {
    if purpose == .wire {
      writer.member("code", ifPresent: code)
      writer.member("key", key.text)
    }
    writer.member("name", name)
    if purpose == .wire { writer.member("password", password) }
    writer.member("username", username)
  }
}

extension RecoverRequest {
  fileprivate func writeFields(for purpose: RequestPurpose, to writer: inout JSONWriter) {
    if purpose == .wire {
      writer.member("code", code)
      writer.member("key", key.text)
      writer.member("password", password)
    }
    writer.member("username", username)
  }
}

extension DeleteAccountRequest {
  fileprivate func writeFields(for purpose: RequestPurpose, to writer: inout JSONWriter) {
    guard purpose == .wire else { return }
    writer.member("key", key.text)
    writer.member("password", ifPresent: password)
  }
}

extension ChangePasswordRequest {
  fileprivate func writeFields(for purpose: RequestPurpose, to writer: inout JSONWriter) {
    guard purpose == .wire else { return }
    writer.member("key", key.text)
    writer.member("new", new)
    writer.member("old", old)
  }
}

extension Query {
  fileprivate var method: Method {
    switch self {
    case .sessions: .query(.sessions)
    case .profile: .query(.profile)
    case .posts: .query(.posts)
    case .removedCategories, .badges: .query(.categories)
    case .members: .query(.members)
    case .codes: .query(.codes)
    case .links: .query(.links)
    case .notifications: .query(.notifications)
    case .history(let query): query.method
    case .search: .query(.search)
    case .view: .query(.view)
    case .agenda: .query(.agenda)
    case .twins: .query(.twins)
    case .digest: .query(.digest)
    case .stats: .query(.stats)
    case .export: .query(.export)
    }
  }

  fileprivate func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .sessions, .profile: break
    case .posts(let it):
      writer.member("before", ifPresent: it.before)
      writer.member("category", it.category.uuid)
      writer.member("limit", it.limit)
      writer.member("show", it.show.rawValue)
    case .removedCategories: writer.member("show", "removed")
    case .badges(let query): query.writeFields(to: &writer)
    case .members(let stream), .codes(let stream): writer.member("stream", stream)
    case .links(let category): writer.member("category", category.uuid)
    case .notifications(let limit): writer.member("limit", limit)
    case .history(let query): query.writeFields(to: &writer)
    case .search(let query): query.writeFields(to: &writer)
    case .view(let query): query.writeFields(to: &writer)
    case .agenda(let query): query.writeFields(to: &writer)
    case .twins(let query): query.writeFields(to: &writer)
    case .digest(let query): query.writeFields(to: &writer)
    case .stats(let query): query.writeFields(to: &writer)
    case .export(let place): writer.member("after", ifPresent: place?.text)
    }
  }
}
