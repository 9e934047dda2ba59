import Domain

// One op: `{"t":kind,"id":object?,"v":version?,"f":{fields}?,"counters":{…}?}`, members in this order.
// `id` is left out where the stream's head object is meant and where `f.stream` finds the object; `v`
// is there for posts; `f` is left out when it would be empty. A new op goes into `OpKind`, the switches
// here and in `OpCodec+Decode.swift`, protocol §7, `protocol/schema/event.json` and a vector.
enum OpCodec {
  static func write(_ op: Op, to writer: inout JSONWriter) {
    if case .unknown(_, let json) = op { return writer.raw(json) }
    guard let kind = OpKind(op) else { preconditionFailure("only unknown ops have no kind") }
    writer.beginObject()
    writer.member("t", kind.rawValue)
    writeContent(of: op, to: &writer)
    writer.endObject()
  }

  private static func writeContent(of op: Op, to writer: inout JSONWriter) {
    switch op {
    case .categoryAdded(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .categoryEdited(let edit): writer.op(id: nil) { edit.writeFields(to: &$0) }
    case .categoryRemoved(let stamp): writer.op(id: nil) { $0.member("removed", stamp) }
    case .categoryRestored, .categoryUnarchived, .groupRestored, .unknown: break
    case .postAdded, .postReopened, .postRestored, .postEdited, .postCompleted, .postRemoved,
      .postErased, .postPurged, .postMarked, .postOccurred, .postOverdue, .postMovedOut,
      .postImported, .postMovedIn:
      writePostContent(of: op, to: &writer)
    case .step(let id, let version, let op):
      writer.op(id: id.uuid, version: version) { $0.writeFields(of: op) }
    case .postMoved(let id, let version, let position):
      writer.op(id: id.uuid, version: version) { $0.member("position", ifPresent: position?.text) }
    case .tag(let op): writeContent(of: op, to: &writer)
    case .claim(let id, let op): op.write(of: id, to: &writer)
    case .groupAdded(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .groupEdited(let name): writer.op(id: nil) { $0.member("name", name) }
    case .groupRemoved(let stamp, let categories):
      writer.op(id: nil) {
        $0.member("removed", stamp)
        $0.member("categories", categories.map(\.uuid))
      }
    case .groupCategoryAdded(let id): writer.member("id", id.uuid)
    case .memberAdded(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .memberUpdated(let id, let name): writer.op(id: id.uuid) { $0.member("name", name) }
    case .memberGranted(let id, let grants): writer.op(id: id.uuid) { grants.writeFields(to: &$0) }
    case .memberRemoved(let id, let reason):
      writer.op(id: id.uuid) { $0.member("reason", reason.rawValue) }
    case .invitationSent(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .invitationAccepted(let id), .invitationDeclined(let id), .invitationRevoked(let id),
      .invitationExpired(let id), .invitationHeldBack(let id), .codeEnded(let id):
      writer.member("id", id.uuid)
    case .codeMade(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .codeUsed(let id, let used): writer.op(id: id.uuid) { $0.member("used", used) }
    case .link(let op): writer.link(op)
    case .accountRegistered, .upgraded, .profileEdited, .accountEnding, .accountKept,
      .personForgotten:
      writeAccountContent(of: op, to: &writer)
    case .membershipAdded, .membershipGranted, .roleChanged, .membershipRemoved, .membershipMoved:
      writer.op(id: nil) { writeMembershipFields(of: op, to: &$0) }
    case .assignmentAdded(let stream, let post):
      writer.op(id: nil) {
        $0.member("stream", stream)
        $0.member("post", post.uuid)
      }
    case .readMarked(let it): writer.op(id: nil) { it.writeFields(to: &$0) }
    case .declinesCounted(let it): writer.op(id: nil) { it.writeFields(to: &$0) }
    case .personBlocked(let it): writer.op(id: it.user.uuid) { it.writeFields(to: &$0) }
    case .personUnblocked(let id): writer.member("id", id.uuid)
    case .categoryArchived(let stamp): writer.op(id: nil) { $0.member("archived", stamp) }
    case .filterSaved(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .filterRemoved(let id): writer.member("id", id.uuid)
    case .personal(let op): op.write(to: &writer)
    }
  }

  private static func writeMembershipFields(of op: Op, to writer: inout JSONWriter) {
    switch op {
    case .membershipAdded(let it), .membershipGranted(let it), .roleChanged(let it):
      it.writeFields(to: &writer)
    case .membershipRemoved(let stream, let reason):
      writer.member("stream", stream)
      writer.member("reason", reason.rawValue)
    case .membershipMoved(let stream, let position):
      writer.member("stream", stream)
      writer.member("position", position.text)
    default: preconditionFailure("an op about a membership")
    }
  }

  private static func writeAccountContent(of op: Op, to writer: inout JSONWriter) {
    switch op {
    case .accountRegistered(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .upgraded(let id, let username, let name): writer.upgrade(of: id, to: username, name)
    case .profileEdited(let edit): writer.op(id: nil) { edit.writeFields(to: &$0) }
    case .accountEnding(let end): writer.op(id: nil) { $0.member("endsAt", end) }
    case .accountKept: break
    case .personForgotten(let id): writer.member("id", id.uuid)
    default: preconditionFailure("an op about an account")
    }
  }

  private static func writePostContent(of op: Op, to writer: inout JSONWriter) {
    switch op {
    case .postAdded(let post, let counters), .postReopened(let post, let counters),
      .postRestored(let post, let counters), .postMovedIn(let post, let counters):
      writer.op(id: post.id.uuid, version: post.version) {
        post.writeFields(version: nil, to: &$0)
      }
      writer.member("counters", counters)
    case .postEdited(let id, let version, let edit):
      writer.op(id: id.uuid, version: version) { edit.writeFields(to: &$0) }
    case .postCompleted(let id, let version, let stamp, let counters):
      writer.op(id: id.uuid, version: version) { $0.member("completed", stamp) }
      writer.member("counters", counters)
    case .postRemoved(let id, let version, let stamp, let counters),
      .postMovedOut(let id, let version, let stamp, let counters):
      writer.op(id: id.uuid, version: version) { $0.member("removed", stamp) }
      writer.member("counters", counters)
    case .postErased(let id, let version, let stamp):
      writer.op(id: id.uuid, version: version) { $0.member("erased", stamp) }
    case .postPurged(let id, let source):
      guard let source else { return writer.member("id", id.uuid) }
      writer.op(id: id.uuid) { $0.member("source", source) }
    case .postImported(let id, let version, let edit, let source):
      writer.op(id: id.uuid, version: version) {
        edit.writeFields(to: &$0)
        if let source { $0.member("source", source) }
      }
    case .postMarked(let id, let version, .returned):
      writer.member("id", id.uuid)
      writer.member("v", version)
    case .postMarked(let id, let version, let mark):
      writer.op(id: id.uuid, version: version) { mark.writeFields(to: &$0) }
    case .postOccurred(let id, let version, let news, let counters):
      writer.op(id: id.uuid, version: version) { news.writeFields(to: &$0) }
      writer.member("counters", counters)
    case .postOverdue(let id, let mark, let counters):
      if let overdue = mark.overdue {
        writer.op(id: id.uuid) { $0.member("overdue", overdue) }
      } else {
        writer.member("id", id.uuid)
      }
      writer.member("counters", counters)
    default: preconditionFailure("an op about posts")
    }
  }

  private static func writeContent(of op: TagOp, to writer: inout JSONWriter) {
    switch op {
    case .added(let tag), .restored(let tag):
      writer.op(id: tag.id.uuid) { tag.writeFields(to: &$0) }
    case .edited(let id, let edit):
      writer.op(id: id.uuid) {
        $0.member("name", ifPresent: edit.name)
        $0.member("color", edit.color)
      }
    case .removed(let id): writer.member("id", id.uuid)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func link(_ op: LinkOp) {
    switch op {
    case .made(let it): self.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .ended(let id): member("id", id.uuid)
    }
  }

  fileprivate mutating func upgrade(of user: UserID, to username: String, _ name: String) {
    op(id: user.uuid) {
      $0.member("username", username)
      $0.member("name", name)
    }
  }

  mutating func op(
    id: UUID?, version: Int? = nil, fields: (inout JSONWriter) -> Void
  ) {
    member("id", ifPresent: id)
    member("v", ifPresent: version)
    key("f")
    beginObject()
    fields(&self)
    endObject()
  }
}

extension CategoryEdit {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", ifPresent: name)
    writer.member("history", ifPresent: history?.rawValue)
    writer.member("zone", ifPresent: zone)
    writer.member("color", color)
  }
}

extension PostMark {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .tagged(let tag), .untagged(let tag): writer.member("tag", tag.uuid)
    case .assigned(let user), .unassigned(let user): writer.member("user", user.uuid)
    case .submitted(let stamp): writer.member("submitted", stamp)
    case .returned: break
    case .partCompleted(let user), .partReopened(let user): writer.member("user", user.uuid)
    }
  }
}

extension PostEdit {
  /// An emptied text is there and empty: it was changed.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("title", ifPresent: title)
    writer.member("notes", ifPresent: notes)
    for member in PostMember.all { member.writeEdit(self, &writer) }
  }
}

extension ProfileEdit {
  /// An emptied text is there and empty: it was changed.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", ifPresent: name)
    writer.member("location", ifPresent: location)
    writer.member("zone", ifPresent: zone)
    writer.member("invitedBy", ifPresent: invitedBy?.rawValue)
    writer.member("locale", ifPresent: locale)
  }
}

extension Grants {
  func writeFields(to writer: inout JSONWriter) {
    writer.member("grants", self)
    writer.member("role", ifPresent: role?.word)
  }
}
