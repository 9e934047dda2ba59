import Testing

@testable import Domain

private let list = Scene.talked

extension Scene {
  fileprivate var lines: [TalkLine] {
    let objects = states[list]?.objects.values.map { $0 } ?? []
    return objects.compactMap { if case .line(let it) = $0 { it } else { nil } }
      .sorted { $0.event < $1.event }
  }

  fileprivate var newest: Int64 { heads[list]?.seq ?? 0 }
}

extension Command {
  fileprivate static func say(
    _ text: String, post: PostID? = nil, answers: Int64? = nil, in stream: StreamID = list
  ) -> Command {
    .line(.say(stream, text: text, post: post, answers: answers))
  }

  fileprivate static func edit(_ line: Int64, _ text: String) -> Command {
    .line(.edit(list, line: line, text: text))
  }

  fileprivate static func remove(_ line: Int64) -> Command { .line(.remove(list, line: line)) }
}

@Suite("protocol §5.20, talk") struct LineTests {
  @Test("A line has the number of its event, its author and its time")
  func numbered() throws {
    var scene = Scene.withTalkers()
    let first = scene.say("Milk is out", by: "c")
    let second = scene.say("Which one?", by: "b", post: 1, answers: first)
    let line = try #require(scene.line(second))
    #expect(line.event == second && line.said.by == "b" && line.text == "Which one?")
    #expect(line.post == 1 && line.answers == first && line.edited == nil)
    #expect(second == first + 1)
  }

  @Test("Everybody from a commenter on talks, and a viewer listens")
  func roles() {
    var scene = Scene.withTalkers()
    #expect(scene.refusal(of: .say("Hello"), by: "d") != nil)
    for user in ["a", "b", "c"] as [UserID] { scene.must(.say("Hello"), by: user) }
    #expect(scene.lines.count == 3)
  }

  @Test("People change their own lines only, and admins remove anybody's")
  func ownLines() throws {
    var scene = Scene.withTalkers()
    let line = scene.say("Milk is out", by: "c")
    for user in ["a", "b"] as [UserID] {
      #expect(
        scene.refusal(of: .edit(line, "Mine"), by: user)
          == .forbidden("only who said a line may change it"))
    }
    scene.must(.edit(line, "Milk is here"), by: "c")
    #expect(scene.line(line)?.text == "Milk is here")
    #expect(scene.line(line)?.edited != nil)
    let other = scene.say("I know", by: "a")
    #expect(
      scene.refusal(of: .remove(other), by: "c")
        == .forbidden("only who said a line, or an admin, may remove it"))
    scene.must(.remove(line), by: "b")
    scene.wipe(.line(line), in: list)
    #expect(scene.line(line) == nil)
    #expect(scene.refusal(of: .remove(line), by: "b") == .notFound("line"))
  }

  @Test("A comment is about a post that is there")
  func comments() {
    var scene = Scene.withTalkers()
    #expect(scene.refusal(of: .say("?", post: 77), by: "c") == .notFound("post"))
    scene.must(.removePost(1, 1, ifVersion: nil), by: "a")
    #expect(scene.refusal(of: .say("?", post: 1), by: "c") == .gone("post"))
    #expect(scene.refusal(of: .say("?", answers: 1), by: "c") == .notFound("line"))
  }

  @Test("An undo leaves lines alone, and takes back what was done beside them")
  func undo() {
    var scene = Scene.withTalkers()
    scene.must(.removePost(1, 1, ifVersion: nil), by: "a")
    let removal = scene.newest
    let line = scene.say("Milk is out", by: "a")
    let target = UndoTarget(stream: list, events: [removal, line], seen: nil)
    scene.must(.undo(target), by: "a")
    #expect(scene.line(line) != nil && scene.post(1, in: 1)?.removed == nil)
  }

  @Test("The state keeps the newest 200 lines")
  func countBound() {
    var state = StreamState(stream: list)
    for number in 1...Int64(Limits.linesInStateMax + 5) { _ = state.apply(said(number, "x")) }
    let numbers = state.ranks.map(\.seq)
    #expect(numbers == Array(6...Int64(Limits.linesInStateMax + 5)))
    #expect(state.objects.count == Limits.linesInStateMax)
  }

  @Test("The lines of the state have 256 KiB of text together, and a longer text drops older lines")
  func byteBound() {
    var state = StreamState(stream: list)
    let text = String(repeating: "é", count: 15_000)
    for number in 1...9 as ClosedRange<Int64> { _ = state.apply(said(number, text)) }
    #expect(state.ranks.map(\.seq) == Array(2...9))
    // An edit counts the new text.
    let fits = Limits.linesInStateBytesMax - 8 * 30_000
    _ = state.apply(said(10, String(repeating: "x", count: fits)))
    #expect(state.ranks.map(\.seq) == Array(2...10))
    _ = state.apply(event(11, .edited(line: 10, text: String(repeating: "x", count: fits + 1))))
    #expect(state.ranks.map(\.seq) == Array(3...10))
    #expect(Set(state.objects.keys) == Set(state.ranks.map(\.key)))
  }

  @Test("Lines make no completed post leave, and posts make no line leave")
  func boundsApart() throws {
    var scene = Scene.withTalkers()
    let post = try #require(scene.post(2, in: 1))
    let done = (1...Int64(Limits.completedInStateMax)).map { number -> Object in
      var other = Post(
        id: PostID(UUID(high: 9, low: UInt64(number))), number: Int(number) + 9, title: "x",
        notes: "", addedBy: "a", createdAt: post.createdAt, updatedAt: post.createdAt, version: 1)
      other.completed = Completion(at: post.createdAt, by: "a", seq: number)
      return .post(other)
    }
    var state = StreamState(stream: list, objects: done)
    let first = 1 + Int64(Limits.completedInStateMax)
    for number in first...first + 200 { _ = state.apply(said(number, "x")) }
    #expect(state.ranks.count(where: { $0.key.kind == .post }) == Limits.completedInStateMax)
    #expect(state.ranks.count(where: { $0.key.kind == .line }) == Limits.linesInStateMax)
    _ = state.apply(event(first + 201, .removed(line: first + 200)))
    _ = state.apply(event(first + 202, .edited(line: first, text: "y")))
    #expect(state.ranks.count(where: { $0.key.kind == .line }) == Limits.linesInStateMax - 1)
    #expect(state.ranks.count(where: { $0.key.kind == .post }) == Limits.completedInStateMax)
  }

  @Test("The lines that left are kept beside the event that made them leave")
  func droppedLines() {
    var state = StreamState(stream: list)
    for number in 1...Int64(Limits.linesInStateMax) { _ = state.apply(said(number, "x")) }
    var before = Before()
    _ = state.apply(said(500, "x"), before: &before)
    #expect(before.droppedLines == [1])
    before = Before()
    _ = state.apply(event(501, .removed(line: 7)), before: &before)
    #expect(before.droppedLines.isEmpty)
  }

  @Test("An admin removes a line whose event is kept no more")
  func forgotten() {
    var scene = Scene.withTalkers()
    let line = scene.say("Milk is out", by: "c")
    scene.forget(through: line, in: list)
    #expect(scene.refusal(of: .edit(line, "x"), by: "c") == .notFound("line"))
    #expect(scene.refusal(of: .remove(line), by: "c") == .notFound("line"))
    scene.must(.remove(line), by: "b")
  }

  @Test("A removed line takes its text out of everything before it, and out of no other line")
  func erased() {
    let ops: [Op] = [
      .line(.said(SaidLine(line: 5, text: "secret", post: 1))),
      .line(.edited(line: 5, text: "secret too")),
      .line(.said(SaidLine(line: 57, text: "open"))),
    ]
    let subject = ErasedSubject.line(5)
    #expect([Op.line(.removed(line: 5))].erasedSubjects == [subject])
    #expect(
      ops.map { $0.without(subject) } == [
        .line(.said(SaidLine(line: 5, text: "", post: 1))), .line(.edited(line: 5, text: "")),
        ops[2],
      ])
  }

  @Test("Guests by a link get the event without talk, under the same number")
  func withoutTalk() {
    let mixed = Event(
      seq: 9, transaction: transaction, at: Timestamp(milliseconds: 9), by: "a", key: nil,
      ops: [
        .line(.said(SaidLine(line: 9, text: "x"))), .tag(.removed(TagID(UUID(high: 1, low: 1)))),
      ])
    #expect(mixed.hasTalk && mixed.withoutTalk.ops == [mixed.ops[1]])
    #expect(mixed.withoutTalk.by == "a")
    let bare = said(9, "x").withoutTalk
    #expect(bare.seq == 9 && bare.ops.isEmpty && bare.by == nil && bare.key == nil)
    #expect(bare.at == Timestamp(milliseconds: 9))
  }

  private func said(_ number: Int64, _ text: String) -> Event {
    event(number, .said(SaidLine(line: number, text: text)))
  }

  private let transaction = TransactionID(UUID(high: 1, low: 1))

  private func event(_ number: Int64, _ op: LineOp) -> Event {
    Event(
      seq: number, transaction: transaction, at: Timestamp(milliseconds: number), by: "a",
      key: nil, ops: [.line(op)])
  }
}
