// Sec-WebSocket-Extensions, RFC 6455 §9.1:
//
//   list = 1#extension    extension = token *( ";" parameter )
//   parameter = token [ "=" ( token | quoted-string ) ]
//
// A quoted value is the token that it stands for. Several fields are one list in their order, elements may be empty
// (RFC 9110 §5.6.1), and blanks may stand between any two parts. Names and values are compared byte by byte.

/// One element of the list: an offer in a request, an agreement in an answer.
struct ExtensionElement: Sendable, Hashable {
  /// One of its parameters.
  struct Parameter: Sendable, Hashable {
    let name: String
    /// The value. Nil when there is no `=`.
    let value: String?
  }

  let name: String
  let parameters: [Parameter]

  /// Reads the elements of all fields of a head. Nil if one is malformed.
  static func all(in fields: HTTPFields) -> [ExtensionElement]? {
    var elements: [ExtensionElement] = []
    for value in fields.values("sec-websocket-extensions") {
      var reader = ExtensionReader(rest: value)
      guard reader.readList(into: &elements) else { return nil }
    }
    return elements
  }
}

/// Reads one field's value from its front.
private struct ExtensionReader {
  var rest: ArraySlice<UInt8>

  mutating func readList(into elements: inout [ExtensionElement]) -> Bool {
    while true {
      while takes(.comma) {}
      if rest.isEmpty { return true }
      guard let element = readElement() else { return false }
      elements.append(element)
      guard rest.isEmpty || takes(.comma) else { return false }
    }
  }

  private mutating func readElement() -> ExtensionElement? {
    guard let name = readToken() else { return nil }
    var parameters: [ExtensionElement.Parameter] = []
    while takes(UInt8(ascii: ";")) {
      guard let name = readToken() else { return nil }
      var value: String?
      if takes(UInt8(ascii: "=")) {
        value = takes(UInt8(ascii: "\"")) ? readQuoted() : readToken()
        if value == nil { return nil }
      }
      parameters.append(.init(name: name, value: value))
    }
    return ExtensionElement(name: name, parameters: parameters)
  }

  /// Takes this byte, after blanks. False if something else comes next. The blanks are gone either way.
  private mutating func takes(_ byte: UInt8) -> Bool {
    rest = rest.drop { $0 == .space || $0 == .tab }
    guard rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func readToken() -> String? {
    rest = rest.drop { $0 == .space || $0 == .tab }
    let token = rest.prefix { $0.isTokenByte }
    rest = rest[token.endIndex...]
    return token.isEmpty ? nil : token.text
  }

  /// Reads the text behind the opening quote, up to the closing one (RFC 9110 §5.6.4).
  private mutating func readQuoted() -> String? {
    var token: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return token.isEmpty ? nil : token[...].text
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), escaped.isTokenByte else { return nil }
        token.append(escaped)
      default:
        guard byte.isTokenByte else { return nil }
        token.append(byte)
      }
    }
    return nil
  }
}
