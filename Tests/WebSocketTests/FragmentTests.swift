import Testing
import WebSocket

private let mask = MaskKey(bits: 0x0102_0304)
private let free = WebSocketConnection.fragmentsFree
private let each = WebSocketConnection.fragmentBytes

private func frame(_ opcode: Opcode, _ count: Int, isFinal: Bool = false) -> [UInt8] {
  var output: [UInt8] = []
  FrameWriter.append(
    opcode, [UInt8](repeating: 0x61, count: count).span, isFinal: isFinal, mask: mask, to: &output)
  return output
}

private func continuations(_ number: Int, of count: Int) -> [UInt8] {
  [[UInt8]](repeating: frame(.continuation, count), count: number).flatMap(\.self)
}

@Suite("A message's fragments are bounded (RFC 6455 §10.4)")
struct FragmentTests {
  private func seen(_ stream: [UInt8]) -> [Seen] {
    var server = WebSocketConnection(role: .server, messageBytesMax: 1 << 20)
    return feed(stream[...], to: &server)
  }

  @Test("empty ones: at the limit, and one above")
  func empty() {
    let most = frame(.text, 0) + continuations(free - 1, of: 0)
    #expect(seen(most + frame(.continuation, 3, isFinal: true)) == [.message(.text, "aaa".bytes)])
    #expect(seen(most + frame(.continuation, 0) + frame(.continuation, 0)) == [.failed(1008)])
  }

  @Test("small ones that carry what they should are as many as the message has room for")
  func streamed() {
    let pieces = (1 << 20) / each
    let message = frame(.binary, each) + continuations(pieces - 2, of: each)
    #expect(pieces > 10 * free)
    #expect(
      seen(message + frame(.continuation, each, isFinal: true))
        == [.message(.binary, [UInt8](repeating: 0x61, count: 1 << 20))])
  }

  @Test("single bytes end where their message has not earned more")
  func bytewise() {
    // n fragments of a byte each have earned n / each: refused when that is no longer enough.
    let limit = free * each / (each - 1)
    #expect(seen(frame(.text, 1) + continuations(limit - 2, of: 1)) == [])
    #expect(seen(frame(.text, 1) + continuations(limit + 2, of: 1)) == [.failed(1008)])
  }

  @Test("each message is counted by itself, and control frames between are not fragments")
  func afresh() {
    let one =
      frame(.text, 1) + continuations(free / 2, of: 0) + frame(.pong, 0, isFinal: true)
      + frame(.continuation, 1, isFinal: true)
    let told = seen(one + one + one)
    #expect(told.filter { $0 == .message(.text, "aa".bytes) }.count == 3)
    #expect(!told.contains(.failed(1008)))
  }
}

extension String {
  fileprivate var bytes: [UInt8] { Array(utf8) }
}
