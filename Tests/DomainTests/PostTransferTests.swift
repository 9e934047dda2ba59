import Testing

@testable import Domain

private let one: CategoryID = 1
private let five: CategoryID = 5
private let six: CategoryID = 6

/// Returns the list 1 of a with c as editor and d as doer, and the lists 5 and 6 of c, with d as editor of 5. The post
/// 7 of list 1 has everything that a post can have.
private func house() -> Scene {
  var scene = Scene.house()
  scene.admit("c", to: .category(one), as: .editor, by: "a", number: 901)
  scene.admit("d", to: .category(one), as: .doer, by: "a", number: 902)
  scene.must(.category(.add(five, name: "Five", group: nil)), by: "c")
  scene.must(.category(.add(six, name: "Six", group: nil)), by: "c")
  scene.admit("d", to: .category(five), as: .editor, by: "c", number: 903)
  let fields = PostEdit(
    priority: .set(.high), color: .set(.red), due: .set(.day(Day(number: 20_780))),
    location: .set(Location(text: "shop")))
  let new = NewPost(title: "Bread", notes: "rye", fields: fields)
  scene.must(.post(.add(PostAddress(category: one, post: 7), new)), by: "a")
  scene.must(.changeStep(one, 7, 1, .add(content: "flour")), by: "a")
  scene.must(.changeTag(one, 1, .add(name: "Shop")), by: "a")
  scene.must(.changeTag(one, 2, .add(name: "soon")), by: "a")
  for tag in 1...2 { scene.must(.post(.change(one, 7, .tag(TagID(tag)))), by: "a") }
  for user in ["a", "d"] as [UserID] { scene.must(.post(.change(one, 7, .assign(user))), by: "a") }
  return scene
}

extension Scene {
  fileprivate func seq(_ list: CategoryID) -> Int64 { heads[.category(list)]?.seq ?? 0 }

  /// Returns the post as it is stored, in the state or out of it.
  fileprivate func row(_ post: PostID, in list: CategoryID) -> Post? {
    guard case .post(let it)? = rows[.category(list)]?[ObjectKey(kind: .post, id: post.uuid)] else {
      return nil
    }
    return it
  }

  fileprivate mutating func undo(_ list: CategoryID, by user: UserID) -> Decision {
    must(.undo(UndoTarget(stream: .category(list), events: [seq(list)], seen: nil)), by: user)
  }
}

@Suite("DESIGN §3: posts go to other lists") struct PostTransferTests {
  @Test("A post goes whole, and leaves nothing but its number")
  func whole() throws {
    var scene = house()
    scene.must(.changeTag(five, 9, .add(name: "SHOP")), by: "c")
    let before = try #require(scene.post(7, in: one))
    let decision = scene.must(.movePost(one, 7, to: five), by: "c")
    #expect(decision.drafts.map(\.stream) == [.category(one), .category(five)])
    #expect(decision.number == 1 && decision.version == before.version + 1)
    let after = try #require(scene.post(7, in: five))
    #expect(after.hasFields(of: before) && after.steps == before.steps)
    #expect(after.addedBy == "a" && after.createdAt == before.createdAt)
    // Tags go by name, and a missing one is made. People go who are in the other list, too.
    #expect(after.tags == [2, 9])
    #expect(scene.states[.category(five)]?.object(.tag, TagID(2).uuid) != nil)
    #expect(after.assignees == [Assignment(user: "d", seq: scene.seq(five))])
    #expect(after.came == scene.seq(five) && after.moved == nil)
    #expect(scene.post(7, in: one) == nil)
    let rest = try #require(scene.row(7, in: one))
    #expect(rest.number == before.number && rest.moved == scene.seq(one) && rest.removed != nil)
    #expect(rest.title == "" && rest.steps == [] && rest.tags == [] && rest.due == nil)
    guard case .post(.movedOut) = decision.drafts[0].ops[0], decision.drafts[0].ops.count == 1
    else {
      Issue.record("it says more than that the post went: \(decision.drafts[0].ops)")
      return
    }
  }

  @Test("The counters of both lists are exact", arguments: [1, 2])
  func counters(post: Int) {
    var scene = house()
    scene.must(.movePost(one, PostID(post), to: five), by: "c")
    let there = post == 1 ? Counters(open: 1, done: 0) : Counters(open: 0, done: 1)
    #expect(scene.category(five)?.counters == there && scene.category(five)?.lastPost == 1)
    let here = post == 1 ? Counters(open: 1, done: 1) : Counters(open: 2, done: 0)
    #expect(scene.category(one)?.counters == here)
    scene.must(.movePost(five, PostID(post), to: one), by: "c")
    #expect(scene.category(five)?.counters == Counters())
    #expect(scene.category(one)?.counters == Counters(open: 2, done: 1))
    #expect(scene.category(one)?.lastPost == 4)
  }

  @Test("A post that goes in a circle has its old number where it was before")
  func circle() {
    var scene = house()
    for _ in 0..<3 {
      scene.must(.movePost(one, 7, to: five), by: "c")
      scene.must(.editPost(five, 7, PostEdit(title: "there"), ifVersion: nil), by: "c")
      scene.must(.movePost(five, 7, to: six), by: "c")
      scene.must(.movePost(six, 7, to: one), by: "c")
    }
    #expect(scene.post(7, in: one)?.number == 4 && scene.post(7, in: one)?.title == "there")
    #expect(scene.post(7, in: five) == nil && scene.post(7, in: six) == nil)
    #expect(scene.category(five)?.lastPost == 1)
  }

  @Test("Who may see the other list is told where the post is, others that it is gone")
  func whereabouts() {
    var scene = house()
    scene.must(.movePost(one, 7, to: five), by: "c")
    let edit = Command.editPost(one, 7, PostEdit(title: "x"), ifVersion: 1)
    #expect(scene.refusal(of: edit, by: "c") == .moved(to: five))
    #expect(scene.refusal(of: .completePost(one, 7, ifVersion: nil), by: "d") == .moved(to: five))
    for command in [
      edit, .restorePost(one, 7, ifVersion: nil), .removePost(one, 7, ifVersion: nil),
    ] {
      #expect(scene.refusal(of: command, by: "a") == .gone("post"))
    }
    scene.must(.movePost(five, 7, to: six), by: "c")
    // One step at a time.
    #expect(scene.refusal(of: edit, by: "c") == .gone("post"))
    let there = Command.editPost(five, 7, PostEdit(title: "x"), ifVersion: nil)
    #expect(scene.refusal(of: there, by: "c") == .moved(to: six))
    #expect(scene.refusal(of: there, by: "d") == .gone("post"))
  }

  @Test(
    "A move that is not allowed is refused",
    arguments: [
      (.movePost(one, 7, to: one), "c", .invalid(field: "to", reason: "must be another category")),
      (.movePost(one, 7, to: five), "a", .notFound("category")),
      (
        .movePost(one, 7, to: five), "d",
        .forbidden("the role doer does not allow post.move_to here")
      ),
      (.movePost(five, 7, to: one), "d", .notFound("post")),
      (.movePost(one, 3, to: five), "c", .gone("post")),
      (.movePost(one, 1, to: six), "c", .exists(field: "id")),
    ] as [(Command, UserID, Refusal)])
  func refused(command: Command, by user: UserID, refusal: Refusal) {
    var scene = house()
    scene.must(.post(.add(six, 1, title: "there already", notes: "")), by: "c")
    #expect(scene.refusal(of: command, by: user) == refusal)
  }

  @Test("Several go at once, also one after the other")
  func batch() {
    var scene = house()
    let commands: [Command] = [
      .movePost(one, 7, to: five), .movePost(one, 1, to: five), .movePost(five, 7, to: six),
      .editPost(six, 7, PostEdit(title: "x"), ifVersion: nil),
    ]
    let decision = scene.must(.batch(commands), by: "c")
    #expect(decision.drafts.map(\.stream) == [one, five, six].map { .category($0) })
    #expect(scene.post(7, in: six)?.title == "x" && scene.post(1, in: five) != nil)
    #expect(scene.category(five)?.counters == Counters(open: 1, done: 0))
    #expect(scene.refusal(of: .completePost(five, 7, ifVersion: nil), by: "c") == .moved(to: six))
    let erasing = scene.must(.erasePost(six, 7), by: "c")
    #expect(erasing.drafts.map(\.stream) == [five, six].map { .category($0) })
  }

  @Test("An undo takes a post back as it is now")
  func undone() {
    var scene = house()
    scene.must(.movePost(one, 7, to: five), by: "c")
    scene.must(.editPost(five, 7, PostEdit(title: "Rolls"), ifVersion: nil), by: "d")
    let decision = scene.undo(one, by: "c")
    #expect(decision.drafts.map(\.stream) == [.category(one), .category(five)])
    #expect(decision.drafts[0].undoes == [scene.seq(one) - 1])
    #expect(scene.post(7, in: one)?.title == "Rolls" && scene.post(7, in: five) == nil)
    // This undoes that undo.
    _ = scene.undo(one, by: "c")
    #expect(scene.post(7, in: five)?.number == 1 && scene.post(7, in: one) == nil)
    // This is done from the other side.
    _ = scene.undo(five, by: "c")
    #expect(scene.post(7, in: one) != nil)
  }

  @Test("Nobody outside of the other list is told what is done there, and no preview tells it")
  func unseen() throws {
    var scene = house()
    scene.must(.movePost(one, 7, to: five), by: "c")
    let target = UndoTarget(stream: .category(one), events: [scene.seq(one)], seen: nil)
    func told(_ scene: inout Scene) throws -> UndoPlan {
      var plan = try scene.plan(target, by: "a").get()
      // No answer says from where it would go.
      (plan.drafts, plan.unseen) = ([], [])
      return plan
    }
    let first = try told(&scene)
    #expect(first.steps.map(\.does) == [[.move]] && first.skipped.isEmpty)
    let there: [Command] = [
      .editPost(five, 7, PostEdit(title: "Rolls"), ifVersion: nil),
      .removePost(five, 7, ifVersion: nil), .restorePost(five, 7, ifVersion: nil),
      .movePost(five, 7, to: six), .editPost(six, 7, PostEdit(title: "Cake"), ifVersion: nil),
    ]
    for command in there {
      let before = try scene.plan(target, by: "c").get()
      scene.must(command, by: "c")
      #expect(try told(&scene) == first, "\(command)")
      let isFurther = scene.row(7, in: five)?.moved != nil
      #expect(try (scene.plan(target, by: "c").get() != before) || isFurther)
    }
  }

  @Test(
    "The list that a post was taken from takes it back as it was, from a list of others",
    arguments: [0, 1, 2, 3])
  func takenBack(row: Int) throws {
    var scene = house()
    let before = try #require(scene.post(7, in: one))
    scene.must(.movePost(one, 7, to: five), by: "c")
    let target = UndoTarget(stream: .category(one), events: [scene.seq(one)], seen: nil)
    let there: [Command] = [
      .editPost(five, 7, PostEdit(title: "Secret", notes: "of five"), ifVersion: nil),
      .removePost(five, 7, ifVersion: nil), .restorePost(five, 7, ifVersion: nil),
      .movePost(five, 7, to: six),
    ]
    for command in there.prefix(row + 1) { scene.must(command, by: "c") }
    let holder = row == 3 ? six : five
    // Only an admin may do this, as with everything that others did.
    #expect(scene.refusal(of: .undo(target), by: "d") != nil)
    let seen = try scene.plan(target, by: "a").get().seen
    let undo = UndoTarget(stream: target.stream, events: target.events, seen: seen)
    let decision = scene.must(.undo(undo), by: "a")
    #expect(decision.unseen == [.category(holder)])
    let after = try #require(scene.post(7, in: one))
    #expect(after.title == "Bread" && after.notes == "rye" && after.number == before.number)
    #expect(after.hasFields(of: before) && after.steps == before.steps)
    #expect(after.tags == before.tags && after.removed == nil)
    #expect(scene.post(7, in: holder) == nil)
    #expect(scene.row(7, in: holder)?.title == "" && scene.row(7, in: holder)?.moved != nil)
    for list in [one, five, six] {
      let posts = (scene.states[.category(list)]?.objects ?? [:]).values.compactMap {
        if case .post(let it) = $0 { it } else { nil }
      }
      #expect(scene.category(list)?.counters.open == posts.count { $0.completed == nil })
    }
    // The answer about a post that came back says nothing of the other list. A person who is in both lists hears where
    // it is.
    let refusal = scene.refusal(
      of: .editPost(holder, 7, PostEdit(title: "x"), ifVersion: nil), by: "c")
    #expect(refusal == .moved(to: one))
  }

  @Test("A list takes nothing back after thirty days, and nothing that was erased here")
  func takenBackTooLate() throws {
    var scene = house()
    scene.must(.movePost(one, 7, to: five), by: "c")
    let target = UndoTarget(stream: .category(one), events: [scene.seq(one)], seen: nil)
    let moved = scene.now
    scene.now = moved.after(days: Limits.takeBackDays)
    #expect(try scene.plan(target, by: "a").get().steps.count == 1)
    scene.now = Timestamp(milliseconds: scene.now.milliseconds + 1)
    #expect(try scene.plan(target, by: "a").get().skipped.map(\.reason) == [.forbidden])
    scene.now = moved
    scene.must(.erasePost(one, 7), by: "a")
    #expect(try scene.plan(target, by: "a").get().skipped.map(\.reason) == [.forbidden])
  }

  @Test("A list takes a post back when the other list is removed, archived or full")
  func takenBackFromAnywhere() throws {
    for command in [Command.category(.remove(five)), .category(.archive(five))] {
      var scene = house()
      scene.must(.movePost(one, 7, to: five), by: "c")
      scene.must(command, by: "c")
      let target = UndoTarget(stream: .category(one), events: [scene.seq(one)], seen: nil)
      let seen = try scene.plan(target, by: "a").get().seen
      scene.must(
        .undo(UndoTarget(stream: target.stream, events: target.events, seen: seen)), by: "a")
      #expect(scene.post(7, in: one)?.title == "Bread")
      #expect(scene.post(7, in: five) == nil)
    }
  }

  @Test("An undo of several events leaves posts where they are, and says so of each")
  func amongOthers() {
    var scene = house()
    scene.must(.editPost(one, 7, PostEdit(title: "Rolls"), ifVersion: nil), by: "c")
    scene.must(.post(.add(one, 8, title: "of c", notes: "")), by: "c")
    let first = scene.seq(one) - 1
    scene.must(.movePost(one, 7, to: five), by: "c")
    scene.must(.movePost(one, 8, to: five), by: "c")
    let undo: ([Int64]) -> Command = {
      .undo(UndoTarget(stream: .category(one), events: $0, seen: nil))
    }
    let stays: (PostID, Int) -> UndoSkip = {
      UndoSkip(stream: .category(one), post: $0, number: $1, reason: .never)
    }
    let decision = scene.must(undo([first, first + 2, first + 3]), by: "c")
    // One line each, though what was edited is in another list now.
    #expect(decision.skipped == [stays(7, 4), stays(8, 5)])
    // These are nothing but moves: nothing happens, and the reason is told.
    let moves = scene.must(undo([first + 2, first + 3]), by: "c")
    #expect(!moves.changed && moves.skipped == [stays(7, 4), stays(8, 5)])
    #expect(scene.post(7, in: five)?.title == "Rolls")
    // A post that is back where it was has not moved.
    scene.must(.movePost(five, 8, to: one), by: "c")
    let back = scene.must(undo([first + 3, scene.seq(one)]), by: "c")
    #expect(!back.changed && back.skipped == [])
  }

  @Test("An undo leaves posts that went on, and those that the person may not move any more")
  func notUndone() {
    var scene = house()
    scene.must(.movePost(one, 7, to: five), by: "c")
    var onward = scene
    onward.must(.movePost(five, 7, to: six), by: "c")
    #expect(onward.undo(one, by: "c").changed == false)
    let undo = Command.undo(
      UndoTarget(stream: .category(one), events: [scene.seq(one)], seen: nil))
    scene.must(.member(.setRole(.category(one), "c", .doer)), by: "a")
    let decision = scene.must(undo, by: "c")
    #expect(decision.changed == false && decision.skipped?.map(\.reason) == [.forbidden])
  }

  @Test("The text of a post is erased wherever it was and who erases it may do so")
  func erased() {
    var scene = house()
    scene.must(.post(.add(one, 8, title: "of c", notes: "")), by: "c")
    for post in [7, 8] as [PostID] {
      scene.must(.movePost(one, post, to: five), by: "c")
      scene.must(.movePost(five, post, to: six), by: "c")
      scene.must(.movePost(six, post, to: five), by: "c")
    }
    // An editor cannot take a post that another person added out of the history of its list, by no way.
    let others = scene.must(.erasePost(five, 7), by: "c")
    #expect(others.drafts.map(\.stream) == [five, six].map { .category($0) })
    let own = scene.must(.erasePost(five, 8), by: "c")
    #expect(own.drafts.map(\.stream) == [one, five, six].map { .category($0) })
    #expect(own.drafts.allSatisfy { $0.ops.erasedPosts == [8] })
    // An owner erases there what the post's own list has of it.
    let left = scene.must(.erasePost(one, 7), by: "a")
    #expect(left.drafts.map(\.stream) == [.category(one)])
  }

  @Test("A copy is due so many days later, and never beyond the calendar")
  func later() {
    var scene = house()
    let copy: (PostID, Int) -> Command = {
      .post(.change(one, 7, .copy(as: $0, to: five, days: $1)))
    }
    let due = Due.time(Day(number: 20_000), minute: 60, zone: "UTC")
    scene.must(.editPost(one, 7, PostEdit(due: .set(due)), ifVersion: nil), by: "c")
    scene.must(copy(70, 10), by: "c")
    #expect(scene.post(70, in: five)?.due == due.moved(to: Day(number: 20_010)))
    #expect(
      scene.refusal(of: copy(71, -36_600), by: "c")
        == .invalid(field: "days", reason: "moves the due out of the calendar"))
    scene.must(.editPost(one, 7, PostEdit(due: .clear), ifVersion: nil), by: "c")
    scene.must(copy(71, -36_600), by: "c")
    #expect(scene.post(71, in: five)?.due == nil)
  }

  @Test("A copy is a new post of who copies it", arguments: [one, five])
  func copied(list: CategoryID) throws {
    var scene = house()
    scene.must(.changeStep(one, 7, 1, .complete), by: "a")
    let before = try #require(scene.post(7, in: one))
    let decision = scene.must(.post(.change(one, 7, .copy(as: 70, to: list))), by: "c")
    let copy = try #require(scene.post(70, in: list))
    #expect(decision.drafts.map(\.stream) == [.category(list)] && decision.version == 1)
    #expect(copy.hasFields(of: before) && copy.tags == before.tags && copy.assignees == [])
    #expect(copy.steps.map(\.content) == ["flour"] && copy.steps[0].finished == nil)
    #expect(copy.addedBy == "c" && copy.completed == nil)
    #expect(scene.category(list)?.counters.open == (list == one ? 2 : 1))
    let again = Command.post(.change(one, 7, .copy(as: 70, to: list)))
    #expect(scene.refusal(of: again, by: "c") == .exists(field: "copy"))
    #expect(scene.refusal(of: again, by: "d") != nil)
    _ = scene.undo(list, by: "c")
    #expect(scene.post(70, in: list) == nil)
    scene.must(.erasePost(one, 7), by: "a")
    #expect(
      scene.refusal(of: .post(.change(one, 7, .copy(as: 71, to: one))), by: "c")
        == .invalid(field: "id", reason: "is of a post whose text was erased"))
  }
}
