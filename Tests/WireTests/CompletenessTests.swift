import Domain
import Foundation
import Testing

@testable import Wire

// A message does not exist until it is in the specification, the schemas and the vectors; and what is
// there without being in the code does not exist either.

@Suite("protocol: nothing is missing, nothing is left over")
struct CompletenessTests {
  static let specification: [Substring] = {
    do {
      let data = try Data(contentsOf: Vectors.protocolFolder.appending(path: "README.md"))
      return String(decoding: data, as: UTF8.self).split(separator: "\n")
    } catch {
      fatalError("protocol/README.md cannot be read: \(error)")
    }
  }()

  /// The lines of a chapter, by its number.
  static func chapter(_ number: Int) -> [Substring] {
    let start = specification.drop { !$0.hasPrefix("## \(number) ") }
    return Array(start.dropFirst().prefix { !$0.hasPrefix("## ") })
  }

  /// The first cells of a chapter's table rows, without backquotes.
  static func rows(_ number: Int) -> [[String]] {
    chapter(number).filter { $0.hasPrefix("| `") || $0.hasPrefix("| 4") || $0.hasPrefix("| 1") }
      .map { row in
        row.split(separator: "|").map {
          $0.replacingOccurrences(of: "`", with: "").trimmingCharacters(in: .whitespaces)
        }
      }
  }

  static func schemas(_ table: String) throws -> [String: JSONNode] {
    let document = try Vectors.document("schema/\(table).json")
    let members = try #require(document.root["$defs"]?.members)
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
  }

  @Test("methods have a section, two schemas and two vectors")
  func methods() throws {
    let names = Method.allCases.map(\.name)
    let headings = Self.chapter(8).filter { $0.hasPrefix("#### ") }
    #expect(headings.sorted() == names.map { "#### `\($0)`" }.sorted())
    #expect(Set(try Self.schemas("requests").keys) == Set(names))
    #expect(Set(try Self.schemas("results").keys) == Set(names))
    #expect(Set(names).subtracting(Vectors.requests.map(\.name)) == [])
    #expect(Set(names).subtracting(Vectors.results.map(\.name)) == [])
  }

  @Test("the index of the methods has the row of each, in the order of the sections")
  func index() throws {
    let methods = Self.chapter(8).filter { $0.hasPrefix("#### ") }
      .compactMap { Method(named: $0.dropFirst(6).dropLast().description) }
    let wanted = try methods.map { method in
      let role = method.row.leastRole?.word ?? "anybody"
      let cells = ["`\(method)`", role, try Self.home(of: method)] + Self.flags(of: method)
      return "| " + cells.joined(separator: " | ") + " |"
    }
    let rows = Self.chapter(8).filter { $0.hasPrefix("| `") && $0.filter { $0 == "|" }.count == 8 }
    #expect(rows.map(String.init) == wanted, "write these rows into protocol/README.md §8")
  }

  /// The cell of a method for the stream to which its key belongs: the parameter that has the stream, or its id.
  private static func home(of method: Method) throws -> String {
    let own = "own `u:`"
    guard try method.parameters.rows.contains(where: { $0.name == "key" }) else { return "–" }
    let sample = try #require(Samples.requests.first { $0.name == method.name }?.value)
    // The others with a key are those about the account itself.
    guard case .command(let command, key: _, base: _) = sample else { return own }
    let home = command.home(of: ID.editor)
    if case .batch(let commands) = command {
      #expect(home == commands.first?.home(of: ID.editor))
      return "that of the first of `commands`"
    }
    if home == .user(ID.editor) { return own }
    let params = try JSONDocument(sample.encoded(id: .number(1))).root["params"]
    if params?["stream"]?.string == "\(home)" { return "`stream`" }
    let name = ["category", "id"].first { params?[$0]?.string == "\(home.uuid)" }
    return "`\("\(home)".prefix(2))` of `\(try #require(name))`"
  }

  /// The cells of a method in the index: in a batch, in an archive, by a link, while the disk is almost full.
  private static func flags(of method: Method) -> [String] {
    let row = method.row
    func cell(_ flag: Bool, isAsked: Bool) -> String { isAsked ? flag ? "yes" : "" : "–" }
    let isChange = row.kind == .change
    let hasCategory: Bool
    switch method {
    case .account, .filter, .person, .group, .bot: hasCategory = false
    default: hasCategory = isChange
    }
    // The other methods of signing in write nothing into the log.
    let making: Set<Method> = [.signIn(.register), .signIn(.guest), .signIn(.upgrade)]
    let writes = isChange || row.makesRoom || making.contains(method)
    return [
      cell(row.standsInBatch, isAsked: isChange), cell(row.worksInArchive, isAsked: hasCategory),
      row.isOpenToLinks ? "yes" : "", cell(row.makesRoom, isAsked: writes),
    ]
  }

  @Test("op kinds have a row in both tables, a schema and a vector")
  func ops() throws {
    let names = OpKind.allCases.map(\.rawValue)
    #expect(Self.rows(7).map { $0[0] } == names)
    let applied = Self.rows(16).flatMap { $0[0].components(separatedBy: ", ") }
    #expect(applied.sorted() == names.sorted())
    #expect(Set(try Self.schemas("ops").keys) == Set(names))
    #expect(Set(names).subtracting(Vectors.ops.map(\.name)) == [])
  }

  @Test("object kinds have a row, a schema and a vector")
  func objects() throws {
    let names = Set(ObjectKind.allCases.map(\.rawValue))
    #expect(Set(Self.rows(6).map { $0[0] }) == names)
    #expect(Set(try Self.schemas("objects").keys) == names)
    #expect(names.subtracting(Vectors.objects.map(\.name)) == [])
  }

  @Test("pushes have a row, a schema and a vector")
  func pushes() throws {
    let names = PushMethod.allCases.map(\.rawValue)
    #expect(Self.rows(9).map { $0[0] } == names)
    #expect(Set(try Self.schemas("pushes").keys) == Set(names + ["event"]))
    #expect(Set(names).subtracting(Vectors.pushes.map(\.name)) == [])
  }

  @Test("error kinds have a row with code and retry, a schema with both, and a vector")
  func errors() throws {
    let rows = Self.rows(11)
    let schemas = try Self.schemas("errors")
    #expect(rows.map { $0[0] } == ErrorKind.allCases.map(\.rawValue))
    #expect(Set(schemas.keys) == Set(ErrorKind.allCases.map(\.rawValue)))
    for (kind, row) in zip(ErrorKind.allCases, rows) {
      #expect(row[1] == "\(kind.code)")
      #expect(row[2] == kind.retry.rawValue)
      let error = schemas[kind.rawValue]?["properties"]?["error"]?["properties"]
      #expect(error?["code"]?["const"]?.int64 == Int64(kind.code))
      let retry = error?["data"]?["properties"]?["retry"]?["const"]?.string
      #expect(retry == kind.retry.rawValue)
      #expect(Vectors.errors.contains { $0.name == kind.rawValue })
    }
  }

  @Test("every failure is in a vector, and every way to be no request")
  func failures() throws {
    #expect(Set(Samples.failures.map(\.name)) == Set(Vectors.errors.map(\.name)))
    let sentences =
      try
      (Vectors.invalid.map { try answerSentence($0, "answer") }
      + Vectors.errors.map { try answerSentence($0, "message") })
    for fault in EnvelopeFault.allCases { #expect(sentences.contains(fault.sentence)) }
    // A text longer than a message never gets so far: the connection is closed (1009).
    for kind in JSONError.Kind.allCases where kind != .tooLong {
      #expect(sentences.contains { $0.hasPrefix("Not JSON: \(kind.sentence), ") }, "\(kind)")
    }
  }

  private func answerSentence(_ vector: Vector, _ member: String) throws -> String {
    try #require(vector.row[member]?["error"]?["message"]?.string)
  }

  @Test("close codes are listed, and no others")
  func closeCodes() {
    let listed = Self.rows(12).flatMap { $0[0].split(separator: ", ").compactMap { UInt16($0) } }
    #expect(listed.sorted() == CloseCode.allCases.map(\.rawValue).sorted())
  }

  @Test("limits are listed with their values, and no others")
  func limits() {
    let listed = Self.rows(13).flatMap { row in
      zip(row[0].split(separator: ", "), row[1].split(separator: ", "))
        .map { "\($0)=\($1)" }
    }
    #expect(listed.sorted() == ToldLimit.standard.map { "\($0.name)=\($0.value)" }.sorted())
  }
}
