/// RFC 8259 §2 to §7 read a second time. It says whether bytes are a JSON text, without the further limits of the
/// project's reader.
struct PlainJSON {
  private var rest: ArraySlice<UInt8>

  static func holds(_ bytes: [UInt8]) -> Bool {
    guard isUTF8(bytes, mayBeCut: false) else { return false }
    var reader = PlainJSON(rest: bytes[...])
    return reader.value() && reader.rest.isEmpty
  }

  /// Reads a value with the space around it.
  private mutating func value() -> Bool {
    skipSpace()
    defer { skipSpace() }
    switch rest.first {
    case UInt8(ascii: "{"):
      return list("{", "}") { reader in
        reader.skipSpace()
        guard reader.string() else { return false }
        reader.skipSpace()
        return reader.take(":") && reader.value()
      }
    case UInt8(ascii: "["): return list("[", "]") { $0.value() }
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "t"): return "true".utf8.allSatisfy { takeByte($0) }
    case UInt8(ascii: "f"): return "false".utf8.allSatisfy { takeByte($0) }
    case UInt8(ascii: "n"): return "null".utf8.allSatisfy { takeByte($0) }
    default: return number()
    }
  }

  private mutating func list(
    _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ element: (inout PlainJSON) -> Bool
  ) -> Bool {
    guard take(open) else { return false }
    skipSpace()
    if take(close) { return true }
    repeat {
      guard element(&self) else { return false }
    } while take(",")
    return take(close)
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return true }
      if byte < 0x20 { return false }
      guard byte == UInt8(ascii: "\\") else { continue }
      guard let escaped = rest.popFirst() else { return false }
      if escaped == UInt8(ascii: "u") {
        let digits = rest.prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
        else { return false }
        rest = rest.dropFirst(4)
      } else if !Array("\"\\/bfnrt".utf8).contains(escaped) {
        return false
      }
    }
    return false
  }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0") { guard digits() > 0 else { return false } }
    if take(".") { guard digits() > 0 else { return false } }
    if take("e") || take("E") {
      _ = take("+") || take("-")
      guard digits() > 0 else { return false }
    }
    return true
  }

  private mutating func digits() -> Int {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest.dropFirst(digits.count)
    return digits.count
  }

  private mutating func skipSpace() {
    rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool { takeByte(UInt8(ascii: scalar)) }

  private mutating func takeByte(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }
}
