import Deflate
import Testing
import WebSocket

/// One row of `frames.json`.
struct FrameVector: Decodable, Sendable, CustomTestStringConvertible {
  let source: String
  let name: String
  let receiver: String
  let messageBytesMax: Int?
  let input: VectorBytes
  let events: [Event]
  let written: Bool?

  struct Event: Decodable, Sendable {
    let text, binary, ping, pong: VectorBytes?
    let closed: Closed?
    let failed: UInt16?

    struct Closed: Decodable, Sendable {
      let code: UInt16?
      let reason: String?
    }
  }

  var testDescription: String { "\(source): \(name), to a \(receiver)" }
  var role: WebSocketRole { receiver == "server" ? .server : .client }
  var limit: Int { messageBytesMax ?? 1 << 20 }

  var expected: [Seen] {
    events.map { event in
      if let text = event.text { return .text(text.bytes) }
      if let binary = event.binary { return .binary(binary.bytes) }
      if let ping = event.ping { return .ping(ping.bytes) }
      if let pong = event.pong { return .pong(pong.bytes) }
      if let failed = event.failed { return .failed(failed) }
      let code = event.closed?.code.map(CloseCode.init(rawValue:))
      return .closed(CloseNotice(code: code, reason: Array((event.closed?.reason ?? "").utf8)))
    }
  }

  /// With an inflater: as after a handshake that agreed on compression.
  func events(of pieces: [ArraySlice<UInt8>], _ inflater: Inflater? = nil) -> [Seen] {
    WebSocketTests.events(
      of: pieces, role: role, messageBytesMax: limit, inflater: inflater)
  }

  /// One piece for each byte; in long inputs for those near an end, with the middle as one.
  var singles: [ArraySlice<UInt8>] {
    let bytes = input.bytes
    guard bytes.count > 2000 else { return bytes.bytewise }
    let end = bytes.count - 300
    return Array(bytes[..<300]).bytewise + [bytes[300..<end]] + Array(bytes[end...]).bytewise
  }

  /// Every place for a cut in short inputs; in long ones those near an end and a few between.
  var cuts: [Int] {
    let count = input.bytes.count
    let near = count < 2000 ? count : 20
    return (0...count).filter { $0 <= near || $0 > count - 10 || $0.isMultiple(of: 16_381) }
  }
}

private let rows = Vectors<FrameVector>.load("frames.json")

@Suite("RFC 6455 §5 to §8, protocol/vectors/websocket/frames.json")
struct FrameVectorTests {
  @Test("the vectors cover both roles, and each event")
  func coverage() {
    #expect(rows.count > 500)
    for receiver in ["server", "client"] {
      let events = rows.filter { $0.receiver == receiver }.flatMap(\.events)
      #expect(events.contains { $0.text != nil })
      #expect(events.contains { $0.binary != nil })
      #expect(events.contains { $0.ping != nil })
      #expect(events.contains { $0.pong != nil })
      #expect(events.contains { $0.closed != nil })
      for code: UInt16 in [1002, 1007, 1009] { #expect(events.contains { $0.failed == code }) }
    }
  }

  @Test("in one piece", arguments: rows)
  func whole(_ row: FrameVector) {
    #expect(row.events(of: [row.input.bytes[...]]) == row.expected)
  }

  @Test("byte by byte", arguments: rows)
  func bytewise(_ row: FrameVector) {
    #expect(row.events(of: row.singles) == row.expected)
  }

  @Test("cut in two at every point", arguments: rows)
  func split(_ row: FrameVector) {
    for cut in row.cuts where row.events(of: row.input.bytes.split(at: cut)) != row.expected {
      Issue.record("cut at \(cut)")
    }
  }

  @Test("in chunks of 2, 3, 7 and 16 bytes", arguments: rows.filter { $0.input.bytes.count < 300 })
  func chunks(_ row: FrameVector) {
    for size in [2, 3, 7, 16]
    where row.events(of: row.input.bytes.inChunks(of: size)) != row.expected {
      Issue.record("chunks of \(size)")
    }
  }

  @Test(
    "the same bytes are written by the other end", arguments: rows.filter { $0.written == true })
  func written(_ row: FrameVector) throws {
    let mask = row.role == .server ? MaskKey(bits: 0x37FA_213D) : nil
    var writer = WebSocketConnection(
      role: row.role == .server ? .client : .server, messageBytesMax: 0)
    var output: [UInt8] = []
    let event = try #require(row.expected.first)
    switch event {
    case .text(let bytes): writer.writeMessage(.text, bytes.span, mask: mask, to: &output)
    case .binary(let bytes): writer.writeMessage(.binary, bytes.span, mask: mask, to: &output)
    case .ping(let bytes): writer.writePing(bytes, mask: mask, to: &output)
    case .pong(let bytes): writer.writePong(bytes, mask: mask, to: &output)
    case .closed(let notice):
      let reason = String(decoding: notice.reason, as: UTF8.self)
      writer.writeClose(notice.code, reason: reason, mask: mask, to: &output)
    case .failed: Issue.record("nobody writes that")
    }
    #expect(output == row.input.bytes)
  }
}
