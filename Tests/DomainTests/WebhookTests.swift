import Testing

@testable import Domain

@Suite("protocol §5.18: webhooks of bots") struct WebhookTests {
  private static func id(_ number: Int) -> WebhookID {
    WebhookID(UUID(high: 8, low: UInt64(number)))
  }

  private static func key(_ number: Int) -> WebhookKey {
    WebhookKey(bot: "x", id: id(number))
  }

  private static func add(_ number: Int, lists: Set<CategoryID>? = nil) -> Command {
    guard let address = WebhookAddress(ofText: "https://chat.example.org/\(number)") else {
      preconditionFailure("this is an address")
    }
    return .bot(
      .addWebhook("x", id(number), NewWebhook(name: "chat", address: address, lists: lists)))
  }

  /// A person b with a list 11, in which their bot x is too.
  private static func scene() -> Scene {
    var scene = BotTests.scene()
    scene.must(.category(.add(11, name: "builds", group: nil)), by: "b")
    scene.invite("nightly", to: .category(11), as: .viewer, by: "b", number: 1)
    return scene
  }

  @Test("a webhook begins with what comes next in each list of its bot, and writes no event")
  func added() throws {
    var scene = Self.scene()
    scene.must(.category(.add(12, name: "others", group: nil)), by: "b")
    let decision = scene.must(Self.add(1), by: "b")
    #expect(decision.drafts.isEmpty && decision.changed)
    let webhook = try #require(scene.webhooks.first)
    #expect(webhook.bot == "x" && webhook.form == .events && webhook.addedAt == scene.now)
    let head = try #require(scene.heads[.category(11)]).seq
    #expect(webhook.progress == WebhookProgress(cursors: [.category(11): head]))
  }

  @Test("a webhook is about its lists, or all places, and about the log of no person")
  func about() throws {
    var scene = Self.scene()
    scene.must(Self.add(1, lists: [2]), by: "b")
    scene.must(Self.add(2), by: "b")
    #expect(scene.webhooks[0].progress.cursors.isEmpty)
    let places: [StreamID] = [.category(11), .category(2), .group(1), .user("x"), .user("b")]
    #expect(
      scene.webhooks.map { it in places.filter(it.isAbout) } == [
        [.category(2)], Array(places[..<3]),
      ])
  }

  @Test("an id is good once; a bot has five; only the owner may")
  func refused() {
    var scene = Self.scene()
    for number in 1...Limits.webhooksPerBotMax { scene.must(Self.add(number), by: "b") }
    #expect(scene.refusal(of: Self.add(9), by: "b") == .quota(limit: "webhooks", max: 5))
    scene.must(.bot(.removeWebhook(Self.key(1))), by: "b")
    #expect(scene.refusal(of: Self.add(1), by: "b") == .exists(field: "id"))
    #expect(
      scene.refusal(of: .bot(.removeWebhook(Self.key(1))), by: "b") == .notFound("webhook"))
    for command in [
      Self.add(9), .bot(.removeWebhook(Self.key(2))), .bot(.pauseWebhook(Self.key(2))),
    ] {
      #expect(scene.refusal(of: command, by: "c") == .notFound("bot"))
    }
    scene.must(.bot(.end("x")), by: "b")
    #expect(scene.refusal(of: Self.add(9), by: "b") == .gone("bot"))
  }

  @Test("they go when the bot is to end, and when it is given to somebody else")
  func ends() throws {
    var scene = Self.scene()
    scene.must(Self.add(1), by: "b")
    scene.must(Self.add(2), by: "b")
    var other = scene
    scene.must(.bot(.end("x")), by: "b")
    #expect(scene.webhooks.isEmpty)
    scene.must(.bot(.keep("x")), by: "b")
    #expect(scene.webhooks.isEmpty)
    try other.giveAsOperator("x", to: "c")
    #expect(other.webhooks.isEmpty)
  }

  @Test("pausing and resuming are counted, and each changes nothing the second time")
  func setting() throws {
    var scene = Self.scene()
    scene.must(Self.add(1), by: "b")
    let (pause, resume) = (
      Command.bot(.pauseWebhook(Self.key(1))), Command.bot(.resumeWebhook(Self.key(1)))
    )
    #expect(!scene.must(resume, by: "b").changed)
    #expect(scene.must(pause, by: "b").changed && !scene.must(pause, by: "b").changed)
    #expect(scene.webhooks[0].progress.pausedAt == scene.now)
    #expect(scene.must(resume, by: "b").changed)
    #expect(scene.webhooks[0].progress.pausedAt == nil && scene.webhooks[0].progress.revision == 2)
  }

  // MARK: Progress

  private static let range = WebhookRange(stream: .category(11), from: 3, through: 4)

  private func note(_ progress: WebhookProgress, _ scene: inout Scene) throws -> Decision {
    let decision = try scene.answered { world throws(Halt) in
      try Domain.note(progress, of: Self.key(1), in: &world)
    }.get()
    scene.carryOut(decision, by: "b")
    return decision
  }

  @Test("progress is kept, and nothing is written of progress that is known")
  func moved() throws {
    var scene = Self.scene()
    scene.must(Self.add(1), by: "b")
    let progress = WebhookProgress(cursors: [.category(11): 4])
    #expect(try note(progress, &scene).drafts.isEmpty)
    #expect(scene.webhooks[0].progress == progress)
    #expect(try note(progress, &scene) == Decision())
    scene.must(.bot(.removeWebhook(Self.key(1))), by: "b")
    #expect(try note(WebhookProgress(), &scene) == Decision())
  }

  @Test("the owner is told once that a webhook is paused")
  func paused() throws {
    var scene = Self.scene()
    scene.must(Self.add(1), by: "b")
    var progress = WebhookProgress(
      cursors: [.category(11): 2], trouble: WebhookTrouble(range: Self.range, since: scene.now),
      pausedAt: scene.now)
    let told = try note(progress, &scene)
    #expect(
      told.drafts == [
        Draft(stream: .user("b"), ops: [.personal(.webhookPaused(Self.id(1), of: "x"))])
      ])
    progress.cursors[.category(11)] = 3
    #expect(try note(progress, &scene).drafts.isEmpty)
  }

  @Test("progress from before the owner paused or resumed keeps what the owner has set")
  func overtaken() throws {
    var scene = Self.scene()
    scene.must(Self.add(1), by: "b")
    scene.must(.bot(.pauseWebhook(Self.key(1))), by: "b")
    let pausedAt = scene.now
    let trouble = WebhookTrouble(range: Self.range, since: scene.now)
    _ = try note(WebhookProgress(cursors: [.category(11): 4], trouble: trouble), &scene)
    let kept = scene.webhooks[0].progress
    #expect(kept.pausedAt == pausedAt && kept.trouble == nil && kept.cursors == [.category(11): 4])
    scene.must(.bot(.resumeWebhook(Self.key(1))), by: "b")
    let late = try note(
      WebhookProgress(cursors: [.category(11): 5], pausedAt: pausedAt, revision: 1), &scene)
    #expect(late.drafts.isEmpty && scene.webhooks[0].progress.pausedAt == nil)
  }

  // MARK: Addresses

  @Test(
    "addresses name a host, with http or https and without user or fragment",
    arguments: [
      ("https://chat.example.org/hook?x=1", nil), ("http://127.0.0.1:8080", nil),
      ("https://[2001:db8::1]:443/x", nil), ("http://a_b-c.example/%C3%A9", nil),
      ("https://example.org?x", nil), ("https://example.org:65535/", nil),
      ("", .length), ("ftp://example.org", .scheme), ("example.org/hook", .scheme),
      ("javascript:alert(1)", .scheme), ("HTTPS://example.org", nil),
      ("file:///etc/passwd", .scheme), ("https://", .host), ("https:///x", .host),
      ("https://:80/x", .host), ("https://[::1", .host), ("https://[]/", .host),
      ("https://[::1]x/", .host), ("https://exa mple.org", .characters),
      ("https://exämple.org", .characters), ("https://example.org/\u{7f}", .characters),
      ("https://me@example.org", .user), ("https://me:secret@example.org/", .user),
      ("https://example.org/#x", .fragment), ("https://example.org:", .port),
      ("https://example.org:0", .port), ("https://example.org:65536", .port),
      ("https://example.org:8x", .port), ("https://example.org:+8", .port),
      ("https://example.org\\@evil.example/", .characters),
      ("https://example.org/{x}", .characters), ("https://a%2eb/", .host),
      ("https://example.org/\(String(repeating: "x", count: 2_048))", .length),
    ] as [(String, WebhookAddress.Problem?)])
  func addresses(_ text: String, _ problem: WebhookAddress.Problem?) throws {
    do throws(WebhookAddress.Problem) {
      let address = try WebhookAddress(text)
      #expect(problem == nil && address.text == text)
      #expect(text.contains("://\(address.host)") && !address.host.contains("/"))
    } catch {
      #expect(error == problem)
    }
  }
}
