import Domain
import Sync
import Testing
import Wire

@testable import Client

@Suite("library: programs import posts, and links let people look")
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

  private func unwanted(_ title: String) -> Command {
    .post(
      .importUpsert(
        PostAddress(
          category: CategoryID(Identifiers.make()), post: PostID(Identifiers.make())),
        ImportedPost(
          source: SourceKey(name: "forge", id: title), url: nil, fields: PostEdit(title: title))))
  }

  @Test("an import that is refused is told once and kept nowhere; any other change stays")
  func refusedImports() async throws {
    let (server, folder, first, _) = try start()
    first.close()
    let todo = try Todo(state: folder.path, program: "test", keeping: .queue)
    try todo.waitUntilLevel()
    // Nobody waits for these.
    _ = try todo.queue(unwanted("one"))
    _ = try todo.queue(.batch([unwanted("two"), unwanted("three")]))
    _ = try todo.queue(
      .post(
        .add(
          CategoryID(Identifiers.make()), PostID(Identifiers.make()), title: "four", notes: "")))
    for await _ in todo.changes where todo.waitingCount == 0 { break }
    let told = todo.refused.filter { $0.title != "four" }
    #expect(told.map(\.title) == ["one", "two"])
    #expect(told.allSatisfy { $0.reason.kind == "not_found" })
    #expect(todo.refused.map(\.title) == ["four"])
    #expect(todo.client.unsent.count == 1)
    // A caller who waits is told so, and by nothing else.
    let error = #expect(throws: TodoError.self) { try todo.queue(unwanted("five")).wait() }
    #expect(error?.kind == "not_found")
    #expect(todo.refused.map(\.title) == ["four"])
    todo.close()
    let again = try folder.client()
    defer { again.close() }
    #expect(again.unsent.count == 1)
    server.stop()
  }

  @Test("one that was refused before the program could tell is told by the next")
  func refusedBefore() throws {
    let (server, folder, first, _) = try start()
    defer { server.stop() }
    first.close()
    let session = try #require(try folder.state.session())
    let reason = ServerError(
      kind: .notFound, code: ErrorKind.notFound.code, retry: .no, sentence: "There is none.")
    let queued = QueuedCommand(
      number: 1, command: unwanted("old"), key: Identifiers.key(),
      at: Timestamp(milliseconds: 9))
    try AccountFiles(in: folder.state, of: session).append([.queued(queued), .refused(1, reason)])
    let todo = try Todo(state: folder.path, program: "test", keeping: .queue)
    defer { todo.close() }
    try todo.waitUntilLevel()
    #expect(todo.refused.map(\.title) == ["old"])
    #expect(todo.refused.isEmpty && todo.client.unsent.isEmpty)
  }

  @Test("a link is made, shown with its code again, and ended")
  func links() throws {
    let (server, _, todo, list) = try start()
    defer { todo.close() }
    let link = try todo.makeLink(to: list, days: 2)
    #expect(link.shows.contains("what a viewer sees"))
    let web = server.url.replacing("ws://", with: "http://").replacing("/ws", with: "")
    let code = link.code.replacing("-", with: "").lowercased()
    #expect(link.calendar == "\(web)/calendar/\(code).ics")
    #expect(try todo.links(to: list) == [link])
    let guest = try server.connect()
    try guest.call("hello", ["link": link.code, "client": ["name": "test", "version": "1"]])
    try todo.end(link, to: list).wait()
    #expect(guest.closeCode() == 4507)
    #expect(try todo.links(to: list).isEmpty)
    let refused = #expect(throws: TodoError.self) { try todo.makeLink(to: list, days: 367) }
    #expect(refused?.kind == "invalid")
  }
}
