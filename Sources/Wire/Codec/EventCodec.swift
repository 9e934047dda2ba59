package import Domain

/// An event's body as JSON (protocol §7). It is encoded once, and the same bytes go to the store and to every socket.
/// The number is not in it: the push that carries it says from which number it counts.
///
/// The order of members is fixed, so equal events have equal bytes.
package enum EventCodec {
  package static func encode(_ event: Event) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 512)
    writer.beginObject()
    writer.member("tx", event.transaction.uuid)
    writer.member("at", event.at)
    writer.member("by", ifPresent: event.by?.uuid)
    writer.member("key", ifPresent: event.key?.text)
    if !event.undoes.isEmpty { writer.member("undoes", event.undoes) }
    writer.key("ops")
    writer.beginArray()
    for op in event.ops { OpCodec.write(op, to: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }

  /// Reads a body. `seq` is its number in its stream. Ops of newer kinds become `.unknown`.
  package static func decode(_ node: JSONNode, seq: Int64) throws(WireError) -> Event {
    let fields = try StoredFields(node)
    var key: CommandKey?
    if let text = try fields.optionalString("key") {
      key = CommandKey(text)
      if key == nil { throw .malformed("key") }
    }
    var undoes: [Int64] = []
    if fields.has("undoes") {
      for element in try fields.elements("undoes") {
        guard let seq = element.int64 else { throw .malformed("undoes") }
        undoes.append(seq)
      }
    }
    var ops: [Op] = []
    for element in try fields.elements("ops") { ops.append(try OpCodec.decode(element)) }
    return Event(
      seq: seq, transaction: TransactionID(try fields.uuid("tx")), at: try fields.time("at"),
      by: try fields.optionalUUID("by").map(UserID.init), key: key,
      undoes: undoes, ops: ops)
  }

  /// Reads a stored body in the same way.
  package static func decode(_ bytes: [UInt8], seq: Int64) throws(WireError) -> Event {
    try decode(ObjectCodec.document(bytes, limits: .message).root, seq: seq)
  }
}
