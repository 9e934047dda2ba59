// The borders of each range of addresses that are not public.

import Glibc
import Testing

@testable import Courier

@Suite("RFC 6890: addresses of the public internet")
struct AddressJudgeTests {
  @Test(
    "an IPv4 address is public outside of the special ranges",
    arguments: [
      ("0.0.0.0", false), ("0.255.255.255", false), ("1.0.0.0", true),
      ("9.255.255.255", true), ("10.0.0.0", false), ("10.255.255.255", false),
      ("11.0.0.0", true),
      ("100.63.255.255", true), ("100.64.0.0", false), ("100.127.255.255", false),
      ("100.128.0.0", true),
      ("126.255.255.255", true), ("127.0.0.0", false), ("127.0.0.1", false),
      ("127.255.255.255", false), ("128.0.0.0", true),
      ("169.253.255.255", true), ("169.254.0.0", false), ("169.254.169.254", false),
      ("169.254.255.255", false), ("169.255.0.0", true),
      ("172.15.255.255", true), ("172.16.0.0", false), ("172.31.255.255", false),
      ("172.32.0.0", true),
      ("191.255.255.255", true), ("192.0.0.0", false), ("192.0.0.255", false),
      ("192.0.1.0", true), ("192.0.1.255", true), ("192.0.2.0", false),
      ("192.0.2.255", false), ("192.0.3.0", true),
      ("192.88.98.255", true), ("192.88.99.0", false), ("192.88.99.255", false),
      ("192.88.100.0", true),
      ("192.167.255.255", true), ("192.168.0.0", false), ("192.168.255.255", false),
      ("192.169.0.0", true),
      ("198.17.255.255", true), ("198.18.0.0", false), ("198.19.255.255", false),
      ("198.20.0.0", true),
      ("198.51.99.255", true), ("198.51.100.0", false), ("198.51.100.255", false),
      ("198.51.101.0", true), ("168.63.129.16", false), ("168.63.129.15", true),
      ("203.0.112.255", true), ("203.0.113.0", false), ("203.0.113.255", false),
      ("203.0.114.0", true),
      ("223.255.255.255", true), ("224.0.0.0", false), ("239.255.255.255", false),
      ("240.0.0.0", false), ("255.255.255.255", false),
      ("8.8.8.8", true), ("93.184.215.14", true),
    ])
  func ipv4(text: String, isPublic: Bool) throws {
    var address = in_addr()
    try #require(inet_pton(AF_INET, text, &address) == 1)
    let number = UInt32(bigEndian: address.s_addr)
    #expect(AddressJudge.isPublic(ipv4: number) == isPublic)
    #expect(SocketAddress.ipv4(number).isPublic == isPublic)
    #expect(SocketAddress.ipv4(number).text == text)
    // IPv6 has several forms that hold this address.
    for shape in ["::ffff:\(text)", "64:ff9b::\(text)"] {
      #expect(AddressJudge.isPublic(ipv6: try bytes(shape)) == isPublic, "\(shape)")
    }
    let relay = [0x20, 0x02] + (try bytes("::\(text)")[12...]) + [UInt8](repeating: 7, count: 10)
    #expect(AddressJudge.isPublic(ipv6: relay) == isPublic)
  }

  @Test(
    "an IPv6 address is public in 2000::/3, outside of the special ranges",
    arguments: [
      ("::", false), ("::1", false), ("::2", false), ("::8.8.8.8", false),
      ("::fffe:808:808", false), ("::1:ffff:808:808", false), ("1::ffff:808:808", false),
      ("64:ff9b::1:808:808", false), ("64:ff9b:1::808:808", false), ("64:ff9a::808:808", false),
      ("100::1", false),
      ("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false), ("2000::", true), ("2000::1", true),
      ("2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), ("2001::", false), ("2001::1", false),
      ("2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", false), ("2001:200::", true),
      ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", true), ("2001:db8::", false),
      ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", false), ("2001:db9::", true),
      ("2001:4860:4860::8888", true), ("2002:7f00:1::1", false), ("2002:808:808::1", true),
      ("2003::1", true), ("2606:4700::1111", true), ("2a00:1450:4001::200e", true),
      ("3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), ("3fff::", false),
      ("3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", false), ("3fff:1000::", true),
      ("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true), ("4000::", false),
      ("5f00::1", false), ("fc00::1", false), ("fd00::1", false), ("fe80::1", false),
      ("fec0::1", false), ("ff02::1", false),
      ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
    ])
  func ipv6(text: String, isPublic: Bool) throws {
    let address = try bytes(text)
    #expect(AddressJudge.isPublic(ipv6: address) == isPublic)
    #expect(SocketAddress.ipv6(address).isPublic == isPublic)
    #expect(SocketAddress.ipv6(address).text == text)
  }

  @Test("an address of another family is not public")
  func otherFamilies() {
    for family in [AF_UNSPEC, AF_UNIX, AF_NETLINK, AF_VSOCK] {
      let address = SocketAddress.other(family: Int(family))
      #expect(!address.isPublic && !address.isInternet)
      #expect(address.text == "family \(family)")
    }
  }

  private func bytes(_ text: String) throws -> [UInt8] {
    var address = in6_addr()
    try #require(inet_pton(AF_INET6, text, &address) == 1, "\(text)")
    return withUnsafeBytes(of: &address) { Array($0) }
  }
}
