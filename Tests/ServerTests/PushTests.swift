import Foundation
import Net
import Sync
import Testing

@testable import Server

private func isLive(_ stream: String) -> ([String: Any]) -> Bool {
  { $0["stream"] as? String == stream }
}

@Suite("protocol: pushes over real sockets")
struct PushTests {
  @Test("Each sees at once what the other does; on one loop and on two", arguments: [1, 2])
  func shared(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let author = try server.join("author")
    let bots = try server.join("bots")
    let (list, stream) = try author.addList()
    try author.invite(bots, to: stream)
    try bots.client.push("sync.live", where: isLive(stream))
    let (_, answer) = try author.addPost(list)
    let push = try bots.client.push("sync.events") { $0["stream"] as? String == stream }
    #expect(push["from"] as? Int == seq(answer, in: stream))
    let ops = ((push["events"] as? [[String: Any]])?.first?["ops"] as? [[String: Any]]) ?? []
    #expect(ops.first?["t"] as? String == "post.added")
  }

  @Test("Modes of hello: live, tail, snapshot and gone")
  func modes() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (list, stream) = try author.addList()
    let page = try author.client.push("sync.snapshot") { $0["stream"] as? String == stream }
    let cursor: [String: Any] = [
      "epoch": page["epoch"]!, "seq": page["seq"]!, "tx": page["tx"]!,
    ]
    func mode(_ cursor: [String: Any]?) throws -> (TestClient, String, String?) {
      let (person, hello) = try server.again(
        author, cursors: cursor.map { [stream: $0] } ?? [:], streams: [stream])
      let status = (hello["streams"] as? [[String: Any]])?.first ?? [:]
      return (person.client, status["mode"] as? String ?? "", status["reason"] as? String)
    }
    #expect(try mode(cursor).1 == "live")
    try author.addPost(list)
    let (client, tail, _) = try mode(cursor)
    #expect(tail == "tail")
    let push = try client.push("sync.events")
    #expect(push["from"] as? Int == (page["seq"] as? Int).map { $0 + 1 })
    try client.push("sync.live")
    #expect(try mode(nil).2 == "new")
    #expect(try mode(cursor.merging(["epoch": "x.y"]) { $1 }).2 == "epoch")
    #expect(try mode(cursor.merging(["seq": 99]) { $1 }).2 == "ahead")
    #expect(try mode(cursor.merging(["tx": newID()]) { $1 }).2 == "diverged")
    let bots = try server.join("bots", streams: [stream])
    #expect(bots.client.pushes.isEmpty)
    let (_, hello) = try server.again(bots, streams: [stream])
    #expect((hello["streams"] as? [[String: Any]])?.first?["mode"] as? String == "gone")
  }

  @Test(
    "The removed is told, sees nothing after, and comes back with a snapshot", arguments: [1, 2])
  func removedAndBack(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let author = try server.join("author")
    let bots = try server.join("bots")
    let (list, stream) = try author.addList()
    try author.invite(bots, to: stream)
    let page = try bots.client.push("sync.snapshot") { $0["stream"] as? String == stream }
    let removal = try author.client.change(
      "member.remove", ["stream": stream, "user": bots.id])
    try bots.client.push("sync.gone", where: isLive(stream))
    try author.addPost(list, "secret")
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try bots.client.call(
        "post.list", ["category": list, "show": "open"])
    }
    #expect(!"\(bots.client.pushes)".contains("secret"))
    try author.invite(bots, to: stream)
    let back = try bots.client.push("sync.snapshot") { $0["stream"] as? String == stream }
    #expect((back["seq"] as? Int ?? 0) > (seq(removal, in: stream) ?? 0))
    let cursor = ["epoch": page["epoch"]!, "seq": page["seq"]!, "tx": page["tx"]!]
    let (_, hello) = try server.again(bots, cursors: [stream: cursor], streams: [stream])
    #expect((hello["streams"] as? [[String: Any]])?.first?["reason"] as? String == "rejoined")
  }

  @Test(
    "Who does not read disturbs nobody, and has everything after reading again", arguments: [1, 2])
  func slowReader(_ loops: Int) throws {
    let server = try TestServer { ($0.sendBufferBytes, $0.loops) = (16 * 1024, loops) }
    let author = try server.join("author", streams: "none")
    let (list, stream) = try author.addList()
    let slowClient = try server.connect(receiveBufferBytes: 4_096)
    var slow = author
    slow.client = slowClient
    try slow.hello(streams: [stream])
    let (fast, _) = try server.again(author, streams: [stream])
    try slow.client.push("sync.live")
    let notes = String(repeating: "n", count: 16_000)
    for number in 1...60 {
      try author.client.change(
        "post.add", ["category": list, "id": newID(), "title": "p\(number)", "notes": notes])
    }
    // The other one has all of it while the first has read nothing.
    #expect(try lastSeq(fast.client, 61) == 61)
    #expect(try lastSeq(slow.client, 61) == 61)
  }

  @Test(
    "However much is committed at once, whoever does not read is kept one push and a page of it")
  func muchAtOnce() throws {
    let server = try TestServer { ($0.sendBufferBytes, $0.loops) = (16 * 1024, 1) }
    let author = try server.join("author", streams: "none")
    let (list, stream) = try author.addList()
    let notes = String(repeating: "n", count: 16_000)
    let posts = (1...10).map { _ in newID() }
    func all(_ method: String) -> [String: Any] {
      let commands = posts.map {
        ["method": method, "params": ["category": list, "id": $0]] as [String: Any]
      }
      return ["commands": commands, "key": newID()]
    }
    for id in posts {
      try author.client.change(
        "post.add", ["category": list, "id": id, "title": "p", "notes": notes])
    }
    var slow = author
    slow.client = try server.connect(receiveBufferBytes: 4_096)
    try slow.hello(streams: [stream])
    try slow.client.push("sync.live")
    // Each restore is an event of 160 KB; the commands are so short that many arrive together.
    let sent = (0..<20).flatMap { _ in
      [
        author.client.send("batch", all("post.remove")),
        author.client.send("batch", all("post.restore")),
      ]
    }
    for number in sent { _ = try author.client.answer(to: number) }
    let push = 10 * 16_000 + 64 * 1024
    #expect(server.backlogBytes > 0)
    #expect(server.backlogBytes < push + 64 * 1024)
    #expect(try lastSeq(slow.client, 11 + 40) == 11 + 40)
  }

  @Test("Who takes no bytes for too long is closed with 4008, and misses nothing when it is back")
  func tooSlow() throws {
    let server = try TestServer {
      $0.sendBufferBytes = 16 * 1024
      $0.slowMilliseconds = 300
      $0.closeMilliseconds = 10_000
    }
    let author = try server.join("author", streams: "none")
    let (list, stream) = try author.addList()
    var slow = author
    slow.client = try server.connect(receiveBufferBytes: 4_096)
    try slow.hello(streams: [stream])
    try slow.client.push("sync.live")
    let notes = String(repeating: "n", count: 16_000)
    for number in 1...30 {
      try author.client.change(
        "post.add", ["category": list, "id": newID(), "title": "p\(number)", "notes": notes])
    }
    // Patience, a look every half second, and one more, by the server's own clock.
    let begun = try serverTime(author)
    while try serverTime(author) < begun + 1_800 {}
    var cursor: [String: Any] = [:]
    do {
      while true {
        let push = try slow.client.push("sync.events")
        let events = push["events"] as? [[String: Any]] ?? []
        let seq = (push["from"] as? Int ?? 0) + events.count - 1
        cursor = ["epoch": push["epoch"]!, "seq": seq, "tx": events.last?["tx"] ?? ""]
      }
    } catch TestFailure.closed(let code) {
      #expect(code == 4008)
    }
    let seen = cursor["seq"] as? Int ?? 0
    #expect(seen > 1 && seen < 31)
    let (back, _) = try server.again(author, cursors: [stream: cursor], streams: [stream])
    #expect(try lastSeq(back.client, 31) == 31)
  }

  private func serverTime(_ person: Person) throws -> Int {
    try person.client.call("ping")["time"] as? Int ?? 0
  }

  /// Reads pushes of events, which must follow each other, up to this number.
  private func lastSeq(_ client: TestClient, _ wanted: Int) throws -> Int {
    var last: Int?
    while last ?? 0 < wanted {
      let push = try client.push("sync.events")
      let from = push["from"] as? Int ?? 0
      if let last { #expect(from == last + 1) }
      last = from + ((push["events"] as? [Any])?.count ?? 0) - 1
    }
    return last ?? 0
  }

  @Test("A snapshot of several pages is whole, and what happens meanwhile follows it")
  func pages() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let (list, stream) = try author.addList()
    let notes = String(repeating: "n", count: 10_000)
    for number in 1...20 {
      try author.client.change(
        "post.add", ["category": list, "id": newID(), "title": "p\(number)", "notes": notes])
    }
    let (reader, _) = try server.again(author, streams: [stream])
    try author.addPost(list, "meanwhile")
    var posts = 0
    var pages: [Int] = []
    var of = 0
    repeat {
      let page = try reader.client.push("sync.snapshot")
      pages.append(page["page"] as? Int ?? 0)
      of = page["pages"] as? Int ?? 0
      let objects = page["objects"] as? [[String: Any]] ?? []
      posts += objects.filter { $0["t"] as? String == "post" }.count
    } while pages.last != of
    #expect(pages == Array(1...of) && of > 2)
    #expect(posts >= 20)
    let live = try reader.client.push("sync.live")
    #expect((live["seq"] as? Int ?? 0) >= 21)
  }

  @Test("sync.close stops the pushes, sync.open goes on from the cursor")
  func closeAndOpen() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let (list, stream) = try author.addList()
    let page = try author.client.push("sync.snapshot") { $0["stream"] as? String == stream }
    try author.client.push("sync.live", where: isLive(stream))
    try author.client.call("sync.close", ["streams": [stream]])
    try author.addPost(list)
    try author.client.call("ping")
    #expect(author.client.pushes.isEmpty)
    let cursor: [String: Any] = [
      "stream": stream, "epoch": page["epoch"]!, "seq": page["seq"]!, "tx": page["tx"]!,
    ]
    let opened = try author.client.call("sync.open", ["streams": [cursor]])
    let status = (opened["streams"] as? [[String: Any]])?.first
    #expect(status?["mode"] as? String == "tail")
    let push = try author.client.push("sync.events")
    #expect(push["from"] as? Int == (page["seq"] as? Int).map { $0 + 1 })
    try author.client.push("sync.live", where: isLive(stream))
  }
}
