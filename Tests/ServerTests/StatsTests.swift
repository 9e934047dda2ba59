import Domain
import Foundation
import Testing

@testable import Server

@Suite("protocol §8: statistics are answered over the network")
struct StatsTests {
  @Test("Members are told who completed how much and how much of it in time; others nothing")
  func members() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let editor = try server.join("editor", streams: "none")
    let carla = try server.join("carla", streams: "none")
    let (list, stream) = try author.addList("shared")
    try author.invite(editor, to: stream)
    let (milk, _) = try author.addPost(list, "milk")
    try author.client.change(
      "post.edit", ["category": list, "id": milk, "due": ["date": "2001-11-24"]])
    let (bread, _) = try author.addPost(list, "bread")
    for post in [milk, bread] {
      try editor.client.change("post.complete", ["category": list, "id": post])
    }
    let today = Day(number: Int(Date().timeIntervalSince1970) / 86_400)
    // A midnight may come in between.
    let days = [
      "stream": stream, "from": "\(today)", "to": "\(today.adding(days: 1))", "zone": "UTC",
    ]
    let found = try author.client.call("stats.get", days)
    #expect(found["added"] as? Int == 2 && found["completed"] as? Int == 2)
    #expect(found["onTime"] as? Int == 0 && found["late"] as? Int == 1)
    #expect(try #require(found["lateMedianMs"] as? Int) > 86_400_000)
    let people = try #require(found["people"] as? [[String: Any]])
    #expect(people.map { $0["username"] as? String } == ["editor", "author"])
    #expect(people.map { $0["completed"] as? Int } == [2, 0])
    #expect(people.map { $0["added"] as? Int } == [0, 2])
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try carla.client.call("stats.get", days)
    }
    var tooMany = days
    tooMany["to"] = "\(today.adding(days: 3_660))"
    #expect(throws: TestFailure.refused(kind: "invalid", field: "to")) {
      try author.client.call("stats.get", tooMany)
    }
  }
}
