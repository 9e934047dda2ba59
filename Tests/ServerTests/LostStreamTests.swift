import Foundation
import Testing

@testable import Server

@Suite("protocol §5.3, §8 `hello`: streams lost while away")
struct LostStreamTests {
  @Test("Whoever was removed while away is told that the copy is to be dropped")
  func removedWhileAway() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let bots = try server.join("bots")
    let (_, stream) = try author.addList()
    try author.invite(bots, to: stream)
    let page = try bots.client.push("sync.snapshot") { $0["stream"] as? String == stream }
    let cursor = ["epoch": page["epoch"]!, "seq": page["seq"]!, "tx": page["tx"]!]
    try author.client.change("member.remove", ["stream": stream, "user": bots.id])
    let hello = try server.again(bots, cursors: [stream: cursor]).hello
    let streams = try #require(hello["streams"] as? [[String: Any]])
    #expect(streams.map { $0["stream"] as? String } == [stream, "u:" + bots.id])
    #expect(streams[0]["mode"] as? String == "gone")
    #expect(Set(streams[0].keys) == ["stream", "mode"])
  }

  @Test("Nobody learns from a cursor whether a stream exists")
  func neverThere() throws {
    let server = try TestServer()
    let author = try server.join("author", streams: "none")
    let bots = try server.join("bots", streams: "none")
    let (_, stream) = try author.addList()
    let cursor: [String: Any] = ["epoch": "e", "seq": 1, "tx": newID()]
    let unknown = "c:" + newID()
    let hello = try server.again(bots, cursors: [stream: cursor, unknown: cursor]).hello
    let streams = try #require(hello["streams"] as? [[String: Any]])
    let modes = Dictionary(
      uniqueKeysWithValues: streams.map { ($0["stream"] as? String, $0["mode"] as? String) })
    #expect(modes[stream] == "gone")
    #expect(modes[unknown] == "gone")
  }
}
