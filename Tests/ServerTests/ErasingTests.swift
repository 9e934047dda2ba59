import Foundation
import Sync
import Testing

@testable import Server

extension TestServer {
  var databasePath: String { folder + "/whattodo.db" }

  /// Returns how a stream goes on for a client that comes with this cursor.
  func mode(
    of stream: String, for person: Person, _ cursor: [String: Any]
  ) throws -> (person: Person, mode: String, reason: String?) {
    let (again, hello) = try again(person, cursors: [stream: cursor], streams: [stream])
    let status = (hello["streams"] as? [[String: Any]])?.first ?? [:]
    return (again, status["mode"] as? String ?? "", status["reason"] as? String)
  }
}

extension Person {
  /// Returns the place where a stream stands now.
  func cursor(_ stream: String, on server: TestServer) throws -> [String: Any] {
    let (again, _) = try server.again(self, streams: [stream])
    let page = try again.client.push("sync.snapshot")
    return ["epoch": page["epoch"]!, "seq": page["seq"]!, "tx": page["tx"]!]
  }
}

@Suite("protocol §5.6: erasing over real sockets") struct ErasingTests {
  @Test("whoever resumes from before gets no word of it, and no file has it")
  func erased() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let bots = try server.join("bots")
    let (list, stream) = try author.addList()
    try author.invite(bots, to: stream)
    let cursor = try bots.cursor(stream, on: server)
    let (post, _) = try author.addPost(list, "my secret pin 4711")
    let edit = ["category": list, "id": post, "notes": "my secret pin 4712"]
    try author.client.change("post.edit", edit)
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try bots.client.change("post.erase", ["category": list, "id": post])
    }
    try author.client.change("post.erase", ["category": list, "id": post])
    let push = try bots.client.push("sync.events") { "\($0)".contains("post.erased") }
    #expect(push["stream"] as? String == stream)

    let (again, mode, _) = try server.mode(of: stream, for: bots, cursor)
    #expect(mode == "tail")
    var texts = ""
    repeat {
      texts += "\(try again.client.push("sync.events"))"
    } while !texts.contains("post.erased")
    #expect(texts.contains("post.added") && !texts.contains("secret"))
    let page = try again.client.call("post.list", ["category": list, "show": "open"])
    #expect(!"\(page)".contains("secret"))
    let from = try #require(push["from"] as? Int)
    let events = try #require(push["events"] as? [Any])
    try expectNoWord(of: "secret", in: list, head: from + events.count - 1, for: author)
    try server.expectNowhere("my secret pin 471")
    server.stop()
    #expect(try server.files(with: "my secret pin 471") == [])
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  /// Expects that the past has the text nowhere, and has everything else.
  private func expectNoWord(
    of text: String, in list: String, head: Int, for person: Person
  ) throws {
    let stream = "c:" + list
    var answers = [try person.client.call("history.get", ["stream": stream])]
    for seq in 1...head {
      answers.append(try person.client.call("history.state", ["category": list, "seq": seq]))
      let params: [String: Any] = ["category": list, "from": seq, "to": head]
      answers.append(try person.client.call("history.diff", params))
    }
    answers.append(
      try person.client.call("undo.preview", ["stream": stream, "by": person.id, "since": 0]))
    #expect(!"\(answers)".contains(text))
    #expect("\(answers[0])".contains("post.edited"))
  }
}
