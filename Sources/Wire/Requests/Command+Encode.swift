import Domain

extension Command {
  /// Writes the members, sorted by name. Those that are `sent` beside the command stand where they sort; they are left
  /// out of the bytes that are hashed.
  func writeFields(_ sent: SentFields, to writer: inout JSONWriter) {
    var fields = SortedFields()
    add(to: &fields)
    // A code is a secret: it is written only together with a key, so never into the bytes that are hashed.
    if case .redeemCode(let code) = self, sent.key != nil { fields.add("code", code.text) }
    if let base = sent.base { fields.add("base") { $0.member("base", base) } }
    fields.add("key", sent.key?.text)
    fields.write(to: &writer)
  }

  private func add(to fields: inout SortedFields) {
    switch self {
    case .account(let command): command.add(to: &fields)
    case .link(let command): command.add(to: &fields)
    case .redeemCode: break
    case .addPost(let address, let new): new.add(to: &fields, at: address)
    case .changePost(let address, let change, let version):
      change.add(to: &fields, at: address)
      fields.add("ifVersion", version)
    case .addCategory(let id, let new):
      fields.add("id", id.uuid)
      new.add(to: &fields)
    case .editCategory(let id, let edit):
      fields.add("id", id.uuid)
      edit.add(to: &fields)
    case .removeCategory(let id), .restoreCategory(let id), .archiveCategory(let id),
      .unarchiveCategory(let id):
      fields.add("id", id.uuid)
    case .moveCategory(let id, let other): fields.add(id, before: other)
    case .importPost(let address, let item): item.add(to: &fields, at: address)
    case .claimNext(let category, let lease): fields.add(category, leaseMilliseconds: lease)
    case .changeTag(let category, let id, let change):
      fields.add("category", category.uuid)
      fields.add("id", id.uuid)
      change.add(to: &fields)
    case .removeGroup(let id), .restoreGroup(let id): fields.add("id", id.uuid)
    case .acceptInvitation(let id), .declineInvitation(let id): fields.add("id", id.uuid)
    case .addGroup(let id, let name), .editGroup(let id, let name):
      fields.add("id", id.uuid)
      fields.add("name", name)
    case .sendInvitation(let id, let stream, let username, let role):
      fields.add(id, to: stream)
      fields.add("username", username)
      fields.add("role", role.word)
    case .revokeInvitation(let id, let stream): fields.add(id, to: stream)
    case .makeCode(let id, let stream, let new):
      fields.add(id, to: stream)
      new.add(to: &fields)
    case .blockPerson(let username): fields.add("username", username)
    case .unblockPerson(let user): fields.add("user", user.uuid)
    case .changePersonal(let address, let change): change.add(to: &fields, at: address)
    case .editSettings(let edit): edit.add(to: &fields)
    case .leave(let stream, let successor): fields.add(stream, successor: successor)
    case .removeMember(let stream, let user): fields.add(user, in: stream)
    case .setRole(let stream, let user, let role):
      fields.add(user, in: stream)
      fields.add("role", role.word)
    case .markRead(let stream, let seq):
      fields.add("stream", stream)
      fields.add("seq", seq)
    case .saveFilter(let filter): filter.add(to: &fields)
    case .removeFilter(let id): fields.add("id", id.uuid)
    case .batch(let commands): fields.add("commands") { $0.member("commands", commands) }
    case .undo(let target): target.add(to: &fields)
    }
  }
}

extension NewCode {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("role", role.word)
    fields.add("uses", uses)
    fields.add("days", days)
  }
}

extension SortedFields {
  fileprivate mutating func add(_ category: CategoryID, before other: CategoryID?) {
    add("id", category.uuid)
    add("before", other?.uuid)
  }

  fileprivate mutating func add(_ invitation: InvitationID, to stream: StreamID) {
    add("id", invitation.uuid)
    add("stream", stream)
  }
}

/// The members that go with a command and are no part of it. The hash covers neither: a repeat has the same key, and a
/// client whose copy has moved on since may send another base without asking for something else.
struct SentFields {
  var key: CommandKey?
  var base: CommandBase?
}

extension NewCategory {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("name", name)
    fields.add("group", group?.uuid)
    fields.add("history", history == .all ? nil : history.rawValue)
    fields.add("zone", zone)
    fields.add("color", color?.rawValue)
  }
}

extension CategoryEdit {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("name", name)
    fields.add("history", history?.rawValue)
    fields.add("zone", zone)
    if color != .keep { fields.add("color") { [color] in $0.member("color", color) } }
  }
}

extension NewPost {
  fileprivate func add(to fields: inout SortedFields, at address: PostAddress) {
    fields.add(address)
    fields.add("title", title)
    fields.add("notes", notes.isEmpty ? nil : notes)
    for member in PostMember.all { member.addSorted(self.fields, &fields) }
  }
}

extension PostChange {
  fileprivate func add(to fields: inout SortedFields, at address: PostAddress) {
    fields.add(address)
    switch self {
    case .edit(let edit): fields.add(edit)
    case .step(let id, let change):
      fields.add("step", id.uuid)
      change.add(to: &fields)
    case .tag(let tag), .untag(let tag): fields.add("tag", tag.uuid)
    case .assign(let user), .unassign(let user): fields.add("user", user.uuid)
    case .occurrence(let name, let change):
      fields.add(name)
      switch change {
      case .edit(let edit): fields.add(edit)
      case .finish(let step): fields.add("step", step.uuid)
      case .completeForAll: fields.addForAll()
      case .complete, .skip, .remove: break
      }
    case .completeForAll: fields.addForAll()
    case .move(let upper, let lower):
      fields.add("after", upper?.uuid)
      fields.add("before", lower?.uuid)
    case .moveTo(let list): fields.add("to", list.uuid)
    case .copy(let id, let list, let days):
      fields.add("copy", id.uuid)
      fields.add("to", list.uuid)
      fields.add("days", days == 0 ? nil : days)
    case .claim(let lease): fields.add("leaseMs", lease)
    case .takeBack(let event): fields.add("event", event)
    case .complete, .reopen, .remove, .restore, .erase, .release: break
    }
  }
}

extension SortedFields {
  fileprivate mutating func add(_ name: OccurrenceName) {
    add("occurrence", name.number)
    guard let due = name.due else { return }
    add("occurrenceDue") { writer in
      writer.key("occurrenceDue")
      due.write(to: &writer)
    }
  }
}

extension StepChange {
  fileprivate func add(to fields: inout SortedFields) {
    switch self {
    case .add(let content), .edit(let content): fields.add("content", content)
    case .move(let next): fields.add("before", next?.uuid)
    case .remove, .complete, .reopen: break
    }
  }
}

extension TagChange {
  fileprivate func add(to fields: inout SortedFields) {
    switch self {
    case .add(let name, let color):
      fields.add("name", name)
      fields.add("color", color?.rawValue)
    case .edit(let edit):
      fields.add("name", edit.name)
      if edit.color != .keep { fields.add("color") { $0.member("color", edit.color) } }
    case .remove: break
    }
  }
}

extension UndoTarget {
  fileprivate func add(to fields: inout SortedFields) {
    fields.add("stream", stream)
    fields.add("seen", seen)
    fields.add("events") { [events] in $0.member("events", events) }
  }
}

extension ImportedPost {
  fileprivate func add(to fields: inout SortedFields, at address: PostAddress) {
    fields.add(address)
    add(to: &fields)
  }
}

extension SortedFields {
  fileprivate mutating func add(_ edit: PostEdit) {
    add("title", edit.title)
    add("notes", edit.notes)
    for member in PostMember.all { member.addSorted(edit, &self) }
  }

  /// Adds `forAll`. It is left out where it is false, so that the hashed bytes are those of a client that does not know
  /// the member.
  fileprivate mutating func addForAll() { add("forAll") { $0.member("forAll", true) } }

  fileprivate mutating func add(_ stream: StreamID, successor: UserID?) {
    add("stream", stream)
    add("successor", successor?.uuid)
  }

  fileprivate mutating func add(_ category: CategoryID, leaseMilliseconds: Int64) {
    add("category", category.uuid)
    add("leaseMs", leaseMilliseconds)
  }

  mutating func add(_ address: PostAddress) {
    add("category", address.category.uuid)
    add("id", address.post.uuid)
  }

  fileprivate mutating func add(_ user: UserID, in stream: StreamID) {
    add("stream", stream)
    add("user", user.uuid)
  }
}

extension JSONWriter {
  /// Writes commands, each with its method and parameters, without a key.
  fileprivate mutating func member(_ name: String, _ commands: [Command]) {
    key(name)
    beginArray()
    for command in commands {
      beginObject()
      member("method", command.method.name)
      key("params")
      beginObject()
      command.writeFields(SentFields(), to: &self)
      endObject()
      endObject()
    }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ base: CommandBase) {
    key(name)
    beginObject()
    member("epoch", base.epoch.text)
    member("seq", base.seq)
    endObject()
  }
}
