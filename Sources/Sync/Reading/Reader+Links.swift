// Who looks by a link: which one it is, whether it still shows anything, and who may know the codes of all.

import Domain
import Wire

extension Reader {
  /// Whoever brings the code of a link is welcome while it lasts and the category is there. Within a read transaction.
  func guest(of link: String, at now: Timestamp) throws(StoreError) -> (UserID, LinkTold)? {
    guard let (found, category) = try tools.codes.link(of: link, in: store),
      !found.isOver(at: now),
      let body = try store.object(
        StreamID.category(category).headKey, in: .category(category)),
      case .category(let head) = try object(body), head.removed == nil
    else { return nil }
    return (found.guest, LinkTold(category: category, endsAt: found.endsAt))
  }

  /// Those that show something still, with their codes. Within a read transaction.
  func links(
    _ id: RequestID, _ identity: Identity, _ category: CategoryID, at now: Timestamp
  ) throws(StoreError) -> Outcome {
    let stream = StreamID.category(category)
    if let failure = try refusal(identity, stream, .linkList) { return .failed(failure) }
    var lines: [LinkLine] = []
    for body in try store.objects(.link, in: stream) {
      guard case .link(let it) = try object(body), !it.isOver(at: now) else { continue }
      lines.append(LinkLine(link: it, code: tools.codes.linkText(it.id, category)))
    }
    return .answer(Answer.links(id, lines))
  }
}
