// Turns the bytes of a terminal into keys. A terminal sends UTF-8 for text, C0 bytes for control keys, and escape
// sequences for the rest (ECMA-48 §5.4 control sequences `ESC [ … final`, xterm's `ESC O final`, bracketed paste
// `ESC [ 200 ~ … ESC [ 201 ~`). A read can end anywhere, so the parser takes one byte at a time and keeps its state.
// The caller says when no byte has come for a while (`quiet`), because only time tells a lone ESC from the start of a
// sequence.
//
// Rules: a sequence that is not understood is swallowed whole. Malformed UTF-8 becomes U+FFFD. A sequence or a paste
// that exceeds its maximum is swallowed to its end, and the caller is told. String sequences (OSC, DCS, APC, PM, SOS),
// with which a terminal answers questions, are swallowed too.

/// The state machine of the keyboard: one byte goes in, at most two keys come out.
package struct KeyParser: Sendable {
  /// The maximum of a control sequence. Those of keyboards have under ten bytes.
  package static let sequenceBytesMax = 32
  /// The maximum of a paste, enough for a list of thousands of lines.
  package static let pasteBytesMax = 1024 * 1024

  private enum State {
    case ground
    case text(bytes: [UInt8], missing: Int)
    case escape
    case control(parameters: [UInt8])
    case shift3
    case string(escaped: Bool)
    case paste(matched: Int)
  }

  private var state = State.ground
  /// The bytes of the unfinished paste. One byte more than the maximum means that the paste is too long.
  private var pasted: [UInt8] = []
  private static let pasteEnd: [UInt8] = [0x1B] + Array("[201~".utf8)

  package init() {}

  /// Whether the parser is inside of a paste that the terminal marks.
  package var isPasting: Bool {
    switch state {
    case .paste: true
    case .ground, .text, .escape, .control, .shift3, .string: false
    }
  }

  /// Whether an ESC or an unfinished sequence waits for its next byte; a paste does not count.
  package var isWaiting: Bool {
    switch state {
    case .ground, .paste: false
    case .text, .escape, .control, .shift3, .string: true
    }
  }

  /// Takes one byte, and returns the keys that it completes.
  package mutating func receive(_ byte: UInt8) -> [Key] {
    switch state {
    case .ground: return ground(byte)
    case .text(let bytes, let missing): return continueText(bytes, missing, byte)
    case .escape: return afterEscape(byte)
    case .control(let parameters): return continueControl(parameters, byte)
    case .shift3:
      state = .ground
      return [KeyParser.letterKey(byte)]
    case .string(let escaped): return continueString(escaped, byte)
    case .paste(let matched): return continuePaste(matched, byte)
    }
  }

  /// Ends what waits when no byte has come for a while. A lone ESC was the key; an unfinished sequence is given up.
  package mutating func quiet() -> [Key] {
    switch state {
    case .ground, .paste: return []
    case .escape:
      state = .ground
      return [.escape]
    case .text, .control, .shift3, .string:
      state = .ground
      return [.unknown]
    }
  }

  private mutating func ground(_ byte: UInt8) -> [Key] {
    switch byte {
    case 0x1B:
      state = .escape
      return []
    case 0x0D, 0x0A: return [.enter]
    case 0x09: return [.tab]
    case 0x08, 0x7F: return [.backspace]
    case 0x01...0x1A: return [.control(Character(Unicode.Scalar(byte + 0x60)))]
    case 0x00, 0x1C...0x1F: return [.unknown]
    case 0x20...0x7E: return [.scalar(Unicode.Scalar(byte))]
    default: return startText(byte)
    }
  }

  private mutating func startText(_ byte: UInt8) -> [Key] {
    let missing =
      switch byte {
      case 0xC2...0xDF: 1
      case 0xE0...0xEF: 2
      case 0xF0...0xF4: 3
      default: 0
      }
    guard missing > 0 else { return [.scalar("\u{FFFD}")] }
    state = .text(bytes: [byte], missing: missing)
    return []
  }

  private mutating func continueText(_ bytes: [UInt8], _ missing: Int, _ byte: UInt8) -> [Key] {
    guard byte & 0xC0 == 0x80 else {
      state = .ground
      return [.scalar("\u{FFFD}")] + ground(byte)
    }
    let all = bytes + [byte]
    guard missing == 1 else {
      state = .text(bytes: all, missing: missing - 1)
      return []
    }
    state = .ground
    let scalars = Array(String(decoding: all, as: UTF8.self).unicodeScalars)
    guard scalars.count == 1, scalars[0].value > 0x9F else { return [.scalar("\u{FFFD}")] }
    return [.scalar(scalars[0])]
  }

  private mutating func afterEscape(_ byte: UInt8) -> [Key] {
    state = .ground
    switch byte {
    case UInt8(ascii: "["): state = .control(parameters: [])
    case UInt8(ascii: "O"): state = .shift3
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"),
      UInt8(ascii: "X"):
      state = .string(escaped: false)
    case 0x1B:
      state = .escape
      return [.escape]
    case UInt8(ascii: "b"): return [.wordLeft]
    case UInt8(ascii: "f"): return [.wordRight]
    case 0x7F, 0x08: return [.control("w")]
    default: return [.unknown]
    }
    return []
  }

  private mutating func continueControl(_ parameters: [UInt8], _ byte: UInt8) -> [Key] {
    switch byte {
    case 0x20...0x3F:
      // The sequence is too long: swallow it and remember no more of it. Its final byte will mean nothing.
      let fits = parameters.count < KeyParser.sequenceBytesMax
      state = .control(parameters: fits ? parameters + [byte] : parameters)
      return []
    case 0x40...0x7E:
      state = .ground
      return finishControl(parameters, byte)
    default:
      // A control byte or text inside of a sequence breaks the sequence off.
      state = .ground
      return [.unknown] + ground(byte)
    }
  }

  private mutating func finishControl(_ parameters: [UInt8], _ final: UInt8) -> [Key] {
    let text = String(decoding: parameters, as: UTF8.self)
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    let withModifier = parts.count > 1 && parts[1] != "1"
    guard final == UInt8(ascii: "~") else {
      switch (final, withModifier) {
      case (UInt8(ascii: "C"), true): return [.wordRight]
      case (UInt8(ascii: "D"), true): return [.wordLeft]
      default: return [KeyParser.letterKey(final)]
      }
    }
    switch parts.first {
    case "1", "7": return [.home]
    case "4", "8": return [.end]
    case "3": return [.delete]
    case "5": return [.pageUp]
    case "6": return [.pageDown]
    case "200":
      state = .paste(matched: 0)
      return []
    default: return [.unknown]
    }
  }

  private mutating func continueString(_ escaped: Bool, _ byte: UInt8) -> [Key] {
    // A string ends with BEL or ST (ESC \).
    let ended = byte == 0x07 || (escaped && byte == UInt8(ascii: "\\"))
    state = ended ? .ground : .string(escaped: byte == 0x1B)
    return ended ? [.unknown] : []
  }

  private mutating func continuePaste(_ matched: Int, _ byte: UInt8) -> [Key] {
    let end = KeyParser.pasteEnd
    if byte == end[matched] {
      guard matched + 1 == end.count else {
        state = .paste(matched: matched + 1)
        return []
      }
      state = .ground
      defer { pasted = [] }
      let isTooLong = pasted.count > KeyParser.pasteBytesMax
      return [isTooLong ? .longPaste : .paste(String(decoding: pasted, as: UTF8.self))]
    }
    // Only ESC can start the end mark anew, because it stands nowhere else in the mark.
    let restarts = byte == end[0]
    keep(end[0..<matched])
    if !restarts { keep([byte]) }
    state = .paste(matched: restarts ? 1 : 0)
    return []
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) {
    pasted += bytes.prefix(max(0, KeyParser.pasteBytesMax + 1 - pasted.count))
  }

  private static func letterKey(_ final: UInt8) -> Key {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "M"): .enter
    default: .unknown
    }
  }
}
