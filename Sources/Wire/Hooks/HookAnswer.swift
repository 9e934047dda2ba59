// The answer to a hook (protocol §5.17): where the report stands, or the error of the protocol, as one JSON object.

package import Domain

/// The outcome of a hook.
package enum HookAnswer: Equatable, Sendable {
  /// The report took effect, now or when it came before.
  case taken(CommandResult, PostID, in: CategoryID)
  case refused(Failure)

  /// The kind of the error. Nil when the report took effect.
  package var error: ErrorKind? {
    switch self {
    case .taken: nil
    case .refused(let failure): failure.kind
    }
  }

  /// The body of the answer, with a line feed for people who read it in a terminal.
  package var body: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    switch self {
    case .taken(let result, let post, let list):
      writer.member("list", list.uuid)
      writer.member("post", post.uuid)
      // In a batch the first command adds the post, and the others are about the same one.
      writer.member("number", ifPresent: result.number ?? result.parts.first?.number)
      writer.member("changed", result.changed)
      if let imported = result.imported ?? result.parts.first?.imported {
        writer.members(of: imported)
      }
    case .refused(let failure): failure.writeError(to: &writer)
    }
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

extension HookReport {
  /// Returns the failure of a request in the words of the report: it is no batch, and its fields have names of their
  /// own.
  package func told(_ failure: Failure) -> Failure {
    guard case .refused(let refusal) = failure else { return failure }
    return .refused(told(refusal))
  }

  private func told(_ refusal: Refusal) -> Refusal {
    switch refusal {
    case .inBatch(_, let refusal): told(refusal)
    case .invalid(let field, let reason, let place):
      .invalid(field: name(of: field), reason: reason, at: place)
    case .tooLarge(let field, let max): .tooLarge(field: name(of: field), max: max)
    default: refusal
    }
  }

  /// Returns the name that a field of a command has in a report.
  private func name(of field: String) -> String {
    switch field {
    case "source.id": isOfJob ? "job" : "id"
    case "source.name": "source"
    case "source.url": "url"
    case "due.date", "due.at": "due"
    case "due.zone": "zone"
    // The post comes again, so only people say which time is done.
    case "occurrence": "done"
    default: field
    }
  }
}

extension Failure {
  /// Whether the run of a report is known already, so that it needs no beginning.
  package var meansKnownRun: Bool {
    switch self {
    case .refused(.exists(field: "run", _)), .refused(.inBatch(_, .exists(field: "run", _))): true
    default: false
    }
  }
}
