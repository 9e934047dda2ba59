package import Domain

// Reads and writes personal things about a post, and settings. Each member is spelled alike in the object, in the op
// and in requests.

extension PersonalOp {
  package enum Kind: String, CaseIterable, Sendable {
    case edited = "personal.edited"
    case ended = "personal.ended"
    case moved = "personal.moved"
    case settings = "settings.edited"
    case fired = "reminder.fired"
    case kept = "reminder.kept"
    case keptEnded = "reminder.ended"
    case noticeEnded = "notification.ended"
    case digestReady = "digest.ready"
    case assignmentAdded = "assignment.added"
    case webhookPaused = "webhook.paused"
    case readMarked = "read.marked"
    case declinesCounted = "declines.counted"
  }

  package var kind: Kind {
    switch self {
    case .edited: .edited
    case .ended: .ended
    case .moved: .moved
    case .settings: .settings
    case .fired: .fired
    case .kept: .kept
    case .keptEnded: .keptEnded
    case .noticeEnded: .noticeEnded
    case .digestReady: .digestReady
    case .assignmentAdded: .assignmentAdded
    case .webhookPaused: .webhookPaused
    case .readMarked: .readMarked
    case .declinesCounted: .declinesCounted
    }
  }

  /// Nil when something was told of which nobody knew when this was written.
  init?(_ kind: Kind, _ op: StoredFields) throws(WireError) {
    let fields = try op.fields("f")
    switch kind {
    case .edited:
      self = .edited(
        try fields.address(PostID(op.uuid("id"))), try PersonalEdit(fields))
    case .ended:
      self = .ended(
        CategoryID(try fields.uuid("category")), try fields.uuids("posts").map(PostID.init))
    case .moved:
      self = .moved(
        PostID(try op.uuid("id")), from: CategoryID(try fields.uuid("category")),
        to: CategoryID(try fields.uuid("to")))
    case .settings: self = .settings(try SettingsEdit(fields))
    case .fired:
      guard let it = try Reminded(PostID(op.uuid("id")), fields) else { return nil }
      self = .fired(it)
    case .digestReady:
      guard let day = Day(try fields.string("day")) else { throw .malformed("day") }
      self = .digestReady(day)
    case .kept:
      guard let it = try Reminded(PostID(op.uuid("id")), fields) else { return nil }
      self = .kept(it)
    case .noticeEnded:
      self = .noticeEnded(seq: try fields.int64("seq"), opIndex: try fields.int("op"))
    case .keptEnded:
      self = .keptEnded(
        CategoryID(try fields.uuid("category")), try fields.uuids("posts").map(PostID.init))
    case .assignmentAdded:
      self = .assignmentAdded(try fields.stream("stream"), PostID(try fields.uuid("post")))
    case .webhookPaused:
      self = .webhookPaused(WebhookID(try op.uuid("id")), of: UserID(try fields.uuid("bot")))
    case .readMarked: self = .readMarked(try ReadMark(fields))
    case .declinesCounted: self = .declinesCounted(try Declines(fields))
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .edited(let address, let edit):
      writer.op(id: address.post.uuid) {
        $0.member("category", address.category.uuid)
        edit.writeFields(to: &$0)
      }
    case .ended(let category, let posts), .keptEnded(let category, let posts):
      writer.op(id: nil) {
        $0.member("category", category.uuid)
        $0.member("posts", posts.map(\.uuid))
      }
    case .moved(let post, let from, let to):
      writer.op(id: post.uuid) {
        $0.member("category", from.uuid)
        $0.member("to", to.uuid)
      }
    case .settings(let edit): writer.op(id: nil) { edit.writeFields(to: &$0) }
    case .fired(let it), .kept(let it):
      writer.op(id: it.address.post.uuid) { it.writeFields(to: &$0) }
    case .noticeEnded(let seq, let opIndex):
      writer.op(id: nil) {
        $0.member("seq", seq)
        $0.member("op", opIndex)
      }
    case .digestReady(let day): writer.op(id: nil) { $0.member("day", day.description) }
    case .assignmentAdded(let stream, let post):
      writer.op(id: nil) {
        $0.member("stream", stream)
        $0.member("post", post.uuid)
      }
    case .webhookPaused(let id, let bot):
      writer.op(id: id.uuid) { $0.member("bot", bot.uuid) }
    case .readMarked(let it): writer.op(id: nil) { it.writeFields(to: &$0) }
    case .declinesCounted(let it): writer.op(id: nil) { it.writeFields(to: &$0) }
    }
  }
}

extension StoredFields {
  /// Returns the address of a post with this id, in the list that the fields name.
  func address(_ post: PostID) throws(WireError) -> PostAddress {
    PostAddress(category: CategoryID(try uuid("category")), post: post)
  }
}

extension Personal {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("category", address.category.uuid)
    writer.member("seq", seq)
    PersonalEdit(from: Personal(address), to: self).writeFields(to: &writer)
  }

  init(_ address: PostAddress, _ fields: StoredFields) throws(WireError) {
    self.init(address)
    apply(try PersonalEdit(fields))
    seq = try fields.int64("seq")
  }
}

extension Reminded {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("category", address.category.uuid)
    writer.member("kind", kind.rawValue)
    writer.member("at", at)
  }

  /// Reads a reminder. Nil for a kind that this version does not know.
  init?(_ post: PostID, _ fields: StoredFields) throws(WireError) {
    guard let kind = ReminderKind(rawValue: try fields.string("kind")) else { return nil }
    self.init(address: try fields.address(post), kind: kind, at: try fields.time("at"))
  }
}

extension KeptReminder {
  func writeFields(to writer: inout JSONWriter) {
    told.writeFields(to: &writer)
    writer.member("told", toldAt)
    writer.member("seq", seq)
    writer.member("op", opIndex)
  }

  /// Reads a kept reminder. Throws for a kind that this version does not know, as for an object of an unknown kind: it
  /// is left out.
  init(_ post: PostID, _ fields: StoredFields) throws(WireError) {
    guard let told = try Reminded(post, fields) else { throw .unknownObject("reminder") }
    self.init(
      told, told: try fields.time("told"), seq: try fields.int64("seq"),
      opIndex: try fields.int("op"))
  }
}

extension PersonalEdit {
  /// Writes the fields that the edit sets. A field that goes is written as null or empty.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("plan", plan)
    if let reminders {
      writer.key("reminders")
      writer.beginArray()
      for reminder in reminders { reminder.write(to: &writer) }
      writer.endArray()
    }
    writer.member("snooze", snooze)
    writer.member("day", day)
    writer.member("note", ifPresent: note)
    if let watch { writer.member("watch", watch) }
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init()
    plan = try fields.change("plan")
    if fields.has("reminders") { reminders = try fields.reminders() }
    snooze = try fields.change("snooze")
    day = try fields.change("day")
    note = try fields.optionalString("note")
    if fields.has("watch") { watch = try fields.bool("watch") }
  }
}

extension PersonalSettings {
  func writeFields(to writer: inout JSONWriter) {
    SettingsEdit(from: PersonalSettings(user: user), to: self).writeFields(to: &writer)
  }

  init(user: UserID, _ fields: StoredFields) throws(WireError) {
    self.init(user: user)
    apply(try SettingsEdit(fields))
  }
}

extension SettingsEdit {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("reminders", reminders)
    writer.member("dueSoonHours", dueSoonHours)
    writer.member("defaultDue", defaultDue)
    writer.member("muted", muted)
    writer.member("digest", digest)
    writer.member("levels", unlessEmpty: levels)
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init()
    reminders = try fields.change("reminders")
    dueSoonHours = try fields.change("dueSoonHours")
    defaultDue = try fields.change("defaultDue")
    muted = try fields.change("muted")
    digest = try fields.change("digest")
    levels = try fields.levelChanges("levels")
  }
}
