package import Domain
package import Sync

// Streams: heads, access, tails, snapshots.
extension SQLiteStore {
  package func streams(of user: UserID) throws(StoreError) -> [StreamAccess] {
    try query { (reads) throws(DatabaseError) in
      try reads.streamsOfUser.bind(1, user.uuid)
      return try reads.streamsOfUser.rows(StreamAccess.init(row:))
    }
  }

  package func access(
    of user: UserID, to stream: StreamID
  ) throws(StoreError) -> StreamAccess? {
    try query { (reads) throws(DatabaseError) in
      try reads.accessToStream.bind(1, stream)
      try reads.accessToStream.bind(2, user.uuid)
      return try reads.accessToStream.first(StreamAccess.init(row:))
    }
  }

  package func head(of stream: StreamID) throws(StoreError) -> StreamHead? {
    try query { (reads) throws(DatabaseError) in
      try reads.head.bind(1, stream)
      return try reads.head.first { (row) throws(DatabaseError) in
        try StreamHead(row: row, from: 0)
      }
    }
  }

  package func transaction(at position: StreamPosition) throws(StoreError) -> TransactionID? {
    guard (1...Int64(UInt32.max)).contains(position.seq) else { return nil }
    return try query { (reads) throws(DatabaseError) in
      try reads.eventTransaction.bind(1, position.stream)
      try reads.eventTransaction.bind(2, position.seq)
      return try reads.eventTransaction.first { (row) throws(DatabaseError) in
        TransactionID(try row.uuid(0))
      }
    }
  }

  package func events(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredEvent] {
    // Numbers beyond these bounds are no place in a stream, and would be a place in another stream.
    let first = max(0, after)
    let last = min(through, Int64(UInt32.max))
    guard first < last else { return [] }
    return try query { (reads) throws(DatabaseError) in
      let erasures = try reads.pendingErasures(in: stream)
      try reads.eventBodies.bind(1, stream)
      try reads.eventBodies.bind(2, first)
      try reads.eventBodies.bind(3, last)
      var events: [StoredEvent] = []
      var bytes = 0
      try reads.eventBodies.each { (row) throws(DatabaseError) in
        bytes += row.byteCount(1)
        guard events.isEmpty || bytes <= bytesMax else { return false }
        let seq = row.int64(0)
        // A hole would be sent as if nothing had happened there.
        guard events.last.map({ $0.seq + 1 == seq }) ?? true else {
          throw row.damaged(0, "leaves events out")
        }
        let body = try erasures.body(try row.body(1, .event(seq: seq)), seq: seq)
        events.append(StoredEvent(seq: seq, body: body))
        return true
      }
      return events
    }
  }

  package func past(
    in stream: StreamID, after: Int64, through: Int64, bytesMax: Int
  ) throws(StoreError) -> [StoredPast] {
    let first = max(0, after)
    let last = min(through, Int64(UInt32.max))
    guard first < last else { return [] }
    return try query { (reads) throws(DatabaseError) in
      let erasures = try reads.pendingErasures(in: stream)
      try reads.pastEvents.bind(1, stream)
      try reads.pastEvents.bind(2, first)
      try reads.pastEvents.bind(3, last)
      var events: [StoredPast] = []
      var bytes = 0
      try reads.pastEvents.each { (row) throws(DatabaseError) in
        bytes += row.byteCount(1) + row.byteCount(3)
        guard events.isEmpty || bytes <= bytesMax else { return false }
        let seq = row.int64(0)
        events.append(
          StoredPast(
            seq: seq, body: try erasures.body(try row.body(1, .event(seq: seq)), seq: seq),
            was: try erasures.before(try row.body(3, .before(seq: seq)), seq: seq)))
        return true
      }
      return events
    }
  }

  package func snapshot(of stream: StreamID) throws(StoreError) -> StoredSnapshot? {
    try queries { () throws(StoreError) in
      guard let head = try head(of: stream) else { return nil }
      let objects = try query { (reads) throws(DatabaseError) in
        try reads.state(of: stream)
      }
      return StoredSnapshot(head: head, objects: objects)
    }
  }

  package func object(
    _ key: ObjectKey, in stream: StreamID
  ) throws(StoreError) -> [UInt8]? {
    try body(of: key, in: stream) { $0.object }
  }

  package func stateObject(
    _ key: ObjectKey, in stream: StreamID
  ) throws(StoreError) -> [UInt8]? {
    try body(of: key, in: stream) { $0.stateObject }
  }

  private func body(
    of key: ObjectKey, in stream: StreamID, _ statement: (ReadStatements) -> Statement
  ) throws(StoreError) -> [UInt8]? {
    try query { (reads) throws(DatabaseError) in
      if key == stream.ownKey { return try reads.own(of: stream).first }
      let object = statement(reads)
      try object.bind(1, stream)
      try object.bind(2, key.kind.row.number)
      try object.bind(3, key.id)
      return try object.first { (row) throws(DatabaseError) in try row.body(0) }
    }
  }

  package func objects(
    _ kind: ObjectKind, in stream: StreamID
  ) throws(StoreError) -> [[UInt8]] {
    try query { (reads) throws(DatabaseError) in
      if kind == stream.ownKey.kind { return try reads.own(of: stream) }
      try reads.objectsInState.bind(1, stream)
      try reads.objectsInState.bind(2, kind.row.number)
      return try reads.objectsInState.rows { (row) throws(DatabaseError) in try row.body(0) }
    }
  }
}

// Objects that are not in a stream's state, and counts over them.
extension SQLiteStore {
  package func posts(
    in category: CategoryID, on shelf: PostShelf, before: Int?, limit: Int
  ) throws(StoreError) -> [[UInt8]] {
    try query { (reads) throws(DatabaseError) in
      let page =
        switch shelf {
        case .open: reads.postsOpen
        case .done: reads.postsDone
        case .removed: reads.postsRemoved
        }
      try page.bind(1, .category(category))
      try page.bind(2, before ?? Int.max)
      try page.bind(3, limit)
      return try page.rows { (row) throws(DatabaseError) in try row.body(0) }
    }
  }

  package func removedCategories(of user: UserID) throws(StoreError) -> [[UInt8]] {
    try query { (reads) throws(DatabaseError) in
      try reads.removedCategories.bind(1, user.uuid)
      return try reads.removedCategories.rows { (row) throws(DatabaseError) in try row.body(0) }
    }
  }

  package func tallies(of category: CategoryID) throws(StoreError) -> [MemberTally] {
    try query { (reads) throws(DatabaseError) in
      try reads.tallies.bind(1, .category(category))
      return try reads.tallies.rows { (row) throws(DatabaseError) in
        guard let user = UUID(row.text(0)) else { throw row.damaged(0, "names no user") }
        return MemberTally(
          user: UserID(user), added: Int(row.int64(1)), completed: Int(row.int64(2)))
      }
    }
  }
}

extension StreamID {
  /// The object that the stream is about. It is always in the state and comes first in a snapshot. Its body lies in the
  /// stream's own row.
  var ownKey: ObjectKey {
    switch self {
    case .category: ObjectKey(kind: .category, id: uuid)
    case .group: ObjectKey(kind: .group, id: uuid)
    case .user: ObjectKey(kind: .profile, id: uuid)
    }
  }
}

extension ReadStatements {
  /// Returns the one body of the object that the stream is about. Empty when there is no such stream.
  func own(of stream: StreamID) throws(DatabaseError) -> [[UInt8]] {
    try own.bind(1, stream)
    return try own.rows { (row) throws(DatabaseError) in try row.body(0) }
  }

  /// Returns the bodies of a snapshot: the stream's own object, then the others by kind, number and id.
  fileprivate func state(of stream: StreamID) throws(DatabaseError) -> [[UInt8]] {
    let posts = KindNumber.post
    guard case .category = stream else {
      return try own(of: stream) + kinds(0...Int64.max, of: stream)
    }
    try snapshotPosts.bind(1, stream)
    return try own(of: stream) + kinds(0...posts - 1, of: stream)
      + snapshotPosts.rows { (row) throws(DatabaseError) in try row.body(0) }
      + kinds(posts + 1...Int64.max, of: stream)
  }

  private func kinds(
    _ kinds: ClosedRange<Int64>, of stream: StreamID
  ) throws(DatabaseError) -> [[UInt8]] {
    try snapshot.bind(1, stream)
    try snapshot.bind(2, kinds.lowerBound)
    try snapshot.bind(3, kinds.upperBound)
    return try snapshot.rows { (row) throws(DatabaseError) in try row.body(0) }
  }
}

extension StreamHead {
  /// Reads epoch, seq, at, tx, erased_seq and horizon from six columns beginning at `column`.
  init(row: Statement, from column: Int32) throws(DatabaseError) {
    self.init(
      epoch: Epoch(row.text(column)), seq: row.int64(column + 1),
      at: Timestamp(milliseconds: row.int64(column + 2)),
      transaction: TransactionID(try row.uuid(column + 3)), erasedSeq: row.int64(column + 4),
      horizon: row.int64(column + 5))
  }
}

extension StreamAccess {
  fileprivate init(row: Statement) throws(DatabaseError) {
    guard let role = Role(rawValue: Int(row.int64(1))) else { throw row.damaged(1, "is no role") }
    self.init(
      stream: try row.stream(0), role: role, joinedSeq: row.int64(2),
      head: try StreamHead(row: row, from: 3))
  }
}
