// What `/undo` and `/redo` mean by "the last one": undo takes back the newest thing that one did and that
// still counts, redo takes back the newest undo that still counts. What was taken back does not count; an
// undo of an undo (a redo) does it again, and what is taken back then is the redo: a post that went to another
// list again is there by the redo, not by what it did again.

import Domain

/// Of one's own events in a list.
struct UndoTrail: Equatable {
  /// The event that `/undo` takes back; nil when there is none.
  private(set) var undo: Int64?
  /// The undo that `/redo` takes back.
  private(set) var redo: Int64?

  /// Newest first. `stuck`: of which nothing could be taken back when it was tried.
  init(_ events: [Event], stuck: Set<Int64> = []) {
    var depths = UndoDepths()
    for event in events.reversed() { depths.hear(event) }
    var taken: Set<Int64> = []
    for event in events
    where !taken.contains(event.seq) && !taken.contains(depths.doneAgain(by: event) ?? 0) {
      taken.formUnion(event.undoes)
      if stuck.contains(event.seq) { continue }
      let isUndo = depths[event] % 2 == 1
      let isTakenBack = event.ops.contains(where: \.isTakenBack)
      if !isUndo, undo == nil, isTakenBack { undo = event.seq }
      if isUndo, redo == nil { redo = event.seq }
    }
  }
}

/// Which events of a stream took others back, and which took such ones back: an event tells the numbers of those that
/// it takes back (protocol §7), not what these were. One whose number is not known was something done.
struct UndoDepths: Equatable {
  /// Older ones are forgotten: a redo mostly follows its undo.
  static let rememberedMax = 1_000

  /// By an undo's number the one that it takes back, the last of several.
  private var targets: [Int64: Int64] = [:]
  private var order: [Int64] = []

  mutating func hear(_ event: Event) {
    guard let target = event.undoes.last, targets[event.seq] == nil else { return }
    targets[event.seq] = target
    order.append(event.seq)
    if order.count > UndoDepths.rememberedMax {
      targets[order.removeFirst()] = nil
    }
  }

  /// 0: something done, 1: its undo, 2: the undo of that, …
  subscript(event: Event) -> Int {
    var depth = 0
    var target = event.undoes.last
    while let one = target {
      depth += 1
      // An event takes back only what was before it.
      target = targets[one].flatMap { $0 < one ? $0 : nil }
    }
    return depth
  }

  /// What a redo has done again; nil for anything else.
  func doneAgain(by event: Event) -> Int64? {
    self[event] > 0 && self[event] % 2 == 0 ? event.undoes.last.flatMap { targets[$0] } : nil
  }

  /// Behind the line of an event.
  func word(_ event: Event) -> String? {
    switch self[event] {
    case 0: nil
    case let depth: depth % 2 == 1 ? " (undo)" : " (redo)"
    }
  }
}
