import Domain
import Foundation
import Testing

@testable import Server

/// A household: two people with a list, a group with a list, and the things that were made on the way.
struct Household {
  let server: TestServer
  let author: Person
  let bots: Person
  let list: String
  let post: String

  init() throws {
    server = try TestServer()
    author = try server.join("author", streams: "none")
    bots = try server.join("bots", streams: "none")
    list = try author.addList().id
    post = try author.addPost(list).id
  }
}

extension EveryMethodTests.Setting {
  init(_ it: Household) {
    self.init(server: it.server, author: it.author, bots: it.bots, list: it.list, post: it.post)
  }
}

@Suite("protocol §8: every method over a real socket")
struct EveryMethodTests {
  /// A change in the life of a household: its sender, and its parameters.
  struct Change: Sendable {
    let method: Method
    /// Prepares the change. Returns its sender and its parameters.
    let make: @Sendable (borrowing Setting) throws -> (Person, [String: Any])
  }

  /// The things that a change may use.
  struct Setting {
    let server: TestServer
    let author: Person
    let bots: Person
    let list: String
    let post: String
    var stream: String { "c:" + list }

    func group() throws -> String {
      let id = newID()
      try author.client.change("group.add", ["id": id, "name": "family"])
      return id
    }

    /// Makes a new step of the post. Returns the parameters that find it.
    func step() throws -> [String: Any] {
      let step: [String: Any] = ["category": list, "id": post, "step": newID()]
      try author.client.change("step.add", step.merging(["content": "one litre"]) { $1 })
      return step
    }

    func tag() throws -> String {
      let id = newID()
      try author.client.change("tag.add", ["category": list, "id": id, "name": "tag"])
      return id
    }

    func invitation(to stream: String) throws -> String {
      let id = newID()
      try author.client.change(
        "invitation.send",
        ["id": id, "stream": stream, "username": "bots", "role": "editor"])
      return id
    }
  }

  static let changes: [Change] = [
    Change(method: .link(.make)) { ($0.author, ["category": $0.list, "id": newID(), "days": 3]) },
    Change(method: .link(.revoke)) { it in
      let link: [String: Any] = ["category": it.list, "id": newID()]
      try it.author.client.change("link.make", link)
      return (it.author, link)
    },
    Change(method: .signIn(.changePassword)) {
      ($0.author, ["old": "correct horse", "new": "battery staple"])
    },
    Change(method: .signIn(.delete)) { ($0.bots, ["password": "correct horse"]) },
    Change(method: .account(.keep)) { it in
      try it.bots.client.change("account.delete", ["password": "correct horse"])
      return (it.bots, [:])
    },
    Change(method: .account(.closeSession)) { it in
      let other = try it.server.connect().call(
        "account.login", ["username": "author", "password": "correct horse"])
      return (it.author, ["id": other["session"] ?? ""])
    },
    Change(method: .account(.editProfile)) {
      ($0.author, ["name": "Author B.", "zone": "Europe/Lisbon"])
    },
    Change(method: .category(.add)) { ($0.author, ["id": newID(), "name": "work"]) },
    Change(method: .category(.edit)) { ($0.author, ["id": $0.list, "name": "food"]) },
    Change(method: .category(.remove)) { ($0.author, ["id": $0.list]) },
    Change(method: .category(.restore)) { it in
      try it.author.client.change("category.remove", ["id": it.list])
      return (it.author, ["id": it.list])
    },
    Change(method: .category(.archive)) { ($0.author, ["id": $0.list]) },
    Change(method: .category(.unarchive)) { it in
      try it.author.client.change("category.archive", ["id": it.list])
      return (it.author, ["id": it.list])
    },
    Change(method: .post(.add)) {
      ($0.author, ["category": $0.list, "id": newID(), "title": "bread", "notes": "two\nlines"])
    },
    Change(method: .post(.edit)) {
      ($0.author, ["category": $0.list, "id": $0.post, "title": "oat milk", "ifVersion": 1])
    },
    Change(method: .post(.complete)) { ($0.author, ["category": $0.list, "id": $0.post]) },
    Change(method: .post(.reopen)) { it in
      try it.author.client.change("post.complete", ["category": it.list, "id": it.post])
      return (it.author, ["category": it.list, "id": it.post])
    },
    Change(method: .post(.remove)) { ($0.author, ["category": $0.list, "id": $0.post]) },
    Change(method: .post(.restore)) { it in
      try it.author.client.change("post.remove", ["category": it.list, "id": it.post])
      return (it.author, ["category": it.list, "id": it.post])
    },
    Change(method: .post(.erase)) { ($0.author, ["category": $0.list, "id": $0.post]) },
    Change(method: .post(.move)) { it in
      let other = try it.author.addPost(it.list).id
      return (it.author, ["category": it.list, "id": it.post, "after": other])
    },
    Change(method: .post(.copy)) {
      ($0.author, ["category": $0.list, "id": $0.post, "copy": newID(), "to": $0.list])
    },
    Change(method: .post(.moveTo)) { it in
      let other = newID()
      try it.author.client.change("category.add", ["id": other, "name": "elsewhere"])
      return (it.author, ["category": it.list, "id": it.post, "to": other])
    },
    Change(method: .step(.add)) {
      ($0.author, ["category": $0.list, "id": $0.post, "step": newID(), "content": "two litres"])
    },
    Change(method: .step(.edit)) {
      let step = try $0.step()
      return ($0.author, step.merging(["content": "three", "ifVersion": 2]) { $1 })
    },
    Change(method: .step(.remove)) { ($0.author, try $0.step()) },
    Change(method: .step(.move)) {
      let (first, second) = (try $0.step(), try $0.step())
      return ($0.author, second.merging(["before": first["step"] ?? ""]) { $1 })
    },
    Change(method: .step(.complete)) { ($0.author, try $0.step()) },
    Change(method: .step(.reopen)) { it in
      let step = try it.step()
      try it.author.client.change("step.complete", step)
      return (it.author, step)
    },
    Change(method: .tag(.add)) {
      ($0.author, ["category": $0.list, "id": newID(), "name": "uni"])
    },
    Change(method: .tag(.edit)) {
      ($0.author, ["category": $0.list, "id": try $0.tag(), "name": "work", "color": "red"])
    },
    Change(method: .tag(.remove)) { ($0.author, ["category": $0.list, "id": try $0.tag()]) },
    Change(method: .post(.tag)) {
      ($0.author, ["category": $0.list, "id": $0.post, "tag": try $0.tag()])
    },
    Change(method: .post(.untag)) { it in
      let params = ["category": it.list, "id": it.post, "tag": try it.tag()]
      try it.author.client.change("post.tag", params)
      return (it.author, params)
    },
    Change(method: .post(.assign)) { it in
      try it.author.invite(it.bots, to: it.stream)
      return (it.author, ["category": it.list, "id": it.post, "user": it.bots.id])
    },
    Change(method: .post(.unassign)) { it in
      let params = ["category": it.list, "id": it.post, "user": it.author.id]
      try it.author.client.change("post.assign", params)
      return (it.author, params)
    },
    Change(method: .post(.skip)) { it in
      (it.author, try it.weekly().merging(["occurrence": 1]) { $1 })
    },
    Change(method: .post(.takeBack)) { it in
      let params = try it.weekly()
      let done = try it.author.client.change(
        "post.complete", params.merging(["occurrence": 1]) { $1 })
      let event = (done["events"] as? [[String: Any]])?.first?["seq"] ?? 0
      return (it.author, params.merging(["event": event]) { $1 })
    },
    Change(method: .post(.claim)) { ($0.author, ["category": $0.list, "id": $0.post]) },
    Change(method: .post(.release)) { it in
      let params = ["category": it.list, "id": it.post]
      try it.author.client.change("post.claim", params)
      return (it.author, params)
    },
    Change(method: .post(.importUpsert)) {
      (
        $0.author,
        [
          "category": $0.list, "id": newID(), "title": "from elsewhere",
          "source": ["name": "forge", "id": "12", "url": "https://forge.example/12"],
        ]
      )
    },
    Change(method: .post(.claimNext)) { ($0.author, ["category": $0.list, "leaseMs": 60_000]) },
    Change(method: .group(.add)) { ($0.author, ["id": newID(), "name": "family"]) },
    Change(method: .invitation(.send)) {
      (
        $0.author, ["id": newID(), "stream": $0.stream, "username": "bots", "role": "editor"]
      )
    },
    Change(method: .invitation(.accept)) { ($0.bots, ["id": try $0.invitation(to: $0.stream)]) },
    Change(method: .invitation(.decline)) { ($0.bots, ["id": try $0.invitation(to: $0.stream)]) },
    Change(method: .invitation(.revoke)) {
      ($0.author, ["id": try $0.invitation(to: $0.stream), "stream": $0.stream])
    },
    Change(method: .invitation(.makeCode)) {
      ($0.author, ["id": newID(), "stream": $0.stream, "role": "doer", "uses": 3, "days": 2])
    },
    Change(method: .invitation(.redeem)) { it in
      let made = try it.author.client.change(
        "invitation.make_code", ["id": newID(), "stream": it.stream, "role": "doer"])
      return (it.bots, ["code": made["code"] ?? ""])
    },
    Change(method: .person(.block)) { ($0.author, ["username": "bots"]) },
    Change(method: .person(.unblock)) { it in
      try it.author.client.change("person.block", ["username": "bots"])
      return (it.author, ["user": it.bots.id])
    },
    Change(method: .filter(.save)) {
      ($0.author, ["id": newID(), "name": "urgent", "days": ["until": 6], "sort": "due"])
    },
    Change(method: .filter(.remove)) { it in
      let filter: [String: Any] = ["id": newID(), "name": "urgent", "where": ["by": "me"]]
      try it.author.client.change("filter.save", filter)
      return (it.author, ["id": filter["id"] ?? ""])
    },
    Change(method: .category(.move)) {
      ($0.author, ["id": try $0.author.addList("chores").id, "before": $0.list])
    },
    Change(method: .personal(.plan)) {
      let plan: [String: Any] = ["at": "2031-11-24T14:00", "zone": "Europe/Lisbon", "minutes": 50]
      return ($0.author, ["category": $0.list, "id": $0.post, "plan": plan])
    },
    Change(method: .personal(.addReminder)) {
      ($0.author, ["category": $0.list, "id": $0.post, "before": 60])
    },
    Change(method: .personal(.removeReminder)) { it in
      let reminder: [String: Any] = ["category": it.list, "id": it.post, "before": 60]
      try it.author.client.change("reminder.add", reminder)
      return (it.author, reminder)
    },
    Change(method: .personal(.snooze)) {
      ($0.author, ["category": $0.list, "id": $0.post, "until": 1_950_000_000_000])
    },
    Change(method: .personal(.day)) {
      ($0.author, ["category": $0.list, "id": $0.post, "day": ["date": "2031-11-24"]])
    },
    Change(method: .personal(.note)) {
      ($0.author, ["category": $0.list, "id": $0.post, "note": "the blue one"])
    },
    Change(method: .personal(.watch)) {
      ($0.author, ["category": $0.list, "id": $0.post, "watch": true])
    },
    Change(method: .account(.editSettings)) { ($0.author, ["dueSoonHours": 24]) },
    Change(method: .member(.leave)) { it in
      try it.author.invite(it.bots, to: it.stream)
      return (it.bots, ["stream": it.stream])
    },
    Change(method: .member(.remove)) { it in
      try it.author.invite(it.bots, to: it.stream)
      return (it.author, ["stream": it.stream, "user": it.bots.id])
    },
    Change(method: .member(.setRole)) { it in
      try it.author.invite(it.bots, to: it.stream)
      return (it.author, ["stream": it.stream, "user": it.bots.id, "role": "doer"])
    },
    Change(method: .group(.edit)) { ($0.author, ["id": try $0.group(), "name": "our family"]) },
    Change(method: .group(.remove)) { ($0.author, ["id": try $0.group()]) },
    Change(method: .group(.restore)) { it in
      let group = try it.group()
      try it.author.client.change("group.remove", ["id": group])
      return (it.author, ["id": group])
    },
    Change(method: .single(.undo)) { it in
      try it.author.client.change("post.complete", ["category": it.list, "id": it.post])
      return (it.author, ["stream": it.stream, "events": [3]])
    },
    Change(method: .single(.markRead)) { ($0.author, ["stream": $0.stream, "seq": 2]) },
    Change(method: .single(.batch)) { it in
      let id = newID()
      let commands: [[String: Any]] = [
        ["method": "post.add", "params": ["category": it.list, "id": id, "title": "bread"]],
        ["method": "post.complete", "params": ["category": it.list, "id": id, "ifVersion": 1]],
        ["method": "category.add", "params": ["id": newID(), "name": "work"]],
      ]
      return (it.author, ["commands": commands])
    },
  ]

  @Test("A change takes effect once, and its repeat gets the original result", arguments: changes)
  func changesOnce(_ change: Change) throws {
    let setting = Setting(try Household())
    var (person, params) = try change.make(setting)
    params["key"] = newID()
    let first = try person.client.call(change.method.name, params)
    #expect(first["changed"] as? Bool == true)
    let again = try person.client.call(change.method.name, params)
    #expect(isSame(first, again), "\(first) \(again)")
    let (other, _) = try setting.server.again(person, streams: "none")
    #expect(isSame(first, try other.client.call(change.method.name, params)))
    try setting.server.restart()
    let (late, _) = try setting.server.again(person, streams: "none")
    #expect(isSame(first, try late.client.call(change.method.name, params)))
  }

  @Test("The same key with other content is refused")
  func keyReused() throws {
    let it = try Household()
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
    let it = try Household()
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
    let it = try Household()
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
    let it = try Household()
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
