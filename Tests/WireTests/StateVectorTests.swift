import Domain
import Foundation
import Testing

@testable import Wire

// Each kind of op makes something of a state, and tells somebody or nobody (protocol §7, §16). The rows are in
// `protocol/vectors/state`, where other implementations read them too; `Tests/Protocol/replica.py` is one of these.
// With WHATTODO_STATE_VECTORS=1 in the environment the files are written anew instead of compared:
//   WHATTODO_STATE_VECTORS=1 swift test --disable-xctest --filter WireTests.StateVectorTests

@Suite("protocol §16 states")
struct StateVectorTests {
  private static let isWriting =
    ProcessInfo.processInfo.environment["WHATTODO_STATE_VECTORS"] == "1"

  @Test("the server makes of each row what its file says", arguments: StateFile.all)
  func rows(_ file: StateFile) throws {
    if Self.isWriting { return try file.write() }
    let made = file.json
    guard made != file.text else { return }
    let stored = Set(file.text.components(separatedBy: "\n{").map { $0.trimming(",]\n") })
    for row in file.rows.map(\.json) {
      let isStored = stored.contains(String(row.dropFirst()))
      #expect(isStored, "\(file.name) has not what the server makes: \(row)")
    }
    Issue.record("\(file.name) is not what the server makes of its rows")
  }

  @Test("every kind of op has a row in each kind of stream that it stands in")
  func kinds() throws {
    var played: [OpKind: Set<String>] = [:]
    for row in StateFile.all.flatMap(\.rows) {
      for kind in row.kinds {
        played[kind, default: []].insert("\(row.stream)".prefix(2).description)
      }
    }
    for row in CompletenessTests.rows(7) {
      let kind = try #require(OpKind(rawValue: row[0]))
      let streams = Set(row[1].split(separator: " ").map(String.init))
      #expect(played[kind] == streams, "\(kind.rawValue)")
    }
    #expect(Set(played.keys) == Set(OpKind.allCases))
  }

  @Test("every kind of op has a row in which it alone changes the state")
  func changes() {
    let changing = StateFile.all.flatMap(\.rows).filter { row in
      row.objectsAfter != Dictionary(row.objectsBefore.map { ($0.key, $0) }) { _, last in last }
    }
    let alone = Set(changing.filter { $0.event.ops.count == 1 }.flatMap(\.kinds))
    let idle: Set<OpKind> = [.post(.purged), .invitation(.heldBack)]
    #expect(Set(OpKind.allCases).subtracting(alone) == idle)
  }

  @Test("every kind of object and of notification comes out of a row")
  func outcomes() {
    let rows = StateFile.all.flatMap(\.rows)
    let objects = Set(rows.flatMap { $0.objectsAfter.keys.map(\.kind) })
    #expect(objects == Set(ObjectKind.allCases))
    let told = Set(rows.flatMap { $0.told.map(\.kind) })
    #expect(told == Set(Domain.Notification.Kind.allCases))
  }

  @Test("A file names each of its rows differently")
  func names() {
    for file in StateFile.all {
      #expect(Set(file.rows.map(\.name)).count == file.rows.count, "\(file.name)")
    }
  }
}

extension String {
  fileprivate func trimming(_ characters: String) -> String {
    trimmingCharacters(in: CharacterSet(charactersIn: characters))
  }
}
