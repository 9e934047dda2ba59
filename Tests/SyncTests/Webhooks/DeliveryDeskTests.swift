import Domain
import Testing

@testable import Sync

@Suite("protocol §5.18: when a webhook sends") struct DeliveryDeskTests {
  private static let list = StreamID.category(CategoryID(UUID(high: 0xC, low: 1)))
  private static let other = StreamID.category(CategoryID(UUID(high: 0xC, low: 2)))
  private static let key = WebhookKey(
    bot: UserID(UUID(high: 0xB, low: 1)), id: WebhookID(UUID(high: 8, low: 1)))

  private static func webhook(
    _ progress: WebhookProgress = WebhookProgress(), lists: Set<CategoryID>? = nil
  ) throws -> Webhook {
    Webhook(
      id: key.id, bot: key.bot, name: "chat",
      address: try WebhookAddress("https://chat.example.org/hook"), form: .events, lists: lists,
      addedAt: Timestamp(milliseconds: 0), progress: progress)
  }

  private static func desk(_ progress: WebhookProgress = WebhookProgress()) throws -> DeliveryDesk {
    DeliveryDesk([try webhook(progress)])
  }

  private static func look(
    _ from: Int64, _ through: Int64, hasMore: Bool = false
  ) -> DeliveryLook {
    let range = WebhookRange(stream: list, from: from, through: through)
    return DeliveryLook(
      cursors: [list: from - 1],
      delivery: Delivery(
        webhook: key, range: range, epoch: Epoch("t.1"), message: .events([])),
      hasMore: hasMore)
  }

  private static func moment(_ milliseconds: Int64) -> SessionMoment {
    SessionMoment(
      milliseconds: milliseconds, wall: Timestamp(milliseconds: 1_000_000 + milliseconds))
  }

  private static let taken = DeliveryEnd(.answered(204), milliseconds: 3)
  private static let failed = DeliveryEnd(.answered(503), milliseconds: 3)
  private static let nothing = DeliveryLook(cursors: [list: 4], delivery: nil)

  @Test("one delivery is on its way at a time, and the next follows when it is taken")
  func order() throws {
    var desk = try Self.desk()
    #expect(desk.due(at: 0) == [Self.key])
    desk.looked(at: Self.key, Self.look(3, 4))
    #expect(desk.due(at: 0) == [] && desk.isSending && desk.wait(at: 0) == nil)
    desk.heard(of: [Self.list])
    #expect(desk.due(at: 0) == [])
    desk.ended(Self.key, Self.taken, at: Self.moment(5))
    #expect(desk.due(at: 204) == [] && desk.wait(at: 5) == 200)
    #expect(desk.due(at: 205) == [Self.key] && !desk.isSending)
    let progress = try #require(desk.webhook(Self.key)).progress
    #expect(progress.cursors == [Self.list: 4] && progress.tries.count == 1)
    desk.looked(at: Self.key, Self.nothing)
    #expect(desk.due(at: .max) == [] && desk.wait(at: 5) == nil)
  }

  @Test("after a delivery it looks again only if there was more, or more was heard of")
  func more() throws {
    for (hadMore, heard) in [(false, false), (true, false), (false, true)] {
      var desk = try Self.desk()
      desk.looked(at: Self.key, Self.look(3, 4, hasMore: hadMore))
      if heard { desk.heard(of: [Self.list]) }
      desk.ended(Self.key, Self.taken, at: Self.moment(0))
      #expect(desk.wait(at: 0) == (hadMore || heard ? 200 : nil))
      desk.heard(of: [Self.list], at: 50)
      #expect(desk.wait(at: 50) == 150)
    }
  }

  @Test("a webhook that the bot is not there for yet hears of its lists")
  func lists() throws {
    var desk = DeliveryDesk([try Self.webhook(lists: [CategoryID(Self.other.uuid)])])
    desk.looked(at: Self.key, DeliveryLook(cursors: [:], delivery: nil))
    desk.heard(of: [Self.list])
    #expect(desk.due(at: .max) == [])
    desk.heard(of: [Self.other])
    #expect(desk.due(at: .max) == [Self.key])
  }

  @Test("a stream that it does not follow any more concerns it no longer")
  func unfollowed() throws {
    var desk = try Self.desk()
    for (stream, isDue) in [(Self.list, true), (Self.other, false)] {
      desk.looked(at: Self.key, DeliveryLook(cursors: [stream: 4], delivery: nil))
      desk.heard(of: [Self.list])
      #expect(desk.due(at: 0) == (isDue ? [Self.key] : []))
    }
    desk.note(.webhooksRemoved([Self.key.id], of: Self.key.bot))
    desk.heard(of: [Self.other, .user(Self.key.bot)])
    #expect(desk.due(at: .max) == [])
  }

  @Test("news of a stream that it follows, or of its bot, makes it look again; other news do not")
  func news() throws {
    for (stream, isDue) in [(Self.list, true), (.user(Self.key.bot), true), (Self.other, false)] {
      var desk = try Self.desk()
      desk.looked(at: Self.key, Self.nothing)
      desk.heard(of: [stream])
      #expect(desk.due(at: 0) == (isDue ? [Self.key] : []))
    }
  }

  @Test("a delivery that fails is tried again later and later, for a day; then it is paused")
  func backOff() throws {
    var desk = try Self.desk()
    var (now, waits): (Int64, [Int64]) = (0, [])
    while desk.troubledCount == 0 || desk.wait(at: now) != nil {
      #expect(desk.due(at: now) == [Self.key])
      desk.looked(at: Self.key, Self.look(3, 4))
      desk.ended(Self.key, Self.failed, at: Self.moment(now))
      guard let wait = desk.wait(at: now) else { break }
      waits.append(wait)
      #expect(desk.due(at: now + wait - 1) == [])
      now += wait
    }
    #expect(waits.prefix(7) == [5_000, 15_000, 45_000, 135_000, 405_000, 1_215_000, 3_600_000])
    #expect(waits.dropFirst(7).allSatisfy { $0 == 3_600_000 })
    #expect((24 * 3_600_000..<25 * 3_600_000).contains(now))
    let progress = try #require(desk.webhook(Self.key)).progress
    #expect(progress.pausedAt == Self.moment(now).wall && progress.cursors == [Self.list: 2])
    #expect(progress.tries.count == Limits.webhookTriesKept)
    desk.heard(of: [Self.list])
    #expect(desk.due(at: .max) == [])
  }

  @Test(
    "a receiver may ask for a longer wait, up to an hour",
    arguments: [
      (nil, 5_000), (1_000, 5_000), (7_000, 7_000), (999_999_999, 3_600_000),
    ] as [(Int64?, Int64)])
  func asked(_ asked: Int64?, _ wait: Int64) throws {
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.look(3, 4))
    let end = DeliveryEnd(.answered(429), retryAfterMilliseconds: asked, milliseconds: 1)
    desk.ended(Self.key, end, at: Self.moment(0))
    #expect(desk.wait(at: 0) == wait)
  }

  @Test(
    "nothing is tried again when the receiver is gone or the address is forbidden",
    arguments: [
      DeliveryEnd(.answered(410), milliseconds: 1),
      DeliveryEnd(.failed("it is private"), isHopeless: true, milliseconds: 1),
    ])
  func hopeless(_ end: DeliveryEnd) throws {
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.look(3, 4))
    desk.ended(Self.key, end, at: Self.moment(0))
    #expect(desk.wait(at: 0) == nil)
    #expect(desk.webhook(Self.key)?.progress.pausedAt == Self.moment(0).wall)
  }

  @Test(
    "only statuses of 2xx take a delivery",
    arguments: [(199, false), (200, true), (299, true), (300, false), (404, false)])
  func statuses(_ status: Int, _ isTaken: Bool) {
    #expect(DeliveryEnd(.answered(status), milliseconds: 1).isTaken == isTaken)
    #expect(!DeliveryEnd(.failed("x"), milliseconds: 1).isTaken)
  }

  @Test("a list that is out of reach takes its trouble along")
  func lost() throws {
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.look(3, 4))
    desk.ended(Self.key, Self.failed, at: Self.moment(0))
    #expect(desk.webhook(Self.key)?.progress.trouble?.failures == 1)
    desk.looked(at: Self.key, DeliveryLook(cursors: [:], delivery: nil))
    #expect(desk.webhook(Self.key)?.progress.trouble == nil && desk.troubledCount == 0)
    #expect(desk.due(at: .max) == [])
  }

  @Test("the owner pauses and resumes, also while a delivery is on its way")
  func owner() throws {
    let paused = WebhookProgress(pausedAt: Timestamp(milliseconds: 7), revision: 1)
    let resumed = WebhookProgress(revision: 2)
    for end in [Self.taken, Self.failed] {
      var desk = try Self.desk()
      desk.looked(at: Self.key, Self.look(3, 4, hasMore: true))
      desk.note(.webhookSet(Self.key, paused))
      #expect(desk.isSending)
      desk.ended(Self.key, end, at: Self.moment(0))
      #expect(desk.due(at: .max) == [])
      let cursor = desk.webhook(Self.key)?.progress.cursors[Self.list]
      #expect(cursor == (end.isTaken ? 4 : 2))
      desk.note(.webhookSet(Self.key, resumed))
      #expect(desk.due(at: 100) == [] && desk.due(at: 1_000) == [Self.key])
    }
    var desk = try Self.desk(paused)
    #expect(desk.due(at: .max) == [])
    desk.note(.webhooksRemoved([Self.key.id], of: Self.key.bot))
    #expect(desk.count == 0)
  }

  @Test("after a commit in doubt it keeps how far it has come, and takes what the owner has set")
  func reloaded() throws {
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.look(3, 4))
    desk.ended(Self.key, Self.taken, at: Self.moment(0))
    let pausedAt = Timestamp(milliseconds: 7)
    desk.reload([try Self.webhook(WebhookProgress(pausedAt: pausedAt, revision: 1))])
    let progress = try #require(desk.webhook(Self.key)).progress
    #expect(progress.cursors == [Self.list: 4] && progress.pausedAt == pausedAt)
    #expect(desk.due(at: .max) == [])
    desk.reload([])
    #expect(desk.count == 0)
    desk.reload([try Self.webhook()])
    #expect(desk.due(at: 0) == [Self.key])
    desk.looked(at: Self.key, Self.nothing)
    desk.reload([try Self.webhook()])
    #expect(desk.due(at: 0) == [Self.key])
  }

  @Test("progress is written once a second, at once when it is trouble, and again when that failed")
  func written() throws {
    var desk = try Self.desk()
    #expect(desk.unwritten().isEmpty && desk.writeWait(at: 0) == nil)
    func deliver(_ end: DeliveryEnd, _ from: Int64, at now: Int64) {
      desk.looked(at: Self.key, Self.look(from, from))
      desk.ended(Self.key, end, at: Self.moment(now))
    }
    deliver(Self.taken, 3, at: 0)
    #expect(desk.unwritten(at: 0).map(\.progress.cursors) == [[Self.list: 3]])
    desk.began(writing: Self.key, at: 0)
    #expect(desk.unwritten().isEmpty)
    deliver(Self.taken, 4, at: 300)
    #expect(desk.unwritten(at: 300).isEmpty && desk.writeWait(at: 300) == 700)
    #expect(desk.unwritten(at: 1_000).map(\.key) == [Self.key])
    deliver(Self.failed, 5, at: 600)
    #expect(desk.writeWait(at: 600) == 0)
    desk.began(writing: Self.key, at: 600)
    desk.failed(writing: Self.key)
    #expect(desk.unwritten(at: 601).map(\.key) == [Self.key])
  }

  @Test("a delivery that was never tried is no failure of the receiver")
  func untried() throws {
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.look(3, 4))
    desk.ended(
      Self.key, DeliveryEnd(.failed("others waited"), wasTried: false, milliseconds: 10_000),
      at: Self.moment(0))
    let progress = try #require(desk.webhook(Self.key)).progress
    #expect(progress.trouble == nil && progress.tries.isEmpty && progress.cursors == [Self.list: 2])
    #expect(desk.isSlow(Self.key))
    #expect(desk.due(at: 999) == [] && desk.due(at: 1_000) == [Self.key])
  }

  @Test("the longest wait comes first, and receivers that take long are told apart")
  func fairness() throws {
    let (first, second) = (
      Self.key, WebhookKey(bot: Self.key.bot, id: WebhookID(UUID(high: 8, low: 2)))
    )
    let address = try WebhookAddress("https://chat.example.org/hook")
    var desk = DeliveryDesk(
      [first, second].map {
        Webhook(
          id: $0.id, bot: $0.bot, name: "chat", address: address, form: .events, lists: nil,
          addedAt: Timestamp(milliseconds: 0), progress: WebhookProgress())
      })
    for key in [first, second] { desk.looked(at: key, Self.look(3, 4, hasMore: true)) }
    desk.ended(second, Self.taken, at: Self.moment(1))
    desk.ended(first, DeliveryEnd(.answered(200), milliseconds: 9_000), at: Self.moment(2))
    #expect(desk.due(at: 500) == [second, first])
    #expect(desk.isSlow(first) && !desk.isSlow(second))
    #expect(desk.wait(at: 500) == 0)
    desk.looked(at: second, Self.nothing)
    #expect(desk.wait(at: 500) == 0 && desk.wait(at: 500, slowToo: false) == nil)
  }

  @Test("a receiver that nobody knows yet counts as slow, and so does one whose turn did not come")
  func unknown() throws {
    var desk = try Self.desk()
    #expect(desk.isSlow(Self.key) && desk.wait(at: 0, slowToo: false) == nil)
    let untried = DeliveryEnd(.failed("others waited"), wasTried: false, milliseconds: 10_000)
    for (end, isSlow) in [(Self.taken, false), (untried, true), (Self.failed, false)] {
      desk.looked(at: Self.key, Self.look(3, 4))
      desk.ended(Self.key, end, at: Self.moment(0))
      #expect(desk.isSlow(Self.key) == isSlow)
    }
  }

  @Test("a webhook that was added later waits behind those that have waited longer")
  func addedLater() throws {
    let later = WebhookKey(bot: Self.key.bot, id: WebhookID(UUID(high: 1, low: 0)))
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.nothing)
    desk.heard(of: [Self.list], at: 5)
    let webhook = try Self.webhook()
    desk.note(
      .webhookAdded(
        Webhook(
          id: later.id, bot: later.bot, name: "later", address: webhook.address, form: .events,
          lists: nil, addedAt: webhook.addedAt, progress: WebhookProgress())),
      at: 7)
    #expect(desk.due(at: 10) == [Self.key, later])
  }

  @Test("an added webhook that is known already goes on as it is")
  func addedTwice() throws {
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.look(3, 4))
    desk.note(.webhookAdded(try Self.webhook()))
    #expect(desk.isSending && desk.due(at: .max) == [])
  }

  @Test("a look that fails is tried again later and later, and told once")
  func failedLooks() throws {
    var desk = try Self.desk()
    let first = desk.failedToLook(at: Self.key, at: 0)
    #expect(first && desk.wait(at: 0) == 5_000)
    let second = desk.failedToLook(at: Self.key, at: 5_000)
    #expect(!second && desk.wait(at: 5_000) == 15_000)
    for _ in 0..<5 { desk.failedToLook(at: Self.key, at: 5_000) }
    #expect(desk.wait(at: 5_000) == 60_000)
    desk.looked(at: Self.key, Self.nothing)
    let again = desk.failedToLook(at: Self.key, at: 0)
    #expect(again)
  }

  @Test("trouble lasts as long as the stream's events do not arrive, also when their range changes")
  func movedTrouble() throws {
    var desk = try Self.desk()
    desk.looked(at: Self.key, Self.look(3, 4))
    desk.ended(Self.key, Self.failed, at: Self.moment(0))
    desk.looked(at: Self.key, Self.look(6, 9))
    let trouble = try #require(desk.webhook(Self.key)?.progress.trouble)
    #expect(
      trouble.failures == 1 && trouble.range.from == 6 && trouble.since == Self.moment(0).wall)
  }
}
