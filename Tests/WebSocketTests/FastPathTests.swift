import TestRandom
import Testing
@testable import WebSocket

@Suite("A message is copied only when it has to be")
struct FastPathTests {
  private let masked: [UInt8] = [0x81, 0x83, 1, 2, 3, 4, 0x61 ^ 1, 0x62 ^ 2, 0x63 ^ 3]

  @Test("whole messages stay in the caller's buffer, unmasked in place")
  func inPlace() {
    var buffer = masked + masked
    var span = buffer.mutableSpan
    var connection = WebSocketConnection(role: .server, messageBytesMax: 100)
    var position = 0
    #expect(connection.next(in: &span, at: &position, end: 18) == .message(.text, 6..<9))
    #expect(position == 9)
    #expect(connection.next(in: &span, at: &position, end: 18) == .message(.text, 15..<18))
    #expect(connection.next(in: &span, at: &position, end: 18) == .needMore)
    #expect(Array(buffer[6..<9]) == Array("abc".utf8))
    #expect(!connection.isInsideMessage)
  }

  @Test("a message that ends a later piece is joined, the next one is not")
  func joined() {
    var buffer = masked + masked
    var span = buffer.mutableSpan
    var connection = WebSocketConnection(role: .server, messageBytesMax: 100)
    var position = 0
    #expect(connection.next(in: &span, at: &position, end: 8) == .needMore)
    #expect(connection.isInsideMessage)
    let step = connection.next(in: &span, at: &position, end: 18)
    #expect(step == .joinedMessage(.text, Array("abc".utf8)))
    #expect(connection.next(in: &span, at: &position, end: 18) == .message(.text, 15..<18))
  }

  @Test("a header cut in two does not cost the fast path")
  func cutHeader() {
    var first = Array(masked[..<4])
    var second = Array(masked[4...])
    var connection = WebSocketConnection(role: .server, messageBytesMax: 100)
    var position = 0
    var span = first.mutableSpan
    #expect(connection.next(in: &span, at: &position, end: 4) == .needMore)
    position = 0
    var later = second.mutableSpan
    #expect(connection.next(in: &later, at: &position, end: 5) == .message(.text, 2..<5))
  }

  @Test("a connection is small: ten thousand idle ones are two megabytes")
  func size() {
    #expect(MemoryLayout<WebSocketConnection>.stride <= 128)
    #expect(MemoryLayout<HTTPHeadReader>.stride <= 128)
  }
}

@Suite("RFC 6455 §5.3 masking")
struct MaskingTests {
  private func naive(_ bytes: [UInt8], _ key: UInt32) -> [UInt8] {
    bytes.enumerated().map { index, byte in
      byte ^ UInt8(truncatingIfNeeded: key >> UInt32(8 * (3 - index % 4)))
    }
  }

  @Test("every length up to 300 at every alignment, nothing beside it touched")
  func lengths() {
    var random = SeededRandom(seed: 53)
    for count in 0...300 {
      let start = count % 9
      let bits = UInt32.random(in: 0...UInt32.max, using: &random)
      let bytes = random.bytes(count + 20)
      var masked = bytes
      var span = masked.mutableSpan
      MaskKey(bits: bits).apply(to: &span, at: start..<(start + count))
      let middle = naive(Array(bytes[start..<(start + count)]), bits)
      #expect(masked == bytes[..<start] + middle + bytes[(start + count)...])
    }
  }

  @Test("in two parts as in one, cut anywhere", arguments: [0, 1, 7, 8, 127, 128, 129, 200])
  func advanced(_ count: Int) {
    let key = MaskKey(bits: 0x37FA_213D)
    let bytes = Array(repeating: UInt8(0), count: count)
    let whole = naive(bytes, key.bits)
    for cut in 0...count {
      var parts = bytes
      var span = parts.mutableSpan
      key.apply(to: &span, at: 0..<cut)
      key.advanced(by: cut).apply(to: &span, at: cut..<count)
      #expect(parts == whole)
    }
  }
}

@Suite("Frame headers, RFC 6455 §5.2")
struct FrameWriterTests {
  @Test(
    "their size",
    arguments: [
      (0, 2), (125, 2), (126, 4), (127, 4), (65_534, 4), (65_535, 4), (65_536, 10), (65_537, 10),
    ])
  func headerBytes(_ payloadBytes: Int, _ count: Int) {
    let payload = [UInt8](repeating: 0x61, count: payloadBytes)
    #expect(FrameWriter.headerBytes(payloadBytes: payloadBytes, isMasked: false) == count)
    #expect(FrameWriter.headerBytes(payloadBytes: payloadBytes, isMasked: true) == count + 4)
    let frame = FrameWriter.frame(.binary, payload.span)
    #expect(frame.count == count + payloadBytes)
    var masked: [UInt8] = [1, 2, 3]
    FrameWriter.append(.binary, payload.span, mask: MaskKey(bits: 5), to: &masked)
    #expect(masked.count == 3 + count + 4 + payloadBytes)
    #expect(events(of: [frame[...]], role: .client) == [.binary(payload)])
    #expect(events(of: [masked[3...]], role: .server) == [.binary(payload)])
  }
}

@Suite("RFC 4648 §10 base64")
struct Base64Tests {
  @Test(
    "the RFC's vectors",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func vectors(_ plain: String, _ encoded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == Array(encoded.utf8))
  }
}
