// The works that the ledger's thread does by itself (Server/Threads/LedgerThread+Deadlines.swift). An operator looks
// after the clock: some seconds after it has made the scheduler pause, they confirm it, right or wrong.

import Domain
import Sync

extension SimServer {
  /// Whether nothing is left to tell, and nothing keeps it from being told.
  var hasTold: Bool {
    let leftOut =
      deadlineQuarantine.count + reminderQuarantine.count + checkQuarantine.count
      + claimEnds.leftOut
    guard scheduler.pause == nil, !mayCheckDues, !mustLookAtAll, leftOut == 0, hasEnded,
      !untoldNames.mayBeSome, hasEmptiedBin, courier?.isIdle != false
    else {
      return false
    }
    return !scheduler.isDue(at: world.moment.wall) && !claimEnds.isDue(at: world.moment.wall)
      && !runs.isDue(at: world.moment.milliseconds)
  }

  /// Returns the works that come before all others of a turn. The store says what is to be checked again.
  func ownWorks() -> [(LedgerWork, LedgerReply)] {
    lookAtClock()
    do throws(StoreError) {
      if checkQuarantine.look(machine: world.moment.milliseconds) { mayCheckDues = true }
      claimEnds.look(machine: world.moment.milliseconds)
      let ending = try endWorks()
      if !ending.isEmpty { return ending }
      if let naming = try untoldNames.work(in: store) { return [(naming, .nobody)] }
      let purging = try binWorks()
      if !purging.isEmpty { return purging }
      if mustLookAtAll {
        try store.lookAtAllAgain()
        (mustLookAtAll, mayCheckDues) = (false, true)
      }
      if mayCheckDues {
        if let part = try store.dueCheck(limit: SimRules.postsPerCheck) {
          return [(.checkDues(part), .nobody)]
        }
        let parts = try store.reminderChecks(
          limit: SimRules.postsPerCheck, butAbout: checkQuarantine.aside)
        if let work = checkQuarantine.works(for: parts).first { return [(work, .nobody)] }
        mayCheckDues = false
      }
      let now = world.moment.wall
      let mayTellAgain = deadlineQuarantine.look(machine: world.moment.milliseconds)
      if reminderQuarantine.look(machine: world.moment.milliseconds) || mayTellAgain {
        scheduler.forget()
      }
      if scheduler.pause == nil, claimEnds.isDue(at: now) {
        let works = try claimEnds.works(at: now, in: store, limit: SimRules.postsPerTurn)
        if !works.isEmpty { return works.map { ($0, .nobody) } }
      }
      let lost = try lostRuns()
      if !lost.isEmpty { return lost }
      guard scheduler.isDue(at: now) else { return [] }
      let posts = try untold(through: now, limit: SimRules.postsPerTurn)
      guard posts.isEmpty else {
        scheduler.forget()
        return deadlineQuarantine.works(for: posts).map { ($0, .nobody) }
      }
      return try remindingWorks(at: now)
    } catch {
      return []
    }
  }

  private func lostRuns() throws(StoreError) -> [(LedgerWork, LedgerReply)] {
    guard scheduler.pause == nil, runs.isDue(at: world.moment.milliseconds) else { return [] }
    try runs.ask(store, at: world.moment.milliseconds)
    return runs.works(at: world.moment.milliseconds, limit: SimRules.postsPerTurn)
      .map { ($0, .nobody) }
  }

  private func remindingWorks(
    at now: Timestamp
  ) throws(StoreError) -> [(LedgerWork, LedgerReply)] {
    let rows = try unreminded(through: now, limit: SimRules.postsPerTurn)
    if rows.isEmpty {
      let latest = Timestamp(milliseconds: .max)
      let next = [
        try untold(through: latest, limit: 1).first?.deadline,
        try unreminded(through: latest, limit: 1).first?.at,
      ]
      scheduler.found(next.compactMap(\.self).min())
    } else {
      scheduler.forget()
    }
    return reminderQuarantine.works(for: rows).map { ($0, .nobody) }
  }

  private func unreminded(through time: Timestamp, limit: Int) throws(StoreError) -> [ReminderRow] {
    try store.dueReminders(through: time, limit: limit + reminderQuarantine.count)
      .filter { !reminderQuarantine.leavesOut($0) }
  }

  private func untold(through time: Timestamp, limit: Int) throws(StoreError) -> [DuePost] {
    try store.untoldDues(through: time, limit: limit + deadlineQuarantine.count)
      .filter { !deadlineQuarantine.leavesOut($0) }
  }

  func note(_ works: [LedgerWork], _ turn: LedgerTurn) {
    _ = deadlineQuarantine.note(works, turn, machine: world.moment.milliseconds)
    _ = reminderQuarantine.note(works, turn, machine: world.moment.milliseconds)
    _ = checkQuarantine.note(works, turn, machine: world.moment.milliseconds)
    _ = claimEnds.note(works, turn, machine: world.moment.milliseconds)
    _ = runs.note(works, turn)
    _ = ends.note(works, turn, machine: world.moment.milliseconds)
    _ = bin.note(works, turn, machine: world.moment.milliseconds)
    if turn.bins { bin.look() }
    if turn.changesEnds { ends.look() }
    _ = untoldNames.note(works, turn)
    if turn.leavesNames { untoldNames.look() }
    switch turn.commit {
    case .committed:
      if turn.leavesDuesToCheck { mayCheckDues = true }
      if let deadline = turn.earliestDeadline { scheduler.note(deadline) }
      claimEnds.note(turn.earliestClaimEnd)
      runs.note(turn.runs, at: world.moment.milliseconds)
      runs.forget(turn.dropped)
    case .unknown, .failed:
      scheduler.forget()
      claimEnds.forget()
      runs.forget()
      mayCheckDues = true
    case .nothing: break
    }
  }

  /// Wakes the ledger again and again, sooner when something is due.
  func ledgerWakes() {
    lookAtClock()
    mayForget()
    callLedger()
    let now = world.moment.wall
    let claimEnd = claimEnds.wait(at: now, most: SimRules.idleMilliseconds)
    let deadline = scheduler.wait(at: now, most: SimRules.idleMilliseconds)
    let run = runs.wait(at: world.moment.milliseconds, most: SimRules.idleMilliseconds)
    let wait = scheduler.pause == nil ? min(claimEnd, deadline, run) : deadline
    world.schedule(after: max(20, wait), .ledgerWakes(generation))
  }

  private func lookAtClock() {
    let isNew = scheduler.look(wall: world.moment.wall, machine: world.moment.milliseconds)
    guard isNew, scheduler.pause != nil else { return }
    waitForConfirmation()
    doubtClock()
  }

  /// Notes that the clock is not trusted. When the store takes no writes, the bin remembers it.
  func doubtClock() {
    do throws(StoreError) {
      try bin.doubt(in: store)
    } catch {
      return
    }
  }

  func waitForConfirmation() {
    world.count(.p12Paused)
    world.schedule(after: world.random.between(200, 4_000), .clockConfirmed(generation))
  }

  func clockConfirmed() {
    if scheduler.confirm() { mustLookAtAll = true }
  }
}
