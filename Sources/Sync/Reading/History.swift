// Questions about the past (protocol §8). Each is answered from one moment of the store and within a budget, because
// other requests wait for the same thread. Nothing is kept between requests.
//
// The `history` of a list says where a member may begin to read: at the first event, or at the event that let them in
// the last time (`joinedSeq`). In a group they begin at the latter.

package import Domain
package import Wire

extension EventStore {
  /// Returns the first event of a stream that is kept and that a member may read. Call it within a read.
  func firstRead(_ access: StreamAccess) throws(StoreError) -> Int64 {
    let key = ObjectKey(kind: .category, id: access.stream.uuid)
    guard case .category = access.stream, let body = try object(key, in: access.stream),
      case .category(let category) = try decodedObject(body)
    else { return max(access.joinedSeq, access.head.horizon + 1) }
    return max(category.history.begins(joinedSeq: access.joinedSeq), access.head.horizon + 1)
  }

  /// Answers a question about the past. Call it within a read.
  package func history(
    _ query: HistoryQuery, for actor: Actor, at now: Timestamp
  ) throws(StoreError) -> Result<HistoryAnswer, Refusal> {
    switch query {
    case .events(let query): try historyPage(query, for: actor.user).map { .events($0) }
    case .state(let query): try pastState(query, for: actor.user).map { .state($0) }
    case .difference(let query): try difference(query, for: actor.user).map { .difference($0) }
    case .undo(let query): try undoPreview(query, for: actor, at: now).map { .undo($0) }
    }
  }
}
