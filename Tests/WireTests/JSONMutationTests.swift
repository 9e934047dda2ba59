import TestRandom
import Testing

@testable import Wire

/// Damaged texts: whatever the bytes, the reader answers, and what it takes can be walked to the end.
@Suite("JSON texts cut and damaged")
struct JSONMutationTests {
  static let samples: [String] = [
    #"{"jsonrpc":"2.0","id":"42","method":"post.add","params":{"title":"Brot é 😀","n":-12}}"#,
    #"{"tx":"018f3a52","ops":[{"t":"post.added","f":{"a":[1,2.5e-3,true,null]}}],"s":"\n\u00e9\uD83D\uDE00"}"#,
    #" [ [ ] , { } , "" , 0 , -0.0E+1 , false ] "#,
  ]

  @Test("every truncation is refused at its end or as cut text", arguments: samples)
  func truncations(_ sample: String) {
    let whole = Array(sample.utf8)
    let complete = whole.lastIndex { $0 != UInt8(ascii: " ") } ?? 0
    for length in 0...complete {
      #expect(throws: JSONError(.unexpectedEnd, at: length)) {
        try JSONDocument(Array(whole[..<length]))
      }
    }
  }

  @Test("every single byte replaced by every other never crashes", arguments: samples)
  func mutations(_ sample: String) {
    let whole = Array(sample.utf8)
    var taken = 0
    for index in whole.indices {
      for byte in UInt8.min...UInt8.max {
        var damaged = whole
        damaged[index] = byte
        taken += answers(damaged) ? 1 : 0
      }
    }
    #expect(taken >= whole.count, "the sample itself is taken each time")
    #expect(taken < whole.count * 256)
  }

  @Test("every byte removed, and every byte doubled, never crashes", arguments: samples)
  func removals(_ sample: String) {
    let whole = Array(sample.utf8)
    for index in whole.indices {
      var damaged = whole
      damaged.remove(at: index)
      _ = answers(damaged)
      damaged = whole
      damaged.insert(whole[index], at: index)
      _ = answers(damaged)
    }
  }

  @Test("random bytes never crash", arguments: [1, 2])
  func noise(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let alphabet = Array("{}[]\",:\\u0dD8eE.-+ tfn1\u{E9}".utf8) + [0xF0, 0x9F, 0x00]
    for _ in 0..<20_000 {
      let text = (0..<random.below(24)).map { _ in alphabet[random.below(alphabet.count)] }
      _ = answers(text)
    }
  }

  /// Whether the reader takes the bytes; walks everything that it took.
  private func answers(_ bytes: [UInt8]) -> Bool {
    do throws(JSONError) {
      let document = try JSONDocument(bytes)
      walk(document.root)
      return true
    } catch {
      #expect((0...bytes.count).contains(error.offset))
      return false
    }
  }

  private func walk(_ node: JSONNode) {
    _ = node.string
    _ = node.int64
    _ = node.bool
    #expect(!node.rawBytes.isEmpty)
    for element in node.elements.map(Array.init) ?? [] { walk(element) }
    for member in node.members.map(Array.init) ?? [] {
      #expect(node[member.name]?.kind == member.value.kind)
      walk(member.value)
    }
  }
}
