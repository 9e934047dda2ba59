import Domain
import Testing

@testable import Server

// Every method that is no change, over a real socket. Together with the table of changes these are all methods, so a
// new one is missing here until it is called.
extension EveryMethodTests {
  /// A request that changes nothing, or that belongs to a connection or a sign-in.
  struct Asking: Sendable {
    let method: Method
    /// A member of the result that is always there. Nil when the result has none.
    var member: String?
    /// Prepares the request. Returns the connection that sends it, and its parameters.
    let make: @Sendable (borrowing Setting) throws -> (TestClient, [String: Any])
  }

  private static let device = String(repeating: "d", count: 32)

  static let askings: [Asking] = [
    Asking(method: .connection(.hello), member: "user") { it in
      let client = try it.server.connect()
      let login: [String: Any] = ["username": "author", "password": "correct horse"]
      let token = try client.call("account.login", login)["token"] ?? ""
      return (client, ["token": token, "client": ["name": "test", "version": "1"]])
    },
    Asking(method: .connection(.ping), member: "time") { ($0.author.client, [:]) },
    Asking(method: .connection(.about), member: "server") { (try $0.server.connect(), [:]) },
    Asking(method: .connection(.open), member: "streams") {
      ($0.author.client, ["streams": [["stream": $0.stream]]])
    },
    Asking(method: .connection(.close)) { ($0.author.client, ["streams": [$0.stream]]) },
    Asking(method: .signIn(.register), member: "recoveryCode") {
      let who: [String: Any] = ["id": newID(), "username": "member", "password": "correct horse"]
      return (try $0.server.connect(), who)
    },
    Asking(method: .signIn(.login), member: "token") {
      (try $0.server.connect(), ["username": "author", "password": "correct horse"])
    },
    Asking(method: .signIn(.recover), member: "recoveryCode") { it in
      let client = try it.server.connect()
      let who: [String: Any] = ["id": newID(), "username": "member", "password": "correct horse"]
      let code = try client.call("account.register", who)["recoveryCode"] ?? ""
      let fresh: [String: Any] = ["password": "battery staple", "key": newID()]
      return (client, fresh.merging(["username": "member", "code": code]) { $1 })
    },
    Asking(method: .signIn(.logout)) { ($0.author.client, [:]) },
    Asking(method: .signIn(.openPairing), member: "code") { ($0.author.client, [:]) },
    Asking(method: .signIn(.pair), member: "token") { it in
      let code = try it.author.client.call("session.pair")["code"] ?? ""
      return (try it.server.connect(), ["code": code, "device": device])
    },
    Asking(method: .signIn(.guest), member: "token") {
      (try $0.openToGuests(), ["id": newID(), "device": device])
    },
    Asking(method: .signIn(.upgrade), member: "recoveryCode") { it in
      let client = try it.openToGuests()
      let token = try client.call("account.guest", ["id": newID(), "device": device])["token"]
      let hello: [String: Any] = ["client": ["name": "test", "version": "1"]]
      try client.call("hello", hello.merging(["token": token ?? ""]) { $1 })
      let who: [String: Any] = ["username": "member", "password": "correct horse", "key": newID()]
      return (client, who)
    },
    Asking(method: .query(.sessions), member: "sessions") { ($0.author.client, [:]) },
    Asking(method: .query(.profile), member: "profile") { ($0.author.client, [:]) },
    Asking(method: .query(.categories), member: "categories") {
      ($0.author.client, ["show": "removed"])
    },
    Asking(method: .query(.posts), member: "posts") {
      ($0.author.client, ["category": $0.list, "show": "open"])
    },
    Asking(method: .query(.members), member: "members") {
      ($0.author.client, ["stream": $0.stream])
    },
    Asking(method: .query(.codes), member: "codes") { ($0.author.client, ["stream": $0.stream]) },
    Asking(method: .query(.links), member: "links") { ($0.author.client, ["category": $0.list]) },
    Asking(method: .query(.notifications), member: "lists") { ($0.author.client, [:]) },
    Asking(method: .query(.undoPreview), member: "steps") {
      ($0.author.client, ["stream": $0.stream, "events": [2]])
    },
    Asking(method: .query(.historyEvents), member: "events") {
      ($0.author.client, ["stream": $0.stream])
    },
    Asking(method: .query(.historyState), member: "objects") {
      ($0.author.client, ["category": $0.list, "seq": 1])
    },
    Asking(method: .query(.historyDifference), member: "changes") {
      ($0.author.client, ["category": $0.list, "from": 1, "to": 2])
    },
    Asking(method: .query(.search), member: "found") { ($0.author.client, ["text": "milk"]) },
    Asking(method: .query(.view), member: "found") { ($0.author.client, [:]) },
    Asking(method: .query(.agenda), member: "days") {
      ($0.author.client, ["from": "2026-11-24", "to": "2026-11-25"])
    },
    Asking(method: .query(.twins), member: "twins") {
      ($0.author.client, ["category": $0.list, "title": "milk"])
    },
    Asking(method: .query(.digest), member: "lists") { ($0.author.client, ["day": "2026-11-24"]) },
    Asking(method: .query(.stats), member: "people") {
      ($0.author.client, ["stream": $0.stream, "from": "2026-11-24", "to": "2026-11-25"])
    },
    Asking(method: .query(.export), member: "lines") { ($0.author.client, [:]) },
    Asking(method: .moment(.presence)) {
      (try $0.watching(), ["stream": $0.stream, "state": "here"])
    },
    Asking(method: .moment(.typing)) {
      (try $0.watching(), ["category": $0.list, "state": "typing"])
    },
    Asking(method: .moment(.progress)) {
      (try $0.watching(), ["category": $0.list, "post": $0.post, "done": 1, "of": 2])
    },
  ]

  @Test("A request that is no change is answered with its result", arguments: askings)
  func asks(_ asking: Asking) throws {
    // The server stops when nobody holds it any more.
    let setting = Setting(try Household())
    defer { withExtendedLifetime(setting) {} }
    let (client, params) = try asking.make(setting)
    let result = try client.call(asking.method.name, params)
    if let member = asking.member {
      #expect(result[member] != nil, "\(result.keys.sorted())")
    } else {
      #expect(result.isEmpty, "\(result)")
    }
  }

  @Test("Every method of the protocol is called in these tests")
  func complete() {
    let called = Self.askings.map(\.method) + Self.changes.map(\.method)
    #expect(Set(called) == Set(Method.allCases))
    #expect(called.count == Method.allCases.count)
  }
}

extension EveryMethodTests.Setting {
  /// Starts the server anew, with room for guests. Returns a connection.
  fileprivate func openToGuests() throws -> TestClient {
    try server.restart { $0.guestsMax = 5 }
    return try server.connect()
  }

  /// Opens the list on the author's connection, as what holds for a moment needs.
  fileprivate func watching() throws -> TestClient {
    try author.client.call("sync.open", ["streams": [["stream": stream]]])
    return author.client
  }
}
