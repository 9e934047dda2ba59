import Testing

@testable import Crypto

@Suite("RFC 4648: encodings")
struct EncodingTests {
  @Test("base64, test vectors of §10, both ways")
  func base64Vectors() {
    let rows: [(String, String)] = [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]
    for (plain, text) in rows {
      #expect(Base64.encode(Array(plain.utf8)) == text)
      #expect(Base64.decode(text) == Array(plain.utf8))
      let unpadded = text.filter { $0 != "=" }
      #expect(Base64.encodeURL(Array(plain.utf8)) == unpadded)
      #expect(Base64.decodeURL(unpadded) == Array(plain.utf8))
    }
  }

  @Test("the letters that differ")
  func alphabets() {
    #expect(Base64.encode([0xFB, 0xFF, 0xFE]) == "+//+")
    #expect(Base64.encodeURL([0xFB, 0xFF, 0xFE]) == "-__-")
    #expect(Base64.decode("-__-") == nil)
    #expect(Base64.decodeURL("+//+") == nil)
  }

  @Test(
    "base64 that nobody writes is refused",
    arguments: [
      "Zg", "Zg=", "Zg===", "Z", "====", "=", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "Zg==Zg==", "Zmé=",
    ])
  func base64Refused(text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test("base64url that nobody writes is refused", arguments: ["Z", "Zh", "Zm9", "Zg==", "Zm9vZ"])
  func base64URLRefused(text: String) {
    #expect(Base64.decodeURL(text) == nil)
  }

  @Test("hexadecimal, both ways, lower case only")
  func hex() {
    #expect(Hex.encode([0x00, 0x0F, 0xA5, 0xFF]) == "000fa5ff")
    #expect(Hex.decode("000fa5ff") == [0x00, 0x0F, 0xA5, 0xFF])
    #expect(Hex.decode("") == [])
    for text in ["0", "0g", "AB", "0x", " 0", "é"] { #expect(Hex.decode(text) == nil, "\(text)") }
  }

  @Test("every byte string of every length comes back", arguments: 0...70)
  func roundTrips(count: Int) throws {
    let bytes = try randomBytes(count)
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    #expect(Base64.decodeURL(Base64.encodeURL(bytes)) == bytes)
    #expect(Hex.decode(Hex.encode(bytes)) == bytes)
    #expect(HumanCode.decode(HumanCode.encode(bytes)) == bytes)
  }
}

@Suite("crockford.com/base32.html: codes for people")
struct HumanCodeTests {
  @Test("groups of four, every letter of the alphabet")
  func spelling() {
    let bytes: [UInt8] = [
      0x00, 0x44, 0x32, 0x14, 0xC7, 0x42, 0x54, 0xB6, 0x35, 0xCF, 0x84, 0x65, 0x3A, 0x56, 0xD7,
      0xC6,
      0x75, 0xBE, 0x77, 0xDF,
    ]
    let code = "0123-4567-89AB-CDEF-GHJK-MNPQ-RSTV-WXYZ"
    #expect(HumanCode.encode(bytes) == code)
    #expect(HumanCode.decode(code) == bytes)
    #expect(HumanCode.encode([]).isEmpty)
    #expect(HumanCode.encode([0xFF]) == "ZW")
  }

  @Test("read as people type")
  func tolerance() {
    let bytes = HumanCode.decode("0123-1111-ABCD-00ZZ")
    #expect(bytes != nil)
    for text in [
      "0123-1111-abcd-00zz", "o123iIlLABCDOoZz", " 0123 1111  ABCD-OOZZ ", "--01231111abcd00zz--",
    ] {
      #expect(HumanCode.decode(text) == bytes, "\(text)")
    }
  }

  @Test(
    "refused: other letters, and lengths or last letters that no bytes make",
    arguments: ["0123-4567-89AU", "0123!", "0", "012", "ZZ", "ZX", "é0", "000000"])
  func refused(text: String) {
    #expect(HumanCode.decode(text) == nil)
  }
}
