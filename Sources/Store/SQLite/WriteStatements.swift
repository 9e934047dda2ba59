/// The statements of the one connection that writes, prepared when it opens.
final class WriteStatements {
  let begin, commit, rollback: Statement
  let addStream, moveHead, addEvent: Statement
  /// The statements for objects. Most changes leave number, rank, place and traits alone; `putBody` then touches no
  /// index.
  let findObject, addObject, putBody, putObject, leaveState, deleteObject: Statement
  let grant, revoke, addKey: Statement
  let addAccount, changePassword, recover, upgrade: Statement
  let giveBot, openSession, useSession, closeSession, spendCode: Statement
  let erases: EraseStatements
  let trims: TrimStatements
  let words: WordStatements
  let rewords: RewordStatements
  let dues: DueStatements
  let achievements: AchievementStatements
  let reminders: ReminderStatements
  let ends: AccountEndStatements
  let untoldNames: UntoldNameStatements
  let webhooks: WebhookWrites

  private static let addAccount =
    "INSERT INTO account(user, username, password, generation, owner) VALUES(?1, ?2, ?3, ?4, ?5)"
  /// Moves the head. It also writes the object that the stream is about, when that changes, and adds the stream's
  /// growth.
  private static let moveHead =
    """
    UPDATE stream SET seq = ?2, at = ?3, tx = ?4, own = coalesce(?5, own),
      own_sum = iif(?5 IS NULL, own_sum, ?8),
      stored_bytes = stored_bytes + ?6 + coalesce(length(?5) - coalesce(length(own), 0), 0),
      state_bytes = state_bytes + ?7 + coalesce(length(?5) - coalesce(length(own), 0), 0)
    WHERE number = ?1
    """
  private static let addKey =
    """
    INSERT INTO command_key(
      stream, mark, actor, key, hash, changed, number, version, generation, events, seq, sum)
    VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    """
  private static let addObject =
    """
    INSERT INTO object(stream, kind, id, number, rank, in_state, body, sum, traits)
    VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """
  private static let recover =
    "UPDATE account SET password = ?2, generation = ?3 WHERE user = ?1"
  private static let upgrade =
    "UPDATE account SET password = ?2, generation = ?3, username = ?4 WHERE user = ?1"

  init(_ database: Database) throws(DatabaseError) {
    erases = try EraseStatements(database)
    trims = try TrimStatements(database)
    words = try WordStatements(database)
    rewords = try RewordStatements(database)
    dues = try DueStatements(database)
    achievements = try AchievementStatements(database)
    reminders = try ReminderStatements(database)
    ends = try AccountEndStatements(database)
    untoldNames = try UntoldNameStatements(database)
    webhooks = try WebhookWrites(database)
    begin = try database.prepare("BEGIN IMMEDIATE")
    commit = try database.prepare("COMMIT")
    rollback = try database.prepare("ROLLBACK")
    addStream = try database.prepare(
      "INSERT INTO stream(name, epoch, seq, at, tx) VALUES(?1, ?2, ?3, ?4, ?5)")
    moveHead = try database.prepare(WriteStatements.moveHead)
    addEvent = try database.prepare(

      """
      INSERT INTO event(place, at, by, tx, body, was, sum, was_sum)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    findObject = try database.prepare(
      """
      SELECT rowid, length(body), in_state, number, rank, traits FROM object
      WHERE stream = ?1 AND kind = ?2 AND id = ?3
      """)
    addObject = try database.prepare(WriteStatements.addObject)
    putBody = try database.prepare("UPDATE object SET body = ?2, sum = ?3 WHERE rowid = ?1")
    putObject = try database.prepare(
      """
      UPDATE object SET body = ?2, sum = ?3, number = ?4, rank = ?5, in_state = ?6, traits = ?7
      WHERE rowid = ?1
      """)
    leaveState = try database.prepare("UPDATE object SET in_state = 0 WHERE rowid = ?1")
    deleteObject = try database.prepare("DELETE FROM object WHERE rowid = ?1")
    grant = try database.prepare(
      """
      INSERT INTO access(user, stream, role, joined_seq) VALUES(?1, ?2, ?3, ?4)
      ON CONFLICT(user, stream)
      DO UPDATE SET role = excluded.role, joined_seq = excluded.joined_seq
      """)
    revoke = try database.prepare("DELETE FROM access WHERE user = ?1 AND stream = ?2")
    addKey = try database.prepare(WriteStatements.addKey)
    addAccount = try database.prepare(WriteStatements.addAccount)
    giveBot = try database.prepare("UPDATE account SET owner = ?2 WHERE user = ?1")
    changePassword = try database.prepare("UPDATE account SET password = ?2 WHERE user = ?1")
    recover = try database.prepare(WriteStatements.recover)
    upgrade = try database.prepare(WriteStatements.upgrade)
    openSession = try database.prepare(
      """
      INSERT INTO session(id, user, token_hash, device_hash, client, opened_at, used_at, limits)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    useSession = try database.prepare("UPDATE session SET used_at = ?2 WHERE id = ?1")
    closeSession = try database.prepare("DELETE FROM session WHERE id = ?1")
    spendCode = try database.prepare("INSERT INTO spent_code(code, user) VALUES(?1, ?2)")
  }
}
