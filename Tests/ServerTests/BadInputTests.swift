import Domain
import Foundation
import Net
import Sync
import Testing

@testable import Server

@Suite("protocol §11: bad input over a real socket")
struct BadInputTests {
  /// A message as it is sent, and the kind of its error answer.
  struct Row: Sendable {
    let message: String
    let kind: String
    var field: String?

    init(_ message: String, _ kind: String, _ field: String? = nil) {
      self.message = message
      self.kind = kind
      self.field = field
    }
  }

  static let rows: [Row] = [
    Row("", "parse"),
    Row("{", "parse"),
    Row("{\"id\":1,\"id\":2}", "parse"),
    Row("[]", "invalid_request"),
    Row("7", "invalid_request"),
    Row("{\"method\":\"ping\"}", "invalid_request"),
    Row("{\"id\":1.5,\"method\":\"ping\"}", "invalid_request"),
    Row("{\"id\":1}", "invalid_request"),
    Row("{\"id\":1,\"method\":\"no.such\"}", "unknown_method"),
    Row("{\"id\":1,\"method\":\"profile.get\",\"params\":[]}", "invalid_request"),
    Row("{\"id\":1,\"method\":\"hello\",\"params\":{\"token\":\"t\"}}", "invalid", "client"),
    Row("{\"id\":1,\"method\":\"category.add\",\"params\":{\"name\":\"a\"}}", "invalid"),
  ]

  @Test("Each has its error, and the connection goes on", arguments: rows)
  func message(_ row: Row) throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    author.client.sendText(Array(row.message.utf8))
    let failure = author.client.failure(try author.client.next())
    guard case .refused(let kind, let field) = failure else {
      Issue.record("it was not refused")
      return
    }
    #expect(kind == row.kind)
    if let expected = row.field { #expect(field == expected) }
    try author.client.call("ping")
  }

  @Test("Fields of a post, and lists of others")
  func fields() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let bots = try server.join("bots", streams: "none")
    let list = try author.addList().id
    func refused(_ kind: String, _ field: String?, _ params: [String: Any]) {
      #expect(throws: TestFailure.refused(kind: kind, field: field)) {
        try author.client.change("post.add", params)
      }
    }
    let good: [String: Any] = ["category": list, "id": newID(), "title": "milk"]
    refused("invalid", "title", good.merging(["title": "  "]) { $1 })
    refused("invalid", "title", good.merging(["title": "a\u{202E}b"]) { $1 })
    refused(
      "too_large", "title", good.merging(["title": String(repeating: "x", count: 501)]) { $1 })
    refused("invalid", "id", good.merging(["id": "12"]) { $1 })
    refused("not_found", nil, good.merging(["category": newID()]) { $1 })
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try bots.client.change("post.add", good)
    }
    try author.client.change("post.add", good)
    #expect(throws: TestFailure.refused(kind: "exists", field: "id")) {
      try author.client.change("post.add", good)
    }
    #expect(throws: TestFailure.refused(kind: "invalid", field: "zone")) {
      try server.connect().call(
        "account.register",
        ["id": newID(), "username": "member", "password": "correct horse", "zone": "Mars/Base"])
    }
    #expect(throws: TestFailure.refused(kind: "invalid", field: "zone")) {
      try author.client.change("profile.edit", ["zone": "Mars/Base"])
    }
  }

  @Test("Binary messages, and one nonsense after another, end the connection")
  func closes() throws {
    let server = try TestServer()
    let binary = try server.connect()
    binary.sendText([1, 2, 3], opcode: 2)
    #expect(binary.closeCode() == 1003)
    let nonsense = try server.connect()
    for _ in 0..<10 { nonsense.sendText(Array("nonsense".utf8)) }
    for _ in 0..<10 { _ = try nonsense.next() }
    #expect(nonsense.closeCode() == 4505)
    let large = try server.connect()
    large.sendText(Array(repeating: UInt8(ascii: " "), count: Limits.messageBytesMax + 1))
    #expect(large.closeCode() == 1009)
  }

  @Test("Too many requests are refused with a time to wait, in order with the others")
  func rate() throws {
    let server = try TestServer {
      $0.session.rate = TokenRate(count: 1, everyMilliseconds: 60_000, burst: 6)
    }
    let author = try server.join("author", streams: "none")
    let sent = (0..<6).map { _ in author.client.send("profile.get") }
    var refused = 0
    for number in sent {
      do {
        _ = try author.client.answer(to: number)
      } catch TestFailure.refused(let kind, _) {
        #expect(kind == "rate_limited")
        refused += 1
      }
    }
    // Registering, signing in and hello took three of six.
    #expect(refused == 3)
  }

  /// With three readers and several loops, all of them meet the connections.
  @Test("One user says hello only so often, from whatever session", arguments: [1, 2, 3])
  func helloRate(loops: Int) throws {
    let server = try TestServer {
      $0.helloRate = TokenRate(count: 1, everyMilliseconds: 60_000, burst: 4)
      ($0.loops, $0.readers) = (loops, 3)
    }
    var people = try ["author", "bots", "carol"].map { try server.join($0, streams: "none") }
    for index in people.indices { people[index].client = try server.connect() }
    for person in people {
      for _ in 0..<2 { _ = try server.again(person, streams: "none") }
      let login = try person.client.call(
        "account.login", ["username": person.username, "password": "correct horse"])
      let session = Person(
        client: person.client, id: person.id, username: person.username,
        token: login["token"] as? String ?? "", session: "", recoveryCode: "")
      try session.hello(streams: "none")
      for refused in [person, session, person, session] {
        #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
          try server.again(refused, streams: "none")
        }
      }
    }
  }

  @Test("A hundred commands at once are answered in order, each once")
  func pipeline() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let sent = (1...100).map { number in
      author.client.send(
        "post.add",
        ["category": list, "id": newID(), "title": "p\(number)", "key": newID()])
    }
    var numbers: [Int] = []
    for number in sent {
      numbers.append(try author.client.answer(to: number)["number"] as? Int ?? 0)
    }
    #expect(numbers == Array(1...100))
  }
}
