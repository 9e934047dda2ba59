import Testing

@testable import Crypto

@Suite("RFC 7914: scrypt")
struct ScryptTests {
  @Test("test vectors of §12")
  func vectors() throws {
    let rows: [(String, String, ScryptCost, String)] = [
      (
        "", "", ScryptCost(logN: 4, r: 1, p: 1),
        "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
          + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
      ),
      (
        "password", "NaCl", ScryptCost(logN: 10, r: 8, p: 16),
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
          + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
      ),
      (
        "pleaseletmein", "SodiumChloride", ScryptCost(logN: 14, r: 8, p: 1),
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
          + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
      ),
    ]
    for (password, salt, cost, hash) in rows {
      let result = try Password.scrypt(
        Array(password.utf8), salt: Array(salt.utf8), cost: cost, count: 64)
      #expect(Hex.encode(result) == hash)
    }
  }

  @Test("costs outside the bounds are refused before memory is taken")
  func bounds() {
    let refused = [
      ScryptCost(logN: 0, r: 8, p: 1), ScryptCost(logN: 21, r: 1, p: 1),
      ScryptCost(logN: 10, r: 0, p: 1), ScryptCost(logN: 10, r: 33, p: 1),
      ScryptCost(logN: 10, r: 8, p: 0), ScryptCost(logN: 10, r: 8, p: 17),
      ScryptCost(logN: 20, r: 9, p: 1), ScryptCost(logN: Int.max, r: Int.max, p: Int.max),
    ]
    for cost in refused {
      #expect(!cost.isAllowed)
      #expect(throws: CryptoError.scrypt) { try Password.hash([1], cost: cost) }
      #expect(throws: CryptoError.scrypt) { try Password.decoy(cost: cost) }
    }
    #expect(ScryptCost(logN: 20, r: 8, p: 1).isAllowed)
    #expect(ScryptCost.standard.memoryBytes == 128 * 8 * (32_768 + 5))
  }
}

@Suite("Password hashes as PHC strings")
struct PasswordTests {
  static let low = ScryptCost(logN: 4, r: 8, p: 1)

  @Test("the right password is right, every other one is wrong")
  func verification() throws {
    let password = Array("correct horse é".utf8)
    let stored = try Password.hash(password, cost: Self.low)
    #expect(try Password.verify(password, against: stored))
    #expect(try !Password.verify(Array("correct horse e".utf8), against: stored))
    #expect(try !Password.verify([], against: stored))
    #expect(try !Password.verify(password + [1], against: stored))
    #expect(try !Password.verify(Array(password.dropLast()), against: stored))
    #expect(try Password.hash(password, cost: Self.low) != stored, "another salt")
  }

  @Test("a hash that another library made (Python's hashlib.scrypt)")
  func foreignHash() throws {
    let stored =
      "$scrypt$ln=4,r=8,p=2$AAECAwQFBgcICQoLDA0ODw$+mr9f/fJxLiwj4YQGgWqoPVvicSMCg7LAKep0sbHRkM"
    #expect(try Password.verify(Array("correct horse é".utf8), against: stored))
    #expect(try !Password.verify(Array("correct horse è".utf8), against: stored))
  }

  @Test("passwords of any bytes and length", arguments: [0, 1, 8, 63, 64, 65, 256])
  func lengths(count: Int) throws {
    let password = try randomBytes(count)
    let stored = try Password.hash(password, cost: Self.low)
    #expect(try Password.verify(password, against: stored))
    #expect(try !Password.verify(password + [1], against: stored))
  }

  @Test("the standard cost: its string and its check")
  func standardCost() throws {
    let stored = try Password.hash(Array("a password".utf8), cost: .standard)
    #expect(stored.hasPrefix("$scrypt$ln=15,r=8,p=3$"))
    #expect(stored.utf8.count == 22 + 22 + 1 + 43)
    #expect(try Password.verify(Array("a password".utf8), against: stored))
    #expect(!Password.needsRehash(stored, cost: .standard))
  }

  @Test("a hash made at another cost wants a new one")
  func rehash() throws {
    let stored = try Password.hash([1, 2, 3], cost: Self.low)
    #expect(!Password.needsRehash(stored, cost: Self.low))
    #expect(Password.needsRehash(stored, cost: ScryptCost(logN: 5, r: 8, p: 1)))
    #expect(Password.needsRehash(stored, cost: ScryptCost(logN: 4, r: 8, p: 2)))
    #expect(Password.needsRehash("", cost: Self.low))
  }

  @Test("a decoy looks like a hash and matches nothing")
  func decoy() throws {
    let decoy = try Password.decoy(cost: Self.low)
    #expect(!Password.needsRehash(decoy, cost: Self.low))
    for password in ["", "password", decoy] {
      #expect(try !Password.verify(Array(password.utf8), against: decoy))
    }
  }

  @Test("A text that is no hash of ours is an error, not a wrong password")
  func malformed() throws {
    let stored = try Password.hash([1], cost: Self.low)
    let damaged = [
      "", "$", "password", String(stored.dropLast()), stored + "A", stored + "$", " " + stored,
      stored.replacing("scrypt", with: "argon2id"), stored.replacing("ln=4", with: "ln=04"),
      stored.replacing("ln=4", with: "ln=+4"), stored.replacing("ln=4", with: "ln=40"),
      stored.replacing("ln=4,r=8", with: "r=8,ln=4"), stored.replacing("p=1", with: "p=1,x=1"),
      stored.replacing("p=1", with: "p=99999999999999999999"),
      stored.replacing("$ln", with: "$$ln"),
    ]
    for text in damaged {
      #expect(throws: CryptoError.passwordHash, "\(text)") {
        try Password.verify([1], against: text)
      }
      #expect(Password.needsRehash(text, cost: Self.low))
    }
  }
}
