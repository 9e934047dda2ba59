import Testing

@testable import Crypto

@Suite("bytes nobody can guess, drawn ahead")
struct RandomPoolTests {
  @Test("each time as many as are wanted, across many draws, and never the same again")
  func takes() throws {
    var pool = RandomPool()
    var seen: Set<[UInt8]> = []
    for _ in 0..<1_000 {
      let bytes = try pool.take(10)
      #expect(bytes.count == 10)
      #expect(seen.insert(bytes).inserted)
    }
    #expect(try pool.take(0).isEmpty)
    #expect(try pool.take(1_024).count == 1_024)
  }
}
