import Domain
import Foundation
import Testing

@testable import Server

@Suite("protocol §8: the digest of a day is answered over the network")
struct DigestTests {
  /// Returns a zone in which it is about noon, so that no midnight comes in between, and its day.
  private static func noon() -> (zone: String, day: Day) {
    let hours = Int(Date().timeIntervalSince1970) / 3_600
    let east = 12 - hours % 24
    let zone = east == 0 ? "UTC" : east > 0 ? "Etc/GMT-\(east)" : "Etc/GMT+\(-east)"
    return (zone, Day(number: (hours + east) / 24))
  }

  @Test("Members are told who did how much; what is over or in another zone's day is not there")
  func members() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let editor = try server.join("editor", streams: "none")
    let (list, stream) = try author.addList("shared")
    try author.invite(editor, to: stream)
    let (milk, _) = try author.addPost(list, "milk")
    try editor.client.change("post.complete", ["category": list, "id": milk])
    let (zone, day) = Self.noon()
    let found = try author.client.call("digest.get", ["day": "\(day)", "zone": zone])
    let lists = try #require(found["lists"] as? [[String: Any]])
    let line = try #require(lists.first { $0["stream"] as? String == stream })
    #expect(line["added"] as? Int == 1 && line["completed"] as? Int == 1)
    let people = try #require(line["people"] as? [[String: Any]])
    #expect(people.map { $0["username"] as? String } == ["editor"])
    #expect((line["mine"] as? [String: Any])?["added"] as? Int == 1)
    #expect((found["today"] as? [String: Any])?["done"] as? Int == 1)
    let earlier = try author.client.call(
      "digest.get", ["day": "\(day.adding(days: -1))", "zone": zone])
    #expect((earlier["lists"] as? [Any])?.isEmpty == true)
    #expect(throws: TestFailure.refused(kind: "invalid", field: "zone")) {
      try author.client.call("digest.get", ["day": "\(day)", "zone": "No/Zone"])
    }
  }

  @Test("Whoever says when is told; a clock's time and nothing else is one")
  func setting() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    #expect(throws: TestFailure.refused(kind: "invalid", field: "digest")) {
      try author.client.change("settings.edit", ["digest": "6pm"])
    }
    let made = try author.client.change("settings.edit", ["digest": "18:00"])
    #expect(made["changed"] as? Bool == true)
    let same = try author.client.change("settings.edit", ["digest": "18:00"])
    #expect(same["changed"] as? Bool == false)
  }
}
