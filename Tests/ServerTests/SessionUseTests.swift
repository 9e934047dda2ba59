import Domain
import Foundation
import Net
import Sync
import Testing
import WebSocket
import Wire

@testable import Server

private let hour: Int64 = 3_600_000

private func identity(_ number: UInt64) -> Identity {
  Identity(
    user: UserID(UUID(high: 1, low: number)), session: SessionID(UUID(high: 2, low: number)))
}

@Suite("protocol §8 `account.login`: a session that stays connected is in use")
struct SessionUseTests {
  @Test("a connection that is open for 200 days is noted once a day, and its token stays good")
  func longConnection() {
    var uses = SessionUses(SessionUseRules())
    var session = SessionRecord(
      id: identity(1).session, user: identity(1).user, tokenHash: [], deviceHash: nil, client: "",
      openedAt: Timestamp(milliseconds: 0), usedAt: Timestamp(milliseconds: 0))
    uses.began(identity(1), at: 0)
    var (now, notes) = (Int64(0), 0)
    while now < 200 * 24 * hour {
      let (due, wait) = uses.due(at: now)
      #expect(due == [] || due == [identity(1)])
      if !due.isEmpty { session.usedAt = Timestamp(milliseconds: now) }
      notes += due.count
      now += wait
      #expect(SessionAge.isAlive(session, at: Timestamp(milliseconds: now)))
    }
    #expect(notes == 199)
  }

  @Test("who goes is not noted, who comes again within the day neither")
  func goes() {
    var uses = SessionUses(SessionUseRules())
    for number in 1...3 { uses.began(identity(UInt64(number)), at: 0) }
    uses.ended(identity(2).session)
    uses.ended(identity(3).session)
    uses.began(identity(3), at: 23 * hour)
    #expect(uses.due(at: 24 * hour).notes == [identity(1)])
    #expect(uses.due(at: 25 * hour).notes == [])
    #expect(uses.due(at: 47 * hour).notes == [identity(3)])
  }

  @Test("many are noted in batches, each once", arguments: [63, 64, 65, 1_000])
  func batches(_ count: Int) {
    var uses = SessionUses(SessionUseRules())
    for number in 1...count { uses.began(identity(UInt64(number)), at: 0) }
    var (now, noted) = (24 * hour, [Identity]())
    while true {
      let (notes, wait) = uses.due(at: now)
      #expect(notes.count <= 64)
      noted += notes
      now += wait
      if wait == hour { break }
      #expect(wait == 1_000)
    }
    #expect(noted == (1...count).map { identity(UInt64($0)) })
  }

  @Test("a loop tells the ledger of those who said hello, again and again, and of nobody else")
  func loop() throws {
    let mailboxes = try Mailboxes(loops: 1, readers: 1, hashers: 1)
    var (net, options) = (NetOptions(), ServerOptions(dataFolder: ""))
    options.listen = [try ListenAddress("127.0.0.1:0")]
    (net.listen, net.closeMilliseconds) = (options.listen, 50)
    var uses = SessionUseRules()
    (uses.noteEveryMilliseconds, uses.lookEveryMilliseconds) = (20, 20)
    var routes = RouteTable()
    routes.addWebSocket(
      Server.path, subprotocols: Subprotocols([Server.subprotocol], areRequired: true),
      messageBytesMax: 65_536)
    let (rules, often) = (options.session, uses)
    let group = try LoopGroup(net, routes: routes) { index in
      ServerLoop(
        index, mailboxes: mailboxes, rules: rules, uses: often, recorder: nil, about: .silent)
    }
    defer {
      group.stop()
      group.wait()
    }
    let url = "ws://\(group.addresses[0])\(Server.path)"
    let (client, other) = (try TestClient(url), try TestClient(url))
    _ = client.send(
      "hello",
      [
        "token": "x", "client": ["name": "test", "version": "1"], "cursors": [String: Any](),
        "streams": "none",
      ])
    // The test is the reader and the ledger.
    guard case .hello(let to, _) = mailboxes.readers[0].wait(milliseconds: 10_000).first else {
      Issue.record("the hello goes to the reader")
      return
    }
    let welcome = HelloFacts.result(
      user: identity(1).user, session: identity(1).session, at: Timestamp(milliseconds: 0),
      server: ServerName(name: "test", version: "1"), streams: [])
    mailboxes.reply(to, .welcome(welcome, identity(1), followsAll: false, []))
    var (noted, hasConnected) = (0, false)
    while noted < 3 {
      let messages = mailboxes.ledger.wait(milliseconds: 10_000)
      try #require(!messages.isEmpty, "the use of the session goes to the ledger")
      for message in messages {
        switch message {
        case .connected(let session):
          #expect(session == identity(1).session && !hasConnected && noted == 0)
          hasConnected = true
        case .work(.useSession(let session, let user, _), .nobody):
          #expect(session == identity(1).session && user == identity(1).user && hasConnected)
          noted += 1
        case .work, .disconnected, .heard, .stop: Issue.record("the ledger is told something else")
        }
      }
    }
    withExtendedLifetime(other) {}
  }
}
