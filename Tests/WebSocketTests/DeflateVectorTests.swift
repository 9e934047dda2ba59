import Deflate
import TestRandom
import Testing
import WebSocket

private let rows = Vectors<FrameVector>.load("deflate-frames.json")

@Suite("RFC 7692 §6 and §7.2, protocol/vectors/websocket/deflate-frames.json")
struct DeflateVectorTests {
  private let inflater = Inflater()

  @Test("the vectors cover both roles, and each outcome")
  func coverage() {
    #expect(rows.count > 150)
    for receiver in ["server", "client"] {
      let events = rows.filter { $0.receiver == receiver }.flatMap(\.events)
      #expect(events.contains { $0.text != nil })
      #expect(events.contains { $0.binary != nil })
      for code: UInt16 in [1002, 1007, 1009] { #expect(events.contains { $0.failed == code }) }
    }
  }

  @Test("in one piece", arguments: rows)
  func whole(_ row: FrameVector) {
    #expect(row.events(of: [row.input.bytes[...]], inflater) == row.expected)
  }

  @Test("byte by byte", arguments: rows)
  func bytewise(_ row: FrameVector) {
    #expect(row.events(of: row.singles, inflater) == row.expected)
  }

  @Test("cut in two at every point", arguments: rows)
  func split(_ row: FrameVector) {
    for cut in row.cuts
    where row.events(of: row.input.bytes.split(at: cut), inflater) != row.expected {
      Issue.record("cut at \(cut)")
    }
  }

  @Test("in chunks of 2, 3, 7 and 16 bytes", arguments: rows.filter { $0.input.bytes.count < 300 })
  func chunks(_ row: FrameVector) {
    for size in [2, 3, 7, 16]
    where row.events(of: row.input.bytes.inChunks(of: size), inflater) != row.expected {
      Issue.record("chunks of \(size)")
    }
  }

  @Test("without compression agreed on, RSV1 is refused", arguments: rows)
  func notAgreed(_ row: FrameVector) {
    let isPlain = row.input.bytes[0] & 0x40 == 0
    guard let first = row.events(of: [row.input.bytes[...]]).first else { return }
    #expect(isPlain || first == .failed(1002))
  }

  @Test(
    "the same bytes are written by the other end", arguments: rows.filter { $0.written == true })
  func written(_ row: FrameVector) throws {
    for window in DeflateWindow.allCases {
      let mask = row.role == .server ? MaskKey(bits: 0x37FA_213D) : nil
      let writer = WebSocketConnection(
        role: row.role == .server ? .client : .server, messageBytesMax: 0,
        deflate: DeflateAgreement(sendWindow: window))
      guard case .text(let message) = try #require(row.expected.first) else {
        Issue.record("only texts are written here")
        return
      }
      var payload: [UInt8] = []
      Deflater(window: window).compress(message.span, to: &payload)
      var output: [UInt8] = []
      writer.writeMessage(.text, payload.span, isCompressed: true, mask: mask, to: &output)
      #expect(output == row.input.bytes)
    }
  }

  @Test("broken input has the same outcome however it is cut", arguments: seeds)
  func broken(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let short = rows.filter { $0.input.bytes.count < 300 }
    for _ in 0..<300 {
      let row = short[Int.random(in: 0..<short.count, using: &random)]
      var bytes = row.input.bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      let whole = row.events(of: [bytes[...]], inflater)
      #expect(row.events(of: bytes.bytewise, inflater) == whole, "\(bytes)")
      #expect(row.events(of: bytes.inPieces(upTo: 12, by: &random), inflater) == whole, "\(bytes)")
    }
  }
}
