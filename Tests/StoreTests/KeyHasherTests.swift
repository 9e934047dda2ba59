import Domain
import Testing

@testable import Store

@Suite("SipHash-2-4, by which a key is found")
struct KeyHasherTests {
  /// The rows are from the reference implementation (github.com/veorq/SipHash, vectors.h): the key is 00 01 … 0f, the
  /// input 00 01 … of so many bytes. The one of 15 bytes stands in the paper, appendix A.
  @Test(
    "the published vectors",
    arguments: [
      (0, 0x726f_db47_dd0e_0e31), (1, 0x74f8_39c5_93dc_67fd), (2, 0x0d6c_8009_d9a9_4f5a),
      (7, 0xab02_00f5_8b01_d137), (8, 0x93f5_f579_9a93_2462), (15, 0xa129_ca61_49be_45e5),
    ] as [(Int, UInt64)])
  func vectors(_ count: Int, _ expected: UInt64) {
    let hasher = KeyHasher(secret: Array(0..<16))
    #expect(hasher.hash((0..<count).map { UInt8($0) }) == expected)
  }

  @Test("another secret, another person, another key: another mark")
  func differs() {
    let (first, second) = (UUID(high: 1, low: 2), UUID(high: 1, low: 3))
    let hasher = KeyHasher(secret: Array(repeating: 9, count: 32))
    let all: Set = [
      hasher.mark(actor: first, key: "k"), hasher.mark(actor: second, key: "k"),
      hasher.mark(actor: first, key: "l"), hasher.mark(actor: first, key: ""),
      KeyHasher(secret: Array(repeating: 8, count: 32)).mark(actor: first, key: "k"),
    ]
    #expect(all.count == 5)
    #expect(hasher.mark(actor: first, key: "k") == hasher.mark(actor: first, key: "k"))
  }
}
