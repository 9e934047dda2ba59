import Foundation
import Testing

@testable import Text

@Suite("UAX 15: NFC against Foundation's")
struct NormalizationTests {
  @Test("every kind of scalar, alone and after a letter")
  func everyScalar() {
    var wrong: [Unicode.Scalar] = []
    for scalar in telling where Utf8proc.isAssigned(scalar) {
      let text = String(Character(scalar))
      if !agree("a" + text) || !agree(text) { wrong.append(scalar) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(20).map { String($0.value, radix: 16) })")
  }

  @Test("random runs of letters, marks and jamo", arguments: [UInt64.random(in: 1 ... .max), 1, 2])
  func randomRuns(seed: UInt64) {
    var random = Random(state: seed)
    let ranges: [(UInt32, UInt32)] = [
      (0x41, 26), (0x300, 0x70), (0x300, 0x70), (0x1100, 19), (0x1161, 21), (0x11A8, 27),
      (0x900, 0x80),
      (0x1E00, 0x100), (0x3040, 0x60), (0x5B0, 0x20),
    ]
    for _ in 0..<20_000 {
      var scalars = String.UnicodeScalarView()
      for _ in 0..<random.below(10) {
        let range = ranges[Int(random.below(UInt32(ranges.count)))]
        guard let scalar = Unicode.Scalar(range.0 + random.below(range.1)),
          Utf8proc.isAssigned(scalar)
        else { continue }
        scalars.append(scalar)
      }
      #expect(
        agree(String(scalars)), "seed \(seed): \(scalars.map { String($0.value, radix: 16) })")
    }
  }

  /// Foundation composes these (to U+FFFD, and to another syllable); UAX 15 and Python do not.
  @Test(
    "jamo after the modern ones do not compose",
    arguments: ["\u{1113}\u{1165}", "\u{1106}\u{1176}", "\u{1100}\u{1161}\u{11A7}"])
  func oldJamo(text: String) {
    let expected = text.unicodeScalars.count == 3 ? "\u{AC00}\u{11A7}" : text
    #expect(Utf8proc.nfc(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  private func agree(_ text: String) -> Bool {
    Utf8proc.nfc(text).unicodeScalars.elementsEqual(
      text.precomposedStringWithCanonicalMapping.unicodeScalars)
  }
}
