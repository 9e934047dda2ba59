import Sync
import Testing

@testable import Server

@Suite("protocol §8: search over the network")
struct SearchTests {
  private func found(_ answer: [String: Any]) -> [String] {
    (answer["found"] as? [[String: Any]] ?? []).compactMap {
      ($0["post"] as? [String: Any])?["title"] as? String
    }
  }

  @Test("Members find what is in their lists at present, nobody else anything")
  func members() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let editor = try server.join("editor", streams: "none")
    let (shared, stream) = try author.addList("shared")
    let (own, _) = try author.addList("own")
    try author.invite(editor, to: stream)
    try author.addPost(shared, "oat milk")
    let (gone, _) = try author.addPost(own, "milk of my own")
    #expect(found(try author.client.call("search", ["text": "milk"])).count == 2)
    #expect(found(try editor.client.call("search", ["text": "MIL"])) == ["oat milk"])
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try editor.client.call("search", ["text": "milk", "streams": ["c:" + own, stream]])
    }
    try author.client.change("post.remove", ["category": own, "id": gone])
    #expect(found(try author.client.call("search", ["text": "milk"])) == ["oat milk"])
    let bin = try author.client.call("search", ["text": "milk", "in": "bin"])
    #expect(found(bin) == ["milk of my own"])
    try editor.client.change("member.leave", ["stream": stream])
    #expect(found(try editor.client.call("search", ["text": "milk"])) == [])
    try author.client.change("category.remove", ["id": shared])
    #expect(found(try author.client.call("search", ["text": "milk"])) == [])
    let named = try author.client.call("search", ["text": "milk", "streams": [stream]])
    #expect(found(named) == ["oat milk"])
  }

  @Test("The places of the words are told, in scalars")
  func places() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    try author.client.change(
      "post.add",
      ["category": list, "id": newID(), "title": "🎂 Été, été", "notes": "no cake\nÉTÉ"])
    let answer = try author.client.call("search", ["text": "ete"])
    let line = (answer["found"] as? [[String: Any]])?.first
    #expect(line?["title"] as? [[Int]] == [[2, 5], [7, 10]])
    #expect(line?["notes"] as? [[Int]] == [[8, 11]])
  }

  @Test("Pages follow on each other, short where posts are long")
  func pages() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    for number in 1...5 { try author.addPost(list, "milk \(number)") }
    let notes = String(repeating: "\u{1F600}", count: 16_384)
    for title in ["long milk", "longer milk"] {
      try author.client.change(
        "post.add", ["category": list, "id": newID(), "title": title, "notes": notes])
    }
    var pages: [[String]] = []
    var after: String?
    repeat {
      var params: [String: Any] = ["text": "milk", "limit": 2]
      params["after"] = after
      let answer = try author.client.call("search", params)
      pages.append(found(answer))
      after = answer["after"] as? String
    } while after != nil && pages.count < 9
    #expect(
      pages == [
        ["longer milk"], ["long milk"], ["milk 5", "milk 4"], ["milk 3", "milk 2"], ["milk 1"],
      ])
  }

  @Test("Who searches too much is told to wait; others are not")
  func rate() throws {
    let server = try TestServer {
      $0.historyRate = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 6)
    }
    let author = try server.join("author", streams: "none")
    let editor = try server.join("editor", streams: "none")
    for _ in 0..<6 { try author.client.call("search", ["text": "milk"]) }
    #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
      try author.client.call("search", ["text": "milk"])
    }
    #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
      try author.client.call("history.get", ["stream": "u:" + author.id])
    }
    #expect(found(try editor.client.call("search", ["text": "milk"])) == [])
  }
}
