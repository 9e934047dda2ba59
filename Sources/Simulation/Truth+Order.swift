// Checks of the rules for the order of somebody's lists, from the log alone: a moved list stands where its person wants
// it, all others keep their order, and a new list stands behind all that were there.

import Domain
import Sync
import Wire

/// A move of a list before another one; nil means behind all.
struct ListMove {
  let list: CategoryID
  let before: CategoryID?
}

extension StreamTruth {
  /// Returns a sentence when an event that answers this command does something else.
  func misplaced(_ event: Event, _ meant: ListMove, _ tally: inout Tally) -> String? {
    let (before, after) = (order(at: event.seq - 1), order(at: event.seq))
    guard let place = after.firstIndex(of: meant.list) else {
      return "P10 \(meant.list) is moved and not there"
    }
    tally.count(.p10Ordered)
    let next = place + 1 < after.count ? after[place + 1] : nil
    guard next == meant.before else {
      return "P10 \(meant.list) does not stand where \(event.key?.text ?? "none") puts it"
    }
    let (rest, others) = (before.filter { $0 != meant.list }, after.filter { $0 != meant.list })
    return rest == others ? nil : "P10 \(event.key?.text ?? "none") moves other lists too"
  }

  /// Returns a sentence when a list that comes with the newest event stands before one that was there.
  func checkArrivals(_ event: Event) -> String? {
    let coming = event.ops.compactMap { op -> CategoryID? in
      if case .membership(.added(let it)) = op { it.stream.category } else { nil }
    }
    let moves = event.ops.contains { op in
      if case .membership(.moved) = op { true } else { false }
    }
    guard !coming.isEmpty, !moves else { return nil }
    let order = order(at: event.seq)
    let first = order.firstIndex(where: coming.contains) ?? order.endIndex
    return order[first...].allSatisfy(coming.contains)
      ? nil : "P10 a list that comes stands in front of one that was there"
  }

  private func order(at seq: Int64) -> [CategoryID] { states[Int(seq)].listsInOrder }
}

extension Request {
  /// The move that a command about one's own order asks for; nil for other requests.
  var listMove: ListMove? {
    guard case .command(.category(.move(let list, let other)), _, _) = self else { return nil }
    return ListMove(list: list, before: other)
  }
}
