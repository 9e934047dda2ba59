// Questions before the chat or in the middle of it, one line each. A question is read in the terminal's own line mode,
// so its editing keys work and ctrl-C ends the program. A secret is read in raw mode and not echoed. When standard
// input is not a terminal, it answers the same questions (scripts and tests).

import CCurses
import Glibc

/// Asks one question on standard output and reads one line from standard input.
package enum Prompt {
  /// A line longer than this is cut.
  static let bytesMax = 4096

  /// Asks and returns the answer without its line break; nil at the end of the input.
  package static func ask(_ question: String) -> String? {
    say(question)
    return readLine()
  }

  /// Asks without echo, also in the middle of a chat. Returns nil also for ctrl-C. Raw mode turns the keys that make
  /// signals into bytes. A signal that ends the program waits until the terminal is back in its former mode.
  package static func askSecret(_ question: String) -> String? {
    var before = termios()
    guard isatty(0) == 1, tcgetattr(0, &before) == 0 else { return ask(question) }
    let signals = EndingSignals()
    defer { signals.release() }
    var quiet = before
    cfmakeraw(&quiet)
    // A terminal that would echo the secret must not be asked for it.
    guard tcsetattr(0, TCSAFLUSH, &quiet) == 0 else { return nil }
    defer {
      _ = tcsetattr(0, TCSAFLUSH, &before)
      say("\r\n")
    }
    say(question)
    return readSecret(unless: signals)
  }

  private static func readSecret(unless signals: EndingSignals) -> String? {
    var keys = KeyParser()
    var editor = LineEditor()
    while signals.waitForInput(), let byte = readByte() {
      for key in keys.receive(byte) {
        switch editor.handle(key) {
        case .submitted(let secret): return secret
        case .interrupted, .ended: return nil
        case .nothing, .changed, .clear, .complete, .scroll, .suspend: break
        }
      }
    }
    return nil
  }

  private static func say(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  private static func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = readByte() {
      if byte == 0x0A || byte == 0x0D { return String(decoding: line, as: UTF8.self) }
      if line.count < bytesMax { line.append(byte) }
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Reads one byte, because the bytes behind the line belong to the next reader. Returns nil at the end of the input.
  private static func readByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(0, &byte, 1)
      if count < 0, errno == EINTR { continue }
      return count == 1 ? byte : nil
    }
  }
}
