import Testing

@testable import Wire

/// Bytes from a text in which `<XX>` stands for one byte in hexadecimal.
func bytes(_ text: String) -> [UInt8] {
  var result: [UInt8] = []
  var rest = Array(text.utf8)[...]
  while let byte = rest.first {
    if byte == UInt8(ascii: "<"), rest.count >= 4, rest[rest.startIndex + 3] == UInt8(ascii: ">"),
      let value = UInt8(
        String(decoding: rest[rest.startIndex + 1...rest.startIndex + 2], as: UTF8.self), radix: 16)
    {
      result.append(value)
      rest = rest.dropFirst(4)
    } else {
      result.append(byte)
      rest = rest.dropFirst()
    }
  }
  return result
}

@Suite("RFC 8259: texts that are JSON")
struct JSONAcceptedTests {
  static let accepted: [String] = [
    "null", "true", "false", "0", "-0", "-1", "12", "1.5", "-0.0", "1e5", "1E+5", "0e-0", "1.5e-3",
    "9007199254740991", "-9007199254740991", "1e308", "\"\"", "\"a\"", "[]", "{}", "[[]]", "[{}]",
    " [ ] ", "\t{\n}\r\n", "[1,2,3]", "[ 1 , 2 ]", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }",
    "{\"\":0}", "{\"a\":{\"a\":{\"a\":1}}}", "[null,true,false,0,\"\",[],{}]",
    #""\"\\\/\b\f\n\r\t""#, #""\u0000\u001f\u00e9\u20AC\uFFFF""#, #""\uD83D\uDE00\udbff\udfff""#,
    "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\u{2028}\"", "\"\u{FEFF}\"",
    "\"\\u0012\u{FEFF}x\"",
    #"{"a":1,"A":2,"a\u0000":3}"#, "\"<C2><80>\"", "\"<ED><9F><BF>\"", "\"<EE><80><80>\"",
    "\"<F0><90><80><80>\"", "\"<F4><8F><BF><BF>\"",
    "0.1234567890123456789012345678901234567890123456789012345678901",
  ]

  @Test("taken", arguments: accepted)
  func isTaken(_ text: String) throws {
    _ = try JSONDocument(bytes(text))
  }

  @Test("the root has the kind of its text")
  func kinds() throws {
    let rows: [(String, JSONKind)] = [
      ("{}", .object), ("[]", .array), ("\"\"", .string), ("-1", .number), ("true", .bool),
      ("false", .bool), ("null", .null),
    ]
    for (text, kind) in rows {
      #expect(try JSONDocument(bytes(text)).root.kind == kind, "\(text)")
    }
  }
}

@Suite("RFC 8259 and RFC 7493: texts that are refused, why, and where")
struct JSONRefusedTests {
  struct Row: CustomTestStringConvertible {
    let text: String
    let kind: JSONError.Kind
    let offset: Int
    init(_ text: String, _ kind: JSONError.Kind, _ offset: Int) {
      (self.text, self.kind, self.offset) = (text, kind, offset)
    }
    var testDescription: String { "\(text) \(kind) at \(offset)" }
  }

  static let grammar: [Row] = [
    Row("", .unexpectedEnd, 0), Row("  ", .unexpectedEnd, 2), Row("[", .unexpectedEnd, 1),
    Row("[1", .unexpectedEnd, 2), Row("[1,", .unexpectedEnd, 3), Row("{", .unexpectedEnd, 1),
    Row("{\"a\"", .unexpectedEnd, 4), Row("{\"a\":", .unexpectedEnd, 5),
    Row("{\"a\":1", .unexpectedEnd, 6), Row("{\"a\":1,", .unexpectedEnd, 7),
    Row("tru", .unexpectedEnd, 3), Row("trux", .unexpectedByte, 3), Row("nul", .unexpectedEnd, 3),
    Row("True", .unexpectedByte, 0), Row("NaN", .unexpectedByte, 0),
    Row("nan", .unexpectedByte, 1), Row("Infinity", .unexpectedByte, 0),
    Row("'a'", .unexpectedByte, 0), Row("[1 2]", .unexpectedByte, 3),
    Row("[,1]", .unexpectedByte, 1), Row("[1,]", .unexpectedByte, 3),
    Row("[1,,2]", .unexpectedByte, 3), Row("{\"a\":1,}", .unexpectedByte, 7),
    Row("{a:1}", .unexpectedByte, 1), Row("{1:1}", .unexpectedByte, 1),
    Row("{\"a\" 1}", .unexpectedByte, 5), Row("{\"a\",1}", .unexpectedByte, 4),
    Row("{\"a\":}", .unexpectedByte, 5), Row("[1}", .unexpectedByte, 2),
    Row("{\"a\":1]", .unexpectedByte, 6), Row("]", .unexpectedByte, 0),
    Row("[<0C>]", .unexpectedByte, 1), Row("[<00>]", .unexpectedByte, 1),
    Row("[\u{A0}]", .unexpectedByte, 1), Row("[1/*x*/]", .unexpectedByte, 2),
    Row("//\n1", .unexpectedByte, 0), Row("[]]", .trailingBytes, 2), Row("1 2", .trailingBytes, 2),
    Row("{}<00>", .trailingBytes, 2), Row("nullx", .trailingBytes, 4),
    Row("<EF><BB><BF>1", .byteOrderMark, 0), Row("<FE><FF>", .unexpectedByte, 0),
    Row("<FF>", .unexpectedByte, 0),
  ]

  static let numbers: [Row] = [
    Row("-", .unexpectedEnd, 1), Row("-x", .number, 1), Row("+1", .unexpectedByte, 0),
    Row(".5", .unexpectedByte, 0), Row("5.", .unexpectedEnd, 2), Row("5.x", .number, 2),
    Row("01", .number, 0), Row("-01", .number, 1), Row("00", .number, 0),
    Row("1e", .unexpectedEnd, 2),
    Row("1e+", .unexpectedEnd, 3), Row("1ex", .number, 2), Row("1.e1", .number, 2),
    Row("0x1", .trailingBytes, 1), Row("1_000", .trailingBytes, 1),
    Row("[1e5.5]", .unexpectedByte, 4),
    Row("--1", .number, 1), Row("[-]", .number, 2),
    Row("9007199254740992", .numberRange, 0), Row("-9007199254740992", .numberRange, 0),
    Row("9223372036854775808", .numberRange, 0), Row("[1e309]", .numberRange, 1),
    Row("1e-309", .numberRange, 0), Row("1e99999999999999999999", .numberRange, 0),
    Row(String(repeating: "1", count: 64), .numberRange, 0),
    Row("0." + String(repeating: "1", count: 63), .numberTooLong, 64),
  ]

  static let strings: [Row] = [
    Row("\"", .unexpectedEnd, 1), Row("\"a", .unexpectedEnd, 2), Row("\"\\", .unexpectedEnd, 2),
    Row("\"\\\"", .unexpectedEnd, 3), Row("\"<00>\"", .controlCharacter, 1),
    Row("\"a\n\"", .controlCharacter, 2), Row("\"<1F>\"", .controlCharacter, 1),
    Row("\"\t\"", .controlCharacter, 1), Row(#""\x41""#, .escape, 1), Row(#""\'""#, .escape, 1),
    Row(#""\0""#, .escape, 1), Row(#""\U0041""#, .escape, 1), Row(#""\u12"#, .unexpectedEnd, 5),
    Row(#""\u12""#, .escape, 1), Row(#""\u12g4""#, .escape, 1), Row("\"\\<C3><A9>\"", .escape, 1),
    Row(#""\ud800""#, .loneSurrogate, 1), Row(#""\uDC00""#, .loneSurrogate, 1),
    Row(#""\udc00\ud800""#, .loneSurrogate, 1), Row(#""\ud800\ud800""#, .loneSurrogate, 1),
    Row(#""\ud800x""#, .loneSurrogate, 1), Row(#""\ud800\n""#, .loneSurrogate, 1),
    Row(#""\ud800\u0041""#, .loneSurrogate, 1), Row(#""a\ud83d"#, .unexpectedEnd, 8),
    Row(#""\ud800\u12"#, .unexpectedEnd, 11), Row(#""\ud800\"#, .unexpectedEnd, 8),
    Row(#""\ud83d\uzz00""#, .escape, 7),
    Row("\"<80>\"", .utf8, 1), Row("\"<BF>\"", .utf8, 1), Row("\"<C0><AF>\"", .utf8, 1),
    Row("\"<C1><BF>\"", .utf8, 1), Row("\"<C2>\"", .utf8, 1), Row("\"<C3><28>\"", .utf8, 1),
    Row("\"<E0><9F><BF>\"", .utf8, 1), Row("\"<E2><82>\"", .utf8, 1),
    Row("\"<ED><A0><80>\"", .utf8, 1), Row("\"<ED><BF><BF>\"", .utf8, 1),
    Row("\"<F0><8F><BF><BF>\"", .utf8, 1), Row("\"<F4><90><80><80>\"", .utf8, 1),
    Row("\"<F5><80><80><80>\"", .utf8, 1), Row("\"<FF>\"", .utf8, 1),
    Row("\"<F0><9F><98>", .unexpectedEnd, 4), Row("{\"<FF>\":1}", .utf8, 2),
  ]

  static let duplicates: [Row] = [
    Row(#"{"a":1,"a":1}"#, .duplicateMember, 7), Row(#"{"a":1,"b":2,"a":3}"#, .duplicateMember, 13),
    Row(#"{"a":1,"\u0061":2}"#, .duplicateMember, 7),
    Row(#"{"\u0061":1,"a":2}"#, .duplicateMember, 12),
    Row(#"{"":1,"":2}"#, .duplicateMember, 6), Row(#"[{"x":{"b":1,"b":2}}]"#, .duplicateMember, 13),
    Row(#"{"\/":1,"/":2,"\u002f":3}"#, .duplicateMember, 8),
    Row(#"{"é":1,"\u00e9":2}"#, .duplicateMember, 8),
    Row(#"{"b":1,"b":2,"a":3,"a":4}"#, .duplicateMember, 7),
  ]

  @Test(
    "refused with kind and offset", arguments: [grammar, numbers, strings, duplicates].joined())
  func isRefused(_ row: Row) {
    #expect(throws: JSONError(row.kind, at: row.offset)) { try JSONDocument(bytes(row.text)) }
  }

  @Test("every kind of error has a row")
  func everyKindHasARow() {
    let rows = [Self.grammar, Self.numbers, Self.strings, Self.duplicates].joined()
    let limits: Set<JSONError.Kind> = [.tooLong, .tooDeep, .marks]  // JSONLimitTests
    #expect(Set(rows.map(\.kind)).union(limits) == Set(JSONError.Kind.allCases))
  }

  @Test("names that differ only in normalisation are two members")
  func namesAreNotNormalised() throws {
    _ = try JSONDocument(Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
  }
}

@Suite("Limits of the JSON reader: one below, at, one above")
struct JSONLimitTests {
  @Test("bytes")
  func bytesMax() throws {
    let limits = JSONLimits(bytesMax: 6)
    _ = try JSONDocument(bytes("\"abc\""), limits: limits)
    _ = try JSONDocument(bytes("\"abcd\""), limits: limits)
    #expect(throws: JSONError(.tooLong, at: 6)) {
      try JSONDocument(bytes("\"abcde\""), limits: limits)
    }
  }

  @Test("depth", arguments: [("[", "]"), ("{\"a\":", "}")])
  func depthMax(open: String, close: String) throws {
    let limits = JSONLimits(bytesMax: 10_000, depthMax: 5)
    func nested(_ depth: Int) -> [UInt8] {
      let text =
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      return Array(text.utf8)
    }
    for depth in 0...5 { _ = try JSONDocument(nested(depth), limits: limits) }
    #expect(throws: JSONError(.tooDeep, at: 5 * open.utf8.count)) {
      try JSONDocument(nested(6), limits: limits)
    }
    #expect(throws: JSONError(.tooDeep, at: 5 * open.utf8.count)) {
      try JSONDocument(nested(900), limits: limits)
    }
  }

  @Test("a text of only brackets stops at the depth, not at the stack")
  func onlyBrackets() {
    let limits = JSONLimits(bytesMax: 1 << 20, depthMax: 512)
    #expect(throws: JSONError(.tooDeep, at: 512)) {
      try JSONDocument([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20), limits: limits)
    }
  }

  @Test(
    "marks in a row, as bytes and as escapes, in values and in names",
    arguments: [
      "\u{301}", #"\u0301"#, "\u{1D165}", #"\ud834\udd65"#, "\u{5B0}", "\u{FE20}",
    ])
  func marksMax(mark: String) throws {
    func string(_ count: Int) -> String { "\"é" + String(repeating: mark, count: count) + "日x\"" }
    for count in [29, 30] {
      _ = try JSONDocument(Array("[\(string(count)), \(string(count))]".utf8))
    }
    #expect(throws: JSONError(.marks, at: 0)) { try JSONDocument(Array(string(31).utf8)) }
    #expect(throws: JSONError(.marks, at: 1)) {
      try JSONDocument(Array("{\(string(31)):1}".utf8))
    }
    #expect(throws: JSONError(.marks, at: 0)) { try JSONDocument(Array(string(10_000).utf8)) }
    let long = "\"" + String(repeating: "é" + String(repeating: mark, count: 30), count: 9) + "\""
    _ = try JSONDocument(Array(long.utf8))
  }

  @Test("characters of a number")
  func numberMax() throws {
    for digits in [60, 61, 62] {
      _ = try JSONDocument(Array(("0." + String(repeating: "3", count: digits)).utf8))
    }
    #expect(throws: JSONError(.numberTooLong, at: 64)) {
      try JSONDocument(Array(("0." + String(repeating: "3", count: 63)).utf8))
    }
  }

  @Test("duplicates are found among few and among many names", arguments: [2, 16, 17, 18, 3_000])
  func duplicatesAtAnyCount(count: Int) throws {
    var names = (0..<count).map { "\"n\($0)\":\($0)" }
    let good = "{" + names.joined(separator: ",") + "}"
    #expect(try JSONDocument(Array(good.utf8)).root["n\(count - 1)"]?.int64 == Int64(count - 1))
    names[count - 1] = "\"n0\":7"
    let prefix = "{" + names[..<(count - 1)].joined(separator: ",") + ","
    #expect(throws: JSONError(.duplicateMember, at: prefix.utf8.count)) {
      try JSONDocument(Array((prefix + names[count - 1] + "}").utf8))
    }
  }
}

@Suite("Values of a JSON text")
struct JSONValueTests {
  @Test("integers: only the integral form has a value")
  func integers() throws {
    let rows: [(String, Int64?)] = [
      ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("9007199254740991", 9_007_199_254_740_991),
      ("-9007199254740991", -9_007_199_254_740_991), ("1.0", nil), ("1e2", nil), ("-1E2", nil),
      ("\"1\"", nil), ("true", nil), ("null", nil), ("[1]", nil),
    ]
    for (text, value) in rows {
      #expect(try JSONDocument(bytes(text)).root.int64 == value, "\(text)")
    }
  }

  @Test("strings: escapes stand for their scalars")
  func strings() throws {
    let rows: [(String, String)] = [
      (#""""#, ""), (#""plain""#, "plain"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0000\u001F""#, "\0\u{1F}"), (#""\u20ac\uD83D\uDE00x""#, "€😀x"),
      (#""\uDBFF\uDFFF""#, "\u{10FFFF}"), (#""é\u0301""#, "é\u{301}"),
      ("\"\u{FEFF}a\"", "\u{FEFF}a"), ("\"\\u0012\u{FEFF}x\"", "\u{12}\u{FEFF}x"),
    ]
    for (text, value) in rows {
      let root = try JSONDocument(Array(text.utf8)).root
      #expect(root.string.map { Array($0.utf8) } == Array(value.utf8), "\(text)")
      #expect(root.utf8 == Array(value.utf8), "\(text)")
    }
  }

  @Test("A value answers nil for what it is not")
  func otherKinds() throws {
    for text in ["{}", "[]", "\"\"", "1", "true", "null"] {
      let root = try JSONDocument(bytes(text)).root
      #expect((root.members != nil) == (root.kind == .object), "\(text)")
      #expect((root.elements != nil) == (root.kind == .array), "\(text)")
      #expect((root.string != nil) == (root.kind == .string), "\(text)")
      #expect((root.utf8 != nil) == (root.kind == .string), "\(text)")
      #expect((root.int64 != nil) == (root.kind == .number), "\(text)")
      #expect((root.bool != nil) == (root.kind == .bool), "\(text)")
      #expect(root.isNull == (root.kind == .null), "\(text)")
      #expect(root["a"] == nil, "\(text)")
    }
  }

  @Test("members are found by name and listed in the order of the text")
  func members() throws {
    let text = #" { "b" : [1,{"x":2}], "a\n" : "v" , "" : null, "é": false } "#
    let root = try JSONDocument(Array(text.utf8)).root
    #expect(root.members?.map(\.name) == ["b", "a\n", "", "é"])
    #expect(root["a\n"]?.string == "v")
    #expect(root[""]?.isNull == true)
    #expect(root["é"]?.bool == false)
    #expect(root["x"] == nil)
    #expect(root["B"] == nil)
    #expect(root["b"]?.elements?.map(\.kind) == [.number, .object])
    #expect(root["b"]?.elements?.compactMap { $0["x"]?.int64 } == [2])
    #expect(root.members?.map { $0.value.kind } == [.array, .string, .null, .bool])
  }

  @Test("raw bytes are those of the text, without the space around")
  func rawBytes() throws {
    let text = #" [ {"a" : [1, 2]} , "x\u0041" , -1.5e3 ] "#
    let root = try JSONDocument(Array(text.utf8)).root
    let raw = root.elements.map { elements in
      elements.map { String(decoding: $0.rawBytes, as: UTF8.self) }
    }
    #expect(raw == [#"{"a" : [1, 2]}"#, #""x\u0041""#, "-1.5e3"])
    #expect(
      String(decoding: root.rawBytes, as: UTF8.self) == #"[ {"a" : [1, 2]} , "x\u0041" , -1.5e3 ]"#)
  }
}
