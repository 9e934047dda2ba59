// Writes objects. Each is looked up once, for its row and its length, and is then written by its row.

import Domain
import Sync

/// The growth of a stream in the store, in bytes; it may be below zero (Schema+Storage.swift).
struct StreamGrowth {
  private(set) var stored: Int64
  private(set) var state: Int64

  static let none = StreamGrowth(stored: 0, state: 0)

  mutating func add(_ event: EventRecord) {
    stored += Int64(event.body.count + event.was.count) + StoredBytes.ofEvent
  }

  mutating func add(_ other: StreamGrowth) {
    stored += other.stored
    state += other.state
  }
}

/// The row of an object before it is written.
private struct HeldObject {
  let row: Int64
  let bytes: Int64
  let inState: Bool
  let number: Int64?
  let rank: Int64?
  let traits: PostTraits

  init(_ row: Statement) {
    self.row = row.int64(0)
    bytes = row.int64(1)
    inState = row.int64(2) == 1
    number = row.int64OrNil(3)
    rank = row.int64OrNil(4)
    traits = PostTraits(rawValue: row.int64(5))
  }

  var stateBytes: Int64 { inState ? bytes : 0 }
}

extension Connection {
  /// Writes an object that is not the one its stream is about.
  func write(
    _ object: ObjectRecord, stream: Int64, _ writes: WriteStatements
  ) throws(DatabaseError) -> StreamGrowth {
    let held = try held(object.key, stream: stream, writes.findObject)
    switch object.change {
    case .put(let row):
      try row.body.span.bytes.withUnsafeBytes { (body) throws(DatabaseError) in
        if let held {
          try put(row, body, over: held, writes)
        } else {
          try add(object.key, row, body, stream: stream, writes.addObject)
        }
      }
      let bytes = Int64(row.body.count)
      return StreamGrowth(
        stored: bytes - (held?.bytes ?? 0),
        state: (row.inState ? bytes : 0) - (held?.stateBytes ?? 0))
    case .leftState:
      guard let held else {
        throw .contradiction("\(object.key) left \(object.stream) and is not in it")
      }
      try writes.leaveState.bind(1, held.row)
      try writes.leaveState.run()
      return StreamGrowth(stored: 0, state: -held.stateBytes)
    case .deleted:
      guard let held else { return .none }
      try writes.deleteObject.bind(1, held.row)
      try writes.deleteObject.run()
      return StreamGrowth(stored: -held.bytes, state: -held.stateBytes)
    }
  }

  private func held(
    _ key: ObjectKey, stream: Int64, _ find: Statement
  ) throws(DatabaseError) -> HeldObject? {
    try find.bind(1, stream)
    try find.bind(2, key.kind.row.number)
    try find.bind(3, key.id)
    return try find.first { (row) throws(DatabaseError) in HeldObject(row) }
  }

  private func put(
    _ row: ObjectRow, _ body: UnsafeRawBufferPointer, over held: HeldObject,
    _ writes: WriteStatements
  ) throws(DatabaseError) {
    let isSame =
      row.number.map(Int64.init) == held.number && row.rank == held.rank
      && row.inState == held.inState && row.traits == held.traits
    let statement = isSame ? writes.putBody : writes.putObject
    try statement.bind(1, held.row)
    try statement.bind(2, lending: body)
    try statement.bind(3, Summed.object.checksum(body))
    if !isSame {
      try statement.bind(4, row.number)
      try statement.bind(5, row.rank)
      try statement.bind(6, row.inState ? 1 : Int64(0))
      try statement.bind(7, row.traits.rawValue)
    }
    try statement.run()
  }

  private func add(
    _ key: ObjectKey, _ row: ObjectRow, _ body: UnsafeRawBufferPointer, stream: Int64,
    _ add: Statement
  ) throws(DatabaseError) {
    try add.bind(1, stream)
    try add.bind(2, key.kind.row.number)
    try add.bind(3, key.id)
    try add.bind(4, row.number)
    try add.bind(5, row.rank)
    try add.bind(6, row.inState ? 1 : Int64(0))
    try add.bind(7, lending: body)
    try add.bind(8, Summed.object.checksum(body))
    try add.bind(9, row.traits.rawValue)
    try add.run()
  }
}
