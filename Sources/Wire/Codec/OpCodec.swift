import Domain

// One op: `{"t":kind,"id":object?,"v":version?,"f":{fields}?,"counters":{…}?}`, members in this order. `id` is left out
// where the stream's head object is meant and where `f.stream` finds the object. `v` is there for posts. `f` is left out
// when it would be empty. A new op needs a case in its family (`Domain/Events`), its kind and its spelling in the
// family's codec here, a row in protocol §7 and in §16, a place in `protocol/schema/ops.json`, a vector, and a row in
// `protocol/vectors/state`.
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
    case .category(let op): op.write(to: &writer)
    case .post(let op): op.write(to: &writer)
    case .tag(let op): op.write(to: &writer)
    case .group(let op): op.write(to: &writer)
    case .member(let op): op.write(to: &writer)
    case .person(let op): op.write(to: &writer)
    case .invitation(let op): op.write(to: &writer)
    case .code(let op): op.write(to: &writer)
    case .reaction(let op): op.write(to: &writer)
    case .line(let op): op.write(to: &writer)
    case .link(let op): op.write(to: &writer)
    case .account(let op): op.write(to: &writer)
    case .membership(let op): op.write(to: &writer)
    case .block(let op): op.write(to: &writer)
    case .filter(let op): op.write(to: &writer)
    case .personal(let op): op.write(to: &writer)
    case .unknown: break
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
