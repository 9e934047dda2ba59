import Domain
import Sync
import Testing
import Wire

@testable import Store

extension LedgerDriver {
  /// Does what the server does by itself at this moment: looks again, then tells.
  func remind(at time: Timestamp, limit: Int = 200) throws {
    pass(to: time)
    try look(limit: limit)
    try tell(through: time, limit: limit)
  }

  func tell(through time: Timestamp, limit: Int = 200) throws {
    for _ in 0..<1_000 {
      let rows = try store.dueReminders(through: time, limit: limit)
      guard !rows.isEmpty else { return }
      for result in try run(Deadlines.works(reminding: rows)) { _ = try result.get() }
    }
    Issue.record("it finds the same again and again")
  }

  func look(limit: Int = 200) throws {
    _ = try checkDues()
    for _ in 0..<10_000 {
      let parts = try store.reminderChecks(limit: limit, butAbout: [])
      guard !parts.isEmpty else { return }
      for result in try run([.checkReminders(parts)]) { _ = try result.get() }
    }
    Issue.record("it looks at the same again and again")
  }

  /// Returns the reminders that the person's own log says were told.
  func reminded(_ person: UserID) throws -> [Reminded] {
    let events = try store.events(in: .user(person), after: 0, through: .max, bytesMax: 1 << 24)
    return try events.flatMap { event in
      try EventCodec.decode(event.body, seq: event.seq).ops.compactMap { op in
        guard case .personal(.fired(let it)) = op else { return nil }
        return it
      }
    }
  }

  func told(_ person: UserID) throws -> [Alarm] {
    try reminded(person).map { Alarm(kind: $0.kind, at: $0.at) }
  }

  /// Returns the days that the person was told of, in order.
  func digests(_ user: UserID) throws -> [Day] {
    let events = try store.events(in: .user(user), after: 0, through: .max, bytesMax: 1 << 24)
    return try events.flatMap { stored -> [Day] in
      let event = try EventCodec.decode(stored.body, seq: stored.seq)
      return event.ops.compactMap { op -> Day? in
        guard case .personal(.digestReady(let day)) = op else { return nil }
        #expect(event.by == nil && event.key == nil)
        return day
      }
    }
  }
}
