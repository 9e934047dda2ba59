import Testing

@testable import Server

/// A list with a history. The comments say who did what.
private struct Told {
  let server: TestServer
  let author: Person
  let editor: Person
  let list: String
  var stream: String { "c:" + list }
  let milk: String
  let bread: String

  init() throws {
    server = try TestServer()
    author = try server.join("author", streams: "none")
    editor = try server.join("editor", streams: "none")
    list = try author.addList().id  // 1
    milk = try author.addPost(list, "milk").id  // 2
    try author.invite(editor, to: "c:" + list)  // 3, 4
    bread = try editor.addPost(list, "bread").id  // 5
    try editor.client.change("post.complete", ["category": list, "id": milk])  // 6
    try author.client.change("post.edit", ["category": list, "id": milk, "title": "oat milk"])  // 7
    try author.client.change("post.remove", ["category": list, "id": bread])  // 8
  }

  func seqs(_ params: [String: Any] = [:], by person: Person? = nil) throws -> [Int] {
    let page = try (person ?? author).client.call(
      "history.get", params.merging(["stream": stream]) { $1 })
    return (page["events"] as? [[String: Any]] ?? []).compactMap { $0["seq"] as? Int }
  }
}

@Suite("protocol §8: history over a real socket") struct HistoryTests {
  @Test("Who did what is found by person, post, kind, time and number")
  func found() throws {
    let it = try Told()
    #expect(try it.seqs() == [8, 7, 6, 5, 4, 3, 2, 1])
    #expect(try it.seqs(["person": it.editor.id]) == [6, 5, 4])
    #expect(try it.seqs(["post": it.milk]) == [7, 6, 2])
    #expect(try it.seqs(["kinds": ["post.added", "post.removed"]]) == [8, 5, 2])
    #expect(try it.seqs(["person": it.author.id, "post": it.bread]) == [8])
    #expect(try it.seqs(["before": 6, "limit": 2]) == [5, 4])
    #expect(try it.seqs(["until": 0]) == [])
    #expect(try it.seqs(["from": 9_007_199_254_740_991]) == [])
  }

  @Test("Pages follow on each other, with the names as they are now")
  func pages() throws {
    let it = try Told()
    var (seqs, before, pages): ([Int], Int?, Int) = ([], nil, 0)
    repeat {
      var params: [String: Any] = ["stream": it.stream, "limit": 3]
      params["before"] = before
      let page = try it.author.client.call("history.get", params)
      seqs += (page["events"] as? [[String: Any]] ?? []).compactMap { $0["seq"] as? Int }
      before = page["before"] as? Int
      pages += 1
      if pages == 1 {
        let people = page["people"] as? [[String: Any]]
        let names = people?.compactMap { $0["username"] as? String } ?? []
        #expect(Set(names) == ["author", "editor"])
        let posts = page["posts"] as? [[String: Any]]
        #expect(posts?.map { $0["title"] as? String } == ["oat milk", "bread"])
      }
    } while before != nil
    #expect(seqs == [8, 7, 6, 5, 4, 3, 2, 1] && pages == 3)
  }

  @Test(
    "Changes since a time are told whole before they are undone, also those that go back by themselves"
  )
  func doings() throws {
    let it = try Told()
    let other = try it.author.addList().id
    let move: [String: Any] = ["category": it.list, "id": it.milk, "to": other]
    try it.author.client.change("post.move_to", move)  // 9
    let preview = try it.author.client.call(
      "undo.preview", ["stream": it.stream, "by": it.author.id, "since": 0])
    #expect(preview["events"] as? [Int] == [2, 7, 8, 9])
    let skipped = try #require(preview["skipped"] as? [[String: Any]])
    let moved = skipped.filter { $0["reason"] as? String == "never" }
    #expect(moved.compactMap { $0["id"] as? String } == [it.milk])
    #expect(moved.compactMap { $0["number"] as? Int } == [1])
    // By itself it goes back.
    let alone = try it.author.client.call(
      "undo.preview", ["stream": it.stream, "events": [9]])
    let does = (alone["steps"] as? [[String: Any]])?.compactMap { $0["does"] as? [String] }
    #expect(does == [["move"]])
  }

  @Test("A group's own history tells of its lists and its people")
  func ofGroup() throws {
    let it = try Told()
    let group = newID()
    try it.author.client.change("group.add", ["id": group, "name": "home"])
    _ = try it.author.addList("yard", group: group)
    try it.author.invite(it.editor, to: "g:" + group)
    let read: (Person) throws -> [[String]] = { person in
      let page = try person.client.call("history.get", ["stream": "g:" + group])
      return (page["events"] as? [[String: Any]] ?? []).compactMap { line in
        let ops = (line["event"] as? [String: Any])?["ops"] as? [[String: Any]]
        return ops?.compactMap { $0["t"] as? String }
      }
    }
    let told = try read(it.author)
    #expect(told.last?.first == "group.added" && told.contains(["group.category_added"]))
    #expect(told.first == ["invitation.accepted", "member.added"])
    // Events of a group are read from the one on that let the person in.
    #expect(try read(it.editor) == [told[0]])
    let stranger = try it.server.join("stranger", streams: "none")
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) { try read(stranger) }
  }

  @Test("Who joined later reads all of it, unless the list says otherwise")
  func all() throws {
    let it = try Told()
    #expect(try it.seqs(by: it.editor) == [8, 7, 6, 5, 4, 3, 2, 1])
    let state = try it.editor.client.call("history.state", ["category": it.list, "seq": 2])
    #expect(state["seq"] as? Int == 2)
    try it.editor.client.call("history.diff", ["category": it.list, "from": 1, "to": 8])
    #expect(throws: TestFailure.refused(kind: "forbidden", field: nil)) {
      try it.editor.client.change("category.edit", ["id": it.list, "history": "joined"])
    }
    try it.author.client.change("category.edit", ["id": it.list, "history": "joined"])
    #expect(try it.seqs(by: it.editor) == [9, 8, 7, 6, 5, 4])
    // The owner was there from the beginning.
    #expect(try it.seqs() == [9, 8, 7, 6, 5, 4, 3, 2, 1])
    try it.author.client.change("category.edit", ["id": it.list, "history": "all"])
    #expect(try it.seqs(by: it.editor) == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  }

  @Test("Where it says so what was before one joined is not there, nor what one is no member of")
  func joined() throws {
    let it = try Told()
    try it.author.client.change("category.edit", ["id": it.list, "history": "joined"])
    #expect(try it.seqs(by: it.editor) == [9, 8, 7, 6, 5, 4])
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try it.editor.client.call("undo.preview", ["stream": it.stream, "events": [2]])
    }
    for seq in [1, 3, 10] {
      #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
        try it.editor.client.call("history.state", ["category": it.list, "seq": seq])
      }
    }
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try it.editor.client.call("history.diff", ["category": it.list, "from": 3, "to": 8])
    }
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try it.editor.client.call("history.state", ["category": it.list, "at": 0])
    }
    let stranger = try it.server.join("stranger", streams: "none")
    for (method, params) in [
      ("history.get", ["stream": it.stream]), ("history.state", ["category": it.list, "seq": 1]),
      ("history.diff", ["category": it.list, "from": 1, "to": 2]),
      ("undo.preview", ["stream": it.stream, "events": [2]]),
      ("undo.preview", ["stream": it.stream, "by": it.author.id, "since": 0]),
    ] as [(String, [String: Any])] {
      #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
        try stranger.client.call(method, params)
      }
    }
  }

  @Test("A reaction names the post that it is about, unless it went and the reader came late")
  func reactions() throws {
    let it = try Told()
    try it.author.client.change("event.react", ["category": it.list, "event": 6, "sign": "👏"])  // 9
    func titles() throws -> [String?] {
      let page = try it.editor.client.call(
        "history.get", ["stream": it.stream, "kinds": ["event.reacted"]])
      #expect((page["events"] as? [[String: Any]])?.map { $0["seq"] as? Int } == [9])
      return (page["posts"] as? [[String: Any]] ?? []).map { $0["title"] as? String }
    }
    #expect(try titles() == ["oat milk"])
    try it.author.client.change("post.remove", ["category": it.list, "id": it.milk])  // 10
    #expect(try titles() == ["oat milk"])
    try it.author.client.change("category.edit", ["id": it.list, "history": "joined"])  // 11
    #expect(try titles() == [])
    #expect(throws: TestFailure.refused(kind: "gone", field: nil)) {
      try it.editor.client.change(
        "event.react", ["category": it.list, "event": 6, "sign": "🎉"])
    }
  }

  @Test("An erased text is in no answer about what was")
  func erased() throws {
    let it = try Told()
    let client = it.author.client
    let secret = "pin 4711"
    func change(_ method: String, _ more: [String: Any]) throws {
      try client.change(method, ["category": it.list, "id": it.milk].merging(more) { $1 })
    }
    try change("post.edit", ["title": secret, "notes": "the \(secret)"])  // 9
    try change("post.edit", ["title": "\(secret) again"])  // 10
    try change("post.remove", [:])  // 11
    try change("post.restore", [:])  // 12
    let questions: [(String, [String: Any])] =
      [("history.get", ["stream": it.stream])]
      + [9, 10, 12].map { ("history.state", ["category": it.list, "seq": $0]) }
      + (8...11).map { ("history.diff", ["category": it.list, "from": $0, "to": $0 + 1]) }
    func answers() throws -> [String] {
      try questions.map { "\(try client.call($0.0, $0.1))" }
    }
    #expect(try answers().allSatisfy { $0.contains(secret) })
    try change("post.erase", [:])  // 13
    #expect(try answers().allSatisfy { !$0.contains(secret) })
    #expect(try it.seqs(["post": it.milk]) == [13, 12, 11, 10, 9, 7, 6, 2])
    let then = try client.call("history.state", ["category": it.list, "seq": 10])
    let posts = (then["objects"] as? [[String: Any]] ?? []).filter { $0["t"] as? String == "post" }
    #expect(posts.map { $0["title"] as? String } == [""])
  }

  @Test("A list is shown as it was, and what became of it")
  func states() throws {
    let it = try Told()
    func posts(_ params: [String: Any]) throws -> [[String: Any]] {
      let state = try it.author.client.call(
        "history.state", params.merging(["category": it.list]) { $1 })
      let objects = state["objects"] as? [[String: Any]] ?? []
      return objects.filter { $0["t"] as? String == "post" }
    }
    #expect(try posts(["seq": 1]).isEmpty)
    #expect(try posts(["seq": 2]).map { $0["title"] as? String } == ["milk"])
    let five = try posts(["seq": 5])
    #expect(five.map { $0["title"] as? String } == ["milk", "bread"])
    #expect(five.allSatisfy { $0["completed"] == nil })
    let now = try posts(["at": 9_007_199_254_740_991])
    #expect(now.map { $0["title"] as? String } == ["oat milk"])
    #expect(throws: TestFailure.refused(kind: "not_found", field: nil)) {
      try posts(["seq": 5, "page": 2])
    }
    let diff = try it.author.client.call(
      "history.diff", ["category": it.list, "from": 5, "to": 8])
    let changes = diff["changes"] as? [[String: Any]] ?? []
    func of(_ id: String) -> [String: Any]? {
      changes.first { change in
        ["before", "after"].contains { (change[$0] as? [String: Any])?["id"] as? String == id }
      }
    }
    #expect((of(it.milk)?["before"] as? [String: Any])?["title"] as? String == "milk")
    #expect((of(it.milk)?["after"] as? [String: Any])?["title"] as? String == "oat milk")
    #expect(of(it.bread)?["after"] == nil && of(it.bread)?["before"] != nil)
    #expect(of(it.list) != nil && changes.count == 3)
    let none = try it.author.client.call(
      "history.diff", ["category": it.list, "from": 8, "to": 8])
    #expect((none["changes"] as? [Any])?.isEmpty == true)
  }
}
