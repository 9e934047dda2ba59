import Testing

@Suite("protocol §8 `category.list`: badges over real sockets")
struct BadgeTests {
  private func badges(_ person: Person) throws -> [[String: Any]] {
    let answer = try person.client.call("category.list", ["show": "mine"])
    #expect(answer["after"] == nil)
    return try #require(answer["badges"] as? [[String: Any]])
  }

  @Test("all that one sees comes in one answer, without a copy of anything")
  func all() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let bots = try server.join("bots")
    #expect(try badges(bots).isEmpty)
    let group = newID()
    try author.client.change("group.add", ["id": group, "name": "family"])
    let (chores, stream) = try author.addList("chores", group: group)
    let (old, _) = try author.addList("old", group: group)
    try author.addPost(old, "moss")
    try author.client.change("category.archive", ["id": old])
    try author.invite(bots, to: "g:" + group)
    let (dishes, _) = try author.addPost(chores, "dishes")
    let (floor, _) = try author.addPost(chores, "floor")
    let given = ["category": chores, "id": dishes, "user": bots.id]
    try author.client.change("post.assign", given)
    try author.client.change("post.edit", ["category": chores, "id": floor, "mode": "each"])

    let theirs = try badges(bots)
    #expect(theirs.first?["stream"] as? String == "g:" + group)
    #expect(theirs.compactMap { $0["name"] as? String }.sorted() == ["chores", "family", "old"])
    for name in ["chores", "family"] {
      let badge = try #require(theirs.first { $0["name"] as? String == name })
      #expect((badge["mine"] as? [String: Any])?["count"] as? Int == 2)
      #expect((badge["counters"] as? [String: Any])?["open"] as? Int == 2)
      #expect(badge["role"] as? String == "editor" && badge["archived"] == nil)
    }
    let unread = try #require(theirs.first { $0["stream"] as? String == stream })["unread"]
    #expect((unread as? [String: Any])?["count"] as? Int == 2)
    let archived = try #require(theirs.first { $0["name"] as? String == "old" })
    #expect(archived["archived"] as? Bool == true)
    #expect(archived["unread"] == nil && archived["mine"] == nil)

    try bots.client.change("post.complete", ["category": chores, "id": floor])
    let left = try #require(try badges(bots).first { $0["stream"] as? String == stream })
    #expect((left["mine"] as? [String: Any])?["count"] as? Int == 1)
    let rest = try bots.client.call("category.list", ["show": "mine", "after": "g:" + group])
    #expect((rest["badges"] as? [Any])?.isEmpty == true)
  }
}
