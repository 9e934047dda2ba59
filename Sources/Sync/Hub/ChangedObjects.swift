// The objects that changed, for connections that asked for whole objects (protocol §5.4). Such a connection gets the
// events as everybody does, and behind them the objects as they are now.

package import Domain
package import Wire

/// The objects of one stream that the events up to `seq` changed, as they are after these events, each once.
package struct ChangedObjects: Equatable, Sendable {
  /// The objects in the state, as `ObjectCodec` wrote them.
  package let bodies: [[UInt8]]
  /// The objects that are no longer in the state.
  package let gone: [GoneObject]
  package let seq: Int64
  /// The transaction of the event `seq`.
  package let transaction: TransactionID

  package init(
    bodies: [[UInt8]], gone: [GoneObject], seq: Int64, transaction: TransactionID
  ) {
    self.bodies = bodies
    self.gone = gone
    self.seq = seq
    self.transaction = transaction
  }

  /// The bytes of the bodies.
  var bytes: Int { bodies.reduce(0) { $0 + $1.count } }

  /// Returns the pushes that say so: as a rule one.
  package func pushes(of stream: StreamID, epoch: Epoch) -> [[UInt8]] {
    Push.objects(
      stream, epoch: epoch, bodies: bodies, gone: gone, seq: seq, transaction: transaction)
  }
}

/// The objects that belong to a chunk of events.
package enum ChunkObjects: Equatable, Sendable {
  /// They come with a later chunk of the same commit.
  case later
  /// They are those that changed by this chunk and by the ones right before it that leave theirs to it.
  case changed(ChangedObjects)
  /// They are not at hand, so a reader has to be asked.
  case unknown

  var bytes: Int {
    switch self {
    case .later, .unknown: 0
    case .changed(let objects): objects.bytes
    }
  }
}
