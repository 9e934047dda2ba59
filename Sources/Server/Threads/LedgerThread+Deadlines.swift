// Tells deadlines that have come, and computes those of lists whose days have changed: the ledger does both by itself
// (Sync/Deadlines/Scheduler.swift).

internal import Calendar
internal import Domain
internal import Glibc
internal import Net
internal import Sync

extension LedgerThread {
  /// The wait when nothing arrives, in milliseconds.
  var idleMilliseconds: Int {
    // Deadlines that cannot be written now are tried again later.
    guard canTell else { return ServerLimits.idleLookMilliseconds }
    let wait = scheduler.wait(
      at: LedgerThread.now, most: Int64(ServerLimits.idleLookMilliseconds))
    let most = ServerLimits.idleLookMilliseconds
    return min(Int(wait), claimEndWait(most: most), runWait(most: most))
  }

  /// Whether deadlines may be written. They wait for a while after a failure, but not for ever: nobody else may write
  /// for hours, and only a commit shows that the store is well.
  var canTell: Bool {
    disk != .critical && (!isFailing || MachineClock.monotonic().milliseconds >= tryAgainFrom)
  }

  /// Begins with the newest event and the clock. It is called once, before the first batch.
  func beginScheduling() {
    do throws(StoreError) {
      let (newest, now) = (try store.newestEventTime(), LedgerThread.now)
      scheduler = Scheduler(
        newest: newest, confirmed: try store.confirmedClock(), wall: now,
        isSynchronized: clockIsSynchronized())
      bin = Bin(BinRules(keepDays: keepRemovedDays), newest: newest)
      // The clock may have been put back meanwhile, whatever the cause.
      mustLookAtAll = newest.map { now < $0 } ?? false
    } catch {
      note(error, "looking for the newest event")
    }
    _ = isConfirmed()
    if scheduler.pause != nil { notePause() }
    noteDoubt()
  }

  /// Looks, at the start and now and then, whether the machine's time zones are others than deadlines were computed
  /// with. A process keeps the zones that it has read until it is told that there are others.
  func lookAtZones() {
    let now = MachineClock.monotonic().milliseconds
    guard now >= lookAtZonesFrom else { return }
    lookAtZonesFrom = now + ServerLimits.zonesEveryMilliseconds
    guard let version = ZoneRules.version(in: zoneFolder), version != zoneVersion else { return }
    do throws(StoreError) {
      if zoneVersion != nil { Zones.readAgain() }
      guard try store.zonesAre(version) else { return zoneVersion = version }
      log.note("ledger: time zones are those of \(version): deadlines are looked at again")
      mayCheckDues = true
      zoneVersion = version
    } catch {
      note(error, "looking at time zones")
    }
  }

  /// Looks again at the deadlines of a list whose days have changed, some posts at a time, and then at reminders. True
  /// when there may be more.
  func checkDues() -> Bool {
    if checkQuarantine.look(machine: MachineClock.monotonic().milliseconds) { mayCheckDues = true }
    guard mayCheckDues || mustLookAtAll else { return false }
    do throws(StoreError) {
      if mustLookAtAll {
        try store.lookAtAllAgain()
        (mustLookAtAll, mayCheckDues) = (false, true)
      }
      // They take turns, so that neither keeps the other waiting.
      let part = try store.dueCheck(limit: Deadlines.postsPerCheck)
      let turn = part.map { settle([(.checkDues($0), .nobody)]) }
      let hasReminded = try checkReminders()
      if part == nil, hasReminded == nil { mayCheckDues = false }
      return !isFailing && (turn?.hasDoneSomething == true || hasReminded == true)
    } catch {
      note(error, "looking at deadlines")
      return false
    }
  }

  /// Looks at reminders again. True when that did something, and nil when there is nothing to look at.
  private func checkReminders() throws(StoreError) -> Bool? {
    let parts = try store.reminderChecks(
      limit: Deadlines.remindersPerCheck, butAbout: checkQuarantine.aside)
    guard !parts.isEmpty else { return nil }
    // Only one is taken: two that were read at once may be about the same row.
    let works = Array(checkQuarantine.works(for: parts).prefix(1))
    let turn = settle(works.map { ($0, .nobody) }[...])
    for it in checkQuarantine.note(works, turn, machine: MachineClock.monotonic().milliseconds) {
      log.note("ledger: when to remind \(it) cannot be looked at")
    }
    return !isFailing && turn.hasDoneSomething
  }

  /// Tells some of the posts that have come due. True when there may be more.
  func tellOverdue() -> Bool {
    let now = LedgerThread.now
    lookAtClock(now)
    let machine = MachineClock.monotonic().milliseconds
    let mayTellAgain = deadlineQuarantine.look(machine: machine)
    if reminderQuarantine.look(machine: machine) || mayTellAgain { scheduler.forget() }
    guard canTell, scheduler.isDue(at: now) else { return false }
    do throws(StoreError) {
      let posts = try untold(through: now, limit: Deadlines.postsPerTurn)
      guard !posts.isEmpty else { return try remind(at: now) }
      // They are told at the moment at which they were found: otherwise a clock that steps back would tell none of
      // them.
      let works = deadlineQuarantine.works(for: posts)
      let turn = settle(works.map { ($0, .nobody) }[...], at: now)
      noteRefused(works, turn)
      scheduler.forget()
      if !isFailing { counters.counts.add(.deadlines, posts.count) }
      return !isFailing
    } catch {
      note(error, "looking for deadlines")
      return false
    }
  }

  private func untold(through time: Timestamp, limit: Int) throws(StoreError) -> [DuePost] {
    try store.untoldDues(through: time, limit: limit + deadlineQuarantine.count)
      .filter { !deadlineQuarantine.leavesOut($0) }
  }

  private func noteRefused(_ works: [LedgerWork], _ turn: LedgerTurn) {
    for post in deadlineQuarantine.note(works, turn, machine: MachineClock.monotonic().milliseconds)
    {
      log.note("ledger: that post \(post.post) of \(post.category) is overdue cannot be told")
    }
  }

  /// Reminds people. It comes after the deadlines, so that a person who is reminded of a post finds it overdue.
  private func remind(at now: Timestamp) throws(StoreError) -> Bool {
    let rows = try unreminded(through: now, limit: Deadlines.remindersPerTurn)
    guard !rows.isEmpty else {
      let latest = Timestamp(milliseconds: .max)
      let next = [
        try untold(through: latest, limit: 1).first?.deadline,
        try unreminded(through: latest, limit: 1).first?.at,
      ]
      scheduler.found(next.compactMap(\.self).min())
      return false
    }
    let works = reminderQuarantine.works(for: rows)
    let turn = settle(works.map { ($0, .nobody) }[...], at: now)
    for row in reminderQuarantine.note(works, turn, machine: MachineClock.monotonic().milliseconds)
    {
      log.note("ledger: cannot remind \(row.key)")
    }
    scheduler.forget()
    return !isFailing
  }

  private func unreminded(through time: Timestamp, limit: Int) throws(StoreError) -> [ReminderRow] {
    try store.dueReminders(through: time, limit: limit + reminderQuarantine.count)
      .filter { !reminderQuarantine.leavesOut($0) }
  }

  func lookAtClock(_ now: Timestamp) {
    if scheduler.look(wall: now, machine: MachineClock.sinceBootMilliseconds()) {
      // A confirmation by the operator from before this is worth nothing.
      _ = isConfirmed()
      notePause()
      noteDoubt()
    }
    let machine = MachineClock.monotonic().milliseconds
    guard scheduler.pause != nil, machine >= askOfClockFrom else { return }
    askOfClockFrom = machine + ServerLimits.clockEveryMilliseconds
    if clockIsSynchronized(), scheduler.synchronized() { return notePause() }
    guard isConfirmed() else { return }
    if scheduler.confirm() { mustLookAtAll = true }
    notePause()
    do throws(StoreError) {
      try store.confirmClock(
        ClockConfirmation(at: now, newest: try store.newestEventTime() ?? now))
    } catch {
      note(error, "keeping that the clock is right")
    }
  }

  /// Answers whether the operator confirmed the clock, once for each `clock confirm`.
  private func isConfirmed() -> Bool { unlink(OperatorCommands.clockMark(in: folder)) == 0 }

  private func noteDoubt() {
    guard scheduler.pause != nil else { return }
    do throws(StoreError) {
      try bin?.doubt(in: store)
    } catch {
      note(error, "keeping that the clock is in doubt")
    }
  }

  private func notePause() {
    counters.counts.set(.schedulerPaused, scheduler.pause == nil ? 0 : 1)
    let reason: String
    switch scheduler.pause {
    case .jumped(let milliseconds)?: reason = "jumped by \(milliseconds / 1_000) s"
    case .behind(let milliseconds)?:
      reason = "is \(milliseconds / 1_000) s before the newest event"
    case .ahead(let milliseconds)?:
      reason =
        "is \(milliseconds / 86_400_000) days after the newest event"
        + (clockIsSynchronized() ? "" : ", and the system does not say that it is kept right")
    case nil: return log.note("ledger: deadlines are told")
    }
    log.note(
      "ledger: the wall clock \(reason): no deadline is told before it is right again or"
        + " `whattodo-server clock confirm` says that it is")
  }
}
