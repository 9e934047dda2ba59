import Domain
import Foundation
import Testing

@testable import Server

@Suite("protocol §5.9: the end of an account, over real sockets") struct AccountEndTests {
  private static let name = "zebra.quagga"

  @Test("sessions end; nobody sees or gets the name any more, no file has it")
  func ended() throws {
    let server = try TestServer { $0.graceDays = 0 }
    let author = try server.join("author")
    let quagga = try server.join(Self.name)
    let (list, stream) = try author.addList()
    try author.invite(quagga, to: stream)
    let (post, _) = try quagga.addPost(list, "what they wrote")
    _ = try quagga.addList("of theirs alone")
    let cursor = try author.cursor(stream, on: server)
    #expect(throws: TestFailure.refused(kind: "invalid", field: "password")) {
      try quagga.client.change("account.delete", ["password": "wrong horse"])
    }
    try quagga.client.change("account.delete", ["password": "correct horse"])
    #expect(quagga.client.closeCode() == 4506)
    let push = try author.client.push("sync.events") { "\($0)".contains("person.forgotten") }
    #expect(push["stream"] as? String == stream)

    let members = try author.client.call("member.list", ["stream": stream])
    #expect("\(members)".contains(quagga.id) && !"\(members)".contains(Self.name))
    let posts = try author.client.call("post.list", ["category": list, "show": "open"])
    #expect("\(posts)".contains(post) && "\(posts)".contains(quagga.id))
    let (again, mode, _) = try server.mode(of: stream, for: author, cursor)
    #expect(mode == "tail")
    #expect(!"\(try again.client.push("sync.events"))".contains(Self.name))
    let history = try author.client.call("history.get", ["stream": stream])
    #expect("\(history)".contains("member.added") && !"\(history)".contains(Self.name))

    let late = try server.connect()
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try late.call("account.login", ["username": Self.name, "password": "correct horse"])
    }
    #expect(throws: TestFailure.refused(kind: "exists", field: "username")) {
      try late.call(
        "account.register",
        ["id": newID(), "username": Self.name, "password": "correct horse"])
    }
    try server.expectNowhere(Self.name)
    try server.expectNowhere("of theirs alone")
    server.stop()
    #expect(try server.files(with: Self.name) == [])
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  @Test("the operator ends an account beside a running server; nobody is asked what they own")
  func operators() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let quagga = try server.join(Self.name)
    let (_, stream) = try quagga.addList()
    try quagga.invite(author, to: stream)
    func delete(_ days: Int) throws -> String {
      try OperatorCommands.deleteUser(
        dataFolder: server.folder, username: Self.name, days: days)
    }
    #expect(try delete(9).contains("in 9 days"))
    // This is something for the ledger to do: otherwise it looks some seconds later.
    _ = try author.addList()
    _ = try quagga.client.push("sync.events") { "\($0)".contains("account.ending") }
    try quagga.client.change("account.keep")
    #expect(try delete(0).contains("at once"))
    _ = try author.addList()
    #expect(quagga.client.closeCode() == 4506)
    _ = try author.client.push("sync.events") { "\($0)".contains("person.forgotten") }
    let members = "\(try author.client.call("member.list", ["stream": stream]))"
    #expect(members.contains("owner") && !members.contains(Self.name))
    try server.expectNowhere(Self.name)
    #expect(throws: OperatorError.self) { try delete(0) }
    server.stop()
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  @Test("a file of another name is nobody's end")
  func marks() {
    let request = AccountEndRequest(user: UserID(UUID(high: 7, low: 9)), days: 3)
    #expect(AccountEndRequest(request.name) == request)
    for name in [
      AccountEndRequest.prefix, request.name + "0000", request.name + ".1", "end-account..3",
      "x" + request.name,
      request.name.uppercased(), AccountEndRequest(user: request.user, days: 366).name,
      AccountEndRequest(user: request.user, days: -1).name,
    ] {
      #expect(AccountEndRequest(name) == nil, "\(name)")
    }
  }

  @Test("who keeps the account is told on every device, and stays")
  func kept() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (other, _) = try server.again(author)
    try author.client.change("account.delete", ["password": "correct horse"])
    _ = try other.client.push("sync.events") { "\($0)".contains("account.ending") }
    let profile = try other.client.call("profile.get")["profile"] as? [String: Any]
    #expect(profile?["endsAt"] != nil)
    try other.client.change("account.keep")
    _ = try author.client.push("sync.events") { "\($0)".contains("account.kept") }
    let kept = try author.client.call("profile.get")["profile"] as? [String: Any]
    #expect(kept?["endsAt"] == nil && kept?["username"] as? String == "author")
    server.stop()
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }
}
