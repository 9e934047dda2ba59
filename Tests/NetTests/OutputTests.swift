import Deflate
import TestRandom
import Testing
import WebSocket

@testable import Net

@Suite("Connections share the chains of what is due in a turn")
struct OutputTests {
  /// Some connections and an output, beside the plain list of bytes that each must get.
  private struct Turn {
    var output = Output()
    let compressors = Compressors(bytesMin: 256)
    var connections: [Connection]
    var expected: [[UInt8]]

    /// Connection n agreed on what stands at n modulo the count of `agreements`.
    init(connections count: Int, _ agreements: [DeflateAgreement?] = [nil]) {
      connections = (0..<count).map { number in
        var connection = Connection()
        connection.machine = WebSocketConnection(
          role: .server, messageBytesMax: 0, deflate: agreements[number % agreements.count])
        return connection
      }
      expected = Array(repeating: [], count: count)
    }

    mutating func share(_ frame: SharedFrame, with slot: Int) {
      output.add(frame, compressors, slot: Int32(slot), &connections[slot])
      let window = connections[slot].machine.deflate?.sendWindow
      expected[slot] += frame.form(window, compressors).bytes
    }

    mutating func write(_ bytes: [UInt8], to slot: Int) {
      let start = output.scratch.count
      output.scratch += bytes
      output.addScratch(from: start, slot: Int32(slot), &connections[slot])
      expected[slot] += bytes
    }

    func due(_ slot: Int) -> [UInt8] {
      output.chain(endingWith: connections[slot].lastPiece).flatMap { piece in
        piece.frame >= 0
          ? output.frames[Int(piece.frame)].form.bytes
          : Array(output.scratch[piece.start..<piece.end])
      }
    }

    func check() {
      for slot in connections.indices {
        #expect(due(slot) == expected[slot])
        guard connections[slot].lastPiece >= 0 else { continue }
        let last = output.pieces[Int(connections[slot].lastPiece)]
        #expect(last.chainBytes == expected[slot].count)
      }
      let written = connections.indices.filter { !expected[$0].isEmpty }
      #expect(output.dirty.sorted() == written.map(Int32.init))
    }
  }

  private static func frame(_ text: String) -> SharedFrame { SharedFrame(.text, Array(text.utf8)) }

  @Test("receivers of each of the three forms share theirs, in whatever order they come")
  func forms() {
    let agreements = [nil, .bits15, .bits9].map { (window: DeflateWindow?) in
      window.map { DeflateAgreement(sendWindow: $0) }
    }
    var turn = Turn(connections: 100, agreements + [DeflateAgreement(sendWindow: nil), nil])
    for number in 0..<16 {
      let text = String(repeating: "event \(number) ", count: 50)
      let frame = OutputTests.frame(text)
      for slot in 0..<100 { turn.share(frame, with: slot) }
    }
    turn.check()
    #expect(turn.output.pieces.count == 3 * 16)
    #expect(turn.output.frames.count == 3 * 16)
    let lengths = (0..<3).map { turn.due($0).count }
    #expect(lengths[1] < lengths[0] / 4 && lengths[2] < lengths[0] / 4)
  }

  @Test("a thousand receivers of the same sixteen frames have sixteen pieces between them")
  func shared() {
    var turn = Turn(connections: 1000)
    for number in 0..<16 {
      let frame = OutputTests.frame("event \(number)")
      for slot in 0..<1000 { turn.share(frame, with: slot) }
    }
    turn.check()
    #expect(turn.output.pieces.count == 16)
    #expect(Set(turn.connections.map(\.lastPiece)).count == 1)
  }

  @Test("an answer of one's own parts a chain from the others")
  func parted() {
    var turn = Turn(connections: 3)
    let (first, second) = (OutputTests.frame("first"), OutputTests.frame("second"))
    for slot in 0..<3 { turn.share(first, with: slot) }
    turn.write([1, 2, 3], to: 1)
    turn.write([4], to: 1)
    turn.write([5], to: 2)
    turn.write([6], to: 1)
    for slot in 0..<3 { turn.share(second, with: slot) }
    turn.check()
  }

  @Test("any mixture gives each connection its bytes in order", arguments: 0..<20 as Range<UInt64>)
  func mixture(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var turn = Turn(connections: 5)
    let frames = (0..<20).map { OutputTests.frame("frame \($0)") }
    for _ in 0..<400 {
      let slot = Int.random(in: 0..<5, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: turn.write([UInt8.random(in: 0...255, using: &random)], to: slot)
      case 1: turn.share(frames[Int.random(in: 0..<20, using: &random)], with: slot)
      default:
        let frame = frames[Int.random(in: 0..<3, using: &random)]
        for slot in 0..<5 { turn.share(frame, with: slot) }
      }
    }
    turn.check()
  }

  @Test("frames of 8 MiB are the most that is held, whoever receives them")
  func bounded() {
    var turn = Turn(connections: 3)
    let mebibyte = [UInt8](repeating: 0, count: 1 << 20)
    for _ in 0..<7 {
      let frame = SharedFrame(.binary, mebibyte, compressible: false)
      for slot in 0..<3 { turn.share(frame, with: slot) }
      #expect(!turn.output.isFull)
    }
    turn.share(SharedFrame(.binary, mebibyte, compressible: false), with: 1)
    #expect(turn.output.isFull)
    turn.output.reset(reusing: turn.output.takeDirty())
    #expect(!turn.output.isFull)
  }

  @Test("the next turn begins with nothing")
  func reset() {
    var turn = Turn(connections: 2)
    let frame = OutputTests.frame("again")
    turn.share(frame, with: 0)
    turn.output.reset(reusing: turn.output.takeDirty())
    turn.connections[0].lastPiece = -1
    turn.expected[0] = []
    turn.check()
    turn.share(OutputTests.frame("other"), with: 1)
    turn.check()
    #expect(turn.output.pieces.count == 1)
  }
}
