import Testing

@testable import Domain

/// The content of a place, without the values that every change moves on.
private struct Content: Equatable {
  var posts: [PostID: Post] = [:]
  var name = ""
  var zone = ""
  var color: Color?
  var removed: Stamp?
  var counters = Counters()

  init(_ scene: Scene, _ category: CategoryID) {
    for case .post(var post) in (scene.rows[.category(category)] ?? [:]).values {
      post.version = 0
      post.updatedAt = Timestamp(milliseconds: 0)
      post.completed = post.completed.map { Completion(at: $0.at, by: $0.by, seq: 0) }
      posts[post.id] = post
    }
    guard let head = scene.category(category) else {
      Issue.record("there is no such list")
      return
    }
    (name, removed, counters) = (head.name, head.removed, head.counters)
    (zone, color) = (head.zone, head.color)
  }
}

/// A command that a does in the house, its category, and the kinds of op of its undo.
private struct Row: CustomTestStringConvertible {
  let command: Command
  let category: CategoryID
  let undone: [String]
  var testDescription: String { "\(command)" }

  init(_ command: Command, in category: CategoryID = 1, undone: String) {
    self.command = command
    self.category = category
    self.undone = [undone]
  }

  static let all = [
    Row(
      .editPost(1, 1, PostEdit(title: "New", notes: "n"), ifVersion: nil), undone: "post.edited"),
    Row(.editPost(1, 2, PostEdit(notes: "of a done one"), ifVersion: nil), undone: "post.edited"),
    Row(.completePost(1, 1, ifVersion: nil), undone: "post.reopened"),
    Row(.reopenPost(1, 2, ifVersion: nil), undone: "post.completed"),
    Row(.removePost(1, 1, ifVersion: nil), undone: "post.restored"),
    Row(.removePost(1, 2, ifVersion: nil), undone: "post.restored"),
    Row(.restorePost(1, 3, ifVersion: nil), undone: "post.removed"),
    Row(.post(.add(1, 50, title: "Fifty", notes: "")), undone: "post.removed"),
    Row(.category(.edit(1, name: "Castle")), undone: "category.edited"),
    Row(
      .category(.edit(1, CategoryEdit(zone: "Asia/Kathmandu", color: .set(.red)))),
      undone: "category.edited"),
    Row(
      .editPost(
        1, 1,
        PostEdit(
          priority: .set(.high), color: .set(.red), due: .set(.day(Day(number: 20_781))),
          location: .set(Location(text: "there"))), ifVersion: nil), undone: "post.edited"),
    Row(
      .batch([
        .editPost(1, 1, PostEdit(title: "Once"), ifVersion: nil),
        .editPost(1, 1, PostEdit(title: "Twice"), ifVersion: nil),
      ]), undone: "post.edited"),
    Row(.category(.remove(1)), undone: "category.restored"),
    Row(.category(.archive(1)), undone: "category.unarchived"),
    Row(.category(.restore(4)), in: 4, undone: "category.removed"),
  ]
}

extension Scene {
  fileprivate func head(_ category: CategoryID) -> Int64 { heads[.category(category)]?.seq ?? 0 }

  /// Returns the house with b as an editor of category 1.
  fileprivate static func shared() -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 1_000)
    return scene
  }
}

private func undo(_ category: CategoryID, _ events: Int64..., seen: String? = nil) -> Command {
  .undo(UndoTarget(stream: .category(category), events: events, seen: seen))
}

@Suite("DESIGN §4: undo") struct UndoTests {
  @Test("takes a command back, and the undo of the undo does it again", arguments: Row.all)
  private func thereAndBack(row: Row) throws {
    var scene = Scene.shared()
    let before = Content(scene, row.category)
    scene.must(row.command, by: "a")
    let done = Content(scene, row.category)
    let event = scene.head(row.category)
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 60_000)

    let undone = scene.must(undo(row.category, event), by: "a")
    #expect(undone.skipped == [])
    let draft = try #require(undone.drafts.first)
    #expect(draft.undoes == [event])
    #expect(draft.ops.map(\.word) == row.undone)
    var expected = before
    // An added post is in the bin then, which is as near to nothing as there is.
    if case .post(.add(let address, _)) = row.command {
      let id = address.post
      expected.posts[id] = done.posts[id]
      expected.posts[id]?.removed = Stamp(at: scene.now, by: "a")
    }
    #expect(Content(scene, row.category) == expected)

    let redone = scene.must(undo(row.category, event + 1), by: "a")
    #expect(redone.skipped == [])
    #expect(Content(scene, row.category) == done)
    let again = scene.must(undo(row.category, event + 2), by: "a")
    #expect(again.changed)
    #expect(Content(scene, row.category).counters == expected.counters)
  }

  @Test("a second undo of the same finds everything as it was")
  func twice() {
    var scene = Scene.shared()
    for row in Row.all where row.category == 1 {
      var scene = scene
      scene.must(row.command, by: "a")
      let event = scene.head(1)
      scene.must(undo(1, event), by: "a")
      let second = scene.must(undo(1, event), by: "a")
      #expect(!second.changed && second.skipped == [], "\(row.testDescription)")
    }
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
  }

  @Test("never touches who belongs where, what one was asked, or what a list began with")
  func never() {
    var scene = Scene.shared()
    scene.must(.invitation(.send(50, .category(1), username: "user-d", .owner)), by: "a")
    scene.must(.invitation(.revoke(50, .category(1))), by: "a")
    scene.must(.invitation(.send(51, .category(1), username: "user-d", .owner)), by: "a")
    scene.must(.invitation(.accept(51)), by: "d")
    scene.must(.member(.remove(.category(1), "d")), by: "a")
    scene.must(.account(.editProfile(ProfileEdit(name: "Another"))), by: "a")
    var seen = 0
    for (stream, events) in scene.events where stream.letter != UInt8(ascii: "u") {
      for event in events where !event.ops.contains(where: \.isUndone) {
        guard let member = scene.member("a", of: stream), member.role != nil else { continue }
        let target = UndoTarget(stream: stream, events: [event.seq], seen: nil)
        let refusal = scene.refusal(of: .undo(target), by: "a")
        guard case .forbidden = refusal else {
          Issue.record("\(stream) \(event.ops): \(String(describing: refusal))")
          continue
        }
        seen += 1
      }
    }
    #expect(seen > 12)
  }

  @Test("leaves what was changed since, and says so")
  func later() {
    var scene = Scene.shared()
    scene.must(.editPost(1, 1, PostEdit(title: "A", notes: "a"), ifVersion: nil), by: "a")
    let edit = scene.head(1)
    scene.must(.editPost(1, 1, PostEdit(title: "B"), ifVersion: nil), by: "b")
    let half = scene.must(undo(1, edit), by: "a")
    #expect(half.drafts.first?.ops == [.post(.edited(1, version: 4, PostEdit(notes: "")))])
    let skip = UndoSkip(stream: .category(1), post: 1, number: 1, reason: .later)
    #expect(half.skipped == [skip])
    let rest = scene.must(undo(1, edit), by: "a")
    #expect(!rest.changed && rest.skipped == [skip])
  }

  @Test("removes an added post only if nobody has changed it", arguments: 0..<3)
  func added(way: Int) {
    var scene = Scene.shared()
    scene.must(.post(.add(1, 60, title: "Sixty", notes: "")), by: "a")
    let event = scene.head(1)
    let changes: [Command] = [
      .completePost(1, 60, ifVersion: nil),
      .editPost(1, 60, PostEdit(notes: "n"), ifVersion: nil),
      .removePost(1, 60, ifVersion: nil),
    ]
    scene.must(changes[way], by: "b")
    let undone = scene.must(undo(1, event), by: "a")
    #expect(!undone.changed)
    let skip = UndoSkip(stream: .category(1), post: 60, number: 4, reason: .later)
    #expect(undone.skipped == (way == 2 ? [] : [skip]))
  }

  @Test("leaves what was removed since")
  func removed() {
    var scene = Scene.shared()
    scene.must(.editPost(1, 1, PostEdit(title: "A"), ifVersion: nil), by: "a")
    let edit = scene.head(1)
    scene.must(.removePost(1, 1, ifVersion: nil), by: "b")
    let undone = scene.must(undo(1, edit), by: "a")
    #expect(!undone.changed)
    #expect(
      undone.skipped
        == [UndoSkip(stream: .category(1), post: 1, number: 1, reason: .removed)])
    scene.must(.category(.remove(1)), by: "a")
    #expect(
      scene.must(undo(1, edit), by: "a").skipped
        == [UndoSkip(stream: .category(1), post: nil, number: nil, reason: .removed)])
    #expect(scene.changes(undo(1, scene.head(1)), by: "a") == true)
  }

  @Test("takes no erasing back, and puts no empty title in the place of a new one")
  func erased() {
    var scene = Scene.shared()
    scene.must(.erasePost(1, 1), by: "a")
    guard case .forbidden = scene.refusal(of: undo(1, scene.head(1)), by: "a") else {
      Issue.record("an erasing was taken back")
      return
    }
    let edit = PostEdit(title: "New", notes: "n")
    scene.must(.editPost(1, 1, edit, ifVersion: nil), by: "a")
    let undone = scene.must(undo(1, scene.head(1)), by: "a")
    #expect(undone.drafts.first?.ops == [.post(.edited(1, version: 4, PostEdit(notes: "")))])
    #expect(scene.post(1, in: 1)?.title == "New")
  }

  @Test("brings back a time that was left out, and nobody is told that it is open again")
  func leftOut() throws {
    var scene = Scene.house()
    scene.must(.daily(1, 9), by: "a")
    let first = try #require(scene.post(9, in: 1)?.occurrence?.number)
    scene.must(.changeOccurrence(1, 9, first, .skip), by: "a")
    let undone = scene.must(undo(1, scene.head(1)), by: "a")
    guard case .post(.restored(let post, _)) = undone.drafts[0].ops[0] else {
      Issue.record("\(undone.drafts)")
      return
    }
    #expect(post == scene.post(9, in: 1) && post.occurrence?.number == first)
    let event = Event(
      seq: 9, transaction: TransactionID(UUID(high: 0, low: 1)), at: scene.now, by: "a", key: nil,
      ops: undone.drafts[0].ops)
    let told = notify(event, in: .category(1), viewer: Viewer(user: "b", joinedSeq: 1))
    #expect(told.map(\.kind) == [.restored])
    var tally = DigestTally()
    tally.add(event, in: .category(1))
    #expect(tally.total.isEmpty)
    scene.must(undo(1, scene.head(1)), by: "a")
    #expect(scene.post(9, in: 1)?.occurrence?.number == first + 1)
  }

  @Test("takes back a name and never what members may read of what was")
  func history() {
    var scene = Scene.shared()
    scene.must(.category(.edit(1, history: .joined)), by: "a")
    #expect(
      scene.refusal(of: undo(1, scene.head(1)), by: "a")
        == .forbidden(
          "members, invitations, profiles, claims, runs and the beginning of a list "
            + "are never undone")
    )
    scene.must(.category(.edit(1, name: "Castle", history: .all)), by: "a")
    let undone = scene.must(undo(1, scene.head(1)), by: "a")
    #expect(undone.drafts.map(\.ops) == [[.category(.edited(CategoryEdit(name: "Home")))]])
    #expect(
      undone.skipped
        == [UndoSkip(stream: .category(1), post: nil, number: nil, reason: .never)])
    #expect(scene.category(1)?.history == .all)
  }

  @Test("is judged by what one may do now")
  func present() {
    var scene = Scene.shared()
    scene.admit("d", to: .category(1), as: .owner, by: "a", number: 950)
    scene.must(.category(.edit(1, name: "Dwelling")), by: "d")
    scene.must(.category(.remove(1)), by: "d")
    let removal = scene.head(1)
    #expect(scene.changes(undo(1, removal), by: "d") == true)
    scene.must(.category(.restore(1)), by: "a")
    scene.must(.member(.remove(.category(1), "d")), by: "a")
    #expect(scene.refusal(of: undo(1, removal), by: "d") == .notFound("category"))
    scene.admit("d", to: .category(1), as: .editor, by: "a", number: 951)
    scene.must(.category(.edit(1, history: .joined)), by: "a")
    #expect(scene.refusal(of: undo(1, removal), by: "d") == .notFound("event"))
    scene.must(.category(.edit(1, history: .all)), by: "a")
    #expect(scene.changes(undo(1, removal), by: "d") == false)
    #expect(scene.refusal(of: undo(1, 9_999), by: "a") == .notFound("event"))
  }

  @Test("a removal that an owner made is not taken back by who is an editor now")
  func lostRole() {
    var scene = Scene.house()
    scene.admit("d", to: .category(1), as: .owner, by: "a", number: 952)
    scene.must(.post(.add(1, 70, title: "Seventy", notes: "")), by: "d")
    let adding = scene.head(1)
    scene.must(.category(.remove(1)), by: "d")
    let removal = scene.head(1)
    // No command takes a role down yet; an event can.
    let lower = Op.member(.granted("d", Grants(direct: .editor)))
    scene.carryOut(
      Decision(drafts: [Draft(stream: .category(1), ops: [lower])]), by: "a")
    let undone = scene.must(undo(1, removal), by: "d")
    #expect(!undone.changed)
    #expect(undone.skipped?.map(\.reason) == [.forbidden, .removed])
    scene.must(.category(.restore(1)), by: "a")
    #expect(scene.changes(undo(1, adding), by: "d") == true)
  }
}

@Suite("DESIGN §4: undo of what others did") struct UndoOfOthersTests {
  @Test("takes an owner and a preview of the same state")
  func preview() throws {
    var scene = Scene.shared()
    scene.must(.category(.edit(1, name: "House")), by: "a")
    let others = undo(1, scene.head(1))
    scene.must(.post(.add(1, 60, title: "Sixty", notes: "")), by: "b")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "b")
    let events = [scene.head(1) - 1, scene.head(1)]
    let target = UndoTarget(stream: .category(1), events: events, seen: nil)
    #expect(
      scene.refusal(of: others, by: "b")
        == .forbidden("only admins and owners undo what others did"))
    guard case .invalid("seen", _, _) = scene.refusal(of: .undo(target), by: "a") else {
      Issue.record("undone without a look")
      return
    }
    let plan = try scene.plan(target, by: "a").get()
    #expect(!plan.isOwn && plan.seen.count == 16)
    #expect(plan.steps.map(\.post) == [1, 60])
    #expect(plan.steps.map(\.does) == [[.reopen], [.remove]])
    var changed = scene
    changed.must(.editPost(1, 60, PostEdit(title: "61"), ifVersion: nil), by: "b")
    let seen = undo(1, events[0], events[1], seen: plan.seen)
    guard case .invalid("seen", _, _) = changed.refusal(of: seen, by: "a") else {
      Issue.record("undone as it was not seen")
      return
    }
    scene.must(.post(.add(1, 61, title: "of another", notes: "")), by: "b")
    let decision = scene.must(seen, by: "a")
    #expect(decision.drafts.first?.undoes == events)
    #expect(scene.post(1, in: 1)?.completed == nil && scene.post(60, in: 1) == nil)
    // The undo is one's own, so its undo needs no preview.
    #expect(scene.changes(undo(1, scene.head(1)), by: "a") == true)
  }

  @Test("An undo of several events goes back from the newest, past what others did between")
  func several() {
    var scene = Scene.shared()
    let first = scene.head(1) + 1
    scene.must(.editPost(1, 1, PostEdit(title: "B", notes: "x"), ifVersion: nil), by: "a")
    scene.must(.editPost(1, 1, PostEdit(title: "C"), ifVersion: nil), by: "b")
    scene.must(.editPost(1, 1, PostEdit(title: "D"), ifVersion: nil), by: "a")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "a")
    scene.must(.category(.edit(1, name: "Castle")), by: "a")
    let decision = scene.must(undo(1, first, first + 2, first + 3, first + 4), by: "a")
    #expect(decision.skipped?.map(\.reason) == [.later])
    let post = scene.post(1, in: 1)
    #expect(post?.title == "C" && post?.notes == "" && post?.completed == nil)
    #expect(scene.category(1)?.name == "Home")
  }

  @Test("An undo of a command goes to every list that it wrote to and that one may write to")
  func companions() {
    var scene = Scene.shared()
    let drafts = [CategoryID(integerLiteral: 1), 3, 2].map { category in
      Draft(
        stream: .category(category),
        ops: [.category(.edited(CategoryEdit(name: "Same everywhere")))])
    }
    scene.carryOut(Decision(drafts: drafts.sorted { $0.stream < $1.stream }), by: "a")
    let decision = scene.must(undo(3, scene.head(3)), by: "a")
    #expect(decision.drafts.map(\.stream) == [.category(1), .category(3)])
    #expect(scene.category(1)?.name == "Home" && scene.category(3)?.name == "Groceries")
    #expect(scene.category(2)?.name == "Same everywhere")
    // Several numbers name events of this list alone.
    scene.must(.category(.edit(3, name: "Food")), by: "a")
    let two = scene.must(undo(3, scene.head(3) - 1, scene.head(3)), by: "a")
    #expect(two.drafts.map(\.stream) == [.category(3)])
  }

  @Test("is limited in posts")
  func limits() {
    var scene = Scene.house()
    for batch in 0..<6 {
      let ops = (0..<100).map { index in
        let number = 4 + batch * 100 + index
        let post = Post(
          id: PostID(1_000 + number), number: number, title: "t", notes: "", addedBy: "a",
          createdAt: scene.now, updatedAt: scene.now, version: 1)
        return Op.post(.added(post, Counters(open: 2 + number - 4, done: 1)))
      }
      scene.carryOut(Decision(drafts: [Draft(stream: .category(1), ops: ops)]), by: "a")
    }
    let head = scene.head(1)
    let last = (0..<6).map { head - 5 + $0 }
    let all = UndoTarget(stream: .category(1), events: last, seen: nil)
    let max = Limits.undoPostsMax
    #expect(scene.refusal(of: .undo(all), by: "a") == .quota(limit: "undoPosts", max: max))
    let five = UndoTarget(stream: .category(1), events: Array(last.dropFirst()), seen: nil)
    let decision = scene.must(.undo(five), by: "a")
    #expect(decision.drafts.first?.ops.count == max)
    #expect(scene.category(1)?.counters.done == 1)
  }
}
