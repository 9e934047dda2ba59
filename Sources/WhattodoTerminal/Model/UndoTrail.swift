// The meaning of "the last one" for `/undo` and `/redo`. Undo takes back the newest thing that one did and that still
// counts; redo takes back the newest undo that still counts. What was taken back does not count. An undo of an undo (a
// redo) does the first thing again, and then the redo is what is taken back. For example, a post that went to another
// list again is there by the redo, not by the move that the redo repeated.

import Domain

/// The targets of undo and redo among one's own events in a list.
struct UndoTrail: Equatable {
  /// The event that `/undo` takes back; nil when there is none.
  private(set) var undo: Int64?
  /// The undo that `/redo` takes back; nil when there is none.
  private(set) var redo: Int64?

  /// Takes the events newest first. `stuck` are events of which nothing could be taken back when it was tried.
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

/// The events of a stream that took others back. An event names the numbers of those that it takes back (protocol §7),
/// but not what they were. An event whose number is not known counts as something done.
struct UndoDepths: Equatable {
  /// The number of undos that are remembered; older ones are forgotten, because a redo mostly follows its undo.
  static let rememberedMax = 1_000

  /// The event that an undo takes back, by the undo's number; of several events the last.
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

  /// How deep the event is: 0 for something done, 1 for its undo, 2 for the undo of that, …
  subscript(event: Event) -> Int {
    var depth = 0
    var target = event.undoes.last
    while let one = target {
      depth += 1
      // An event takes back only events before it.
      target = targets[one].flatMap { $0 < one ? $0 : nil }
    }
    return depth
  }

  /// Returns the event that a redo has done again; nil for an event that is no redo.
  func doneAgain(by event: Event) -> Int64? {
    self[event] > 0 && self[event] % 2 == 0 ? event.undoes.last.flatMap { targets[$0] } : nil
  }

  /// Returns the word behind the line of an undo or redo; nil for another event.
  func word(_ event: Event) -> String? {
    switch self[event] {
    case 0: nil
    case let depth: depth % 2 == 1 ? " (undo)" : " (redo)"
    }
  }
}
