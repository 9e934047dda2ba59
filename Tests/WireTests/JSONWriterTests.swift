import Testing

@testable import Wire

@Suite("RFC 8785 §3.2.2.2: the spelling of what is written")
struct JSONWriterTests {
  @Test("every scalar below 0x80 has its shortest spelling")
  func escapes() {
    let short: [UInt32: String] = [
      8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: "\\\"", 92: "\\\\",
    ]
    for value in UInt32(0)..<0x80 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var writer = JSONWriter()
      writer.string(String(Character(scalar)))
      let digits = String(value, radix: 16)
      let expected =
        short[value]
        ?? (value < 0x20
          ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          : String(Character(scalar)))
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\(expected)\"")
    }
  }

  @Test("everything above is written as it is")
  func plain() {
    var writer = JSONWriter()
    writer.string("\u{7F}\u{80}é€\u{2028}😀\u{10FFFF}")
    #expect(Array("\"\u{7F}\u{80}é€\u{2028}😀\u{10FFFF}\"".utf8) == writer.bytes)
  }

  @Test("commas stand between values and nowhere else")
  func commas() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    writer.endArray()
    writer.key("b\n")
    writer.beginArray()
    writer.int(1)
    writer.beginObject()
    writer.endObject()
    writer.beginObject()
    writer.key("x")
    writer.null()
    writer.endObject()
    writer.bool(true)
    writer.raw([UInt8]("{\"k\": 1}".utf8))
    writer.raw([UInt8]("..2..".utf8)[2..<3])
    writer.string(utf8: [UInt8]("q\"".utf8))
    writer.endArray()
    writer.key("c")
    writer.bool(false)
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"a":[],"b\n":[1,{},{"x":null},true,{"k": 1},2,"q\""],"c":false}"#)
  }

  @Test(
    "integers",
    arguments: [0, 1, -1, 9, 10, 99, 100, -100, 9_007_199_254_740_991, Int64.max, Int64.min])
  func integers(value: Int64) {
    var writer = JSONWriter()
    writer.int(value)
    #expect(String(decoding: writer.bytes, as: UTF8.self) == String(value))
  }
}
