import Client
import Domain
import Net
import Sync
import Testing
import Wire

@Suite("protocol §2.6: secrets are never compressed, and the rest is")
struct SecretsTests {
  private static let long = String(repeating: "one more word and ", count: 20)
  private static let password = "correct horse " + String(repeating: "battery staple ", count: 15)

  /// Returns both directions of every connection that `use` makes to a new server.
  private func tapes(
    _ use: (_ url: String, _ proxied: String) throws -> Void
  ) throws -> [(request: Tape, answer: Tape)] {
    // With this the size is no reason against compression.
    let server = try TestServer { $0.compressedBytesMin = 1 }
    let port = try #require(UInt16(server.url.split(separator: ":")[2].prefix { $0 != "/" }))
    let proxy = try CuttingProxy(to: port, lives: [])
    defer { proxy.stop() }
    try use(server.url, "ws://127.0.0.1:\(proxy.port)/ws")
    return try proxy.recordings.map { (try Tape($0.near), try Tape($0.far)) }
  }

  @Test("requests and answers with a password, a token or a code are plain, the rest is compressed")
  func accounts() throws {
    let tapes = try tapes { _, proxied in
      let address = try ServerAddress(proxied)
      let door = try Client(server: address, token: nil, streams: .none)
      let account = try door.register(
        username: "author", password: SecretsTests.password, name: "Author"
      ).wait()
      _ = try door.recover(
        username: "author", code: account.recoveryCode, password: SecretsTests.password + "2"
      ).wait()
      let token = try door.login(username: "author", password: SecretsTests.password + "2").wait()
        .token
      door.close()
      let client = try Client(server: address, token: token)
      #expect(client.waitUntilLevel(milliseconds: 10_000))
      let list = CategoryID(Identifiers.make())
      try client.addCategory(list, name: "groceries").wait()
      try client.addPost(in: list, title: "milk", notes: SecretsTests.long).wait()
      _ = try client.posts(in: list, show: .open).wait()
      _ = try client.sessions().wait()
      try client.changePassword(
        old: SecretsTests.password + "2", new: SecretsTests.password + "3"
      ).wait()
      client.close()
      // There are cursors, so that it is long enough to be worth compressing.
      let again = try Client(server: address, token: token)
      #expect(again.waitUntilLevel(milliseconds: 10_000))
      again.close()
    }
    try check(tapes)
    let requests = tapes.flatMap(\.request.messages)
    let compressed = Set(requests.filter(\.isCompressed).compactMap(\.method))
    #expect(compressed.contains("post.add"))
    for method in [
      "account.register", "account.recover", "account.login", "account.change_password",
    ] {
      let request = try #require(requests.first { $0.method == method })
      #expect(request.bytes > 256)
    }
    let pushes = tapes.flatMap(\.answer.messages).filter { $0.method == "sync.events" }
    #expect(!pushes.isEmpty && pushes.allSatisfy(\.isCompressed))
  }

  /// Checks every message of every tape against the table of methods.
  private func check(_ tapes: [(request: Tape, answer: Tape)]) throws {
    var seen: Set<Method> = []
    for (request, answer) in tapes {
      #expect(request.head.contains("Sec-WebSocket-Extensions: permessage-deflate"))
      #expect(answer.head.contains("Sec-WebSocket-Extensions: permessage-deflate"))
      var methods: [Int: Method] = [:]
      for message in request.messages {
        let envelope = try RequestEnvelope(decoding: Array(message.text.utf8))
        let method = envelope.method
        methods[try #require(message.id)] = method
        seen.insert(method)
        #expect(
          message.isCompressed == (message.bytes >= 256 && !envelope.request.hasSecret),
          "\(message)")
      }
      for message in answer.messages {
        let method = message.id.flatMap { methods[$0] }
        if method?.row.answersWithSecret == true {
          #expect(!message.isCompressed, "\(message)")
        } else if message.bytes >= 200 {
          #expect(message.isCompressed, "\(message)")
        }
        for word in ["\"token\"", "\"recoveryCode\"", "\"password\"", "battery staple"]
        where message.text.contains(word) {
          #expect(!message.isCompressed, "\(message)")
        }
      }
    }
    let secretive: Set<Method> = [
      .connection(.hello), .signIn(.register), .signIn(.login), .signIn(.recover),
      .signIn(.changePassword),
    ]
    #expect(seen.isSuperset(of: secretive))
  }
}
