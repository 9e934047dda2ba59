/// What OpenSSL refused to do, or what is no hash of ours.
package enum CryptoError: Error, Hashable, Sendable {
  /// The generator has no randomness to give.
  case random
  /// scrypt could not run: not enough memory, or a cost that it does not take.
  case scrypt
  /// A stored password hash that is not `$scrypt$ln=…,r=…,p=…$salt$hash` within our bounds.
  case passwordHash
}
