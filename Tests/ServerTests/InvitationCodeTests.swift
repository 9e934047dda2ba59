import Domain
import Foundation
import Sync
import Testing

@testable import Server

@Suite("protocol §8: invitations by code over a real socket")
struct InvitationCodeTests {
  private func made(
    _ person: Person, _ stream: String, role: String = "editor", uses: Int = 1
  ) throws -> (id: String, code: String) {
    let id = newID()
    let params: [String: Any] = ["id": id, "stream": stream, "role": role, "uses": uses]
    let answer = try person.client.change("invitation.make_code", params)
    return (id, try #require(answer["code"] as? String))
  }

  @Test("Whoever brings the code comes in, however it is spelled, and others by it too")
  func redeemed() throws {
    let server = try TestServer()
    let (author, bots) = (try server.join("author"), try server.join("bots"))
    let (list, stream) = try author.addList()
    let (_, code) = try made(author, stream, role: "doer", uses: 2)
    let answer = try bots.client.change(
      "invitation.redeem", ["code": code.lowercased().replacing("-", with: " ")])
    let events = answer["events"] as? [[String: Any]]
    #expect(events?.map { $0["stream"] as? String } == [stream, "u:" + bots.id])
    try bots.client.push("sync.live") { $0["stream"] as? String == stream }
    let third = try server.join("third", streams: "none")
    try third.client.change("invitation.redeem", ["code": code])
    let late = try server.join("late", streams: "none")
    #expect(throws: TestFailure.refused(kind: "invalid", field: "code")) {
      try late.client.change("invitation.redeem", ["code": code])
    }
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) { try third.addPost(list) }
  }

  @Test("Admins see the codes of a place, nobody else does, and no member sees them in its stream")
  func listed() throws {
    let server = try TestServer()
    let (author, bots) = (try server.join("author"), try server.join("bots", streams: "none"))
    let stream = try author.addList().stream
    let (first, second) = (try made(author, stream), try made(author, stream, role: "admin"))
    try author.invite(bots, to: stream)
    func codes(_ person: Person) throws -> [String: String] {
      let answer = try person.client.call("invitation.codes", ["stream": stream])
      let lines = answer["codes"] as? [[String: Any]] ?? []
      return Dictionary(
        uniqueKeysWithValues: lines.map { ($0["id"] as? String ?? "", $0["code"] as? String ?? "") }
      )
    }
    #expect(try codes(author) == [first.id: first.code, second.id: second.code])
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) { try codes(bots) }
    let stranger = try server.join("stranger", streams: "none")
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) { try codes(stranger) }
    try author.client.change("invitation.revoke", ["id": first.id, "stream": stream])
    #expect(try codes(author) == [second.id: second.code])
  }

  @Test("A code is in no file of the server")
  func stored() throws {
    let server = try TestServer()
    let (author, bots) = (try server.join("author"), try server.join("bots", streams: "none"))
    let (_, code) = try made(author, try author.addList().stream, uses: 2)
    try bots.client.change("invitation.redeem", ["code": code])
    try server.restart()
    let secrets = [
      Data(code.utf8), Data(code.replacing("-", with: "").utf8),
      Data(code.lowercased().replacing("-", with: "").utf8),
    ]
    let folder = URL(filePath: server.folder)
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files where !file.hasDirectoryPath {
      let bytes = try Data(contentsOf: file)
      for secret in secrets { #expect(bytes.range(of: secret) == nil, "\(file.lastPathComponent)") }
    }
    let (again, _) = try server.again(bots, streams: "none")
    #expect(throws: TestFailure.refused(kind: "invalid", field: "code")) {
      try again.client.change("invitation.redeem", ["code": code + "0"])
    }
  }

  @Test("Who tries many is told to wait")
  func guessing() throws {
    let server = try TestServer {
      $0.session.rate = TokenRate(count: 20, everyMilliseconds: 1_000, burst: 100)
    }
    let guesser = try server.join("guesser", streams: "none")
    let code = Codes(secret: [1]).invitation(
      InvitationID(UUID(high: 1, low: 2)), to: .category(CategoryID(UUID(high: 3, low: 4))))
    var kinds: [String: Int] = [:]
    for _ in 0..<60 {
      do {
        try guesser.client.change("invitation.redeem", ["code": code])
      } catch TestFailure.refused(let kind, _) {
        kinds[kind, default: 0] += 1
      }
    }
    #expect(kinds["invalid", default: 0] > 5)
    #expect(kinds["rate_limited", default: 0] > 5)
  }
}

@Suite("Codes that make an owner")
struct OwnershipCodeTests {
  private let codes = Codes(secret: Array(0..<32))
  private let family = StreamID.group(GroupID(UUID(high: 6, low: 1)))
  private let heir = UserID(UUID(high: 1, low: 2))
  private let id: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

  @Test("It says for whom, where and until when, however it is spelled")
  func read() {
    let text = codes.ownership(of: family, for: heir, id: id, endsAt: 1_800_000_000)
    let opening = CodeInHand.Opening.ownership(
      family, code: "owner 0102030405060708",
      endsAt: Timestamp(milliseconds: 1_800_000_000_000))
    #expect(codes.ownership(text, of: heir) == opening)
    #expect(codes.book.ownership(text.lowercased().replacing("-", with: " "), heir) == opening)
    #expect(codes.ownership(text, of: UserID(UUID(high: 1, low: 3))) == nil)
    #expect(Codes(secret: Array(1...32)).ownership(text, of: heir) == nil)
    #expect(codes.book.place(text) == nil)
  }

  @Test("No letter of it can be another")
  func forged() {
    let text = codes.ownership(of: family, for: heir, id: id, endsAt: 1_800_000_000)
    for index in text.indices where text[index] != "-" {
      var other = text
      other.replaceSubrange(index...index, with: text[index] == "7" ? "8" : "7")
      #expect(codes.ownership(other, of: heir) == nil)
    }
  }
}
