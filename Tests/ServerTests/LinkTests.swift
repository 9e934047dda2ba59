import Domain
import Foundation
import Testing

@testable import Server

@Suite("protocol §8 link.make over a real socket: who looks, at what, and until when")
struct LinkTests {
  private struct Shown {
    let server: TestServer
    let author: Person
    let list: String
    let post: String
    let link: String
    let code: String
    var stream: String { "c:" + list }

    init() throws {
      server = try TestServer()
      author = try server.join("author")
      list = try author.addList().id
      post = try author.addPost(list).id
      link = newID()
      let answer = try author.client.change("link.make", ["category": list, "id": link])
      code = answer["code"] as? String ?? ""
      #expect(answer["shows"] as? String == GuestLink.shows)
    }

    @discardableResult
    func look(_ code: String? = nil) throws -> (TestClient, hello: [String: Any]) {
      let client = try server.connect()
      let hello = try client.call(
        "hello", ["link": code ?? self.code, "client": ["name": "test", "version": "1"]])
      return (client, hello)
    }
  }

  private let unknown = TestFailure.refused(kind: "unauthenticated", field: nil)
  private let forbidden = TestFailure.refused(kind: "forbidden", field: nil)

  @Test("Whoever has the code sees the list and what happens in it, and no other stream")
  func seen() throws {
    let it = try Shown()
    let (guest, hello) = try it.look(it.code.lowercased().replacing("-", with: ""))
    let streams = hello["streams"] as? [[String: Any]]
    #expect(streams?.map { $0["stream"] as? String } == [it.stream])
    #expect((hello["link"] as? [String: Any])?["category"] as? String == it.list)
    let snapshot = try guest.push("sync.snapshot")
    #expect("\(snapshot)".contains("milk") && "\(snapshot)".contains("author"))
    #expect(!"\(snapshot)".contains(it.code))
    try it.author.addPost(it.list, "bread")
    try guest.push("sync.events") { "\($0)".contains("bread") }
    let opened = try guest.call(
      "sync.open", ["streams": [["stream": "u:" + it.author.id], ["stream": "c:" + newID()]]])
    let modes = (opened["streams"] as? [[String: Any]])?.map { $0["mode"] as? String }
    #expect(modes == ["gone", "gone"])
    let posts = try guest.call("post.list", ["category": it.list, "show": "open"])
    #expect((posts["posts"] as? [Any])?.count == 2)
  }

  @Test("Nothing but looking is allowed")
  func refused() throws {
    let it = try Shown()
    let (guest, _) = try it.look()
    #expect(throws: forbidden) {
      try guest.call("post.list", ["category": it.list, "show": "removed"])
    }
    #expect(throws: forbidden) { try guest.call("member.list", ["stream": it.stream]) }
    #expect(throws: forbidden) { try guest.call("profile.get") }
    #expect(throws: forbidden) { try guest.call("session.pair") }
    #expect(throws: forbidden) { try guest.call("search", ["text": "milk"]) }
    #expect(throws: forbidden) { try guest.call("history.get", ["stream": it.stream]) }
    #expect(throws: forbidden) {
      try guest.change("post.complete", ["category": it.list, "id": it.post])
    }
    #expect(throws: forbidden) { try guest.change("member.leave", ["stream": it.stream]) }
    try guest.call("presence.set", ["stream": it.stream, "state": "here"])
    try guest.call("ping")
  }

  @Test("It ends when it is taken back: the connection too, and nothing comes after")
  func revoked() throws {
    let it = try Shown()
    let (guest, _) = try it.look()
    try guest.push("sync.live")
    try it.author.client.change("link.revoke", ["category": it.list, "id": it.link])
    try it.author.addPost(it.list, "secret")
    #expect(guest.closeCode() == 4507)
    #expect(throws: unknown) { try it.look() }
    #expect(throws: unknown) { try it.look("no link") }
    #expect(throws: unknown) { try it.look(it.author.token) }
  }

  @Test("Its end closes also whoever follows nothing: from the beginning, or not any more")
  func unfollowing() throws {
    let it = try Shown()
    let (closed, _) = try it.look()
    try closed.push("sync.live")
    try closed.call("sync.close", ["streams": [it.stream]])
    let none = try it.server.connect()
    try none.call(
      "hello",
      ["link": it.code, "client": ["name": "test", "version": "1"], "streams": "none"])
    try it.author.addPost(it.list, "bread")
    for client in [closed, none] { try client.call("ping") }
    try it.author.client.change("link.revoke", ["category": it.list, "id": it.link])
    #expect(closed.closeCode() == 4507)
    #expect(none.closeCode() == 4507)
  }

  @Test("It ends with its maker's right to make it, and shows nothing while the list is removed")
  func maker() throws {
    let it = try Shown()
    let editor = try it.server.join("editor")
    try it.author.invite(editor, to: it.stream, as: "admin")
    let code =
      try editor.client.change(
        "link.make", ["category": it.list, "id": newID()])["code"] as? String
    let (guest, _) = try it.look(code)
    try guest.push("sync.live")
    try it.author.client.change("member.remove", ["stream": it.stream, "user": editor.id])
    #expect(guest.closeCode() == 4507)
    #expect(throws: unknown) { try it.look(code) }
    try it.author.client.change("category.remove", ["id": it.list])
    #expect(throws: unknown) { try it.look() }
    try it.author.client.change("category.restore", ["id": it.list])
    try it.look()
  }

  @Test("Its codes are shown to who may make one, survive a restart, and stand in no file")
  func codes() throws {
    let it = try Shown()
    let editor = try it.server.join("editor")
    try it.author.invite(editor, to: it.stream)
    #expect(throws: forbidden) {
      try editor.client.call("link.list", ["category": it.list])
    }
    let links = try it.author.client.call("link.list", ["category": it.list])["links"]
    #expect((links as? [[String: Any]])?.map { $0["code"] as? String } == [it.code])
    try it.server.restart()
    try it.look()
    try it.server.restart()
    let files = try FileManager.default.contentsOfDirectory(
      at: URL(filePath: it.server.folder), includingPropertiesForKeys: nil)
    for file in files where !file.hasDirectoryPath {
      let bytes = try Data(contentsOf: file)
      #expect(bytes.range(of: Data(it.code.utf8)) == nil, "\(file.lastPathComponent)")
    }
  }
}
