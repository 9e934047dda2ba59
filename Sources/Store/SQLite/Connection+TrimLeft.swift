// What a quiet list keeps of posts that have gone to another one (protocol §5.7).
//
// The newest event of a stream is never forgotten. When it is the one by which posts went away, their texts would stay
// as long as nothing else happens there: in what was before that event, and in the state at the horizon, which lies
// before it. The list where they are now may have forgotten by then where they came from, so no erasing gets here. So
// when that event is as old as what is forgotten, it keeps everything but those texts; taking the move back
// needs none of them.

import Domain
import Sync
import Wire

extension Connection {
  /// Between commits, like every step of trimming.
  func forgetWhatLeft(
    _ stream: TrimmedStream, before time: Timestamp, _ writes: WriteStatements
  ) throws(DatabaseError) {
    guard stream.horizon + 1 == stream.seq, let row = try newest(of: stream, time, writes.trims)
    else { return }
    let event = try undamaged("\(row.place)") { () throws(WireError) in
      try EventCodec.decode(row.body, seq: stream.seq)
    }
    let left = event.ops.postsThatLeft
    // Nearly always it was done the last time.
    var was = row.was
    for post in left {
      was = try undamaged("\(row.place)") { () throws(WireError) in
        try TextEraser(post).before(was)
      }
    }
    guard was != row.was, try reads.erasesNothing(in: stream.id) else { return }
    try inTransaction(writes) { () throws(DatabaseError) in
      var row = row
      for post in left {
        try eraseAtHorizon(post, stream: stream.number, writes.erases)
        row = try rewrite(row, without: post, stream: stream.number, writes.erases)
      }
    }
  }

  /// The newest event, if it is so old and a post went by it.
  private func newest(
    of stream: TrimmedStream, _ time: Timestamp, _ trims: TrimStatements
  ) throws(DatabaseError) -> EventRow? {
    try trims.newestLeaving.bind(1, stream.start + stream.seq)
    try trims.newestLeaving.bind(2, time.milliseconds)
    return try trims.newestLeaving.first { (row) throws(DatabaseError) in
      EventRow(place: row.int64(0), body: row.bytes(1), was: row.bytes(2))
    }
  }
}
