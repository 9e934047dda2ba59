import Foundation
import Store
import Testing

@testable import Server
@testable import Store

@Suite("DESIGN §3: a clock that is far from the newest event")
struct ClockTests {
  /// Changes the data as if all of it had been written so many days earlier.
  private func shift(_ server: TestServer, days: Int) throws {
    let folder = DataFolder(path: server.folder)
    let milliseconds = days * 86_400_000
    let database = try Database(path: folder.databasePath, access: .readWrite)
    try database.execute(
      """
      UPDATE event SET at = at - \(milliseconds); UPDATE stream SET at = at - \(milliseconds);
      """)
  }

  @Test(
    "Deadlines wait when nobody but the operator knows that so much time has passed",
    arguments: [
      (29, false, false), (60, false, true), (60, true, false), (400, true, true), (-2, true, true),
    ])
  func starts(days: Int, isSynchronized: Bool, waits: Bool) throws {
    let server = try TestServer()
    _ = try server.join("author")
    server.stop()
    try shift(server, days: days)
    try server.restart { $0.clockIsSynchronized = { isSynchronized } }
    // The ledger has looked at the clock before it takes anything.
    let client = try server.connect()
    func command() throws {
      try client.call(
        "account.register",
        ["id": newID(), "username": "u\(newID().suffix(12))", "password": "correct horse"])
    }
    try command()
    #expect(server.isPaused == waits)
    guard waits else { return }
    try OperatorCommands.confirmClock(dataFolder: server.folder)
    let deadline = Date(timeIntervalSinceNow: 20)
    while server.isPaused {
      try #require(Date() < deadline)
      try command()
    }
  }
}
