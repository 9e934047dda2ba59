import TestRandom
import Testing

@testable import Domain

private let monday = Due.day(Day(number: 20_780))
private let evening = Due.time(Day(number: 20_781), minute: 1_080, zone: "Europe/Lisbon")
private let rossio = Location(
  text: "Rossio", point: GeoPoint(latitude: 38_707_100, longitude: -9_135_490))
private let everything = PostEdit(
  title: "T", notes: "N", priority: .set(.high), color: .set(.red), due: .set(evening),
  location: .set(rossio))

extension Post {
  fileprivate static func random(_ numbers: inout SeededRandom) -> Post {
    var post = Post(
      id: 1, number: 1, title: ["", "a", "b"].randomElement(using: &numbers) ?? "",
      notes: ["", "n"].randomElement(using: &numbers) ?? "", addedBy: "a",
      createdAt: Timestamp(milliseconds: 0), updatedAt: Timestamp(milliseconds: 0), version: 1)
    post.priority = [nil, .low, .high].randomElement(using: &numbers) ?? nil
    post.color = [nil, .red].randomElement(using: &numbers) ?? nil
    post.due = [nil, monday, evening].randomElement(using: &numbers) ?? nil
    post.location = [nil, rossio, Location(text: "b")].randomElement(using: &numbers) ?? nil
    post.mode = [nil, .each].randomElement(using: &numbers) ?? nil
    post.modeRole = [nil, .doer, .owner].randomElement(using: &numbers) ?? nil
    post.contest = [nil, nil, .race, .coop].randomElement(using: &numbers) ?? nil
    guard let contest = post.contest else { return post }
    post.mode = contest == .race ? .each : nil
    post.goal = Bool.random(using: &numbers) ? Goal(amount: 300, unit: "pages") : nil
    return post
  }
}

@Suite("protocol §3.6 fields of posts") struct PostFieldTests {
  @Test("all that an edit can say is in the list of fields")
  func complete() {
    // A restart says something about the change, and no post keeps it.
    let said = Mirror(reflecting: PostEdit()).children.filter { $0.label != "restart" }
    #expect(said.count == PostField.all.count)
    var post = Scene.house().post(1, in: 1)
    post = post?.edited(by: everything)
    #expect(post?.title == "T" && post?.notes == "N" && post?.priority == .high)
    #expect(post?.color == .red && post?.due == evening && post?.location == rossio)
  }

  @Test(
    "The fields between two posts bring one to the other", arguments: 1...40 as ClosedRange<UInt64>)
  func difference(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let (one, other) = (Post.random(&numbers), Post.random(&numbers))
      let edit = PostEdit(from: one, to: other)
      #expect(one.edited(by: edit).hasFields(of: other))
      #expect((edit == PostEdit()) == one.hasFields(of: other))
      #expect(PostEdit(from: one, to: one) == PostEdit())
    }
  }

  @Test("are set with the post, changed and taken away, each by itself")
  func life() throws {
    var scene = Scene.house()
    let address = PostAddress(category: 1, post: 9)
    scene.must(.post(.add(address, NewPost(title: "T", notes: "N", fields: everything))), by: "a")
    #expect(scene.post(9, in: 1)?.due == evening)
    let steps: [(PostEdit, PostEdit)] = [
      (PostEdit(priority: .set(.high), color: .clear), PostEdit(color: .clear)),
      (PostEdit(title: "T", due: .set(monday)), PostEdit(due: .set(monday))),
      (PostEdit(location: .clear), PostEdit(location: .clear)),
    ]
    for (asked, told) in steps {
      let version = try #require(scene.post(9, in: 1)?.version)
      let made = scene.must(.editPost(1, 9, asked, ifVersion: version), by: "a")
      #expect(made.drafts.map(\.ops) == [[.post(.edited(9, version: version + 1, told))]])
    }
    #expect(
      scene.changes(.editPost(1, 9, PostEdit(color: .clear), ifVersion: nil), by: "a") == false)
    let post = try #require(scene.post(9, in: 1))
    #expect(post.priority == .high && post.color == nil && post.due == monday)
    #expect(post.location == nil && post.notes == "N")
  }

  @Test("come back whole with a post that was removed")
  func restored() {
    var scene = Scene.house()
    scene.must(.editPost(1, 1, everything, ifVersion: nil), by: "a")
    for command: Command in [
      .removePost(1, 1, ifVersion: nil), .restorePost(1, 1, ifVersion: nil),
      .completePost(1, 1, ifVersion: nil), .reopenPost(1, 1, ifVersion: nil),
    ] { scene.must(command, by: "a") }
    #expect(scene.post(1, in: 1)?.location == rossio)
    #expect(scene.post(1, in: 1)?.due == evening)
  }

  @Test("an undo takes fields back one by one, and leaves those that somebody has set since")
  func undone() {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .editor, by: "a", number: 901)
    scene.must(.editPost(1, 1, everything, ifVersion: nil), by: "a")
    let seq = scene.heads[.category(1)]?.seq ?? 0
    scene.must(
      .editPost(1, 1, PostEdit(priority: .clear, due: .set(monday)), ifVersion: nil), by: "b")
    let target = UndoTarget(stream: .category(1), events: [seq], seen: nil)
    let undone = scene.must(.undo(target), by: "a")
    #expect(undone.skipped?.map(\.reason) == [.later])
    let back = PostEdit(title: "Post 1", notes: "", color: .clear, location: .clear)
    #expect(undone.drafts.first?.ops == [.post(.edited(1, version: 4, back))])
  }

  @Test("a field that is a text goes when the post is erased, from the past too")
  func erased() {
    var scene = Scene.house()
    scene.must(.editPost(1, 1, everything, ifVersion: nil), by: "a")
    scene.must(.erasePost(1, 1), by: "a")
    let post = scene.post(1, in: 1)
    #expect(post?.location == nil && post?.title == "" && post?.notes == "")
    #expect(post?.due == evening && post?.priority == .high && post?.color == .red)
    var bare = everything
    bare.title = ""
    bare.notes = ""
    bare.location = .clear
    let edited = Op.post(.edited(1, version: 2, everything))
    #expect(edited.without(.post(1)) == .post(.edited(1, version: 2, bare)))
    #expect(edited.without(.post(2)) == edited)
  }

  @Test(
    "an erased post counts as erased until it has a text again",
    arguments: [
      (PostEdit(priority: .set(.low)), true), (PostEdit(due: .set(monday)), true),
      (PostEdit(color: .set(.red)), true), (PostEdit(location: .set(rossio)), false),
      (PostEdit(title: "x"), false), (PostEdit(notes: "x"), false),
    ])
  func writtenAgain(edit: PostEdit, isErased: Bool) {
    var scene = Scene.house()
    scene.must(.erasePost(1, 1), by: "a")
    scene.must(.editPost(1, 1, edit, ifVersion: nil), by: "a")
    #expect((scene.post(1, in: 1)?.erased != nil) == isErased)
    #expect(scene.changes(.erasePost(1, 1), by: "a") == !isErased)
  }

  @Test(
    "a local time is written as a clock shows it",
    arguments: [
      ("2026-11-24T00:00", 20_781, 0), ("2026-11-24T18:05", 20_781, 1_085),
      ("1971-01-01T23:59", 365, 1_439),
    ])
  func localTimes(text: String, day: Int, minute: Int) {
    let due = Due.time(Day(number: day), minute: minute, zone: "UTC")
    #expect(Due(localTime: text, zone: "UTC") == due)
    #expect(due.localTime == text)
  }

  @Test(
    "anything else is none",
    arguments: [
      "2026-11-24", "2026-11-24 18:00", "2026-11-24T24:00", "2026-11-24T18:60", "2026-11-24T8:00 ",
      "2026-11-31T18:00", "2026-11-24T18:0x", "2026-11-24t18:00", "2026-11-24T+8:00", "",
      "2026-11-2\u{301}T18:00", "٢٠٢٦-11T18:00",
    ])
  func noLocalTimes(text: String) {
    #expect(Due(localTime: text, zone: "UTC") == nil)
  }
}
