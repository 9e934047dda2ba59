// The part of a step that marks the codes and links of the log as used (Domain/Decide/UsedOnce.swift).
//
// An older database has no marks of the codes and links that had ended by then, so their ids could be used again. The
// step looks for them in every event that is kept, some 2 s for each GB of log. An event that is forgotten tells
// nothing.

import Domain
import Sync
import Wire

extension Schema {
  static func markUsed(in database: Database) throws(DatabaseError) {
    let write = try database.prepare("INSERT OR IGNORE INTO spent_code(code, user) VALUES(?1, ?2)")
    try database.prepare(events).each { (row) throws(DatabaseError) in
      let stream = try row.stream(0)
      let event = try undamaged("an event of \(stream)") { () throws(WireError) in
        try EventCodec.decode(row.bytes(2), seq: row.int64(1))
      }
      for mark in event.ops.compactMap({ $0.mark(in: stream) }) {
        try write.bind(1, mark)
        // An end that came by itself has no author. The author of the code or link is in an earlier row, if that is
        // kept.
        try write.bind(2, event.by?.uuid ?? UUID(high: 0, low: 0))
        try write.run()
      }
      return true
    }
  }

  private static let events =
    """
    SELECT stream.name, event.place & 0xFFFFFFFF, event.body FROM event
    JOIN stream ON stream.number = event.place >> 32
    WHERE event.place >= 0 AND (
      instr(event.body, CAST('"code.made"' AS BLOB)) > 0
      OR instr(event.body, CAST('"code.ended"' AS BLOB)) > 0
      OR instr(event.body, CAST('"link.made"' AS BLOB)) > 0
      OR instr(event.body, CAST('"link.ended"' AS BLOB)) > 0)
    ORDER BY event.place
    """
}
