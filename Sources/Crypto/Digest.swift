import COpenSSL

// One-shot hashes. A program whose library cannot hash (a broken provider) cannot go on, so these trap instead of
// throwing. Nothing from outside can make them fail.

/// Returns the SHA-256 (FIPS 180-4, RFC 6234): 32 bytes.
package func sha256(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha256(), count: 32) }

/// Returns the SHA-1 (RFC 3174): 20 bytes. It is only for the WebSocket handshake (RFC 6455 §4.2.2), never for trust.
package func sha1(_ bytes: [UInt8]) -> [UInt8] { digest(bytes, EVP_sha1(), count: 20) }

/// Returns the HMAC with SHA-256 (RFC 2104, RFC 4231): 32 bytes.
package func hmacSHA256(key: [UInt8], message: [UInt8]) -> [UInt8] {
  precondition(key.count <= Int(Int32.max), "OpenSSL counts a key's bytes in 32 bits")
  var code = [UInt8](repeating: 0, count: 32)
  var count: UInt32 = 0
  let answer = HMAC(
    EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count)
  precondition(answer != nil && count == 32, "OpenSSL computes HMAC-SHA-256")
  return code
}

/// Answers whether two byte strings are equal, in a time that does not tell where they differ. Their lengths are not
/// secret.
package func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
}

/// Returns bytes that nobody can guess, from OpenSSL's generator. Throws `.random` when it has none to give.
package func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
  precondition((0...1 << 20).contains(count), "random bytes are for keys, not for bulk")
  var bytes = [UInt8](repeating: 0, count: count)
  guard RAND_bytes(&bytes, Int32(count)) == 1 else {
    ERR_clear_error()
    throw .random
  }
  return bytes
}

private func digest(_ bytes: [UInt8], _ kind: OpaquePointer?, count: Int) -> [UInt8] {
  var hash = [UInt8](repeating: 0, count: count)
  var written: UInt32 = 0
  let answer = EVP_Digest(bytes, bytes.count, &hash, &written, kind, nil)
  precondition(answer == 1 && written == count, "OpenSSL computes SHA-1 and SHA-256")
  return hash
}
