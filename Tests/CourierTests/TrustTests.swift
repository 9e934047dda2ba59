// Certificates that a courier accepts, and those that it refuses.

import TestCertificates
import Testing

@testable import Courier

@Suite("TLS of couriers: whom they trust")
struct TrustTests {
  private static let fine = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority.shared.get()
  }

  private func deliver(
    to identity: TestAuthority.Identity, host: String = "localhost", authorities: String?
  ) throws -> Outcome? {
    let receiver = try Receiver(.answers(TrustTests.fine), identity)
    let courier = try Courier(
      CourierOptions(reachesPrivateAddresses: true, authorities: authorities))
    let outcome = courier.deliver(receiver.address(host: host, scheme: "https"))?.outcome
    // Nothing of the letter leaves before the host is trusted.
    #expect(receiver.requests.count == (outcome == .answered(Reply(status: 200)) ? 1 : 0))
    return outcome
  }

  @Test(
    "a certificate of a given authority is trusted for its names",
    arguments: ["localhost", "127.0.0.1"])
  func trusted(host: String) throws {
    let identity = try authority.issue("courier-good-\(host)")
    #expect(
      try deliver(to: identity, host: host, authorities: authority.authorityFile)
        == .answered(Reply(status: 200)))
  }

  @Test("an authority that the system does not know is not trusted")
  func unknownAuthority() throws {
    let identity = try authority.issue("courier-unknown")
    #expect(try deliver(to: identity, authorities: nil) == .failed(.untrusted))
  }

  @Test("a given authority replaces those of the system")
  func otherAuthority() throws {
    let identity = try authority.issue("courier-other")
    #expect(
      try deliver(to: identity, authorities: "/etc/ssl/certs/ca-certificates.crt")
        == .failed(.untrusted))
  }

  @Test("a certificate for another name is not trusted")
  func otherName() throws {
    let identity = try authority.issue("courier-name", names: "DNS:example.org")
    #expect(
      try deliver(to: identity, authorities: authority.authorityFile) == .failed(.untrusted))
  }

  @Test("a certificate whose time is over, or has not begun, is not trusted")
  func time() throws {
    for (name, time) in [("past", TestAuthority.Time.past), ("future", .future)] {
      let identity = try authority.issue("courier-\(name)", time: time)
      #expect(
        try deliver(to: identity, authorities: authority.authorityFile) == .failed(.untrusted))
    }
  }

  @Test("a host that speaks no TLS is not trusted")
  func plain() throws {
    let receiver = try Receiver(.hangsUp)
    let courier = try Courier(CourierOptions(reachesPrivateAddresses: true))
    #expect(courier.deliver(receiver.address(scheme: "https"))?.outcome == .failed(.untrusted))
  }

  @Test("authorities that cannot be read are told when the courier is made")
  func unreadable() {
    #expect(throws: CourierError.unreadableAuthorities("/nowhere.pem", errno: 2)) {
      try Courier(CourierOptions(authorities: "/nowhere.pem"))
    }
  }

  @Test("two letters over TLS share a connection")
  func reuse() throws {
    let receiver = try Receiver(.answers(TrustTests.fine), authority.issue("courier-reuse"))
    let courier = try Courier(
      CourierOptions(reachesPrivateAddresses: true, authorities: authority.authorityFile))
    for _ in 0..<2 {
      #expect(
        courier.deliver(receiver.address(host: "localhost", scheme: "https"))?.outcome
          == .answered(Reply(status: 200)))
    }
    #expect(receiver.requests.map(\.connection) == [1, 1])
  }
}
