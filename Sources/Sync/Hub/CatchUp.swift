// How a connection that returns with a cursor is brought up to date (protocol: hello and sync.open).
//
// A cursor is {epoch, seq, tx}. The client has everything up to `seq`, and `tx` is the transaction of that event. The
// server promises everything after it (P5): either all those events, or a snapshot that replaces the client's copy,
// never a part of the tail. These are the reasons for a snapshot, in the order in which they are looked for:
//
//   new       the client has nothing
//   epoch     the log may have diverged (restore, import)
//   ahead     the client knows more than the log: the log was cut back
//   diverged  the event at the cursor is another one: a branch of the log that is gone
//   horizon   the event at the cursor, and maybe some after it, is no longer kept
//   rejoined  the person was outside and in again after the cursor: they may not read what happened between (P9)
//   large     the tail costs more than the state

package import Domain
package import Wire

/// The state of a stream for one of its members, all read in one transaction.
package struct CatchUpStanding: Equatable, Sendable {
  package let epoch: Epoch
  package let head: Int64
  /// The event that let this person in; 0 for their own `u:` stream.
  package let joinedSeq: Int64
  /// The last event that is no longer kept; 0 when all are kept.
  package let horizon: Int64
  /// The transaction of the log's event at the cursor; nil when there is no such event.
  package let transactionAtCursor: TransactionID?

  package init(
    epoch: Epoch, head: Int64, joinedSeq: Int64, horizon: Int64, transactionAtCursor: TransactionID?
  ) {
    self.epoch = epoch
    self.head = head
    self.joinedSeq = joinedSeq
    self.horizon = horizon
    self.transactionAtCursor = transactionAtCursor
  }
}

/// The data that follows after the answer.
package enum CatchUp: Equatable, Sendable {
  /// Nothing was missed.
  case live
  /// Every event after the cursor follows.
  case tail
  /// Pages of the state follow, then every event after it.
  case snapshot(SnapshotReason)

  /// Chooses the cheapest way that is complete. The caller has checked that the person is a member.
  package static func choose(_ cursor: CursorPosition?, _ standing: CatchUpStanding) -> CatchUp {
    guard let cursor, cursor.seq > 0 else { return .snapshot(.new) }
    guard cursor.epoch == standing.epoch else { return .snapshot(.epoch) }
    guard cursor.seq <= standing.head else { return .snapshot(.ahead) }
    if let claimed = cursor.transaction, let known = standing.transactionAtCursor,
      claimed != known
    {
      return .snapshot(.diverged)
    }
    guard cursor.seq > standing.horizon else { return .snapshot(.horizon) }
    guard cursor.seq >= standing.joinedSeq else { return .snapshot(.rejoined) }
    if cursor.seq == standing.head { return .live }
    guard standing.head - cursor.seq <= HubLimits.tailEventsMax else { return .snapshot(.large) }
    return .tail
  }
}
