import Crypto
import Foundation
import Glibc
import Net
import Sync
import Testing

@testable import Server

@Suite("protocol: how sessions and connections end")
struct SessionEndTests {
  @Test("A session that is closed elsewhere ends its connections with 4506, on every loop")
  func closedElsewhere() throws {
    let server = try TestServer { $0.loops = 2 }
    let author = try server.join("author")
    let others = try (0..<3).map { _ in try server.again(author).0 }
    let login = try server.connect().call(
      "account.login", ["username": "author", "password": "correct horse"])
    var second = author
    second.client = try server.connect()
    second = Person(
      client: second.client, id: author.id, username: "author", token: login["token"] as! String,
      session: "", recoveryCode: "")
    try second.hello()
    try second.client.change("session.close", ["id": author.session])
    for person in others + [author] { #expect(person.client.closeCode() == 4506) }
    try second.client.call("ping")
    let late = try server.connect()
    var lost = author
    lost.client = late
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try lost.hello()
    }
    #expect(late.closeCode() == 4502)
  }

  @Test("A new password closes the other sessions and keeps this one")
  func changedPassword() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let login = try server.connect().call(
      "account.login", ["username": "author", "password": "correct horse"])
    let other = Person(
      client: try server.connect(), id: author.id, username: "author",
      token: login["token"] as! String, session: "", recoveryCode: "")
    try other.hello()
    try author.client.change(
      "account.change_password", ["old": "correct horse", "new": "battery staple"])
    #expect(other.client.closeCode() == 4506)
    try author.client.call("ping")
    #expect(throws: TestFailure.refused(kind: "invalid", field: "old")) {
      try author.client.change(
        "account.change_password", ["old": "correct horse", "new": "another one"])
    }
  }

  @Test("Signing out is answered and ends the token")
  func logout() throws {
    let server = try TestServer()
    let author = try server.join("author")
    try author.client.call("account.logout")
    #expect(author.client.closeCode() == 1000)
    var again = author
    again.client = try server.connect()
    #expect(throws: TestFailure.self) { try again.hello() }
  }

  @Test("A recovered account closes every session")
  func recovered() throws {
    let server = try TestServer()
    let author = try server.join("author")
    try server.connect().change(
      "account.recover",
      ["username": "author", "code": author.recoveryCode, "password": "battery staple"])
    #expect(author.client.closeCode() == 4506)
  }

  @Test("Without hello in time the connection is closed with 4501")
  func helloTimeout() throws {
    let server = try TestServer { $0.session.helloMilliseconds = 200 }
    #expect(try server.connect().closeCode() == 4501)
  }

  @Test(
    "A stopping server tells its clients, closes with 4001 and keeps what it acknowledged",
    arguments: [1, 2])
  func stop(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let author = try server.join("author")
    let (list, _) = try author.addList()
    try author.addPost(list)
    let (idle, _) = try server.again(author)
    server.stop()
    for client in [author.client, idle.client] {
      let push = try client.push("server.drain")
      #expect(push["withinMs"] as? Int == 5_000)
      #expect(client.closeCode() == 4001)
    }
    try server.restart()
    let (back, _) = try server.again(author)
    let posts = try back.client.call("post.list", ["category": list, "show": "open"])
    #expect((posts["posts"] as? [Any])?.count == 1)
  }

  @Test("A second server on the same data or port says so and starts nothing")
  func second() throws {
    let first = try TestServer()
    var options = ServerOptions(dataFolder: first.folder)
    options.listen = [try ListenAddress("127.0.0.1:0")]
    options.scryptCost = ScryptCost(logN: 10, r: 8, p: 1)
    #expect {
      _ = try Server(options)
    } throws: {
      "\($0)".contains("Another server") && "\($0)".contains(first.folder)
    }
    let other = first.folder + "-second"
    defer { try? FileManager.default.removeItem(atPath: other) }
    options.dataFolder = other
    let port = first.url.dropFirst(5).prefix { $0 != "/" }
    options.listen = [try ListenAddress(String(port))]
    #expect {
      _ = try Server(options)
    } throws: {
      "\($0)".contains("already listens")
    }
    options.listen = [try ListenAddress("0.0.0.0:0")]
    #expect {
      _ = try Server(options)
    } throws: {
      "\($0)".contains("--insecure-plaintext")
    }
  }

  @Test("Registration by code: once for each code, and not without one")
  func byCode() throws {
    let server = try TestServer { $0.registration = .byCode }
    let client = try server.connect()
    func register(_ username: String, _ code: String?) throws {
      var who: [String: Any] = ["id": newID(), "username": username, "password": "correct horse"]
      who["code"] = code
      try client.call("account.register", who)
    }
    #expect(throws: TestFailure.refused(kind: "invalid", field: "code")) {
      try register("author", nil)
    }
    #expect(throws: TestFailure.refused(kind: "invalid", field: "code")) {
      try register("author", "0000-0000-0000-0000-0000-0000-0000-0000")
    }
    let code = try OperatorCommands.invite(dataFolder: server.folder, days: 1)
    try register("author", code.lowercased())
    #expect(throws: TestFailure.self) { try register("bots", code) }
  }

  @Test("user reset beside a running server prints the code that works")
  func reset() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let code = try OperatorCommands.recoveryCode(dataFolder: server.folder, username: "author")
    #expect(code == author.recoveryCode)
    #expect(throws: OperatorError.self) {
      try OperatorCommands.recoveryCode(dataFolder: server.folder, username: "nobody")
    }
  }

  @Test("verify agrees beside a running server, and a backup is a database of its own")
  func verifyAndBackup() throws {
    let server = try TestServer()
    let author = try server.join("author")
    try author.addPost(try author.addList().id)
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
    let copy = server.folder + "-copy"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try OperatorCommands.backup(dataFolder: server.folder, to: copy + "/whattodo.db")
    #expect(try OperatorCommands.verify(dataFolder: copy).isSound)
    #expect(throws: OperatorError.self) {
      try OperatorCommands.backup(dataFolder: server.folder, to: copy + "/whattodo.db")
    }
  }
}

@Suite("DESIGN §6: sign-in limits")
struct SignInTests {
  @Test("Unknown user and wrong password are the same answer")
  func sameWords() throws {
    let server = try TestServer()
    _ = try server.join("author")
    let client = try server.connect()
    var answers: [String] = []
    for username in ["author", "nobody"] {
      client.send([
        "id": 7, "method": "account.login",
        "params": ["username": username, "password": "wrong password"],
      ])
      answers.append("\(try client.next()["error"] as? [String: Any] ?? [:])".sortedCharacters)
    }
    #expect(answers[0] == answers[1])
  }

  @Test("Wrong guesses are slowed, from a device that signed in before nobody is")
  func limits() throws {
    let server = try TestServer {
      $0.signIn.perAccount = TokenRate(count: 1, everyMilliseconds: 60_000, burst: 3)
    }
    _ = try server.join("author")
    let client = try server.connect()
    let right = [
      "username": "author", "password": "correct horse", "device": "the secret of my old laptop",
    ]
    try client.call("account.login", right)
    var kinds: [String] = []
    for _ in 0..<5 {
      do {
        try client.call("account.login", ["username": "author", "password": "a wrong guess"])
      } catch TestFailure.refused(let kind, _) {
        kinds.append(kind)
      }
    }
    #expect(kinds.last == "rate_limited" && kinds.contains("unauthenticated"))
    #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
      try client.call(
        "account.login", right.merging(["device": "the secret of another one"]) { $1 })
    }
    try client.call("account.login", right)
  }

  @Test("At the default cost of a password hash")
  func defaultCost() throws {
    let server = try TestServer { $0.scryptCost = .standard }
    try server.join("author").client.call("ping")
  }

  @Test("A sign-in renews a hash of another cost, also two at once, and closes nothing")
  func renewedHash() throws {
    let server = try TestServer()
    let person = try server.join("member")
    #expect(try server.storedHash(of: person).hasPrefix("$scrypt$ln=10,"))
    try server.restart { $0.scryptCost = ScryptCost(logN: 11, r: 8, p: 1) }
    let clients = [try server.connect(), try server.connect()]
    let right = ["username": "member", "password": "correct horse"]
    let numbers = clients.map { $0.send("account.login", right) }
    for (client, number) in zip(clients, numbers) { _ = try client.answer(to: number) }
    #expect(try server.storedHash(of: person).hasPrefix("$scrypt$ln=11,"))
    #expect(try server.again(person).hello["user"] as? String == person.id)
  }

  @Test("Tokens are stored as hashes only, and passwords not at all")
  func nothingSecret() throws {
    let server = try TestServer()
    let author = try server.join("author")
    server.stop()
    for name in try FileManager.default.contentsOfDirectory(atPath: server.folder) {
      let data = FileManager.default.contents(atPath: server.folder + "/" + name) ?? Data()
      for secret in [author.token, "correct horse", author.recoveryCode] {
        #expect(data.range(of: Data(secret.utf8)) == nil, "\(name)")
      }
    }
  }
}

extension String {
  /// The characters in order, for comparing texts of dictionaries, whose own order means nothing.
  fileprivate var sortedCharacters: String { String(sorted()) }
}
