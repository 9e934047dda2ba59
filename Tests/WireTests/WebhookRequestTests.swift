import Domain
import Testing

@testable import Wire

@Suite("protocol §5.18: the bodies of webhooks") struct WebhookRequestTests {
  private static let range = WebhookRange(stream: ID.list, from: 7, through: 8)

  private func request(_ message: WebhookMessage, _ form: Webhook.Form) -> WebhookRequest {
    WebhookRequest(message, Self.range, epoch: Epoch("e.1"), of: ID.webhook, form: form) {
      "[\($0.count) bytes]"
    }
  }

  private func body(_ request: WebhookRequest) -> String {
    String(decoding: request.body, as: UTF8.self)
  }

  @Test("events go as they are stored, with their place in the stream")
  func events() {
    let it = request(.events([Array(#"{"a":1}"#.utf8), Array(#"{"b":2}"#.utf8)]), .events)
    let head = #"{"webhook":"\#(ID.webhook)","stream":"\#(ID.list)","epoch":"e.1","from":7,"#
    #expect(body(it) == head + #""events":[{"a":1},{"b":2}]}"#)
    #expect(it.headers.map(\.name) == ["Content-Type"])
    #expect(it.headers.map(\.value) == ["application/json"])
  }

  @Test(
    "a text for chat programs writes the three characters that mean something there otherwise",
    arguments: [
      ("builds", #"{"text":"*builds*\n@​a added #1 &lt;b&gt; &amp; c\nnext"}"#),
      ("", #"{"text":"@​a added #1 &lt;b&gt; &amp; c\nnext"}"#),
      ("a & b", #"{"text":"*a &amp; b*\n@​a added #1 &lt;b&gt; &amp; c\nnext"}"#),
    ])
  func slack(_ title: String, _ expected: String) {
    let lines = ["@a added #1 <b> & c", "next"]
    #expect(body(request(.text(lines: lines, title: title, isUrgent: true), .slack)) == expected)
  }

  @Test("a character with a mark on it is written otherwise too, and calls nobody")
  func marked() {
    let it = request(
      .text(lines: ["<\u{302}!here> @\u{302}all [a](b)"], title: "", isUrgent: false), .slack)
    let expected = "{\"text\":\"&lt;\u{302}!here&gt; @\u{200B}\u{302}all [a]\u{200B}(b)\"}"
    #expect(body(it).unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test(
    "a text for ntfy has its title as a header, and says when somebody should look",
    arguments: [
      ("builds", false, "Title: builds"), ("Einkäufe", true, "Title: =?UTF-8?B?[9 bytes]?="),
      ("=?x", false, "Title: =?UTF-8?B?[3 bytes]?="), ("", false, ""),
      ("two\nlines", false, "Title: =?UTF-8?B?[9 bytes]?="),
      (
        String(repeating: "ü", count: 25), false,
        "Title: =?UTF-8?B?[44 bytes]?= =?UTF-8?B?[6 bytes]?="
      ),
    ])
  func ntfy(_ title: String, _ isUrgent: Bool, _ expected: String) {
    let it = request(.text(lines: ["<one>", "two"], title: title, isUrgent: isUrgent), .ntfy)
    #expect(body(it) == "<one>\ntwo")
    let headers = it.headers.map { "\($0.name): \($0.value)" }
    let urgent = isUrgent ? ["Priority: high", "Tags: warning"] : []
    let titles = expected.isEmpty ? [] : [expected]
    #expect(headers == ["Content-Type: text/plain; charset=utf-8"] + titles + urgent)
  }

  @Test("a webhook is the same again after a store has kept it")
  func stored() throws {
    let tries = [WebhookTry.Outcome.answered(204), .failed("it hangs up")].map {
      WebhookTry(range: Self.range, at: ID.time(1), outcome: $0, milliseconds: 3)
    }
    let progress = [
      WebhookProgress(),
      WebhookProgress(
        cursors: [ID.list: 8], trouble: WebhookTrouble(range: Self.range, since: ID.time(0)),
        pausedAt: ID.time(2), revision: 3, tries: tries),
    ]
    for (lists, progress) in zip(
      [nil, [ID.category, ID.otherCategory]] as [Set<CategoryID>?], progress)
    {
      let webhook = Webhook(
        id: ID.webhook, bot: ID.bot, name: "team chat",
        address: Samples.address("https://chat.example.org/hook"), form: .slack, lists: lists,
        addedAt: ID.time(0), progress: progress)
      let again = try WebhookCodec.decode(
        ID.webhook, of: ID.bot, WebhookCodec.encode(webhook),
        progress: WebhookCodec.encode(webhook.progress))
      #expect(again == webhook)
    }
    for broken in ["", "[]", "{}", #"{"tries":[{}]}"#] {
      #expect(throws: WireError.self) {
        try WebhookCodec.decode(ID.webhook, of: ID.bot, broken, progress: broken)
      }
    }
  }
}
