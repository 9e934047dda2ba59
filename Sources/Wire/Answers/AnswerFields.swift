import Domain

// Writes each part of a result. `AnswerDecoding.swift` reads them back.

extension JSONWriter {
  mutating func member(_ name: String, _ id: RequestID) {
    key(name)
    switch id {
    case .number(let value): int(value)
    case .text(let value): string(value)
    }
  }

  /// Writes an array of objects.
  mutating func members<Element>(
    _ name: String, _ elements: [Element], fields: (Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements {
      beginObject()
      fields(element, &self)
      endObject()
    }
    endArray()
  }

  /// Writes an array of values that are JSON already.
  mutating func member(_ name: String, raw values: [[UInt8]]) {
    key(name)
    beginArray()
    for value in values { raw(value) }
    endArray()
  }

  mutating func member(_ name: String, _ positions: [StreamPosition]) {
    key(name)
    beginArray()
    for position in positions {
      beginObject()
      member("stream", position.stream)
      member("seq", position.seq)
      endObject()
    }
    endArray()
  }

  mutating func member(_ name: String, _ streams: [StreamStatus]) {
    members(name, streams) { status, writer in
      writer.member("stream", status.stream)
      writer.member("epoch", ifPresent: status.epoch?.text)
      writer.member("head", ifPresent: status.head)
      writer.member("mode", status.mode.rawValue)
      writer.member("reason", ifPresent: status.reason?.rawValue)
    }
  }
}

extension CommandPart {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("changed", changed)
    writer.member("number", ifPresent: number)
    writer.member("version", ifPresent: version)
    if let imported { writer.members(of: imported) }
  }
}

extension HelloResult {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("user", user.uuid)
    writer.member("session", session.uuid)
    writer.member("time", time)
    writer.key("server")
    writer.beginObject()
    writer.member("name", server.name)
    writer.member("version", server.version)
    writer.endObject()
    writer.key("heartbeat")
    writer.beginObject()
    writer.member("pingEveryMs", heartbeat.pingEveryMilliseconds)
    writer.member("timeoutMs", heartbeat.timeoutMilliseconds)
    writer.endObject()
    writer.key("retry")
    writer.beginObject()
    writer.member("minMs", retry.minMilliseconds)
    writer.member("maxMs", retry.maxMilliseconds)
    writer.member("factor", retry.factor)
    writer.endObject()
    writer.key("limits")
    writer.beginObject()
    for limit in limits { writer.member(limit.name, limit.value) }
    writer.endObject()
    writer.member("streams", streams)
    writer.member("omitted", ifPresent: omitted > 0 ? omitted : nil)
    if !features.isEmpty {
      writer.key("features")
      writer.array(features) { feature, writer in writer.string(feature.rawValue) }
    }
    guard let link else { return }
    writer.key("link")
    writer.beginObject()
    link.writeFields(to: &writer)
    writer.endObject()
  }
}

extension SessionLine {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("id", id.uuid)
    writer.member("client", client)
    writer.member("openedAt", openedAt)
    writer.member("usedAt", usedAt)
    writer.member("current", current)
  }
}

extension MemberLine {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("id", id.uuid)
    writer.member("username", username)
    writer.member("name", name)
    writer.member("kind", kind.rawValue)
    writer.member("role", ifPresent: role?.word)
    writer.member("added", added)
    writer.member("completed", completed)
    writer.member("joinedSeq", joinedSeq)
    if isGuest { writer.member("guest", true) }
  }
}

extension CodeLine {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("id", invitation.id.uuid)
    invitation.writeFields(to: &writer)
    writer.member("code", code)
  }
}

extension NotificationsResult {
  func writeFields(to writer: inout JSONWriter) {
    writer.members("lists", lists) { list, writer in
      writer.member("stream", list.stream)
      writer.member("name", list.name)
      writer.key("unread")
      writer.beginObject()
      writer.member("count", list.unread.count)
      writer.member("more", list.unread.more)
      writer.endObject()
      writer.members("notifications", list.notifications) { $0.writeFields(to: &$1) }
    }
    writer.members("directed", directed) { $0.writeFields(to: &$1) }
    if !reminders.isEmpty {
      writer.members("reminders", reminders) { $0.writeFields(to: &$1) }
    }
    writer.member("today", today)
    if more { writer.member("more", true) }
  }
}

extension Notification {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("kind", kind.rawValue)
    writer.member("stream", stream)
    writer.member("seq", seq)
    writer.member("op", opIndex)
    writer.member("at", at)
    writer.member("by", ifPresent: by?.uuid)
    writer.member("about", about)
    writer.member("post", ifPresent: post?.uuid)
    writer.member("user", ifPresent: user?.uuid)
    writer.member("sign", ifPresent: sign)
    writer.member("line", ifPresent: line)
  }
}
