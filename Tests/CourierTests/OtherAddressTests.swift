// A name that leads elsewhere the next time it is asked for (DNS rebinding). Here libcurl is told what the name means
// (CURLOPT_RESOLVE), so nobody is asked.

import CCurl
import Testing

@testable import Courier

@Suite("Names that lead elsewhere the second time")
struct OtherAddressTests {
  @Test("the address that is connected to is judged, not the one that the name had before")
  func rebinding() throws {
    let receiver = try Receiver(.answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"))
    // The first address is judged to be good. Nothing leaves this machine then: its socket cannot get an address that
    // is for documentation (RFC 5737), so libcurl ends with CURLE_INTERFACE_FAILED before it connects.
    let first = try outcome(to: receiver, at: "1.1.1.1", from: "host!192.0.2.1")
    #expect(first == .failed(.other(code: 45)))
    for address in ["127.0.0.1", "127.0.0.2", "0.0.0.0"] {
      let second = try outcome(to: receiver, at: address)
      #expect(second == .failed(.forbiddenAddress(address)))
    }
    #expect(receiver.connections == 0)
    let allowed = try outcome(
      to: receiver, at: "127.0.0.1", CourierOptions(reachesPrivateAddresses: true))
    #expect(allowed == .answered(Reply(status: 200)))
    #expect(receiver.connections == 1)
  }

  /// Sends one letter to a name that has this address now. Its socket may have to have an address of its own.
  private func outcome(
    to receiver: Receiver, at address: String, from own: String? = nil,
    _ options: CourierOptions = CourierOptions()
  ) throws -> Outcome {
    // The first courier sets libcurl up.
    _ = try Courier(options)
    let name = "rebind.example"
    let letter = Letter(id: 1, address: receiver.address(host: name), headers: [], body: [])
    let parcel = try Parcel(letter, options, sentAt: 0)
    try parcel.begin(at: 0)
    let names = curl_slist_append(nil, "\(name):\(receiver.port):\(address)")
    defer { curl_slist_free_all(names) }
    try #require(whattodo_curl_set_pointer(parcel.raw, CURLOPT_RESOLVE, names) == CURLE_OK)
    try #require(whattodo_curl_set_text(parcel.raw, CURLOPT_INTERFACE, own) == CURLE_OK)
    return parcel.outcome(curl_easy_perform(parcel.raw))
  }
}
