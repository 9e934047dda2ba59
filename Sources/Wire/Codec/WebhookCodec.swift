package import Domain

// A webhook as `bot.list` tells it and as a store keeps it, and how far it has come.

extension Webhook {
  /// Writes the members without id, bot and progress.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("name", name)
    writer.member("address", address.text)
    writer.member("form", form.rawValue)
    if let lists {
      writer.key("lists")
      writer.array(lists.sorted()) { $1.uuid($0.uuid) }
    }
    writer.member("addedAt", addedAt)
  }

  init(
    id: WebhookID, of bot: UserID, _ fields: StoredFields, _ progress: WebhookProgress
  ) throws(WireError) {
    let address: WebhookAddress
    do throws(WebhookAddress.Problem) {
      address = try WebhookAddress(fields.text("address"))
    } catch {
      throw .malformed("address")
    }
    self.init(
      id: id, bot: bot, name: try fields.string("name"), address: address,
      form: try fields.word("form", Webhook.Form.init(rawValue:)),
      lists: try fields.has("lists") ? Set(fields.uuids("lists").map(CategoryID.init)) : nil,
      addedAt: try fields.time("addedAt"), progress: progress)
  }
}

extension StoredFields {
  /// Returns a text, empty when there is none.
  fileprivate func text(_ name: String) -> String { optionalNode(name)?.string ?? "" }
}

extension WebhookRange {
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.member("stream", stream)
    writer.member("from", from)
    writer.member("through", through)
  }

  fileprivate init(_ fields: StoredFields) throws(WireError) {
    self.init(
      stream: try fields.stream("stream"), from: try fields.int64("from"),
      through: try fields.int64("through"))
  }
}

extension WebhookTrouble {
  func writeFields(to writer: inout JSONWriter) {
    range.writeFields(to: &writer)
    writer.member("since", since)
    writer.member("failures", failures)
  }

  init(_ fields: StoredFields) throws(WireError) {
    self.init(
      range: try WebhookRange(fields), since: try fields.time("since"),
      failures: try fields.int("failures"))
  }
}

extension WebhookTry {
  func writeFields(to writer: inout JSONWriter) {
    range.writeFields(to: &writer)
    writer.member("at", at)
    switch outcome {
    case .answered(let status): writer.member("status", status)
    case .failed(let reason): writer.member("error", reason)
    }
    writer.member("ms", milliseconds)
  }

  init(_ fields: StoredFields) throws(WireError) {
    let outcome: Outcome =
      if let status = try fields.optionalInt("status") {
        .answered(status)
      } else {
        .failed(try fields.string("error"))
      }
    self.init(
      range: try WebhookRange(fields), at: try fields.time("at"), outcome: outcome,
      milliseconds: try fields.int("ms"))
  }
}

extension WebhookProgress {
  /// Writes the members that `bot.list` tells too: all but cursors and revision.
  func writeFields(to writer: inout JSONWriter) {
    writer.member("pausedAt", ifPresent: pausedAt?.milliseconds)
    if let trouble {
      writer.key("trouble")
      writer.beginObject()
      trouble.writeFields(to: &writer)
      writer.endObject()
    }
    writer.members("tries", tries) { $0.writeFields(to: &$1) }
  }

  /// Reads these members, and those that only a store has.
  init(_ fields: StoredFields) throws(WireError) {
    var tries: [WebhookTry] = []
    for element in try fields.elements("tries") {
      tries.append(try WebhookTry(StoredFields(element)))
    }
    var cursors: [StreamID: Int64] = [:]
    if fields.has("cursors") {
      for element in try fields.elements("cursors") {
        let cursor = try StoredFields(element)
        cursors[try cursor.stream("stream")] = try cursor.int64("seq")
      }
    }
    self.init(
      cursors: cursors, trouble: try fields.optionalFields("trouble").map(WebhookTrouble.init),
      pausedAt: try fields.has("pausedAt") ? fields.time("pausedAt") : nil,
      revision: try fields.optionalInt("revision") ?? 0, tries: tries)
  }
}

/// A webhook as two texts, for a store: what it is, and how far it has come.
package enum WebhookCodec {
  package static func encode(_ webhook: Webhook) -> String {
    JSONWriter.text { webhook.writeFields(to: &$0) }
  }

  package static func encode(_ progress: WebhookProgress) -> String {
    JSONWriter.text { writer in
      progress.writeFields(to: &writer)
      writer.member("revision", progress.revision)
      let sorted = progress.cursors.sorted { $0.key < $1.key }
      writer.members("cursors", sorted) { cursor, writer in
        writer.member("stream", cursor.key)
        writer.member("seq", cursor.value)
      }
    }
  }

  package static func decode(
    _ id: WebhookID, of bot: UserID, _ text: String, progress: String
  ) throws(WireError) -> Webhook {
    try Webhook(
      id: id, of: bot, StoredFields(text: text), WebhookProgress(StoredFields(text: progress)))
  }
}
