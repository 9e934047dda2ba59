import Testing

@testable import Client

@Suite("library: what another program has, and who only looks")
struct TodoEntryTests {
  private func start() throws -> (TestServer, Folder, Todo, TodoList) {
    let server = try TestServer()
    let folder = Folder()
    try folder.signIn("author", at: server)
    let todo = try Todo(state: folder.path, program: "test")
    try todo.waitUntilLevel()
    try todo.addList("work").wait()
    return (server, folder, todo, try #require(todo.list(named: "work")))
  }

  @Test("an import adds once, brings up to date, and leaves to people what they have set")
  func imports() throws {
    let (server, _, todo, list) = try start()
    _ = server
    defer { todo.close() }
    func bring(_ titles: [String]) throws -> [TodoImport.Outcome] {
      try todo.importPosts(
        titles.enumerated().map { TodoImport(id: "\($0.offset)", title: $0.element) },
        from: "forge", to: list)
    }
    #expect(try bring([]).isEmpty)
    #expect(try bring(["a", "b", "c"]).map(\.kind) == ["added", "added", "added"])
    let posts = todo.posts(in: list)
    #expect(posts.map(\.title) == ["a", "b", "c"])
    try todo.rename(posts[0].id, to: "mine", in: list).wait()
    try todo.remove(posts[1].id, in: list).wait()
    let outcomes = try bring(["other", "b", "third"])
    #expect(outcomes.map(\.kind) == ["unchanged", "removed", "edited"])
    #expect(outcomes.map(\.left) == [["title"], [], []])
    #expect(outcomes.map(\.number) == [1, 2, 3])
    #expect(todo.posts(in: list).map(\.title) == ["mine", "third"])
    let partly = try bring(["third one", "b", String(repeating: "long", count: 200)])
    #expect(partly.map(\.kind) == ["unchanged", "removed", "refused"])
    #expect(partly.last?.reason?.kind == "invalid" || partly.last?.reason?.kind == "too_large")
  }

  @Test("a link is made, shown with its code again, and ended")
  func links() throws {
    let (server, _, todo, list) = try start()
    defer { todo.close() }
    let link = try todo.makeLink(to: list, days: 2)
    #expect(link.shows.contains("what a viewer sees"))
    #expect(try todo.links(to: list) == [link])
    let guest = try server.connect()
    try guest.call("hello", ["link": link.code, "client": ["name": "test", "version": "1"]])
    try todo.end(link, to: list).wait()
    #expect(guest.closeCode() == 4507)
    #expect(try todo.links(to: list).isEmpty)
    let refused = #expect(throws: TodoError.self) { try todo.makeLink(to: list, days: 91) }
    #expect(refused?.kind == "invalid")
  }
}
