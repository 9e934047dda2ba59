import Crypto
import Domain
import Foundation
import Store
import Sync
import Testing

@testable import Server

@Suite("DESIGN §4: a copy of the database is no key")
struct StolenCopyTests {
  private func recover(_ server: TestServer, _ code: String, _ password: String = "stolen horse")
    throws
  {
    try server.connect().call(
      "account.recover",
      ["username": "author", "code": code, "password": password, "key": newID()])
  }

  private static let refused = TestFailure.refused(kind: "unauthenticated", field: nil)

  /// Returns codes as a thief would make them who has a copy of the database.
  private func codes(in copy: String) throws -> Codes {
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    let folder = DataFolder(path: copy)
    let store = try SQLiteStore(reading: folder)
    #expect(try folder.secret() == nil)
    #expect(try store.oldSecret() == nil)
    let secret = store.identity.secret
    return Codes(secret: secret)
  }

  @Test("Codes that are made of a backup do not work on the live server")
  func stolen() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (list, _) = try author.addList()
    let link = newID()
    let made = try author.client.change("link.make", ["category": list, "id": link, "days": 3])
    let copy = server.folder + ".stolen"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    try OperatorCommands.backup(dataFolder: server.folder, to: copy + "/whattodo.db")
    let codes = try codes(in: copy)
    let user = try #require(UUID(author.id))
    let (category, id) = (CategoryID(try #require(UUID(list))), LinkID(try #require(UUID(link))))
    #expect(codes.recovery(user, generation: 1) != author.recoveryCode)
    #expect(throws: Self.refused) { try recover(server, codes.recovery(user, generation: 1)) }
    #expect(made["code"] as? String != codes.link(id, to: category))
    let guest = try server.connect()
    #expect(throws: TestFailure.self) {
      try guest.call(
        "hello",
        [
          "link": codes.link(id, to: category), "client": ["name": "thief", "version": "1"],
          "cursors": [:], "streams": "all",
        ])
    }
    try recover(server, author.recoveryCode)
  }

  @Test("The secret can be changed while no server runs, and then no code of before works")
  func changed() throws {
    let server = try TestServer()
    let author = try server.join("author")
    #expect {
      try OperatorCommands.newSecret(dataFolder: server.folder)
    } throws: {
      "\($0)".contains("Another server")
    }
    server.stop()
    let names = try DataFolder(path: server.folder).secret()?.names
    let told = try OperatorCommands.newSecret(dataFolder: server.folder)
    for word in ["recovery codes", "invitations", "links", "calendar addresses", "invite"] {
      #expect(told.contains(word), "\(told)")
    }
    #expect(try DataFolder(path: server.folder).secret()?.names == names)
    try server.restart()
    #expect(throws: Self.refused) { try recover(server, author.recoveryCode) }
    let code = try OperatorCommands.recoveryCode(dataFolder: server.folder, username: "author")
    try recover(server, code)
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  @Test("The secret goes with a backup only when that is asked for", arguments: [true, false])
  func backup(withSecret: Bool) throws {
    let server = try TestServer()
    let author = try server.join("author")
    let backup = server.folder + ".backup"
    let secret = DataFolder.secretPath(besideBackup: backup)
    defer { for path in [backup, secret] { try? FileManager.default.removeItem(atPath: path) } }
    try OperatorCommands.backup(
      dataFolder: server.folder, to: backup, withSecret: withSecret)
    #expect(FileManager.default.fileExists(atPath: secret) == withSecret)
    let elsewhere = try TestServer()
    elsewhere.stop()
    try FileManager.default.removeItem(atPath: elsewhere.folder)
    let told = try OperatorCommands.restore(
      backup, dataFolder: elsewhere.folder, replacing: false, closingSessions: false)
    #expect(told.contains("No code of before") == !withSecret)
    try elsewhere.restart()
    if withSecret {
      try recover(elsewhere, author.recoveryCode)
    } else {
      #expect(throws: Self.refused) { try recover(elsewhere, author.recoveryCode) }
    }
    _ = try elsewhere.connect().call(
      "account.login",
      ["username": "author", "password": withSecret ? "stolen horse" : "correct horse"])
  }

  @Test("A server whose secret is gone makes another one")
  func lost() throws {
    let server = try TestServer()
    let author = try server.join("author")
    server.stop()
    try FileManager.default.removeItem(atPath: server.folder + "/secret")
    #expect(throws: OperatorError.self) {
      try OperatorCommands.recoveryCode(dataFolder: server.folder, username: "author")
    }
    try server.restart()
    #expect(throws: Self.refused) { try recover(server, author.recoveryCode) }
    _ = try server.again(author)
  }
}
