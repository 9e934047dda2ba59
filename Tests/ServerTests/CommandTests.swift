import Foundation
import Testing

@testable import Server

/// These are commands as nobody should send them, over a real socket.
@Suite("P2, P3: commands that are too late, doubled or mixed up")
struct CommandTests {
  /// Returns the error's data of a request that is refused, when nothing is pushed to the client.
  private func refusal(
    _ client: TestClient, _ method: String, _ params: [String: Any]
  ) throws -> [String: Any] {
    let number = client.send(method, params.merging(["key": newID()]) { own, _ in own })
    let message = try client.next()
    #expect(message["id"] as? Int == number)
    let error = try #require(message["error"] as? [String: Any])
    return try #require(error["data"] as? [String: Any])
  }

  @Test("A command about removed things is refused as gone, and restore brings them back")
  func removed() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let post = try author.addPost(list).id
    let it: [String: Any] = ["category": list, "id": post]
    try author.client.change("post.remove", it)
    for (method, more) in [
      ("post.edit", ["title": "x"]), ("post.complete", [:]), ("post.reopen", [:]),
      ("post.add", ["title": "x"]),
    ] as [(String, [String: Any])] {
      let data = try refusal(author.client, method, it.merging(more) { $1 })
      #expect(data["kind"] as? String == "gone", "\(method)")
    }
    try author.client.change("post.restore", it)
    try author.client.change("category.remove", ["id": list])
    for (method, params) in [
      ("post.complete", it), ("post.restore", it), ("category.edit", ["id": list, "name": "x"]),
      (
        "invitation.send",
        ["id": newID(), "stream": "c:" + list, "username": "author", "role": "editor"]
      ),
      ("batch", ["commands": [["method": "post.complete", "params": it]]]),
    ] as [(String, [String: Any])] {
      let data = try refusal(author.client, method, params)
      #expect(data["kind"] as? String == "gone", "\(method)")
    }
    try author.client.change("category.restore", ["id": list])
    #expect(try author.client.change("post.complete", it)["changed"] as? Bool == true)
  }

  @Test("A key belongs to its sender: another's with the same words is another command")
  func anothersKey() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let other = try server.join("other", streams: "none")
    let list = try author.addList()
    try author.invite(other, to: list.stream)
    let key = newID()
    let mine: [String: Any] = ["category": list.id, "id": newID(), "title": "a", "key": key]
    let theirs = mine.merging(["id": newID()]) { $1 }
    let first = try author.client.call("post.add", mine)
    let second = try other.client.call("post.add", theirs)
    #expect(first["number"] as? Int == 1 && second["number"] as? Int == 2)
    #expect(isSame(first, try author.client.call("post.add", mine)))
    // The other one's key is taken by another request of theirs.
    #expect(throws: TestFailure.refused(kind: "key_reused", field: nil)) {
      try other.client.call("post.add", mine)
    }
    let stranger = try server.join("stranger", streams: "none")
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try stranger.client.call("post.add", mine)
    }
  }

  @Test("A repeat is answered after access is lost, and nothing else is")
  func repeatedOutside() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let other = try server.join("other", streams: "none")
    let list = try author.addList()
    try author.invite(other, to: list.stream)
    let post: [String: Any] = ["category": list.id, "id": newID(), "title": "a", "key": newID()]
    let batch: [String: Any] = [
      "commands": [
        ["method": "post.add", "params": ["category": list.id, "id": newID(), "title": "b"]],
        ["method": "category.add", "params": ["id": newID(), "name": "own"]],
      ], "key": newID(),
    ]
    let one = try other.client.call("post.add", post)
    let two = try other.client.call("batch", batch)
    try author.client.change("member.remove", ["stream": list.stream, "user": other.id])
    #expect(isSame(one, try other.client.call("post.add", post)))
    #expect(isSame(two, try other.client.call("batch", batch)))
    #expect(throws: TestFailure.refused(kind: "key_reused", field: nil)) {
      try other.client.call("post.add", post.merging(["title": "c"]) { $1 })
    }
    for key in [newID(), newID()] {
      #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
        try other.client.call(
          "post.add", post.merging(["key": key, "id": newID()]) { $1 })
      }
    }
  }

  @Test("Two devices with one token both work; answers do not mix; one sign-out ends both")
  func oneToken() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let devices = [author.client, try server.again(author, streams: "none").0.client]
    // The same ids on both, in another order.
    for round in 1...20 {
      for (device, client) in devices.enumerated() {
        client.send([
          "id": "r\(round)", "method": "post.add",
          "params": [
            "category": list, "id": newID(), "title": "d\(device) r\(round)", "key": newID(),
          ],
        ])
      }
    }
    var numbers: Set<Int> = []
    for (device, client) in devices.enumerated() {
      for round in 1...20 {
        let message = try client.next()
        #expect(message["id"] as? String == "r\(round)", "device \(device)")
        let number = (message["result"] as? [String: Any])?["number"] as? Int
        numbers.insert(try #require(number))
      }
    }
    #expect(numbers == Set(1...40))
    try devices[0].call("account.logout")
    #expect(devices[0].closeCode() == 1000)
    #expect(devices[1].closeCode() == 4506)
  }

  @Test("A batch that fails in the middle says where, and nothing has happened")
  func failingBatch() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let post = try author.addPost(list).id
    let group = newID()
    let commands: [[String: Any]] = [
      ["method": "post.complete", "params": ["category": list, "id": post]],
      ["method": "group.add", "params": ["id": group, "name": "g"]],
      [
        "method": "post.edit",
        "params": ["category": list, "id": post, "title": "x", "ifVersion": 1],
      ],
      ["method": "category.remove", "params": ["id": list]],
    ]
    let data = try refusal(author.client, "batch", ["commands": commands])
    #expect(data["kind"] as? String == "conflict")
    #expect(data["index"] as? Int == 2)
    let object = data["object"] as? [String: Any]
    // The post as it is, not as the batch had left it.
    #expect(object?["version"] as? Int == 1 && object?["title"] as? String == "milk")
    let open = try author.client.call("post.list", ["category": list, "show": "open"])
    #expect((open["posts"] as? [[String: Any]])?.map { $0["version"] as? Int } == [1])
    // The id is free.
    try author.client.change("group.add", ["id": group, "name": "g"])
    let (_, hello) = try server.again(author)
    let streams = hello["streams"] as? [[String: Any]] ?? []
    let head = streams.first { $0["stream"] as? String == "c:" + list }?["head"] as? Int
    #expect(head == 2)
  }

  @Test("A batch reaches others as one event, whole")
  func oneEvent() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let other = try server.join("other")
    let list = try author.addList()
    try author.invite(other, to: list.stream)
    try other.client.push("sync.live") { $0["stream"] as? String == list.stream }
    let id = newID()
    try author.client.change(
      "batch",
      [
        "commands": [
          ["method": "post.add", "params": ["category": list.id, "id": id, "title": "b"]],
          ["method": "post.complete", "params": ["category": list.id, "id": id]],
        ]
      ])
    let push = try other.client.push("sync.events") { $0["stream"] as? String == list.stream }
    let events = push["events"] as? [[String: Any]]
    let ops = events?.first?["ops"] as? [[String: Any]]
    #expect(events?.count == 1)
    #expect(ops?.map { $0["t"] as? String } == ["post.added", "post.completed"])
  }

  @Test("A command on a copy of another history is refused, a repeat of it is not")
  func staleBase() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let list = try author.addList()
    let (_, hello) = try server.again(author)
    let status = (hello["streams"] as? [[String: Any]])?.first {
      $0["stream"] as? String == list.stream
    }
    let epoch = try #require(status?["epoch"] as? String)
    let key = newID()
    let add: [String: Any] = [
      "category": list.id, "id": newID(), "title": "a", "key": key,
      "base": ["epoch": epoch, "seq": 1],
    ]
    let first = try author.client.call("post.add", add)
    let stale: [String: Any] = ["base": ["epoch": "x" + epoch, "seq": 1]]
    #expect(isSame(first, try author.client.call("post.add", add.merging(stale) { $1 })))
    for base in [["epoch": "x" + epoch, "seq": 1], ["epoch": epoch, "seq": 3]] as [[String: Any]] {
      let data = try refusal(
        author.client, "post.add",
        ["category": list.id, "id": newID(), "title": "b", "base": base])
      #expect(data["kind"] as? String == "stale_base")
    }
  }
}
