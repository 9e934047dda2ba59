import Foundation
import TestRandom
import Testing

@testable import Wire

// Foundation's reader is the judge: both take or both refuse, and what both take means the same. Where we
// are stricter on purpose, the row says why.

@Suite("The JSON reader against Foundation's")
struct JSONFoundationTests {
  static func foundation(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  /// Why we refuse what Foundation may take.
  static let stricter: Set<JSONError.Kind> = [
    .duplicateMember, .numberRange, .numberTooLong, .byteOrderMark, .tooDeep, .tooLong, .marks,
  ]

  /// Foundation drops U+FEFF at the start of a string and after an escape, and its Decimal keeps 38
  /// digits of a fraction.
  static let foundationMeansOther: Set<String> = [
    "\"\u{FEFF}\"", "\"\\u0012\u{FEFF}x\"",
    "0.1234567890123456789012345678901234567890123456789012345678901",
  ]

  @Test("Foundation takes everything that we take", arguments: JSONAcceptedTests.accepted)
  func accepted(_ text: String) throws {
    let value = try #require(JSONFoundationTests.foundation(bytes(text)))
    let root = try JSONDocument(bytes(text)).root
    #expect(
      JSONFoundationTests.same(root, value) != Self.foundationMeansOther.contains(text), "\(text)")
  }

  /// Foundation takes a comma before the end, which RFC 8259 does not.
  static let foundationIsLax: Set<String> = ["[1,]", "{\"a\":1,}"]

  @Test(
    "Foundation refuses everything that we refuse, except where we are stricter",
    arguments: [JSONRefusedTests.grammar, JSONRefusedTests.numbers, JSONRefusedTests.strings]
      .joined())
  func refused(_ row: JSONRefusedTests.Row) {
    guard !Self.stricter.contains(row.kind), !Self.foundationIsLax.contains(row.text) else {
      return
    }
    #expect(JSONFoundationTests.foundation(bytes(row.text)) == nil, "\(row.text)")
  }

  /// Whether a node of ours and a value of Foundation's say the same.
  static func same(_ node: JSONNode, _ value: Any) -> Bool {
    switch node.kind {
    case .null: return value is NSNull
    case .bool: return (value as? Bool) == node.bool
    case .string:
      guard let text = value as? String else { return false }
      return node.string.map { Array($0.utf8) } == Array(text.utf8)
    case .number: return sameNumber(node, value)
    case .array:
      guard let list = value as? [Any], let elements = node.elements.map(Array.init) else {
        return false
      }
      return list.count == elements.count && zip(elements, list).allSatisfy { same($0, $1) }
    case .object:
      guard let dictionary = value as? [String: Any], let members = node.members.map(Array.init)
      else { return false }
      return dictionary.count == members.count
        && members.allSatisfy { member in
          dictionary[member.name].map { same(member.value, $0) } ?? false
        }
    }
  }

  private static func sameNumber(_ node: JSONNode, _ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    if let integer = node.int64 { return number.int64Value == integer }
    return Double(String(decoding: node.rawBytes, as: UTF8.self)) == number.doubleValue
  }
}

@Suite("Random JSON: written, read back by both, equal")
struct JSONRoundTripTests {
  indirect enum Value: Equatable {
    case null
    case bool(Bool)
    case int(Int64)
    case string(String)
    case array([Value])
    case object([(String, Value)])

    static func == (left: Value, right: Value) -> Bool {
      switch (left, right) {
      case (.null, .null): true
      case (.bool(let a), .bool(let b)): a == b
      case (.int(let a), .int(let b)): a == b
      case (.string(let a), .string(let b)): Array(a.utf8) == Array(b.utf8)
      case (.array(let a), .array(let b)): a == b
      case (.object(let a), .object(let b)):
        a.count == b.count
          && zip(a, b).allSatisfy { Array($0.0.utf8) == Array($1.0.utf8) && $0.1 == $1.1 }
      default: false
      }
    }
  }

  @Test("a thousand values", arguments: [1, 2, 3, 1_814_678_347_441_819_482])
  func roundTrip(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for round in 0..<250 {
      let value = JSONRoundTripTests.make(depth: 4, &random)
      var writer = JSONWriter()
      JSONRoundTripTests.write(value, to: &writer)
      let root = try JSONDocument(writer.bytes).root
      #expect(JSONRoundTripTests.read(root) == value, "seed \(seed), round \(round)")
      let judged = try #require(JSONFoundationTests.foundation(writer.bytes), "seed \(seed)")
      #expect(JSONFoundationTests.same(root, judged), "seed \(seed), round \(round)")
    }
  }

  static func make(depth: Int, _ random: inout SeededRandom) -> Value {
    switch random.below(depth == 0 ? 4 : 6) {
    case 0: return .null
    case 1: return .bool(random.below(2) == 0)
    case 2:
      let shift = random.below(64)
      let wide = Int64(bitPattern: random.next()) >> Int64(shift)
      return .int(wide % 9_007_199_254_740_992)
    case 3: return .string(text(&random))
    case 4: return .array((0..<random.below(5)).map { _ in make(depth: depth - 1, &random) })
    default:
      var members: [(String, Value)] = []
      for index in 0..<random.below(20) {
        members.append(("\(index)" + text(&random), make(depth: depth - 1, &random)))
      }
      return .object(members)
    }
  }

  static func text(_ random: inout SeededRandom) -> String {
    var scalars = String.UnicodeScalarView()
    let tops: [UInt64] = [0x80, 0x80, 0x800, 0x1_0000, 0x11_0000]
    for _ in 0..<random.below(12) {
      let top = tops[random.below(tops.count)]
      guard let scalar = Unicode.Scalar(UInt32(random.next() % top)) else { continue }
      // The judge drops U+FEFF where it begins a string or follows an escape (`foundationMeansOther`).
      if scalar != "\u{FEFF}" { scalars.append(scalar) }
    }
    return String(scalars)
  }

  static func write(_ value: Value, to writer: inout JSONWriter) {
    switch value {
    case .null: writer.null()
    case .bool(let value): writer.bool(value)
    case .int(let value): writer.int(value)
    case .string(let value): writer.string(value)
    case .array(let values):
      writer.beginArray()
      for value in values { write(value, to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for (name, value) in members {
        writer.key(name)
        write(value, to: &writer)
      }
      writer.endObject()
    }
  }

  static func read(_ node: JSONNode) -> Value? {
    switch node.kind {
    case .null: return .null
    case .bool: return node.bool.map(Value.bool)
    case .number: return node.int64.map(Value.int)
    case .string: return node.string.map(Value.string)
    case .array: return node.elements.map { .array($0.compactMap(read)) }
    case .object:
      return node.members.map { members in
        .object(members.compactMap { member in read(member.value).map { (member.name, $0) } })
      }
    }
  }
}
