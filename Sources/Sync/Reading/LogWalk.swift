import Domain
import Wire

/// Reads a stream's events from a number back towards its beginning, window by window. It has a budget, because other
/// requests wait for the same thread.
struct LogWalk: Sendable {
  let stream: StreamID
  /// The event below which no event is shown.
  private let floor: Int64
  private var eventsLeft: Int64
  private var bytesLeft: Int
  /// The events that were read and not handed out yet, the newest last.
  private var window: [StoredEvent] = []
  /// The event above which everything was read.
  private var end: Int64

  /// Begins a walk. `through` is the first event that is handed out, `floor` the last.
  init(
    stream: StreamID, through: Int64, floor: Int64, eventsMax: Int64, bytesMax: Int
  ) {
    self.stream = stream
    self.floor = max(1, floor)
    end = through
    eventsLeft = eventsMax
    bytesLeft = bytesMax
  }

  /// Whether there are more events that the budget did not allow.
  var isCut: Bool { window.isEmpty && end >= floor && isSpent }

  /// The number from which another walk would go on; nil when there is nothing before.
  var rest: Int64? {
    let last = window.last?.seq ?? end
    return last >= floor ? last : nil
  }

  private var isSpent: Bool { eventsLeft <= 0 || bytesLeft <= 0 }

  /// Returns the next older event; nil at the floor or when the budget is spent.
  mutating func next(
    in store: some EventStore
  ) throws(StoreError) -> StoredEvent? {
    if window.isEmpty { try fill(from: store) }
    return window.popLast()
  }

  /// Takes back the event that was handed out last, so that it comes again.
  mutating func giveBack(_ event: StoredEvent) { window.append(event) }

  private mutating func fill(from store: some EventStore) throws(StoreError) {
    guard end >= floor, !isSpent else { return }
    var cursor = max(floor - 1, end - min(ReadingLimits.historyWindow, eventsLeft))
    let stop = end
    end = cursor
    while cursor < stop {
      let page = try store.events(
        in: stream, after: cursor, through: stop, bytesMax: Limits.pageBytesMax)
      guard let last = page.last else {
        // The log does not go back so far any more.
        end = 0
        break
      }
      for stored in page {
        bytesLeft -= stored.body.count
        eventsLeft -= 1
        window.append(stored)
      }
      cursor = last.seq
    }
  }
}

extension StoredEvent {
  /// Returns the event. An event that cannot be read is damaged, because we wrote it.
  func decoded() throws(StoreError) -> Event {
    do throws(WireError) {
      return try EventCodec.decode(body, seq: seq)
    } catch {
      throw .unreadable(StoreFault(.damaged, "a stored event: \(error)"))
    }
  }
}
