// Questions about what was (protocol §8). Each is answered from one moment of the store and within a
// budget, because other requests wait for the same thread; nothing is kept between requests.
//
// What a member may read of a list begins where its `history` says: with the first event, or with the one
// that let them in, the last time (`joinedSeq`). Of a group, and of what was before, there is nothing else
// for them.

package import Domain
package import Wire

extension EventStore {
  /// The first event of a stream that is kept and that a member may read of. Within a read.
  func firstRead(_ access: StreamAccess) throws(StoreError) -> Int64 {
    let key = ObjectKey(kind: .category, id: access.stream.uuid)
    guard case .category = access.stream, let body = try object(key, in: access.stream),
      case .category(let category) = try decodedObject(body)
    else { return max(access.joinedSeq, access.head.horizon + 1) }
    return max(category.history.begins(joinedSeq: access.joinedSeq), access.head.horizon + 1)
  }

  /// Within a read.
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
