// post.twins (protocol §8): a look at the words of one list.

import Domain
import Wire

extension Reader {
  /// Answers a question for twins. Begins and ends its own read transaction.
  func twins(
    _ id: RequestID, _ identity: Identity, _ query: TwinsQuery
  ) throws(StoreError) -> RequestOutcome {
    try store.read { () throws(StoreError) in
      if let failure = try refusal(identity, .category(query.category), .query(.twins)) {
        return .failed(failure)
      }
      guard let title = TwinTitle(query.title) else { return .answer(Answer.twins(id, [])) }
      let found = try store.posts(beginning: title, in: query.category)
      return .answer(
        Answer.twins(id, title.twins(among: found, besides: query.post).map(TwinLine.init)))
    }
  }
}
