import Testing

@testable import Crypto

@Suite("RFC 6234 and RFC 3174: SHA-256 and SHA-1")
struct DigestTests {
  @Test("SHA-256, test vectors of RFC 6234 §8.5")
  func sha256Vectors() {
    let rows: [(String, Int, String)] = [
      ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
      (
        "0123456701234567012345670123456701234567012345670123456701234567", 10,
        "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
      ),
    ]
    for (text, count, hash) in rows {
      let bytes = [[UInt8]](repeating: Array(text.utf8), count: count).flatMap { $0 }
      #expect(Hex.encode(sha256(bytes)) == hash)
    }
  }

  @Test("SHA-1, test vectors of RFC 3174 §7.3")
  func sha1Vectors() {
    let rows: [(String, Int, String)] = [
      ("abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
        "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
      ),
      ("a", 1_000_000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
    ]
    for (text, count, hash) in rows {
      let bytes = [[UInt8]](repeating: Array(text.utf8), count: count).flatMap { $0 }
      #expect(Hex.encode(sha1(bytes)) == hash)
    }
  }

  @Test("RFC 6455 §1.3: the accept value of the sample nonce")
  func webSocketAccept() {
    let text = "dGhlIHNhbXBsZSBub25jZQ==" + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    #expect(Base64.encode(sha1(Array(text.utf8))) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }
}

@Suite("RFC 4231: HMAC-SHA-256")
struct HMACTests {
  struct Row: Sendable {
    let key: [UInt8]
    let message: [UInt8]
    let code: String
  }

  static let rows: [Row] = [
    Row(
      key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
      code: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    Row(
      key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
      code: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    Row(
      key: [UInt8](repeating: 0xAA, count: 20), message: [UInt8](repeating: 0xDD, count: 50),
      code: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    Row(
      key: Array(1...25), message: [UInt8](repeating: 0xCD, count: 50),
      code: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    Row(
      key: [UInt8](repeating: 0xAA, count: 131),
      message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      code: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
    Row(
      key: [], message: [], code: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    ),
  ]

  @Test("test cases 1–4 and 6, and nothing at all", arguments: rows)
  func vectors(row: Row) {
    #expect(Hex.encode(hmacSHA256(key: row.key, message: row.message)) == row.code)
  }
}

@Suite("Comparison and randomness")
struct SecretTests {
  @Test("equal only when every byte is")
  func comparison() {
    #expect(constantTimeEquals([], []))
    #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
    #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
    let bytes = [UInt8](0..<32)
    for index in bytes.indices {
      var other = bytes
      other[index] ^= 0x80
      #expect(!constantTimeEquals(bytes, other))
    }
  }

  @Test("random bytes come in the count asked for and differ")
  func random() throws {
    for count in [0, 1, 16, 32, 1_000] { #expect(try randomBytes(count).count == count) }
    #expect(Set(try (0..<1_000).map { _ in try randomBytes(16) }).count == 1_000)
    let counts = try randomBytes(100_000).reduce(into: [Int](repeating: 0, count: 256)) {
      $0[Int($1)] += 1
    }
    #expect(counts.allSatisfy { (200...600).contains($0) }, "390 of each, give or take ten sigma")
  }
}
