// `whattodo-server verify`: everything beside the log must follow from the log, and the log from itself.
//   - every page of the file is what was written, free ones too; when some are damaged, the rest is compared as far as
//     it can be read;
//   - the file is sound (SQLite's own check, indexes included: events and keys are found by nothing else);
//   - the numbers of each stream are 1, 2, 3 … up to its head, times never go back, and the columns beside a body
//     (transaction, author, time) are what the body says;
//   - every object row is, byte for byte, what the events make; none is missing, none is too many;
//   - the words by which posts are found are those of the posts, and so are the deadlines;
//   - the rows of achievement are those that the events make;
//   - those who may read a stream are its members, and each of them knows it: the memberships in a `u:` are those of
//     the streams;
//   - a key's result names events that are there;
//   - nothing is left of a stream that is dropped, or it is being erased;
//   - every account has a profile, which names the same owner and the same end; every session has its account.

import Domain
import Sync
import Wire

struct Verifier {
  let database: Database
  let almanac: Almanac
  /// The rules of the zones that the almanac knows. With nil, deadlines are compared whatever rules they were computed
  /// by.
  let zones: String?
  var report = VerificationReport()
  /// The head of each stream, for the keys.
  private var heads: [StreamID: Int64] = [:]
  /// The username in the profile of each `u:`.
  private var profiles: [UserID: String] = [:]
  /// The moments at which accounts end, by their profiles.
  private(set) var ends: [UserID: Timestamp] = [:]
  private var owners: [UserID: UserID] = [:]
  /// The roles as the streams' members have them, and as each person's own `u:` has them.
  private var rolesInStreams: [UserID: [StreamID: Role]] = [:]
  private var rolesAtHome: [UserID: [StreamID: Role]] = [:]

  init(_ database: Database, _ almanac: Almanac, zones: String? = nil) {
    self.database = database
    self.almanac = almanac
    self.zones = zones
  }

  /// Reads everything once; the caller holds one moment. The memory is one stream's state and a few words for each
  /// stream and each member.
  mutating func run() throws(DatabaseError) -> VerificationReport {
    try checkPages()
    do throws(DatabaseError) {
      try compare()
    } catch {
      guard !report.isSound, error.fault.kind == .damaged else { throw error }
      report.remarks.append("Not everything was compared: \(error.fault.detail).")
    }
    return report
  }

  private mutating func compare() throws(DatabaseError) {
    try checkFile()
    let knowsDeadlines = try checkZones()
    let access = try accessByStream()
    let reads = try ReadStatements(database)
    for stream in try streams() {
      report.streams += 1
      heads[stream.id] = stream.head.seq
      if stream.head.isDropped {
        try checkDropped(stream)
        continue
      }
      let replay = try checkLog(of: stream, try reads.pendingErasures(in: stream.id))
      try checkObjects(of: stream, replay)
      try checkBytes(of: stream)
      try checkWords(of: stream, replay)
      try checkDues(of: stream, replay, comparing: knowsDeadlines)
      try checkReminders(of: stream, replay)
      try checkAchievements(of: stream, replay.achievements)
      checkAccess(of: stream, replay, access[stream.number] ?? [:])
      notePeople(in: stream.id, replay)
    }
    checkMemberships()
    try checkTotals()
    try checkKeys()
    try checkAccounts()
    try checkEnds()
  }

  struct StoredStream {
    let number: Int64
    let id: StreamID
    let head: StreamHead
    let own: [UInt8]?
    let ownSum: Int64?
    let storedBytes: Int64
    let stateBytes: Int64
  }

  private struct Grant: Equatable {
    let role: Int64
    let joinedSeq: Int64
  }

  private mutating func checkPages() throws(DatabaseError) {
    let damaged = try database.damagedPages()
    for page in damaged.first {
      report.add("The file: page \(page) is not what was written.")
    }
    for _ in damaged.first.count..<damaged.count {
      report.add("The file: one more page is not what was written.")
    }
    guard try !database.hasSums() else { return }
    report.remarks.append("The pages of the file have no sums: damage in them may go unnoticed.")
  }

  private mutating func checkFile() throws(DatabaseError) {
    let findings = try database.prepare("PRAGMA integrity_check").rows {
      (row: Statement) throws(DatabaseError) in row.text(0)
    }
    for finding in findings where finding != "ok" { report.add("The file: \(finding).") }
  }

  private func streams() throws(DatabaseError) -> [StoredStream] {
    try database.prepare(
      """
      SELECT number, name, epoch, seq, at, tx, erased_seq, horizon, own, stored_bytes,
        state_bytes, own_sum FROM stream ORDER BY name
      """
    ).rows { (row: Statement) throws(DatabaseError) in
      StoredStream(
        number: row.int64(0), id: try row.stream(1), head: try StreamHead(row: row, from: 2),
        own: row.isNull(8) ? nil : row.bytes(8), ownSum: row.int64OrNil(11),
        storedBytes: row.int64(9),
        stateBytes: row.int64(10))
    }
  }

  private func accessByStream() throws(DatabaseError) -> [Int64: [UserID: Grant]] {
    var access: [Int64: [UserID: Grant]] = [:]
    let select = try database.prepare("SELECT stream, user, role, joined_seq FROM access")
    try select.each { (row) throws(DatabaseError) in
      let grant = Grant(role: row.int64(2), joinedSeq: row.int64(3))
      access[row.int64(0), default: [:]][UserID(try row.uuid(1))] = grant
      return true
    }
    return access
  }
}

// The log and the rows that it makes.
extension Verifier {
  /// Checks the log, and returns the rows that it makes. Texts that are still to be erased count as erased.
  private mutating func checkLog(
    of stream: StoredStream, _ erasures: PendingErasures
  ) throws(DatabaseError) -> StreamReplay {
    var replay = StreamReplay(stream: stream.id, rows: try rowsAtHorizon(of: stream))
    var last: Event?
    let select = try database.prepare(
      """
      SELECT place & 0xFFFFFFFF, at, by, tx, body, was, sum, was_sum FROM event
      WHERE place > \(stream.number << 32) AND place < \((stream.number + 1) << 32) ORDER BY place
      """)
    try select.each { (row) throws(DatabaseError) in
      report.events += 1
      checkSums(row, stream)
      guard let stored = checkedEvent(row, stream, after: last) else { return true }
      let event = erasures.event(stored)
      let was = try erasures.before(row.bytes(5), seq: event.seq)
      var before = replay.apply(event)
      let kept = kept(was)
      if event.ops.contains(where: \.movesBetweenLists) { before.trails = kept.trails }
      if !replay.leaves(out: kept, of: &before, event) || was != ObjectCodec.encode(before) {
        report.add("\(stream.id) \(event.seq): the old values are not those before the event.")
      }
      last = event
      return true
    }
    let head = stream.head
    if head.seq != last?.seq || head.at != last?.at || head.transaction != last?.transaction {
      report.add("\(stream.id): the head is \(head.seq), the newest event \(last?.seq ?? 0).")
    }
    return replay
  }

  /// Returns the state that the forgotten events had made; nothing when all events are kept.
  private mutating func rowsAtHorizon(
    of stream: StoredStream
  ) throws(DatabaseError) -> [StreamReplay.Row] {
    let rows = try StreamReplay.rowsAtHorizon(stream.number, of: database)
    if stream.head.horizon == 0, !rows.isEmpty {
      report.add("\(stream.id): a state at the horizon, and all events.")
    }
    return rows
  }

  /// Checks and returns the event of a row. Nil when its body cannot be read.
  private mutating func checkedEvent(
    _ row: Statement, _ stored: StoredStream, after last: Event?
  ) -> Event? {
    let (seq, stream) = (row.int64(0), stored.id)
    let before = last?.seq ?? stored.head.horizon
    let event: Event
    do throws(WireError) {
      event = try EventCodec.decode(row.bytes(4), seq: seq)
    } catch {
      report.add("\(stream) \(seq): the body cannot be read: \(error).")
      return nil
    }
    if seq != before + 1 { report.add("\(stream): \(seq) follows \(before).") }
    if let last, event.at < last.at { report.add("\(stream) \(seq): the time goes back.") }
    let by = row.isNull(2) ? nil : row.bytes(2)
    if row.int64(1) != event.at.milliseconds || by != event.by?.uuid.bytes
      || row.bytes(3) != event.transaction.uuid.bytes
    {
      report.add("\(stream) \(seq): what stands beside the body is not what it says.")
    }
    return event
  }

  /// Checks the numbers beside a body and beside what was before it.
  private mutating func checkSums(_ row: Statement, _ stream: StoredStream) {
    let seq = row.int64(0)
    let sums: [(Summed, Int32, Int32)] = [(.event(seq: seq), 4, 6), (.before(seq: seq), 5, 7)]
    for (what, body, sum) in sums
    where !row.isNull(sum) && what.checksum(row.bytes(body)) != row.int64(sum) {
      report.add("\(stream.id) \(seq): the number beside it is another one.")
    }
  }

  /// Returns what no replay can tell: the lists where moved posts have been, and what was left out of posts.
  private func kept(_ was: [UInt8]) -> Before {
    do throws(WireError) {
      return try ObjectCodec.decode(before: was)
    } catch {
      // The bytes are then not as they were written, which the caller reports.
      return Before()
    }
  }

  private mutating func checkObjects(
    of stream: StoredStream, _ replay: StreamReplay
  ) throws(DatabaseError) {
    var missing = replay.rows
    checkOwn(of: stream, missing.removeValue(forKey: stream.id.ownKey))
    let select = try database.prepare(
      """
      SELECT kind, id, number, rank, in_state, body, sum, traits FROM object
      WHERE stream = \(stream.number)
      """)
    try select.each { (row) throws(DatabaseError) in
      report.objects += 1
      let id = try row.uuid(1)
      if !row.isNull(6), Summed.object.checksum(row.bytes(5)) != row.int64(6) {
        report.add("\(stream.id): the number beside the object \(id) is another one.")
      }
      guard let kind = ObjectKind(number: row.int64(0)),
        let expected = missing.removeValue(forKey: ObjectKey(kind: kind, id: id))
      else {
        report.add("\(stream.id): a row of kind \(row.int64(0)), id \(id), that no event made.")
        return true
      }
      if !expected.matches(row) {
        report.add(
          "\(stream.id): the row of the \(kind.rawValue) \(id) is not what the events made.")
      }
      return true
    }
    for key in missing.keys.sorted(by: {
      ($0.kind.row.number, $0.id) < ($1.kind.row.number, $1.id)
    }) {
      report.add("\(stream.id): the row of the \(key.kind.rawValue) \(key.id) is missing.")
    }
  }

  /// Checks that the counted bytes are those that are there.
  private mutating func checkBytes(of stream: StoredStream) throws(DatabaseError) {
    let own = Int64(stream.own?.count ?? 0)
    let log = try database.integer(
      """
      SELECT coalesce(sum(length(body) + length(was) + \(StoredBytes.ofEvent)), 0) FROM event
      WHERE place > \(stream.number << 32) AND place < \((stream.number + 1) << 32)
      """)
    let objects =
      "SELECT coalesce(sum(length(body)), 0) FROM object WHERE stream = \(stream.number)"
    let (all, state) = (
      try database.integer(objects), try database.integer("\(objects) AND in_state = 1")
    )
    if stream.storedBytes != log + all + own || stream.stateBytes != state + own {
      report.add(
        "\(stream.id): \(stream.storedBytes) bytes are counted, \(stream.stateBytes) of its state; there are \(log + all + own) and \(state + own)."
      )
    }
  }

  /// Checks the object that the stream is about, which lies in the stream's row.
  private mutating func checkOwn(of stream: StoredStream, _ expected: StreamReplay.Row?) {
    if stream.own != nil { report.objects += 1 }
    let body = expected.flatMap { $0.inState ? ObjectCodec.encode($0.object) : nil }
    if let own = stream.own, let sum = stream.ownSum, Summed.object.checksum(own) != sum {
      report.add("\(stream.id): the number beside what it is about is another one.")
    }
    if stream.own != body {
      report.add("\(stream.id): what it is about is not what the events made.")
    }
  }

  private mutating func checkAccess(
    of stream: StoredStream, _ replay: StreamReplay, _ stored: [UserID: Grant]
  ) {
    var expected: [UserID: Grant] = [:]
    for row in replay.rows.values {
      switch row.object {
      case .member(let member):
        expected[member.id] = member.role.map {
          Grant(role: Int64($0.rawValue), joinedSeq: member.joinedSeq)
        }
      case .profile(let profile):
        expected[profile.id] = Grant(role: Int64(Role.owner.rawValue), joinedSeq: 1)
      case .link(let link):
        expected[link.guest] = Grant(role: Int64(Role.viewer.rawValue), joinedSeq: link.seq)
      case .category, .group, .groupCategory, .post, .invitation, .invitationCode, .membership,
        .readMark, .notice, .declines, .block, .tag, .filter, .personal, .settings, .reminder,
        .reactions, .line, .comments:
        break
      }
    }
    for user in Set(expected.keys).union(stored.keys).sorted() where expected[user] != stored[user]
    {
      report.add("\(stream.id): the access of \(user) is not what the events made.")
    }
  }

  private mutating func notePeople(in stream: StreamID, _ replay: StreamReplay) {
    for row in replay.rows.values {
      switch row.object {
      case .profile(let profile):
        profiles[profile.id] = profile.username
        ends[profile.id] = profile.endsAt
        owners[profile.id] = profile.owner
      case .member(let member):
        rolesInStreams[member.id, default: [:]][stream] = member.role
      case .membership(let membership):
        rolesAtHome[UserID(stream.uuid), default: [:]][membership.stream] = membership.role
      case .category, .group, .groupCategory, .post, .invitation, .invitationCode, .readMark,
        .notice, .declines, .block, .tag, .filter, .personal, .settings, .reminder, .link,
        .reactions, .line, .comments:
        break
      }
    }
  }

  private mutating func checkMemberships() {
    for user in Set(rolesInStreams.keys).union(rolesAtHome.keys).sorted()
    where rolesInStreams[user, default: [:]] != rolesAtHome[user, default: [:]] {
      report.add("\(StreamID.user(user)): its memberships are not those of the streams.")
    }
  }
}

extension StreamReplay.Row {
  /// Compares number, rank, in_state and body, the columns from 2, and the traits, column 7.
  fileprivate func matches(_ row: Statement) -> Bool {
    let expected = ObjectRow(object, inState: inState)
    return row.int64OrNil(2) == expected.number.map(Int64.init)
      && row.int64OrNil(3) == expected.rank && (row.int64(4) == 1) == inState
      && row.bytes(5) == expected.body && row.int64(7) == expected.traits.rawValue
  }
}

// Rows that belong to no single stream.
extension Verifier {
  /// Compares the counts of all rows with those that were met. Rows of streams that do not exist have not been met.
  private mutating func checkTotals() throws(DatabaseError) {
    let events = try database.integer("SELECT count(*) FROM event")
    let objects = try database.integer(
      """
      SELECT (SELECT count(*) FROM object) + (SELECT count(*) FROM stream WHERE own IS NOT NULL)
      """)
    if events != report.events {
      report.add("\(events) events, \(report.events) of them in streams.")
    }
    if objects != report.objects {
      report.add("\(objects) objects, \(report.objects) of them in streams.")
    }
    let words = try database.integer("SELECT count(*) FROM post_words")
    if words != report.words { report.add("\(words) posts' words, \(report.words) in lists.") }
    let dues = try database.integer("SELECT count(*) FROM post_due")
    if dues != report.dues { report.add("\(dues) deadlines, \(report.dues) in lists.") }
    let achievements = try database.integer("SELECT count(*) FROM achievement")
    if achievements != report.achievements {
      report.add("\(achievements) achievements, \(report.achievements) in lists.")
    }
    let orphans = try database.integer(
      "SELECT count(*) FROM access WHERE stream NOT IN (SELECT number FROM stream)")
    if orphans != 0 { report.add("\(orphans) rows of access to streams that do not exist.") }
  }

  private mutating func checkKeys() throws(DatabaseError) {
    let hasher = KeyHasher(secret: try Schema.identity(of: database).secret)
    let select = try database.prepare(
      """
      SELECT stream.name, actor, key, changed, command_key.number, version, generation, events, mark,
        sum FROM command_key LEFT JOIN stream ON stream.number = command_key.stream
      """)
    try select.each { (row) throws(DatabaseError) in
      report.keys += 1
      let result = try CommandResult(row: row, from: 3)
      let there = result.events.allSatisfy { 0 < $0.seq && $0.seq <= heads[$0.stream] ?? 0 }
      let (actor, key) = (try row.uuid(1), row.text(2))
      if row.isNull(0) || !there {
        report.add("The key \(key) of \(UserID(actor)) names what is not there.")
      }
      if !row.isNull(9), !row.isNull(0), let text = CommandKey(key) {
        let address = KeyAddress(stream: try row.stream(0), actor: UserID(actor), key: text)
        if KeyRecord(address: address, hash: [], result: result).checksum != row.int64(9) {
          report.add("The number beside the key \(key) of \(UserID(actor)) is another one.")
        }
      }
      if !KeyHasher.places(of: hasher.mark(actor: actor, key: key)).contains(row.int64(8)) {
        report.add("The key \(key) of \(UserID(actor)) is not found by its mark.")
      }
      return true
    }
  }

  private mutating func checkAccounts() throws(DatabaseError) {
    let gone = try goneAccounts()
    var accounts: Set<UserID> = []
    try database.prepare("SELECT user, username, owner FROM account ORDER BY user").each {
      (row) throws(DatabaseError) in
      let user = UserID(try row.uuid(0))
      accounts.insert(user)
      let owner = try row.isNull(2) ? nil : UserID(row.uuid(2))
      if profiles[user] != row.text(1) || owners[user] != owner {
        report.add("The account \(user) is not as in its profile.")
      }
      return true
    }
    for user in profiles.keys.sorted() where !accounts.contains(user) && !gone.contains(user) {
      report.add("The profile \(user) has no account.")
    }
    try database.prepare("SELECT DISTINCT user FROM session ORDER BY user").each {
      (row) throws(DatabaseError) in
      let user = UserID(try row.uuid(0))
      if !accounts.contains(user) { report.add("A session of \(user), who has no account.") }
      return true
    }
  }
}
