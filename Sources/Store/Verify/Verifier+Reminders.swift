import Domain
import Sync

// Checks of the reminders of people.
extension Verifier {
  /// Checks that each post of which somebody has said something has a row, or is still to be looked at. The moment of a
  /// row is not compared, because it depends on the past.
  mutating func checkReminders(
    of stream: StoredStream, _ replay: StreamReplay
  ) throws(DatabaseError) {
    guard case .user = stream.id else { return }
    try checkDigest(of: stream, replay)
    let said = replay.rows.values.compactMap { row -> PostAddress? in
      if case .personal(let it) = row.object { it.address } else { nil }
    }
    guard !said.isEmpty else { return }
    let known = try reminded(
      """
      SELECT stream.name, reminder.post FROM reminder
      JOIN stream ON stream.number = reminder.list
      WHERE reminder.person = \(stream.number) AND reminder.list != reminder.person
      UNION ALL
      SELECT stream.name, reminder_check.post FROM reminder_check
      JOIN stream ON stream.number = reminder_check.list
      WHERE reminder_check.kind IN (0, 1)
        AND reminder_check.person IN (0, \(stream.number))
      """)
    for address in said.sorted(by: { $0.post < $1.post }) where !known.contains(address) {
      report.add("\(stream.id): when to tell of \(address.post) is missing.")
    }
  }

  /// Checks that each person who is told of their days has a row that waits, or is still to be looked at.
  private mutating func checkDigest(
    of stream: StoredStream, _ replay: StreamReplay
  ) throws(DatabaseError) {
    let isWanted = replay.rows.values.contains { row in
      if case .settings(let it) = row.object { it.digest != nil } else { false }
    }
    guard isWanted else { return }
    let known = try database.integer(
      """
      SELECT (SELECT count(*) FROM reminder
          WHERE person = \(stream.number) AND list = person AND at < 9223372036854775807)
        + (SELECT count(*) FROM reminder_check
          WHERE kind IN (2, 5) AND person = \(stream.number))
      """)
    if known == 0 { report.add("\(stream.id): when to tell of the day is missing.") }
  }

  private func reminded(_ sql: String) throws(DatabaseError) -> Set<PostAddress> {
    let rows = try database.prepare(sql).rows { (row) throws(DatabaseError) in
      guard case .category(let list) = try row.stream(0) else {
        throw row.damaged(0, "is no list")
      }
      return PostAddress(category: list, post: PostID(try row.uuid(1)))
    }
    return Set(rows)
  }
}
