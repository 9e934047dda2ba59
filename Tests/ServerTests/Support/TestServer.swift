import Crypto
import Foundation
import Net
import Store
import Sync

@testable import Server

/// A real server on a free port. Its data is in a folder of its own, which is removed with it.
final class TestServer {
  let folder: String
  private var server: Server
  private var options: ServerOptions
  private var isRunning = true

  var url: String { server.urls[0] }

  init(_ change: (inout ServerOptions) -> Void = { _ in }) throws {
    folder = NSTemporaryDirectory() + "whattodo-server-tests-" + newID()
    var options = ServerOptions(dataFolder: folder)
    options.listen = [try ListenAddress("127.0.0.1:0")]
    // There are two on every machine: code that works only with one would be seen.
    options.loops = 2
    options.scryptCost = ScryptCost(logN: 10, r: 8, p: 1)
    options.session.rate = TokenRate(count: 10_000, everyMilliseconds: 1_000, burst: 10_000)
    options.lineRate = options.session.rate
    // The tests' client does not answer close frames.
    options.closeMilliseconds = 50
    change(&options)
    self.options = options
    server = try Server(options)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  func stop() {
    guard isRunning else { return }
    isRunning = false
    server.stop()
    server.wait()
  }

  func restart(_ change: (inout ServerOptions) -> Void = { _ in }) throws {
    stop()
    change(&options)
    server = try Server(options)
    isRunning = true
  }

  /// Returns the PHC string that the database has for this person.
  func storedHash(of person: Person) throws -> String {
    let store = try SQLiteStore(reading: DataFolder(path: folder))
    return try store.account(username: person.username)?.password.phc ?? ""
  }

  /// Whether the ledger does not trust the wall clock.
  var isPaused: Bool { server.mailboxes.counters.ledger.counts[.schedulerPaused] == 1 }

  /// The number of bytes that wait on all loops because peers do not take them.
  var backlogBytes: Int {
    server.mailboxes.counters.net.reduce(0) { $0 + $1.counts[.backlogBytes] }
  }

  func connect(receiveBufferBytes: Int32? = nil) throws -> TestClient {
    try TestClient(url, receiveBufferBytes: receiveBufferBytes)
  }

  /// Registers a new person, on a connection that said hello.
  func join(
    _ username: String, id: String = newID(), streams: Any = "all", kind: String? = nil
  ) throws -> Person {
    let client = try connect()
    var account: [String: Any] = ["id": id, "username": username, "password": "correct horse"]
    account["kind"] = kind
    let answer = try client.call("account.register", account)
    let login = try client.call(
      "account.login", ["username": username, "password": "correct horse"])
    let person = Person(
      client: client, id: id, username: username, token: login["token"] as? String ?? "",
      session: login["session"] as? String ?? "",
      recoveryCode: answer["recoveryCode"] as? String ?? "")
    try person.hello(streams: streams)
    return person
  }

  /// Returns the same person on another connection, which said hello.
  func again(
    _ person: Person, cursors: [String: Any] = [:], streams: Any = "all"
  ) throws -> (Person, hello: [String: Any]) {
    var other = person
    other.client = try connect()
    let hello = try other.hello(cursors: cursors, streams: streams)
    return (other, hello)
  }
}

struct Person {
  var client: TestClient
  let id: String
  let username: String
  let token: String
  let session: String
  let recoveryCode: String

  @discardableResult
  func hello(cursors: [String: Any] = [:], streams: Any = "all") throws -> [String: Any] {
    try client.call(
      "hello",
      [
        "token": token, "client": ["name": "test", "version": "1"], "cursors": cursors,
        "streams": streams,
      ])
  }

  /// Adds a category. Returns it and its stream.
  func addList(_ name: String = "groceries", group: String? = nil) throws -> (
    id: String, stream: String
  ) {
    let id = newID()
    var params: [String: Any] = ["id": id, "name": name]
    params["group"] = group
    try client.change("category.add", params)
    return (id, "c:" + id)
  }

  @discardableResult
  func addPost(_ list: String, _ title: String = "milk") throws -> (
    id: String, answer: [String: Any]
  ) {
    let id = newID()
    return (id, try client.change("post.add", ["category": list, "id": id, "title": title]))
  }

  /// Invites the other person, who becomes a member.
  func invite(_ other: Person, to stream: String, as role: String = "editor") throws {
    let id = newID()
    try client.change(
      "invitation.send",
      ["id": id, "stream": stream, "username": other.username, "role": role])
    try other.client.change("invitation.accept", ["id": id])
  }
}

/// Returns the number of the event that a command wrote in a stream.
func seq(_ answer: [String: Any], in stream: String) -> Int? {
  let events = answer["events"] as? [[String: Any]] ?? []
  return events.first { $0["stream"] as? String == stream }?["seq"] as? Int
}

func isSame(_ left: [String: Any], _ right: [String: Any]) -> Bool {
  let options: JSONSerialization.WritingOptions = [.sortedKeys]
  let texts = [left, right].map {
    try? JSONSerialization.data(withJSONObject: $0, options: options)
  }
  return texts[0] != nil && texts[0] == texts[1]
}
