import Domain

// One op: `{"t":kind,"id":object?,"v":version?,"f":{fields}?,"counters":{…}?}`, members in this order. `id` is left
// out where the stream's head object is meant and where `f.stream` finds the object. `v` is there for posts. `f` is left
// out when it would be empty. A new op needs a case in its family (`Domain/Events`), its kind and its spelling in the
// family's codec here, a row in protocol §7, a place in `protocol/schema/event.json` and a vector.
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
    case .categoryRestored, .categoryUnarchived, .unknown: break
    case .postMarked(let id, let version, let mark):
      mark.write(of: id, version: version, to: &writer)
    case .postOverdue(let id, let mark, let counters):
      mark.write(of: id, to: &writer)
      writer.member("counters", counters)
    case .postAdded, .postReopened, .postRestored, .postEdited, .postCompleted, .postRemoved,
      .postErased, .postPurged, .postOccurred, .postMovedOut, .postImported, .postMovedIn:
      writePostContent(of: op, to: &writer)
    case .step(let id, let version, let op):
      writer.op(id: id.uuid, version: version) { $0.writeFields(of: op) }
    case .postMoved(let id, let version, let position):
      writer.op(id: id.uuid, version: version) { $0.member("position", ifPresent: position?.text) }
    case .tag(let op): op.write(to: &writer)
    case .claim(let id, let op): op.write(of: id, to: &writer)
    case .group(let op): op.write(to: &writer)
    case .member(let op): op.write(to: &writer)
    case .person(let op): op.write(to: &writer)
    case .invitation(let op): op.write(to: &writer)
    case .code(let op): op.write(to: &writer)
    case .link(let op): op.write(to: &writer)
    case .account(let op): op.write(to: &writer)
    case .membership(let op): op.write(to: &writer)
    case .assignmentAdded(let stream, let post):
      writer.op(id: nil) {
        $0.member("stream", stream)
        $0.member("post", post.uuid)
      }
    case .readMarked(let it): writer.op(id: nil) { it.writeFields(to: &$0) }
    case .declinesCounted(let it): writer.op(id: nil) { it.writeFields(to: &$0) }
    case .block(let op): op.write(to: &writer)
    case .categoryArchived(let stamp): writer.op(id: nil) { $0.member("archived", stamp) }
    case .filter(let op): op.write(to: &writer)
    case .personal(let op): op.write(to: &writer)
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
    case .postOccurred(let id, let version, let news, let counters):
      writer.op(id: id.uuid, version: version) { news.writeFields(to: &$0) }
      writer.member("counters", counters)
    default: preconditionFailure("an op about posts")
    }
  }
}

extension JSONWriter {
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

extension PostEdit {
  /// Writes the fields that the edit sets. A text that it empties is written as an empty one.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("title", ifPresent: title)
    writer.member("notes", ifPresent: notes)
    for member in PostMember.all { member.writeEdit(self, &writer) }
  }
}

extension ProfileEdit {
  /// Writes the fields that the edit sets. A text that it empties is written as an empty one.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", ifPresent: name)
    writer.member("location", ifPresent: location)
    writer.member("zone", ifPresent: zone)
    writer.member("invitedBy", ifPresent: invitedBy?.rawValue)
    writer.member("locale", ifPresent: locale)
  }
}
