import Foundation
import Sync
import Testing

@testable import Server

private func isSet(_ stream: String, _ kind: String, _ count: Int) -> ([String: Any]) -> Bool {
  {
    $0["stream"] as? String == stream && $0["kind"] as? String == kind
      && $0["count"] as? Int == count
  }
}

private func isOf(_ stream: String) -> ([String: Any]) -> Bool {
  { $0["stream"] as? String == stream }
}

private func entries(_ push: [String: Any]) -> [[String: Any]] {
  push["entries"] as? [[String: Any]] ?? []
}

@Suite("protocol §5.5: presence, typing and progress are told over real sockets")
struct EphemeralTests {
  /// Returns two people who share a list and are level with it.
  private func shared(
    _ server: TestServer
  ) throws -> (author: Person, editor: Person, list: String, stream: String) {
    let author = try server.join("author")
    let editor = try server.join("editor")
    let (list, stream) = try author.addList()
    try author.client.push("sync.live", where: isOf(stream))
    try author.invite(editor, to: stream)
    try editor.client.push("sync.live", where: isOf(stream))
    return (author, editor, list, stream)
  }

  @Test(
    "Who is here, who is typing and how far a bot is, on one loop and on two", arguments: [1, 2])
  func told(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let (author, editor, list, stream) = try shared(server)
    try author.client.call("presence.set", ["stream": stream, "state": "here"])
    try editor.client.push("ephemeral", where: isSet(stream, "presence", 1))
    try editor.client.call("presence.set", ["stream": stream, "state": "here"])
    let both = try author.client.push("ephemeral", where: isSet(stream, "presence", 2))
    #expect(Set(entries(both).compactMap { $0["user"] as? String }) == [author.id, editor.id])

    try editor.client.call("typing.set", ["category": list, "state": "typing"])
    let typing = try author.client.push("ephemeral", where: isSet(stream, "typing", 1))
    #expect(entries(typing).first?["user"] as? String == editor.id)
    try editor.client.call("typing.set", ["category": list, "state": "stopped"])
    try author.client.push("ephemeral", where: isSet(stream, "typing", 0))

    let (post, _) = try editor.addPost(list, "build 12")
    let work: [String: Any] = [
      "category": list, "post": post, "of": 8, "done": 3, "text": "compile",
    ]
    try editor.client.call("progress.set", work)
    let progress = try author.client.push("ephemeral", where: isSet(stream, "progress", 1))
    let entry = entries(progress).first ?? [:]
    #expect(entry["post"] as? String == post && entry["text"] as? String == "compile")
    #expect(entry["done"] as? Int == 3 && entry["of"] as? Int == 8)
  }

  @Test("Whoever comes is told once what is there, after the stream is live", arguments: [1, 2])
  func current(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let (author, editor, list, stream) = try shared(server)
    try author.client.call("presence.set", ["stream": stream, "state": "here"])
    try author.client.call("typing.set", ["category": list, "state": "typing"])
    try editor.client.push("ephemeral", where: isSet(stream, "typing", 1))
    let (again, _) = try server.again(editor, streams: [stream])
    try again.client.push("sync.live", where: isOf(stream))
    try again.client.push("ephemeral", where: isSet(stream, "presence", 1))
    try again.client.push("ephemeral", where: isSet(stream, "typing", 1))
    // Opened anew, it is told anew.
    try again.client.call("sync.close", ["streams": [stream]])
    try again.client.call("sync.open", ["streams": [["stream": stream]]])
    try again.client.push("sync.live", where: isOf(stream))
    try again.client.push("ephemeral", where: isSet(stream, "presence", 1))
  }

  @Test("Whoever is invited while others are there is told after the snapshot")
  func entered() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let editor = try server.join("editor")
    let (_, stream) = try author.addList()
    try author.client.push("sync.live", where: isOf(stream))
    try author.client.call("presence.set", ["stream": stream, "state": "here"])
    try author.invite(editor, to: stream)
    try editor.client.push("sync.live", where: isOf(stream))
    try editor.client.push("ephemeral", where: isSet(stream, "presence", 1))
  }

  @Test("It ends with the last connection, and with sync.close", arguments: [1, 2])
  func ended(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let (author, editor, _, stream) = try shared(server)
    do {
      let (second, _) = try server.again(editor, streams: [stream])
      try second.client.push("sync.live", where: isOf(stream))
      try second.client.call("presence.set", ["stream": stream, "state": "here"])
      try author.client.push("ephemeral", where: isSet(stream, "presence", 1))
    }
    try author.client.push("ephemeral", where: isSet(stream, "presence", 0))
    try editor.client.call("presence.set", ["stream": stream, "state": "here"])
    try author.client.push("ephemeral", where: isSet(stream, "presence", 1))
    try editor.client.call("sync.close", ["streams": [stream]])
    try author.client.push("ephemeral", where: isSet(stream, "presence", 0))
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try editor.client.call("presence.set", ["stream": stream, "state": "here"])
    }
  }

  @Test(
    "P9: whoever is removed is out at once, says nothing more and hears nothing more",
    arguments: [1, 2])
  func removed(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let (author, editor, list, stream) = try shared(server)
    try editor.client.call("presence.set", ["stream": stream, "state": "here"])
    try author.client.push("ephemeral", where: isSet(stream, "presence", 1))
    try author.client.change("member.remove", ["stream": stream, "user": editor.id])
    try author.client.push("ephemeral", where: isSet(stream, "presence", 0))
    try editor.client.push("sync.gone", where: isOf(stream))
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try editor.client.call("typing.set", ["category": list, "state": "typing"])
    }
    try author.client.call("presence.set", ["stream": stream, "state": "here"])
    try author.client.push("ephemeral", where: isSet(stream, "presence", 1))
    // The author has heard it, so the removed person would have heard it by now.
    try editor.client.call("ping")
    #expect(!editor.client.pushes.contains { $0["method"] as? String == "ephemeral" })
    // In again, there is nothing left of before.
    try author.invite(editor, to: stream)
    let now = try editor.client.push("ephemeral", where: isSet(stream, "presence", 1))
    #expect(entries(now).first?["user"] as? String == author.id)
  }

  @Test("Progress ends when its post is completed or removed", arguments: [1, 2])
  func finished(_ loops: Int) throws {
    let server = try TestServer { $0.loops = loops }
    let (author, editor, list, stream) = try shared(server)
    for method in ["post.complete", "post.remove"] {
      let (post, _) = try editor.addPost(list)
      let (stays, _) = try editor.addPost(list)
      for id in [post, stays] {
        try editor.client.call("progress.set", ["category": list, "post": id, "done": 60])
      }
      try author.client.push("ephemeral", where: isSet(stream, "progress", 2))
      try author.client.change(method, ["category": list, "id": post])
      let left = try author.client.push("ephemeral", where: isSet(stream, "progress", 1))
      #expect(entries(left).first?["post"] as? String == stays)
      try editor.client.call("progress.set", ["category": list, "post": stays])
      try author.client.push("ephemeral", where: isSet(stream, "progress", 0))
    }
  }

  @Test("A stranger and a connection without the stream are answered alike")
  func strangers() throws {
    let server = try TestServer()
    let (_, editor, list, stream) = try shared(server)
    let stranger = try server.join("stranger")
    let (quiet, _) = try server.again(editor, streams: "none")
    let post = newID()
    for person in [stranger, quiet] {
      for (method, params) in [
        ("presence.set", ["stream": stream, "state": "here"]),
        ("typing.set", ["category": list, "state": "typing"]),
        ("progress.set", ["category": list, "post": post]),
      ] {
        #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
          try person.client.call(method, params)
        }
      }
    }
  }

  @Test("It is written nowhere: no event, no number, nothing after a restart")
  func unwritten() throws {
    let server = try TestServer()
    let (author, editor, list, stream) = try shared(server)
    let (post, added) = try author.addPost(list)
    try editor.client.call("presence.set", ["stream": stream, "state": "here"])
    try editor.client.call("progress.set", ["category": list, "post": post, "done": 40])
    try author.client.push("ephemeral", where: isSet(stream, "progress", 1))
    let (_, next) = try author.addPost(list, "bread")
    #expect(seq(next, in: stream) == (seq(added, in: stream) ?? 0) + 1)
    try server.restart()
    let (again, _) = try server.again(author, streams: [stream])
    try again.client.push("sync.live", where: isOf(stream))
    try again.client.call("presence.set", ["stream": stream, "state": "here"])
    let here = try again.client.push("ephemeral")
    #expect(entries(here).compactMap { $0["user"] as? String } == [author.id])
  }

  @Test("Who floods is slowed down, commands and others are not")
  func flood() throws {
    let server = try TestServer {
      $0.session.rate = TokenRate(count: 1, everyMilliseconds: 60_000, burst: 20)
    }
    let (author, editor, list, stream) = try shared(server)
    let numbers = (0..<40).map { _ in
      editor.client.send("typing.set", ["category": list, "state": "typing"])
    }
    var refused = 0
    for number in numbers {
      do {
        _ = try editor.client.answer(to: number)
      } catch TestFailure.refused(kind: "rate_limited", field: _) {
        refused += 1
      }
    }
    #expect(refused > 0 && refused <= 20)
    try editor.addPost(list)
    try author.client.call("presence.set", ["stream": stream, "state": "here"])
    try editor.client.push("ephemeral", where: isSet(stream, "presence", 1))
  }

  @Test("Who takes no bytes is told nothing of it meanwhile, and the newest afterwards")
  func slow() throws {
    let server = try TestServer { ($0.sendBufferBytes, $0.loops) = (16 * 1024, 1) }
    let author = try server.join("author", streams: "none")
    let (list, stream) = try author.addList()
    var slow = author
    slow.client = try server.connect(receiveBufferBytes: 4_096)
    try slow.hello(streams: [stream])
    let (fast, _) = try server.again(author, streams: [stream])
    try slow.client.push("sync.live")
    try fast.client.push("sync.live")
    let notes = String(repeating: "n", count: 16_000)
    for number in 1...60 {
      try author.client.change(
        "post.add", ["category": list, "id": newID(), "title": "p\(number)", "notes": notes])
    }
    try fast.client.call("presence.set", ["stream": stream, "state": "here"])
    try fast.client.push("ephemeral", where: isSet(stream, "presence", 1))
    try fast.client.call("presence.set", ["stream": stream, "state": "left"])
    try fast.client.push("ephemeral", where: isSet(stream, "presence", 0))
    try fast.client.call("typing.set", ["category": list, "state": "typing"])
    try fast.client.push("ephemeral", where: isSet(stream, "typing", 1))
    // All events, then what holds now.
    var last = 0
    var told: [[String: Any]] = []
    while last < 61 || told.count < 2 {
      let message = try slow.client.next()
      let params = message["params"] as? [String: Any] ?? [:]
      switch message["method"] as? String {
      case "sync.events":
        last = (params["from"] as? Int ?? 0) + (params["events"] as? [Any] ?? []).count - 1
      case "ephemeral":
        #expect(last == 61)
        told.append(params)
      default: break
      }
    }
    let counts = told.map { "\($0["kind"] ?? "") \($0["count"] ?? "")" }
    #expect(counts.sorted() == ["presence 0", "typing 1"])
  }
}
