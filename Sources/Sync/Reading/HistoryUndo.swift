// undo.preview (protocol §8): it applies the rules of the ledger to the store as a reader sees it, so the preview shows
// what would be done. Nothing is kept between requests.

import Domain
import Wire

extension EventStore {
  /// Returns what an undo would do. Call it within a read.
  func undoPreview(
    _ query: UndoQuery, for actor: Actor, at now: Timestamp
  ) throws(StoreError) -> Result<UndoPreview, Refusal> {
    let found: (events: [Int64], more: Bool)
    switch query.selection {
    case .events(let events): found = (events, false)
    case .doings(let user, let since, let until):
      guard let access = try access(of: actor.user, to: query.stream) else {
        return .failure(.notFound(query.stream.noun))
      }
      found = try doings(of: user, access, from: since, to: until)
    }
    guard !found.events.isEmpty else {
      return .success(
        UndoPreview(events: [], steps: [], skipped: [], seen: "none", more: found.more))
    }
    let target = UndoTarget(stream: query.stream, events: found.events, seen: nil)
    return try decided { (world) throws(Halt) in
      try undoPlan(target, by: actor, at: now, in: &world)
    }.map { plan in
      UndoPreview(
        events: found.events, steps: plan.steps, skipped: plan.skipped, seen: plan.seen,
        more: found.more)
    }
  }

  /// Applies a rule of Domain to the store, and loads what the rule asks for.
  private func decided<Value>(
    _ rule: (inout World) throws(Halt) -> Value
  ) throws(StoreError) -> Result<Value, Refusal> {
    var world = World(bytesMax: 0)
    while true {
      let halt: Halt
      do throws(Halt) {
        return .success(try rule(&world))
      } catch {
        halt = error
      }
      switch halt {
      case .refused(let refusal): return .failure(refusal)
      case .needs(let needs):
        let answers = try load(needs.map { .domain($0) })
        for (need, answer) in zip(needs, answers) {
          guard case .domain(let loaded) = answer else {
            preconditionFailure("an answer to another question")
          }
          world.provide(need, loaded)
        }
      }
    }
  }

  /// Returns the newest events of a person of which an undo takes anything back, ascending. `more` means that older
  /// ones may be left.
  private func doings(
    of user: UserID, _ access: StreamAccess, from start: Timestamp, to stop: Timestamp?
  ) throws(StoreError) -> (events: [Int64], more: Bool) {
    var walk = LogWalk(
      stream: access.stream, through: access.head.seq, floor: try firstRead(access),
      eventsMax: ReadingLimits.historyEvents, bytesMax: ReadingLimits.historyBytes)
    var found: [Int64] = []
    while let event = try walk.next(in: self)?.decoded(), event.at >= start {
      guard event.by == user, event.at <= stop ?? event.at,
        event.ops.contains(where: \.isTakenBack)
      else { continue }
      guard found.count < Limits.undoEventsMax else { return (found.reversed(), true) }
      found.append(event.seq)
    }
    return (found.reversed(), walk.isCut)
  }
}
