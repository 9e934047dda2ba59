import Domain
import Foundation
import Net
import Sync
import Testing
import Wire
@testable import Client

@Suite("library: a bot's view")
struct TodoTests {
  private func start() throws -> (TestServer, Folder, Todo) {
    let server = try TestServer()
    let folder = Folder()
    try folder.signIn("author", at: server)
    return (server, folder, try Todo(state: folder.path, program: "test", keeping: .queue))
  }

  @Test("a list and its posts, from the first line to the last")
  func whole() throws {
    let (server, _, todo) = try start()
    _ = server
    defer { todo.close() }
    try todo.waitUntilLevel()
    try todo.addList("Big shop").wait()
    let list = try #require(todo.list(named: "#big-shop"))
    let receipt = try todo.add("milk", notes: "two", to: list)
    #expect(todo.posts(in: list).map(\.title) == ["milk"])
    #expect(try receipt.wait().number == 1)
    let milk = try #require(receipt.post)
    try todo.rename(milk, to: "oat milk", in: list)
    let notes = try todo.setNotes("three", of: milk, in: list)
    try todo.setPriority(.high, of: milk, in: list)
    try todo.setDue(TodoDue(day: "2026-11-24"), of: milk, in: list)
    let evening = try #require(TodoDue(time: "2026-11-24T18:00", zone: "Europe/Lisbon"))
    try todo.setDue(evening, of: milk, in: list)
    #expect(TodoDue(day: "2026-11-31") == nil && TodoDue(time: "18:00", zone: "UTC") == nil)
    try todo.complete(milk, in: list).wait()
    // Behind another title they are asked for once more, so they may come after what was asked for later.
    try notes.wait()
    let post = try #require(todo.posts(in: list).first)
    #expect(post.title == "oat milk")
    #expect(post.notes == "three")
    #expect(post.isDone && !post.isPending)
    #expect(post.priority == .high && post.due == evening)
    #expect(post.due?.description == "2026-11-24T18:00 Europe/Lisbon")
    try todo.setPriority(nil, of: milk, in: list).wait()
    #expect(todo.posts(in: list).first?.priority == nil)
    #expect(todo.lists.map(\.doneCount) == [1])
    try todo.reopen(milk, in: list).wait()
    try todo.remove(milk, in: list).wait()
    #expect(todo.posts(in: list).isEmpty)
    #expect(todo.waitingCount == 0)
  }

  @Test(
    "Characters that nobody sees are left out of a bot's texts, and those that scripts need stay")
  func invisibles() throws {
    let (server, _, todo) = try start()
    _ = server
    defer { todo.close() }
    try todo.waitUntilLevel()
    try todo.addList("\u{FEFF}Big\u{200B} shop").wait()
    let list = try #require(todo.list(named: "#big-\u{200E}shop"))
    #expect(list.name == "Big shop")
    let receipt = try todo.add("mi\u{AD}lk\u{202E}", notes: "a\u{2028}b\u{FEFF}\rc", to: list)
    let milk = try #require(receipt.post)
    let step = try todo.addStep("می\u{200C}خ \u{2066}👩\u{200D}🚀\u{2069}", to: milk, in: list)
    try todo.addTag("soon\u{200F}", to: list).wait()
    try step.receipt.wait()
    let post = try #require(todo.posts(in: list).first)
    #expect(post.title == "milk")
    #expect(post.notes == "a\nb\nc")
    #expect(post.steps.map(\.text) == ["می\u{200C}خ 👩\u{200D}🚀"])
    #expect(todo.tags(in: list).map(\.name) == ["soon"])
    try todo.rename(milk, to: "oat\u{2060} milk", in: list).wait()
    #expect(todo.posts(in: list).first?.title == "oat milk")
    #expect(TodoProgress(1, text: "\u{200B}x\u{2066}").text == "x")
  }

  @Test("a refusal is thrown to who waits, and kept for who does not")
  func refusals() throws {
    let (server, _, todo) = try start()
    _ = server
    defer { todo.close() }
    try todo.waitUntilLevel()
    try todo.addList("builds").wait()
    let list = try #require(todo.list(named: "builds"))
    let nobody = try #require(TodoPost.ID("00000000-0000-7000-8000-000000000001"))
    let error = #expect(throws: TodoError.self) {
      try todo.complete(nobody, in: list).wait()
    }
    #expect(error?.kind == "not_found")
    #expect(todo.refused.isEmpty)
    try todo.setNotes("text", of: nobody, in: list)
    #expect(todo.client.until { !$0.unsent.isEmpty })
    let refusal = try #require(todo.refused.first)
    #expect(refusal.notes == "text")
    #expect(refusal.reason.kind == "not_found")
    try todo.discard(refusal)
    #expect(todo.refused.isEmpty)
    #expect(throws: TodoError.self) {
      try todo.add(String(repeating: "x", count: 501), to: list)
    }
  }

  @Test("another title under a bot's notes is no conflict for it")
  func conflict() throws {
    let (server, folder, todo) = try start()
    _ = server
    defer { todo.close() }
    try todo.waitUntilLevel()
    try todo.addList("builds").wait()
    let list = try #require(todo.list(named: "builds"))
    let receipt = try todo.add("build 42", to: list)
    try receipt.wait()
    let post = try #require(receipt.post)
    let person = try Todo(state: folder.path, program: "person")
    defer { person.close() }
    try person.waitUntilLevel()
    for round in 1...10 {
      try person.rename(post, to: "build \(round)", in: list).wait()
      try todo.setNotes("log \(round)", of: post, in: list).wait()
    }
    #expect(todo.posts(in: list).map(\.notes) == ["log 10"])
    #expect(todo.refused.isEmpty)
  }

  @Test("however much happens, one change lies ready and the latest is seen")
  func changes() async throws {
    let (server, folder, todo) = try start()
    _ = server
    try todo.waitUntilLevel()
    try todo.addList("builds").wait()
    let list = try #require(todo.list(named: "builds"))
    let other = try Todo(state: folder.path, program: "other")
    defer { other.close() }
    try other.waitUntilLevel()
    for number in 1...20 { try other.add("build \(number)", to: list).wait() }
    var rounds = 0
    for await _ in todo.changes {
      rounds += 1
      if todo.posts(in: list).count == 20 { break }
    }
    #expect(rounds <= 20)
    #expect(todo.posts(in: list).map(\.number) == Array(1...20))
    todo.close()
  }

  /// Returns two people on one list, both level.
  private func pair() throws -> (
    server: TestServer, folders: [Folder], author: Todo, editor: Todo, list: TodoList
  ) {
    let (server, folder, author) = try start()
    try author.waitUntilLevel()
    try author.addList("builds").wait()
    let other = Folder()
    try other.signIn("editor", at: server)
    let editor = try Todo(state: other.path, program: "test")
    try editor.waitUntilLevel()
    let list = try #require(author.list(named: "builds"))
    try author.invite("editor", to: list).wait()
    #expect(editor.client.until { _ in !editor.invitations.isEmpty })
    let invitation = try #require(editor.invitations.first)
    #expect(invitation.name == "builds" && invitation.sender == "author")
    try editor.accept(invitation).wait()
    #expect(editor.client.until { _ in editor.list(named: "builds") != nil })
    return (server, [folder, other], author, editor, list)
  }

  @Test("people ask each other, share, and leave")
  func people() throws {
    let it = try pair()
    defer {
      it.author.close()
      it.editor.close()
    }
    #expect(it.editor.invitations.isEmpty)
    #expect(it.author.client.until { _ in it.author.people(in: it.list).count == 2 })
    #expect(it.author.people(in: it.list).map(\.username) == ["author", "editor"])
    #expect(it.author.people(in: it.list).map(\.role) == ["owner", "editor"])
    try it.editor.leave(it.list).wait()
    #expect(it.editor.client.until { _ in it.editor.lists.isEmpty })
    #expect(it.author.client.until { _ in it.author.people(in: it.list).count == 1 })
    let error = #expect(throws: TodoError.self) {
      try it.author.invite("nobody", to: it.list).wait()
    }
    #expect(error?.kind == "not_found")
  }

  @Test(
    "who is here, who types and how far a bot has come is seen by the others, for as long as it lasts"
  )
  func moments() throws {
    let it = try pair()
    defer {
      it.author.close()
      it.editor.close()
    }
    let receipt = try it.author.add("build 42", to: it.list)
    try receipt.wait()
    let post = try #require(receipt.post)
    #expect(it.editor.client.until { _ in it.editor.posts(in: it.list).count == 1 })
    it.author.setHere(in: it.list)
    it.author.setTyping(at: post, in: it.list)
    it.author.setProgress(TodoProgress(37, of: 109, text: "linking"), of: post, in: it.list)
    #expect(it.editor.client.until { _ in !it.editor.progress(of: post, in: it.list).isEmpty })
    #expect(it.editor.client.until { _ in !it.editor.peopleTyping(at: post, in: it.list).isEmpty })
    #expect(it.editor.client.until { _ in !it.editor.peopleHere(in: it.list).isEmpty })
    #expect(it.editor.peopleHere(in: it.list).map(\.username) == ["author"])
    #expect(it.editor.peopleTyping(in: it.list).isEmpty)
    let told = try #require(it.editor.progress(of: post, in: it.list).values.first)
    #expect((told.done, told.of, told.text) == (37, 109, "linking"))
    it.author.setProgress(nil, of: post, in: it.list)
    #expect(it.editor.client.until { _ in it.editor.progress(of: post, in: it.list).isEmpty })
  }

  @Test("progress is brought into its range", arguments: [(-1, 0), (0, 0), (100, 100), (101, 100)])
  func range(_ given: Int, _ kept: Int) {
    #expect(TodoProgress(given).done == kept)
    #expect(TodoProgress(1, of: 0).of == 1)
    #expect(TodoProgress(1, text: " ").text == nil)
    #expect(TodoProgress(1, text: String(repeating: "x", count: 121)).text?.count == 120)
  }

  @Test("Two notes both stay until somebody decides", arguments: TodoConflict.Choice.allCases)
  func decide(_ choice: TodoConflict.Choice) throws {
    let it = try pair()
    defer {
      it.author.close()
      it.editor.close()
    }
    let receipt = try it.author.add("build 42", to: it.list)
    try receipt.wait()
    let post = try #require(receipt.post)
    #expect(it.editor.client.until { _ in it.editor.posts(in: it.list).count == 1 })
    // The editor has not looked at what the author writes now.
    try it.author.setNotes("theirs", of: post, in: it.list).wait()
    try it.editor.setNotes("mine", of: post, in: it.list)
    #expect(it.editor.client.until { _ in !it.editor.conflicts.isEmpty })
    let conflict = try #require(it.editor.conflicts.first)
    #expect((conflict.mine, conflict.theirs) == ("mine", "theirs"))
    try it.editor.resolve(conflict, choice)
    let wanted =
      switch choice {
      case .mine: "mine"
      case .theirs: "theirs"
      case .both: "theirs\n\nmine"
      }
    #expect(it.editor.client.until { _ in it.editor.waitingCount == 0 })
    #expect(it.author.client.until { _ in it.author.posts(in: it.list).map(\.notes) == [wanted] })
    #expect(it.editor.conflicts.isEmpty && it.editor.refused.isEmpty)
  }

  @Test("A change is taken back, and that again")
  func undo() throws {
    let (server, _, todo) = try start()
    _ = server
    defer { todo.close() }
    try todo.waitUntilLevel()
    try todo.addList("builds").wait()
    let list = try #require(todo.list(named: "builds"))
    let receipt = try todo.add("build 42", to: list)
    try receipt.wait()
    let post = try #require(receipt.post)
    let renamed = try todo.rename(post, to: "build 43", in: list).wait()
    let undone = try #require(try todo.undo(renamed)).wait()
    #expect(todo.posts(in: list).map(\.title) == ["build 42"])
    try #require(try todo.undo(undone)).wait()
    #expect(todo.posts(in: list).map(\.title) == ["build 43"])
    let nothing = try todo.rename(post, to: "build 43", in: list).wait()
    #expect(!nothing.changed)
    #expect(try todo.undo(nothing) == nil)
  }

  @Test("without a session it says so, and where it looked")
  func signedOut() throws {
    let folder = Folder()
    let error = #expect(throws: TodoError.self) { try Todo(state: folder.path, program: "test") }
    #expect(error?.kind == "signed_out")
    #expect(error?.description == "nobody is signed in at \(folder.path)")
  }
}
