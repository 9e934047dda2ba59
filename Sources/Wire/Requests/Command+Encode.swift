package import Domain

extension Command {
  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .registerAccount: .accountRegister
    case .recoverAccount: .accountRecover
    case .changePassword: .accountChangePassword
    case .closeSession: .sessionClose
    case .editProfile: .profileEdit
    case .addCategory: .categoryAdd
    case .editCategory: .categoryEdit
    case .removeCategory: .categoryRemove
    case .restoreCategory: .categoryRestore
    case .addPost: .postAdd
    case .editPost: .postEdit
    case .completePost: .postComplete
    case .reopenPost: .postReopen
    case .removePost: .postRemove
    case .restorePost: .postRestore
    case .erasePost: .postErase
    case .addGroup: .groupAdd
    case .editGroup: .groupEdit
    case .removeGroup: .groupRemove
    case .restoreGroup: .groupRestore
    case .sendInvitation: .invitationSend
    case .acceptInvitation: .invitationAccept
    case .declineInvitation: .invitationDecline
    case .revokeInvitation: .invitationRevoke
    case .leave: .memberLeave
    case .removeMember: .memberRemove
    case .setRole: .memberSetRole
    case .markRead: .notificationRead
    case .batch: .batch
    case .undo: .undo
    }
  }

  /// Members sorted by name; what is `sent` beside the command stands where it sorts, and is left out of
  /// what is hashed.
  func writeFields(_ sent: SentFields, to writer: inout JSONWriter) {
    let sorted = SortedFields(sent: sent)
    switch self {
    case .registerAccount, .recoverAccount, .changePassword:
      preconditionFailure("a request of its own, made from what the person typed")
    case .closeSession(let id): sorted.write(id: id.uuid, to: &writer)
    case .editProfile(let edit):
      sorted.write(location: edit.location, name: edit.name, zone: edit.zone, to: &writer)
    case .addCategory(let id, let name, let group, let history):
      sorted.write(
        group: group?.uuid, history: history == .all ? nil : history, id: id.uuid, name: name,
        to: &writer)
    case .editCategory(let id, let name, let history):
      sorted.write(history: history, id: id.uuid, name: name, to: &writer)
    case .removeCategory(let id): sorted.write(id: id.uuid, to: &writer)
    case .restoreCategory(let id): sorted.write(id: id.uuid, to: &writer)
    case .addPost(let category, let id, let title, let notes):
      sorted.write(
        category: category.uuid, id: id.uuid, notes: notes.isEmpty ? nil : notes, title: title,
        to: &writer)
    case .editPost(let category, let id, let edit, let version):
      sorted.write(
        category: category.uuid, id: id.uuid, ifVersion: version, notes: edit.notes,
        title: edit.title, to: &writer)
    case .completePost(let category, let id, let version),
      .reopenPost(let category, let id, let version),
      .removePost(let category, let id, let version),
      .restorePost(let category, let id, let version):
      sorted.write(category: category.uuid, id: id.uuid, ifVersion: version, to: &writer)
    case .erasePost(let category, let id):
      sorted.write(category: category.uuid, id: id.uuid, to: &writer)
    case .removeGroup(let id), .restoreGroup(let id): sorted.write(id: id.uuid, to: &writer)
    case .addGroup(let id, let name), .editGroup(let id, let name):
      sorted.write(id: id.uuid, name: name, to: &writer)
    case .sendInvitation(let id, let stream, let username, let role):
      sorted.write(
        id: id.uuid, role: role.word, stream: stream, username: username, to: &writer)
    case .acceptInvitation(let id), .declineInvitation(let id):
      sorted.write(id: id.uuid, to: &writer)
    case .revokeInvitation(let id, let stream):
      sorted.write(id: id.uuid, stream: stream, to: &writer)
    case .leave(let stream): sorted.write(stream: stream, to: &writer)
    case .removeMember(let stream, let user):
      sorted.write(stream: stream, user: user.uuid, to: &writer)
    case .setRole(let stream, let user, let role):
      sorted.write(role: role.word, stream: stream, user: user.uuid, to: &writer)
    case .markRead(let stream, let seq): sorted.write(seq: seq, stream: stream, to: &writer)
    case .batch(let commands): sorted.write(commands: commands, to: &writer)
    case .undo(let it):
      sorted.write(events: it.events, seen: it.seen, stream: it.stream, to: &writer)
    }
  }
}

/// What goes with a command and is not part of it. The hash covers neither: a repeat has the same key, and a
/// client whose copy has moved on since may say so without asking for something else.
struct SentFields {
  var key: CommandKey?
  var base: CommandBase?
}

/// Every member that a change can have, in sorted order, so that no command can get it wrong.
private struct SortedFields {
  let sent: SentFields

  func write(
    category: UUID? = nil, commands: [Command]? = nil, events: [Int64]? = nil, group: UUID? = nil,
    history: CategoryHistory? = nil, id: UUID? = nil, ifVersion: Int? = nil,
    location: String? = nil, name: String? = nil,
    notes: String? = nil, role: String? = nil, seen: String? = nil, seq: Int64? = nil,
    stream: StreamID? = nil, title: String? = nil, user: UUID? = nil,
    username: String? = nil, zone: String? = nil, to writer: inout JSONWriter
  ) {
    if let base = sent.base { writer.member("base", base) }
    writer.member("category", ifPresent: category)
    if let commands { writer.member("commands", commands) }
    if let events { writer.member("events", events) }
    writer.member("group", ifPresent: group)
    writer.member("history", ifPresent: history?.rawValue)
    writer.member("id", ifPresent: id)
    writer.member("ifVersion", ifPresent: ifVersion)
    writer.member("key", ifPresent: sent.key?.text)
    writer.member("location", ifPresent: location)
    writer.member("name", ifPresent: name)
    writer.member("notes", ifPresent: notes)
    writer.member("role", ifPresent: role)
    writer.member("seen", ifPresent: seen)
    writer.member("seq", ifPresent: seq)
    if let stream { writer.member("stream", stream) }
    writer.member("title", ifPresent: title)
    writer.member("user", ifPresent: user)
    writer.member("username", ifPresent: username)
    writer.member("zone", ifPresent: zone)
  }
}

extension JSONWriter {
  /// Each with its method and parameters, without a key.
  fileprivate mutating func member(_ name: String, _ commands: [Command]) {
    key(name)
    beginArray()
    for command in commands {
      beginObject()
      member("method", command.method.rawValue)
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
