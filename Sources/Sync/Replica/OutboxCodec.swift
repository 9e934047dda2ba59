// An outbox as lines of a file, one record in each:
//   {"queued":7,"at":1790000000000,"base":{"epoch":…,"seq":14,"tx":…},"follows":6,"seenNotes":…,"request":{…}}
//   {"settled":7,"version":3}      {"discarded":7}
//   {"refused":{"jsonrpc":"2.0","id":7,"error":{…}}}
// `request` is the message as it is sent (protocol §8), with its key but without `base`, which has a `tx` here. `error`
// is as it came (protocol §11). A record that this version does not know counts as a line that cannot be read.

import Domain
import Wire

package enum OutboxCodec {
  package static func encode(_ record: OutboxRecord) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    switch record {
    case .queued(let queued): write(queued, to: &writer)
    case .settled(let number, let version):
      writer.key("settled")
      writer.int(number)
      if let version {
        writer.key("version")
        writer.int(version)
      }
    case .refused(let number, let error):
      writer.key("refused")
      write(error, of: number, to: &writer)
    case .discarded(let number):
      writer.key("discarded")
      writer.int(number)
    }
    writer.endObject()
    return writer.bytes
  }

  /// Reads a record; nil when it cannot be read.
  package static func decode(_ bytes: [UInt8]) -> OutboxRecord? {
    do throws(JSONError) {
      let node = try JSONDocument(bytes, limits: limits).root
      if let number = node["queued"]?.int64 { return queued(number, node).map { .queued($0) } }
      if let number = node["settled"]?.int64 {
        return .settled(number, version: node["version"]?.int64.map { Int($0) })
      }
      if let number = node["discarded"]?.int64 { return .discarded(number) }
      return node["refused"].flatMap { refused($0) }
    } catch {
      return nil
    }
  }

  /// The limits of a line: a request, the notes that were seen, and a little more.
  private static let limits = JSONLimits(bytesMax: 4 * Limits.messageBytesMax)

  private static func write(_ queued: QueuedCommand, to writer: inout JSONWriter) {
    writer.key("queued")
    writer.int(queued.number)
    writer.key("at")
    writer.int(queued.at.milliseconds)
    if let base = queued.base {
      writer.key("base")
      writer.beginObject()
      CursorCodec.writeMembers(base, to: &writer)
      writer.endObject()
    }
    if let follows = queued.follows {
      writer.key("follows")
      writer.int(follows)
    }
    if let notes = queued.seenNotes {
      writer.key("seenNotes")
      writer.string(notes)
    }
    writer.key("request")
    let request = Request.command(queued.command, key: queued.key)
    writer.raw(request.encoded(id: .number(queued.number)))
  }

  private static func queued(_ number: Int64, _ node: JSONNode) -> QueuedCommand? {
    guard let at = node["at"]?.int64, let message = node["request"]?.rawBytes else { return nil }
    do throws(RequestError) {
      let request = try RequestEnvelope(decoding: Array(message), origin: .kept).request
      guard case .command(let command, let key, base: _) = request else { return nil }
      return QueuedCommand(
        number: number, command: command, key: key, at: Timestamp(milliseconds: at),
        base: node["base"].flatMap { CursorCodec.decode($0) },
        seenNotes: node["seenNotes"]?.string, follows: node["follows"]?.int64)
    } catch {
      return nil
    }
  }

  private static func write(_ error: ServerError, of number: Int64, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("jsonrpc", "2.0")
    writer.member("id", number)
    writer.key("error")
    writer.beginObject()
    writer.member("code", Int64(error.code))
    writer.member("message", error.sentence)
    writer.key("data")
    writer.beginObject()
    if let kind = error.kind { writer.member("kind", kind.rawValue) }
    writer.member("retry", error.retry.rawValue)
    if let field = error.field { writer.member("field", field) }
    if let place = error.place { writer.member("at", Int64(place)) }
    if let limit = error.limit { writer.member("limit", limit) }
    if let max = error.max { writer.member("max", Int64(max)) }
    if let version = error.version { writer.member("version", Int64(version)) }
    if let object = error.object {
      writer.key("object")
      writer.raw(ObjectCodec.encode(object))
    }
    if let after = error.afterMilliseconds { writer.member("afterMs", Int64(after)) }
    writer.endObject()
    writer.endObject()
    writer.endObject()
  }

  private static func refused(_ node: JSONNode) -> OutboxRecord? {
    do throws(WireError) {
      guard
        case .error(.number(let number)?, let error) = try ServerMessage(
          decoding: Array(node.rawBytes))
      else { return nil }
      return .refused(number, error)
    } catch {
      return nil
    }
  }
}

/// The members `epoch`, `seq`, `tx` of a cursor (protocol §5.2).
enum CursorCodec {
  static func writeMembers(_ cursor: CursorPosition, to writer: inout JSONWriter) {
    writer.member("epoch", cursor.epoch.text)
    writer.member("seq", cursor.seq)
    if let transaction = cursor.transaction {
      writer.key("tx")
      writer.uuid(transaction.uuid)
    }
  }

  static func decode(_ node: JSONNode) -> CursorPosition? {
    guard let epoch = node["epoch"]?.string, let seq = node["seq"]?.int64 else { return nil }
    return CursorPosition(
      epoch: Epoch(epoch), seq: seq, transaction: node["tx"]?.uuid.map { TransactionID($0) })
  }
}
