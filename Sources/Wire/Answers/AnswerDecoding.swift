package import Domain

// Reads results as a client does. The node is that of `ServerMessage.result`, and the type belongs to the method that
// was asked. Unknown members are ignored.

extension CommandResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    self.init(
      changed: try fields.bool("changed"), events: try fields.positions("events"),
      number: try fields.optionalInt("number"), version: try fields.optionalInt("version"),
      code: try fields.optionalString("code"),
      parts: try fields.has("results") ? fields.parts("results") : [],
      skipped: try fields.has("skipped") ? fields.skips("skipped") : nil,
      imported: try fields.outcome())
    shows = try fields.optionalString("shows")
    token = try fields.optionalString("token")
    secret = try fields.optionalString("secret")
  }
}

extension HelloResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    let server = try fields.fields("server")
    let heartbeat = try fields.fields("heartbeat")
    let retry = try fields.fields("retry")
    var limits: [ToldLimit] = []
    for member in try fields.members("limits") {
      guard let value = member.value.int64 else { continue }
      limits.append(ToldLimit(name: member.name, value: Int(value)))
    }
    self.init(
      user: UserID(try fields.uuid("user")), session: SessionID(try fields.uuid("session")),
      time: try fields.time("time"),
      server: ServerName(name: try server.string("name"), version: try server.string("version")),
      heartbeat: Heartbeat(
        pingEveryMilliseconds: try heartbeat.int("pingEveryMs"),
        timeoutMilliseconds: try heartbeat.int("timeoutMs")),
      retry: RetryAdvice(
        minMilliseconds: try retry.int("minMs"), maxMilliseconds: try retry.int("maxMs"),
        factor: try retry.int("factor")),
      limits: limits, streams: try fields.statuses("streams"),
      omitted: try fields.optionalInt("omitted") ?? 0,
      link: try fields.has("link") ? LinkTold(fields.fields("link")) : nil,
      features: try fields.features())
  }
}

extension StoredFields {
  /// Reads the additions that the server grants. Those that this version does not know are left out.
  fileprivate func features() throws(WireError) -> [Feature] {
    guard has("features") else { return [] }
    return try elements("features").compactMap { $0.string.flatMap(Feature.init(rawValue:)) }
  }
}

extension StreamStatus {
  /// Reads the result of `sync.open`.
  package static func decodeOpenResult(_ node: JSONNode) throws(WireError) -> [StreamStatus] {
    try StoredFields(node).statuses("streams")
  }

  fileprivate init(_ fields: StoredFields) throws(WireError) {
    let mode = try fields.word("mode", StreamMode.init(rawValue:))
    self.init(
      stream: try fields.stream("stream"),
      epoch: mode == .gone ? nil : Epoch(try fields.string("epoch")),
      head: mode == .gone ? nil : try fields.int64("head"), mode: mode,
      reason: try fields.optionalString("reason").flatMap(SnapshotReason.init(rawValue:)))
  }
}

extension RegisterResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    self.init(
      changed: try fields.bool("changed"), user: UserID(try fields.uuid("user")),
      username: try fields.string("username"), recoveryCode: try fields.string("recoveryCode"),
      events: try fields.positions("events"))
  }
}

extension LoginResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    self.init(
      token: try fields.string("token"), user: UserID(try fields.uuid("user")),
      session: SessionID(try fields.uuid("session")),
      expiresAfterDays: try fields.int("expiresAfterDays"),
      username: try fields.optionalString("username"))
  }
}

extension PairingResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    self.init(
      code: try fields.string("code"), expiresAfterMilliseconds: try fields.int("expiresAfterMs"),
      tries: try fields.int("tries"))
  }
}

extension RecoverResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    self.init(
      changed: try fields.bool("changed"), recoveryCode: try fields.string("recoveryCode"))
  }
}

extension SessionLine {
  /// Reads the result of `session.list`.
  package static func decodeListResult(_ node: JSONNode) throws(WireError) -> [SessionLine] {
    var lines: [SessionLine] = []
    for element in try StoredFields(node).elements("sessions") {
      let fields = try StoredFields(element)
      lines.append(
        SessionLine(
          id: SessionID(try fields.uuid("id")), client: try fields.string("client"),
          openedAt: try fields.time("openedAt"), usedAt: try fields.time("usedAt"),
          current: try fields.bool("current")))
    }
    return lines
  }
}

extension Profile {
  /// Reads the result of `profile.get`.
  package init(decoding node: JSONNode) throws(WireError) {
    guard case .profile(let profile) = try ObjectCodec.decode(StoredFields(node).node("profile"))
    else { throw .malformed("profile") }
    self = profile
  }
}

extension PostsResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var posts: [Post] = []
    for element in try fields.elements("posts") {
      guard case .post(let post) = try ObjectCodec.decode(element) else {
        throw .malformed("posts")
      }
      posts.append(post)
    }
    self.init(posts: posts, before: try fields.optionalInt("before"))
  }
}

extension Category {
  /// Reads the result of `category.list`.
  package static func decodeListResult(_ node: JSONNode) throws(WireError) -> [Category] {
    var categories: [Category] = []
    for element in try StoredFields(node).elements("categories") {
      guard case .category(let category) = try ObjectCodec.decode(element) else {
        throw .malformed("categories")
      }
      categories.append(category)
    }
    return categories
  }
}

extension MemberLine {
  /// Reads the result of `member.list`.
  package static func decodeListResult(_ node: JSONNode) throws(WireError) -> [MemberLine] {
    var lines: [MemberLine] = []
    for element in try StoredFields(node).elements("members") {
      let fields = try StoredFields(element)
      lines.append(
        MemberLine(
          id: UserID(try fields.uuid("id")), username: try fields.string("username"),
          name: try fields.string("name"), kind: try fields.word("kind", UserKind.init(rawValue:)),
          role: try fields.optionalWord("role", Role.init(word:)), added: try fields.int("added"),
          completed: try fields.int("completed"), joinedSeq: try fields.int64("joinedSeq"),
          isGuest: try fields.has("guest") ? fields.bool("guest") : false))
    }
    return lines
  }
}

extension CodeLine {
  /// Reads the result of `invitation.codes`.
  package static func decodeListResult(_ node: JSONNode) throws(WireError) -> [CodeLine] {
    var lines: [CodeLine] = []
    for element in try StoredFields(node).elements("codes") {
      let fields = try StoredFields(element)
      let id = InvitationID(try fields.uuid("id"))
      lines.append(
        CodeLine(
          invitation: try InvitationCode(id: id, fields), code: try fields.string("code")))
    }
    return lines
  }
}

extension NotificationsResult {
  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    var lists: [UnreadList] = []
    for element in try fields.elements("lists") {
      let list = try StoredFields(element)
      let unread = try list.fields("unread")
      lists.append(
        UnreadList(
          stream: try list.stream("stream"), name: try list.string("name"),
          unread: Unread(count: try unread.int("count"), more: try unread.bool("more")),
          notifications: try list.notifications("notifications")))
    }
    self.init(
      lists: lists, directed: try fields.notifications("directed"),
      reminders: fields.optionalNode("reminders") == nil
        ? [] : try fields.notifications("reminders"),
      today: try fields.dayTotal("today"),
      more: fields.optionalNode("more") == nil ? false : try fields.bool("more"))
  }
}

extension StoredFields {
  fileprivate func members(_ name: String) throws(WireError) -> JSONMembers {
    guard let members = try node(name).members else { throw .malformed(name) }
    return members
  }

  fileprivate func positions(_ name: String) throws(WireError) -> [StreamPosition] {
    var positions: [StreamPosition] = []
    for element in try elements(name) {
      let fields = try StoredFields(element)
      positions.append(
        StreamPosition(stream: try fields.stream("stream"), seq: try fields.int64("seq")))
    }
    return positions
  }

  fileprivate func parts(_ name: String) throws(WireError) -> [CommandPart] {
    var parts: [CommandPart] = []
    for element in try elements(name) {
      let fields = try StoredFields(element)
      parts.append(
        CommandPart(
          changed: try fields.bool("changed"), number: try fields.optionalInt("number"),
          version: try fields.optionalInt("version"), imported: try fields.outcome()))
    }
    return parts
  }

  fileprivate func statuses(_ name: String) throws(WireError) -> [StreamStatus] {
    var statuses: [StreamStatus] = []
    for element in try elements(name) { statuses.append(try StreamStatus(StoredFields(element))) }
    return statuses
  }

  /// Reads notifications. Those of kinds that this version does not know are left out.
  fileprivate func notifications(_ name: String) throws(WireError) -> [Notification] {
    var notifications: [Notification] = []
    for element in try elements(name) {
      let fields = try StoredFields(element)
      guard let kind = Notification.Kind(rawValue: try fields.string("kind")) else { continue }
      notifications.append(
        Notification(
          kind: kind, stream: try fields.stream("stream"), seq: try fields.int64("seq"),
          opIndex: try fields.int("op"), at: try fields.time("at"),
          by: try fields.optionalUUID("by").map(UserID.init), about: try fields.stream("about"),
          post: try fields.optionalUUID("post").map(PostID.init),
          user: try fields.optionalUUID("user").map(UserID.init),
          sign: try fields.optionalString("sign"),
          line: try fields.optionalInt64("line")))
    }
    return notifications
  }
}
