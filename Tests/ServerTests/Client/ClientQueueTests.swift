import Domain
import Foundation
import Net
import Sync
import Testing
import Wire

@testable import Client

/// A folder that is removed with the test.
final class Folder {
  let path = NSTemporaryDirectory() + "whattodo-queue-" + Foundation.UUID().uuidString
  var state: StateFolder {
    get throws { try StateFolder(path: path) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the folder that a program finds that starts after a kill -9 at this moment.
  func afterKill() throws -> Folder {
    let other = Folder()
    try FileManager.default.createDirectory(atPath: other.path, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.copyItem(
        atPath: path + "/" + name, toPath: other.path + "/" + name)
    }
    return other
  }

  func file(_ kind: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    return path + "/"
      + (try #require(names.first { $0.hasPrefix(kind + "-") && !$0.contains("damaged") }))
  }

  /// Returns a client with the files that lie here.
  func client() throws -> Client {
    let session = try #require(try state.session())
    return try Client(
      server: ServerAddress(session.server), token: session.token,
      files: AccountFiles(in: state, of: session))
  }

  func signIn(_ name: String, at server: TestServer) throws {
    let door = try Client(server: ServerAddress(server.url), token: nil, streams: .none)
    defer { door.close() }
    _ = try door.register(username: name, password: "correct horse").wait()
    try Todo.login(
      server: server.url, username: name, password: "correct horse", state: path, program: "test")
  }
}

extension Client {
  /// Returns the titles of a list as this client has it confirmed, by number.
  func titles(in list: CategoryID) -> [String] { titles(list, in: streams) }

  fileprivate func titles(_ list: CategoryID, in streams: [StreamID: StreamState]) -> [String] {
    let posts = (streams[.category(list)]?.objects.values).map { objects in
      objects.compactMap { if case .post(let it) = $0 { it } else { nil } }
    }
    return (posts ?? []).sorted { $0.number < $1.number }.map(\.title)
  }

  /// Takes news until the condition holds. Returns false after twenty seconds.
  func until(_ condition: (Client) -> Bool) -> Bool {
    let deadline = MachineClock.monotonic() + 20_000
    while !condition(self) {
      guard MachineClock.monotonic() < deadline else { return false }
      _ = waitForNews(milliseconds: 100)
    }
    return true
  }
}

@Suite("client: queued commands survive everything")
struct ClientQueueTests {
  /// Starts a server at a place of its own, so that it comes back there, and makes a person with a list.
  private func start() throws -> (TestServer, Folder, CategoryID) {
    let first = try TestServer()
    let port = try ServerAddress(first.url).port
    first.stop()
    let server = try TestServer { options in
      do { options.listen = [try ListenAddress("127.0.0.1:\(port)")] } catch { Issue.record(error) }
    }
    let folder = Folder()
    try folder.signIn("author", at: server)
    let client = try folder.client()
    defer { client.close() }
    #expect(client.waitUntilLevel(milliseconds: 10_000))
    let list = CategoryID(Identifiers.make())
    try client.addCategory(list, name: "groceries").wait()
    #expect(client.until { $0.streams[.category(list)] != nil })
    return (server, folder, list)
  }

  @Test("a program that runs for long keeps what is not settled, not what was")
  func outgrown() throws {
    let (server, folder, list) = try start()
    defer { server.stop() }
    let session = try #require(try folder.state.session())
    let client = try Client(
      server: ServerAddress(session.server), token: session.token,
      files: AccountFiles(in: folder.state, of: session, settledBytesMax: 50_000))
    defer { client.close() }
    let post = PostID(Identifiers.make())
    try client.queue(.post(.add(list, post, title: "log", notes: "")))
    for number in 0..<16 {
      let notes = "\(number) " + String(repeating: "x", count: 12_000)
      try client.queue(.editPost(list, post, PostEdit(notes: notes), ifVersion: nil))
      try #require(client.until { $0.waiting.isEmpty })
    }
    let size = try FileManager.default.attributesOfItem(atPath: folder.file("outbox"))[.size]
    #expect(try #require(size as? Int) < 80_000)
  }

  @Test("without a server one sees the lists, adds to them, is killed, and all of it happens once")
  func offline() throws {
    let (server, folder, list) = try start()
    server.stop()
    var folders = [folder]
    for title in ["milk", "bread", "tea"] {
      let client = try folders[folders.count - 1].client()
      #expect(client.streams[.category(list)] != nil)
      try client.queue(.post(.add(list, PostID(Identifiers.make()), title: title, notes: "")))
      #expect(client.titles(list, in: client.view).last == title)
      #expect(client.titles(in: list).isEmpty)
      folders.append(try folders[folders.count - 1].afterKill())
      client.close()
    }
    try server.restart()
    // The one with everything, killed while it sends, and the one that comes after it.
    let first = try folders[3].client()
    #expect(first.waiting.count == 3)
    let killed = try folders[3].afterKill()
    #expect(first.until { $0.waiting.isEmpty })
    first.close()
    let second = try killed.client()
    defer { second.close() }
    #expect(second.waiting.count == 3)
    #expect(second.until { $0.waiting.isEmpty && $0.isLevel })
    #expect(second.titles(in: list) == ["milk", "bread", "tea"])
    #expect(second.unsent.isEmpty)
  }

  @Test("the copies of the last time make a tail of what was missed")
  func resume() throws {
    let (server, folder, list) = try start()
    _ = server
    let client = try folder.client()
    #expect(client.waitUntilLevel(milliseconds: 10_000))
    try client.addPost(in: list, title: "milk").wait()
    client.close()
    let again = try folder.client()
    defer { again.close() }
    #expect(again.titles(in: list) == ["milk"])
    var replaced: [StreamID] = []
    let deadline = MachineClock.monotonic() + 10_000
    while !again.isLevel, MachineClock.monotonic() < deadline {
      for case .replaced(let stream) in again.waitForNews(milliseconds: 100) {
        replaced.append(stream)
      }
    }
    #expect(again.isLevel)
    #expect(replaced == [])
  }

  @Test("one program at a time keeps the queue")
  func lock() throws {
    let (server, folder, _) = try start()
    _ = server
    let client = try folder.client()
    #expect(throws: ClientError.self) { try folder.client() }
    client.close()
    try folder.client().close()
  }

  @Test("who takes another name finds what waits")
  func renamed() throws {
    let (server, folder, list) = try start()
    server.stop()
    let client = try folder.client()
    try client.queue(.post(.add(list, PostID(Identifiers.make()), title: "milk", notes: "")))
    client.close()
    let session = try #require(try folder.state.session())
    try folder.state.save(
      StateFolder.Session(
        server: session.server, username: "another", token: session.token, files: session.files))
    let again = try folder.client()
    defer { again.close() }
    #expect(again.waiting.count == 1)
    #expect(try folder.state.session()?.username == "another")
  }

  @Test("a torn end is told, and what is in front of it is kept")
  func torn() throws {
    let (server, folder, list) = try start()
    server.stop()
    let client = try folder.client()
    for title in ["milk", "bread"] {
      try client.queue(.post(.add(list, PostID(Identifiers.make()), title: title, notes: "")))
    }
    let killed = try folder.afterKill()
    client.close()
    let path = try killed.file("outbox")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.removeLast(5)
    try bytes.write(to: URL(fileURLWithPath: path))
    try Data("nonsense\n".utf8).write(to: URL(fileURLWithPath: killed.file("copies")))
    let session = try #require(try killed.state.session())
    let files = try AccountFiles(in: killed.state, of: session)
    #expect(files.damage != nil)
    #expect(files.copies == nil)
    #expect(files.outbox.waiting.count == 1)
    #expect(FileManager.default.fileExists(atPath: path + ".damaged"))
  }

  @Test("A change that no server would take is refused at once, without one")
  func checked() throws {
    let (server, folder, list) = try start()
    server.stop()
    let client = try folder.client()
    defer { client.close() }
    let long = String(repeating: "x", count: 501)
    #expect(throws: ClientError.self) {
      try client.queue(.post(.add(list, PostID(Identifiers.make()), title: long, notes: "")))
    }
    #expect(client.waiting.isEmpty)
  }
}
