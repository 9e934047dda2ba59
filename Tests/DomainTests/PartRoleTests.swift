import Calendar
import Testing

@testable import Domain

extension Scene {
  /// Returns a scene in which post 1 of category 1 is for each with this role: a is the owner, e an admin, b an editor,
  /// c and d are doers, v is a viewer, and x is b's bot and a doer.
  fileprivate static func forEach(
    _ role: Role?, assigned: [UserID] = []
  ) -> Scene {
    var scene = Scene.house()
    for letter in "ev".unicodeScalars {
      scene.must(.account(.register(Registration(letter))), by: UserID(letter))
    }
    let people: [(UserID, Role)] = [
      ("b", .editor), ("c", .doer), ("d", .doer), ("e", .admin), ("v", .viewer),
    ]
    for (number, (user, role)) in people.enumerated() {
      scene.admit(user, to: .category(1), as: role, by: "a", number: 910 + number)
    }
    scene.addBot("x", "nightly", of: "b")
    scene.admit("x", to: .category(1), as: .doer, by: "a", number: 920)
    for user in assigned { scene.must(.post(.change(1, 1, .assign(user))), by: "a") }
    let change = role.map { FieldChange.set($0) } ?? .clear
    scene.edit(PostEdit(mode: .set(.each), modeRole: change))
    return scene
  }

  fileprivate func it(in category: CategoryID = 1) -> Post? { post(1, in: category) }
  fileprivate var done: [UserID] { it()?.parts.map(\.user) ?? [] }

  @discardableResult
  fileprivate mutating func edit(_ edit: PostEdit) -> [Op] {
    var edit = edit
    edit.restart = true
    return must(.editPost(1, 1, edit, ifVersion: nil), by: "a").drafts.flatMap(\.ops)
  }

  fileprivate mutating func complete(by user: UserID) {
    must(.completePost(1, 1, ifVersion: nil), by: user)
  }

  fileprivate mutating func setRole(_ user: UserID, _ role: Role) {
    must(.member(.setRole(.category(1), user, role)), by: "a")
  }

  fileprivate mutating func undo(_ seq: Int64) -> Decision {
    must(.undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: "a")
  }
}

@Suite("protocol §3.6: a post that is for each with one role") struct PartRoleTests {
  private static let everybody: [UserID] = ["a", "b", "c", "d", "e", "v", "x"]

  /// The role, the people whose work the post is, and the people who have a part.
  static let rows: [(role: Role?, assigned: [UserID], people: Set<UserID>)] = [
    (nil, [], ["a", "b", "c", "d", "e"]), (.doer, [], ["c", "d"]), (.editor, [], ["b"]),
    (.admin, [], ["e"]), (.owner, [], ["a"]), (.doer, ["b"], ["b"]),
    (.doer, ["a", "c"], ["a", "c"]),
    (.owner, ["x"], ["x"]), (nil, ["v", "d"], ["v", "d"]),
  ]

  @Test(
    "The people with just that role have a part, or else those whose work it is", arguments: rows)
  func people(_ row: (role: Role?, assigned: [UserID], people: Set<UserID>)) throws {
    let scene = Scene.forEach(row.role, assigned: row.assigned)
    let post = try #require(scene.it())
    let working = Self.everybody.filter { user in
      guard let member = scene.member(user, of: .category(1)) else { return false }
      return post.isWork(of: member) { scene.member($0, of: .category(1)) }
    }
    #expect(Set(working) == row.people)
    var played = scene
    // A viewer may complete nothing, not even an own part.
    let doing = row.people.filter { scene.role(of: $0, in: .category(1)) != .viewer }.sorted()
    for user in doing {
      #expect(played.it()?.completed == nil, "\(user) has not completed a part yet")
      played.complete(by: user)
    }
    #expect((played.it()?.completed != nil) == (doing.count == row.people.count))
    #expect(played.done == doing)
  }

  @Test(
    "A doer or a bot without a part completes nothing, an editor without one all of it"
  )
  func others() {
    var scene = Scene.forEach(.doer)
    let refusal = Refusal.forbidden("a doer completes only an own part, and has none in this")
    #expect(scene.refusal(of: .completePost(1, 1, ifVersion: nil), by: "x") == refusal)
    scene.complete(by: "c")
    scene.complete(by: "b")
    #expect(scene.it()?.completed?.by == "b" && scene.done == ["c"])
    scene = .forEach(.owner)
    #expect(scene.refusal(of: .completePost(1, 1, ifVersion: nil), by: "c") == refusal)
    // A bot with the role of an editor is no person with this role.
    scene = .forEach(.editor)
    scene.setRole("x", .editor)
    scene.complete(by: "x")
    #expect(scene.it()?.completed?.by == "x" && scene.done == [])
  }

  @Test("A changed role gives a part or takes it away, without an event of the post")
  func changedRoles() {
    var scene = Scene.forEach(.doer)
    scene.complete(by: "c")
    let version = scene.it()?.version
    scene.setRole("d", .editor)
    #expect(scene.it()?.version == version && scene.it()?.completed == nil)
    // The last person with an open part is gone, and somebody says once more that theirs is completed.
    scene.complete(by: "c")
    #expect(scene.it()?.completed?.by == "c")
    scene = .forEach(.doer)
    scene.setRole("b", .doer)
    for user: UserID in ["c", "d"] { scene.complete(by: user) }
    #expect(scene.it()?.completed == nil, "b is a doer now and has a part")
    scene.complete(by: "b")
    #expect(scene.it()?.completed?.by == "b")
  }

  @Test("A part counts again when its person has the role again, but not when they come in anew")
  func comingBack() {
    var scene = Scene.forEach(.doer)
    scene.complete(by: "c")
    scene.setRole("c", .editor)
    #expect(scene.done == ["c"])
    scene.setRole("c", .doer)
    scene.complete(by: "d")
    #expect(scene.it()?.completed?.by == "d")
    scene = .forEach(.doer)
    scene.complete(by: "c")
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    scene.admit("c", to: .category(1), as: .doer, by: "a", number: 930)
    scene.complete(by: "d")
    #expect(scene.it()?.completed == nil, "the part of c is from before")
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    scene.complete(by: "d")
    #expect(scene.it()?.completed?.by == "d")
  }

  @Test("A role needs the mode, in an edit and in a new post")
  func refused() {
    var scene = Scene.house()
    let refusal = Refusal.invalid(field: "modeRole", reason: "needs the mode each")
    let role = PostEdit(modeRole: .set(.doer))
    #expect(scene.refusal(of: .editPost(1, 1, role, ifVersion: nil), by: "a") == refusal)
    let new = Command.post(
      .add(PostAddress(category: 1, post: 9), NewPost(title: "T", fields: role)))
    #expect(scene.refusal(of: new, by: "a") == refusal)
    let off = PostEdit(mode: .clear, modeRole: .set(.doer))
    scene.edit(PostEdit(mode: .set(.each)))
    #expect(scene.refusal(of: .editPost(1, 1, off, ifVersion: nil), by: "a") == refusal)
    #expect(
      scene.changes(.editPost(1, 1, PostEdit(modeRole: .clear), ifVersion: nil), by: "a") == false)
    scene.edit(role)
    #expect(scene.it()?.modeRole == .doer)
    #expect(scene.changes(.editPost(1, 1, role, ifVersion: nil), by: "a") == false)
  }

  @Test("The role goes with the mode, and another role leaves the parts")
  func changed() {
    var scene = Scene.forEach(nil)
    scene.complete(by: "c")
    let narrowed = scene.edit(PostEdit(mode: .set(.each), modeRole: .set(.doer)))
    let version = scene.it()?.version ?? 0
    #expect(narrowed == [.post(.edited(1, version: version, PostEdit(modeRole: .set(.doer))))])
    #expect(scene.done == ["c"])
    let off = scene.edit(PostEdit(mode: .clear))
    let both = PostEdit(mode: .clear, modeRole: .clear)
    #expect(off == [.post(.edited(1, version: version + 1, both))])
    #expect(scene.it()?.modeRole == nil && scene.done == [])
  }

  @Test("An undo brings mode and role back together, and no role without a mode")
  func undone() {
    var scene = Scene.forEach(.doer)
    let set = scene.head
    scene.complete(by: "c")
    scene.edit(PostEdit(mode: .clear))
    let off = scene.head
    #expect(scene.undo(off).skipped ?? [] == [])
    #expect(scene.it()?.modeRole == .doer && scene.done == ["c"])
    // Somebody has chosen another role since, and it goes with the mode all the same.
    scene.edit(PostEdit(modeRole: .set(.editor)))
    let other = scene.head
    #expect(scene.undo(other).skipped ?? [] == [])
    #expect(scene.it()?.modeRole == .doer)
    scene.undo(set)
    #expect(scene.it()?.mode == nil && scene.it()?.modeRole == nil)
    // Without a mode there is no role to go back to.
    scene = .forEach(.doer)
    scene.edit(PostEdit(modeRole: .clear))
    let cleared = scene.head
    scene.edit(PostEdit(mode: .clear))
    #expect(scene.undo(cleared).skipped?.isEmpty == false)
    #expect(scene.it()?.mode == nil && scene.it()?.modeRole == nil)
  }

  @Test(
    "A part that is done again completes the post only when all with the role have done theirs"
  )
  func redone() {
    var scene = Scene.forEach(.doer)
    scene.complete(by: "c")
    scene.complete(by: "d")
    let last = scene.head
    scene.must(.undo(UndoTarget(stream: .category(1), events: [last], seen: nil)), by: "d")
    #expect(scene.it()?.completed == nil && scene.done == ["c"])
    scene.setRole("b", .doer)
    let redo = UndoTarget(stream: .category(1), events: [last + 1], seen: nil)
    scene.must(.undo(redo), by: "d")
    #expect(scene.it()?.completed == nil && scene.done == ["c", "d"], "b has a part by now")
    scene.complete(by: "b")
    #expect(scene.it()?.completed?.by == "b")
  }

  @Test("The role stays with a copy, in another list and at the next occurrence")
  func kept() throws {
    var scene = Scene.forEach(.doer)
    scene.must(.category(.add(7, name: "There", group: nil)), by: "a")
    let address = PostAddress(category: 1, post: 1)
    scene.must(.post(.change(address, .copy(as: 8, to: 7), ifVersion: nil)), by: "a")
    #expect(scene.post(8, in: 7)?.mode == .each && scene.post(8, in: 7)?.modeRole == .doer)
    let wish = Repetition(try RecurrenceRule("FREQ=DAILY"), missed: .kept)
    scene.edit(PostEdit(due: .set(.day(Day(number: 1_000))), repeats: .set(wish)))
    let first = scene.it()?.occurrence?.number ?? 0
    for user: UserID in ["c", "d"] {
      scene.must(.changeOccurrence(1, 1, first, .complete), by: user)
    }
    #expect(scene.it()?.occurrence?.number == first + 1 && scene.it()?.modeRole == .doer)
    scene.must(.movePost(1, 1, to: 7), by: "a")
    #expect(scene.it(in: 7)?.mode == .each && scene.it(in: 7)?.modeRole == .doer)
  }
}
