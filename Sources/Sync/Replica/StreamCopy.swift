import Domain
import Wire

/// Our copy of a stream: the effect of its events up to the cursor.
struct StreamCopy: Sendable {
  private(set) var state: StreamState
  private(set) var cursor: CursorPosition

  init(state: StreamState, cursor: CursorPosition) {
    self.state = state
    self.cursor = cursor
  }

  enum Fit: Equatable {
    /// The events are new and come next; the array is empty for a repetition.
    case next([Event])
    /// Events between are missing, or the push belongs to another history.
    case gap
  }

  /// Answers whether a push continues this copy (`from == cursor + 1`); known events are left out.
  func fit(_ push: EventsPush) -> Fit {
    guard push.epoch == cursor.epoch, push.from <= cursor.seq + 1 else { return .gap }
    return .next(Array(push.events.drop { $0.seq <= cursor.seq }))
  }

  mutating func apply(_ event: Event) {
    precondition(event.seq == cursor.seq + 1, "only the next event is applied to a copy")
    _ = state.apply(event)
    cursor = CursorPosition(
      epoch: cursor.epoch, seq: event.seq, transaction: event.transaction)
  }
}

/// The pages of a snapshot that have arrived.
struct SnapshotGathering: Sendable {
  private let first: SnapshotPage
  private var objects: [Object]
  private var pages: Int

  /// Begins with the first page; nil for another page.
  init?(_ page: SnapshotPage) {
    guard page.page == 1 else { return nil }
    first = page
    objects = page.objects
    pages = 1
  }

  /// Adds the next page; answers false when it is not the next one of the same snapshot.
  mutating func add(_ page: SnapshotPage) -> Bool {
    guard page.epoch == first.epoch, page.seq == first.seq, page.pages == first.pages,
      page.page == pages + 1
    else { return false }
    objects += page.objects
    pages += 1
    return true
  }

  /// The copy; nil until all pages are in.
  var copy: StreamCopy? {
    guard pages >= first.pages else { return nil }
    return StreamCopy(
      state: StreamState(stream: first.stream, objects: objects),
      cursor: CursorPosition(
        epoch: first.epoch, seq: first.seq, transaction: first.transaction))
  }
}
