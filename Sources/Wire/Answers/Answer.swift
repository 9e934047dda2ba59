package import Domain

/// Result answers as bytes (protocol §8): `{"jsonrpc":"2.0","id":…,"result":…}`, one function per shape.
package enum Answer {
  /// Returns the answer to every change that has no answer of its own.
  package static func command(_ id: RequestID, _ result: CommandResult) -> [UInt8] {
    envelope(id) { writer in
      writer.member("changed", result.changed)
      writer.member("events", result.events)
      writer.member("number", ifPresent: result.number)
      writer.member("version", ifPresent: result.version)
      writer.member("code", ifPresent: result.code)
      writer.member("shows", ifPresent: result.shows)
      writer.member("token", ifPresent: result.token)
      writer.member("secret", ifPresent: result.secret)
      if let skipped = result.skipped { writer.member("skipped", skipped) }
      if let imported = result.imported { writer.members(of: imported) }
      guard !result.parts.isEmpty else { return }
      writer.members("results", result.parts) { $0.writeFields(to: &$1) }
    }
  }

  package static func hello(_ id: RequestID, _ result: HelloResult) -> [UInt8] {
    envelope(id, capacity: 2048) { result.writeFields(to: &$0) }
  }

  package static func ping(_ id: RequestID, time: Timestamp) -> [UInt8] {
    envelope(id) { $0.member("time", time) }
  }

  package static func about(_ id: RequestID, _ about: ServerAbout) -> [UInt8] {
    envelope(id) { about.writeFields(to: &$0) }
  }

  /// Returns the answer to `sync.open`, with the streams in the order in which they were asked for.
  package static func open(_ id: RequestID, _ streams: [StreamStatus]) -> [UInt8] {
    envelope(id) { $0.member("streams", streams) }
  }

  /// Returns the answer to `sync.close` and `account.logout`.
  package static func done(_ id: RequestID) -> [UInt8] {
    envelope(id) { _ in }
  }

  package static func register(_ id: RequestID, _ result: RegisterResult) -> [UInt8] {
    envelope(id) { writer in
      writer.member("changed", result.changed)
      writer.member("user", result.user.uuid)
      writer.member("username", result.username)
      writer.member("recoveryCode", result.recoveryCode)
      writer.member("events", result.events)
    }
  }

  package static func login(_ id: RequestID, _ result: LoginResult) -> [UInt8] {
    envelope(id) { writer in
      writer.member("token", result.token)
      writer.member("user", result.user.uuid)
      writer.member("session", result.session.uuid)
      writer.member("expiresAfterDays", result.expiresAfterDays)
      writer.member("username", ifPresent: result.username)
    }
  }

  package static func pairing(_ id: RequestID, _ result: PairingResult) -> [UInt8] {
    envelope(id) { writer in
      writer.member("code", result.code)
      writer.member("expiresAfterMs", result.expiresAfterMilliseconds)
      writer.member("tries", result.tries)
    }
  }

  package static func recover(_ id: RequestID, _ result: RecoverResult) -> [UInt8] {
    envelope(id) { writer in
      writer.member("changed", result.changed)
      writer.member("recoveryCode", result.recoveryCode)
    }
  }

  package static func sessions(_ id: RequestID, _ lines: [SessionLine]) -> [UInt8] {
    envelope(id) { writer in
      writer.members("sessions", lines) { $0.writeFields(to: &$1) }
    }
  }

  package static func profile(_ id: RequestID, _ profile: Profile) -> [UInt8] {
    envelope(id) { writer in
      writer.key("profile")
      ObjectCodec.write(.profile(profile), to: &writer)
    }
  }

  /// Returns the answer to `post.list`. `bodies` are posts as `ObjectCodec` wrote them, newest number first. `before`
  /// is set when more follow.
  package static func posts(_ id: RequestID, bodies: [[UInt8]], before: Int?) -> [UInt8] {
    envelope(id, capacity: 256 + bodies.reduce(0) { $0 + $1.count + 1 }) { writer in
      writer.member("posts", raw: bodies)
      writer.member("before", ifPresent: before)
    }
  }

  /// Returns the answer to `category.list`. `bodies` are categories as `ObjectCodec` wrote them.
  package static func categories(_ id: RequestID, bodies: [[UInt8]]) -> [UInt8] {
    envelope(id) { $0.member("categories", raw: bodies) }
  }

  package static func members(_ id: RequestID, _ lines: [MemberLine]) -> [UInt8] {
    envelope(id) { writer in
      writer.members("members", lines) { $0.writeFields(to: &$1) }
    }
  }

  package static func codes(_ id: RequestID, _ lines: [CodeLine]) -> [UInt8] {
    envelope(id) { writer in
      writer.members("codes", lines) { $0.writeFields(to: &$1) }
    }
  }

  package static func links(_ id: RequestID, _ lines: [LinkLine]) -> [UInt8] {
    envelope(id) { writer in
      writer.members("links", lines) { $0.writeFields(to: &$1) }
    }
  }

  package static func notifications(_ id: RequestID, _ result: NotificationsResult) -> [UInt8] {
    envelope(id) { result.writeFields(to: &$0) }
  }

  package static func history(_ id: RequestID, _ answer: HistoryAnswer) -> [UInt8] {
    envelope(id) { answer.writeFields(to: &$0) }
  }

  package static func search(_ id: RequestID, _ result: SearchResult) -> [UInt8] {
    envelope(id, capacity: 4096) { result.writeFields(to: &$0) }
  }

  package static func view(_ id: RequestID, _ result: ViewResult) -> [UInt8] {
    envelope(id, capacity: 4096) { result.writeFields(to: &$0) }
  }

  package static func agenda(_ id: RequestID, _ result: AgendaResult) -> [UInt8] {
    envelope(id, capacity: 4096) { result.writeFields(to: &$0) }
  }

  package static func digest(_ id: RequestID, _ result: DigestResult) -> [UInt8] {
    envelope(id, capacity: 4096) { result.writeFields(to: &$0) }
  }

  package static func stats(_ id: RequestID, _ result: StatsResult) -> [UInt8] {
    envelope(id, capacity: 4096) { result.writeFields(to: &$0) }
  }

  package static func twins(_ id: RequestID, _ lines: [TwinLine]) -> [UInt8] {
    envelope(id) { writer in
      writer.members("twins", lines) { $0.writeFields(to: &$1) }
    }
  }

  package static func export(_ id: RequestID, _ page: ExportPage) -> [UInt8] {
    envelope(id, capacity: 256 + page.lines.reduce(0) { $0 + $1.count + 1 }) {
      page.writeFields(to: &$0)
    }
  }

  static func envelope(
    _ id: RequestID, capacity: Int = 256, result: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: capacity)
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    writer.member("id", id)
    writer.key("result")
    writer.beginObject()
    result(&writer)
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }
}
