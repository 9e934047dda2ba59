package import Domain
package import Sync
import Wire

// Accounts, sessions, codes and keys.
extension SQLiteStore {
  package func account(_ user: UserID) throws(StoreError) -> Account? {
    try query { (reads) throws(DatabaseError) in
      try reads.account.bind(1, user.uuid)
      return try reads.account.first(Account.init(row:))
    }
  }

  package func account(username: String) throws(StoreError) -> Account? {
    try query { (reads) throws(DatabaseError) in
      try reads.accountByUsername.bind(1, username)
      return try reads.accountByUsername.first(Account.init(row:))
    }
  }

  package func session(tokenHash: [UInt8]) throws(StoreError) -> SessionRecord? {
    try query { (reads) throws(DatabaseError) in
      try reads.sessionByToken.bind(1, copying: tokenHash)
      return try reads.sessionByToken.first(SessionRecord.init(row:))
    }
  }

  package func sessions(of user: UserID) throws(StoreError) -> [SessionRecord] {
    try query { (reads) throws(DatabaseError) in
      try reads.sessionsOfUser.bind(1, user.uuid)
      return try reads.sessionsOfUser.rows(SessionRecord.init(row:))
    }
  }

  package func bots(of owner: UserID) throws(StoreError) -> [Account] {
    try query { (reads) throws(DatabaseError) in
      try reads.names.bots.bind(1, owner.uuid)
      return try reads.names.bots.rows(Account.init(row:))
    }
  }

  package func webhooks(of bot: UserID) throws(StoreError) -> [Webhook] {
    try query { (reads) throws(DatabaseError) in
      try reads.webhooks.ofBot.bind(1, bot.uuid)
      return try reads.webhooks.ofBot.rows(Webhook.init(row:))
    }
  }

  package func webhooks() throws(StoreError) -> [Webhook] {
    try query { (reads) throws(DatabaseError) in
      try reads.webhooks.all.rows(Webhook.init(row:))
    }
  }

  package func guestCount(usedSince time: Timestamp) throws(StoreError) -> Int {
    try query { (reads) throws(DatabaseError) in
      try reads.guestCount.bind(1, time.milliseconds)
      return try reads.guestCount.first { (row) throws(DatabaseError) in Int(row.int64(0)) } ?? 0
    }
  }

  package func isSpent(code: String) throws(StoreError) -> Bool {
    try query { (reads) throws(DatabaseError) in
      try reads.isSpent.bind(1, code)
      return try reads.isSpent.first { (_) throws(DatabaseError) in true } ?? false
    }
  }

  package func key(_ address: KeyAddress) throws(StoreError) -> KeyRecord? {
    try query { (reads) throws(DatabaseError) in
      try reads.key.bind(1, address.stream)
      try reads.key.bind(2, address.actor.uuid)
      try reads.key.bind(3, address.key.text)
      try reads.key.bind(4, keyHasher.mark(of: address))
      return try reads.key.first { (row) throws(DatabaseError) in
        let record = KeyRecord(
          address: address, hash: row.bytes(0), result: try CommandResult(row: row, from: 1))
        guard row.isNull(6) || record.checksum == row.int64(6) else {
          throw row.damaged(6, "is of another answer")
        }
        return record
      }
    }
  }
}

extension Account {
  fileprivate init(row: Statement) throws(DatabaseError) {
    self.init(
      id: UserID(try row.uuid(0)), username: row.text(1), password: PasswordHash(phc: row.text(2)),
      recoveryGeneration: Int(row.int64(3)),
      owner: try row.isNull(4) ? nil : UserID(row.uuid(4)))
  }
}

extension Statement {
  fileprivate func token(_ column: Int32) throws(DatabaseError) -> Token {
    do throws(WireError) {
      return try TokenCodec.decode(text(column))
    } catch {
      throw damaged(column, "are no limits of a token: \(error)")
    }
  }
}

extension SessionRecord {
  fileprivate init(row: Statement) throws(DatabaseError) {
    self.init(
      id: SessionID(try row.uuid(0)), user: UserID(try row.uuid(1)), tokenHash: row.bytes(2),
      deviceHash: row.isNull(3) ? nil : row.bytes(3), client: row.text(4),
      openedAt: Timestamp(milliseconds: row.int64(5)),
      usedAt: Timestamp(milliseconds: row.int64(6)),
      token: try row.isNull(7) ? nil : row.token(7))
  }
}

extension CommandResult {
  /// Reads changed, number, version, generation and events from five columns beginning at `column`.
  init(row: Statement, from column: Int32) throws(DatabaseError) {
    guard let stored = CommandResultCodec.decode(row.bytes(column + 4)) else {
      throw row.damaged(column + 4, "is no list of events")
    }
    self.init(
      changed: row.int64(column) != 0, events: stored.events,
      number: row.int64OrNil(column + 1).map(Int.init),
      version: row.int64OrNil(column + 2).map(Int.init),
      generation: row.int64OrNil(column + 3).map(Int.init), parts: stored.parts,
      skipped: stored.skipped, imported: stored.imported)
  }
}
