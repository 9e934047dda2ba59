import Testing

@testable import Domain

private let forge = SourceKey(name: "forge", id: "12")

extension Command {
  fileprivate static func imports(
    _ fields: PostEdit, as post: PostID = 70, _ source: SourceKey = forge, url: String? = nil,
    to list: CategoryID = 1
  ) -> Command {
    .post(
      .importUpsert(
        PostAddress(category: list, post: post),
        ImportedPost(source: source, url: url, fields: fields)))
  }
}

extension Scene {
  /// Runs an import and returns its outcome.
  fileprivate mutating func brings(
    _ fields: PostEdit, as post: PostID = 71, url: String? = nil, to list: CategoryID = 1
  ) -> ImportOutcome? {
    must(.imports(fields, as: post, url: url, to: list), by: "a").imported
  }

  fileprivate var imported: Post? { post(70, in: 1) }
}

@Suite("protocol §8 import.upsert") struct ImportTests {
  private func scene(_ fields: PostEdit = PostEdit(title: "one", notes: "n")) -> Scene {
    var scene = Scene.house()
    let decision = scene.must(.imports(fields, url: "https://f/12"), by: "a")
    #expect(decision.imported == ImportOutcome(.added))
    #expect(decision.version == 1)
    return scene
  }

  @Test("the same name and id is the same post, whatever else is new")
  func twice() {
    var scene = scene()
    #expect(scene.imported?.source == Source(name: "forge", id: "12", url: "https://f/12"))
    let same = PostEdit(title: "one", notes: "n")
    #expect(scene.brings(same, url: "https://f/12") == ImportOutcome(.unchanged))
    #expect(scene.imported?.version == 1)
    let outcome = scene.brings(PostEdit(title: "two", priority: .set(.high)), url: "https://f/13")
    #expect(outcome == ImportOutcome(.edited))
    #expect(scene.imported?.title == "two" && scene.imported?.notes == "n")
    #expect(scene.imported?.priority == .high && scene.imported?.version == 2)
    #expect(scene.imported?.source?.url == "https://f/13")
    #expect(scene.post(71, in: 1) == nil)
    for source in [SourceKey(name: "forge", id: "13"), SourceKey(name: "Forge", id: "12")] {
      let command = Command.imports(same, as: 72, source)
      #expect(scene.refusal(of: command, by: "a") == nil)
      var other = scene
      #expect(other.must(command, by: "a").imported == ImportOutcome(.added))
    }
    let elsewhere = Command.imports(same, as: 73, to: 3)
    #expect(scene.must(elsewhere, by: "b").imported == ImportOutcome(.added))
  }

  /// The rows are all fields: what a person sets stays, until the import says the same.
  @Test("An import does not set again what a person has set", arguments: Source.Field.allCases)
  func edits(_ field: Source.Field) throws {
    let place = Location(text: "here")
    let day = Due.day(Day(number: 20_000))
    let (theirs, ours): (PostEdit, PostEdit) =
      switch field {
      case .title: (PostEdit(title: "theirs"), PostEdit(title: "ours"))
      case .notes: (PostEdit(notes: "theirs"), PostEdit(notes: "ours"))
      case .priority: (PostEdit(priority: .set(.low)), PostEdit(priority: .set(.high)))
      case .color: (PostEdit(color: .set(.red)), PostEdit(color: .set(.green)))
      case .due: (PostEdit(due: .set(day)), PostEdit(due: .set(.day(Day(number: 20_001)))))
      case .location:
        (PostEdit(location: .set(place)), PostEdit(location: .set(Location(text: "there"))))
      }
    var scene = scene()
    scene.must(.editPost(1, 70, theirs, ifVersion: nil), by: "a")
    #expect(scene.imported?.source?.edited == [field])
    var again = ours
    again.title = ours.title ?? "one"
    let mine = try #require(scene.imported)
    #expect(scene.brings(again, url: "https://f/12") == ImportOutcome(.unchanged, left: [field]))
    #expect(scene.imported == mine)
    again.notes = field == .notes ? "ours" : "more"
    let outcome = scene.brings(again, url: "https://f/12")
    #expect(outcome?.left == [field])
    #expect(scene.imported?.source?.edited == [field])
    var agreed = theirs
    agreed.title = theirs.title ?? "one"
    #expect(scene.brings(agreed, url: "https://f/12") == ImportOutcome(.edited))
    #expect(scene.imported?.source?.edited == [])
    #expect(scene.brings(again, url: "https://f/12") == ImportOutcome(.edited))
  }

  @Test("Removed posts stay removed, moved ones stay where they are, and erased ones are not known")
  func gone() {
    var scene = scene()
    scene.must(.removePost(1, 70, ifVersion: nil), by: "a")
    #expect(scene.brings(PostEdit(title: "two")) == ImportOutcome(.removed))
    scene.must(.restorePost(1, 70, ifVersion: nil), by: "a")
    #expect(scene.brings(PostEdit(title: "two")) == ImportOutcome(.edited))
    scene.must(.completePost(1, 70, ifVersion: nil), by: "a")
    #expect(scene.brings(PostEdit(title: "three")) == ImportOutcome(.edited), "it stays done")
    #expect(scene.imported?.completed != nil)
    scene.admit("a", to: .category(2), as: .editor, by: "b", number: 80)
    scene.must(.movePost(1, 70, to: 2), by: "a")
    #expect(scene.brings(PostEdit(title: "four")) == ImportOutcome(.moved))
    #expect(scene.post(70, in: 2)?.title == "three")
    #expect(scene.brings(PostEdit(title: "four"), to: 2) == ImportOutcome(.edited))
    scene.must(.movePost(2, 70, to: 1), by: "a")
    #expect(scene.brings(PostEdit(title: "five")) == ImportOutcome(.edited))
    scene.must(.erasePost(1, 70), by: "a")
    #expect(scene.imported?.source == nil)
    #expect(scene.brings(PostEdit(title: "six")) == ImportOutcome(.added))
    #expect(scene.post(71, in: 1)?.title == "six")
  }

  @Test("when a post that comes again is due, people say")
  func comesAgain() {
    let day = Due.day(Day(number: 1_000))
    var scene = scene(PostEdit(title: "one", due: .set(day)))
    scene.must(.everyDay(1, 70), by: "a")
    let said = PostEdit(title: "one", due: .set(.day(Day(number: 1_001))))
    #expect(scene.brings(said, url: "https://f/12") == ImportOutcome(.unchanged, left: [.due]))
    let cleared = PostEdit(title: "two", due: .clear)
    #expect(scene.brings(cleared, url: "https://f/12") == ImportOutcome(.edited, left: [.due]))
    #expect(scene.imported?.due == day && scene.imported?.repeats != nil)
  }

  @Test("an undo takes an import back, and then it is the person's")
  func undo() {
    var scene = scene()
    _ = scene.brings(PostEdit(title: "two"))
    let seq = scene.heads[.category(1)]?.seq ?? 0
    scene.must(.undo(UndoTarget(stream: .category(1), events: [seq], seen: nil)), by: "a")
    #expect(scene.imported?.title == "one")
    #expect(scene.brings(PostEdit(title: "two")) == ImportOutcome(.unchanged, left: [.title]))
    scene.must(.completePost(1, 70, ifVersion: nil), by: "a")
    _ = scene.brings(PostEdit(title: "one", notes: "three"))
    let second = scene.heads[.category(1)]?.seq ?? 0
    let both = UndoTarget(stream: .category(1), events: [second - 1, second], seen: nil)
    scene.must(.undo(both), by: "a")
    #expect(scene.imported?.notes == "n" && scene.imported?.completed == nil)
    #expect(scene.imported?.source?.edited.contains(.notes) == true, "it came back whole")
  }

  @Test("several of one batch meet each other")
  func together() {
    var scene = scene()
    let commands = ["one", "two", "two"].enumerated().map { index, title in
      Command.imports(
        PostEdit(title: title, notes: "n"), as: PostID(90 + index),
        SourceKey(name: "forge", id: index == 0 ? "12" : "99"))
    }
    let parts = scene.must(.batch(commands), by: "a").parts
    #expect(parts.map(\.imported?.kind) == [.edited, .added, .unchanged], "the address is another")
    #expect(parts[1].number == parts[2].number)
    scene.must(.member(.setRole(.category(3), "b", .editor)), by: "a")
    guard case .forbidden = scene.refusal(of: .imports(PostEdit(title: "x"), to: 1), by: "b") else {
      return
    }
    Issue.record("who is no member is not told so")
  }
}
