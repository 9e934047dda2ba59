// Forgets the hashes of commands that changed nothing (protocol §5.6). Such a hash is computed over the text that the
// post had, and a short text could be guessed from it, but no event names these commands. So before an erasing ends,
// the keys of its list are looked through once for all posts that are being erased. The look is done in steps as short
// as a batch, between commits. Its place is kept in memory only: after a crash it begins again.
//
// Where a person is forgotten (protocol §5.9), some commands may have held the username (`invitation.send`,
// `person.block`), and the answer does not tell which. There the hashes of all commands that changed nothing go.

import Domain
import Sync
import Wire

/// The statements that forget hashes.
struct EraseKeyStatements {
  let rewritten, body, keys, forget: Statement

  init(_ database: Database) throws(DatabaseError) {
    // A stream that goes as a whole has no keys left to look through.
    rewritten = try database.prepare(
      """
      SELECT stream, post FROM erasure WHERE below = stream << 32 AND length(post) > 1
      ORDER BY stream
      """)
    body = try database.prepare(
      "SELECT body, sum FROM object WHERE stream = ?1 AND kind = \(KindNumber.post) AND id = ?2")
    keys = try database.prepare(
      """
      SELECT mark, changed, number, version, generation, events, length(hash) FROM command_key
      WHERE stream = ?1 AND mark >= ?2 ORDER BY mark LIMIT ?3
      """)
    forget = try database.prepare(
      "UPDATE command_key SET hash = x'' WHERE stream = ?1 AND mark = ?2")
  }
}

/// The part of a look through keys that is left.
struct KeySweep {
  struct List {
    let stream: Int64
    /// The posts that are being erased, by their numbers in the list.
    var numbers: Set<Int> = []
    /// Whether a person is being forgotten there.
    var hasPerson = false

    func takes(_ result: CommandResult) -> Bool {
      hasPerson && result.hasSaidInVain || result.mayHaveSaidInVain(numbers)
    }
  }

  var lists: [List] = []
  /// The mark from which the last of the lists is still to be looked through.
  var from = Int64.min

  static let keysPerStep: Int64 = 512
}

extension Connection {
  /// Takes one step. True when nothing is left.
  func sweepKeys(_ writes: WriteStatements) throws(DatabaseError) -> Bool {
    var sweep = if let keySweep { keySweep } else { try newKeySweep(writes.erases.keys) }
    if let list = sweep.lists.last {
      try inTransaction(writes) { () throws(DatabaseError) in
        if let next = try forgetHashes(of: list, from: sweep.from, writes.erases.keys) {
          sweep.from = next
        } else {
          sweep.lists.removeLast()
          sweep.from = .min
        }
      }
    }
    keySweep = sweep
    return sweep.lists.isEmpty
  }

  private func newKeySweep(_ erases: EraseKeyStatements) throws(DatabaseError) -> KeySweep {
    let rewritten = try erases.rewritten.rows { (row) throws(DatabaseError) in
      (stream: row.int64(0), subject: try row.subject(1))
    }
    var sweep = KeySweep()
    for (stream, subject) in rewritten {
      var list = KeySweep.List(stream: stream)
      if sweep.lists.last?.stream == stream { list = sweep.lists.removeLast() }
      switch subject {
      case .post(let post):
        if let number = try number(of: post.uuid, stream: stream, erases) {
          list.numbers.insert(number)
        }
      case .person: list.hasPerson = true
      // Each command about a line wrote an event, which names its key.
      case .line, .everything: break
      }
      sweep.lists.append(list)
    }
    sweep.lists.removeAll { $0.numbers.isEmpty && !$0.hasPerson }
    return sweep
  }

  /// Returns the number of a post, also when only a rest of it is here because it went to another list.
  private func number(
    of post: UUID, stream: Int64, _ erases: EraseKeyStatements
  ) throws(DatabaseError) -> Int? {
    try erases.body.bind(1, stream)
    try erases.body.bind(2, post)
    let body = try erases.body.first { (row) throws(DatabaseError) in try row.body(0) }
    guard let body else { return nil }
    let object = try undamaged("of \(post)") { () throws(WireError) in
      try ObjectCodec.decode(body)
    }
    guard case .post(let held) = object else { return nil }
    return held.number
  }

  /// Forgets hashes among the next keys. Returns the mark at which to go on, or nil after the last key.
  private func forgetHashes(
    of list: KeySweep.List, from mark: Int64, _ erases: EraseKeyStatements
  ) throws(DatabaseError) -> Int64? {
    try erases.keys.bind(1, list.stream)
    try erases.keys.bind(2, mark)
    try erases.keys.bind(3, KeySweep.keysPerStep)
    let found = try erases.keys.rows { (row) throws(DatabaseError) in
      (mark: row.int64(0), result: try CommandResult(row: row, from: 1), hash: row.int64(6))
    }
    for row in found where row.hash > 0 && list.takes(row.result) {
      try erases.forget.bind(1, list.stream)
      try erases.forget.bind(2, row.mark)
      try erases.forget.run()
    }
    guard found.count == KeySweep.keysPerStep, let last = found.last, last.mark < .max else {
      return nil
    }
    return last.mark + 1
  }
}
