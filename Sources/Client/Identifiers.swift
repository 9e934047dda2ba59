import Crypto
package import Domain
import Net

/// Makes ids and keys, which are made here and nowhere else (DESIGN §3: UUID version 7, by the client).
package enum Identifiers {
  /// Returns a new id.
  package static func make() -> UUID {
    let now = Timestamp(milliseconds: MachineClock.wallMilliseconds())
    return UUID.version7(at: now, random: bytes(10))
  }

  /// Returns a key for a command. A caller who repeats the command by hand keeps the key.
  package static func key() -> CommandKey {
    guard let key = CommandKey(make().description) else {
      preconditionFailure("a UUID's text is a key")
    }
    return key
  }

  /// Returns 256 random bits as text.
  package static func secret() -> String { Base64.encodeURL(bytes(32)) }

  static func random() -> UInt64 { bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

  private static func bytes(_ count: Int) -> [UInt8] {
    do throws(CryptoError) {
      return try randomBytes(count)
    } catch {
      // Without randomness there are no ids. Nothing can be done, and nothing was done.
      preconditionFailure("the system gives no random bytes")
    }
  }
}
