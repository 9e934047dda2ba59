import Domain
import MethodSamples
import Testing

@testable import Server

// Every method that is no change, over a real socket, family by family. A new method does not compile before its family
// says how it is asked.
extension EveryMethodTests {
  /// A request that changes nothing, or that belongs to a connection or a sign-in.
  struct Asking: Sendable {
    /// A member of the result that is always there. Nil when the result has none.
    var member: String?
    /// Prepares the request. Returns the connection that sends it, and its parameters.
    let make: @Sendable (SharedList) throws -> (TestClient, [String: Any])
  }

  @Test(
    "A request that is no change is answered with its result",
    arguments: Method.allCases.filter { $0.asking != nil })
  func asks(_ method: Method) throws {
    let asking = try #require(method.asking)
    // The server stops when nobody holds it any more.
    let list = try SharedList()
    defer { withExtendedLifetime(list) {} }
    let (client, params) = try asking.make(list)
    let result = try client.call(method.name, params)
    if let member = asking.member {
      #expect(result[member] != nil, "\(result.keys.sorted())")
    } else {
      #expect(result.isEmpty, "\(result)")
    }
  }

  @Test("A method is asked here, or has a sample that is sent", arguments: Method.allCases)
  func isCalled(_ method: Method) {
    #expect(
      method.asking != nil || method.sample != nil,
      "give \(method) an asking in this file, or a sample in MethodSamples/Method+Sample.swift")
  }
}

extension Method {
  fileprivate var asking: EveryMethodTests.Asking? {
    switch self {
    case .connection(let method): method.asking
    case .signIn(let method): method.asking
    case .query(let method): method.asking
    case .moment(let method): method.asking
    case .account, .category, .post, .step, .run, .contest, .tag, .personal, .group, .invitation,
      .person, .member, .link, .filter, .bot, .line, .single:
      nil
    }
  }
}

extension ConnectionMethod {
  fileprivate var asking: EveryMethodTests.Asking {
    switch self {
    case .hello:
      .init(member: "user") { it in
        let client = try it.server.connect()
        let login: [String: Any] = ["username": "author", "password": "correct horse"]
        let token = try client.call("account.login", login)["token"] ?? ""
        return (client, ["token": token, "client": ["name": "test", "version": "1"]])
      }
    case .ping:
      .init(member: "time") { ($0.author.client, [:]) }
    case .about:
      .init(member: "server") { (try $0.server.connect(), [:]) }
    case .open:
      .init(member: "streams") {
        ($0.author.client, ["streams": [["stream": $0.stream]]])
      }
    case .close:
      .init { ($0.author.client, ["streams": [$0.stream]]) }
    }
  }
}

extension SignInMethod {
  fileprivate var asking: EveryMethodTests.Asking? {
    switch self {
    case .register:
      .init(member: "recoveryCode") {
        let who: [String: Any] = ["id": newID(), "username": "member", "password": "correct horse"]
        return (try $0.server.connect(), who)
      }
    case .login:
      .init(member: "token") {
        (try $0.server.connect(), ["username": "author", "password": "correct horse"])
      }
    case .recover:
      .init(member: "recoveryCode") { it in
        let client = try it.server.connect()
        let who: [String: Any] = ["id": newID(), "username": "member", "password": "correct horse"]
        let code = try client.call("account.register", who)["recoveryCode"] ?? ""
        let fresh: [String: Any] = ["password": "battery staple", "key": newID()]
        return (client, fresh.merging(["username": "member", "code": code]) { $1 })
      }
    case .logout:
      .init { ($0.author.client, [:]) }
    case .openPairing:
      .init(member: "code") { ($0.author.client, [:]) }
    case .pair:
      .init(member: "token") { it in
        let code = try it.author.client.call("session.pair")["code"] ?? ""
        return (try it.server.connect(), ["code": code, "device": device])
      }
    case .guest:
      .init(member: "token") {
        (try $0.openToGuests(), ["id": newID(), "device": device])
      }
    case .upgrade:
      .init(member: "recoveryCode") { it in
        let client = try it.openToGuests()
        let token = try client.call("account.guest", ["id": newID(), "device": device])["token"]
        let hello: [String: Any] = ["client": ["name": "test", "version": "1"]]
        try client.call("hello", hello.merging(["token": token ?? ""]) { $1 })
        let who: [String: Any] = [
          "username": "member", "password": "correct horse", "key": newID(),
        ]
        return (client, who)
      }
    case .changePassword, .delete: nil
    }
  }
}

extension QueryMethod {
  fileprivate var asking: EveryMethodTests.Asking {
    switch self {
    case .sessions:
      .init(member: "sessions") { ($0.author.client, [:]) }
    case .profile:
      .init(member: "profile") { ($0.author.client, [:]) }
    case .bots:
      .init(member: "bots") { ($0.author.client, [:]) }
    case .categories:
      .init(member: "categories") {
        ($0.author.client, ["show": "removed"])
      }
    case .posts:
      .init(member: "posts") {
        ($0.author.client, ["category": $0.list, "show": "open"])
      }
    case .members:
      .init(member: "members") {
        ($0.author.client, ["stream": $0.stream])
      }
    case .codes:
      .init(member: "codes") { ($0.author.client, ["stream": $0.stream]) }
    case .links:
      .init(member: "links") { ($0.author.client, ["category": $0.list]) }
    case .notifications:
      .init(member: "lists") { ($0.author.client, [:]) }
    case .undoPreview:
      .init(member: "steps") {
        ($0.author.client, ["stream": $0.stream, "events": [2]])
      }
    case .historyEvents:
      .init(member: "events") {
        ($0.author.client, ["stream": $0.stream])
      }
    case .historyState:
      .init(member: "objects") {
        ($0.author.client, ["category": $0.list, "seq": 1])
      }
    case .historyDifference:
      .init(member: "changes") {
        ($0.author.client, ["category": $0.list, "from": 1, "to": 2])
      }
    case .search:
      .init(member: "found") { ($0.author.client, ["text": "milk"]) }
    case .view:
      .init(member: "found") { ($0.author.client, [:]) }
    case .agenda:
      .init(member: "days") {
        ($0.author.client, ["from": "2026-11-24", "to": "2026-11-25"])
      }
    case .twins:
      .init(member: "twins") {
        ($0.author.client, ["category": $0.list, "title": "milk"])
      }
    case .digest:
      .init(member: "lists") { ($0.author.client, ["day": "2026-11-24"]) }
    case .stats:
      .init(member: "people") {
        ($0.author.client, ["stream": $0.stream, "from": "2026-11-24", "to": "2026-11-25"])
      }
    case .export:
      .init(member: "lines") { ($0.author.client, [:]) }
    }
  }
}

extension MomentMethod {
  fileprivate var asking: EveryMethodTests.Asking {
    switch self {
    case .presence:
      .init {
        (try $0.watching(), ["stream": $0.stream, "state": "here"])
      }
    case .typing:
      .init {
        (try $0.watching(), ["category": $0.list, "state": "typing"])
      }
    case .progress:
      .init {
        (try $0.watching(), ["category": $0.list, "post": $0.post, "done": 1, "of": 2])
      }
    }
  }
}

private let device = String(repeating: "d", count: 32)

extension SharedList {
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
