/// A JSON text that was read and found good: grammar, UTF-8, no duplicate member, all within limits.
///
/// It holds the bytes and a tape of ranges (`JSONTape`). Values are made when they are asked for. Copies share one
/// store.
package struct JSONDocument: Sendable {
  /// The bytes and the tape. It is immutable and shared by the document and its nodes: one reference each.
  final class Store: Sendable {
    let bytes: [UInt8]
    let entries: [JSONTape.Entry]
    init(bytes: [UInt8], entries: [JSONTape.Entry]) {
      self.bytes = bytes
      self.entries = entries
    }
  }

  private let store: Store

  /// Reads a whole text in one pass (RFC 8259, with the stricter choices of I-JSON, RFC 7493).
  package init(_ bytes: [UInt8], limits: JSONLimits = .message) throws(JSONError) {
    let tape = try JSONTape(bytes.span, limits: limits)
    store = Store(bytes: bytes, entries: tape.entries)
  }

  /// The one value of the text.
  package var root: JSONNode { JSONNode(store: store, index: 0) }
}
