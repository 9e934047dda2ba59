import Foundation
import Sync
import Testing

@testable import Server

@Suite("protocol §8 session.pair and account.pair over a real socket")
struct PairingTests {
  private func code(_ person: Person) throws -> String {
    let answer = try person.client.call("session.pair")
    #expect(answer["expiresAfterMs"] as? Int == 120_000 && answer["tries"] as? Int == 5)
    return try #require(answer["code"] as? String)
  }

  /// Returns the same code with another letter in the secret part.
  private func wrong(_ code: String) -> String {
    var letters = Array(code)
    letters[8] = letters[8] == "0" ? "1" : "0"
    return String(letters)
  }

  private let refused = TestFailure.refused(kind: "unauthenticated", field: nil)

  @Test("A second device comes in by the code, however it is spelled, and once")
  func paired() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (list, _) = try author.addList()
    let code = try code(author)
    let other = try server.connect()
    let typed = code.lowercased().replacing("-", with: " ")
    let answer = try other.call(
      "account.pair", ["code": typed, "client": ["name": "phone", "version": "2"]])
    #expect(answer["user"] as? String == author.id && answer["username"] as? String == "author")
    let phone = Person(
      client: other, id: author.id, username: "author", token: answer["token"] as? String ?? "",
      session: answer["session"] as? String ?? "", recoveryCode: "")
    try phone.hello()
    try phone.addPost(list)
    let sessions = try author.client.call("session.list")["sessions"] as? [[String: Any]]
    #expect(sessions?.map { $0["client"] as? String }.contains("phone 2") == true)
    #expect(throws: refused) { try server.connect().call("account.pair", ["code": code]) }
  }

  @Test("Five wrong tries end it, and it is the same answer before and after")
  func tries() throws {
    let server = try TestServer()
    let (author, editor) = (try server.join("author"), try server.join("editor"))
    let (mine, other) = (try code(author), try code(editor))
    let client = try server.connect()
    for _ in 0..<5 {
      #expect(throws: refused) { try client.call("account.pair", ["code": wrong(mine)]) }
    }
    #expect(throws: refused) { try client.call("account.pair", ["code": mine]) }
    #expect(try client.call("account.pair", ["code": other])["user"] as? String == editor.id)
    #expect(throws: refused) { try client.call("account.pair", ["code": "no code at all"]) }
  }

  @Test("It ends with another one, with its session, with another password and with the server")
  func ends() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let login = try server.connect().call(
      "account.login", ["username": "author", "password": "correct horse"])
    let second = Person(
      client: try server.connect(), id: author.id, username: "author",
      token: login["token"] as? String ?? "", session: login["session"] as? String ?? "",
      recoveryCode: "")
    try second.hello()
    func isGood(_ code: String) throws -> Bool {
      do {
        try server.connect().call("account.pair", ["code": code])
        return true
      } catch TestFailure.refused(kind: "unauthenticated", field: nil) {
        return false
      }
    }
    let first = try code(author)
    let another = try code(second)
    #expect(try !isGood(first))
    #expect(try isGood(another))

    let ofSession = try code(second)
    try author.client.change("session.close", ["id": second.session])
    #expect(try !isGood(ofSession))

    let ofPassword = try code(author)
    try author.client.change(
      "account.change_password", ["old": "correct horse", "new": "battery staple"])
    #expect(try !isGood(ofPassword))

    let ofServer = try code(author)
    try server.restart()
    #expect(try !isGood(ofServer))
  }

  @Test(
    "Who guesses is slowed, and the device with the right code is not locked out of its account")
  func force() throws {
    let server = try TestServer {
      $0.signIn.perAccount = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 7)
    }
    let author = try server.join("author")
    let client = try server.connect()
    let codes = try (0..<3).map { _ in try code(author) }
    for number in 0..<7 {
      // An own code in between is no way to guess on.
      if number == 6 { try client.call("account.pair", ["code": codes[2]]) }
      #expect(throws: refused) {
        try client.call("account.pair", ["code": wrong(codes[number % 2])])
      }
    }
    #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
      try client.call("account.pair", ["code": "another"])
    }
    try client.call("account.login", ["username": "author", "password": "correct horse"])
  }

  @Test("It is asked for by who has said hello, and stands in no file of the server")
  func secret() throws {
    let server = try TestServer()
    #expect(throws: refused) { try server.connect().call("session.pair") }
    let author = try server.join("author")
    let (used, open) = (try code(author), try code(author))
    _ = try? server.connect().call("account.pair", ["code": used])
    try server.restart()
    let files = try FileManager.default.contentsOfDirectory(
      at: URL(filePath: server.folder), includingPropertiesForKeys: nil)
    for file in files where !file.hasDirectoryPath {
      let bytes = try Data(contentsOf: file)
      for code in [used, open, open.replacing("-", with: "")] {
        #expect(bytes.range(of: Data(code.utf8)) == nil, "\(file.lastPathComponent)")
      }
    }
  }
}
