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
    try expectNowhere(Self.name, in: server.folder)
    try expectNowhere("of theirs alone", in: server.folder)
    server.stop()
    #expect(try files(with: Self.name, in: server.folder) == [])
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
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
