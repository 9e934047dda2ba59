// Tickets are sealed by keys that nobody else has. A thief of a key reads what tickets hold, and with TLS 1.2 the whole
// conversation. OpenSSL would keep its first key as long as the context lives, so these change: a key seals for as long
// as a ticket lasts, opens tickets for as long again, and is then wiped (RFC 9325 §3.4 asks for it once a week, RFC
// 5077 §5.5 says how).
//
// There is a lock here because a context is shared by all loops, and each of them seals and opens. It is held to pick a
// key, which is immutable.

import COpenSSL
import Glibc

/// The keys of a server's tickets, for any thread.
///
/// `@unchecked Sendable`: `current` and `previous` are touched with the lock held, and everything else is immutable.
final class TLSTicketKeys: @unchecked Sendable {
  /// The seconds for which a ticket is good, and for which a key seals.
  let seconds: Int
  private let clock: @Sendable () -> Int
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var current: TLSTicketKey
  private var previous: TLSTicketKey?

  init(seconds: Int, clock: @escaping @Sendable () -> Int) throws(TLSError) {
    self.seconds = seconds
    self.clock = clock
    current = try TLSTicketKey(madeAt: clock())
    lock.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(lock, nil)
    precondition(result == 0, "a plain mutex needs nothing that could be missing")
  }

  deinit {
    let result = pthread_mutex_destroy(lock)
    precondition(result == 0, "nobody holds the lock of keys that nobody has")
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  /// Returns the key for a new ticket. Nil when there is no randomness for one.
  func sealing() -> TLSTicketKey? {
    locked {
      renew() ? current : nil
    }
  }

  /// Returns the key of that name, and whether the ticket should be replaced. Nil when the key is gone.
  func opening(_ name: UnsafeBufferPointer<UInt8>) -> (key: TLSTicketKey, isOld: Bool)? {
    locked {
      guard renew() else { return nil }
      if current.isCalled(name) { return (current, false) }
      guard let previous, previous.isCalled(name) else { return nil }
      return (previous, true)
    }
  }

  /// Drops and replaces keys by their age. False when there is no randomness for a new one.
  private func renew() -> Bool {
    let now = clock()
    // A clock that was set back must not keep a key for ever.
    let age = abs(now - current.madeAt)
    if let old = previous, abs(now - old.madeAt) >= 2 * seconds { previous = nil }
    guard age >= seconds else { return true }
    do {
      let next = try TLSTicketKey(madeAt: now)
      previous = age < 2 * seconds ? current : nil
      current = next
      return true
    } catch {
      // Without randomness there are no tickets: handshakes are full until there is some.
      return false
    }
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    let entered = pthread_mutex_lock(lock)
    precondition(entered == 0, "the lock is held for a few instructions, never twice")
    defer {
      let left = pthread_mutex_unlock(lock)
      precondition(left == 0, "the thread that holds the lock gives it back")
    }
    return body()
  }
}

/// One key: a name, which tickets carry, a key for AES-256 and one for HMAC-SHA-256. It is wiped at its end.
///
/// `@unchecked Sendable`: the bytes are written by `init` alone.
final class TLSTicketKey: @unchecked Sendable {
  static let nameBytes = 16
  private static let count = nameBytes + 2 * 32

  let madeAt: Int
  private let bytes: UnsafeMutablePointer<UInt8>

  init(madeAt: Int) throws(TLSError) {
    self.madeAt = madeAt
    bytes = .allocate(capacity: TLSTicketKey.count)
    bytes.initialize(repeating: 0, count: TLSTicketKey.count)
    guard RAND_bytes(bytes, Int32(TLSTicketKey.count)) == 1 else {
      throw .library(reason: TLSErrorQueue.take().reason)
    }
  }

  deinit {
    OPENSSL_cleanse(bytes, TLSTicketKey.count)
    bytes.deallocate()
  }

  var name: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: bytes, count: TLSTicketKey.nameBytes)
  }
  fileprivate var cipherKey: UnsafeMutablePointer<UInt8> { bytes + TLSTicketKey.nameBytes }
  fileprivate var codeKey: UnsafeMutablePointer<UInt8> { bytes + TLSTicketKey.nameBytes + 32 }

  func isCalled(_ name: UnsafeBufferPointer<UInt8>) -> Bool { self.name.elementsEqual(name) }

  /// Prepares OpenSSL's contexts for one ticket.
  fileprivate func ready(
    _ cipher: OpaquePointer?, _ code: OpaquePointer?, _ vector: UnsafePointer<UInt8>, seals: Bool
  ) -> Bool {
    whattodo_tls_set_code_key(code, codeKey, 32) == 1
      && EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), nil, cipherKey, vector, seals ? 1 : 0) == 1
  }
}

/// Gives OpenSSL the key of a ticket. Answers 1 or 2 with a key (2: give a new ticket too), and 0 without one: then the
/// handshake is a full one, or there is no ticket.
let giveTicketKey:
  @convention(c) (
    OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, OpaquePointer?,
    OpaquePointer?, Int32
  ) -> Int32 = { session, name, vector, cipher, code, seals in
    guard let name, let vector,
      let data = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(session), 0)
    else { return 0 }
    // The keys are not retained: the context owns them, and every session owns its context.
    let keys = Unmanaged<TLSTicketKeys>.fromOpaque(data).takeUnretainedValue()
    guard seals == 0 else {
      guard let key = keys.sealing(), RAND_bytes(vector, 16) == 1 else { return 0 }
      for index in 0..<TLSTicketKey.nameBytes { name[index] = key.name[index] }
      return key.ready(cipher, code, vector, seals: true) ? 1 : 0
    }
    let wanted = UnsafeBufferPointer(start: UnsafePointer(name), count: TLSTicketKey.nameBytes)
    guard let (key, isOld) = keys.opening(wanted),
      key.ready(cipher, code, vector, seals: false)
    else { return 0 }
    // A ticket of TLS 1.3 is shown once, so a client that comes back needs the next one.
    return isOld || SSL_version(session) >= TLS1_3_VERSION ? 2 : 1
  }
