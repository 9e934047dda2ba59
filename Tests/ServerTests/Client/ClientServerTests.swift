import Client
import Domain
import Foundation
import Net
import Sync
import Synchronization
import TestRandom
import Testing
import Wire

/// A person with a client of their own.
private final class User {
  let name: String
  let client: Client
  let token: String
  let address: ServerAddress

  /// Registers, logs in and becomes level. `through` is another way than the server's own address.
  init(_ name: String, at url: String, through proxy: String? = nil) throws {
    self.name = name
    let door = try Client(server: ServerAddress(url), token: nil, streams: .none)
    defer { door.close() }
    _ = try door.register(username: name, password: "correct horse").wait()
    token = try door.login(username: name, password: "correct horse").wait().token
    address = try ServerAddress(proxy ?? url)
    client = try Client(server: address, token: token)
    #expect(client.waitUntilLevel(milliseconds: 10_000))
  }

  deinit { client.close() }

  /// Takes news until the condition holds.
  func until(_ condition: (Client) -> Bool) -> Bool { client.until(condition) }

  /// Accepts the only invitation.
  func accept() throws {
    let invited = until { !$0.invitations.isEmpty }
    try #require(invited)
    try client.accept(client.invitations[0].id).wait()
  }
}

extension Client {
  fileprivate var invitations: [Invitation] {
    guard let user, let own = streams[.user(user)] else { return [] }
    return own.objects.values.compactMap { if case .invitation(let it) = $0 { it } else { nil } }
  }

  /// Takes news until the stream comes to this number, even over a line that is cut: the next try may be half a minute
  /// away, and is not waited for.
  fileprivate func takes(_ stream: StreamID, to head: Int64) -> Bool {
    until {
      $0.connectNow()
      return $0.follow(stream) >= head
    }
  }

  fileprivate func follow(_ stream: StreamID) -> Int64 { heads[stream] ?? 0 }

  /// Waits for an answer as `takes` does for an event.
  fileprivate func hurries(until handle: Handle<CommandResult>) throws {
    let deadline = MachineClock.monotonic() + 30_000
    while true {
      do throws(ClientError) {
        _ = try handle.wait(milliseconds: 50)
        return
      } catch {
        guard case .timedOut = error, MachineClock.monotonic() < deadline else { throw error }
        connectNow()
      }
    }
  }
}

@Suite("client and server: two people, one list")
struct ClientServerTests {
  @Test("both have the same copy, and each sees what was waited for")
  func same() throws {
    let server = try TestServer()
    let author = try User("author", at: server.url)
    let editor = try User("editor", at: server.url)
    let list = CategoryID(Identifiers.make())
    try author.client.addCategory(list, name: "groceries").wait()
    try author.client.invite("editor", to: .category(list)).wait()
    try editor.accept()
    #expect(editor.until { $0.streams[.category(list)] != nil })
    for title in ["milk", "bread", "tea"] {
      let result = try editor.client.addPost(in: list, title: title).wait()
      #expect(editor.client.titles(in: list).last == title)
      #expect(result.number == editor.client.titles(in: list).count)
    }
    let head = editor.client.follow(.category(list))
    #expect(author.until { $0.follow(.category(list)) == head })
    let areSame = author.client.streams[.category(list)] == editor.client.streams[.category(list)]
    #expect(areSame)
    let members = try author.client.members(of: .category(list)).wait()
    #expect(members.first { $0.username == "editor" }?.added == 3)
  }

  @Test("somebody taken out loses the copy, and gets a whole one when invited again")
  func outAndIn() throws {
    let server = try TestServer()
    let author = try User("author", at: server.url)
    let editor = try User("editor", at: server.url)
    let list = CategoryID(Identifiers.make())
    let stream = StreamID.category(list)
    try author.client.addCategory(list, name: "groceries").wait()
    try author.client.invite("editor", to: stream).wait()
    try editor.accept()
    #expect(editor.until { $0.streams[stream] != nil })
    let editorID = try #require(editor.client.user)
    try author.client.send(.member(.remove(stream, editorID))).wait()
    #expect(editor.until { $0.streams[stream] == nil })
    try author.client.addPost(in: list, title: "not for editor").wait()
    #expect(throws: ClientError.self) { try editor.client.posts(in: list, show: .open).wait() }
    try author.client.invite("editor", to: stream).wait()
    try editor.accept()
    #expect(editor.until { $0.streams[stream] != nil })
    let head = author.client.follow(stream)
    _ = editor.until { $0.follow(stream) >= head }
    #expect(editor.client.titles(in: list) == ["not for editor"])
  }

  @Test("a burst over the rate limit is slowed, and nothing is lost")
  func burst() throws {
    let server = try TestServer { options in
      options.session.rate = TokenRate(count: 200, everyMilliseconds: 1_000, burst: 20)
    }
    let author = try User("author", at: server.url)
    let list = CategoryID(Identifiers.make())
    let titles = (1...150).map { "post \($0)" }
    let first = author.client.addCategory(list, name: "groceries")
    let handles = titles.map { author.client.addPost(in: list, title: $0) }
    try first.wait()
    for handle in handles { try handle.wait() }
    #expect(author.client.titles(in: list).sorted() == titles.sorted())
  }

  @Test("a refusal says why, and the connection goes on")
  func refusals() throws {
    let server = try TestServer()
    let author = try User("author", at: server.url)
    let nobody = CategoryID(Identifiers.make())
    #expect(author.client.addPost(in: nobody, title: "x").refusal?.kind == .notFound)
    let list = CategoryID(Identifiers.make())
    try author.client.addCategory(list, name: "groceries").wait()
    let refusal = author.client.addPost(in: list, title: "  ").refusal
    #expect(refusal?.kind == .invalid)
    #expect(refusal?.field == "title")
    #expect(try author.client.addPost(in: list, title: "x").wait().number == 1)
  }

  @Test("notes that somebody else has changed are not overwritten unseen")
  func unseenNotes() throws {
    let server = try TestServer()
    let author = try User("author", at: server.url)
    let list = CategoryID(Identifiers.make())
    let post = PostID(Identifiers.make())
    try author.client.addCategory(list, name: "groceries").wait()
    try author.client.addPost(in: list, post, title: "milk").wait()
    #expect(author.until { $0.titles(in: list) == ["milk"] })
    let twin = try Client(server: author.address, token: author.token)
    defer { twin.close() }
    #expect(twin.waitUntilLevel(milliseconds: 10_000))
    try twin.editPost(in: list, post, PostEdit(notes: "twin's")).wait()
    func write() throws {
      let command = Command.editPost(list, post, PostEdit(notes: "author's"), ifVersion: nil)
      let request = Request.command(command, key: Identifiers.key())
      _ = try author.client.answer(to: request, milliseconds: 10_000)
    }
    // Author has not taken the news of it.
    #expect(throws: ClientError.self) { try write() }
    #expect(author.until { ($0.heads[.category(list)] ?? 0) >= 3 })
    try write()
  }

  @Test("a wrong password and a wrong token are told; nothing is tried for ever")
  func strangers() throws {
    let server = try TestServer()
    let author = try User("author", at: server.url)
    let door = try Client(server: author.address, token: nil, streams: .none)
    defer { door.close() }
    for name in ["author", "nobody"] {
      let refusal = door.login(username: name, password: "wrong horse").refusal
      #expect(refusal?.kind == .unauthenticated)
    }
    let forger = try Client(server: author.address, token: Identifiers.secret())
    defer { forger.close() }
    #expect(!forger.waitUntilLevel(milliseconds: 10_000))
    #expect(forger.standing == .ended(.signedOut))
  }

  @Test("logging out ends the session, also for a copy of the token")
  func logout() throws {
    let server = try TestServer()
    let author = try User("author", at: server.url)
    let twin = try Client(server: author.address, token: author.token)
    defer { twin.close() }
    #expect(twin.waitUntilLevel(milliseconds: 10_000))
    try author.client.logout().wait()
    #expect(author.until { $0.standing == .ended(.signedOut) })
    let deadline = MachineClock.monotonic() + 10_000
    while twin.standing != .ended(.signedOut), MachineClock.monotonic() < deadline {
      _ = twin.waitForNews(milliseconds: 100)
    }
    #expect(twin.standing == .ended(.signedOut))
    #expect(throws: ClientError.ended(.signedOut)) { try twin.profile().wait() }
  }

  @Test("a program that takes no news is not flooded, and misses nothing")
  func lazy() throws {
    let server = try TestServer()
    let author = try User("author", at: server.url)
    let list = CategoryID(Identifiers.make())
    try author.client.addCategory(list, name: "groceries").wait()
    let told = Counter()
    let lazy = try Client(
      server: author.address, token: author.token, untakenMax: 20, onNews: { told.add() })
    defer { lazy.close() }
    #expect(lazy.waitUntilLevel(milliseconds: 10_000))
    // The commands come one by one, so that each is a message of its own.
    for number in 1...300 {
      try author.client.addPost(in: list, title: "post \(number)").wait()
    }
    #expect(told.count < 60)
    #expect(lazy.takes(.category(list), to: 301))
    let areSame = lazy.streams[.category(list)] == author.client.streams[.category(list)]
    #expect(areSame)
  }

  @Test("an address where nobody listens is told, and waiting for an answer ends")
  func nobodyThere() throws {
    let client = try Client(server: ServerAddress("ws://127.0.0.1:1/ws"), token: "t")
    defer { client.close() }
    #expect(throws: ClientError.timedOut) { try client.profile().wait(milliseconds: 300) }
    let isOffline =
      switch client.standing {
      case .offline(.unreachable, _), .connecting: true
      default: false
      }
    #expect(isOffline)
  }
}

@Suite("client and server: P2 and P5 over a line that is cut")
struct ClientCutTests {
  @Test("every post is there exactly once, and the copies agree", arguments: [1, 2, 3])
  func cut(seed: UInt64) throws {
    let server = try TestServer()
    let port = try ServerAddress(server.url).port
    var random = SeededRandom(seed: seed)
    let lives = (0..<25).map { _ in 400 + Int(random.next() % 6_000) }
    let proxy = try CuttingProxy(to: port, lives: lives)
    defer { proxy.stop() }
    let author = try User("author", at: server.url)
    let list = CategoryID(Identifiers.make())
    try author.client.addCategory(list, name: "groceries").wait()
    let shaky = try Client(
      server: ServerAddress("ws://127.0.0.1:\(proxy.port)/ws"), token: author.token)
    defer { shaky.close() }
    let titles = (1...60).map { "post \($0)" }
    var handles: [Handle<CommandResult>] = []
    for title in titles {
      handles.append(shaky.addPost(in: list, title: title))
      // Somebody else writes meanwhile, so that there is something to miss.
      try author.client.send(.category(.edit(list, name: "while \(title)"))).wait()
      _ = shaky.waitForNews(milliseconds: 5)
      shaky.connectNow()
    }
    for handle in handles { try shaky.hurries(until: handle) }
    #expect(shaky.titles(in: list).sorted() == titles.sorted(), "seed \(seed)")
    // The list and its owner, sixty posts, sixty names.
    let head = Int64(1 + 2 * titles.count)
    let areLevel = [author.client, shaky].allSatisfy { $0.takes(.category(list), to: head) }
    #expect(areLevel, "seed \(seed)")
    let areSame = author.client.streams[.category(list)] == shaky.streams[.category(list)]
    #expect(areSame, "seed \(seed)")
    #expect(proxy.cutsLeft < 25)
  }

  @Test("A change that is asked while the server is away happens once it is back")
  func restart() throws {
    let first = try TestServer()
    let port = try ServerAddress(first.url).port
    first.stop()
    let server = try TestServer { options in
      do { options.listen = [try ListenAddress("127.0.0.1:\(port)")] } catch { Issue.record(error) }
    }
    let author = try User("author", at: server.url)
    let list = CategoryID(Identifiers.make())
    try author.client.addCategory(list, name: "groceries").wait()
    server.stop()
    #expect(author.until { if case .offline = $0.standing { true } else { false } })
    let handles = ["milk", "bread"].map { author.client.addPost(in: list, title: $0) }
    #expect(throws: ClientError.timedOut) { try handles[0].wait(milliseconds: 50) }
    try server.restart()
    for handle in handles { try handle.wait() }
    #expect(author.client.titles(in: list) == ["milk", "bread"])
  }
}

extension Handle {
  /// The refusal; nil when it is something else. Waits for it.
  fileprivate var refusal: Wire.ServerError? {
    do throws(ClientError) {
      _ = try wait()
      return nil
    } catch {
      guard case .refused(let refusal) = error else { return nil }
      return refusal
    }
  }
}

/// A counter for any thread.
private final class Counter: Sendable {
  private let value = Atomic(0)
  func add() { value.add(1, ordering: .relaxed) }
  var count: Int { value.load(ordering: .relaxed) }
}
