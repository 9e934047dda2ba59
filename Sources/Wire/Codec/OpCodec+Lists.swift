import Domain

extension OpCodec {
  /// Of lists that are put away, and of views with names.
  static func writeListContent(of op: Op, to writer: inout JSONWriter) {
    switch op {
    case .categoryArchived(let stamp): writer.op(id: nil) { $0.member("archived", stamp) }
    case .filterSaved(let it): writer.op(id: it.id.uuid) { it.writeFields(to: &$0) }
    case .filterRemoved(let id): writer.member("id", id.uuid)
    default: preconditionFailure("an op about lists")
    }
  }
}
