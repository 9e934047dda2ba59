// Guests who look by a link: which link it is, whether it still shows anything, and who may see the codes of all links.

import Domain
import Wire

extension Reader {
  /// Returns the guest of a link's code; nil when the link has ended or its category is removed. Call it within a read
  /// transaction.
  func guest(of link: String, at now: Timestamp) throws(StoreError) -> (UserID, LinkTold)? {
    guard let (found, category) = try tools.codes.link(of: link, in: store),
      !found.isOver(at: now),
      let body = try store.object(
        StreamID.category(category).headKey, in: .category(category)),
      case .category(let head) = try object(body), head.removed == nil
    else { return nil }
    return (found.guest, LinkTold(category: category, endsAt: found.endsAt))
  }

  /// Returns the links that still show something, with their codes. Call it within a read transaction.
  func links(
    _ id: RequestID, _ identity: Identity, _ category: CategoryID, at now: Timestamp
  ) throws(StoreError) -> RequestOutcome {
    let stream = StreamID.category(category)
    if let failure = try refusal(identity, stream, .query(.links)) { return .failed(failure) }
    var lines: [LinkLine] = []
    for body in try store.objects(.link, in: stream) {
      guard case .link(let it) = try object(body), !it.isOver(at: now) else { continue }
      lines.append(LinkLine(link: it, code: tools.codes.linkText(it.id, category)))
    }
    return .answer(Answer.links(id, lines))
  }
}
