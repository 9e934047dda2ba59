// Lines that nobody typed. Some terminals do not mark pasted text (bracketed paste). There the bytes of a paste arrive
// together: one read brings text and a line break behind it, and more text follows at once. The enter of a person
// arrives alone. So when a read ends a line that began in the same read, it is held back for a moment. If nothing
// follows, the line counts as typed: a program wrote it, or the person typed it while this program was busy. If more
// follows, all of it is a paste.
//
// Control letters and the sequences of keys are no text. They make no line, and a paste that contains them is still a
// paste. A paste that the terminal marks is passed on as it is.

/// Holds back text that came too fast to be typed until it is known whether it is a paste.
package struct Bursts: Sendable {
  /// The time for which a line is held back. Nobody types the next letter so soon behind an enter, and the rest of a
  /// paste arrives sooner.
  package static let quietMilliseconds: Int64 = 15

  package enum Burst: Equatable, Sendable {
    case typed([UInt8])
    case pasted(String)
  }

  private var held: [UInt8] = []
  private var since: Int64 = 0

  package init() {}

  /// Returns the milliseconds until the held bytes are released; nil when none are held.
  package func wait(now: Int64) -> Int? {
    held.isEmpty ? nil : Int(max(0, since + Bursts.quietMilliseconds - now))
  }

  /// Takes the bytes of one read, and returns the bursts that are decided now.
  package mutating func receive(_ bytes: [UInt8], now: Int64) -> [Burst] {
    guard bytes.firstRange(of: Bursts.pasteStart) == nil else { return release() + [.typed(bytes)] }
    guard !held.isEmpty || Bursts.endsItsLine(Bursts.text(of: bytes)) else {
      return [.typed(bytes)]
    }
    // A paste that is too long is cut one read beyond the maximum, so whoever gets it sees that it is too long.
    if held.count <= KeyParser.pasteBytesMax { held += bytes }
    since = now
    return []
  }

  /// Returns the bytes that were held long enough. Call it only when no input waits; otherwise a busy machine would cut
  /// a paste in two.
  package mutating func due(now: Int64) -> [Burst] {
    wait(now: now) == 0 ? release() : []
  }

  private mutating func release() -> [Burst] {
    guard !held.isEmpty else { return [] }
    defer { held = [] }
    let text = Bursts.text(of: held)
    let behind = text.drop { !Bursts.isBreak($0) }.drop { Bursts.isBreak($0) }
    return behind.isEmpty ? [.typed(held)] : [.pasted(String(decoding: text, as: UTF8.self))]
  }

  private static let pasteStart = Array("\u{1B}[200~".utf8)

  private static func endsItsLine(_ text: [UInt8]) -> Bool {
    guard let end = text.firstIndex(where: isBreak) else { return false }
    return end > 0 || !text.drop(while: isBreak).isEmpty
  }

  private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  /// Returns the text among the bytes, without the sequences and control letters of keys.
  private static func text(of bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == 0x1B {
        skipSequence(&rest)
      } else if byte == 0x09 || isBreak(byte) || (byte >= 0x20 && byte != 0x7F) {
        text.append(byte)
      }
    }
    return text
  }

  /// Skips an escape sequence; its ESC is already taken (ECMA-48 §5.4).
  private static func skipSequence(_ rest: inout ArraySlice<UInt8>) {
    guard let kind = rest.first, kind >= 0x20 else { return }
    rest = rest.dropFirst()
    guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return }
    rest = rest.drop { (0x20...0x3F).contains($0) }.dropFirst()
  }
}
