// The types that go in and out of a hub. Frames are opaque here: the program frames them once and shares them.

package import Domain

/// A connection as the hub names it: the program's own name, packed.
package struct HubConnection: Hashable, Sendable {
  package let value: UInt64
  package init(_ value: UInt64) { self.value = value }
}

/// The news of one stream from one batch of the ledger.
package struct StreamNews<Frame: Sendable>: Sendable {
  package let stream: StreamID
  package let epoch: Epoch
  /// The chunks, in order and without a hole. A chunk ends where a membership ends, so that nobody is sent what comes
  /// after it (P9).
  package let chunks: [Chunk<Frame>]
  /// The people who are no longer members, each with the event that says so.
  package let ended: [MembershipEdge]
  /// The people who have become members, each with the event that says so.
  package let begun: [MembershipEdge]
  /// The posts that nobody is at work on any more: they are not open, or their run ended.
  package let closed: [PostID]
  /// Whether a text was erased; older chunks may contain it.
  package let erases: Bool

  package init(
    stream: StreamID, epoch: Epoch, chunks: [Chunk<Frame>], ended: [MembershipEdge],
    begun: [MembershipEdge], closed: [PostID] = [], erases: Bool = false
  ) {
    self.stream = stream
    self.epoch = epoch
    self.chunks = chunks
    self.ended = ended
    self.begun = begun
    self.closed = closed
    self.erases = erases
  }
}

extension StreamNews {
  /// The news cut into pieces of one push each, to be published in this order.
  package var pieces: [StreamNews] {
    guard chunks.count > 1 else { return [self] }
    return chunks.enumerated().map { place, chunk in
      // The people who go out, and the erasing of a text, are known before the first piece. The people who come in
      // watch what follows the last.
      StreamNews(
        stream: stream, epoch: epoch, chunks: [chunk], ended: place == 0 ? ended : [],
        begun: place == chunks.count - 1 ? begun : [],
        closed: place == chunks.count - 1 ? closed : [], erases: place == 0 && erases)
    }
  }
}

/// A person, and the event of a stream that let them in or out.
package struct MembershipEdge: Equatable, Sendable {
  package let user: UserID
  package let seq: Int64
  package init(user: UserID, seq: Int64) {
    self.user = user
    self.seq = seq
  }
}

/// How a connection begins to watch a stream, as a read transaction found it.
package struct Attachment: Equatable, Sendable {
  package let stream: StreamID
  package let epoch: Epoch
  /// The newest event when the stream was read.
  package let head: Int64
  /// The event that let this person in.
  package let joinedSeq: Int64
  package let start: Start

  package enum Start: Equatable, Sendable {
    /// The client has everything up to this event.
    case after(Int64)
    /// The client needs the state.
    case snapshot
  }

  package init(stream: StreamID, epoch: Epoch, head: Int64, joinedSeq: Int64, start: Start) {
    self.stream = stream
    self.epoch = epoch
    self.head = head
    self.joinedSeq = joinedSeq
    self.start = start
  }
}

/// An order of a hub; orders are carried out in sequence.
package enum HubEffect<Frame: Sendable>: Sendable {
  /// Send the same bytes to each connection.
  case send(Frame, to: [HubConnection])
  /// Send each connection the pushes of these objects.
  case sendObjects(StreamID, Epoch, ChangedObjects, to: [HubConnection])
  case read(HubRead)
  /// Tell the connection that the stream is up to date at `seq`.
  case tellLive(HubConnection, StreamID, Epoch, seq: Int64)
  /// Tell the connection that the stream is gone; it does not watch it any more.
  case tellGone(HubConnection, StreamID)
  /// Serve this connection again in a while, because its read failed.
  case serveLater(HubConnection)
}

/// A request to a reader thread, which checks access in the transaction in which it reads.
package struct HubRead: Equatable, Sendable {
  package let connection: HubConnection
  package let user: UserID
  package let stream: StreamID
  /// The watch that asked; an answer for another one is dropped.
  package let watch: Int
  package let want: Want
  /// Whether a tail is wanted with the objects that it changed.
  package var wantsObjects = false

  package enum Want: Equatable, Sendable {
    /// The events after this one, as many as fit into a page. When not all of them are there, or this person may not
    /// read them, it is the first page of a snapshot instead.
    case tail(after: Int64)
    /// A page of the snapshot at `seq`, from 0; a nil seq means the newest state, which begins at page 0.
    case page(Int, seq: Int64?)
  }
}

/// The answer of a reader.
package enum HubReadAnswer<Frame: Sendable>: Sendable {
  /// The events right after the cursor, up to `through`; the frame is nil when there are none.
  case tail(Frame?, through: Int64)
  /// All events right after the cursor, up to `through`, and behind them the objects that they changed.
  case changes([Frame], through: Int64)
  case page(Frame, SnapshotPlace)
  /// The snapshot at that number is not kept any more.
  case lost
  /// The person is no member, or there is no such stream.
  case gone
  /// The store did not answer.
  case failed
}

/// A page within a snapshot.
package struct SnapshotPlace: Equatable, Sendable {
  package let epoch: Epoch
  /// The last event whose effect the snapshot contains.
  package let seq: Int64
  /// The number of the page, from 0.
  package let page: Int
  package let pages: Int
  package init(epoch: Epoch, seq: Int64, page: Int, pages: Int) {
    self.epoch = epoch
    self.seq = seq
    self.page = page
    self.pages = pages
  }
}
