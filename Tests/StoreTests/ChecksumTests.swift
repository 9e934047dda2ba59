import CSQLite
import Domain
import Sync
import Testing
import TestRandom

@testable import Store

@Suite("Bit rot")
struct ChecksumTests {
  @Test("A sum is another one for every bit that turns over")
  func everyBit() {
    var random = SeededRandom(seed: 5)
    for count in [0, 1, 7, 8, 9, 64, 201] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let sum = Summed.object.checksum(bytes)
      for bit in 0..<count * 8 {
        var other = bytes
        other[bit / 8] ^= 1 << (bit % 8)
        #expect(Summed.object.checksum(other) != sum)
      }
      #expect(Summed.object.checksum(bytes + [0]) != sum)
      #expect(Summed.event(seq: 1).checksum(bytes) != Summed.event(seq: 2).checksum(bytes))
      #expect(Summed.event(seq: 1).checksum(bytes) != Summed.before(seq: 1).checksum(bytes))
    }
  }

  /// Each row has the damaged part, and the answers that must not be given from it then.
  @Test(
    "A damaged row is an error of its stream, never other data, and verify tells it",
    arguments: [
      "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), 'milk', 'mild') AS BLOB) WHERE instr(body, CAST('milk' AS BLOB)) > 0",
      "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), '\"key\":\"m', '\"key\":\"n') AS BLOB) WHERE instr(body, CAST('milk' AS BLOB)) > 0",
      "UPDATE event SET was = CAST(replace(CAST(was AS TEXT), 'post', 'pos ') AS BLOB) WHERE instr(was, CAST('\"post\"' AS BLOB)) > 0",
      "UPDATE object SET body = CAST(replace(CAST(body AS TEXT), 'milk', 'mild') AS BLOB) WHERE instr(body, CAST('milk' AS BLOB)) > 0",
      "UPDATE stream SET own = CAST(replace(CAST(own AS TEXT), 'groceries', 'grocerier') AS BLOB) WHERE own IS NOT NULL AND instr(own, CAST('groceries' AS BLOB)) > 0",
      "UPDATE command_key SET number = 7 WHERE number = 1",
    ])
  func damaged(_ damage: String) throws {
    let folder = try TemporaryFolder()
    let author: UserID, list: CategoryID, other: CategoryID
    do {
      let driver = LedgerDriver(try writer(folder.data))
      author = try driver.person("author")
      list = try driver.category("groceries", by: author)
      other = try driver.category("books", by: author)
      let milk = PostID(driver.name())
      try driver.run(.post(.add(list, milk, title: "milk", notes: "")), by: author, key: "milk")
      try driver.run(.completePost(list, milk, ifVersion: nil), by: author)
      _ = try driver.post("a book", in: other, by: author)
    }
    do {
      let database = try Database(path: folder.data.databasePath, access: .readWrite)
      try database.execute(damage)
      #expect(database.changedRows > 0, "nothing is damaged")
    }
    let store = try SQLiteStore(reading: folder.data)
    let stream = StreamID.category(list)
    var told = 0
    let readings: [() throws -> Void] = [
      { _ = try store.events(in: stream, after: 0, through: .max, bytesMax: .max) },
      { _ = try store.past(in: stream, after: 0, through: .max, bytesMax: .max) },
      { _ = try store.snapshot(of: stream) },
      { _ = try store.posts(in: list, on: .done, before: nil, limit: 9) },
      { _ = try store.key(KeyAddress(stream: stream, actor: author, key: CommandKey("milk")!)) },
    ]
    for reading in readings {
      do {
        try reading()
      } catch StoreError.unreadable(let fault) {
        #expect(fault.kind == .damaged)
        told += 1
      }
    }
    #expect(told > 0)
    let neighbour = StreamID.category(other)
    #expect(try store.events(in: neighbour, after: 0, through: .max, bytesMax: .max).count == 2)
    #expect(try store.snapshot(of: neighbour)?.objects.count == 3)
    #expect(try !store.verify().isSound)
  }

  @Test("Rows of before there were sums are read, and have one when they are written anew")
  func withoutSums() throws {
    let folder = try TemporaryFolder()
    let author: UserID, list: CategoryID, post: PostID
    do {
      let driver = LedgerDriver(try writer(folder.data))
      author = try driver.person("author")
      list = try driver.category("groceries", by: author)
      post = try driver.post("milk", in: list, by: author)
    }
    let database = try Database(path: folder.data.databasePath, access: .readWrite)
    try database.execute(
      """
      UPDATE event SET sum = NULL, was_sum = NULL; UPDATE object SET sum = NULL;
      UPDATE stream SET own_sum = NULL; UPDATE command_key SET sum = NULL;
      """)
    let sums = "SELECT count(sum) FROM object"
    #expect(try database.integer(sums) == 0)
    let driver = LedgerDriver(try writer(folder.data), from: 5)
    try driver.run(.completePost(list, post, ifVersion: nil), by: author)
    #expect(try database.integer(sums) == 1)
    #expect(try SQLiteStore(reading: folder.data).verify().isSound)
  }
}
