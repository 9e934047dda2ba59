import COpenSSL
import TestCertificates
import TestRandom
import Testing

@testable import Crypto

@Suite("TLS engine")
struct TLSEngineTests {
  private let authority: TestAuthority
  private let hello = Array("hello".utf8)
  private let answer = Array("how do you do".utf8)

  init() throws {
    authority = try TestAuthority.shared.get()
  }

  private func makePair(_ version: TestVersion, host: String = "localhost") throws -> TestPair {
    try TestPair(
      TestContexts.client(authority, version), TestContexts.server(authority), host: host)
  }

  /// Handshake, a message there, a message back, both ends; whether everything arrived.
  private func converse(
    _ pair: TestPair, cutToServer: (Int, Int) -> Int = { $1 },
    cutToClient: (Int, Int) -> Int = { $1 }
  ) -> Bool {
    pair.carry(cutToServer: cutToServer, cutToClient: cutToClient)
    guard pair.client.openings == 1, pair.server.openings == 1 else { return false }
    pair.client.send(hello)
    pair.carry(cutToServer: cutToServer, cutToClient: cutToClient)
    pair.server.send(answer)
    pair.server.end()
    pair.carry(cutToServer: cutToServer, cutToClient: cutToClient)
    pair.client.end()
    pair.carry(cutToServer: cutToServer, cutToClient: cutToClient)
    return pair.server.plaintext == hello && pair.client.plaintext == answer
      && pair.client.isEnded && pair.server.isEnded && pair.client.fault == nil
      && pair.server.fault == nil
  }

  @Test(
    "speaks both versions, and a server prefers its own ciphers", arguments: TestVersion.allCases)
  func versions(version: TestVersion) throws {
    let pair = try makePair(version)
    #expect(converse(pair))
    #expect(pair.client.session.version == version.name)
    #expect(pair.server.session.version == version.name)
  }

  @Test("a stream cut at every byte says the same", arguments: TestVersion.allCases)
  func everyCut(version: TestVersion) throws {
    let client = try TestContexts.client(authority, version)
    let server = try TestContexts.server(authority)
    let engines = (TLSEngine(inputBytes: 1 << 16), TLSEngine(inputBytes: 1 << 16))
    // Signatures differ in length by a byte or two, so the last cuts may lie behind the end.
    let whole = try TestPair(client, server)
    #expect(converse(whole))
    let cut = { (place: Int) in
      { (carried: Int, due: Int) in carried < place ? min(due, place - carried) : due }
    }
    func fresh() throws -> TestPair {
      try TestPair(client, server, clientEngine: engines.0, serverEngine: engines.1)
    }
    for place in 1...whole.toServer {
      #expect(converse(try fresh(), cutToServer: cut(place)), "\(place) to the server")
    }
    for place in 1...whole.toClient {
      #expect(converse(try fresh(), cutToClient: cut(place)), "\(place) to the client")
    }
  }

  @Test("byte by byte", arguments: TestVersion.allCases)
  func byteByByte(version: TestVersion) throws {
    #expect(converse(try makePair(version), cutToServer: { _, _ in 1 }, cutToClient: { _, _ in 1 }))
  }

  @Test("sessions of one engine do not disturb each other's handshakes")
  func interleaved() throws {
    let client = try TestContexts.client(authority)
    let server = try TestContexts.server(authority)
    let engines = (TLSEngine(inputBytes: 1 << 16), TLSEngine(inputBytes: 1 << 16))
    let pairs = try (0..<8).map { _ in
      try TestPair(client, server, clientEngine: engines.0, serverEngine: engines.1)
    }
    var isBusy = true
    while isBusy {
      isBusy = false
      for pair in pairs where !pair.client.due.isEmpty || !pair.server.due.isEmpty {
        isBusy = true
        let part = pair.client.due.prefix(100)
        pair.client.due.removeFirst(part.count)
        if !part.isEmpty { pair.server.receive(part) }
        let back = pair.server.due.prefix(100)
        pair.server.due.removeFirst(back.count)
        if !back.isEmpty { pair.client.receive(back) }
      }
    }
    for pair in pairs { #expect(converse(pair)) }
  }

  @Test("many records at once are all read, and large messages become many records")
  func large() throws {
    for version in TestVersion.allCases {
      let pair = try makePair(version)
      pair.carry()
      let bytes = (0..<900_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      pair.client.send(bytes)
      for count in 1...100 { pair.client.send(Array(bytes[..<count])) }
      pair.carry()
      #expect(pair.server.plaintext == bytes + (1...100).flatMap { bytes[..<$0] })
      pair.server.send(bytes)
      pair.carry(cutToClient: { carried, due in min(due, 1 + carried % 70_000) })
      #expect(pair.client.plaintext == bytes)
    }
  }

  @Test("errors that others left in OpenSSL's queue are not taken for the session's")
  func foreignErrors() throws {
    let pair = try makePair(.tls13)
    let somebody = try TestContexts.client(authority)
    func spoil() {
      #expect(SSL_CTX_load_verify_file(somebody.raw, "nowhere") == 0)
      #expect(ERR_peek_error() != 0)
    }
    spoil()
    pair.carry()
    spoil()
    pair.client.send(hello)
    spoil()
    pair.carry(cutToServer: { _, _ in 3 })
    spoil()
    pair.client.end()
    pair.carry()
    #expect(pair.server.plaintext == hello && pair.server.isEnded && pair.server.fault == nil)
  }

  @Test("nothing is sealed after our end, and the peer's end leaves us free to speak")
  func halfClose() throws {
    for version in TestVersion.allCases {
      let pair = try makePair(version)
      pair.carry()
      pair.client.end()
      #expect(!pair.client.send(hello))
      pair.client.end()
      pair.carry()
      #expect(pair.server.isEnded)
      #expect(pair.server.send(answer))
      pair.carry()
      #expect(pair.client.plaintext == answer)
    }
  }

  @Test(
    "a record that was tampered with ends the session with an alert",
    arguments: TestVersion.allCases)
  func tampered(version: TestVersion) throws {
    let pair = try makePair(version)
    pair.carry()
    pair.client.send(hello)
    pair.client.send(hello)
    pair.client.due[pair.client.due.count - 1] ^= 1
    pair.carry()
    // What came whole before it was delivered.
    #expect(pair.server.plaintext == hello)
    #expect(pair.server.fault == .violation(SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC))
    #expect(pair.client.fault == .alert(SSL_AD_BAD_RECORD_MAC))
    #expect(!pair.server.send(answer))
  }

  private static let strangeWords: [(String, [UInt8], TLSFault)] = [
    ("HTTP", Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), .plainRequest),
    ("text", Array("hello, is anybody there?\n".utf8), .notTLS),
    ("zeros", [UInt8](repeating: 0, count: 64), .notTLS),
    ("SSH", Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), .notTLS),
    ("no greeting", [22, 3, 1, 0, 4, 99, 0, 0, 0], .violation(SSL_R_UNEXPECTED_MESSAGE)),
    ("an endless record", [22, 3, 1, 0xFF, 0xFF, 1], .violation(SSL_R_PACKET_LENGTH_TOO_LONG)),
  ]

  @Test("somebody who speaks something else is told so with an alert", arguments: strangeWords)
  func strangers(name: String, bytes: [UInt8], fault: TLSFault) throws {
    let engine = TLSEngine(inputBytes: 4096)
    let server = try TestEnd(engine, engine.accept(TestContexts.server(authority)))
    server.receive(bytes)
    #expect(server.fault == fault, "\(name)")
    #expect(server.due.count == 7 && server.due.first == 21 && server.due[5] == 2, "\(server.due)")
    // Byte by byte it comes to the same.
    let slow = try TestEnd(engine, engine.accept(TestContexts.server(authority)))
    for byte in bytes { slow.receive([byte]) }
    #expect(slow.fault == fault, "\(name)")
  }

  @Test("a greeting without end is not collected")
  func endlessGreeting() throws {
    let engine = TLSEngine(inputBytes: 4096)
    let server = try TestEnd(engine, engine.accept(TestContexts.server(authority)))
    // A greeting of 128 KB in records of 1 KB.
    server.receive([22, 3, 1, 4, 4, 1, 1, 0xF0, 0] + [UInt8](repeating: 0, count: 1024))
    let record: [UInt8] = [22, 3, 1, 4, 0] + [UInt8](repeating: 0, count: 1024)
    var count = 1
    while server.fault == nil, count < 200 {
      server.receive(record)
      count += 1
    }
    #expect(server.fault == .flood)
    #expect(count <= 64)
  }

  @Test("random bytes never crash it and open nothing")
  func garbage() throws {
    let engine = TLSEngine(inputBytes: 1 << 16)
    let context = try TestContexts.server(authority)
    var generator = SeededRandom(seed: 31)
    for _ in 0..<2000 {
      let server = try TestEnd(engine, engine.accept(context))
      var bytes = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      // Half of them begin like a greeting.
      if Bool.random(using: &generator) { bytes = [22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3] + bytes }
      server.receive(bytes)
      #expect(server.openings == 0)
    }
  }

  @Test("a greeting with any byte changed is refused or answered, never more")
  func changedGreeting() throws {
    let context = try TestContexts.server(authority)
    let engine = TLSEngine(inputBytes: 1 << 16)
    let greeting = try makePair(.tls13).client.due
    for index in greeting.indices {
      for change: UInt8 in [1, 0x80, 0xFF] {
        let server = try TestEnd(engine, engine.accept(context))
        var changed = greeting
        changed[index] ^= change
        server.receive(changed)
        #expect(server.openings == 0)
      }
    }
  }
}
