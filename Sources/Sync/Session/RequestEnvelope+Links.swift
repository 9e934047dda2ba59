import Domain
import Wire

extension RequestEnvelope {
  /// The answer to a request that somebody who looks by a link may not make; nil for a request that they may make. They
  /// may not see the bin: a post may have been removed because of who sees it.
  var failureByLink: Failure? {
    let refusal = Failure.refused(.forbidden("a link lets one look, and nothing else"))
    guard method.row.isOpenToLinks else { return refusal }
    if case .query(.posts(let query)) = request, query.show == .removed { return refusal }
    return nil
  }
}
