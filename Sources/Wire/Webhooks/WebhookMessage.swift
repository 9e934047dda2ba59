// The bodies of what webhooks send (protocol §5.18).

package import Domain

/// The content of a delivery.
package enum WebhookMessage: Equatable, Sendable {
  /// Events as `EventCodec` wrote them.
  case events([[UInt8]])
  /// Sentences about a place, and whether somebody should look at once.
  case text(lines: [String], title: String, isUrgent: Bool)
}

/// A request as a webhook sends it, without what proves the sender.
package struct WebhookRequest: Equatable, Sendable {
  package let headers: [(name: String, value: String)]
  package let body: [UInt8]

  package static func == (a: WebhookRequest, b: WebhookRequest) -> Bool {
    a.body == b.body && a.headers.elementsEqual(b.headers, by: ==)
  }

  /// Writes the request of a delivery. `base64` encodes bytes (RFC 4648 §4).
  package init(
    _ message: WebhookMessage, _ range: WebhookRange, epoch: Epoch, of webhook: WebhookID,
    form: Webhook.Form, base64: ([UInt8]) -> String
  ) {
    switch message {
    case .events(let bodies):
      headers = [("Content-Type", "application/json")]
      var writer = JSONWriter()
      writer.beginObject()
      writer.member("webhook", webhook.uuid)
      writer.member("stream", range.stream)
      writer.member("epoch", epoch.text)
      writer.member("from", range.from)
      writer.member("events", raw: bodies)
      writer.endObject()
      body = writer.bytes
    case .text(let lines, let title, let isUrgent):
      let text = lines.joined(separator: "\n")
      guard form == .ntfy else {
        headers = [("Content-Type", "application/json")]
        body = WebhookRequest.slack(text, title)
        return
      }
      var headers = [("Content-Type", "text/plain; charset=utf-8")]
      if !title.isEmpty {
        headers.append(("Title", WebhookRequest.headerValue(title, base64)))
      }
      if isUrgent { headers += [("Priority", "high"), ("Tags", "warning")] }
      self.headers = headers.map { (name: $0.0, value: $0.1) }
      body = Array(text.utf8)
    }
  }

  /// Returns the body for chat programs of the kind of Slack, in which `&`, `<` and `>` begin something else. `@here`
  /// would call everybody, and `[words](URL)` would hide where it leads. A space of no width takes both their meaning.
  private static func slack(_ text: String, _ title: String) -> [UInt8] {
    var escaped = ""
    // A mark that follows one of them does not take its meaning away, so these are scalars and not characters.
    for scalar in (title.isEmpty ? text : "*\(title)*\n\(text)").unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "@": escaped += "@\u{200B}"
      case "]": escaped += "]\u{200B}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("text", escaped)
    writer.endObject()
    return writer.bytes
  }

  /// Returns a text for a header: as it is in ASCII, otherwise as encoded words of at most 75 characters (RFC 2047 §2).
  private static func headerValue(_ text: String, _ base64: ([UInt8]) -> String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) }), !text.hasPrefix("=?") { return text }
    var words: [[UInt8]] = [[]]
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if words[words.count - 1].count + bytes.count > encodedWordBytesMax { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?UTF-8?B?\(base64($0))?=" }.joined(separator: " ")
  }

  /// The bytes of which base64 makes 60 characters.
  private static let encodedWordBytesMax = 45
}
