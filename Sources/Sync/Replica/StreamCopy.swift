import Domain
import Wire

/// What we hold of a stream: the effect of its events up to the cursor.
struct StreamCopy: Sendable {
  private(set) var state: StreamState
  private(set) var cursor: CursorPosition

  init(state: StreamState, cursor: CursorPosition) {
    self.state = state
    self.cursor = cursor
  }

  enum Fit: Equatable {
    /// These are new and come next; empty for a repetition.
    case next([Event])
    /// Something between is missing, or it is another history.
    case gap
  }

  /// Whether a push continues this copy (`from == cursor + 1`); what is known already is left out.
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

  /// Nil unless it is the first page.
  init?(_ page: SnapshotPage) {
    guard page.page == 1 else { return nil }
    first = page
    objects = page.objects
    pages = 1
  }

  /// Adds the next page; false when it is not the next one of the same snapshot.
  mutating func add(_ page: SnapshotPage) -> Bool {
    guard page.epoch == first.epoch, page.seq == first.seq, page.pages == first.pages,
      page.page == pages + 1
    else { return false }
    objects += page.objects
    pages += 1
    return true
  }

  /// The copy, when all pages are in.
  var copy: StreamCopy? {
    guard pages >= first.pages else { return nil }
    return StreamCopy(
      state: StreamState(stream: first.stream, objects: objects),
      cursor: CursorPosition(
        epoch: first.epoch, seq: first.seq, transaction: first.transaction))
  }
}
