import Foundation
import Sync
import Testing

@testable import Server

@Suite("protocol §8 account.guest and account.upgrade over a real socket")
struct GuestTests {
  private let secret = "0123456789abcdef"

  private func begin(
    _ server: TestServer, id: String = newID(), device: String? = nil
  ) throws -> Person {
    let client = try server.connect()
    let answer = try client.call(
      "account.guest", ["id": id, "name": "Somebody", "device": device ?? secret])
    let guest = Person(
      client: client, id: id, username: answer["username"] as? String ?? "",
      token: answer["token"] as? String ?? "", session: answer["session"] as? String ?? "",
      recoveryCode: "")
    try guest.hello()
    return guest
  }

  @Test("Nobody is a guest where the operator does not say so")
  func off() throws {
    let server = try TestServer()
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) { try begin(server) }
    #expect(try server.connect().call("server.about")["guests"] == nil)
  }

  @Test("A guest makes lists and shares them by a code, and becomes somebody with all of it")
  func life() throws {
    let server = try TestServer {
      $0.guestsMax = 5
      $0.firstLists = ["home"]
    }
    #expect(try server.connect().call("server.about")["guests"] as? Bool == true)
    let guest = try begin(server)
    #expect(guest.username.hasPrefix("guest-") && guest.username.count == 16)
    let profile = try guest.client.call("profile.get")["profile"] as? [String: Any]
    #expect(profile?["guest"] as? Bool == true && profile?["name"] as? String == "Somebody")
    let (list, stream) = try guest.addList()
    try guest.addPost(list)
    let author = try server.join("author")
    let code = try guest.client.change(
      "invitation.make_code", ["id": newID(), "stream": stream, "role": "editor"])["code"]
    try author.client.change("invitation.redeem", ["code": code ?? ""])
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try guest.client.change(
        "invitation.send",
        ["id": newID(), "stream": stream, "username": "author", "role": "editor"])
    }
    let upgrade: [String: Any] = [
      "username": "gast", "name": "Gast", "password": "correct horse", "key": newID(),
    ]
    let answer = try guest.client.call("account.upgrade", upgrade)
    #expect(try isSame(answer, guest.client.call("account.upgrade", upgrade)))
    try author.client.push("sync.events") {
      "\($0)".contains("account.upgraded") && $0["stream"] as? String == stream
    }
    let members = try author.client.call("member.list", ["stream": stream])["members"]
    let line = (members as? [[String: Any]])?.first { $0["id"] as? String == guest.id }
    #expect(line?["username"] as? String == "gast" && line?["guest"] == nil)
    // The session goes on, the password is good, and so is the recovery code.
    try guest.addPost(list, "bread")
    try server.connect().call(
      "account.login", ["username": "gast", "password": "correct horse"])
    try server.connect().change(
      "account.recover",
      ["username": "gast", "code": answer["recoveryCode"] ?? "", "password": "battery staple"])
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try server.connect().call(
        "account.login", ["username": guest.username, "password": "correct horse"])
    }
  }

  @Test("The same device comes back with the same id, nobody else does, and no password opens it")
  func device() throws {
    let server = try TestServer { $0.guestsMax = 5 }
    let guest = try begin(server)
    let again = try begin(server, id: guest.id)
    #expect(again.username == guest.username && again.session != guest.session)
    #expect(throws: TestFailure.refused(kind: "exists", field: "id")) {
      try begin(server, id: guest.id, device: "another device of mine")
    }
    for password in ["", "guest", "correct horse"] {
      #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
        try server.connect().call(
          "account.login", ["username": guest.username, "password": password])
      }
    }
    #expect(throws: TestFailure.refused(kind: "invalid", field: "old")) {
      try guest.client.change("account.change_password", ["old": "", "new": "correct horse"])
    }
    // The last session is the last way in.
    try again.client.call("account.logout")
    try guest.client.call("account.logout")
    #expect(throws: TestFailure.refused(kind: "exists", field: "id")) {
      try begin(server, id: guest.id)
    }
  }

  @Test("A guest ends the account without a password, and takes that back; a person needs theirs")
  func end() throws {
    let server = try TestServer { $0.guestsMax = 5 }
    let guest = try begin(server)
    try guest.client.change("account.delete", [:])
    let profile = try guest.client.call("profile.get")["profile"] as? [String: Any]
    #expect(profile?["endsAt"] != nil)
    try guest.client.change("account.keep")
    let author = try server.join("author")
    #expect(throws: TestFailure.refused(kind: "invalid", field: "password")) {
      try author.client.change("account.delete", [:])
    }
  }

  @Test("A guest's upgrade to a name whose account has ended is refused")
  func deadName() throws {
    let server = try TestServer {
      $0.guestsMax = 5
      $0.graceDays = 0
    }
    let dead = try server.join("quagga")
    try dead.client.change("account.delete", ["password": "correct horse"])
    #expect(dead.client.closeCode() == 4506)
    let guest = try begin(server)
    #expect(throws: TestFailure.refused(kind: "exists", field: "username")) {
      try guest.client.change(
        "account.upgrade", ["username": "quagga", "password": "correct horse"])
    }
  }

  @Test("There are so many guests and no more, over a restart too; who takes a name makes room")
  func limit() throws {
    let server = try TestServer { $0.guestsMax = 2 }
    let first = try begin(server)
    _ = try begin(server)
    let full = TestFailure.refused(kind: "quota", field: nil)
    #expect(throws: full) { try begin(server) }
    try server.restart()
    #expect(throws: full) { try begin(server) }
    let again = try begin(server, id: first.id)
    // The device has one session: the new one is in the place of the first.
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try server.again(first)
    }
    try again.client.change(
      "account.upgrade", ["username": "gast", "password": "correct horse"])
    try server.restart()
    _ = try begin(server)
    #expect(throws: full) { try begin(server) }
  }

  @Test("One address makes so many guests at once, whatever ids they have")
  func rate() throws {
    let server = try TestServer {
      $0.guestsMax = 100
      $0.signIn.guestsPerAddress = TokenRate(count: 1, everyMilliseconds: 3_600_000, burst: 2)
    }
    let first = try begin(server)
    _ = try begin(server)
    #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) { try begin(server) }
    // A guest who comes back makes none.
    _ = try begin(server, id: first.id)
  }

  @Test("Where registration needs a code, a guest needs one for a name, and it is good once")
  func code() throws {
    let server = try TestServer {
      $0.guestsMax = 5
      $0.registration = .byCode
    }
    let code = try OperatorCommands.invite(dataFolder: server.folder, days: 1)
    let (guest, other) = (try begin(server), try begin(server))
    func upgrade(_ person: Person, _ name: String, _ code: String?) throws {
      var params = ["username": name, "password": "correct horse"]
      params["code"] = code
      try person.client.change("account.upgrade", params)
    }
    for bad in [nil, "no code"] {
      #expect(throws: TestFailure.refused(kind: "invalid", field: "code")) {
        try upgrade(guest, "gast", bad)
      }
    }
    try upgrade(guest, "gast", code)
    #expect(throws: TestFailure.refused(kind: "invalid", field: "code")) {
      try upgrade(other, "other", code)
    }
  }

  @Test("Somebody with a name has one already, and takes nobody else's")
  func refused() throws {
    let server = try TestServer { $0.guestsMax = 2 }
    let author = try server.join("author")
    let guest = try begin(server)
    let upgrade = ["username": "author", "password": "correct horse"]
    #expect(throws: TestFailure.refused(kind: "exists", field: "username")) {
      try guest.client.change("account.upgrade", upgrade)
    }
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try author.client.change("account.upgrade", ["username": "x-y", "password": "correct horse"])
    }
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try server.connect().change("account.upgrade", upgrade)
    }
  }
}
