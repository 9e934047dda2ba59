// Addresses to which nothing is sent: those that are no plain URL, and hosts inside the network.

import Testing

@testable import Courier

@Suite("The addresses of letters")
struct AddressTests {
  @Test(
    "an address that is no plain http or https URL ends its letter at once",
    arguments: [
      "", "example.org", "//example.org/", "/hook", "http", "http:", "http://", "http:///hook",
      "http:/hook",
      "http:example.org", "ftp://example.org/", "ftps://example.org/", "file:///etc/passwd",
      "file://localhost/etc/passwd", "gopher://example.org:6379/_x", "dict://example.org/d",
      "ldap://example.org/", "smtp://example.org/", "telnet://example.org/", "ws://example.org/",
      "javascript:alert(1)", "data:text/plain,x", "mailto:a@example.org", "unix:/run/socket",
      " http://example.org/", "http://example.org/ ", "http://example.org/a b",
      "http://exa mple.org/", "http://example.org/\r\nX: y", "http://example.org/\tx",
      "http://example.org\0.test/", "http://example.org/\u{7F}", "http://exämple.org/",
      "http://example.org/ä", "http://user@example.org/", "http://user:word@example.org/",
      "http://:word@example.org/", "http://@example.org/", "http://user%40@example.org/",
      "http://example.org:0x50/", "http://example.org:65536/", "http://example.org:-1/",
      "http://example.org:80:80/", "http://[::1/", "http://[::1]x/", "http://[zz]/",
      "http:\\\\example.org/", "http://example.org\\@example.com/", "http://example.org%00/",
    ])
  func bad(address: String) throws {
    let courier = try Courier(CourierOptions())
    courier.send(Letter(id: 3, address: address, headers: [], body: []))
    #expect(courier.inFlight == 1)
    let ended = courier.wait(milliseconds: 0, orReadable: -1)
    #expect(ended.map(\.id) == [3])
    #expect(ended.map(\.outcome) == [.failed(.badAddress)])
    #expect(courier.inFlight == 0)
  }

  @Test("letters with the same scheme, host and port have the same line")
  func hosts() throws {
    #expect(try host("http://Example.ORG/a") == "http://example.org:80")
    #expect(try host("HTTP://example.org:80/b?c#d") == "http://example.org:80")
    #expect(try host("https://example.org") == "https://example.org:443")
    #expect(try host("https://example.org:8443/") == "https://example.org:8443")
    #expect(try host("http://[2000::1]:81/") == "http://[2000::1]:81")
  }

  private func host(_ text: String) throws -> String { try LetterAddress(text).host }

  @Test(
    "a host inside the network is refused before anything connects, whatever its spelling",
    arguments: [
      ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("[::1]", "::1"), ("[::]", "::"),
      ("[::ffff:127.0.0.1]", "::ffff:127.0.0.1"), ("[::ffff:7f00:1]", "::ffff:127.0.0.1"),
      ("[::127.0.0.1]", "::127.0.0.1"), ("localhost", nil), ("LOCALHOST", nil),
      ("2130706433", "127.0.0.1"), ("0x7f.1", "127.0.0.1"), ("0x7f000001", "127.0.0.1"),
      ("017700000001", "127.0.0.1"), ("0177.0.0.1", "127.0.0.1"), ("127.1", "127.0.0.1"),
      ("%31%32%37.1", "127.0.0.1"), ("0", "0.0.0.0"), ("10.0.0.1", "10.0.0.1"),
      ("169.254.169.254", "169.254.169.254"), ("192.168.1.1", "192.168.1.1"),
      ("[fe80::1]", "fe80::1"), ("[fe80::1%25lo]", "fe80::1"), ("[fd00::1]", "fd00::1"),
      ("[64:ff9b::7f00:1]", "64:ff9b::7f00:1"), ("[2002:7f00:1::]", "2002:7f00:1::"),
    ])
  func forbidden(host: String, text: String?) throws {
    let receiver = try Receiver(.answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    let courier = try Courier(CourierOptions())
    let address = receiver.address(host: host)
    guard case .failed(.forbiddenAddress(let refused))? = courier.deliver(address)?.outcome else {
      Issue.record("\(address) is not refused as forbidden")
      return
    }
    #expect(text == nil || refused == text)
    #expect(receiver.connections == 0)
  }

  @Test("a courier that may reach private addresses reaches them")
  func allowed() throws {
    let receiver = try Receiver(.answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    let courier = try Courier(CourierOptions(reachesPrivateAddresses: true))
    for host in ["127.0.0.1", "localhost", "0x7f.1"] {
      #expect(
        courier.deliver(receiver.address(host: host))?.outcome == .answered(Reply(status: 200)))
    }
  }
}
