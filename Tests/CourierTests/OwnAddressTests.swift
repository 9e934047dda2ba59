import Testing

@testable import Courier

@Suite("addresses of the machine itself") struct OwnAddressTests {
  private static func v6(_ head: [UInt8], _ last: UInt8) -> SocketAddress {
    .ipv6(head + [UInt8](repeating: 0, count: 15 - head.count) + [last])
  }

  @Test("its own addresses are known, and for IPv6 those of its neighbours")
  func holds() {
    let head: [UInt8] = [0x2a, 0x01, 0x04, 0xf8, 0, 1, 0, 2]
    let mask = [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 8)
    let own = OwnAddresses([
      (.ipv4(0xCB00_7205), []), (Self.v6(head, 1), mask), (Self.v6([0x2a, 0x02], 9), []),
    ])
    #expect(own.holds(.ipv4(0xCB00_7205)) && !own.holds(.ipv4(0xCB00_7206)))
    #expect(own.holds(Self.v6(head, 1)) && own.holds(Self.v6(head, 77)))
    #expect(!own.holds(Self.v6([0x2a, 0x01, 0x04, 0xf8, 0, 1, 0, 3], 1)))
    #expect(own.holds(Self.v6([0x2a, 0x02], 9)) && !own.holds(Self.v6([0x2a, 0x02], 8)))
    #expect(!own.holds(.other(family: 1)))
  }

  @Test("the kernel names the address by which a machine calls itself")
  func current() throws {
    let own = try #require(OwnAddresses.current())
    #expect(own.holds(.ipv4(0x7F00_0001)) && !own.holds(.ipv4(0x0101_0101)))
  }
}
