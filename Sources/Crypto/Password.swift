import COpenSSL

// Password hashes are PHC strings: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>` with 16 bytes of salt and 32 of hash in base64
// without padding (github.com/P-H-C/phc-string-format). The string says what it cost, so a check never depends on
// today's setting, and a login after the setting rose makes a new hash.
//
// scrypt keys HMAC with the password, and HMAC fills short keys with zeros: a password and the same with NUL bytes
// behind it are one (RFC 2104 §2). Nobody types NUL; code that accepts passwords should refuse it.

/// Password hashes as text, and their check. It is slow by design (78 ms a round at the standard cost), so it runs only
/// on a hash thread.
package enum Password {
  private static let saltCount = 16
  private static let hashCount = 32

  /// Makes a new hash with a random salt. It takes `cost.memoryBytes` while it runs.
  package static func hash(_ password: [UInt8], cost: ScryptCost) throws(CryptoError) -> String {
    let salt = try randomBytes(saltCount)
    return text(cost, salt, try scrypt(password, salt: salt, cost: cost, count: hashCount))
  }

  /// Answers whether the password is the one that was hashed. It costs what the stored hash says.
  package static func verify(
    _ password: [UInt8], against stored: String
  ) throws(CryptoError) -> Bool {
    guard let (cost, salt, hash) = parts(of: stored) else { throw .passwordHash }
    return constantTimeEquals(
      try scrypt(password, salt: salt, cost: cost, count: hash.count), hash)
  }

  /// Answers whether the stored hash was made at another cost than this one, or cannot be read.
  package static func needsRehash(_ stored: String, cost: ScryptCost) -> Bool {
    parts(of: stored)?.cost != cost
  }

  /// Makes a hash that no password matches and that costs as much to check. It is for a user who does not exist.
  package static func decoy(cost: ScryptCost) throws(CryptoError) -> String {
    guard cost.isAllowed else { throw .scrypt }
    return text(cost, try randomBytes(saltCount), try randomBytes(hashCount))
  }

  /// Returns `count` bytes of scrypt (RFC 7914).
  static func scrypt(
    _ password: [UInt8], salt: [UInt8], cost: ScryptCost, count: Int
  ) throws(CryptoError) -> [UInt8] {
    guard cost.isAllowed else { throw .scrypt }
    var hash = [UInt8](repeating: 0, count: count)
    // The password goes in as CChar, because OpenSSL takes that; the bits are the same.
    let answer = EVP_PBE_scrypt(
      password.map(CChar.init(bitPattern:)), password.count, salt, salt.count,
      1 << UInt64(cost.logN), UInt64(cost.r), UInt64(cost.p), UInt64(cost.memoryBytes), &hash, count
    )
    guard answer == 1 else {
      ERR_clear_error()
      throw .scrypt
    }
    return hash
  }

  private static func text(_ cost: ScryptCost, _ salt: [UInt8], _ hash: [UInt8]) -> String {
    "$scrypt$ln=\(cost.logN),r=\(cost.r),p=\(cost.p)"
      + "$\(Base64.encodeUnpadded(salt))$\(Base64.encodeUnpadded(hash))"
  }

  /// Reads the one spelling that `text` writes.
  private static func parts(
    of stored: String
  ) -> (cost: ScryptCost, salt: [UInt8], hash: [UInt8])? {
    let fields = stored.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 5, fields[0].isEmpty, fields[1] == "scrypt",
      let cost = cost(of: fields[2]),
      let salt = Base64.decodeUnpadded(fields[3]), let hash = Base64.decodeUnpadded(fields[4]),
      salt.count == saltCount, hash.count == hashCount
    else { return nil }
    return (cost, salt, hash)
  }

  private static func cost(of text: String) -> ScryptCost? {
    let values = text.split(separator: ",").compactMap { field in
      field.split(separator: "=").last.flatMap { Int($0) }
    }
    guard values.count == 3 else { return nil }
    let cost = ScryptCost(logN: values[0], r: values[1], p: values[2])
    let spelled = "ln=\(cost.logN),r=\(cost.r),p=\(cost.p)"
    return cost.isAllowed && spelled == text ? cost : nil
  }
}
