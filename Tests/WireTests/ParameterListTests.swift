import Domain
import Foundation
import Testing

@testable import Wire

// The tables and schemas of the protocol are made from `ParameterList`. Here each row is tried on the code that reads
// requests.

@Suite("protocol: parameters are as their table says")
struct ParameterListTests {
  @Test("a request with every example is read, and read again as it was written")
  func examples() throws {
    for method in Method.allCases {
      let request = try Self.read(method, Self.rows(of: method))
      #expect(request.method == method)
      let again = try RequestEnvelope(decoding: request.encoded(id: .number(1)))
      #expect(again.request == request, "\(method.name)")
    }
  }

  @Test("a request without a parameter is refused when it is required, and read when it is not")
  func absent() throws {
    for method in Method.allCases {
      let list = try method.parameters
      // One alternative after another is left out; here others may be there.
      let chosen = Set(list.rules.flatMap { $0.flatMap(\.self) })
      let rows = try Self.rows(of: method)
      for row in rows where !chosen.contains(row.name) {
        let rest = rows.filter { $0.name != row.name }
        guard row.isRequired else {
          #expect(throws: Never.self, "\(method.name) without \(row.name)") {
            try Self.read(method, rest)
          }
          continue
        }
        #expect(try Self.fieldRefused(method, rest) == row.name, "\(method.name)")
      }
    }
  }

  @Test("a request without any alternative is refused, and one with each is read")
  func alternatives() throws {
    for method in Method.allCases {
      let list = try method.parameters
      let rows = try Self.rows(of: method)
      for rule in list.rules {
        let names = Set(rule.flatMap(\.self))
        let without = rows.filter { !names.contains($0.name) }
        let field = try #require(try Self.fieldRefused(method, without), "\(method.name)")
        #expect(names.contains(field))
        for alternative in rule {
          let with = rows.filter { !names.contains($0.name) || alternative.contains($0.name) }
          #expect(throws: Never.self, "\(method.name) with \(alternative)") {
            try Self.read(method, with)
          }
        }
      }
    }
  }

  @Test("a value of another kind is refused, and the refusal names its parameter")
  func wrongValues() throws {
    for method in Method.allCases {
      let rows = try Self.rows(of: method)
      for row in rows {
        // Only one alternative is read, so each is tried alone.
        let refused = try Self.branches(of: method).contains { others in
          let sent = rows.filter { !others.contains($0.name) }.map { it in
            it.name == row.name
              ? Sent(name: it.name, isRequired: it.isRequired, example: #"{"\u0000":[]}"#) : it
          }
          let field = try Self.fieldRefused(method, sent)
          return field == row.name || field?.hasPrefix("\(row.name).") == true
        }
        #expect(refused, "\(method.name): \(row.name)")
      }
    }
  }

  @Test("the list has the bounds and the default that a request has")
  func bounds() throws {
    let list = try Method.post(.claimNext).parameters
    #expect(list.rows.map(\.name) == ["category", "leaseMs", "base", "key"])
    let lease = try #require(list.rows.first { $0.name == "leaseMs" })
    #expect(lease.schema == #"{"type":"integer","minimum":1000,"maximum":604800000}"#)
    #expect(lease.standard == "3600000")
    #expect(!lease.isRequired)
  }

  @Test(
    "The lengths of texts in the schemas are the limits",
    arguments: [
      ("name", 1...Limits.nameScalarsMax), ("title", 1...Limits.titleScalarsMax),
      ("notes", 0...Limits.notesScalarsMax), ("step", 1...Limits.stepScalarsMax),
      ("tagName", 1...Limits.tagScalarsMax), ("zone", 1...Params.zoneScalarsMax),
      ("location", 0...Limits.locationScalarsMax),
      ("personalNote", 0...Limits.personalNoteScalarsMax),
    ])
  func lengths(name: String, scalars: ClosedRange<Int>) throws {
    let schema = try #require(try CompletenessTests.schemas("common")[name])
    #expect(schema["minLength"]?.int64 ?? 0 == Int64(scalars.lowerBound))
    #expect(schema["maxLength"]?.int64 == Int64(scalars.upperBound))
  }

  @Test("each alternative of a question about the past is in its list, in the order of reading")
  func branches() throws {
    let list = try Method.query(.undoPreview).parameters
    #expect(list.rows.map(\.name) == ["stream", "events", "by", "since", "until"])
    #expect(list.rows.filter(\.isRequired).map(\.name) == ["stream"])
    #expect(list.rules == [[["events"], ["by", "since"]]])
  }
}

extension ParameterListTests {
  /// A parameter with the value that a request sends.
  struct Sent {
    let name: String
    let isRequired: Bool
    let example: String
  }

  static func rows(of method: Method) throws -> [Sent] {
    try method.parameters.rows.map {
      Sent(name: $0.name, isRequired: $0.isRequired, example: $0.example)
    }
  }

  /// For each alternative the names of the others; one without names where there are none.
  static func branches(of method: Method) throws -> [Set<String>] {
    let rules = try method.parameters.rules
    let branches = rules.flatMap { rule in
      rule.map { Set(rule.flatMap(\.self)).subtracting($0) }
    }
    return [[]] + branches
  }

  static func read(_ method: Method, _ rows: [Sent]) throws -> Request {
    let params = rows.map { #""\#($0.name)":\#($0.example)"# }.joined(separator: ",")
    let text = #"{"id":1,"method":"\#(method.name)","params":{\#(params)}}"#
    return try RequestEnvelope(decoding: Array(text.utf8)).request
  }

  /// The field that the refusal of this request names. Nil when it is read.
  static func fieldRefused(_ method: Method, _ rows: [Sent]) throws -> String? {
    do {
      _ = try read(method, rows)
      return nil
    } catch let error as RequestError {
      guard case .refused(.invalid(let field, _, _)) = error.failure else { return nil }
      return field
    }
  }
}
