import TestRandom
import Testing
@testable import WebSocket

/// The judge: the standard library's own validation of a whole text.
private func isText(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

private func accepts(_ pieces: [ArraySlice<UInt8>]) -> Bool {
  var checker = UTF8Checker()
  for piece in pieces {
    let bytes = Array(piece)
    guard checker.accepts(bytes.span) else { return false }
  }
  return checker.isComplete
}

/// Whether some text begins with these bytes: by trying every way to end a last character.
private func isBeginning(_ bytes: [UInt8]) -> Bool {
  let ends: [[UInt8]] = [
    [], [0x80], [0xA0], [0x90], [0x80, 0x80], [0xA0, 0x80], [0x90, 0x80], [0x80, 0x80, 0x80],
    [0x90, 0x80, 0x80],
  ]
  return ends.contains { isText(bytes + $0) }
}

/// Bytes on both sides of every border in RFC 3629 §4.
private let borders: [UInt8] = [
  0x00, 0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
  0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xFF,
]

@Suite("RFC 3629 §4 UTF-8 as it arrives")
struct UTF8CheckerTests {
  @Test("all pairs of bytes, whole and cut")
  func pairs() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let bytes = [first, second]
        let isValid = isText(bytes)
        if accepts([bytes[...]]) != isValid || accepts(bytes.bytewise) != isValid {
          Issue.record("\(bytes)")
        }
      }
    }
  }

  @Test("four bytes at the borders, whole and cut at every point", arguments: borders)
  func fours(_ first: UInt8) {
    for second in borders {
      for third in borders {
        for fourth: UInt8 in [0x61, 0x80, 0xBF, 0xC2] {
          checkCuts([first, second, third, fourth])
        }
      }
    }
  }

  private func checkCuts(_ bytes: [UInt8]) {
    let isValid = isText(bytes)
    for cut in 0...3 where accepts(bytes.split(at: cut)) != isValid {
      Issue.record("\(bytes) cut at \(cut)")
    }
  }

  @Test("a wrong byte is refused as soon as it is there", arguments: borders)
  func early(_ first: UInt8) {
    for second in borders {
      for third in borders {
        let bytes = [0x61, first, second, third]
        var checker = UTF8Checker()
        var accepted = 0
        while accepted < 4 && checker.accepts(bytes.span.extracting(accepted..<(accepted + 1))) {
          accepted += 1
        }
        let isTooEarly = accepted < 4 && isBeginning(Array(bytes[...accepted]))
        if isTooEarly || !isBeginning(Array(bytes[..<accepted])) {
          Issue.record("\(bytes): \(accepted)")
        }
      }
    }
  }

  @Test("long texts with one wrong byte anywhere", arguments: seeds)
  func long(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let alphabet = Array("aaaaaaaaaaaaé€😀\u{7FF}\u{800}\u{FFFF}\u{10000}")
    for _ in 0..<200 {
      let count = Int.random(in: 0...80, using: &random)
      let text = String(
        (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] })
      var bytes = Array(text.utf8)
      if let index = bytes.indices.randomElement(using: &random), Bool.random(using: &random) {
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      let isValid = isText(bytes)
      #expect(accepts([bytes[...]]) == isValid)
      for _ in 0..<8 { #expect(accepts(bytes.inPieces(upTo: 9, by: &random)) == isValid) }
    }
  }
}
