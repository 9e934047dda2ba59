import Domain
import Foundation
import Sync
import Testing

@testable import Server

@Suite("protocol §5.12: bots over a real socket")
struct BotTests {
  // MARK: Bots

  @Test("A bot is one in its profile, among members, in pushes, in its export, and after a restart")
  func shown() throws {
    let server = try TestServer { $0.firstLists = ["inbox"] }
    let author = try server.join("author")
    let bot = try server.join("robot", kind: "bot")
    let (_, stream) = try author.addList()
    try author.invite(bot, to: stream)
    let push = try author.client.push("sync.events") { "\($0)".contains("member.added") }
    #expect("\(push)".contains("\"kind\": \"bot\""))
    #expect(try kinds(in: stream, server, author) == ["person", "bot"])
    try server.restart()
    for (person, kind) in [(author, "person"), (bot, "bot")] {
      let (again, _) = try server.again(person)
      #expect(try profile(of: again)["kind"] as? String == kind)
      let members = try again.client.call("member.list", ["stream": stream])["members"]
      let listed = (members as? [[String: Any]] ?? []).map {
        "\($0["username"] ?? "") \($0["kind"] ?? "")"
      }
      #expect(listed.sorted() == ["author person", "robot bot"])
      let export = try again.client.call("account.export")
      let objects = (export["lines"] as? [[String: Any]] ?? []).compactMap {
        $0["object"] as? [String: Any]
      }
      let own = objects.first { $0["t"] as? String == "profile" }
      #expect(own?["kind"] as? String == kind)
    }
    server.stop()
    #expect(try OperatorCommands.verify(dataFolder: server.folder).isSound)
  }

  /// Returns the kinds of a list's members as its snapshot has them, the oldest first.
  private func kinds(
    in stream: String, _ server: TestServer, _ person: Person
  ) throws -> [String] {
    let (again, _) = try server.again(person, streams: [stream])
    let snapshot = try again.client.push("sync.snapshot") { $0["stream"] as? String == stream }
    let objects = snapshot["objects"] as? [[String: Any]] ?? []
    let members = objects.filter { $0["t"] as? String == "member" }
    return members.sorted { ($0["joinedSeq"] as? Int ?? 0) < ($1["joinedSeq"] as? Int ?? 0) }
      .compactMap { $0["kind"] as? String }
  }

  private func profile(of person: Person) throws -> [String: Any] {
    try person.client.call("profile.get")["profile"] as? [String: Any] ?? [:]
  }

  @Test("The same registration again answers the same; one of another kind is another one")
  func repeated() throws {
    let server = try TestServer()
    let client = try server.connect()
    let bot: [String: Any] = [
      "id": newID(), "username": "robot", "password": "correct horse", "kind": "bot",
    ]
    let first = try client.call("account.register", bot)
    #expect(isSame(first, try server.connect().call("account.register", bot)))
    var other = bot
    for kind in ["person", nil] {
      other["kind"] = kind
      #expect(throws: TestFailure.refused(kind: "exists", field: "id")) {
        try client.call("account.register", other)
      }
    }
    // For a person both ways to say it are the same request.
    var person: [String: Any] = ["id": newID(), "username": "mia", "password": "correct horse"]
    let second = try client.call("account.register", person)
    person["kind"] = "person"
    #expect(isSame(second, try client.call("account.register", person)))
    person["kind"] = "bot"
    #expect(throws: TestFailure.refused(kind: "exists", field: "id")) {
      try client.call("account.register", person)
    }
    for kind in ["robot", "", 1] as [Any] {
      person["kind"] = kind
      #expect(throws: TestFailure.refused(kind: "invalid", field: "kind")) {
        try client.call("account.register", person)
      }
    }
  }

  @Test("Nobody becomes a bot, or a person, by any other way")
  func fixed() throws {
    let server = try TestServer { $0.guestsMax = 5 }
    let bot = try server.join("robot", kind: "bot")
    try bot.client.change("profile.edit", ["name": "CI", "kind": "person"])
    #expect(try profile(of: bot)["kind"] as? String == "bot")
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try bot.client.change(
        "account.upgrade",
        ["username": "other", "name": "x", "password": "correct horse", "kind": "person"])
    }
    let client = try server.connect()
    let begun = try client.call(
      "account.guest", ["id": newID(), "device": "0123456789abcdef", "kind": "bot"])
    try client.call(
      "hello",
      ["token": begun["token"] ?? "", "client": ["name": "t", "version": "1"], "streams": "none"])
    func kind() throws -> String? {
      (try client.call("profile.get")["profile"] as? [String: Any])?["kind"] as? String
    }
    #expect(try kind() == "person")
    try client.change(
      "account.upgrade",
      ["username": "mia", "name": "Mia", "password": "correct horse", "kind": "bot"])
    #expect(try kind() == "person")
  }

  // MARK: Differences

  @Test("Who inherits from the only owner: the person, the bot with the higher role, the bot alone")
  func inherits() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let bot = try server.join("robot", kind: "bot")
    let other = try server.join("other")
    let (_, shared) = try author.addList("shared")
    let (_, above) = try author.addList("above")
    let (_, alone) = try author.addList("alone")
    for stream in [shared, alone] { try author.invite(bot, to: stream) }
    try author.invite(bot, to: above, as: "admin")
    for stream in [shared, above] { try author.invite(other, to: stream) }
    // The only owner cannot go by themselves; the operator ends accounts without asking.
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try author.client.change("account.delete", ["password": "correct horse"])
    }
    _ = try OperatorCommands.deleteUser(
      dataFolder: server.folder, username: "author", days: 0)
    // This is something for the ledger to do: otherwise it looks some seconds later.
    _ = try other.addList()
    try bot.client.push("sync.events") {
      $0["stream"] as? String == alone && "\($0)".contains("person.forgotten")
    }
    #expect(try role(of: other, in: shared) == "owner" && role(of: bot, in: shared) == "editor")
    #expect(try role(of: other, in: above) == "editor" && role(of: bot, in: above) == "owner")
    #expect(try role(of: bot, in: alone) == "owner")
  }

  private func role(of person: Person, in stream: String) throws -> String? {
    let members = try person.client.call("member.list", ["stream": stream])["members"]
    return (members as? [[String: Any]])?.first { $0["id"] as? String == person.id }?["role"]
      as? String
  }

  // MARK: Rates

  /// The answers to the commands that the connections of one user send, one after the other.
  private struct Answers: Equatable {
    var granted = 0
    var refused = 0
  }

  private func flood(_ clients: [TestClient], _ count: Int, list: String) throws -> Answers {
    var answers = Answers()
    let sent = clients.map { client in
      (0..<count).map { _ in
        client.send(
          "post.add", ["category": list, "id": newID(), "title": "p", "key": newID()])
      }
    }
    for (client, numbers) in zip(clients, sent) {
      for number in numbers {
        do {
          _ = try client.answer(to: number)
          answers.granted += 1
        } catch TestFailure.refused(let kind, _) {
          #expect(kind == "rate_limited")
          answers.refused += 1
        }
      }
    }
    return answers
  }

  /// Returns a server on which a person has 6 commands, and a bot 9, of which making a list takes one. Next to nothing
  /// comes back.
  private func meager(
    _ place: WritableKeyPath<ServerOptions, (people: TokenRate, bots: TokenRate)>
  ) throws -> TestServer {
    func rate(_ burst: Int64) -> TokenRate {
      TokenRate(count: 1, everyMilliseconds: 600_000, burst: burst)
    }
    return try TestServer { $0[keyPath: place] = (rate(6), rate(9)) }
  }

  /// The options in which rates can be less than the usual ones.
  private static var places: [WritableKeyPath<ServerOptions, (people: TokenRate, bots: TokenRate)>]
  { [\.ratesOfConnections, \.ratesOfUsers] }

  @Test(
    "Below and at their rate everything is taken, above it what is too much is told when to come again",
    arguments: 0...1, [nil, "bot"])
  func rates(place: Int, kind: String?) throws {
    let server = try meager(Self.places[place])
    let person = try server.join("somebody", streams: "none", kind: kind)
    let list = try person.addList().id
    // Registering, signing in and hello itself count as a person's on that connection.
    let left = kind == "bot" ? 8 : place == 0 ? 2 : 5
    #expect(try flood([person.client], left - 1, list: list) == Answers(granted: left - 1))
    #expect(try flood([person.client], 1, list: list) == Answers(granted: 1))
    let number = person.client.send(
      "post.add", ["category": list, "id": newID(), "title": "p", "key": newID()])
    let message = try person.client.next()
    #expect(message["id"] as? Int == number)
    let data = (message["error"] as? [String: Any])?["data"] as? [String: Any]
    #expect(data?["kind"] as? String == "rate_limited" && data?["retry"] as? String == "after")
    #expect((500_000...600_000).contains(data?["afterMs"] as? Int ?? 0))
    try person.client.call("ping")
  }

  @Test(
    "A flood by a bot takes nothing of a person's rate, nor the other way round",
    arguments: [
      true, false,
    ])
  func apart(botFirst: Bool) throws {
    let server = try meager(\.ratesOfUsers)
    let bot = try server.join("robot", streams: "none", kind: "bot")
    let person = try server.join("somebody", streams: "none")
    for it in botFirst ? [bot, person] : [person, bot] {
      let list = try it.addList().id
      // Over all connections together.
      let clients = try (0..<3).map { _ in try server.again(it, streams: "none").0.client }
      let granted = it.id == bot.id ? 8 : 5
      #expect(
        try flood(clients, 5, list: list) == Answers(granted: granted, refused: 15 - granted))
    }
  }

  @Test("Questions of a bot have a bot's rate, too", arguments: [nil, "bot"])
  func questions(kind: String?) throws {
    let server = try meager(\.ratesOfUsers)
    let person = try server.join("somebody", streams: "none", kind: kind)
    var granted = 0
    for _ in 0..<12 {
      do {
        try person.client.call("notification.list", ["limit": 1])
        granted += 1
      } catch TestFailure.refused(let kind, _) { #expect(kind == "rate_limited") }
    }
    #expect(granted == (kind == "bot" ? 9 : 6))
  }

  @Test("Everybody is told their own rate", arguments: [(nil, 20, 100), ("bot", 50, 200)])
  func told(kind: String?, rate: Int, burst: Int) throws {
    let server = try TestServer { $0.session = SessionRules() }
    let person = try server.join("somebody", kind: kind)
    let limits = try server.again(person).hello["limits"] as? [String: Int]
    #expect(limits?["commandsPerSecond"] == rate && limits?["commandsBurst"] == burst)
    #expect(limits?["hellosPerMinute"] == 60 && limits?["titleScalars"] == 500)
  }
}

extension ServerOptions {
  fileprivate var ratesOfConnections: (people: TokenRate, bots: TokenRate) {
    get { (session.rate, session.botRate) }
    set { (session.rate, session.botRate) = newValue }
  }

  /// The rates over all connections of each user.
  fileprivate var ratesOfUsers: (people: TokenRate, bots: TokenRate) {
    get { (commandRate ?? session.rate, botCommandRate ?? session.botRate) }
    set { (commandRate, botCommandRate) = newValue }
  }
}
