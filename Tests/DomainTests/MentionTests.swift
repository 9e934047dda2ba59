import Testing

@testable import Domain

/// A text and the words of it that may name members, each with its place.
private struct Words: CustomTestStringConvertible {
  let text: String
  let words: [String]
  var testDescription: String { text }
}

@Suite("protocol §5.20, mentions") struct MentionTests {
  @Test(
    "A word is an @ and a name, and an @ inside a word names nobody",
    arguments: [
      Words(text: "@editor", words: ["0 editor"]),
      Words(text: "thanks @editor.", words: ["7 editor. editor"]),
      Words(text: "(@editor)", words: ["1 editor"]),
      Words(text: "@Editor, @b.c-d_e!", words: ["0 editor", "9 b.c-d_e"]),
      Words(text: "@editor... @editor", words: ["0 editor... editor", "11 editor"]),
      Words(text: "👏@editor", words: ["1 editor"]),
      Words(text: "é @editor\n@author", words: ["2 editor", "10 author"]),
      Words(text: "write to me@editor.org", words: []),
      Words(text: "@@editor", words: []),
      Words(text: "_@editor é@editor", words: []),
      Words(text: "@editoré @editor@author", words: []),
      Words(text: "@fred\u{301} @fred\u{20DD}", words: []),
      Words(text: "@editor👏\u{FE0F} \u{202B}@author", words: ["0 editor", "11 author"]),
      Words(text: "@ab @a", words: []),
      Words(text: "@ab. is short", words: ["0 ab."]),
      Words(
        text: "@" + String(repeating: "x", count: 32),
        words: ["0 " + String(repeating: "x", count: 32)]),
      Words(text: "@" + String(repeating: "x", count: 33), words: []),
      Words(text: "@", words: []), Words(text: "", words: []),
    ])
  private func words(_ it: Words) {
    let found = MentionWord.all(in: it.text).map { "\($0.at) " + $0.names.joined(separator: " ") }
    #expect(found == it.words)
  }
}
