// The commands that a hook stands for (protocol §5.17), written as a client would write them.

import Domain

/// One command about one post.
struct HookCommand {
  private let method: String
  private let write: (inout JSONWriter) -> Void

  /// `more` writes the parameters besides the list and the post.
  init(
    _ method: String, _ list: CategoryID, _ post: PostID,
    _ more: @escaping (inout JSONWriter) -> Void = { _ in }
  ) {
    self.method = method
    write = { writer in
      writer.member("category", list.uuid)
      writer.member("id", post.uuid)
      more(&writer)
    }
  }

  /// Returns the request of one command, or of several as a batch. Throws when a text is not as it must be.
  static func request(_ commands: [HookCommand], key: String) throws(Failure) -> RequestEnvelope {
    var writer = JSONWriter(reservingCapacity: 1_024)
    writer.beginObject()
    writer.member("id", 1)
    if commands.count == 1 {
      commands[0].writeMembers(to: &writer, key: key)
    } else {
      writer.member("method", "batch")
      writer.key("params")
      writer.beginObject()
      writer.key("commands")
      writer.beginArray()
      for command in commands {
        writer.beginObject()
        command.writeMembers(to: &writer)
        writer.endObject()
      }
      writer.endArray()
      writer.member("key", key)
      writer.endObject()
    }
    writer.endObject()
    do throws(RequestError) {
      return try RequestEnvelope(decoding: writer.bytes)
    } catch {
      // The JSON is ours, so the text in it is at fault.
      if case .parse = error.failure {
        throw .refused(
          .invalid(
            field: "body", reason: "has texts that are too long, or many marks on one letter"))
      }
      throw error.failure
    }
  }

  private func writeMembers(to writer: inout JSONWriter, key: String? = nil) {
    writer.member("method", method)
    writer.key("params")
    writer.beginObject()
    write(&writer)
    writer.member("key", ifPresent: key)
    writer.endObject()
  }
}

extension HookFields {
  /// Writes the fields that are the same in a command.
  func write(_ names: [String], to writer: inout JSONWriter) {
    for name in names { writer.member(name, ifPresent: self[name]) }
  }

  /// Writes the due, a day or a time of a zone (protocol §3.6).
  func writeDue(to writer: inout JSONWriter) {
    guard let due = self["due"] else { return }
    writer.key("due")
    writer.beginObject()
    if due.contains("T") {
      writer.member("at", due)
      writer.member("zone", self["zone"] ?? "")
    } else {
      writer.member("date", due)
    }
    writer.endObject()
  }
}
