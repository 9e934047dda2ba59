import Domain
import Foundation
import Sync
import Testing

@testable import Server

@Suite("protocol §5.20 over a real socket: who hears the talk")
struct TalkTests {
  private struct Place {
    let server: TestServer
    let author: Person
    let list: String
    var stream: String { "c:" + list }

    init() throws {
      server = try TestServer()
      author = try server.join("author")
      list = try author.addList().id
    }

    /// Says a line and returns its number.
    @discardableResult
    func say(_ text: String, by person: Person? = nil, in stream: String? = nil) throws -> Int {
      let stream = stream ?? self.stream
      let answer = try (person ?? author).client.change(
        "line.say", ["stream": stream, "text": text])
      return try #require(seq(answer, in: stream))
    }
  }

  /// Returns the events of pushes of this stream, by number, until one of them holds the text.
  private func events(
    of stream: String, to client: TestClient, until text: String
  ) throws -> [Int: [String: Any]] {
    var all: [Int: [String: Any]] = [:]
    while true {
      let push = try client.push("sync.events") { $0["stream"] as? String == stream }
      let from = try #require(push["from"] as? Int)
      let events = try #require(push["events"] as? [[String: Any]])
      for (place, event) in events.enumerated() { all[from + place] = event }
      if events.contains(where: { "\($0)".contains(text) }) { return all }
    }
  }

  /// Returns the numbers of the lines in a push of objects.
  private func lines(_ push: [String: Any]) -> [Int] {
    let objects = push["objects"] as? [[String: Any]] ?? []
    return objects.filter { $0["t"] as? String == "line" }.compactMap { $0["line"] as? Int }
  }

  /// Returns the posts whose comments a push of objects counts.
  private func counted(_ push: [String: Any]) -> [String] {
    let objects = push["objects"] as? [[String: Any]] ?? []
    return objects.filter { $0["t"] as? String == "comments" }.compactMap { $0["id"] as? String }
  }

  /// Returns the cursor of a client that has this snapshot.
  private func cursor(at snapshot: [String: Any]) throws -> [String: Any] {
    try [
      "epoch": #require(snapshot["epoch"]), "seq": #require(snapshot["seq"]),
      "tx": #require(snapshot["tx"]),
    ]
  }

  /// Returns the whole objects that a person with a cursor gets on coming back: those put, and those that are gone.
  private func changed(
    _ it: Place, for person: Person, since snapshot: [String: Any]
  ) throws -> (put: [Int], gone: Int) {
    let client = try it.server.connect()
    try client.call(
      "hello",
      [
        "token": person.token, "client": ["name": "test", "version": "1"],
        "cursors": [it.stream: cursor(at: snapshot)], "streams": [it.stream],
        "features": ["objects"],
      ])
    var (put, gone): ([Int], Int) = ([], 0)
    while true {
      let push = try client.push("sync.objects") { $0["stream"] as? String == it.stream }
      put += lines(push)
      let names = push["gone"] as? [[String: Any]] ?? []
      gone += names.count { $0["t"] as? String == "line" }
      if push["cursor"] != nil { return (put, gone) }
    }
  }

  @Test("Whoever comes back is told which lines are none of the newest any more")
  func dropped() throws {
    let it = try Place()
    for _ in 0..<Limits.linesInStateMax { try it.say("x") }
    let away = try it.server.again(it.author).0.client
    let snapshot = try away.push("sync.snapshot") { !lines($0).isEmpty }
    let newer = try (0..<3).map { _ in try it.say("y") }
    let back = try changed(it, for: it.author, since: snapshot)
    #expect(back.put.sorted() == newer && back.gone == newer.count)
  }

  @Test("A later member is told that a line is removed, also one that they may not read any more")
  func removedMeanwhile() throws {
    let it = try Place()
    let older = try it.say("early words")
    let friend = try it.server.join("friend")
    try it.author.invite(friend, to: it.stream)
    let open = try it.server.again(friend).0.client
    let snapshot = try open.push("sync.snapshot") { lines($0) == [older] }
    try it.author.client.change("category.edit", ["id": it.list, "history": "joined"])
    try it.author.client.change("line.remove", ["stream": it.stream, "line": older])
    let back = try changed(it, for: friend, since: snapshot)
    #expect(back.put.isEmpty && back.gone == 1)
  }

  @Test(
    "Whoever looks by a link gets the numbers of the talk and none of it",
    arguments: [[], ["objects"]])
  func guest(features: [String]) throws {
    let it = try Place()
    let before = try it.say("secret before")
    let milk = try it.author.addPost(it.list).id
    let comment: [String: Any] = ["stream": it.stream, "text": "secret, @author", "post": milk]
    try it.author.client.change("line.say", comment)
    let code = try #require(
      try it.author.client.change("link.make", ["category": it.list, "id": newID()])["code"])
    let guest = try it.server.connect()
    try guest.call(
      "hello", ["link": code, "client": ["name": "test", "version": "1"], "features": features])
    let snapshot = try guest.push("sync.snapshot")
    #expect(!"\(snapshot)".contains("secret") && lines(snapshot).isEmpty)
    #expect(counted(snapshot).isEmpty && "\(snapshot)".contains("milk"))
    try guest.push("sync.live")
    let said = try #require(
      seq(it.author.client.change("line.say", comment), in: it.stream))
    try it.author.client.change(
      "line.edit", ["stream": it.stream, "line": before, "text": "secret edit"])
    try it.author.client.change("line.remove", ["stream": it.stream, "line": before])
    try it.author.addPost(it.list, "bread")
    let all = try events(of: it.stream, to: guest, until: "bread")
    #expect(all.keys.sorted() == Array(said...said + 3))
    for number in said...said + 2 {
      let event = try #require(all[number])
      #expect((event["ops"] as? [Any])?.isEmpty == true)
      #expect(event["by"] == nil && event["key"] == nil && event["tx"] != nil)
    }
    if !features.isEmpty {
      let objects = try guest.push("sync.objects") { "\($0)".contains("bread") }
      #expect(!"\(objects)".contains("secret") && lines(objects).isEmpty)
      #expect(counted(objects).isEmpty)
      #expect((objects["gone"] as? [[String: Any]])?.isEmpty == true)
    }
    let again = try it.server.connect()
    try again.call(
      "hello",
      [
        "link": code, "client": ["name": "test", "version": "1"],
        "cursors": [it.stream: cursor(at: snapshot)],
        "features": features,
      ])
    let tail = try events(of: it.stream, to: again, until: "bread")
    #expect(tail.keys.sorted() == Array(said...said + 3))
    #expect(!"\(tail)".contains("secret") && !"\(tail)".contains("line."))
  }

  @Test("A member hears what was said before them where the history is open, and not elsewhere")
  func later() throws {
    let it = try Place()
    let older = try it.say("early words")
    let friend = try it.server.join("friend")
    try it.author.invite(friend, to: it.stream)
    let open = try it.server.again(friend).0
    let all = try open.client.push("sync.snapshot") { $0["stream"] as? String == it.stream }
    #expect("\(all)".contains("early words"))

    try it.author.client.change("category.edit", ["id": it.list, "history": "joined"])
    let newer = try it.say("later words")
    let limited = try it.server.again(friend).0
    let rest = try limited.client.push("sync.snapshot") { $0["stream"] as? String == it.stream }
    #expect("\(rest)".contains("later words") && !"\(rest)".contains("early words"))
    let unknown = TestFailure.refused(kind: "not_found", field: nil)
    #expect(throws: unknown) {
      try limited.client.change(
        "line.say", ["stream": it.stream, "text": "?", "answers": older])
    }
    try limited.client.change("line.say", ["stream": it.stream, "text": "!", "answers": newer])
    let own = try it.server.again(it.author).0
    let whole = try own.client.push("sync.snapshot") { $0["stream"] as? String == it.stream }
    #expect("\(whole)".contains("early words"))
  }

  @Test("A group talks, and who comes later begins to hear with their coming")
  func group() throws {
    let it = try Place()
    let group = newID()
    try it.author.client.change("group.add", ["id": group, "name": "house"])
    try it.say("early words", in: "g:" + group)
    let friend = try it.server.join("friend")
    try it.author.invite(friend, to: "g:" + group)
    try it.say("later words", in: "g:" + group)
    let again = try it.server.again(friend).0
    let state = try again.client.push("sync.snapshot") { $0["stream"] as? String == "g:" + group }
    #expect("\(state)".contains("later words") && !"\(state)".contains("early words"))
  }

  @Test("On a server without talk nothing is said, and what was said is taken back")
  func withoutTalk() throws {
    let it = try Place()
    let line = try it.say("hello")
    try it.server.restart { $0.hasTalk = false }
    let author = try it.server.again(it.author).0
    #expect(try author.client.call("server.about")["talk"] as? Bool == false)
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try it.say("hello?", by: author)
    }
    try author.client.change("line.remove", ["stream": it.stream, "line": line])
  }

  @Test("The rate of lines holds for all connections of a person together")
  func rate() throws {
    let it = try Place()
    try it.server.restart {
      $0.lineRate = TokenRate(count: 2, everyMilliseconds: 3_600_000, burst: 2)
    }
    let both = [try it.server.again(it.author).0, try it.server.again(it.author).0]
    for author in both { try it.say("hello", by: author) }
    for author in both {
      #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
        try it.say("hello?", by: author)
      }
    }
  }

  @Test("The text of a removed line is in no file and in no answer")
  func erased() throws {
    let it = try Place()
    let words = "these words are nobody's business"
    let line = try it.say(words)
    try it.author.client.change(
      "line.edit", ["stream": it.stream, "line": line, "text": words + ", I said"])
    #expect(try !it.server.files(with: words).isEmpty)
    try it.author.client.change("line.remove", ["stream": it.stream, "line": line])
    let post = try it.author.addPost(it.list).id
    try it.author.client.change(
      "line.say", ["stream": it.stream, "text": "which?", "post": post])
    let comments = try it.author.client.call(
      "history.get", ["stream": it.stream, "kinds": ["line.said"], "limit": 1])
    #expect((comments["posts"] as? [[String: Any]])?.map { $0["id"] as? String } == [post])
    let page = try it.author.client.call("history.get", ["stream": it.stream])
    #expect(!"\(page)".contains(words))
    try it.server.expectNowhere(words)
  }
}
