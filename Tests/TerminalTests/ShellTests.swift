import Client
import Domain
import Foundation
import Testing

@testable import WhattodoTerminal

@Suite("completion")
struct CompletionTests {
  static let rows: [(String, [String], String?)] = [
    ("/don", ["/done"], "/done "),
    (
      "/re",
      [
        "/reopen", "/restore", "/redo", "/resay", "/repeat", "/release", "/react", "/remind",
        "/rename", "/revoke", "/recover",
      ], nil
    ),
    ("/ba", ["/back"], "/back "),
    ("#g", ["#groceries"], "#groceries "), ("#B", ["#Big-Shop"], "#Big-Shop "),
    ("@", ["@author", "@editor"], nil),
    ("+u", ["+urgent"], "+urgent "), ("mil", [], nil), ("", [], nil), ("/zzz", [], nil),
  ]

  @Test("a word becomes what it can only be", arguments: rows)
  func complete(begun: String, candidates: [String], word: String?) {
    let completion = Completion(of: begun, in: Demo.situation())
    #expect(completion.candidates == candidates)
    #expect(completion.word == word)
  }
}

@Suite("read marks: at most every five seconds")
struct MarkClockTests {
  @Test("the first is due at once, the next five seconds later")
  func pace() {
    final class Hand { var now: Int64 = 1_000 }
    let hand = Hand()
    var clock = MarkClock(now: { hand.now })
    var taken: [Bool] = []
    #expect(clock.wait == nil)
    taken.append(clock.take())
    clock.read()
    #expect(clock.wait == 0)
    taken.append(clock.take())
    clock.read()
    #expect(clock.wait == 5_000)
    hand.now += 4_999
    taken.append(clock.take())
    hand.now += 1
    taken.append(clock.take())
    #expect(taken == [false, true, false, true])
    #expect(clock.wait == nil)
  }
}

@Suite("addresses of servers")
struct ServerAddressTests {
  static let good: [(String, String)] = [
    ("ws://127.0.0.1:8484/ws", "ws://127.0.0.1:8484/ws"), ("ws://host", "ws://host:80/ws"),
    ("ws://host:9/", "ws://host:9/ws"), ("ws://[::1]:9/x", "ws://[::1]:9/x"),
    ("ws://[::1]", "ws://[::1]:80/ws"), ("wss://host", "wss://host:443/ws"),
    ("wss://host:9/x", "wss://host:9/x"),
  ]

  @Test("a URL has one spelling", arguments: good)
  func read(text: String, url: String) throws {
    #expect(try ServerAddress(text).url == url)
  }

  static let places: [(String, Bool)] = [
    ("wss://todo.example", true), ("ws://127.0.0.1:8484", true), ("ws://127.9.8.7", true),
    ("ws://localhost", true), ("ws://[::1]:1", true), ("ws://todo.example", false),
    ("ws://127.0.0.1.example", false), ("ws://128.0.0.1", false), ("ws://[::2]", false),
    ("ws://0.0.0.0", false), ("ws://localhost.example", false), ("ws://[::ffff:10.0.0.1]", false),
  ]

  @Test("A connection that others could read is known", arguments: places)
  func privacy(text: String, isPrivate: Bool) throws {
    #expect(try ServerAddress(text).isPrivate == isPrivate)
  }

  @Test(
    "a calendar is beside the socket",
    arguments: [
      ("ws://127.0.0.1:8484", "http://127.0.0.1:8484/calendar/ab.ics"),
      ("wss://todo.example.org", "https://todo.example.org:443/calendar/ab.ics"),
      ("wss://[::1]:1/ws", "https://[::1]:1/calendar/ab.ics"),
      ("wss://example.org/todo/ws", "https://example.org:443/todo/calendar/ab.ics"),
    ])
  func calendar(server: String, address: String) throws {
    #expect(try ServerAddress(server).calendar(link: "A-B") == address)
  }

  @Test(
    "other things are told",
    arguments: [
      "", "host", "http://host/ws", "https://host/ws", "ws://", "wss://", "ws://host:0/ws",
      "ws://host:65536/ws",
      "ws://host:x/ws", "ws://ho st/ws", "ws://user@host/ws", "ws://host/a b", "ws://[::1/ws",
      "ws://host/\r\nX: y",
    ])
  func refuse(text: String) {
    #expect(throws: ClientError.self) { try ServerAddress(text) }
  }
}

@Suite("state folder")
struct StateFolderTests {
  private func inFolder(_ work: (StateFolder, String) throws -> Void) throws {
    let base = NSTemporaryDirectory() + "whattodo-" + Foundation.UUID().uuidString
    defer { _ = try? FileManager.default.removeItem(atPath: base) }
    try work(StateFolder(path: base + "/deep/state"), base + "/deep/state")
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test("a session is kept for its owner only, and replaced whole")
  func session() throws {
    try inFolder { folder, path in
      #expect(try folder.session() == nil)
      for token in ["one", "two"] {
        let session = StateFolder.Session(server: "ws://h:1/ws", username: "author", token: token)
        try folder.save(session)
        #expect(try folder.session() == session)
      }
      for authorities in ["/a folder/ca.pem", nil] {
        let session = StateFolder.Session(
          server: "wss://h:1/ws", username: "author", token: "two", authorities: authorities)
        try folder.save(session)
        #expect(try folder.session() == session)
      }
      #expect(try mode(path) == 0o700)
      #expect(try mode(path + "/session") == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["session"])
    }
  }

  @Test("the device's secret stays the same; deleting deletes everything")
  func device() throws {
    try inFolder { folder, path in
      let device = try folder.device()
      #expect(device.utf8.count >= 43)
      #expect(try folder.device() == device)
      try folder.saveOpenList("c:x")
      #expect(try folder.openList() == "c:x")
      try folder.deleteAll()
      #expect(!FileManager.default.fileExists(atPath: path))
      try folder.deleteAll()
      #expect(try folder.device() != device)
    }
  }

  @Test("a damaged file is told, and nothing is overwritten")
  func damaged() throws {
    try inFolder { folder, path in
      try folder.save(StateFolder.Session(server: "s", username: "u", token: "t"))
      try "nonsense".write(toFile: path + "/session", atomically: false, encoding: .utf8)
      #expect(throws: ClientError.self) { try folder.session() }
    }
  }

  @Test("a link in the place of a new file is not followed")
  func link() throws {
    try inFolder { folder, path in
      try folder.saveOpenList("x")
      let target = path + "/../target"
      try FileManager.default.createSymbolicLink(
        atPath: path + "/session.new", withDestinationPath: target)
      try folder.save(StateFolder.Session(server: "s", username: "u", token: "t"))
      #expect(!FileManager.default.fileExists(atPath: target))
      #expect(try folder.session()?.token == "t")
    }
  }
}
