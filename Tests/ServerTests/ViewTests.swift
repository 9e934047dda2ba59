import Sync
import Testing

@testable import Server

@Suite("protocol §8: views over the network")
struct ViewTests {
  private func titles(_ member: Person, _ params: [String: Any] = [:]) throws -> [String] {
    let answer = try member.client.call("post.query", params)
    return (answer["found"] as? [[String: Any]] ?? []).compactMap {
      ($0["post"] as? [String: Any])?["title"] as? String
    }
  }

  private func add(
    _ member: Person, _ list: String, _ title: String, _ due: [String: String]? = nil
  )
    throws -> String
  {
    let id = newID()
    var params: [String: Any] = ["category": list, "id": id, "title": title]
    params["due"] = due
    try member.client.change("post.add", params)
    return id
  }

  @Test("Members see what is in their lists at present, nobody else anything")
  func members() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let editor = try server.join("editor", streams: "none")
    let (shared, stream) = try author.addList("shared")
    let (own, ownStream) = try author.addList("own")
    try author.invite(editor, to: stream)
    let milk = try add(author, shared, "milk", ["date": "2099-02-28"])
    _ = try add(editor, shared, "bread")
    let gone = try add(author, own, "gone")
    #expect(try titles(author) == ["gone", "bread", "milk"])
    #expect(try titles(editor) == ["bread", "milk"])
    #expect(try titles(editor, ["where": ["by": "me"]]) == ["bread"])
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try titles(editor, ["streams": [stream, ownStream]])
    }
    try author.client.change("post.assign", ["category": shared, "id": milk, "user": editor.id])
    #expect(try titles(editor, ["where": ["assignee": "me"]]) == ["milk"])
    #expect(try titles(author, ["where": ["assignee": editor.id]]) == ["milk"])
    #expect(try titles(author, ["where": ["assignee": "me"]]) == [])
    try author.client.change("post.remove", ["category": own, "id": gone])
    #expect(try titles(author, ["where": ["state": "bin"]]) == ["gone"])
    try editor.client.change("member.leave", ["stream": stream])
    #expect(try titles(editor) == [])
    #expect(try titles(author, ["where": ["assignee": editor.id]]) == [])
    let days = ["from": "2099-02-28", "to": "2099-02-28"]
    #expect((try editor.client.call("agenda.get", days)["days"] as? [Any])?.count == 0)
    #expect((try author.client.call("agenda.get", days)["days"] as? [Any])?.count == 1)
    // A person who comes in again has nothing to do there.
    try author.invite(editor, to: stream)
    #expect(try titles(editor, ["where": ["assignee": "me"]]) == [])
    #expect(try titles(editor) == ["bread", "milk"])
    try author.client.change("category.remove", ["id": shared])
    #expect(try titles(editor) == [])
    // This is also so when it is named: a removed post is due at no time.
    #expect(try titles(author, ["streams": [stream]]) == [])
  }

  @Test("Days are those of the list and of the reader, in summer and in winter")
  func zones() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let (list, stream) = try author.addList("list")
    try author.client.change("category.edit", ["id": list, "zone": "America/New_York"])
    // Lisbon's clocks go back on 31 October 2027, New York's a week later.
    _ = try add(author, list, "day", ["date": "2027-10-31"])
    _ = try add(author, list, "night", ["at": "2027-10-31T23:30", "zone": "Europe/Lisbon"])
    func titles(_ from: String, _ until: String, _ zone: String) throws -> [String] {
      try self.titles(
        author,
        ["where": ["due": ["from": from, "until": until]], "sort": "due", "zone": zone])
    }
    #expect(try titles("2027-10-31", "2027-10-31", "Europe/Lisbon") == ["night", "day"])
    #expect(try titles("2027-10-31", "2027-10-31", "Europe/Berlin") == ["day"])
    #expect(try titles("2027-11-01", "2027-11-01", "Europe/Berlin") == ["night"])
    // 1 November 04:00 UTC: New York has summer still.
    let end = 1_825_041_600_000
    for (moment, expected) in [(end, 1), (end - 1, 0), (end + 3_600_000, 1)] {
      let window = ["from": moment - 1_000, "until": moment]
      let found = try self.titles(author, ["where": ["due": window]])
      #expect(found.count == (moment == end + 3_600_000 ? 0 : expected), "\(moment)")
    }
    let agenda = try author.client.call(
      "agenda.get",
      ["from": "2027-10-01", "to": "2027-11-30", "streams": [stream], "zone": "Europe/Berlin"])
    let days = (agenda["days"] as? [[String: Any]] ?? []).map {
      "\($0["day"] ?? "") \($0["open"] ?? "")"
    }
    #expect(days == ["2027-10-31 1", "2027-11-01 1"])
    for method in ["post.query", "agenda.get"] {
      #expect(throws: TestFailure.refused(kind: "invalid", field: "zone")) {
        try author.client.call(
          method, ["from": "2027-10-01", "to": "2027-11-30", "zone": "Europe/Nowhere"])
      }
    }
  }

  @Test("Pages follow on each other, short where posts are long")
  func pages() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    for number in 1...5 { _ = try add(author, list, "p\(number)") }
    let notes = String(repeating: "\u{1F600}", count: 16_384)
    for title in ["long", "longer"] {
      try author.client.change(
        "post.add", ["category": list, "id": newID(), "title": title, "notes": notes])
    }
    var pages: [[String]] = []
    var after: String?
    repeat {
      var params: [String: Any] = ["limit": 2]
      params["after"] = after
      pages.append(try titles(author, params))
      after = try author.client.call("post.query", params)["after"] as? String
    } while after != nil && pages.count < 9
    #expect(pages == [["longer"], ["long"], ["p5", "p4"], ["p3", "p2"], ["p1"]])
  }

  @Test("Who looks too much is told to wait")
  func rate() throws {
    let server = try TestServer {
      $0.historyRate = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 6)
    }
    let author = try server.join("author", streams: "none")
    for _ in 0..<6 { _ = try titles(author) }
    for (method, params) in [
      ("post.query", [:]), ("agenda.get", ["from": "2027-10-01", "to": "2027-11-30"]),
    ] {
      #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
        try author.client.call(method, params)
      }
    }
    // Its pages are counted by themselves.
    try author.client.call("account.export")
  }
}
