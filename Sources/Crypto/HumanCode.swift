// Codes that people read aloud, write down and type (crockford.com/base32.html): ten digits and the letters without I,
// L, O, U, in groups of four. Reading one does not take constant time, so its bytes are to be compared by their hash.

/// Bytes as a code for people: `ABCD-EFGH-…`.
package enum HumanCode {
  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Returns groups of four letters with hyphens between; the last one may be shorter. A letter holds five bits.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for (index, group) in Bits.groups(of: bytes, width: 5).enumerated() {
      if index > 0, index.isMultiple(of: 4) { text.append(UInt8(ascii: "-")) }
      text.append(alphabet[Int(group)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a code tolerantly: any case, hyphens and spaces anywhere, O as 0, I and L as 1. Nil for any other letter,
  /// and for a length that no bytes make.
  package static func decode(_ text: String) -> [UInt8]? {
    var groups: [UInt8] = []
    for letter in text.utf8 where letter != UInt8(ascii: "-") && letter != UInt8(ascii: " ") {
      guard let value = value(of: letter) else { return nil }
      groups.append(value)
    }
    return Bits.bytes(of: groups, width: 5)
  }

  private static func value(of letter: UInt8) -> UInt8? {
    let isLowerCase = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
    let upper = isLowerCase ? letter - 32 : letter
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
    }
  }
}
