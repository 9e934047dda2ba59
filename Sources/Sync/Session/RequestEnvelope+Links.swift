import Domain
import Wire

extension RequestEnvelope {
  /// What somebody who looks by a link is told; nil for what such a one may ask. The bin is not for them: what was
  /// removed may have been because of who sees it.
  var failureByLink: Failure? {
    let refusal = Failure.refused(.forbidden("a link lets one look, and nothing else"))
    guard Permission.allowsLink(method) else { return refusal }
    if case .query(.posts(let query)) = request, query.show == .removed { return refusal }
    return nil
  }
}
