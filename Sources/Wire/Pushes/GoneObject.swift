package import Domain

/// The name of an object that is no longer in the state: the members that tell it from all others (protocol §6).
package enum GoneObject: Equatable, Sendable {
  case id(ObjectKind, UUID)
  case stream(ObjectKind, StreamID)
  case post(ObjectKind, PostAddress)
  case notice(seq: Int64, opIndex: Int)

  /// Makes the name of the object with this key. Nil for one that is named by a stream or by the post of a list: its
  /// key does not say from which it was made.
  package init?(_ key: ObjectKey) {
    switch key.kind.row.name {
    case .id: self = .id(key.kind, key.id)
    case .place: self = .notice(seq: Int64(key.id.high), opIndex: Int(key.id.low))
    case .stream, .post: return nil
    }
  }

  package var key: ObjectKey {
    switch self {
    case .id(let kind, let id): ObjectKey(kind: kind, id: id)
    case .stream(let kind, let stream): ObjectKey(kind: kind, id: stream.uuid)
    case .post(.reminder, let address): address.reminderKey
    case .post(_, let address): address.personalKey
    case .notice(let seq, let opIndex): Notice.key(seq: seq, opIndex: opIndex)
    }
  }
}

extension GoneObject {
  /// The bytes of the longest name: that of a post in a list.
  static let bytesMax = 112

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("t", key.kind.rawValue)
    switch self {
    case .id(_, let id): writer.member("id", id)
    case .stream(_, let stream): writer.member("stream", stream)
    case .post(_, let address):
      writer.member("category", address.category.uuid)
      writer.member("id", address.post.uuid)
    case .notice(let seq, let opIndex):
      writer.member("seq", seq)
      writer.member("op", opIndex)
    }
    writer.endObject()
  }

  /// Reads a name. Nil for a kind that this version does not know.
  init?(_ fields: StoredFields) throws(WireError) {
    guard let kind = ObjectKind(rawValue: try fields.string("t")) else { return nil }
    switch kind.row.name {
    case .id: self = .id(kind, try fields.uuid("id"))
    case .stream: self = .stream(kind, try fields.stream("stream"))
    case .post:
      let category = CategoryID(try fields.uuid("category"))
      self = .post(kind, PostAddress(category: category, post: PostID(try fields.uuid("id"))))
    case .place: self = .notice(seq: try fields.int64("seq"), opIndex: try fields.int("op"))
    }
  }
}
