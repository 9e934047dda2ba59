import Glibc
import Testing

@testable import WhattodoTerminal

@Suite("The lines that a script gives to `whattodo do -`") struct InputLinesTests {
  /// The lines of a file with this text, and the failure that ends them.
  private func lines(of text: String) throws -> ([String], InputLines.Failure?) {
    let file = try #require(tmpfile())
    defer { #expect(fclose(file) == 0) }
    let bytes = Array(text.utf8)
    #expect(write(fileno(file), bytes, bytes.count) == bytes.count)
    #expect(lseek(fileno(file), 0, SEEK_SET) == 0)
    var input = InputLines(descriptor: fileno(file))
    var lines: [String] = []
    do throws(InputLines.Failure) {
      while let line = try input.next() { lines.append(line) }
      return (lines, nil)
    } catch {
      return (lines, error)
    }
  }

  @Test("Every line comes once, with or without an end behind the last")
  func ends() throws {
    for (text, expected) in [
      ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]),
      ("a\r\nb\r\n", ["a\r", "b\r"]), ("ä\n👏", ["ä", "👏"]),
    ] as [(String, [String])] {
      let (lines, failure) = try lines(of: text)
      #expect(lines == expected && failure == nil, "\(text.debugDescription)")
    }
  }

  @Test("The longest line is taken, and one more byte ends it behind the lines before")
  func bounds() throws {
    let longest = String(repeating: "x", count: InputLines.bytesMax)
    for end in ["", "\n", "\nb"] {
      let (lines, failure) = try lines(of: "a\n" + longest + end)
      #expect(lines.prefix(2) == ["a", longest] && failure == nil)
    }
    for end in ["", "\n", "\nb"] {
      let (lines, failure) = try lines(of: "a\n" + longest + "y" + end)
      #expect(lines == ["a"] && failure == .tooLong)
    }
  }

  @Test("A descriptor that cannot be read says why")
  func unreadable() {
    var input = InputLines(descriptor: -1)
    #expect(throws: InputLines.Failure.unreadable(EBADF)) { try input.next() }
  }
}
