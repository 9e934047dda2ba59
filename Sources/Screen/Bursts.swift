// Lines that nobody typed. Where a terminal does not say what is pasted (bracketed paste), the bytes of a paste
// arrive together: a line break with text in front of it in one read, and more text at once behind it. A person's
// enter arrives alone. So a read that ends a line which began in it waits for a moment: if nothing follows, the line
// was typed, by a program or while this one was busy; if more follows, all of it is a paste.
//
// Control letters and the sequences of keys are no text: they make no line, and a paste in which they stand is one
// all the same. What a terminal tells as a paste passes.

/// Holds back what came too fast to be typed, until it is known what it is.
package struct Bursts: Sendable {
  /// Nobody types the next letter so soon behind an enter; what is pasted is there sooner.
  package static let quietMilliseconds: Int64 = 15

  package enum Burst: Equatable, Sendable {
    case typed([UInt8])
    case pasted(String)
  }

  private var held: [UInt8] = []
  private var since: Int64 = 0

  package init() {}

  /// Milliseconds until what is held is told; nil when nothing is.
  package func wait(now: Int64) -> Int? {
    held.isEmpty ? nil : Int(max(0, since + Bursts.quietMilliseconds - now))
  }

  /// What one read has brought.
  package mutating func receive(_ bytes: [UInt8], now: Int64) -> [Burst] {
    guard bytes.firstRange(of: Bursts.pasteStart) == nil else { return release() + [.typed(bytes)] }
    guard !held.isEmpty || Bursts.endsItsLine(Bursts.text(of: bytes)) else {
      return [.typed(bytes)]
    }
    // What is longer than any paste is cut, and is too long for whoever gets it.
    if held.count <= KeyParser.pasteBytesMax { held += bytes }
    since = now
    return []
  }

  /// What was held long enough. Asked when no input waits, or a busy machine would cut a paste in two.
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

  /// Without what keys send that are no letters.
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

  /// Behind its ESC (ECMA-48 §5.4).
  private static func skipSequence(_ rest: inout ArraySlice<UInt8>) {
    guard let kind = rest.first, kind >= 0x20 else { return }
    rest = rest.dropFirst()
    guard kind == UInt8(ascii: "[") || kind == UInt8(ascii: "O") else { return }
    rest = rest.drop { (0x20...0x3F).contains($0) }.dropFirst()
  }
}
