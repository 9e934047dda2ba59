import Domain
import Foundation
import MethodSamples
import Testing

@testable import Server

/// Two people on a server. One of them has a list with a post.
struct SharedList {
  let server: TestServer
  let author: Person
  let bots: Person
  let list: String
  let post: String
  var stream: String { "c:" + list }

  init() throws {
    server = try TestServer()
    author = try server.join("author", streams: "none")
    bots = try server.join("bots", streams: "none")
    list = try author.addList().id
    post = try author.addPost(list).id
  }
}

@Suite("protocol §8: every method over a real socket")
struct EveryMethodTests {
  /// The samples that are sent by somebody who is signed in. The other two are asked as requests are.
  static let changes = MethodSample.all.filter {
    $0.method != .signIn(.register) && $0.method != .signIn(.recover)
  }

  @Test("A change takes effect once, and its repeat gets the original result", arguments: changes)
  func changesOnce(_ sample: MethodSample) throws {
    let household = try ServedHousehold(sample.past)
    let person = try household.person(sample.by)
    var params = try household.params(of: sample.command)
    params["key"] = newID()
    let first = try person.client.call(sample.method.name, params)
    #expect(first["changed"] as? Bool == true)
    let again = try person.client.call(sample.method.name, params)
    #expect(isSame(first, again), "\(first) \(again)")
    let (other, _) = try household.server.again(person, streams: "none")
    #expect(isSame(first, try other.client.call(sample.method.name, params)))
    try household.server.restart()
    let (late, _) = try household.server.again(person, streams: "none")
    #expect(isSame(first, try late.client.call(sample.method.name, params)))
  }

  @Test("The same key with other content is refused")
  func keyReused() throws {
    let it = try SharedList()
    let key = newID()
    let params: [String: Any] = ["category": it.list, "id": newID(), "title": "a", "key": key]
    try it.author.client.call("post.add", params)
    #expect(throws: TestFailure.refused(kind: "key_reused", field: nil)) {
      try it.author.client.call("post.add", params.merging(["title": "b"]) { $1 })
    }
  }

  @Test("Registering, recovering and signing in, and their repeats")
  func doors() throws {
    let server = try TestServer()
    let client = try server.connect()
    let who: [String: Any] = ["id": newID(), "username": "member", "password": "correct horse"]
    let first = try client.call("account.register", who)
    #expect(isSame(first, try server.connect().call("account.register", who)))
    #expect(throws: TestFailure.refused(kind: "exists", field: "id")) {
      try client.call("account.register", who.merging(["password": "a guess at it"]) { $1 })
    }
    let recovery: [String: Any] = [
      "username": "member", "code": first["recoveryCode"]!, "password": "new password",
      "key": newID(),
    ]
    let recovered = try client.call("account.recover", recovery)
    #expect(isSame(recovered, try client.call("account.recover", recovery)))
    #expect(recovered["recoveryCode"] as? String != first["recoveryCode"] as? String)
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try client.call("account.recover", recovery.merging(["key": newID()]) { $1 })
    }
    #expect(throws: TestFailure.refused(kind: "unauthenticated", field: nil)) {
      try client.call("account.login", ["username": "member", "password": "correct horse"])
    }
    let login = try client.call(
      "account.login", ["username": "member", "password": "new password"])
    #expect((login["token"] as? String)?.count == 43)
  }

  @Test("Two registrations of one id at once have one winner, and the loser learns nothing")
  func racingRegistrations() throws {
    let server = try TestServer()
    for round in 0..<5 {
      let id = newID()
      let clients = [try server.connect(), try server.connect()]
      let sent = clients.enumerated().map { index, client in
        client.send(
          "account.register",
          ["id": id, "username": "racer\(round)", "password": "password \(index)"])
      }
      var won = 0
      for (client, number) in zip(clients, sent) {
        do {
          _ = try client.answer(to: number)
          won += 1
        } catch TestFailure.refused(let kind, _) {
          #expect(kind == "exists")
        }
      }
      #expect(won == 1)
    }
  }

  @Test("Queries answer what is there")
  func queries() throws {
    let it = try SharedList()
    try it.author.invite(it.bots, to: "c:" + it.list)
    try it.bots.client.change("post.complete", ["category": it.list, "id": it.post])
    let more = try it.bots.addPost(it.list, "bread")
    let author = it.author.client

    let profile = try author.call("profile.get")["profile"] as? [String: Any]
    #expect(profile?["username"] as? String == "author")
    let sessions = try author.call("session.list")["sessions"] as? [[String: Any]]
    #expect(sessions?.count == 1 && sessions?.first?["current"] as? Bool == true)

    let open = try author.call("post.list", ["category": it.list, "show": "open"])
    #expect((open["posts"] as? [[String: Any]])?.map { $0["id"] as? String } == [more.id])
    let done = try author.call("post.list", ["category": it.list, "show": "done"])
    #expect((done["posts"] as? [[String: Any]])?.map { $0["id"] as? String } == [it.post])

    let members =
      try author.call("member.list", ["stream": "c:" + it.list])["members"] as? [[String: Any]]
    let bots = members?.first { $0["username"] as? String == "bots" }
    #expect(bots?["added"] as? Int == 1 && bots?["completed"] as? Int == 1)

    let news = try author.call("notification.list")
    let list = (news["lists"] as? [[String: Any]])?.first
    #expect((list?["unread"] as? [String: Any])?["count"] as? Int == 3)
    #expect(list?["name"] as? String == "groceries")
    let kinds = (list?["notifications"] as? [[String: Any]])?.map { $0["kind"] as? String }
    #expect(kinds == ["added", "completed", "joined"])
    let today = news["today"] as? [String: Any]
    #expect(today?["done"] as? Int == 1 && today?["of"] as? Int == 1)

    let toBert = try it.bots.client.call("notification.list")["directed"] as? [[String: Any]]
    #expect(toBert?.map { $0["kind"] as? String } == ["invited"])
  }

  @Test("Changes of somebody are shown, then undone as they were shown")
  func undo() throws {
    let it = try SharedList()
    let stream = "c:" + it.list
    try it.author.invite(it.bots, to: stream)
    try it.author.client.change("category.edit", ["id": it.list, "name": "food"])
    try it.bots.client.change("post.complete", ["category": it.list, "id": it.post])
    let added = try it.bots.addPost(it.list, "bread")
    let preview = try it.author.client.call(
      "undo.preview", ["stream": stream, "by": it.bots.id, "since": 0])
    let steps = preview["steps"] as? [[String: Any]]
    #expect(steps?.map { $0["id"] as? String } == [it.post, added.id])
    #expect(steps?.map { $0["does"] as? [String] } == [["reopen"], ["remove"]])
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try it.bots.client.change("undo", ["stream": stream, "events": [5]])
    }
    var params: [String: Any] = ["stream": stream, "events": preview["events"] ?? []]
    #expect(throws: TestFailure.refused(kind: "invalid", field: "seen")) {
      try it.author.client.change("undo", params)
    }
    params["seen"] = preview["seen"]
    let result = try it.author.client.change("undo", params)
    #expect(result["changed"] as? Bool == true)
    #expect((result["skipped"] as? [Any])?.isEmpty == true)
    let open = try it.author.client.call("post.list", ["category": it.list, "show": "open"])
    #expect((open["posts"] as? [[String: Any]])?.map { $0["id"] as? String } == [it.post])
  }

  @Test("A read mark empties the list, and pages of posts follow on each other")
  func marksAndPages() throws {
    let it = try SharedList()
    try it.author.invite(it.bots, to: "c:" + it.list)
    var last = 0
    for number in 2...5 {
      last = seq(try it.author.addPost(it.list, "p\(number)").answer, in: "c:" + it.list) ?? 0
    }
    let before = try it.bots.client.call("notification.list")["lists"] as? [[String: Any]]
    #expect((before?.first?["unread"] as? [String: Any])?["count"] as? Int == 4)
    try it.bots.client.change("notification.read", ["stream": "c:" + it.list, "seq": last])
    let after = try it.bots.client.call("notification.list")["lists"] as? [[String: Any]]
    #expect(after?.isEmpty == true)

    var numbers: [Int] = []
    var before2: Int?
    repeat {
      var params: [String: Any] = ["category": it.list, "show": "open", "limit": 2]
      params["before"] = before2
      let page = try it.bots.client.call("post.list", params)
      numbers += (page["posts"] as? [[String: Any]] ?? []).compactMap { $0["number"] as? Int }
      before2 = page["before"] as? Int
    } while before2 != nil
    #expect(numbers == [5, 4, 3, 2, 1])
  }

  @Test(
    "A group's members share its lists, also those added later, and a removed list can be found")
  func groups() throws {
    let server = try TestServer()
    let author = try server.join("author")
    let bots = try server.join("bots")
    let group = newID()
    try author.client.change("group.add", ["id": group, "name": "family"])
    try author.invite(bots, to: "g:" + group)
    let (list, stream) = try author.addList("chores", group: group)
    try bots.client.push("sync.live") { $0["stream"] as? String == stream }
    try bots.addPost(list, "dishes")
    try author.client.change("category.remove", ["id": list])
    let removed = try author.client.call("category.list", ["show": "removed"])
    #expect((removed["categories"] as? [[String: Any]])?.map { $0["id"] as? String } == [list])
    #expect(throws: TestFailure.refused(kind: "gone", field: nil)) { try bots.addPost(list) }
  }
}
