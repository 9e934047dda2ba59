package import Domain

/// An object of a stream's state as JSON (protocol §6). Snapshots carry it and stores keep it.
///
/// The order of members is fixed, so equal objects have equal bytes.
package enum ObjectCodec {
  package static func encode(_ object: Object) -> [UInt8] {
    var writer = JSONWriter()
    write(object, to: &writer)
    return writer.bytes
  }

  /// Reads one object of a snapshot, a query or a store. Throws `.unknownObject` for a newer kind.
  package static func decode(_ node: JSONNode) throws(WireError) -> Object {
    let fields = try StoredFields(node)
    let word = try fields.string("t")
    guard let kind = ObjectKind(rawValue: word) else { throw .unknownObject(word) }
    switch kind {
    case .category: return .category(try Category(id: CategoryID(try fields.uuid("id")), fields))
    case .group: return .group(try Group(id: GroupID(try fields.uuid("id")), fields))
    case .groupCategory:
      return .groupCategory(GroupCategory(id: CategoryID(try fields.uuid("id"))))
    case .profile: return .profile(try Profile(id: UserID(try fields.uuid("id")), fields))
    case .member: return .member(try Member(id: UserID(try fields.uuid("id")), fields))
    case .post:
      let id = PostID(try fields.uuid("id"))
      return .post(try Post(id: id, version: try fields.int("version"), fields))
    case .invitation:
      return .invitation(try Invitation(id: InvitationID(try fields.uuid("id")), fields))
    case .invitationCode:
      return .invitationCode(
        try InvitationCode(id: InvitationID(try fields.uuid("id")), fields))
    case .membership: return .membership(try Membership(fields))
    case .readMark: return .readMark(try ReadMark(fields))
    case .declines: return .declines(try Declines(fields))
    case .block: return .block(try Block(user: UserID(try fields.uuid("id")), fields))
    case .notice: return .notice(try Notice(fields))
    case .personal:
      return .personal(try Personal(fields.address(PostID(fields.uuid("id"))), fields))
    case .settings:
      return .settings(try PersonalSettings(user: UserID(fields.uuid("id")), fields))
    case .reminder: return .reminder(try KeptReminder(PostID(fields.uuid("id")), fields))
    case .reactions: return .reactions(try Reactions(fields))
    case .line: return .line(try TalkLine(fields))
    case .comments: return .comments(try Comments(fields))
    case .link: return .link(try GuestLink(id: LinkID(try fields.uuid("id")), fields))
    case .tag: return .tag(try Tag(id: TagID(try fields.uuid("id")), fields))
    case .filter: return .filter(try Filter(id: FilterID(try fields.uuid("id")), fields))
    }
  }

  /// Reads a stored body in the same way.
  package static func decode(_ bytes: [UInt8]) throws(WireError) -> Object {
    try decode(document(bytes, limits: .message).root)
  }

  /// Encodes what was before an event. It is kept beside the event for undo and history, and never sent: an object per
  /// op, null where there was none, then the ids of the posts at the edge of the state, then the numbers of the lines
  /// of talk that left it, then the posts whose number of comments left it, then the trails of posts. In a post
  /// with left out fields `same` names them.
  package static func encode(_ before: Before) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for (index, object) in before.objects.enumerated() {
      if let object {
        write(object, leftOut: before.leftOut[index], to: &writer)
      } else {
        writer.null()
      }
    }
    for id in before.crossing { writer.string(id.description) }
    for line in before.droppedLines { writer.int(line) }
    if !before.droppedComments.isEmpty {
      writer.beginObject()
      writer.member("comments", before.droppedComments.map(\.uuid))
      writer.endObject()
    }
    for trail in before.trails {
      writer.beginObject()
      writer.member("post", trail.post.uuid)
      writer.member("lists", trail.lists.map(\.uuid))
      writer.endObject()
    }
    writer.endArray()
    return writer.bytes
  }

  /// The inverse of `encode(_ before:)`.
  package static func decode(before bytes: [UInt8]) throws(WireError) -> Before {
    guard let elements = try document(bytes, limits: .before).root.elements else {
      throw .malformed("")
    }
    var before = Before()
    for element in elements {
      if let text = element.string {
        guard let id = UUID(text) else { throw .malformed("") }
        before.crossing.append(PostID(id))
      } else if let line = element.int64 {
        before.droppedLines.append(line)
      } else if let posts = try droppedComments(element) {
        before.droppedComments = posts
      } else if let trail = try trail(element) {
        before.trails.append(trail)
      } else {
        if !element.isNull, let fields = try StoredFields(element).optionalInt("same") {
          before.leftOut[before.objects.count] = LeftOut(rawValue: fields)
        }
        before.objects.append(element.isNull ? nil : try decode(element))
      }
    }
    return before
  }

  /// Reads the posts whose number of comments left the state. Nil for anything else.
  private static func droppedComments(_ element: JSONNode) throws(WireError) -> [PostID]? {
    guard !element.isNull, case let fields = try StoredFields(element), fields.has("comments"),
      !fields.has("t")
    else { return nil }
    return try fields.uuids("comments").map(PostID.init)
  }

  /// Reads a trail. Nil for an object, which has a kind.
  private static func trail(_ element: JSONNode) throws(WireError) -> PostTrail? {
    guard !element.isNull, case let fields = try StoredFields(element), fields.has("lists"),
      !fields.has("t")
    else { return nil }
    return PostTrail(
      post: PostID(try fields.uuid("post")), lists: try fields.uuids("lists").map(CategoryID.init))
  }

  static func write(_ object: Object, leftOut: LeftOut? = nil, to writer: inout JSONWriter) {
    writer.beginObject()
    let key = object.key
    writer.member("t", key.kind.rawValue)
    if key.kind.row.name == .id { writer.member("id", key.id) }
    switch object {
    case .category(let it): it.writeFields(to: &writer)
    case .group(let it): it.writeFields(to: &writer)
    case .groupCategory: break
    case .profile(let it): it.writeFields(to: &writer)
    case .member(let it): it.writeFields(to: &writer)
    case .post(let it): it.writeFields(version: it.version, to: &writer)
    case .invitation(let it): it.writeFields(to: &writer)
    case .invitationCode(let it): it.writeFields(to: &writer)
    case .membership(let it): it.writeFields(to: &writer)
    case .readMark(let it): it.writeFields(to: &writer)
    case .declines(let it): it.writeFields(to: &writer)
    case .block(let it): it.writeFields(to: &writer)
    case .notice(let it): it.writeFields(to: &writer)
    case .personal(let it):
      writer.member("id", it.address.post.uuid)
      it.writeFields(to: &writer)
    case .settings(let it): it.writeFields(to: &writer)
    case .reminder(let it):
      writer.member("id", it.told.address.post.uuid)
      it.writeFields(to: &writer)
    case .reactions(let it): it.writeFields(to: &writer)
    case .line(let it): it.writeFields(to: &writer)
    case .comments(let it): it.writeFields(to: &writer)
    case .link(let it): it.writeFields(to: &writer)
    case .tag(let it): it.writeFields(to: &writer)
    case .filter(let it): it.writeFields(to: &writer)
    }
    if let leftOut { writer.member("same", leftOut.rawValue) }
    writer.endObject()
  }

  static func document(
    _ bytes: [UInt8], limits: JSONLimits
  ) throws(WireError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(bytes, limits: limits)
    } catch {
      throw .notJSON
    }
  }
}

extension JSONLimits {
  /// The limits for what was before an event. The ledger writes no event with more.
  static let before = JSONLimits(bytesMax: Limits.beforeBytesMax)
}
