import Domain
import Foundation
import Sync
import Testing

@testable import Server

@Suite("protocol §8 `account.login`: how many sessions somebody has")
struct SessionLimitTests {
  private func logIn(
    _ server: TestServer, device: String? = nil, client: String = "script"
  ) throws -> [String: Any] {
    var params: [String: Any] = [
      "username": "author", "password": "correct horse",
      "client": ["name": client, "version": "1"],
    ]
    params["device"] = device
    return try server.connect().call("account.login", params)
  }

  private func hello(_ server: TestServer, _ token: Any?) throws -> TestClient {
    let client = try server.connect()
    try client.call(
      "hello",
      [
        "token": token ?? "", "client": ["name": "test", "version": "1"], "cursors": [:],
        "streams": "none",
      ])
    return client
  }

  @Test("With as many connected as there may be a sign-in is refused, and nobody is signed out")
  func allConnected() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let max = Limits.sessionsPerUserMax
    var clients = [author.client]
    while clients.count < max { clients.append(try hello(server, try logIn(server)["token"])) }
    #expect(throws: TestFailure.refused(kind: "quota", field: nil)) { try logIn(server) }
    for client in clients { try client.call("ping") }
    // One of them leaves: there is room.
    try clients[5].call("account.logout")
    _ = try hello(server, try logIn(server)["token"])
    for (index, client) in clients.enumerated() where index != 5 { try client.call("ping") }
  }

  @Test("A script that signs in each time that it runs signs out nobody but itself")
  func script() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let phone = try logIn(server, client: "phone")["token"]
    for _ in 1...(2 * Limits.sessionsPerUserMax) { _ = try logIn(server) }
    try author.client.call("ping")
    let sessions = try author.client.call("session.list")["sessions"] as? [Any]
    #expect(sessions?.count == Limits.sessionsPerUserMax)
    _ = try hello(server, phone)
  }

  @Test("A device that signs in again has one session, and keeps the one that is connected")
  func sameDevice() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    func count() throws -> Int? {
      (try author.client.call("session.list")["sessions"] as? [Any])?.count
    }
    let device = "the secret of my telephone"
    let first = try logIn(server, device: device)["token"]
    let second = try logIn(server, device: device)["token"]
    #expect(try count() == 2)
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try hello(server, first)
    }
    let connected = try hello(server, second)
    for _ in 1...3 { _ = try logIn(server, device: device) }
    #expect(try count() == 3)
    try connected.call("ping")
  }
}
