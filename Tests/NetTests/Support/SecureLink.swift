import Crypto
import TestCertificates

@testable import Net

/// A client's TLS on a raw socket.
final class SecureLink {
  private let engine = TLSEngine(inputBytes: 1 << 18)
  private let session: TLSSession
  private(set) var fault: TLSFault?
  /// How many records with data came, as their headers say.
  private(set) var recordCount = 0
  private var unread: [UInt8] = []

  init?(_ context: TLSContext, host: String = "localhost") {
    guard let session = engine.connect(context, host: host) else { return nil }
    self.session = session
  }

  var isOpen: Bool { session.state == .open || session.state == .peerEnded }
  /// The server said that nothing follows.
  var sawEnd: Bool { session.state == .peerEnded }
  var wasResumed: Bool { session.wasResumed }

  func seal(_ bytes: [UInt8]) -> [UInt8] {
    _ = bytes.withUnsafeBufferPointer { engine.seal($0, session) }
    return takeDue()
  }

  /// The closing words.
  func end() -> [UInt8] {
    engine.end(session)
    return takeDue()
  }

  func open(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    count(bytes)
    guard fault == nil else { return [] }
    let received = bytes.withUnsafeBufferPointer { engine.receive($0, session) }
    fault = received.fault
    return Array(engine.plaintext[..<received.count])
  }

  func takeDue() -> [UInt8] {
    let due = Array(engine.ciphertext)
    engine.clearCiphertext()
    return due
  }

  private func count(_ bytes: ArraySlice<UInt8>) {
    unread += bytes
    var start = 0
    defer { unread.removeFirst(start) }
    while unread.count >= start + 5 {
      let length = 5 + Int(unread[start + 3]) << 8 + Int(unread[start + 4])
      guard unread.count >= start + length else { return }
      if unread[start] == 23 { recordCount += 1 }
      start += length
    }
  }
}

/// The certificate and the contexts that the TLS tests of a server and of a client need.
struct TestTLS {
  let authority: TestAuthority
  /// For localhost, 127.0.0.1 and ::1.
  let server: TLSContext
  /// Trusts the authority.
  let client: TLSContext

  init() throws {
    authority = try TestAuthority.shared.get()
    server = try TestTLS.sharedServer.get()
    client = try TLSContext.client(authorityFile: authority.authorityFile)
  }

  /// A server that speaks TLS.
  func listener(
    _ manner: Manner = .echoes, _ change: (inout NetOptions) throws -> Void = { _ in }
  ) throws -> Server {
    let context = server
    return try Server(manner) {
      $0.tls = context
      try change(&$0)
    }
  }

  /// Connected over TLS, and upgraded unless the path is nil.
  func connect(_ path: String? = "/echo", port: UInt16, link: SecureLink? = nil) -> RawClient? {
    guard let link = link ?? SecureLink(client), let raw = RawClient(secure: link, port: port)
    else { return nil }
    guard let path else { return raw }
    raw.send(RawClient.upgrade(path))
    guard let head = raw.readHead(), head.hasPrefix("HTTP/1.1 101 ") else { return nil }
    return raw
  }

  private static let sharedServer = Result { () throws -> TLSContext in
    let identity = try TestAuthority.shared.get().issue("net")
    return try .server(certificateFile: identity.certificateFile, keyFile: identity.keyFile)
  }
}
