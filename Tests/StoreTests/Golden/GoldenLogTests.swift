import Domain
import Glibc
import Testing
import Wire

@testable import Store

/// The net under every change of what an op means and of how it is spelled. `Tests/README.md` says what the files
/// are and what changes them.
@Suite("golden logs")
struct GoldenLogTests {
  private static let writes = getenv("WHATTODO_GOLDEN") != nil

  @Test(
    "A recorded log makes the states, the undos and the bytes that it made when it was recorded",
    .enabled(if: !writes), arguments: GoldenLog.all)
  func replayed(_ log: GoldenLog) throws {
    let replay = try GoldenReplay(log)
    let sums = try log.sums()
    #expect(sums.count == replay.outcomes.count, "\(log.name).sums has a line for each event")
    if let (outcome, sum) = zip(replay.outcomes, sums).first(where: { $0.sums != $1 }) {
      Issue.record("\(log.name): \(outcome.place): \(difference(outcome.sums, sum))")
    }
    let streams = replay.disagreements
    #expect(streams == [], "\(log.name): clients and the store have other states")
  }

  /// Returns the names of the columns that differ.
  private func difference(_ now: String, _ then: String) -> String {
    let columns = zip(now.split(separator: " "), then.split(separator: " "))
    let names = ["its number", "the state after it", "its undo", "its bytes, written again"]
    let found = zip(names, columns).filter { $0.1.0 != $0.1.1 }
    return found.map { "\($0.0): was \($0.1.1), is \($0.1.0)" }.joined(separator: "; ")
  }

  @Test("Every kind of op and every kind of object occurs in a recorded log")
  func everyKind() throws {
    let replays = try GoldenLog.all.map { try GoldenReplay($0) }
    let ops = replays.reduce(into: Set<OpKind>()) { $0.formUnion($1.opKinds) }
    let objects = replays.reduce(into: Set<ObjectKind>()) { $0.formUnion($1.objectKinds) }
    #expect(Set(OpKind.allCases).subtracting(ops) == [])
    #expect(Set(ObjectKind.allCases).subtracting(objects) == [])
  }

  /// Writes missing sums when `Golden/make` runs it. Existing sums stay: delete a log's file to get others.
  @Test("the sums of logs that have none", .enabled(if: writes), arguments: GoldenLog.all)
  func write(_ log: GoldenLog) throws {
    guard try log.sums().isEmpty else { return }
    try log.write(try GoldenReplay(log).outcomes.map(\.sums))
  }
}
