import Testing

@testable import Server

@Suite("protocol §8 `post.list`: pages of post.list")
struct PostPagesTests {
  @Test("long posts make short pages, and the next page goes on from there")
  func long() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let notes = String(repeating: "\u{1F600}", count: 16_384)
    for title in ["one", "two", "three"] {
      try author.client.change(
        "post.add", ["category": list, "id": newID(), "title": title, "notes": notes])
    }
    var titles: [String] = []
    var before: Int?
    repeat {
      var params: [String: Any] = ["category": list, "show": "open"]
      params["before"] = before
      let answer = try author.client.call("post.list", params)
      let posts = answer["posts"] as? [[String: Any]] ?? []
      #expect(posts.count == 1)
      titles += posts.compactMap { $0["title"] as? String }
      before = answer["before"] as? Int
    } while before != nil && titles.count < 4
    #expect(titles == ["three", "two", "one"])
  }
}
