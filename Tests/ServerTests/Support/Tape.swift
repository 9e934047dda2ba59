import Deflate
import Foundation

/// The bytes that went one way through a connection, taken apart: a head of HTTP, then frames of RFC 6455 and RFC 7692.
struct Tape {
  struct Message {
    /// Whether the payload was compressed (RSV1).
    let isCompressed: Bool
    /// The text, after decompression.
    let text: String

    var bytes: Int { text.utf8.count }

    private var json: [String: Any] {
      let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
      return value as? [String: Any] ?? [:]
    }
    /// The method of a request or a push.
    var method: String? { json["method"] as? String }
    /// The id of a request or an answer.
    var id: Int? { json["id"] as? Int }
  }

  let head: String
  private(set) var messages: [Message] = []

  /// Takes the bytes apart. An unfinished message at the end is left out.
  init(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let end = text.range(of: "\r\n\r\n")?.upperBound ?? text.endIndex
    head = String(text[..<end])
    var rest = bytes[head.utf8.count...]
    let inflater = Inflater()
    while let (first, payload) = Tape.takeFrame(&rest) {
      guard first & 0x0F == 1 else {
        // Control frames are never compressed; nobody here sends binary messages or fragments.
        precondition(first & 0x40 == 0 && first & 0x08 != 0)
        continue
      }
      let isCompressed = first & 0x40 != 0
      let plain = isCompressed ? try inflater.inflate(payload.span, bytesMax: 1 << 24) : payload
      messages.append(
        Message(isCompressed: isCompressed, text: String(decoding: plain, as: UTF8.self)))
    }
  }

  private static func takeFrame(_ rest: inout ArraySlice<UInt8>) -> (UInt8, [UInt8])? {
    let bytes = Array(rest.prefix(14))
    guard bytes.count >= 2 else { return nil }
    let short = Int(bytes[1] & 0x7F)
    let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
    let isMasked = bytes[1] & 0x80 != 0
    let header = 2 + lengthBytes + (isMasked ? 4 : 0)
    guard bytes.count >= header else { return nil }
    let length =
      lengthBytes == 0 ? short : bytes[2..<2 + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
    guard rest.count >= header + length else { return nil }
    var payload = Array(rest.dropFirst(header).prefix(length))
    if isMasked {
      for index in payload.indices { payload[index] ^= bytes[header - 4 + index % 4] }
    }
    rest = rest.dropFirst(header + length)
    return (bytes[0], payload)
  }
}
