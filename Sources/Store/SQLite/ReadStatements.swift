/// The statements that read, prepared when a connection opens.
///
/// `INDEXED BY` makes a statement fail when it is prepared, instead of becoming a scan one day
/// (sqlite.org/lang_indexedby.html). 6 is the stored number of the kind post.
final class ReadStatements {
  let begin, end: Statement
  let head, streamRow, eventTransaction, eventBodies, pastEvents: Statement
  let own, object, stateObject, objectsOfKind, ranks, snapshot, snapshotPosts,
    objectsInState: Statement
  let postsOpen, postsDone, postsRemoved, removedCategories, tallies: Statement
  let streamsOfUser, accessToStream, key: Statement
  let guestCount: Statement
  let storage: StorageStatements
  let account, accountByUsername, sessionByToken, sessionsOfUser, isSpent: Statement
  let erasures: Statement
  let wordsCheck, postsWithOldWords: Statement
  let searchedLists, postsWithWords, postByNumber, postsBeginning: Statement
  let untoldDues, dueCheck, openPosts, newestEvent: Statement
  let liveRuns: Statement
  let endedClaims, binnedPosts, placedPosts, unplacedPosts, importedPost, openWork: Statement
  let dueReminders, reminderCheck, reminderOf, remindersOf, remindersFor: Statement
  let names: NameStatements
  let webhooks: WebhookReads
  let achievements: Statement
  let dueViewed, openViewed, doneViewed, removedViewed, dueMarks, overdueCount: Statement

  init(_ database: Database) throws(DatabaseError) {
    (names, webhooks) = (try NameStatements(database), try WebhookReads(database))
    (begin, end) = (try database.prepare(ReadSQL.begin), try database.prepare(ReadSQL.end))
    (own, head) = (try database.prepare(ReadSQL.own), try database.prepare(ReadSQL.head))
    streamRow = try database.prepare(ReadSQL.streamRow)
    eventTransaction = try database.prepare(ReadSQL.eventTransaction)
    eventBodies = try database.prepare(ReadSQL.eventBodies)
    pastEvents = try database.prepare(ReadSQL.pastEvents)
    storage = try StorageStatements(database)
    object = try database.prepare(ReadSQL.object)
    stateObject = try database.prepare(ReadSQL.stateObject)
    objectsOfKind = try database.prepare(ReadSQL.objectsOfKind)
    achievements = try database.prepare(AchievementSQL.ofList)
    ranks = try database.prepare(ReadSQL.ranks)
    snapshot = try database.prepare(ReadSQL.snapshot)
    snapshotPosts = try database.prepare(ReadSQL.snapshotPosts)
    objectsInState = try database.prepare(ReadSQL.objectsInState)
    postsOpen = try database.prepare(ReadSQL.postsOpen)
    postsDone = try database.prepare(ReadSQL.postsDone)
    postsRemoved = try database.prepare(ReadSQL.postsRemoved)
    removedCategories = try database.prepare(ReadSQL.removedCategories)
    tallies = try database.prepare(ReadSQL.tallies)
    streamsOfUser = try database.prepare(ReadSQL.streamsOfUser)
    accessToStream = try database.prepare(ReadSQL.accessToStream)
    (key, account) = (try database.prepare(ReadSQL.key), try database.prepare(ReadSQL.account))
    accountByUsername = try database.prepare(ReadSQL.accountByUsername)
    guestCount = try database.prepare(ReadSQL.guestCount)
    sessionByToken = try database.prepare(ReadSQL.sessionByToken)
    sessionsOfUser = try database.prepare(ReadSQL.sessionsOfUser)
    isSpent = try database.prepare(ReadSQL.isSpent)
    erasures = try database.prepare(ReadSQL.erasures)
    searchedLists = try database.prepare(ReadSQL.searchedLists)
    postsWithWords = try database.prepare(WordSQL.postsWithWords)
    postsWithOldWords = try database.prepare(WordSQL.postsWithOldWords)
    wordsCheck = try database.prepare(WordSQL.wordsCheck)
    postByNumber = try database.prepare(ReadSQL.postByNumber)
    postsBeginning = try database.prepare(TwinSQL.postsBeginning)
    untoldDues = try database.prepare(ReadSQL.untoldDues)
    dueCheck = try database.prepare(ReadSQL.dueCheck)
    dueReminders = try database.prepare(ReadSQL.dueReminders)
    reminderCheck = try database.prepare(ReadSQL.reminderCheck)
    reminderOf = try database.prepare(ReadSQL.reminderOf)
    remindersOf = try database.prepare(ReadSQL.remindersOf)
    remindersFor = try database.prepare(ReadSQL.remindersFor)
    openPosts = try database.prepare(ReadSQL.openPosts)
    newestEvent = try database.prepare(ReadSQL.newestEvent)
    endedClaims = try database.prepare(WorkSQL.endedClaims)
    liveRuns = try database.prepare(RunSQL.liveRuns)
    binnedPosts = try database.prepare(BinSQL.binnedPosts)
    placedPosts = try database.prepare(WorkSQL.placedPosts)
    unplacedPosts = try database.prepare(WorkSQL.unplacedPosts)
    openWork = try database.prepare(WorkSQL.openWork)
    importedPost = try database.prepare(ImportSQL.importedPost)
    dueViewed = try database.prepare(ReadSQL.dueViewed)
    openViewed = try database.prepare(ReadSQL.openViewed)
    doneViewed = try database.prepare(ReadSQL.doneViewed)
    removedViewed = try database.prepare(ReadSQL.removedViewed)
    dueMarks = try database.prepare(ReadSQL.dueMarks)
    overdueCount = try database.prepare(ReadSQL.overdueCount)
  }
}

/// The text of the statements. A beginning or condition that several share stands before the first that uses it.
private enum ReadSQL {
  static let begin = "BEGIN"
  static let end = "COMMIT"
  static let head = "SELECT epoch, seq, at, tx, erased_seq, horizon FROM stream WHERE name = ?1"
  static let streamRow = "SELECT number, epoch, seq FROM stream WHERE name = ?1"
  // A stream of which nothing is left (Connection+Drop.swift) has no number here, because its rows go later.
  static let numberOfStream = "(SELECT number FROM stream WHERE name = ?1 AND horizon < seq)"
  static let eventTransaction =
    """
    SELECT tx FROM event
    WHERE place = (\(numberOfStream) << 32) + ?2
    """
  static let ofPlaces =
    """
    WHERE place > (\(numberOfStream) << 32) + ?2 AND place <= (\(numberOfStream) << 32) + ?3
    ORDER BY place
    """
  static let eventBodies = "SELECT place & 0xFFFFFFFF, body, sum FROM event \(ofPlaces)"
  static let pastEvents =
    """
    SELECT place & 0xFFFFFFFF, body, sum, was, was_sum FROM event
    \(ofPlaces)
    """

  // The object that a stream is about is no row of `object` (Schema.swift).
  static let own = "SELECT own, own_sum FROM stream WHERE name = ?1 AND own IS NOT NULL"
  static let ofStream = "stream = \(numberOfStream)"
  static let object = "SELECT body, sum FROM object WHERE \(ofStream) AND kind = ?2 AND id = ?3"
  static let stateObject = "\(object) AND in_state = 1"
  static let objectsOfKind =
    "SELECT body, sum FROM object WHERE \(ofStream) AND kind = ?2 ORDER BY id"
  static let ranks =
    """
    SELECT rank, number, id FROM object INDEXED BY object_ranked
    WHERE \(ofStream) AND kind = ?2 AND in_state = 1 AND rank IS NOT NULL
    ORDER BY rank, number, id
    """
  static let snapshot =
    """
    SELECT body, sum FROM object INDEXED BY object_in_state
    WHERE \(ofStream) AND in_state = 1 AND kind BETWEEN ?2 AND ?3 ORDER BY kind, number, id
    """
  // Numbers of posts are unique, so their index has them in order. Sorting by ids too, which SQLite would do within
  // each number, was half of the time of a large list.
  static let snapshotPosts =
    """
    SELECT body, sum FROM object INDEXED BY object_in_state
    WHERE \(ofStream) AND in_state = 1 AND kind = \(KindNumber.post) ORDER BY number
    """
  static let objectsInState =
    """
    SELECT body, sum FROM object INDEXED BY object_in_state
    WHERE \(ofStream) AND in_state = 1 AND kind = ?2 ORDER BY number, id
    """

  static let page = "AND number < ?2 ORDER BY number DESC LIMIT ?3"
  static let postsOpen =
    """
    SELECT body, sum FROM object INDEXED BY object_in_state
    WHERE \(ofStream) AND kind = \(KindNumber.post) AND in_state = 1 AND rank IS NULL \(page)
    """
  static let postsDone =
    """
    SELECT body, sum FROM object INDEXED BY post_done
    WHERE \(ofStream) AND kind = \(KindNumber.post) AND rank IS NOT NULL \(page)
    """
  static let postsRemoved =
    """
    SELECT body, sum FROM object INDEXED BY post_removed
    WHERE \(ofStream) AND kind = \(KindNumber.post) AND in_state = 0 AND rank IS NULL \(page)
    """

  // 60: owner. x'63' is `c`. CROSS JOIN keeps the order of the tables: from the user's rows outwards.
  static let removedCategories =
    """
    SELECT stream.own, stream.own_sum FROM access CROSS JOIN stream ON stream.number = access.stream
    WHERE access.user = ?1 AND access.role = 60
      AND stream.name >= x'63' AND stream.name < x'64'
      AND json_type(CAST(stream.own AS TEXT), '$.removed') = 'object'
    ORDER BY stream.name
    """

  // Reads all posts of the category that are not removed: about 5 µs each.
  static let tallies =
    """
    WITH post AS MATERIALIZED (
      SELECT CAST(body AS TEXT) AS body, rank FROM object
      WHERE \(ofStream) AND kind = \(KindNumber.post) AND (in_state = 1 OR rank IS NOT NULL))
    SELECT who, sum(added), sum(completed) FROM (
      SELECT json_extract(body, '$.addedBy') AS who, 1 AS added, 0 AS completed FROM post
      UNION ALL
      SELECT json_extract(body, '$.completed.by'), 0, 1 FROM post WHERE rank IS NOT NULL)
    GROUP BY who ORDER BY who
    """

  static let seen = "stream.name, role, joined_seq, epoch, seq, at, tx, erased_seq, horizon"
  static let streamsOfUser =
    """
    SELECT \(seen) FROM access CROSS JOIN stream ON stream.number = access.stream
    WHERE user = ?1 ORDER BY stream.name
    """
  static let accessToStream =
    """
    SELECT \(seen) FROM stream CROSS JOIN access ON access.stream = stream.number
    WHERE stream.name = ?1 AND access.user = ?2
    """
  static let key =
    """
    SELECT hash, changed, number, version, generation, events, sum FROM command_key
    WHERE \(ofStream) AND mark >= ?4 & ~3 AND mark <= ?4 | 3 AND actor = ?2 AND key = ?3
    """

  static let credentials = "SELECT user, username, password, generation, owner FROM account"
  static let account = "\(credentials) WHERE user = ?1"
  static let guestCount = """
    SELECT count(*) FROM account INDEXED BY account_guest WHERE password = ''
      AND owner IS NULL AND EXISTS (
      SELECT 1 FROM session WHERE session.user = account.user AND session.used_at >= ?1)
    """
  static let accountByUsername = "\(credentials) WHERE username = ?1"

  static let session =
    "SELECT id, user, token_hash, device_hash, client, opened_at, used_at, limits FROM session"
  static let sessionByToken = "\(session) WHERE token_hash = ?1"
  static let sessionsOfUser = "\(session) WHERE user = ?1 ORDER BY opened_at, id"
  static let isSpent = "SELECT 1 FROM spent_code WHERE code = ?1"

  static let erasures = "SELECT post, below & 0xFFFFFFFF FROM erasure WHERE \(ofStream)"

  static let searchedLists =
    """
    SELECT stream.name, access.role, stream.at, json_extract(CAST(stream.own AS TEXT), '$.lastPost'),
      json_extract(CAST(stream.own AS TEXT), '$.zone'), access.joined_seq,
      json_extract(CAST(stream.own AS TEXT), '$.counters.open'),
      json_type(CAST(stream.own AS TEXT), '$.archived') IS NOT NULL
    FROM access CROSS JOIN stream ON stream.number = access.stream
    WHERE access.user = ?1 AND stream.name >= x'63' AND stream.name < x'64'
      AND json_type(CAST(stream.own AS TEXT), '$.removed') IS NULL
    ORDER BY stream.name
    """
  static let untoldDues =
    """
    SELECT stream.name, object.id, due.at
    FROM post_due AS due INDEXED BY post_due_next
    CROSS JOIN stream ON stream.number = due.stream
    CROSS JOIN object INDEXED BY object_in_state
      ON object.stream = due.stream AND object.kind = \(KindNumber.post) AND object.in_state = 1
        AND object.number = due.post
    WHERE due.told = 0 AND due.at <= ?1 ORDER BY due.at, due.stream, due.post LIMIT ?2
    """
  static let dueReminders =
    """
    SELECT person.name, list.name, reminder.post, reminder.at
    FROM reminder INDEXED BY reminder_next
    CROSS JOIN stream AS person ON person.number = reminder.person
    CROSS JOIN stream AS list ON list.number = reminder.list
    WHERE reminder.at < 9223372036854775807 AND reminder.at <= ?1
    ORDER BY reminder.at, reminder.id LIMIT ?2
    """
  static let reminderCheck =
    """
    SELECT reminder_check.kind, reminder_check.person, reminder_check.list, person.name, list.name,
      reminder_check.post, reminder_check.since, reminder_check.after
    FROM reminder_check
    LEFT JOIN stream AS person ON person.number = reminder_check.person
    LEFT JOIN stream AS list ON list.number = reminder_check.list
    ORDER BY reminder_check.id LIMIT ?1
    """
  static let reminderOf =
    """
    SELECT at FROM reminder INDEXED BY reminder_row WHERE person = ?1 AND list = ?2 AND post = ?3
    """
  static let remindersOf =
    """
    SELECT reminder.id, person.name, reminder.at FROM reminder INDEXED BY reminder_of
    CROSS JOIN stream AS person ON person.number = reminder.person
    WHERE reminder.list = ?1 AND reminder.post = ?2 AND reminder.id > ?3
    ORDER BY reminder.id LIMIT ?4
    """
  static let remindersFor =
    """
    SELECT reminder.id, list.name, reminder.post, reminder.at
    FROM reminder INDEXED BY reminder_row
    CROSS JOIN stream AS list ON list.number = reminder.list
    WHERE reminder.person = ?1 AND +reminder.id > ?2 ORDER BY reminder.id LIMIT ?3
    """
  static let dueCheck =
    """
    SELECT stream.number, stream.name, due_check.after
    FROM due_check CROSS JOIN stream ON stream.number = due_check.stream
    ORDER BY due_check.stream LIMIT 1
    """
  static let newestEvent = "SELECT at FROM event WHERE rowid = (SELECT max(rowid) FROM event)"
  static let openPosts =
    """
    SELECT id, number, instr(body, x'22647565223a7b') > 0 FROM object INDEXED BY object_in_state
    WHERE stream = ?1 AND kind = \(KindNumber.post)
      AND in_state = 1 AND rank IS NULL AND number > ?2
    ORDER BY number LIMIT ?3
    """
  /// Finds a post by its number. Each post is in one of these indexes.
  static let postByNumber =
    """
    SELECT body, sum FROM object INDEXED BY object_in_state
    WHERE stream = ?1 AND kind = \(KindNumber.post) AND number = ?2 AND in_state = 1
    UNION ALL SELECT body, sum FROM object INDEXED BY post_done
    WHERE stream = ?1 AND kind = \(KindNumber.post)
      AND number = ?2 AND rank IS NOT NULL AND in_state = 0
    UNION ALL SELECT body, sum FROM object INDEXED BY post_removed
    WHERE stream = ?1 AND kind = \(KindNumber.post)
      AND number = ?2 AND in_state = 0 AND rank IS NULL
    """

  // Views (SQLiteStore+Views.swift) read of each post its number, when it was added, its deadline and, with ?7, the
  // level of its priority. With ?8 they read of open posts also the bytes where the position begins. ?2, ?3 and ?4 are
  // bytes that stand in the body.
  static let level =
    """
    CASE WHEN ?7 = 0 THEN 0
      WHEN instr(body, x'227072696f72697479223a2268696768') > 0 THEN 3
      WHEN instr(body, x'227072696f72697479223a226d656469756d') > 0 THEN 2
      WHEN instr(body, x'227072696f72697479223a226c6f77') > 0 THEN 1 ELSE 0 END
    """
  static let holds =
    """
    (?2 IS NULL OR instr(body, ?2) > 0) AND (?3 IS NULL OR instr(body, ?3) > 0)
      AND (?4 IS NULL OR instr(body, ?4) > 0)
    """
  static let words = "CROSS JOIN post_words ON post_words.place = ?1 << 32 | object.number"
  static let dueViewed =
    """
    SELECT post_due.post, post_words.at, post_due.at, \(level)
    FROM post_due CROSS JOIN object INDEXED BY object_in_state
      ON object.stream = ?1 AND object.kind = \(KindNumber.post) AND object.in_state = 1
        AND object.number = post_due.post \(words)
    WHERE post_due.stream = ?1 AND post_due.at >= ?5 AND post_due.at <= ?6 AND \(holds)
    """
  static let openViewed =
    """
    SELECT object.number, post_words.at, NULL, \(level), CASE ?8 WHEN 1 THEN
      substr(body, nullif(instr(body, x'22706f736974696f6e223a22'), 0) + 12, 64) END
    FROM object INDEXED BY object_in_state \(words)
    WHERE object.stream = ?1 AND object.kind = \(KindNumber.post)
      AND object.in_state = 1 AND object.rank IS NULL
      AND \(holds) AND (?5 = 0 OR NOT EXISTS (
        SELECT 1 FROM post_due INDEXED BY post_due_of
        WHERE post_due.stream = ?1 AND post_due.post = object.number))
    """
  static let doneViewed =
    """
    SELECT object.number, post_words.at, NULL, 0
    FROM object INDEXED BY post_done \(words)
    WHERE object.stream = ?1 AND object.kind = \(KindNumber.post)
      AND object.rank IS NOT NULL AND \(holds)
    """
  static let removedViewed =
    """
    SELECT object.number, post_words.at, NULL, 0
    FROM object INDEXED BY post_removed \(words)
    WHERE object.stream = ?1 AND object.kind = \(KindNumber.post)
      AND object.in_state = 0 AND object.rank IS NULL
      AND object.number IS NOT NULL AND \(holds)
    """
  static let dueMarks =
    """
    SELECT post_due.at, instr(body, x'22647565223a7b2264617465223a') > 0
      AND instr(body, x'22647565223a7b2264617465223a') = instr(body, x'22647565223a7b')
    FROM post_due CROSS JOIN object INDEXED BY object_in_state
      ON object.stream = ?1 AND object.kind = \(KindNumber.post) AND object.in_state = 1
        AND object.number = post_due.post
    WHERE post_due.stream = ?1 AND post_due.at >= ?2 AND post_due.at <= ?3
    ORDER BY post_due.at, post_due.post
    """
  static let overdueCount = "SELECT count(*) FROM post_due WHERE stream = ?1 AND at <= ?2"
}
