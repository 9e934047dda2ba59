import Domain
import Sync
import Testing
import Wire

@testable import Store

/// A store with a bot of somebody in a list, and the reader of its webhooks.
private struct Sending {
  let pair: StorePair
  let driver: LedgerDriver
  let owner: UserID
  let bot: UserID
  let list: CategoryID

  init(_ kind: StoreKind) throws {
    pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    owner = try driver.person("owner")
    list = try driver.category("builds", by: owner)
    bot = UserID(driver.name())
    let new = NewBot(id: bot, username: "nightly", name: "Nightly", zone: "UTC")
    try driver.run(.bot(.add(new)), by: owner)
    try letIn()
  }

  func letIn(to list: CategoryID? = nil) throws {
    let place = StreamID.category(list ?? self.list)
    let invitation = InvitationID(driver.name())
    try driver.run(.invitation(.send(invitation, place, username: "nightly", .viewer)), by: owner)
  }

  func putOut() throws {
    try driver.run(.member(.remove(.category(list), bot)), by: owner)
  }

  func add(
    _ form: Webhook.Form = .events, lists: Set<CategoryID>? = nil
  ) throws -> WebhookID {
    let id = WebhookID(driver.name())
    let address = try WebhookAddress("https://chat.example.org/hook")
    let new = NewWebhook(name: "chat", address: address, form: form, lists: lists)
    try driver.run(.bot(.addWebhook(bot, id, new)), by: owner)
    return id
  }

  func webhook() throws -> Webhook { try #require(try pair.reader.webhooks(of: bot).first) }

  func look(_ webhook: Webhook? = nil) throws -> DeliveryLook {
    try DeliveryReader(pair.reader).look(for: try webhook ?? self.webhook())
  }

  func head() throws -> Int64 { try #require(try pair.reader.head(of: .category(list))).seq }
}

@Suite("EventStore contract: webhooks") struct WebhookRowTests {
  @Test("a webhook comes back as it was, with how far it has come", arguments: StoreKind.allCases)
  func rows(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    let id = try it.add(.ntfy, lists: [it.list])
    let webhook = try it.webhook()
    #expect(webhook.id == id && webhook.form == .ntfy && webhook.lists == [it.list])
    #expect(webhook.progress == WebhookProgress(cursors: [.category(it.list): try it.head()]))
    let range = WebhookRange(stream: .category(it.list), from: 3, through: 4)
    var progress = webhook.progress
    progress.cursors[.category(it.list)] = 99
    progress.trouble = WebhookTrouble(range: range, since: webhook.addedAt, failures: 2)
    for outcome in [WebhookTry.Outcome.answered(503), .failed("it hangs up")] {
      progress.add(
        WebhookTry(range: range, at: webhook.addedAt, outcome: outcome, milliseconds: 7))
    }
    try it.driver.run([.noteWebhook(webhook.key, progress)])
    #expect(try it.webhook().progress == progress)
    try it.driver.run(.bot(.pauseWebhook(webhook.key)), by: it.owner)
    #expect(try it.webhook().progress.revision == 1)
    // The ledger knows what it has written.
    #expect(try it.webhook().progress.cursors == progress.cursors)
    #expect(try it.webhook().progress.pausedAt != nil)
    #expect(try it.pair.reader.webhooks() == it.pair.reader.webhooks(of: it.bot))
    try it.driver.run(.bot(.end(it.bot)), by: it.owner)
    #expect(try it.pair.reader.webhooks() == [])
    if let store = it.pair.writer as? SQLiteStore {
      #expect(try store.verify().differences == [])
    }
  }

  @Test(
    "the events from its beginning on are sent, a page at a time", arguments: StoreKind.allCases)
  func events(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    _ = try it.driver.post("before", in: it.list, by: it.owner)
    _ = try it.add()
    #expect(try it.look().delivery == nil)
    let start = try it.head()
    for number in 0..<Limits.webhookEventsMax + 1 {
      _ = try it.driver.post("post \(number)", in: it.list, by: it.owner)
    }
    var webhook = try it.webhook()
    let look = try it.look(webhook)
    #expect(look.hasMore)
    let first = try #require(look.delivery)
    let last = start + Int64(Limits.webhookEventsMax)
    #expect(
      first.range == WebhookRange(stream: .category(it.list), from: start + 1, through: last))
    let stored = try it.pair.reader.events(
      in: .category(it.list), after: start, through: last, bytesMax: .max)
    #expect(first.message == .events(stored.map(\.body)))
    webhook.progress.cursors[.category(it.list)] = last
    let rest = try it.look(webhook)
    #expect(rest.delivery?.range.from == last + 1 && !rest.hasMore)
    let other = try it.driver.category("others", by: it.owner)
    try it.letIn(to: other)
    _ = try it.driver.post("elsewhere", in: other, by: it.owner)
    #expect(try it.look(webhook).hasMore)
  }

  @Test(
    "a bot in more places than a webhook follows has events of the first ones sent",
    arguments: StoreKind.allCases)
  func manyPlaces(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    _ = try it.add()
    for number in 0..<Limits.webhookStreamsMax {
      try it.letIn(to: try it.driver.category("list \(number)", by: it.owner))
    }
    let look = try it.look()
    #expect(look.cursors.count == Limits.webhookStreamsMax)
    #expect(
      look.cursors[.category(it.list)] != nil, "the places that it follows already come first")
  }

  @Test(
    "a delivery that failed is the same again, although more has come",
    arguments: StoreKind.allCases)
  func again(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    _ = try it.add()
    _ = try it.driver.post("one", in: it.list, by: it.owner)
    var webhook = try it.webhook()
    let first = try #require(try it.look(webhook).delivery)
    webhook.progress.trouble = WebhookTrouble(range: first.range, since: webhook.addedAt)
    let other = try it.driver.category("others", by: it.owner)
    try it.letIn(to: other)
    for title in ["two", "three"] {
      _ = try it.driver.post(title, in: it.list, by: it.owner)
      _ = try it.driver.post(title, in: other, by: it.owner)
    }
    #expect(try it.look(webhook).delivery == first)
  }

  @Test(
    "nothing is read of a place where the bot is not, and all from its return on",
    arguments: StoreKind.allCases)
  func access(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    _ = try it.add()
    _ = try it.driver.post("seen", in: it.list, by: it.owner)
    let webhook = try it.webhook()
    try it.putOut()
    let out = try it.look(webhook)
    #expect(out.delivery == nil && out.cursors == [:])
    _ = try it.driver.post("unseen", in: it.list, by: it.owner)
    try it.letIn()
    let joined = try it.head()
    _ = try it.driver.post("seen again", in: it.list, by: it.owner)
    let back = try #require(try it.look(webhook).delivery)
    #expect(back.range.from == joined + 1 && back.range.through == joined + 1)
  }

  @Test("a text that was erased meanwhile is not read", arguments: StoreKind.allCases)
  func erased(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    _ = try it.add()
    let post = try it.driver.post("a secret", in: it.list, by: it.owner)
    _ = try #require(try it.look().delivery)
    try it.driver.run(.erasePost(it.list, post), by: it.owner)
    guard case .events(let bodies)? = try it.look().delivery?.message else {
      Issue.record("nothing is read")
      return
    }
    #expect(!bodies.contains { String(decoding: $0, as: UTF8.self).contains("a secret") })
  }

  @Test("texts tell what is news, and nothing is sent of the rest", arguments: StoreKind.allCases)
  func texts(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    _ = try it.add(.slack)
    let post = try it.driver.post("milk & <bread>", in: it.list, by: it.owner)
    try it.driver.run(.completePost(it.list, post, ifVersion: nil), by: it.owner)
    let message = try #require(try it.look().delivery).message
    let lines = ["OWNER added #1 milk & <bread>", "✓ OWNER completed #1 milk & <bread>"]
    #expect(message == .text(lines: lines, title: "builds", isUrgent: false))
    var webhook = try it.webhook()
    webhook.progress.cursors[.category(it.list)] = try it.head()
    try it.driver.run(
      .category(.edit(it.list, CategoryEdit(name: "Builds"))), by: it.owner)
    let look = try it.look(webhook)
    #expect(look.delivery == nil && look.hasMore)
    #expect(
      look.cursors[.category(it.list)]
        == webhook.progress.cursors[.category(it.list)].map { $0 + 1 })
  }

  @Test(
    "a line of many long characters is as short as a receiver takes", arguments: StoreKind.allCases)
  func longCharacters(_ kind: StoreKind) throws {
    let it = try Sending(kind)
    _ = try it.add(.slack)
    let heaped = "a" + String(repeating: "\u{300}", count: 8)
    let text = String(repeating: heaped, count: 300)
    try it.driver.run(.line(.say(.category(it.list), text: text)), by: it.owner)
    let message = try #require(try it.look().delivery).message
    let line = "OWNER: " + String(repeating: heaped, count: 33) + "…"
    #expect(message == .text(lines: [line], title: "builds", isUrgent: false))
  }
}
