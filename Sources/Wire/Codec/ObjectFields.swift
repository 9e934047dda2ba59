import Domain

// The fields of each object. They are written and read both in the object of a snapshot and in the op that brings the
// whole object (protocol §6 and §7). `t`, `id` and, in ops, the version are not among them.

extension Category {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("group", ifPresent: group?.uuid)
    // When it is missing it is `all`, as in bytes that were stored before there was a choice.
    if history != .all { writer.member("history", history.rawValue) }
    writer.member("added", added)
    if let removed { writer.member("removed", removed) }
    writer.member("lastPost", lastPost)
    writer.member("counters", counters)
    // `UTC` is left out, as in bytes that were stored before there was a zone.
    if zone != Category.zoneOfOld { writer.member("zone", zone) }
    writer.member("color", ifPresent: color?.rawValue)
    if let archived { writer.member("archived", archived) }
    writer.member(talk)
  }

  init(id: CategoryID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, name: try fields.string("name"),
      group: try fields.optionalUUID("group").map(GroupID.init),
      history: try fields.optionalHistory() ?? .all,
      added: try fields.stamp("added"), removed: try fields.optionalStamp("removed"),
      lastPost: try fields.int("lastPost"), counters: try fields.counters("counters"))
    zone = try fields.optionalString("zone") ?? Category.zoneOfOld
    color = try fields.optionalWord("color", Color.init(rawValue:))
    archived = try fields.optionalStamp("archived")
    talk = try fields.optionalTalk() ?? .on
  }
}

extension Group {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("added", added)
    writer.member(talk)
    guard let removed else { return }
    writer.member("removed", removed)
    writer.member("removedCategories", removedCategories.map(\.uuid))
  }

  init(id: GroupID, _ fields: StoredFields) throws(WireError) {
    let removed = try fields.optionalStamp("removed")
    self.init(
      id: id, name: try fields.string("name"), added: try fields.stamp("added"), removed: removed,
      removedCategories: removed != nil && fields.has("removedCategories")
        ? try fields.uuids("removedCategories").map(CategoryID.init) : [])
    talk = try fields.optionalTalk() ?? .on
  }
}

extension Profile {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("username", username)
    writer.member("name", name)
    writer.member("location", unlessEmpty: location)
    writer.member("zone", zone)
    writer.member("kind", kind.rawValue)
    if isGuest { writer.member("guest", true) }
    // When it is missing it is `anybody`.
    if invitedBy != .anybody { writer.member("invitedBy", invitedBy.rawValue) }
    writer.member("locale", unlessEmpty: locale)
    writer.member("registeredAt", registeredAt)
    writer.member("endsAt", ifPresent: endsAt?.milliseconds)
    if let owner { writer.member("owner", owner.uuid) }
  }

  init(id: UserID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, username: try fields.string("username"), name: try fields.string("name"),
      location: try fields.optionalString("location") ?? "", zone: try fields.string("zone"),
      kind: try fields.word("kind", UserKind.init(rawValue:)),
      invitedBy: try fields.optionalWord("invitedBy", InvitedBy.init(rawValue:)) ?? .anybody,
      registeredAt: try fields.time("registeredAt"))
    locale = try fields.optionalString("locale") ?? ""
    isGuest = try fields.has("guest") ? fields.bool("guest") : false
    endsAt = try fields.has("endsAt") ? fields.time("endsAt") : nil
    owner = try fields.optionalUUID("owner").map(UserID.init)
  }
}

extension Member {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("username", username)
    writer.member("name", name)
    writer.member("kind", kind.rawValue)
    if isGuest { writer.member("guest", true) }
    writer.member("grants", grants)
    writer.member("role", ifPresent: role?.word)
    writer.member("joinedSeq", joinedSeq)
  }

  init(id: UserID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, username: try fields.string("username"), name: try fields.string("name"),
      kind: try fields.word("kind", UserKind.init(rawValue:)),
      grants: try fields.grants("grants"), joinedSeq: try fields.int64("joinedSeq"))
    isGuest = try fields.has("guest") ? fields.bool("guest") : false
  }
}

extension Post {
  /// Writes the fields. `version` is nil in an op, which has it as `v`.
  func writeFields(version: Int?, to writer: inout JSONWriter) {
    writer.member("number", number)
    writer.member("title", title)
    writer.member("notes", unlessEmpty: notes)
    if !steps.isEmpty { writer.member("steps", steps) }
    writer.member("position", ifPresent: position?.text)
    writer.member("came", ifPresent: came)
    writer.member("moved", ifPresent: moved)
    if let purged { writer.member("purged", purged) }
    writer.member("addedBy", addedBy.uuid)
    writer.member("createdAt", createdAt)
    writer.member("updatedAt", updatedAt)
    writer.member("version", ifPresent: version)
    if let completed { writer.member("completed", completed) }
    if let removed { writer.member("removed", removed) }
    if let erased { writer.member("erased", erased) }
    for member in PostMember.all { member.writePost(self, &writer) }
    if lastOccurrence > occurrence?.number ?? 0 { writer.member("lastOccurrence", lastOccurrence) }
    if let overdue { writer.member("overdue", overdue) }
    if !tags.isEmpty { writer.member("tags", tags.map(\.uuid)) }
    if !assignees.isEmpty { writer.member("assignees", assignees) }
    if let claim { writer.member("claim", claim) }
    if let run { writer.member("run", run) }
    if let lastRun { writer.member("lastRun", lastRun) }
    if let source { writer.member("source", source) }
    if let submitted { writer.member("submitted", submitted) }
    if !parts.isEmpty { writer.member("parts", parts) }
    guard contest != nil else { return }
    if !entries.isEmpty { writer.member("entries", entries) }
    if !shares.isEmpty { writer.member("shares", shares) }
  }

  init(id: PostID, version: Int, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, number: try fields.int("number"), title: try fields.string("title"),
      notes: try fields.optionalString("notes") ?? "", steps: try fields.steps(),
      addedBy: UserID(try fields.uuid("addedBy")), createdAt: try fields.time("createdAt"),
      updatedAt: try fields.time("updatedAt"), version: version,
      completed: try fields.optionalFields("completed").map(Completion.init),
      removed: try fields.optionalStamp("removed"), erased: try fields.optionalStamp("erased"))
    for member in PostMember.all { try member.readPost(fields, &self) }
    lastOccurrence = try fields.optionalInt("lastOccurrence") ?? lastOccurrence
    if fields.has("overdue") { overdue = try fields.time("overdue") }
    position = try fields.optionalPosition()
    if fields.has("came") { came = try fields.int64("came") }
    if fields.has("moved") { moved = try fields.int64("moved") }
    if fields.has("purged") { purged = try fields.time("purged") }
    if fields.has("assignees") {
      for element in try fields.elements("assignees") {
        assignees.append(try Assignment(StoredFields(element)))
      }
    }
    source = try fields.optionalFields("source").map(Source.init)
    claim = try fields.optionalFields("claim").map(PostClaim.init)
    run = try fields.optionalFields("run").map(PostRun.init)
    lastRun = try fields.optionalFields("lastRun").map(EndedRun.init)
    submitted = try fields.optionalStamp("submitted")
    if fields.has("parts") { parts = try fields.parts() }
    if fields.has("entries") { entries = try fields.entries() }
    if fields.has("shares") { shares = try fields.shares() }
    if fields.has("tags") { tags = try fields.uuids("tags").map(TagID.init) }
  }
}

extension Assignment {
  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(user: UserID(try fields.uuid("user")), seq: try fields.int64("seq"))
  }
}

extension Tag {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("color", ifPresent: color?.rawValue)
  }

  init(id: TagID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, name: try fields.string("name"),
      color: try fields.optionalWord("color", Color.init(rawValue:)))
  }
}

extension Completion {
  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      at: try fields.time("at"), by: UserID(try fields.uuid("by")), seq: try fields.int64("seq"))
  }
}

extension JSONWriter {
  /// Writes `talk`. When it is missing it is `on`, as in bytes that were stored before it could be off.
  fileprivate mutating func member(_ talk: TalkSetting) {
    if talk != .on { member("talk", talk.rawValue) }
  }

  fileprivate mutating func member(_ name: String, _ assignees: [Assignment]) {
    key(name)
    beginArray()
    for assignment in assignees {
      beginObject()
      member("user", assignment.user.uuid)
      member("seq", assignment.seq)
      endObject()
    }
    endArray()
  }

  mutating func member(_ name: String, _ completion: Completion) {
    key(name)
    beginObject()
    member("at", completion.at)
    member("by", completion.by.uuid)
    member("seq", completion.seq)
    endObject()
  }
}

extension Invitation {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("streamName", streamName)
    writer.member("user", user.uuid)
    writer.member("username", username)
    writer.member("role", role.word)
    writer.member("sent", sent)
    writer.member("senderUsername", senderUsername)
  }

  init(id: InvitationID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, stream: try fields.stream("stream"), streamName: try fields.string("streamName"),
      user: UserID(try fields.uuid("user")), username: try fields.string("username"),
      role: try fields.word("role", Role.init(word:)), sent: try fields.stamp("sent"),
      senderUsername: try fields.string("senderUsername"))
  }
}

extension InvitationCode {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("role", role.word)
    writer.member("uses", uses)
    writer.member("used", used)
    writer.member("made", made)
    writer.member("endsAt", endsAt)
  }

  init(id: InvitationID, _ fields: StoredFields) throws(WireError) {
    self.init(
      id: id, role: try fields.word("role", Role.init(word:)), uses: try fields.int("uses"),
      used: try fields.int("used"), made: try fields.stamp("made"),
      endsAt: try fields.time("endsAt"))
  }
}

extension Membership {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("role", role.word)
    writer.member("position", ifPresent: position?.text)
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      stream: try fields.stream("stream"), role: try fields.word("role", Role.init(word:)),
      position: try fields.optionalPosition())
  }
}

extension ReadMark {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("seq", seq)
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(stream: try fields.stream("stream"), seq: try fields.int64("seq"))
  }
}

extension Declines {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("times", times)
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(stream: try fields.stream("stream"), times: try fields.int("times"))
  }
}

extension Block {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("username", username)
    writer.member("at", at)
  }

  init(user: UserID, _ fields: StoredFields) throws(WireError) {
    self.init(
      user: user, username: try fields.string("username"), at: try fields.time("at"))
  }
}

extension Notice {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("kind", kind.rawValue)
    writer.member("seq", seq)
    writer.member("op", opIndex)
    writer.member("at", at)
    writer.member("by", ifPresent: by?.uuid)
    writer.member("stream", stream)
    writer.member("post", ifPresent: post?.uuid)
  }

  /// Reads a notice. Throws for a kind that this version does not know, as for an object of an unknown kind: it is left
  /// out.
  init(_ fields: StoredFields) throws(WireError) {
    guard let kind = Notice.Kind(rawValue: try fields.string("kind")) else {
      throw .unknownObject("notification")
    }
    self.init(
      kind: kind, seq: try fields.int64("seq"),
      opIndex: try fields.int("op"), at: try fields.time("at"),
      by: try fields.optionalUUID("by").map(UserID.init), stream: try fields.stream("stream"),
      post: try fields.optionalUUID("post").map(PostID.init))
  }
}
