// The newest events of one stream, already framed and shared by every connection of a loop (DESIGN §6). A chunk is what
// one batch did to the stream: one push for every connection that stands right before it. A connection that stands
// further behind, or in the middle of a chunk, reads the log instead. So does a guest by a link where a chunk has talk.

internal import Domain

/// One push of events, framed once: `from … through` of its stream.
package struct Chunk<Frame: Sendable>: Sendable {
  package let from: Int64
  package let through: Int64
  package let frame: Frame
  package let bytes: Int
  /// The objects that the events changed.
  package let objects: ChunkObjects
  /// Whether it, or the objects that come with it, hold talk. Guests by a link get another form of it from the log.
  package let hasTalk: Bool

  /// Makes a chunk. `bytes` is the size of the frame; `from` is at least 1 and at most `through`.
  package init(
    from: Int64, through: Int64, frame: Frame, bytes: Int, objects: ChunkObjects = .unknown,
    hasTalk: Bool = false
  ) {
    self.objects = objects
    self.hasTalk = hasTalk
    precondition(from >= 1 && from <= through, "a chunk holds at least one event")
    self.from = from
    self.through = through
    self.frame = frame
    self.bytes = bytes
  }

  var events: Int { Int(through - from + 1) }

  /// The bytes of the frame and of the objects.
  var weight: Int { bytes + objects.bytes }

  var withoutObjects: Chunk {
    Chunk(from: from, through: through, frame: frame, bytes: bytes, hasTalk: hasTalk)
  }
}

/// Chunks without a hole between them, oldest first, bounded in events and bytes.
struct Ring<Frame: Sendable> {
  private var chunks: [Chunk<Frame>] = []
  /// The index of the first chunk that is kept; those before it were dropped. The array is compacted now and then, at
  /// the latest when the dropped ones weigh as much as a ring may.
  private var first = 0
  private var droppedBytes = 0
  private var events = 0
  private var bytes = 0

  /// Returns the chunk that begins right after `cursor`; nil when the ring has none.
  func chunk(after cursor: Int64) -> Chunk<Frame>? {
    var (low, high) = (first, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].from <= cursor { low = middle + 1 } else { high = middle }
    }
    guard low < chunks.count, chunks[low].from == cursor + 1 else { return nil }
    return chunks[low]
  }

  mutating func append(_ chunk: Chunk<Frame>) {
    if let last = chunks.last, last.through + 1 != chunk.from { removeAll() }
    chunks.append(chunk)
    events += chunk.events
    bytes += chunk.weight
    while first < chunks.count - 1,
      events > HubLimits.ringEventsMax || bytes > HubLimits.ringBytesMax
    { dropFirst() }
    if first > 64 && first * 2 > chunks.count || droppedBytes > HubLimits.ringBytesMax {
      chunks.removeFirst(first)
      (first, droppedBytes) = (0, 0)
    }
  }

  private mutating func removeAll() {
    chunks.removeAll()
    (first, events, bytes, droppedBytes) = (0, 0, 0, 0)
  }

  private mutating func dropFirst() {
    events -= chunks[first].events
    bytes -= chunks[first].weight
    droppedBytes += chunks[first].weight
    first += 1
  }
}

/// The limits of a hub, with their reasons.
package enum HubLimits {
  /// The maximum of events in a ring. A connection that falls behind further reads the log; most never do.
  package static let ringEventsMax = 256
  package static let ringBytesMax = 256 * 1024
  /// The bytes that one connection is sent before the others have their turn.
  package static let serveBytesMax = 64 * 1024
  /// The maximum of events in a tail. A longer one costs more than the state to which it leads.
  package static let tailEventsMax: Int64 = 5_000
}
