import TestRandom
import Testing
import WebSocket

private let frameRows = Vectors<FrameVector>.load("frames.json")
  .filter { $0.input.bytes.count < 300 }
private let requestRows = Vectors<ServerHandshakeVector>.load("server-handshakes.json")
  .map(\.bytes)

/// Broken input from good input: the outcome must not depend on how the bytes were cut.
@Suite("Bytes from strangers")
struct FuzzTests {
  private func broken(_ bytes: [UInt8], by random: inout SeededRandom) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard let index = bytes.indices.randomElement(using: &random) else { return random.bytes(9) }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 2: bytes.remove(at: index)
      case 3: bytes.insert(bytes[index], at: index)
      default: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
      }
    }
    return bytes
  }

  @Test("frames", arguments: seeds)
  func frames(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<300 {
      let row = frameRows[Int.random(in: 0..<frameRows.count, using: &random)]
      let next = frameRows[Int.random(in: 0..<frameRows.count, using: &random)]
      let bytes = broken(row.input.bytes + next.input.bytes, by: &random)
      let whole = row.events(of: [bytes[...]])
      let terminal = whole.firstIndex { event in
        switch event {
        case .closed, .failed: true
        case .text, .binary, .ping, .pong: false
        }
      }
      #expect(terminal == nil || terminal == whole.count - 1)
      #expect(row.events(of: bytes.bytewise) == whole, "\(bytes)")
      #expect(row.events(of: bytes.inPieces(upTo: 12, by: &random)) == whole, "\(bytes)")
    }
  }

  @Test("noise", arguments: seeds)
  func noise(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for role in [WebSocketRole.server, .client] {
      for _ in 0..<200 {
        let bytes = random.bytes(40)
        let whole = events(of: [bytes[...]], role: role, messageBytesMax: 30)
        #expect(events(of: bytes.bytewise, role: role, messageBytesMax: 30) == whole, "\(bytes)")
      }
    }
  }

  @Test("requests", arguments: seeds)
  func requests(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let limits = HTTPLimits(headBytesMax: 260, targetBytesMax: 20, fieldsMax: 7)
    for _ in 0..<200 {
      let row = requestRows[Int.random(in: 0..<requestRows.count, using: &random)]
      let bytes = broken(row, by: &random)
      let whole = answer(to: [bytes[...]], limits: limits)
      #expect(answer(to: bytes.bytewise, limits: limits) == whole, "\(bytes)")
      #expect(
        answer(to: bytes.inPieces(upTo: 40, by: &random), limits: limits) == whole, "\(bytes)")
    }
  }

  @Test("answers never stop the client", arguments: seeds)
  func answers(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let handshake = try ClientHandshake(host: "h", target: "/", nonce: random.bytes(16))
    let good = head([
      "HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Accept: abc",
    ])
    for _ in 0..<300 {
      let bytes = broken(good, by: &random)
      guard case .head(let head, _) = reading(of: [bytes[...]]) else { continue }
      do throws(HandshakeFault) {
        #expect(try handshake.check(head: head, accept: Array("abc".utf8)).subprotocol == nil)
      } catch {
        #expect(error != .notSendable)
      }
    }
  }
}
