import Testing

@testable import Server

@Suite("protocol §8: posts that say the same, over the network")
struct TwinTests {
  private func twins(
    _ member: Person, _ list: String, _ title: String, besides post: String? = nil
  ) throws -> [[String: Any]] {
    var params = ["category": list, "title": title]
    params["post"] = post
    return try #require(try member.client.call("post.twins", params)["twins"] as? [[String: Any]])
  }

  @Test("Members are told which post is open already, and which was done; nobody else anything")
  func members() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let editor = try server.join("editor", streams: "none")
    let (list, stream) = try author.addList("shared")
    let (milk, _) = try author.addPost(list, "Oat milk")
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try twins(editor, list, "oat milk")
    }
    try author.invite(editor, to: stream)
    let (done, _) = try editor.addPost(list, "oat milk!")
    try editor.client.change("post.complete", ["category": list, "id": done])
    let found = try twins(editor, list, "OAT milk")
    #expect(found.map { $0["number"] as? Int } == [1, 2])
    #expect(found.map { $0["id"] as? String } == [milk, done])
    #expect(found.map { $0["title"] as? String } == ["Oat milk", "oat milk!"])
    let completed = try #require(found[1]["completed"] as? [String: Any])
    #expect(found[0]["completed"] == nil)
    #expect(completed["by"] as? String == editor.id)
    #expect(try twins(editor, list, "oat milk", besides: milk).count == 1)
    #expect(try twins(editor, list, "milk").isEmpty)
    // What is archived is only read.
    try author.client.change("category.archive", ["id": list])
    #expect(try twins(editor, list, "oat milk").count == 2)
    try editor.client.change("member.leave", ["stream": stream])
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try twins(editor, list, "oat milk")
    }
  }
}
