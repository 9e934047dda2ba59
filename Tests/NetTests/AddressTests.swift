import Testing

@testable import Net

@Suite("Addresses")
struct AddressTests {
  @Test(
    "are read and written",
    arguments: [
      ("127.0.0.1:8484", "127.0.0.1:8484", true),
      ("127.9.9.9:1", "127.9.9.9:1", true),
      ("localhost:0", "127.0.0.1:0", true),
      ("0.0.0.0:65535", "0.0.0.0:65535", false),
      ("192.0.2.7:80", "192.0.2.7:80", false),
      ("[::1]:8484", "[::1]:8484", true),
      ("[2001:DB8::1]:443", "[2001:db8::1]:443", false),
      ("[::]:80", "[::]:80", false), ("unix:/run/a.sock", "unix:/run/a.sock", true),
      ("unix:a", "unix:a", true),
    ])
  func read(text: String, written: String, isLoopback: Bool) throws {
    let address = try ListenAddress(text)
    #expect(address.description == written)
    #expect(address.isLoopback == isLoopback)
    #expect(address.isUnix == text.hasPrefix("unix:"))
  }

  @Test(
    "have a URL",
    arguments: [
      ("127.0.0.1:1", "/ws", false, "ws://127.0.0.1:1/ws"), ("[::1]:1", "", true, "wss://[::1]:1"),
      ("unix:/run/a.sock", "/ws", false, "ws+unix:/run/a.sock:/ws"),
      ("unix:/run/a.sock", "", false, "ws+unix:/run/a.sock"),
    ])
  func url(text: String, path: String, secure: Bool, url: String) throws {
    #expect(try ListenAddress(text).url(path, secure: secure) == url)
  }

  @Test("a socket file's path: at the limit, and one byte above")
  func longPath() throws {
    let longest = "/" + String(repeating: "a", count: ListenAddress.pathBytesMax - 1)
    #expect(try ListenAddress("unix:" + longest).description == "unix:" + longest)
    let error = #expect(throws: NetError.pathTooLong(longest + "a")) {
      try ListenAddress("unix:" + longest + "a")
    }
    #expect(error?.description.contains("107 bytes at most") == true)
  }

  @Test(
    "that nobody can listen on are refused with a sentence",
    arguments: [
      "", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+1",
      "127.0.0.1:8o", "127.0.0.1:000080", "256.0.0.1:80", "::1:80", "[::1]", "[::1", "[::1]80",
      "[127.0.0.1]:80", "example.org:80", "*:80", "127.0.0.1:80:80", "127.0.0.1\0:80",
      "unix:", "unix:/run/a b", "unix:/run/a:b", "unix:/run/a\n", "unix:/run/a\0",
    ])
  func refused(text: String) {
    let error = #expect(throws: NetError.badAddress(text)) { try ListenAddress(text) }
    #expect(error?.description.contains("is not an address") == true)
  }

  @Test("count as one customer by IPv4 address or IPv6 /64")
  func prefix() throws {
    let first = try prefix("[2001:db8:1:2::1]:1")
    #expect(first == (try prefix("[2001:db8:1:2:ffff::]:2")))
    #expect(first != (try prefix("[2001:db8:1:3::1]:1")))
    let ipv4 = try prefix("192.0.2.7:1")
    #expect(ipv4 == (try prefix("192.0.2.7:2")))
    #expect(ipv4 != (try prefix("192.0.2.8:1")))
  }

  private func prefix(_ text: String) throws -> PeerAddress {
    try #require(try ListenAddress(text).socketAddress).prefix
  }
}

@Suite("Host and Origin (RFC 9110 §7.2, RFC 6455 §10.2)")
struct OriginPolicyTests {
  private let originPolicy: OriginPolicy
  private let local: PeerAddress

  init() throws {
    let listeners = try ["127.0.0.1:8484", "0.0.0.0:80", "unix:/run/a"].map(ListenAddress.init)
    local = try #require(listeners[0].socketAddress)
    originPolicy = OriginPolicy(
      listeners: listeners, hosts: ["Todo.Example"], origins: ["https://App.example"])
  }

  @Test(
    "hosts",
    arguments: [
      (nil, true), ("127.0.0.1:8484", true), ("127.0.0.1", true), ("127.0.0.1:1", true),
      ("localhost", true), ("localhost:8484", true), ("a.localhost:8484", true),
      ("todo.example", true), ("todo.example:443", true),
      ("127.0.0.2", false), ("0.0.0.0", false), ("[::1]:8484", false), ("evil.example", false),
      ("todo.example.evil.example", false), ("localhost.evil.example", false), ("", false),
      ("xlocalhost", false), ("127.0.0.1:x", false),
    ] as [(String?, Bool)])
  func hosts(host: String?, isWelcome: Bool) {
    #expect(originPolicy.allows(host: host, local: local) == isWelcome)
  }

  @Test("a host is welcome by the address that the socket really has")
  func realAddress() throws {
    let real = try #require(try ListenAddress("192.0.2.7:80").socketAddress)
    #expect(originPolicy.allows(host: "192.0.2.7", local: real))
    #expect(!originPolicy.allows(host: "192.0.2.7", local: local))
  }

  @Test("a socket file has no address that could be a host")
  func socketFile() {
    #expect(!originPolicy.allows(host: "[::]", local: .unix))
    #expect(originPolicy.allows(host: "localhost", local: .unix))
  }

  @Test(
    "origins",
    arguments: [
      ([], true), (["http://127.0.0.1:8484"], true), (["http://127.0.0.1:3000"], true),
      (["https://127.0.0.1"], true), (["https://app.example"], true),
      (["HTTPS://APP.EXAMPLE"], true),
      (["null"], false), ([""], false), (["http://evil.example"], false),
      (["https://app.example:8443"], false), (["http://localhost:8484"], false),
      (["http://127.0.0.1.evil.example"], false), (["ftp://127.0.0.1"], false),
      (["http://127.0.0.1:8484", "http://127.0.0.1:8484"], false),
    ])
  func origins(values: [String], isWelcome: Bool) {
    #expect(originPolicy.allows(origins: values, host: "127.0.0.1:8484") == isWelcome)
  }
}

@Suite("Admission")
struct AdmissionTests {
  private func prefix(_ number: UInt64) -> PeerAddress {
    PeerAddress(high: 0, low: 0xffff_0000_0000 | number, port: 0)
  }

  @Test("each goes to the loop with the fewest")
  func fewest() {
    var admission = Admission(connectionsMax: 10, perAddressMax: 10, loops: 3)
    let loops = (0..<6).map { _ in admission.admit(prefix(1)) }
    #expect(loops == [0, 1, 2, 0, 1, 2].map { .serve(loop: $0) })
    admission.leave(.init(loop: 1, prefix: prefix(1), kind: .served))
    #expect(admission.admit(prefix(1)) == .serve(loop: 1))
  }

  @Test("the limit of all: one below, at, one above")
  func all() {
    var admission = Admission(connectionsMax: 2, perAddressMax: 2, loops: 1)
    #expect(admission.admit(prefix(1)) == .serve(loop: 0))
    #expect(admission.admit(prefix(2)) == .serve(loop: 0))
    #expect(admission.admit(prefix(3)) == .turnAway(loop: 0, as: .turnedAway))
    admission.leave(.init(loop: 0, prefix: prefix(1), kind: .served))
    #expect(admission.admit(prefix(3)) == .serve(loop: 0))
  }

  @Test("the limit of one address: one below, at, one above; others are not concerned")
  func oneAddress() {
    var admission = Admission(connectionsMax: 9, perAddressMax: 2, loops: 1)
    #expect(admission.admit(prefix(1)) == .serve(loop: 0))
    #expect(admission.admit(prefix(1)) == .serve(loop: 0))
    #expect(admission.admit(prefix(1)) == .turnAway(loop: 0, as: .crowded))
    #expect(admission.admit(prefix(2)) == .serve(loop: 0))
    admission.leave(.init(loop: 0, prefix: prefix(1), kind: .turnedAway))
    #expect(admission.admit(prefix(1)) == .turnAway(loop: 0, as: .crowded))
    admission.leave(.init(loop: 0, prefix: prefix(1), kind: .served))
    #expect(admission.admit(prefix(1)) == .serve(loop: 0))
  }

  @Test("those who wait for their refusal are bounded too")
  func turnedAway() {
    var admission = Admission(connectionsMax: 0, perAddressMax: 1, loops: 1)
    for _ in 0..<Admission.turnedAwayMax {
      #expect(admission.admit(prefix(1)) == .turnAway(loop: 0, as: .turnedAway))
    }
    #expect(admission.admit(prefix(1)) == .drop)
    admission.leave(.init(loop: 0, prefix: prefix(1), kind: .turnedAway))
    #expect(admission.admit(prefix(1)) == .turnAway(loop: 0, as: .turnedAway))
  }

  @Test("those of side listeners are counted by themselves")
  func side() {
    var admission = Admission(connectionsMax: 1, perAddressMax: 1, loops: 2)
    #expect(admission.admit(prefix(1)) == .serve(loop: 0))
    for number in 0..<Admission.sideMax {
      #expect(admission.admitToSide() == .serve(loop: (number + 1) % 2))
    }
    #expect(admission.admitToSide() == .drop)
    admission.leave(.init(loop: 0, prefix: prefix(1), kind: .served))
    #expect(admission.admit(prefix(1)) == .serve(loop: 0))
    admission.leave(.init(loop: 1, prefix: prefix(1), kind: .side))
    #expect(admission.admitToSide() == .serve(loop: 1))
  }
}
