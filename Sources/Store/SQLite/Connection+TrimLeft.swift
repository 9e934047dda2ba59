// Forgets the texts that a quiet list keeps of posts that have gone to another one (protocol §5.7).
//
// The newest event of a stream is never forgotten. When posts went away by it, their texts would stay as long as
// nothing else happens there: in what was before that event, and in the state at the horizon, which lies before it. The
// list where the posts are now may have forgotten by then where they came from, so an erasing there does not reach this
// list. So when that event is old enough to be forgotten, it keeps everything but those texts. Taking the move back
// needs none of them.

import Domain
import Sync
import Wire

extension Connection {
  /// Erases the texts between commits, like every step of trimming.
  func forgetWhatLeft(
    _ stream: TrimmedStream, before time: Timestamp, _ writes: WriteStatements
  ) throws(DatabaseError) {
    guard stream.horizon + 1 == stream.seq, let row = try newest(of: stream, time, writes.trims)
    else { return }
    let event = try undamaged("\(row.place)") { () throws(WireError) in
      try EventCodec.decode(row.body, seq: stream.seq)
    }
    let left = event.ops.postsThatLeft
    // Nearly always this was done the last time.
    var (was, bare) = (row.was, event)
    for post in left {
      bare = TextEraser(post).event(bare)
      was = try undamaged("\(row.place)") { () throws(WireError) in
        try TextEraser(post).before(was)
      }
    }
    guard was != row.was || bare != event, try reads.erasesNothing(in: stream.id) else { return }
    try inTransaction(writes) { () throws(DatabaseError) in
      var row = row
      for post in left {
        try eraseAtHorizon(.post(post), stream: stream.number, writes.erases)
        row = try rewrite(row, without: .post(post), stream: stream.number, writes.erases)
      }
      try forgetSources(of: left, through: stream.seq, stream, writes.trims)
    }
  }

  /// Forgets the sources of posts that went away by these events, so that the posts are not found by them any more
  /// (Decide/Imports.swift). Somebody wrote a source too, and no erasing in another list reaches it here now.
  func forgetSources(
    of posts: [PostID], through seq: Int64, _ stream: TrimmedStream, _ trims: TrimStatements
  ) throws(DatabaseError) {
    for post in posts {
      for (read, write, counts) in [
        (trims.left, trims.setLeft, true), (trims.leftBefore, trims.setLeftBefore, false),
      ] {
        try read.bind(1, stream.number)
        try read.bind(2, post.uuid)
        let body = try read.first { (row) throws(DatabaseError) in
          counts ? try row.body(0) : row.bytes(0)
        }
        guard let body else { continue }
        let without = try undamaged("what is left of \(post)") { () throws(WireError) in
          try ObjectCodec.withoutSource(body, ofPostThatLeftThrough: seq)
        }
        guard let without else { continue }
        try write.bind(1, stream.number)
        try write.bind(2, post.uuid)
        try write.bind(3, copying: without)
        if counts { try write.bind(4, Summed.object.checksum(without)) }
        try write.run()
        guard counts else { continue }
        try trims.addBytes.bind(1, stream.number)
        try trims.addBytes.bind(2, without.count - body.count)
        try trims.addBytes.run()
      }
    }
  }

  /// Returns the newest event when it is older than this time and a post went away by it, otherwise nil.
  private func newest(
    of stream: TrimmedStream, _ time: Timestamp, _ trims: TrimStatements
  ) throws(DatabaseError) -> EventRow? {
    try trims.newestLeaving.bind(1, stream.start + stream.seq)
    try trims.newestLeaving.bind(2, time.milliseconds)
    return try trims.newestLeaving.first { (row) throws(DatabaseError) in
      try EventRow(row)
    }
  }
}

extension ObjectCodec {
  /// Returns the same post without its source. Nil when it has none, is in its list again, or went away later.
  static func withoutSource(
    _ body: [UInt8], ofPostThatLeftThrough seq: Int64
  ) throws(WireError) -> [UInt8]? {
    guard case .post(var post) = try decode(body), post.source != nil, let moved = post.moved,
      moved <= seq
    else { return nil }
    post.source = nil
    return encode(.post(post))
  }
}
