package import Sync
package import Domain
import Wire

// Answers the ledger's questions, each with one of the reader's queries.
extension SQLiteStore {
  /// Answers several needs in one read: each statement by itself would lock and unlock the log's index.
  package func load(_ needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    guard needs.count > 1 else { return try answers(to: needs) }
    return try queries { () throws(StoreError) in try answers(to: needs) }
  }

  private func answers(to needs: [LedgerNeed]) throws(StoreError) -> [LedgerLoaded] {
    var answers: [LedgerLoaded] = []
    answers.reserveCapacity(needs.count)
    for need in needs {
      switch need {
      case .domain(let need): answers.append(.domain(try load(need)))
      case .key(let address): answers.append(.key(try key(address)))
      case .storage(let stream): answers.append(.storage(try storage(of: stream)))
      }
    }
    return answers
  }

  private func load(_ need: Need) throws(StoreError) -> Loaded {
    switch need {
    case .head(let stream): .head(try head(of: stream))
    case .object(let stream, let key):
      .object(try object(key, in: stream).map { (body) throws(StoreError) in try decoded(body) })
    case .objects(let stream, let kind): .objects(try allObjects(kind, in: stream))
    case .ranks(let stream, let kind): .ranks(try ranks(of: kind, in: stream))
    case .username(let name): .user(try account(username: name)?.id)
    case .account(let user): .account(try account(user))
    case .sessions(let user): .sessions(try sessions(of: user))
    case .bots(let owner): .users(try bots(of: owner).map(\.id))
    case .webhooks(let bot): .webhooks(try webhooks(of: bot))
    case .codeSpent(let code): .flag(try isSpent(code: code))
    case .past(let position): .past(try past(at: position))
    case .trails(let position): .trails(try trails(at: position))
    case .imported(let category, let source): .post(try imported(source, in: category))
    case .queue(let category, let user): .queue(try queue(of: category, for: user))
    case .commandEvents(let home, let user, let key):
      .positions(try events(ofCommand: key, by: user, home: home))
    }
  }

  private func allObjects(
    _ kind: ObjectKind, in stream: StreamID
  ) throws(StoreError) -> [Object] {
    let bodies = try query { (reads) throws(DatabaseError) in
      if kind == stream.ownKey.kind { return try reads.own(of: stream) }
      try reads.objectsOfKind.bind(1, stream)
      try reads.objectsOfKind.bind(2, kind.row.number)
      return try reads.objectsOfKind.rows { (row) throws(DatabaseError) in try row.body(0) }
    }
    return try bodies.map { (body) throws(StoreError) in try decoded(body) }
  }

  package func oldestLine(in stream: StreamID) throws(StoreError) -> Int64? {
    try query { (reads) throws(DatabaseError) in
      try reads.ranks.bind(1, stream)
      try reads.ranks.bind(2, KindNumber.line)
      return try reads.ranks.first { (row) throws(DatabaseError) in row.int64(0) }
    }
  }

  private func ranks(of kind: ObjectKind, in stream: StreamID) throws(StoreError) -> [Rank] {
    try query { (reads) throws(DatabaseError) in
      try reads.ranks.bind(1, stream)
      try reads.ranks.bind(2, kind.row.number)
      return try reads.ranks.rows { (row) throws(DatabaseError) in
        Rank(
          seq: row.int64(0), number: Int(row.int64(1)),
          key: ObjectKey(kind: kind, id: try row.uuid(2)))
      }
    }
  }
}

/// Decodes a stored body. Throws damage when it cannot be read, since we wrote it.
func decoded(_ body: [UInt8]) throws(StoreError) -> Object {
  do throws(WireError) {
    return try ObjectCodec.decode(body)
  } catch {
    throw .unreadable(StoreFault(.damaged, "a stored object: \(error)"))
  }
}
