import Glibc
import Screen

/// Writes to standard output and standard error, outside of the chat. A terminal gets safe text in the letters that it
/// can show; a script gets the plain text.
enum Output {
  static func say(_ text: String) { write(text + "\n", to: 1) }

  static func say(_ lines: [Line]) {
    for line in lines { say(written(line, to: 1)) }
  }

  /// Writes a paragraph for a person, in rows that break between words.
  static func tell(_ phrase: Phrase) {
    guard isatty(1) == 1 else { return say([Line(phrase)]) }
    say(Line(phrase).wrapped(columns: Terminal.columns - 1))
  }

  static func complain(_ phrase: Phrase) {
    write(written(Line(phrase), to: 2) + "\n", to: 2)
  }

  private static func written(_ line: Line, to descriptor: Int32) -> String {
    isatty(descriptor) == 1 ? Charset.here.encoded(line.shown) : line.plain
  }

  /// Writes the text. When the other end is closed, nobody is left to tell.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
