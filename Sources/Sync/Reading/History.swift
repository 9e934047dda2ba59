// Questions about what was (protocol §8). Each is answered from one moment of the store and within a
// budget, because other requests wait for the same thread; nothing is kept between requests.
//
// What a member may read begins with the event that let them in, the last time (`joinedSeq`), as it does
// for tails: what was before is not there for them.

package import Domain
package import Wire

extension EventStore {
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
