package import Domain

/// The answer to `account.export` (protocol §8).
package struct ExportPage: Equatable, Sendable {
  /// The lines. Each is a JSON object.
  package let lines: [[UInt8]]
  /// The place after which the next page begins. Nil when this is the last page.
  package let after: ExportPlace?

  package init(lines: [[UInt8]], after: ExportPlace?) {
    self.lines = lines
    self.after = after
  }

  package init(decoding node: JSONNode) throws(WireError) {
    let fields = try StoredFields(node)
    let after = try fields.optionalString("after")
    self.init(
      lines: try fields.elements("lines").map { Array($0.rawBytes) },
      after: after.flatMap { ExportPlace($0) })
  }

  func writeFields(to writer: inout JSONWriter) {
    writer.member("lines", raw: lines)
    writer.member("after", ifPresent: after?.text)
  }
}

/// The lines of an export.
package enum ExportLine {
  /// Returns the line that begins a stream. It says where the stream stands when its first page is read, and from which
  /// event on its log follows.
  package static func stream(
    _ stream: StreamID, role: Role, epoch: Epoch, seq: Int64, from: Int64
  ) -> [UInt8] {
    line { writer in
      writer.member("stream", stream)
      writer.member("role", role.word)
      writer.member("epoch", epoch.text)
      writer.member("seq", seq)
      writer.member("from", from)
    }
  }

  /// Returns a line with an object as a snapshot has it.
  package static func object(_ body: [UInt8]) -> [UInt8] {
    line { writer in
      writer.key("object")
      writer.raw(body)
    }
  }

  /// Returns a line with an event as it was pushed.
  package static func event(_ body: [UInt8], seq: Int64) -> [UInt8] {
    line { writer in
      writer.member("seq", seq)
      writer.key("event")
      writer.raw(body)
    }
  }

  /// The last line of all. An export that has it is whole.
  package static let end = line { $0.member("end", true) }

  private static func line(_ fields: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    fields(&writer)
    writer.endObject()
    return writer.bytes
  }
}
