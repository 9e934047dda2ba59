// Puts a transaction's rows into the tables; the caller begins and commits.

import CSQLite
import Domain
import Sync

extension DatabaseError {
  /// Makes the error of a transaction that does not fit what is stored: our mistake, found before anything is
  /// committed.
  static func contradiction(_ message: String) -> DatabaseError {
    DatabaseError(extendedCode: SQLITE_CONSTRAINT, message: message, sql: "commit")
  }
}

extension Connection {
  /// Writes a transaction. Returns the rows of the streams that it touched, as they are once this is committed.
  func write(
    _ transaction: LedgerTransaction, with writes: WriteStatements
  ) throws(DatabaseError) -> [StreamID: StreamRow] {
    var touched: [StreamID: StreamRow] = [:]
    for event in transaction.events { try append(event, &touched, writes) }
    var growth: [StreamID: StreamGrowth] = [:]
    for event in transaction.events { growth[event.stream, default: .none].add(event) }
    for object in transaction.objects where object.key != object.stream.ownKey {
      let stream = try number(of: object.stream, touched)
      growth[object.stream, default: .none].add(try write(object, stream: stream, writes))
    }
    try moveHeads(
      transaction.events, touched, try own(transaction.objects, touched), growth, writes)
    for words in transaction.words {
      try writes.words.put(words, stream: try number(of: .category(words.category), touched))
    }
    try writeReminders(of: transaction, touched, writes.reminders)
    for due in transaction.dues {
      try writes.dues.write(due, stream: try number(of: .category(due.category), touched))
    }
    for it in transaction.achievements {
      let stream = try number(of: .category(it.category), touched)
      try writes.achievements.write(it.change, stream: stream)
    }
    for check in transaction.dueChecks {
      try writes.dues.write(check, stream: try number(of: .category(check.category), touched))
    }
    for change in transaction.access { try write(change, touched, writes) }
    for key in transaction.keys {
      guard let home = try row(of: key.address.stream, touched) else {
        throw .contradiction("\(key.address.stream) does not exist")
      }
      try write(key, home: home, writes)
    }
    for change in transaction.accounts { try write(change, writes) }
    // The first erasure takes its first step at once; the others wait, because a post may have been in fifty lists.
    for (index, erasure) in transaction.erasures.enumerated() {
      let stream = try number(of: erasure.stream, touched)
      try begin(erasure, stream: stream, steps: index == 0, writes.erases)
    }
    return touched
  }

  private func writeReminders(
    of transaction: LedgerTransaction, _ touched: [StreamID: StreamRow],
    _ writes: ReminderStatements
  ) throws(DatabaseError) {
    for row in transaction.reminders {
      try writes.write(
        row, person: try number(of: .user(row.key.person), touched),
        list: try number(of: row.key.place, touched))
    }
    for check in transaction.reminderChecks {
      var (person, list): (Int64, Int64) = (0, 0)
      if let it = check.subject.person { person = try number(of: .user(it), touched) }
      if let it = check.subject.list { list = try number(of: it, touched) }
      try writes.write(check, person: person, list: list)
    }
  }

  private func append(
    _ event: EventRecord, _ touched: inout [StreamID: StreamRow], _ writes: WriteStatements
  ) throws(DatabaseError) {
    var row: StreamRow
    if let known = try self.row(of: event.stream, touched) {
      row = known
    } else {
      row = try addStream(event, writes)
    }
    guard event.seq == row.seq + 1, event.epoch == row.epoch, event.seq <= UInt32.max else {
      throw .contradiction(
        "event \(event.seq) of \(event.stream) (\(event.epoch)) follows \(row.seq) (\(row.epoch))")
    }
    row.seq = event.seq
    touched[event.stream] = row
    try insert(event, place: row.number << 32 + event.seq, writes.addEvent)
  }

  private func insert(
    _ event: EventRecord, place: Int64, _ add: Statement
  ) throws(DatabaseError) {
    try add.bind(1, place)
    try add.bind(2, event.at.milliseconds)
    try add.bind(3, event.by?.uuid)
    try add.bind(4, event.transaction.uuid)
    try event.body.span.bytes.withUnsafeBytes { (body) throws(DatabaseError) in
      try event.was.span.bytes.withUnsafeBytes { (was) throws(DatabaseError) in
        try add.bind(5, lending: body)
        try add.bind(6, lending: was)
        try add.bind(7, Summed.event(seq: event.seq).checksum(body))
        try add.bind(8, Summed.before(seq: event.seq).checksum(was))
        try add.run()
      }
    }
  }

  private func addStream(
    _ event: EventRecord, _ writes: WriteStatements
  ) throws(DatabaseError) -> StreamRow {
    let add = writes.addStream
    try add.bind(1, event.stream)
    try add.bind(2, event.epoch.text)
    try add.bind(3, Int64(0))
    try add.bind(4, event.at.milliseconds)
    try add.bind(5, event.transaction.uuid)
    try add.run()
    let number = database.lastInsertedRow
    guard number <= Int32.max else { throw .contradiction("more streams than numbers") }
    return StreamRow(number: number, epoch: event.epoch, seq: 0)
  }

  /// Returns the new bodies of the objects that streams are about. An event of the stream comes with each.
  private func own(
    _ objects: [ObjectRecord], _ touched: [StreamID: StreamRow]
  ) throws(DatabaseError) -> [StreamID: [UInt8]] {
    var bodies: [StreamID: [UInt8]] = [:]
    for object in objects where object.key == object.stream.ownKey {
      guard touched[object.stream] != nil,
        case .put(let row) = object.change,
        row == ObjectRow(body: row.body, number: nil, rank: nil, inState: true)
      else { throw .contradiction("\(object.key) is what \(object.stream) is about") }
      bodies[object.stream] = row.body
    }
    return bodies
  }

  /// Moves the head of each stream once, by its last event.
  private func moveHeads(
    _ events: [EventRecord], _ touched: [StreamID: StreamRow], _ own: [StreamID: [UInt8]],
    _ growth: [StreamID: StreamGrowth], _ writes: WriteStatements
  ) throws(DatabaseError) {
    for event in events {
      guard let row = touched[event.stream], row.seq == event.seq else { continue }
      let move = writes.moveHead
      try move.bind(1, row.number)
      try move.bind(2, row.seq)
      try move.bind(3, event.at.milliseconds)
      try move.bind(4, event.transaction.uuid)
      try move.bind(6, growth[event.stream]?.stored ?? 0)
      try move.bind(7, growth[event.stream]?.state ?? 0)
      try run(move, own[event.stream])
    }
  }

  private func run(_ move: Statement, _ own: [UInt8]?) throws(DatabaseError) {
    guard let own else {
      try move.bind(5, nil as Int64?)
      try move.bind(8, nil as Int64?)
      return try move.run()
    }
    try own.span.bytes.withUnsafeBytes { (body) throws(DatabaseError) in
      try move.bind(5, lending: body)
      try move.bind(8, Summed.object.checksum(body))
      try move.run()
    }
  }

  private func write(
    _ change: AccessChange, _ touched: [StreamID: StreamRow], _ writes: WriteStatements
  ) throws(DatabaseError) {
    switch change {
    case .granted(let stream, let user, let role, let joinedSeq):
      try writes.grant.bind(1, user.uuid)
      try writes.grant.bind(2, try number(of: stream, touched))
      try writes.grant.bind(3, Int64(role.rawValue))
      try writes.grant.bind(4, joinedSeq)
      try writes.grant.run()
    case .revoked(let stream, let user):
      try writes.revoke.bind(1, user.uuid)
      try writes.revoke.bind(2, try number(of: stream, touched))
      try writes.revoke.run()
    }
  }

  private func write(
    _ record: KeyRecord, home: StreamRow, _ writes: WriteStatements
  ) throws(DatabaseError) {
    let add = writes.addKey
    try add.bind(1, home.number)
    try add.bind(3, record.address.actor.uuid)
    try add.bind(4, record.address.key.text)
    try add.bind(5, copying: record.hash)
    try add.bind(6, record.result.changed ? 1 : Int64(0))
    try add.bind(7, record.result.number)
    try add.bind(8, record.result.version)
    try add.bind(9, record.result.generation)
    try add.bind(10, copying: CommandResultCodec.encode(record.result))
    try add.bind(11, home.seq)
    try add.bind(12, record.checksum)
    for place in KeyHasher.places(of: keyHasher.mark(of: record.address)) {
      try add.bind(2, place)
      do throws(DatabaseError) {
        return try add.run()
      } catch {
        // Another key has the same mark, which is as good as never. The same key twice would be our mistake.
        guard error.code == SQLITE_CONSTRAINT, try !isKept(record.address) else { throw error }
      }
    }
    throw .contradiction("five keys of \(record.address.stream) with one mark")
  }

  private func isKept(_ address: KeyAddress) throws(DatabaseError) -> Bool {
    try reads.key.bind(1, address.stream)
    try reads.key.bind(2, address.actor.uuid)
    try reads.key.bind(3, address.key.text)
    try reads.key.bind(4, keyHasher.mark(of: address))
    return try reads.key.first { (_) throws(DatabaseError) in true } ?? false
  }
}

// Streams.
extension Connection {
  private func number(
    of stream: StreamID, _ touched: [StreamID: StreamRow]
  ) throws(DatabaseError) -> Int64 {
    guard let row = try row(of: stream, touched) else {
      throw .contradiction("\(stream) does not exist")
    }
    return row.number
  }

  private func row(
    of stream: StreamID, _ touched: [StreamID: StreamRow]
  ) throws(DatabaseError) -> StreamRow? {
    if let known = touched[stream] ?? streams[stream] { return known }
    try reads.streamRow.bind(1, stream)
    let row = try reads.streamRow.first { (row: Statement) throws(DatabaseError) in
      StreamRow(number: row.int64(0), epoch: Epoch(row.text(1)), seq: row.int64(2))
    }
    if let row { streams.merge([stream: row]) }
    return row
  }
}

// The write-ahead log.
extension Connection {
  /// Moves the log into the main file when it has grown to `most` pages. When a reader kept it from being moved whole,
  /// the next try comes after another quarter. `isShort` means that the disk has no room for so long a log.
  func checkpointWhenLong(_ most: Int, isShort: Bool) throws(DatabaseError) {
    let length = database.walPages
    let pages = isShort ? min(most, DiskReserve.checkpointPagesWhenShort) : most
    if isShort, nextCheckpoint > length + pages { nextCheckpoint = pages }
    if length < nextCheckpoint {
      // The log was begun again and counts from here.
      if length < pages { nextCheckpoint = pages }
      return
    }
    nextCheckpoint = length + max(1, pages / 4)
    try database.checkpoint()
  }
}
