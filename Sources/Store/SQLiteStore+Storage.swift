package import Domain
package import Sync

extension SQLiteStore {
  package func storage(of stream: StreamID) throws(StoreError) -> StoredBytes? {
    try queries { () throws(StoreError) in
      try query { (reads) throws(DatabaseError) in
        try reads.storage.stream.bind(1, stream)
        let row = try reads.storage.stream.first { (row) throws(DatabaseError) in
          (number: row.int64(0), state: row.int64(1), group: UUID(row.text(2)))
        }
        guard let row else { return nil }
        let payer = try payer(of: stream, number: row.number, group: row.group, reads)
        return StoredBytes(payer: payer, total: try stored(for: payer, reads), state: row.state)
      }
    }
  }

  private func payer(
    of stream: StreamID, number: Int64, group: UUID?, _ reads: ReadStatements
  ) throws(DatabaseError) -> StreamID {
    guard case .category = stream else { return stream }
    if let group { return .group(GroupID(group)) }
    try reads.storage.owner.bind(1, number)
    let owner = try reads.storage.owner.first { (row) throws(DatabaseError) in try row.uuid(0) }
    return owner.map { .user(UserID($0)) } ?? stream
  }

  private func stored(
    for payer: StreamID, _ reads: ReadStatements
  ) throws(DatabaseError) -> Int64 {
    let statement: Statement
    switch payer {
    case .user(let user):
      statement = reads.storage.ofPerson
      try statement.bind(1, user.uuid)
    case .group:
      statement = reads.storage.ofGroup
      try statement.bind(1, payer)
    case .category:
      statement = reads.storage.ofStream
      try statement.bind(1, payer)
    }
    return try statement.first { (row) throws(DatabaseError) in row.int64(0) } ?? 0
  }
}

// Facts about a snapshot that are known without reading it.
extension SQLiteStore {
  package func stateBytes(of stream: StreamID) throws(StoreError) -> Int64? {
    try query { (reads) throws(DatabaseError) in
      try reads.storage.stateOfStream.bind(1, stream)
      return try reads.storage.stateOfStream.first { (row) throws(DatabaseError) in row.int64(0) }
    }
  }

  package func outline(of stream: StreamID) throws(StoreError) -> StoredOutline? {
    try queries { () throws(StoreError) in
      guard let head = try head(of: stream) else { return nil }
      return try query { (reads) throws(DatabaseError) in
        let posts = KindNumber.post
        let storage = reads.storage
        var objects = try reads.own(of: stream).map {
          StoredOutline.Entry(key: stream.ownKey, number: nil, bytes: $0.count)
        }
        objects += try entries(0...posts - 1, of: stream, storage.outline)
        try storage.outlineOfPosts.bind(1, stream)
        objects += try storage.outlineOfPosts.rows(StoredOutline.Entry.init(row:))
        objects += try entries(posts + 1...Int64.max, of: stream, storage.outline)
        return StoredOutline(head: head, objects: objects)
      }
    }
  }

  private func entries(
    _ kinds: ClosedRange<Int64>, of stream: StreamID, _ outline: Statement
  ) throws(DatabaseError) -> [StoredOutline.Entry] {
    try outline.bind(1, stream)
    try outline.bind(2, kinds.lowerBound)
    try outline.bind(3, kinds.upperBound)
    return try outline.rows(StoredOutline.Entry.init(row:))
  }
}

extension StoredOutline.Entry {
  fileprivate init(row: Statement) throws(DatabaseError) {
    guard let kind = ObjectKind(number: row.int64(0)) else {
      throw row.damaged(0, "is no kind")
    }
    self.init(
      key: ObjectKey(kind: kind, id: try row.uuid(1)), number: row.int64OrNil(3).map(Int.init),
      bytes: Int(row.int64(2)))
  }
}
