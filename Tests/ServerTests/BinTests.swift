import Foundation
import Testing

@testable import Server

@Suite("protocol §5.13: the bin, over real sockets") struct BinTests {
  private static let secret = "zebra quagga 4711"

  @Test("A removed post goes by itself; nobody gets, finds or restores it, and no file has it")
  func purged() throws {
    let server = try TestServer { $0.keepRemovedDays = 0 }
    let author = try server.join("author")
    let friend = try server.join("friend")
    let (list, stream) = try author.addList()
    try author.invite(friend, to: stream)
    let cursor = try friend.cursor(stream, on: server)
    let (post, _) = try author.addPost(list, Self.secret)
    let address: [String: Any] = ["category": list, "id": post]
    try author.client.change("post.edit", address.merging(["notes": Self.secret]) { $1 })
    try author.client.change("post.remove", address)
    let push = try friend.client.push("sync.events") { "\($0)".contains("post.purged") }
    let event = try #require((push["events"] as? [[String: Any]])?.last)
    #expect(event["by"] == nil && event["key"] == nil)
    #expect(event["ops"] as? [[String: String]] == [["t": "post.purged", "id": post]])

    for method in ["post.restore", "post.erase", "post.complete"] {
      #expect(throws: TestFailure.refused(kind: "gone", field: nil)) {
        try author.client.change(method, address)
      }
    }
    #expect(throws: TestFailure.refused(kind: "gone", field: nil)) {
      try author.client.change("post.add", address.merging(["title": "again"]) { $1 })
    }
    let bin = try author.client.call("post.list", ["category": list, "show": "removed"])
    #expect((bin["posts"] as? [Any])?.isEmpty == true)
    let found = try author.client.call("search", ["text": "quagga", "in": "bin"])
    #expect(!"\(found)".contains(post))
    let (_, next) = try author.addPost(list, "next")
    #expect(next["number"] as? Int == 2, "a number is never given again")

    let (again, mode, _) = try server.mode(of: stream, for: friend, cursor)
    #expect(mode == "tail")
    var texts = ""
    repeat {
      texts += "\(try again.client.push("sync.events"))"
    } while !texts.contains("post.purged")
    #expect(texts.contains("post.added") && !texts.contains(Self.secret))
    let history = try author.client.call("history.get", ["stream": stream])
    #expect("\(history)".contains("post.purged") && !"\(history)".contains(Self.secret))
    let news = try friend.client.call("notification.list")
    #expect(!"\(news)".contains("purged"), "nobody is notified")
    try server.expectNowhere(Self.secret)
    server.stop()
    #expect(try server.files(with: Self.secret) == [])
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  @Test("Removed posts stay as long as the operator says, also over a restart")
  func kept() throws {
    let server = try TestServer()
    let author = try server.join("author")
    #expect(try author.client.call("server.about")["removedDays"] as? Int == 30)
    let (list, _) = try author.addList()
    let (post, _) = try author.addPost(list, Self.secret)
    try author.client.change("post.remove", ["category": list, "id": post])
    try server.restart { $0.keepRemovedDays = nil }
    let (later, _) = try server.again(author)
    #expect(try later.client.call("server.about")["removedDays"] == nil)
    // It has kept house since, and the bin is as it was.
    _ = try later.addPost(list, "later")
    let bin = try later.client.call("post.list", ["category": list, "show": "removed"])
    #expect("\(bin)".contains(Self.secret))
    try server.restart { $0.keepRemovedDays = 0 }
    try server.expectNowhere(Self.secret)
    let (last, _) = try server.again(author)
    let history = try last.client.call("history.get", ["stream": "c:" + list])
    #expect("\(history)".contains("post.purged"))
    server.stop()
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }
}
