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
    var fields = SortedFields()
    add(to: &fields, for: purpose)
    fields.write(to: &writer)
    writer.endObject()
  }

  private func add(to fields: inout SortedFields, for purpose: RequestPurpose) {
    switch self {
    case .ping, .about, .logout, .openPairing: break
    case .hello(let it): it.add(to: &fields)
    case .open(let cursors): fields.add(.opened, cursors)
    case .close(let streams): fields.add(.closed, streams)
    case .register(let it): it.add(to: &fields, for: purpose)
    case .login(let it): it.add(to: &fields)
    case .recover(let it): it.add(to: &fields, for: purpose)
    case .changePassword(let it): it.add(to: &fields, for: purpose)
    case .pair(let it): it.add(to: &fields)
    case .guest(let it): it.add(to: &fields)
    case .upgrade(let it): it.add(to: &fields, for: purpose)
    case .deleteAccount(let it): it.add(to: &fields, for: purpose)
    case .command(let command, let key, let base):
      let sent = purpose == .wire ? SentFields(key: key, base: base) : SentFields()
      command.add(to: &fields, with: sent)
    case .query(let query): query.add(to: &fields)
    case .ephemeral(let request): request.add(to: &fields)
    }
  }
}

/// The purpose for which a request is written. `hash` leaves out secrets and the key.
enum RequestPurpose {
  case wire
  case hash
}
