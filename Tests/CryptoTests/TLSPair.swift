import COpenSSL
import TestCertificates

@testable import Crypto

/// The TLS versions we speak, as OpenSSL numbers them.
enum TestVersion: Int, CaseIterable, Sendable {
  case tls12 = 0x0303
  case tls13 = 0x0304

  var name: String { self == .tls12 ? "TLSv1.2" : "TLSv1.3" }
}

/// Contexts for tests.
enum TestContexts {
  static func server(_ authority: TestAuthority) throws -> TLSContext {
    let identity = try sharedIdentity.get()
    return try .server(certificateFile: identity.certificateFile, keyFile: identity.keyFile)
  }

  static func client(
    _ authority: TestAuthority, _ version: TestVersion = .tls13
  ) throws -> TLSContext {
    let context = try TLSContext.client(authorityFile: authority.authorityFile)
    SSL_CTX_ctrl(context.raw, SSL_CTRL_SET_MAX_PROTO_VERSION, version.rawValue, nil)
    return context
  }

  private static let sharedIdentity = Result { () throws -> TestAuthority.Identity in
    try TestAuthority.shared.get().issue("pair")
  }
}

/// One end of a connection in memory.
final class TestEnd {
  let engine: TLSEngine
  let session: TLSSession
  /// Ciphertext for the other end.
  var due: [UInt8] = []
  var plaintext: [UInt8] = []
  var fault: TLSFault?
  var openings = 0

  init(_ engine: TLSEngine, _ session: TLSSession?) throws {
    self.engine = engine
    guard let session else { throw TLSError.library(reason: "no session") }
    self.session = session
    take()
  }

  var isEnded: Bool { session.state == .peerEnded }

  func receive(_ bytes: some Collection<UInt8>) {
    guard fault == nil else { return }
    let received = Array(bytes).withUnsafeBufferPointer { engine.receive($0, session) }
    plaintext += engine.plaintext[..<received.count]
    if received.opened { openings += 1 }
    fault = received.fault
    take()
  }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    let isSealed = bytes.withUnsafeBufferPointer { engine.seal($0, session) }
    take()
    return isSealed
  }

  func end() {
    engine.end(session)
    take()
  }

  /// Takes the bytes that OpenSSL wrote by itself.
  func take() {
    due += engine.ciphertext
    engine.clearCiphertext()
  }
}

/// A client and a server whose bytes a test carries.
final class TestPair {
  let client: TestEnd
  let server: TestEnd
  /// Carried so far.
  private(set) var toServer = 0
  private(set) var toClient = 0

  init(
    _ clientContext: TLSContext, _ serverContext: TLSContext, host: String = "localhost",
    clientEngine: TLSEngine = TLSEngine(inputBytes: 1 << 20),
    serverEngine: TLSEngine = TLSEngine(inputBytes: 1 << 20)
  ) throws {
    client = try TestEnd(clientEngine, clientEngine.connect(clientContext, host: host))
    server = try TestEnd(serverEngine, serverEngine.accept(serverContext))
  }

  /// Carries until nothing is due. `cut` says how many of the bytes go at once, from what was carried
  /// so far and what is due.
  func carry(
    cutToServer: (Int, Int) -> Int = { $1 }, cutToClient: (Int, Int) -> Int = { $1 }
  ) {
    while !client.due.isEmpty || !server.due.isEmpty {
      if !client.due.isEmpty {
        let part = client.due.prefix(cutToServer(toServer, client.due.count))
        client.due.removeFirst(part.count)
        toServer += part.count
        server.receive(part)
      }
      if !server.due.isEmpty {
        let part = server.due.prefix(cutToClient(toClient, server.due.count))
        server.due.removeFirst(part.count)
        toClient += part.count
        client.receive(part)
      }
    }
  }
}
