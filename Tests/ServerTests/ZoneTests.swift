import Testing

@testable import Server

@Suite("protocol §8.5, §8.13: time zones")
struct ZoneTests {
  @Test(
    "A zone that does not exist is a fault of the field",
    arguments: ["Europe/Atlantis", "utc", "../UTC"])
  func unknown(zone: String) throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let refused = TestFailure.refused(kind: "invalid", field: "zone")
    #expect(throws: refused) { try author.client.change("profile.edit", ["zone": zone]) }
    #expect(throws: refused) {
      try author.client.call(
        "account.register",
        ["id": newID(), "username": "bots", "password": "correct horse", "zone": zone])
    }
    let profile = try author.client.call("profile.get")["profile"] as? [String: Any]
    #expect(profile?["zone"] as? String == "UTC")
  }

  @Test("A zone that exists is kept")
  func known() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    #expect(
      try author.client.change("profile.edit", ["zone": "Europe/Lisbon"])["changed"] as? Bool
        == true)
    let profile = try author.client.call("profile.get")["profile"] as? [String: Any]
    #expect(profile?["zone"] as? String == "Europe/Lisbon")
  }
}
