import Testing

@testable import Server

@Suite("protocol §8 `account.register`, §8 `profile.edit`: time zones")
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

  @Test("A due in a zone that does not exist is a fault of its field, in a batch too")
  func dues() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = newID()
    try author.client.change("category.add", ["id": list, "name": "essays"])
    let params: [String: Any] = [
      "category": list, "id": newID(), "title": "draft",
      "due": ["at": "2026-11-24T18:00", "zone": "Europe/Atlantis"],
    ]
    let refused = TestFailure.refused(kind: "invalid", field: "due.zone")
    #expect(throws: refused) { try author.client.change("post.add", params) }
    let part: [String: Any] = ["method": "post.add", "params": params]
    #expect(throws: refused) { try author.client.change("batch", ["commands": [part]]) }
    var known = params
    known["due"] = ["at": "2026-11-24T18:00", "zone": "Europe/Lisbon"]
    #expect(try author.client.change("post.add", known)["changed"] as? Bool == true)
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
