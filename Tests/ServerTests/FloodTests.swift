import Domain
import Foundation
import Glibc
import Sync
import Testing

@testable import Server

@Suite("protocol §13: who sends more than they may")
struct FloodTests {
  /// The outcomes of many commands, in the order in which they were sent.
  private struct Answers {
    var granted = 0
    var waits: [Int] = []
  }

  private func add(_ count: Int, to list: String, by client: TestClient) -> [Int] {
    (0..<count).map { number in
      client.send(
        "post.add",
        ["category": list, "id": newID(), "title": "p\(number)", "key": newID()])
    }
  }

  private func collect(_ sent: [Int], from client: TestClient) throws -> Answers {
    var answers = Answers()
    for number in sent {
      do {
        _ = try client.answer(to: number)
        answers.granted += 1
      } catch TestFailure.refused(let kind, _) {
        #expect(kind == "rate_limited")
        answers.waits.append(answers.granted)
      }
    }
    return answers
  }

  @Test("A person's commands are counted over all connections, on whatever loop")
  func overAllConnections() throws {
    let server = try TestServer {
      $0.commandRate = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 30)
    }
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let devices = try (0..<4).map { _ in try server.again(author, streams: "none").0.client }
    let sent = devices.map { add(20, to: list, by: $0) }
    var granted = 0
    for (device, numbers) in zip(devices, sent) {
      granted += try collect(numbers, from: device).granted
      // Requests that are no commands go on.
      try device.call("profile.get")
    }
    // The list took one.
    #expect(granted == 29)
    let posts = try author.client.call("post.list", ["category": list, "show": "open"])
    #expect((posts["posts"] as? [Any])?.count == 29)
  }

  @Test("Others go on while somebody floods")
  func bystanders() throws {
    let server = try TestServer {
      $0.commandRate = TokenRate(count: 20, everyMilliseconds: 1_000, burst: 100)
    }
    let flooder = try server.join("flooder", streams: "none")
    let worker = try server.join("worker", streams: "none")
    let mine = try flooder.addList().id
    let theirs = try worker.addList().id
    let devices = try (0..<5).map { _ in try server.again(flooder, streams: "none").0.client }
    var sent = devices.map { _ in [Int]() }
    for number in 1...40 {
      for (index, device) in devices.enumerated() { sent[index] += add(10, to: mine, by: device) }
      let answer = try worker.addPost(theirs, "w\(number)").answer
      #expect(answer["number"] as? Int == number)
    }
    var refused = 0
    for (device, numbers) in zip(devices, sent) {
      refused += try collect(numbers, from: device).waits.count
    }
    #expect(refused > 0)
  }

  @Test("A batch costs as much as its commands", arguments: [(9, true), (10, false)])
  func batches(count: Int, fits: Bool) throws {
    let server = try TestServer {
      $0.commandRate = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 30)
    }
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    func batch(_ count: Int) throws {
      let commands = (0..<count).map { number -> [String: Any] in
        [
          "method": "post.add",
          "params": ["category": list, "id": newID(), "title": "b\(number)"],
        ]
      }
      try author.client.change("batch", ["commands": commands])
    }
    try batch(20)
    if fits { try batch(count) }
    // A request that would fit waits, too, behind one that does not: it was sent later.
    for count in [count, 1] {
      #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) { try batch(count) }
    }
  }

  @Test("An undo costs as much as its events", arguments: [(9, true), (10, false)])
  func undos(count: Int, fits: Bool) throws {
    let server = try TestServer {
      $0.commandRate = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 30)
    }
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    for number in 1...10 { _ = try author.addPost(list, "p\(number)") }
    func undo(_ count: Int) throws {
      try author.client.change("undo", ["stream": "c:" + list, "events": Array(2..<(2 + count))])
    }
    try undo(10)
    if fits { try undo(count) }
    for count in [count, 1] {
      #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) { try undo(count) }
    }
  }

  @Test("Questions about what was are counted over all connections", arguments: [1, 3])
  func looks(readers: Int) throws {
    let server = try TestServer {
      $0.historyRate = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 6)
      ($0.loops, $0.readers) = (2, readers)
    }
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let devices = try (0..<4).map { _ in try server.again(author, streams: "none").0.client }
    let questions: [(String, [String: Any])] = [
      ("history.get", ["stream": "c:" + list]), ("history.state", ["category": list, "seq": 1]),
      ("history.diff", ["category": list, "from": 1, "to": 1]),
      ("undo.preview", ["stream": "c:" + list, "by": author.id, "since": 0]),
    ]
    for (device, (method, params)) in zip(devices, questions) { try device.call(method, params) }
    try devices[0].call("history.get", ["stream": "c:" + list])
    try devices[3].call("history.get", ["stream": "c:" + list])
    for (device, (method, params)) in zip(devices, questions) {
      #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
        try device.call(method, params)
      }
    }
    // A person who reads nothing of the past goes on, and others do.
    try devices[0].call("post.list", ["category": list, "show": "open"])
    let other = try server.join("other", streams: "none")
    try other.client.call("history.get", ["stream": "u:" + other.id])
  }

  @Test("Other questions are counted over all connections, too", arguments: [1, 3])
  func questions(readers: Int) throws {
    let server = try TestServer {
      $0.commandRate = TokenRate(count: 1, everyMilliseconds: 600_000, burst: 5)
      ($0.loops, $0.readers) = (2, readers)
    }
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let devices = try (0..<5).map { _ in try server.again(author, streams: "none").0.client }
    let questions: [(String, [String: Any])] = [
      ("post.list", ["category": list, "show": "open"]), ("member.list", ["stream": "c:" + list]),
      ("category.list", ["show": "removed"]), ("notification.list", ["limit": 1]),
      ("invitation.codes", ["stream": "c:" + list]),
    ]
    for (device, (method, params)) in zip(devices, questions) { try device.call(method, params) }
    for (device, (method, params)) in zip(devices, questions) {
      #expect(throws: TestFailure.refused(kind: "rate_limited", field: nil)) {
        try device.call(method, params)
      }
    }
    try devices[0].call("session.list", [:])
  }

  @Test("Ten thousand commands at once are answered in order, each once")
  func tenThousand() throws {
    let server = try TestServer {
      $0.session.rate = TokenRate(count: 1_000_000, everyMilliseconds: 1_000, burst: 1_000_000)
    }
    let author = try server.join("author", streams: "none")
    let list = try author.addList().id
    let client = author.client
    // The server stops reading at 64, so the sender must not be the reader.
    let sender = FloodSender(client: client) { number in
      #"{"id":\#(number),"method":"category.edit","params":{"id":"\#(list)","#
        + #""name":"n\#(number % 2)","key":"k\#(number)"}}"#
    }
    sender.start(from: 1_000_001, count: 10_000)
    for number in 1_000_001...1_010_000 {
      let message = try client.next()
      #expect(message["id"] as? Int == number)
      let result = message["result"] as? [String: Any]
      #expect((result?["events"] as? [[String: Any]])?.first?["seq"] as? Int == number - 999_999)
    }
    sender.join()
  }
}

/// A thread that only writes, while the test's own thread only reads.
private final class FloodSender: @unchecked Sendable {
  private let client: TestClient
  private let message: (Int) -> String
  private let done = DispatchSemaphore(value: 0)

  init(client: TestClient, message: @escaping (Int) -> String) {
    self.client = client
    self.message = message
  }

  func start(from first: Int, count: Int) {
    Foundation.Thread.detachNewThread { [self] in
      for number in first..<first + count { client.sendText(Array(message(number).utf8)) }
      done.signal()
    }
  }

  func join() { done.wait() }
}
