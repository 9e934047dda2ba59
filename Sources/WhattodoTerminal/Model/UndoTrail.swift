// What `/undo` and `/redo` mean by "the last one": undo takes back the newest thing that one did and that
// still counts, redo takes back the newest undo that still counts. What was taken back does not count; an
// undo of an undo (a redo) makes what it did count again.

import Domain

/// Of one's own events in a list.
struct UndoTrail: Equatable {
  /// The event that `/undo` takes back; nil when there is none.
  private(set) var undo: Int64?
  /// The undo that `/redo` takes back.
  private(set) var redo: Int64?

  /// Newest first. `stuck`: of which nothing could be taken back when it was tried.
  init(_ events: [Event], stuck: Set<Int64> = []) {
    // 0: something done, 1: its undo, 2: the undo of that, …
    var depths: [Int64: Int] = [:]
    for event in events.reversed() {
      depths[event.seq] = event.undoes.last.map { 1 + (depths[$0] ?? 0) } ?? 0
    }
    var taken: Set<Int64> = []
    for event in events where !taken.contains(event.seq) {
      taken.formUnion(event.undoes)
      if stuck.contains(event.seq) { continue }
      let depth = depths[event.seq] ?? 0
      let isTakenBack = event.ops.contains(where: \.isTakenBack)
      if depth == 0, undo == nil, isTakenBack { undo = event.seq }
      if depth % 2 == 1, redo == nil { redo = event.seq }
    }
  }
}
