import Deflate
import TestRandom
import Testing

private let sizes = [
  0, 1, 2, 3, 5, 100, 511, 512, 513, 1000, 16_383, 16_384, 16_385, 32_767, 32_768, 32_769, 65_535,
  65_536, 65_537, 262_144, 1_000_000,
]

/// The ways in which a message may look to a compressor.
private enum Stuff: String, CaseIterable, Sendable {
  case zeros, noise, words, far

  func bytes(_ count: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(count))
    switch self {
    case .zeros: return Array(repeating: 0, count: count)
    case .noise: return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    case .words:
      let words = ["milk ", "bread ", "\"title\":", "{\"t\":\"post.added\"}", "äöü€😀"].map {
        Array($0.utf8)
      }
      var bytes: [UInt8] = []
      while bytes.count < count {
        bytes += words[Int.random(in: 0..<words.count, using: &random)]
      }
      return Array(bytes[..<count])
    case .far:
      // Repeats after 20 000 bytes: within 15 bits of window, not within 9.
      let unit = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      return (0..<count).map { unit[$0 % unit.count] }
    }
  }
}

@Suite("RFC 7692 §7.2 compression of whole messages")
struct DeflateTests {
  @Test("Compressed messages come back, one after the other", arguments: DeflateWindow.allCases)
  func roundTrip(_ window: DeflateWindow) throws {
    let deflater = Deflater(window: window)
    let inflater = Inflater()
    for stuff in Stuff.allCases {
      for size in sizes {
        let message = stuff.bytes(size)
        let payload = deflater.compressed(message)
        #expect(try inflater.inflated(payload, bytesMax: size) == message, "\(stuff) \(size)")
        #expect(payload.count <= size + size / 8 + 16, "\(stuff) \(size)")
      }
    }
  }

  @Test("a message is the same bytes whatever came before it", arguments: DeflateWindow.allCases)
  func noContext(_ window: DeflateWindow) {
    let message = Stuff.words.bytes(3000)
    let alone = Deflater(window: window).compressed(message)
    let deflater = Deflater(window: window)
    for stuff in Stuff.allCases {
      _ = deflater.compressed(stuff.bytes(100_000))
      #expect(deflater.compressed(message) == alone)
    }
  }

  @Test("The compressed message is appended")
  func appended() {
    let deflater = Deflater(window: .bits15)
    var output: [UInt8] = [1, 2, 3]
    deflater.compress(Array("Hello".utf8).span, to: &output)
    #expect(output == [1, 2, 3, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
  }

  @Test("a window of 9 bits refers no further back, one of 15 does")
  func windows() throws {
    let message = Stuff.far.bytes(60_000)
    let wide = Deflater(window: .bits15).compressed(message)
    let narrow = Deflater(window: .bits9).compressed(message)
    #expect(wide.count < 21_000)
    #expect(narrow.count > 59_000)
  }
}

@Suite("RFC 7692 §7.2.2 decompression within a limit")
struct InflateTests {
  @Test("one byte below, at and above the limit", arguments: sizes.filter { $0 > 1 })
  func limit(_ size: Int) throws {
    let inflater = Inflater()
    for stuff in Stuff.allCases {
      let message = stuff.bytes(size)
      let payload = Deflater(window: .bits15).compressed(message)
      #expect(throws: InflateFault.tooLong) {
        try inflater.inflated(payload, bytesMax: size - 1)
      }
      #expect(try inflater.inflated(payload, bytesMax: size) == message)
      #expect(try inflater.inflated(payload, bytesMax: size + 1) == message)
    }
  }

  @Test("a bomb of a gigabyte costs its limit")
  func bomb() throws {
    // A thousand times the same megabyte of zeros, each after a flush.
    let part = Deflater(window: .bits15).compressed(Array(repeating: 0, count: 1 << 20))
    var payload: [UInt8] = []
    for _ in 0..<1024 { payload += part + [0, 0, 0xFF, 0xFF] }
    let inflater = Inflater()
    let clock = ContinuousClock()
    let took = clock.measure {
      #expect(throws: InflateFault.tooLong) {
        try inflater.inflated(payload, bytesMax: 256 * 1024)
      }
    }
    // A gigabyte takes seconds; the limit less than a millisecond on a machine that is not busy.
    #expect(took < .milliseconds(500))
    let hello = Deflater(window: .bits15).compressed(Array("Hello".utf8))
    #expect(try inflater.inflated(hello, bytesMax: 5) == Array("Hello".utf8))
  }

  @Test("the memory of a message is not more than it needs or than its limit")
  func memory() throws {
    let payload = Deflater(window: .bits15).compressed(Array(repeating: 7, count: 200_000))
    let message = try Inflater().inflated(payload, bytesMax: 200_001)
    #expect(message.count == 200_000)
    // malloc rounds up to a page at most.
    #expect(message.capacity <= 200_001 + 4096)
  }

  @Test("no beginning of a payload is a payload, and it is not lost on the next message")
  func cut() throws {
    let inflater = Inflater()
    let deflater = Deflater(window: .bits15)
    // (Of noise the first byte alone is one: a stored block begins like an empty message.)
    for message in [Stuff.words.bytes(300), Stuff.far.bytes(1), Array("Hello".utf8)] {
      let payload = deflater.compressed(message)
      for count in 0..<payload.count {
        #expect(throws: InflateFault.broken) {
          try inflater.inflated(Array(payload[..<count]), bytesMax: 1000)
        }
        #expect(try inflater.inflated(payload, bytesMax: 1000) == message)
      }
    }
  }

  @Test("many ends within one payload do not cost more than its bytes")
  func manyEnds() throws {
    // 128 Ki empty blocks with BFINAL = 1, and a proper end.
    let window = Deflater(window: .bits15).compressed(Stuff.noise.bytes(32_768))
    let payload =
      window + [0, 0, 0xFF, 0xFF] + Array(repeatElement([0x03, 0x00], count: 131_072).joined()) + [
        0
      ]
    let inflater = Inflater()
    var message: [UInt8] = []
    let took = try ContinuousClock().measure {
      message = try inflater.inflated(payload, bytesMax: 40_000)
    }
    #expect(message.count == 32_768)
    // 15 ms on a machine that is not busy; handing 32 KiB of window over each time takes seconds.
    #expect(took < .seconds(1))
  }

  @Test("noise neither stops it nor exceeds the limit", arguments: Array(1...20) as [UInt64])
  func noise(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let inflater = Inflater()
    let good = Deflater(window: .bits15).compressed(Stuff.words.bytes(500))
    for round in 0..<500 {
      var bytes =
        round.isMultiple(of: 2)
        ? good : (0..<60).map { _ in UInt8.random(in: 0...255, using: &random) }
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      do throws(InflateFault) {
        #expect(try inflater.inflated(bytes, bytesMax: 700).count <= 700)
      } catch {
        continue
      }
    }
  }
}

extension Deflater {
  fileprivate func compressed(_ message: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    compress(message.span, to: &output)
    return output
  }
}

extension Inflater {
  fileprivate func inflated(
    _ payload: [UInt8], bytesMax: Int
  ) throws(InflateFault) -> [UInt8] {
    try inflate(payload.span, bytesMax: bytesMax)
  }
}
