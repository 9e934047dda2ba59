// The tables, step by step. A step is never edited once it has been released: `user_version` counts the steps that a
// database has had, and Tests/StoreTests/Fixtures keeps a database of every version.
//
// stream   one row for each stream: its number here, its newest event, the newest that erased a text, the
//          horizon up to which its events are forgotten, and (`own`) the body of the object that it is
//          about: a category, a group or a profile.
// event    the log, in the order of the commits: an append touches the last leaf, whatever its stream.
//          `place` is stream number × 2³² + seq, so its index holds the numbers of a stream side by side.
// object   the rest of the state, and beside it the objects that left the state and that queries find
//          (removed and older completed posts, older notices). `body` is the object as snapshots send it;
//          `number` and `rank` are as in ObjectRecord. The four indexes are partial, so that a row is in
//          few of them:
//            object_in_state   snapshots and pages of open posts
//            object_ranked     the completed posts and notices that are in the state
//            post_done         pages of completed posts, however old
//            post_removed      pages of the bin
// access   who may read which stream: `hello` is one range of its primary key.
// erasure  the texts that are still to be erased. A post's text goes from every event whose place is less
//          than `below`, which moves down; the row goes when the text is nowhere in the files any more. A
//          row of 17 bytes means a person's name, and one of 1 byte the whole stream (Connection+Drop.swift).
// post_words  the words that posts are found by (Schema+Words.swift); words_check tells how far they are of
//             the present form.
// post_due    the deadlines of posts; due_check has those that are to be written again (Schema+Dues.swift).
// post_claimed, post_placed, account_guest  indexes by what few posts and accounts have (Schema+Work.swift).
// post_binned  the posts in the bin, by when they came there (Schema+Bin.swift).
// reminder    when people are to be told of their posts; reminder_check has the rows that are to be written
//             again (Schema+Reminders.swift).
// post_imported  an index of the posts that came from elsewhere (Schema+Imports.swift).
// post_running  an index of the posts that have a run (Schema+Runs.swift).
// object.traits  which posts are in post_claimed, post_placed, post_imported and post_running (Schema+Traits.swift).
// sum, was_sum, own_sum  the numbers by which bodies are known again (Checksum.swift).
// stream.stored_bytes, state_bytes  how much of the store a stream takes (Schema+Storage.swift).
// horizon_object  the objects as they were at `stream.horizon`, up to which events are forgotten.
// command_key   the keys of commands, in the order of the commits; `mark` finds a key (KeyHasher.swift).
// account_end  accounts that end (Schema+Accounts.swift).
// untold_name  people whose name is not told everywhere yet (Schema+Names.swift).
// account_owned, session.limits  the bots of a person, and the limits of their tokens (Schema+Bots.swift).
// webhook       the webhooks of bots (Schema+Webhooks.swift).
// achievement   what people have completed, by post (Schema+Achievements.swift).
// account, session, spent_code  like command_key rows beside the log, written in the same transaction.
//
// Every page of the file has a sum too (Schema+Checksums.swift).

import CSQLite
import Sync

enum Schema {
  /// The mark of our files: `WTDO` in ASCII (sqlite.org/pragma.html#pragma_application_id).
  static let applicationID: Int64 = 0x5754_444F

  static var version: Int64 { Int64(steps.count) }

  static let steps = [
    """
    CREATE TABLE meta(
      name TEXT PRIMARY KEY,
      value ANY NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE stream(
      number INTEGER PRIMARY KEY,
      name BLOB NOT NULL UNIQUE,
      epoch TEXT NOT NULL,
      seq INTEGER NOT NULL,
      at INTEGER NOT NULL,
      tx BLOB NOT NULL
    ) STRICT;
    CREATE TABLE event(
      place INTEGER PRIMARY KEY,
      at INTEGER NOT NULL,
      by BLOB,
      tx BLOB NOT NULL,
      body BLOB NOT NULL,
      was BLOB NOT NULL
    ) STRICT;
    CREATE TABLE object(
      stream INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      id BLOB NOT NULL,
      number INTEGER,
      rank INTEGER,
      in_state INTEGER NOT NULL,
      body BLOB NOT NULL,
      UNIQUE(stream, kind, id)
    ) STRICT;
    CREATE INDEX object_in_state ON object(stream, kind, number, id) WHERE in_state = 1;
    CREATE INDEX object_ranked ON object(stream, kind, rank)
      WHERE in_state = 1 AND rank IS NOT NULL;
    CREATE INDEX post_done ON object(stream, number) WHERE kind = 6 AND rank IS NOT NULL;
    CREATE INDEX post_removed ON object(stream, number)
      WHERE kind = 6 AND in_state = 0 AND rank IS NULL;
    CREATE TABLE access(
      user BLOB NOT NULL,
      stream INTEGER NOT NULL,
      role INTEGER NOT NULL,
      joined_seq INTEGER NOT NULL,
      PRIMARY KEY(user, stream)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE command_key(
      stream INTEGER NOT NULL,
      actor BLOB NOT NULL,
      key TEXT NOT NULL,
      hash BLOB NOT NULL,
      changed INTEGER NOT NULL,
      number INTEGER,
      version INTEGER,
      generation INTEGER,
      events BLOB NOT NULL,
      PRIMARY KEY(stream, actor, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE account(
      user BLOB PRIMARY KEY,
      username TEXT NOT NULL UNIQUE,
      password TEXT NOT NULL,
      generation INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE session(
      id BLOB PRIMARY KEY,
      user BLOB NOT NULL,
      token_hash BLOB NOT NULL UNIQUE,
      device_hash BLOB,
      client TEXT NOT NULL,
      opened_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_of_user ON session(user);
    CREATE TABLE spent_code(
      code TEXT PRIMARY KEY,
      user BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE stream ADD COLUMN erased_seq INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE erasure(
      stream INTEGER NOT NULL,
      post BLOB NOT NULL,
      below INTEGER NOT NULL,
      PRIMARY KEY(stream, post)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE stream ADD COLUMN horizon INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE command_key ADD COLUMN seq INTEGER NOT NULL DEFAULT 0;
    UPDATE command_key SET seq =
      coalesce((SELECT stream.seq FROM stream WHERE stream.number = command_key.stream), 0);
    CREATE TABLE horizon_object(
      stream INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      id BLOB NOT NULL,
      number INTEGER,
      rank INTEGER,
      in_state INTEGER NOT NULL,
      body BLOB NOT NULL,
      UNIQUE(stream, kind, id)
    ) STRICT;
    CREATE INDEX horizon_ranked ON horizon_object(stream, kind, rank)
      WHERE in_state = 1 AND rank IS NOT NULL;
    """,
    fewerPages,
    words,
    dues,
    work,
    reminders + imports + accountEnds,
    bin,
    wordsOfPresentForm,
    storage,
    checksums,
    pageSums,
    untoldNames,
    traits,
    runs,
    bots,
    webhooks,
    achievements,
  ]
}

extension Schema {
  /// Runs the steps that the database has not had, each in one transaction with its number.
  static func migrate(
    _ database: Database, from version: Int64, newIdentity: () -> StoreIdentity
  ) throws(DatabaseError) {
    for (index, step) in steps.enumerated() where index >= version {
      try database.execute("BEGIN IMMEDIATE")
      do throws(DatabaseError) {
        try database.execute(step)
        try database.execute("PRAGMA user_version = \(index + 1)")
        if index == 0 {
          try database.execute("PRAGMA application_id = \(applicationID)")
          try insert(newIdentity(), into: database)
        }
        if step == fewerPages { try markKeys(of: database) }
        if step == words { try writeWords(of: database) }
        if step == storage { try countBytes(of: database) }
        if step == traits { try markUsed(in: database) }
        try database.execute("COMMIT")
      } catch {
        if database.isInTransaction { try database.execute("ROLLBACK") }
        throw error
      }
    }
  }

  static func identity(of database: Database) throws(DatabaseError) -> StoreIdentity {
    let rows = try database.prepare("SELECT name, value FROM meta ORDER BY name").rows {
      (row: Statement) throws(DatabaseError) in
      (name: row.text(0), value: row.bytes(1))
    }
    guard let epoch = rows.first(where: { $0.name == "epoch" })?.value,
      // The secret has the old name in older databases, until they are opened for writing (SecretFile.swift).
      let secret = rows.first(where: { $0.name == "marks" || $0.name == "secret" })?.value
    else {
      throw DatabaseError(
        extendedCode: SQLITE_CORRUPT, message: "epoch or marks are missing", sql: "meta")
    }
    return StoreIdentity(epoch: String(decoding: epoch, as: UTF8.self), secret: secret)
  }

  private static func insert(
    _ identity: StoreIdentity, into database: Database
  ) throws(DatabaseError) {
    let insert = try database.prepare("INSERT INTO meta(name, value) VALUES(?1, ?2)")
    try insert.bind(1, "epoch")
    try insert.bind(2, identity.epoch)
    try insert.run()
    try insert.bind(1, "marks")
    try insert.bind(2, copying: identity.secret)
    try insert.run()
  }
}
