// A kept reminder is something that a person asked to be told of a post and was told (protocol §5.10): a reminder of
// their own, the time of a plan, the end of a snooze. It lies in their own `u:` beside the notices and has a limit of
// its own, so nothing that others do pushes it out. Only the newest one of each post is kept. It ends with the
// membership of the list. Reading it moves the read mark of the `u:` and changes nothing here.

/// A reminder that was told, as long as it is kept.
package struct KeptReminder: Equatable, Sendable {
  package let told: Reminded
  /// The time of the event that told it; `told.at` is the moment that it was meant for.
  package let toldAt: Timestamp
  /// The event of the `u:` that told it, and the op's place in it, from 0.
  package let seq: Int64
  package let opIndex: Int

  package init(_ told: Reminded, told toldAt: Timestamp, seq: Int64, opIndex: Int) {
    self.told = told
    self.toldAt = toldAt
    self.seq = seq
    self.opIndex = opIndex
  }

  package var key: ObjectKey { told.address.reminderKey }
}
