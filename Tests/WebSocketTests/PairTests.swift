import TestRandom
import Testing
import WebSocket

/// Two machines joined in memory: what one writes is cut at random places and fed to the other.
private struct Pair {
  var random: SeededRandom
  var server = WebSocketConnection(role: .server, messageBytesMax: 200_000)
  var client = WebSocketConnection(role: .client, messageBytesMax: 200_000)
  var toServer: [UInt8] = []
  var toClient: [UInt8] = []

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func mask() -> MaskKey {
    MaskKey(bits: UInt32.random(in: 0...UInt32.max, using: &random))
  }

  mutating func write(from role: WebSocketRole, _ seen: Seen) {
    let mask = role == .client ? self.mask() : nil
    let writer = role == .client ? client : server
    var output: [UInt8] = []
    switch seen {
    case .text(let bytes): writer.writeMessage(.text, bytes.span, mask: mask, to: &output)
    case .binary(let bytes): writer.writeMessage(.binary, bytes.span, mask: mask, to: &output)
    case .ping(let bytes): writer.writePing(bytes, mask: mask, to: &output)
    case .pong(let bytes): writer.writePong(bytes, mask: mask, to: &output)
    case .closed, .failed: Issue.record("not written here")
    }
    send(output, from: role)
  }

  mutating func send(_ bytes: [UInt8], from role: WebSocketRole) {
    switch role {
    case .client: toServer += bytes
    case .server: toClient += bytes
    }
  }

  /// Everything on its way to that end, in random pieces.
  mutating func deliver(to role: WebSocketRole, upTo max: Int) -> [Seen] {
    let bytes = role == .server ? toServer : toClient
    var seen: [Seen] = []
    for piece in bytes.inPieces(upTo: max, by: &random) {
      seen += role == .server ? feed(piece, to: &server) : feed(piece, to: &client)
    }
    if role == .server { toServer = [] } else { toClient = [] }
    return seen
  }
}

@Suite("Both roles against each other")
struct PairTests {
  private let sizes = [0, 1, 7, 8, 124, 125, 126, 127, 128, 1000, 65_534, 65_535, 65_536, 65_537]

  @Test("messages, pings and fragments arrive as they were sent", arguments: seeds)
  func roundTrip(_ seed: UInt64) {
    var pair = Pair(seed: seed)
    for role in [WebSocketRole.client, .server] {
      for max in [1, 5, 100, 70_000, 1_000_000] {
        var sent: [Seen] = []
        for _ in 0..<6 { sent += send(&pair, from: role, upTo: max < 100 ? 300 : 70_000) }
        let other: WebSocketRole = role == .client ? .server : .client
        #expect(pair.deliver(to: other, upTo: max) == sent)
      }
    }
    #expect(pair.server.state == .open && pair.client.state == .open)
    #expect(!pair.server.isInsideMessage && !pair.client.isInsideMessage)
  }

  private func send(_ pair: inout Pair, from role: WebSocketRole, upTo sizeMax: Int) -> [Seen] {
    let candidates = sizes.filter { $0 <= sizeMax }
    let size = candidates[Int.random(in: 0..<candidates.count, using: &pair.random)]
    switch Int.random(in: 0..<5, using: &pair.random) {
    case 0: return [write(.ping(pair.random.bytes(min(size, 125))), &pair, role)]
    case 1: return [write(.binary(pair.random.bytes(size)), &pair, role)]
    case 2:
      return [write(.text(Array(String(repeating: "aé€😀", count: size / 10).utf8)), &pair, role)]
    case 3: return fragments(pair.random.bytes(size), .binary, &pair, role)
    default:
      return fragments(Array(String(repeating: "xß✓😀", count: size / 10).utf8), .text, &pair, role)
    }
  }

  private func write(_ seen: Seen, _ pair: inout Pair, _ role: WebSocketRole) -> Seen {
    pair.write(from: role, seen)
    return seen
  }

  /// A message in fragments of random sizes with pings between them.
  private func fragments(
    _ bytes: [UInt8], _ opcode: Opcode, _ pair: inout Pair, _ role: WebSocketRole
  ) -> [Seen] {
    var pings: [Seen] = []
    var output: [UInt8] = []
    var isFirst = true
    for piece in bytes.inPieces(upTo: max(2, bytes.count / 3), by: &pair.random) {
      let mask = role == .client ? pair.mask() : nil
      FrameWriter.append(
        isFirst ? opcode : .continuation, Array(piece).span, isFinal: false, mask: mask, to: &output
      )
      if Bool.random(using: &pair.random) {
        let payload = pair.random.bytes(3)
        FrameWriter.append(.ping, payload.span, mask: mask, to: &output)
        pings.append(.ping(payload))
      }
      isFirst = false
    }
    let mask = role == .client ? pair.mask() : nil
    let nothing: [UInt8] = []
    FrameWriter.append(isFirst ? opcode : .continuation, nothing.span, mask: mask, to: &output)
    pair.send(output, from: role)
    return pings + [.message(opcode == .text ? .text : .binary, bytes)]
  }

  @Test("either end closes in the middle of a conversation", arguments: seeds)
  func close(_ seed: UInt64) {
    var pair = Pair(seed: seed)
    let closesFirst: WebSocketRole = seed.isMultiple(of: 2) ? .client : .server
    pair.write(from: .client, .text(Array("eins".utf8)))
    pair.write(from: .server, .text(Array("zwei".utf8)))
    var output: [UInt8] = []
    let notice = CloseNotice(code: CloseCode(rawValue: 4001), reason: Array("drain".utf8))
    if closesFirst == .client {
      pair.client.writeClose(notice.code, reason: "drain", mask: pair.mask(), to: &output)
      pair.send(output, from: .client)
      #expect(pair.deliver(to: .server, upTo: 3) == [.text(Array("eins".utf8)), .closed(notice)])
      var answer: [UInt8] = []
      pair.server.writeClose(notice.code, to: &answer)
      pair.send(answer, from: .server)
      #expect(
        pair.deliver(to: .client, upTo: 3) == [.closed(CloseNotice(code: notice.code, reason: []))])
    } else {
      pair.server.writeClose(notice.code, reason: "drain", to: &output)
      pair.send(output, from: .server)
      #expect(pair.deliver(to: .client, upTo: 3) == [.text(Array("zwei".utf8)), .closed(notice)])
      var answer: [UInt8] = []
      pair.client.writeClose(notice.code, mask: pair.mask(), to: &answer)
      pair.send(answer, from: .client)
      #expect(
        pair.deliver(to: .server, upTo: 3) == [.closed(CloseNotice(code: notice.code, reason: []))])
    }
    #expect(pair.server.state == .closed && pair.client.state == .closed)
  }
}
