import Foundation
import Net
import Testing
import WebSocket
import Wire

@testable import Server

/// A box that the loop's thread hands out and that is looked at when the thread has ended.
private final class LoopBox: @unchecked Sendable {
  var loop: ServerLoop?
}

@Suite("DESIGN §6 the subscriber is attached before its snapshot is read")
struct ReadingMarkTests {
  @Test("hellos and opens in one go leave no reading behind, answered or cut off")
  func pipelined() throws {
    var options = ServerOptions(
      dataFolder: NSTemporaryDirectory() + "whattodo-server-tests-" + newID())
    options.listen = [try ListenAddress("127.0.0.1:0")]
    (options.readers, options.hashers) = (1, 1)
    defer { try? FileManager.default.removeItem(atPath: options.dataFolder) }
    let mailboxes = try Mailboxes(loops: 1, readers: 1, hashers: 1)
    let stores = try OpenedStores(options)
    let (box, rules) = (LoopBox(), options.session)
    var net = NetOptions()
    net.listen = options.listen
    net.closeMilliseconds = 50
    var routes = RouteTable()
    routes.addWebSocket(
      Server.path, subprotocols: Subprotocols([Server.subprotocol], areRequired: true),
      messageBytesMax: 65_536)
    let group = try LoopGroup(net, routes: routes) { index in
      let loop = ServerLoop(
        index, mailboxes: mailboxes, rules: rules, recorder: nil, about: .silent)
      box.loop = loop
      return loop
    }
    let threads = try ServerThreads(stores, options, mailboxes)
    try talk("ws://\(group.addresses[0])\(Server.path)")
    group.stop()
    group.wait()
    threads.end(mailboxes)
    #expect(box.loop?.readingCount == 0)
  }

  private func talk(_ url: String) throws {
    let client = try TestClient(url)
    let id = newID()
    try client.call(
      "account.register", ["id": id, "username": "author", "password": "correct horse"])
    let login = try client.call(
      "account.login", ["username": "author", "password": "correct horse"])
    let hello: [String: Any] = [
      "token": login["token"] ?? "", "client": ["name": "test", "version": "1"],
      "cursors": [String: Any](), "streams": "none",
    ]
    let own: [String: Any] = ["streams": [["stream": "u:" + id]]]
    let sent = [
      client.send("hello", hello), client.send("sync.open", own), client.send("sync.open", own),
    ]
    for number in sent { try client.answer(to: number) }
    // Cut off while a reader is at work, perhaps.
    let other = try TestClient(url)
    _ = other.send("hello", hello)
    _ = other.send("sync.open", own)
  }
}

extension ServerAbout {
  static let silent = ServerAbout(
    server: ServerName(name: "test", version: "1"), registrationIsOpen: true, privacy: nil)
}
