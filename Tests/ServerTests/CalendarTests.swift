import Testing

@testable import Server

@Suite("protocol §5.14: a list in a calendar program, by the code of a link")
struct CalendarTests {
  private struct Shown {
    let server: TestServer
    let author: Person
    let list: String
    let link: String
    let code: String
    var path: String { "/calendar/\(code).ics" }

    init() throws {
      server = try TestServer()
      author = try server.join("author")
      list = try author.addList().id
      link = newID()
      let answer = try author.client.change("link.make", ["category": list, "id": link])
      code = answer["code"] as? String ?? ""
    }

    func add(_ title: String, due: String, every rule: String? = nil) throws {
      var params: [String: Any] = [
        "category": list, "id": newID(), "title": title, "due": ["date": due],
      ]
      if let rule { params["recurrence"] = ["rule": rule] }
      try author.client.change("post.add", params)
    }

    func get(_ path: String? = nil, _ fields: [String: String] = [:]) throws -> TestPage {
      let port = server.url.split(separator: ":").last?.prefix { $0 != "/" }
      let number = try #require(port.flatMap { UInt16($0) })
      return try TestPage(port: number, path ?? self.path, fields)
    }
  }

  @Test("Whoever has the code gets the open posts that are due, and what they have not again")
  func shown() throws {
    let it = try Shown()
    try it.add("cake", due: "2030-01-31", every: "FREQ=MONTHLY")
    try it.author.addPost(it.list, "no due")
    let first = try it.get()
    #expect(first.status == 200)
    #expect(first.fields["content-type"] == "text/calendar; charset=utf-8")
    #expect(first.fields["cache-control"] == "private, no-cache")
    #expect(first.body.contains("SUMMARY:cake\r\n") && !first.body.contains("no due"))
    #expect(first.body.contains("DTSTART;VALUE=DATE:20300131\r\n"))
    #expect(!first.body.contains(it.code))
    let mark = try #require(first.fields["etag"])
    let same = try it.get(nil, ["If-None-Match": "\"other\", W/" + mark])
    // When there are several marks, only the first is looked at.
    #expect(same.status == 200)
    let known = try it.get(nil, ["If-None-Match": mark])
    #expect((known.status, known.body) == (304, ""))
    try it.add("candles", due: "2030-02-01")
    let second = try it.get(nil, ["If-None-Match": mark])
    #expect(second.status == 200 && second.body.contains("SUMMARY:candles\r\n"))
  }

  @Test("A code is read as people type it; what is none, or another path, has no calendar")
  func paths() throws {
    let it = try Shown()
    let bare = it.code.lowercased().replacing("-", with: "")
    #expect(try it.get("/calendar/\(bare).ics").status == 200)
    let wrong = String(it.code.dropLast()) + (it.code.hasSuffix("0") ? "1" : "0")
    for path in [
      "/calendar/\(wrong).ics", "/calendar/.ics", "/calendar/", "/calendar/\(it.code)",
      "/calendar/\(it.list).ics", "/calendar/\(it.code).ics/x",
    ] {
      #expect(try it.get(path).status == 404, "\(path)")
    }
    #expect(try it.get("/calendar").status == 404)
  }

  @Test("It ends with the link, is away with the list, empty while that is archived")
  func ended() throws {
    let it = try Shown()
    try it.add("cake", due: "2030-01-31")
    try it.author.client.change("category.remove", ["id": it.list])
    #expect(try it.get().status == 404)
    try it.author.client.change("category.restore", ["id": it.list])
    #expect(try it.get().body.contains("cake"))
    try it.author.client.change("category.archive", ["id": it.list])
    #expect(try !it.get().body.contains("cake"))
    try it.author.client.change("category.unarchive", ["id": it.list])
    try it.author.client.change("link.revoke", ["category": it.list, "id": it.link])
    #expect(try it.get().status == 404)
  }

  @Test("Who asks too often is told when to come back")
  func often() throws {
    let it = try Shown()
    var statuses: Set<Int> = []
    for _ in 0..<61 where !statuses.contains(429) { statuses.insert(try it.get().status) }
    let page = try it.get()
    #expect(page.status == 429)
    #expect(page.fields["retry-after"] == "1")
  }
}
