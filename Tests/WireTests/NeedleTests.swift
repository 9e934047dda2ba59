import Domain
import TestRandom
import Testing

@testable import Wire

@Suite("the store's indexes find their words in the JSON of a post")
struct NeedleTests {
  /// Indexes and statements look for these words (Store/Schema+Work.swift, Schema+Imports.swift). A member that has
  /// one of them in itself, in front of the real one, would be found instead of it.
  @Test(
    "each stands there once when the post has such a member, and never otherwise",
    arguments: 0..<8)
  func once(round: Int) throws {
    var make = RandomValues(numbers: SeededRandom(seed: UInt64(round) &+ 41))
    for _ in 0..<100 {
      let post = make.post()
      let bytes = ObjectCodec.encode(.post(post))
      let needles: [(String, Bool)] = [
        ("\"claim\":{", post.claim != nil), ("\"until\":", post.claim != nil),
        ("\"position\":\"", post.position != nil), ("\"source\":{", post.source != nil),
        ("\"assignees\":[", !post.assignees.isEmpty),
        ("\"priority\":\"", post.priority != nil),
      ]
      for (needle, isThere) in needles {
        #expect(count(Array(needle.utf8), in: bytes) == (isThere ? 1 : 0), "\(needle)")
      }
      guard let source = post.source else { continue }
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("name", source.name)
      writer.member("id", source.id)
      let beginning = Array("\"source\":".utf8) + writer.bytes
      #expect(count(beginning, in: bytes) == 1, "a source begins with what it is found by")
    }
  }

  private func count(_ needle: [UInt8], in bytes: [UInt8]) -> Int {
    guard bytes.count >= needle.count else { return 0 }
    return (0...bytes.count - needle.count).count {
      bytes[$0..<$0 + needle.count].elementsEqual(needle)
    }
  }
}
