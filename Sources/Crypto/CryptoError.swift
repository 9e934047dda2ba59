/// A failure of OpenSSL, or a stored hash that is none of ours.
package enum CryptoError: Error, Hashable, Sendable {
  /// The generator has no randomness to give.
  case random
  /// The function scrypt could not run: not enough memory, or a cost that it does not accept.
  case scrypt
  /// A stored password hash is not `$scrypt$ln=…,r=…,p=…$salt$hash` within our bounds.
  case passwordHash
}
