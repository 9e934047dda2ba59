import Domain
import Foundation
import MethodSamples
import Testing

@testable import Server

@Suite("protocol §8 link.make: a link shows its list, and opens nothing else to anybody")
struct LinkAttackTests {
  private struct Shown {
    let server: TestServer
    let author: Person
    let list: String
    let post: String
    let link: String
    let code: String
    var stream: String { "c:" + list }

    init(_ change: (inout ServerOptions) -> Void = { _ in }) throws {
      server = try TestServer(change)
      author = try server.join("author")
      list = try author.addList().id
      post = try author.addPost(list).id
      link = newID()
      let made = try author.client.change("link.make", ["category": list, "id": link])
      code = made["code"] as? String ?? ""
    }

    /// Connects to a loop that the server chooses.
    @discardableResult
    func look(_ code: String? = nil, receiveBufferBytes: Int32? = nil) throws -> TestClient {
      let client = try server.connect(receiveBufferBytes: receiveBufferBytes)
      try client.call(
        "hello", ["link": code ?? self.code, "client": ["name": "test", "version": "1"]])
      return client
    }
  }

  private let unknown = TestFailure.refused(kind: "unauthenticated", field: nil)
  private let forbidden = TestFailure.refused(kind: "forbidden", field: nil)

  @Test("A code with another character anywhere opens nothing, nor does a code of another kind")
  func guesses() throws {
    let it = try Shown()
    let characters = Array(it.code)
    for index in characters.indices where characters[index] != "-" {
      var guess = characters
      guess[index] = guess[index] == "7" ? "8" : "7"
      // One try a connection: it is closed.
      let client = try it.server.connect()
      #expect(throws: unknown) {
        try client.call(
          "hello", ["link": String(guess), "client": ["name": "test", "version": "1"]])
      }
      #expect(client.closeCode() == 4502)
    }
    let invitation = try it.author.client.change(
      "invitation.make_code", ["stream": it.stream, "id": newID(), "role": "viewer"])
    #expect(throws: unknown) { try it.look(invitation["code"] as? String) }
    #expect(throws: unknown) { try it.look(it.author.recoveryCode) }
    let other = try it.server.join("other")
    #expect(throws: TestFailure.self) {
      try other.client.change("invitation.redeem", ["code": it.code])
    }
    #expect(throws: unknown) {
      try it.server.connect().call(
        "hello", ["token": it.code, "client": ["name": "test", "version": "1"]])
    }
  }

  /// The parameters are the very ones with which a member's change takes effect.
  @Test(
    "Whatever changes something is forbidden, and changes nothing",
    arguments: EveryMethodTests.changes)
  func changes(_ sample: MethodSample) throws {
    var household = try ServedHousehold()
    let guest = try household.server.connect()
    let hello: [String: Any] = ["client": ["name": "test", "version": "1"]]
    try guest.call("hello", hello.merging(["link": try household.linkCode()]) { $1 })
    for doing in sample.before { try household.play(doing) }
    let params = try household.params(of: sample.command)
    let head = try household.head()
    let refused = #expect(throws: TestFailure.self) {
      try guest.change(sample.method.name, params)
    }
    #expect(refused == forbidden, "\(sample) \(params)")
    #expect(try household.head() == head)
  }

  @Test("One link is good for several, also at once, and for so many on each loop")
  func several() throws {
    let it = try Shown { $0.session.linkConnectionsMax = 1 }
    var guests: [TestClient] = []
    var refused = 0
    for _ in 0..<3 {
      do {
        guests.append(try it.look())
      } catch TestFailure.refused(kind: "quota", field: nil) {
        refused += 1
      }
    }
    // Two loops, and which one a connection comes to is the server's matter.
    #expect(refused >= 1 && !guests.isEmpty)
    try it.author.addPost(it.list, "bread")
    for guest in guests { try guest.push("sync.events") { "\($0)".contains("bread") } }
    try it.author.client.change("link.revoke", ["category": it.list, "id": it.link])
    for guest in guests { #expect(guest.closeCode() == 4507) }
  }

  @Test("Who is in the middle of a long snapshot at the end gets nothing that came later")
  func snapshot() throws {
    let it = try Shown()
    for number in 0..<60 {
      let notes = String(repeating: "long \(number) ", count: 1_500)
      try it.author.client.change(
        "post.add", ["category": it.list, "id": newID(), "title": "p\(number)", "notes": notes])
    }
    let guest = try it.look(receiveBufferBytes: 4_096)
    // The first page is here, and the others do not fit between the two ends.
    try guest.push("sync.snapshot")
    try it.author.client.change("link.revoke", ["category": it.list, "id": it.link])
    try it.author.addPost(it.list, "secret")
    // It was closed, whether or not it took what was on its way.
    #expect([4507, -1].contains(guest.closeCode()))
    #expect(!"\(guest.pushes)".contains("secret"))
  }

  @Test("A maker who may make no links any more shows nothing: demoted in the group, or gone")
  func makers() throws {
    let server = try TestServer()
    let (owner, admin) = (try server.join("owner"), try server.join("admin"))
    let group = newID()
    try owner.client.change("group.add", ["id": group, "name": "family"])
    try owner.invite(admin, to: "g:" + group, as: "admin")
    let (list, _) = try owner.addList("chores", group: group)
    func look() throws -> TestClient {
      let link = try admin.client.change("link.make", ["category": list, "id": newID()])
      let guest = try server.connect()
      try guest.call(
        "hello",
        ["link": link["code"] as? String ?? "", "client": ["name": "test", "version": "1"]])
      return guest
    }
    let first = try look()
    let demoted: [String: Any] = ["stream": "g:" + group, "user": admin.id, "role": "editor"]
    try owner.client.change("member.set_role", demoted)
    #expect(first.closeCode() == 4507)
    try owner.client.change("member.set_role", demoted.merging(["role": "admin"]) { $1 })
    let second = try look()
    try admin.client.change("member.leave", ["stream": "g:" + group])
    #expect(second.closeCode() == 4507)
    let links = try owner.client.call("link.list", ["category": list])
    #expect((links["links"] as? [Any])?.isEmpty == true)
  }

  @Test("An archived list is looked at; one that is removed shows its end and lets nobody in")
  func lists() throws {
    let it = try Shown()
    try it.author.client.change("category.archive", ["id": it.list])
    let guest = try it.look()
    try guest.push("sync.live")
    let second = newID()
    let code = try it.author.client.change("link.make", ["category": it.list, "id": second])
    try it.look(code["code"] as? String)
    try it.author.client.change("category.remove", ["id": it.list])
    try guest.push("sync.events") { "\($0)".contains("category.removed") }
    #expect(throws: unknown) { try it.look() }
    try it.author.client.change("link.revoke", ["category": it.list, "id": it.link])
    #expect(guest.closeCode() == 4507)
    try it.author.client.change("category.restore", ["id": it.list])
    #expect(throws: unknown) { try it.look() }
    try it.look(code["code"] as? String)
  }

  @Test("Who looks is here as one guest, however many they are, and not any more after the end")
  func presence() throws {
    let it = try Shown()
    func isHere(_ count: Int) -> ([String: Any]) -> Bool {
      { $0["kind"] as? String == "presence" && $0["count"] as? Int == count }
    }
    let guests = [try it.look(), try it.look()]
    for guest in guests {
      try guest.push("sync.live")
      try guest.call("presence.set", ["stream": it.stream, "state": "here"])
    }
    let here = try it.author.client.push("ephemeral", where: isHere(1))
    let entry = (here["entries"] as? [[String: Any]])?.first
    let user = try #require((entry?["user"] as? String).flatMap { UUID($0) })
    #expect(user.isLinkGuest)
    try it.author.client.change("link.revoke", ["category": it.list, "id": it.link])
    try it.author.client.push("ephemeral", where: isHere(0))
    for guest in guests { #expect(guest.closeCode() == 4507) }
  }

  @Test("A second hello, of another link or of a person, is refused on the connection of a link")
  func again() throws {
    let it = try Shown()
    let guest = try it.look()
    for params in [["link": it.code], ["token": it.author.token]] {
      #expect(throws: TestFailure.self) {
        try guest.call(
          "hello",
          (params as [String: Any]).merging(["client": ["name": "test", "version": "1"]]) { $1 })
      }
    }
    #expect(throws: forbidden) { try guest.call("profile.get") }
  }
}

extension ServedHousehold {
  /// Returns the number of the list's newest event, as the owner hears of it.
  fileprivate func head() throws -> Int? {
    let (_, hello) = try server.again(person(Household.owner))
    let streams = hello["streams"] as? [[String: Any]] ?? []
    let stream = StreamID.category(Household.list).description
    return streams.first { $0["stream"] as? String == stream }?["head"] as? Int
  }
}
