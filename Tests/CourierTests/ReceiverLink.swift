// The two kinds of connections of a receiver: plain, or with TLS by OpenSSL's blocking calls. (The server's own TLS
// would test itself.)

import COpenSSL
import Glibc
import TestCertificates

/// The TLS of a receiver.
///
/// `@unchecked Sendable`: nobody changes the context after `init`.
final class SecureContext: @unchecked Sendable {
  let raw: OpaquePointer

  struct Failure: Error {}

  init(_ identity: TestAuthority.Identity) throws {
    guard let raw = SSL_CTX_new(TLS_server_method()) else { throw Failure() }
    self.raw = raw
    guard SSL_CTX_use_certificate_chain_file(raw, identity.certificateFile) == 1,
      SSL_CTX_use_PrivateKey_file(raw, identity.keyFile, SSL_FILETYPE_PEM) == 1
    else { throw Failure() }
  }

  deinit { SSL_CTX_free(raw) }
}

/// One connection of a receiver. It does not own the descriptor.
final class ReceiverLink {
  private let descriptor: Int32
  private let session: OpaquePointer?
  private var input: [UInt8] = []

  /// Nil when there is no handshake.
  init?(_ descriptor: Int32, _ secure: SecureContext?) {
    self.descriptor = descriptor
    session = secure.flatMap { SSL_new($0.raw) }
    guard secure != nil else { return }
    // OpenSSL writes to a connection that the other end has closed. A courier must not need the same: the signal is
    // blocked on this thread alone.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    guard SSL_set_fd(session, descriptor) == 1, SSL_accept(session) == 1 else { return nil }
  }

  deinit { SSL_free(session) }

  /// Reads one request with a `Content-Length`. Nil at the end.
  func readRequest() -> (head: String, body: [UInt8])? {
    while true {
      let text = String(decoding: input, as: UTF8.self)
      if let end = text.firstRange(of: "\r\n\r\n") {
        let head = String(text[..<end.lowerBound])
        let start = head.utf8.count + 4
        let length = head.split(separator: "\r\n").lazy
          .map { $0.lowercased() }.first { $0.hasPrefix("content-length: ") }
          .flatMap { Int($0.dropFirst(16)) }
        return readBody(start, length ?? 0).map { (head, $0) }
      }
      guard readMore() else { return nil }
    }
  }

  private func readBody(_ start: Int, _ count: Int) -> [UInt8]? {
    while input.count < start + count { guard readMore() else { return nil } }
    let body = Array(input[start..<start + count])
    input.removeFirst(start + count)
    return body
  }

  private func readMore() -> Bool {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count =
      session.map { Int(SSL_read($0, &block, Int32(block.count))) }
      ?? recv(descriptor, &block, block.count, 0)
    guard count > 0 else { return false }
    input += block.prefix(count)
    return true
  }

  /// Sends all of it. False when the other end is gone.
  func write(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    if let session { return SSL_write(session, bytes, Int32(bytes.count)) == bytes.count }
    return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  /// Waits for bytes, or for the end.
  func isReadable(milliseconds: Int32) -> Bool {
    var place = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&place, 1, milliseconds) > 0
  }
}
