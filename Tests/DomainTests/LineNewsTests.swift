import Testing

@testable import Domain

private let list = Scene.talked

extension Scene {
  fileprivate func comments(on post: PostID) -> Comments? {
    guard case .comments(let it)? = states[list]?.objects[Comments.key(of: post)] else {
      return nil
    }
    return it
  }

  /// Writes an op without asking whether it may be.
  fileprivate mutating func write(_ op: LineOp, as user: UserID) {
    carryOut(Decision(drafts: [Draft(stream: list, ops: [.line(op)])]), by: user)
  }

  /// Returns the kind of what each of these people is told of an event of the list. Nobody is told twice.
  fileprivate func told(_ seq: Int64) -> [UserID: Notification.Kind] {
    var told: [UserID: Notification.Kind] = [:]
    for user in ["a", "b", "c", "d"] as [UserID] {
      let news = notify(
        events[list]![Int(seq) - 1], in: list, viewer: Viewer(user: user, joinedSeq: 0))
      #expect(news.count <= 1)
      told[user] = news.first?.kind
    }
    return told
  }
}

private func react(_ line: Int64, _ sign: String?) -> Command {
  .line(.react(list, line: line, sign: sign))
}

@Suite("protocol §5.20, mentions, notifications, signs and counts") struct LineNewsTests {
  @Test("A line mentions the members whom it names, and nobody else")
  func mentions() throws {
    var scene = Scene.withTalkers()
    scene.must(.account(.register(Registration("e"))), by: "e")
    let number = scene.say("@user-b, @User-C. and @user-e or @user-x: @user-b!", by: "a")
    let line = try #require(scene.line(number))
    #expect(
      line.mentions == [
        Mention("b", at: 0, length: 7), Mention("c", at: 9, length: 7),
        Mention("b", at: 42, length: 7),
      ])
    #expect(scene.told(number) == ["b": .mentioned, "c": .mentioned, "d": .said])
  }

  @Test("Somebody who left is not mentioned any more, and an edit mentions anew and tells nobody")
  func edited() throws {
    var scene = Scene.withTalkers()
    let number = scene.say("@user-c", by: "a")
    scene.must(.member(.remove(list, "c")), by: "a")
    scene.must(.line(.edit(list, line: number, text: "@user-c @user-b")), by: "a")
    let line = try #require(scene.line(number))
    #expect(line.mentions == [Mention("b", at: 8, length: 7)])
    #expect(scene.told(scene.heads[list]!.seq).isEmpty)
  }

  @Test("A text has 50 words that are looked at")
  func manyMentions() throws {
    var scene = Scene.withTalkers()
    let text = Array(repeating: "@user-b", count: 60).joined(separator: " ")
    let number = scene.say(text, by: "a")
    #expect(scene.line(number)?.mentions.count == Limits.mentionsPerLineMax)
  }

  @Test("A line is told once: a mention before an answer, an answer before a comment")
  func toldOnce() {
    var scene = Scene.withTalkers()
    let first = scene.say("Milk is out", by: "c")
    #expect(scene.told(first) == ["a": .said, "b": .said, "d": .said])
    let answer = scene.say("I know, @user-b", by: "a", post: 1, answers: first)
    #expect(scene.told(answer) == ["b": .mentioned, "c": .answered, "d": .commented])
    let both = scene.say("@user-c yes", by: "a", post: 1, answers: first)
    #expect(scene.told(both) == ["b": .commented, "c": .mentioned, "d": .commented])
  }

  @Test("A removed line is told no more, and neither is whom it named")
  func removed() {
    let said = LineOp.said(
      SaidLine(
        line: 5, text: "@user-b", to: "c", mentions: [Mention("b", at: 0, length: 7)]))
    let rest = said.without(.line(5))
    #expect(rest == .said(SaidLine(line: 5, text: "", to: "c")))
    let event = Event(
      seq: 5, transaction: TransactionID(UUID(high: 1, low: 1)), at: Timestamp(milliseconds: 5),
      by: "a", key: nil, ops: [.line(rest)])
    for user in ["b", "c", "d"] as [UserID] {
      #expect(notify(event, in: list, viewer: Viewer(user: user, joinedSeq: 0)).isEmpty)
    }
  }

  @Test("A comment is meant for whom its post concerns and for who added it")
  func concerned() {
    var scene = Scene.withTalkers()
    let number = scene.say("Which one?", by: "c", post: 1)
    let event = scene.events[list]![Int(number) - 1]
    guard case .post(let post)? = scene.rows[list]?[ObjectKey(kind: .post, id: PostID(1).uuid)]
    else { Issue.record("the post is not there"); return }
    var told: [UserID] = []
    for case .member(let member) in scene.states[list]!.objects.values {
      let news = notify(event, in: list, viewer: Viewer(user: member.id, joinedSeq: 0))
      var settings = PersonalSettings(user: member.id)
      settings.levels = [LevelChoice(about: list, level: .directed)]
      let levels = NotificationLevels(settings, at: event.at)
      for it in news
      where levels.tells(it, in: nil, members: 4, concerns: { $0.concerns(member, by: post, nil) })
      {
        told.append(member.id)
      }
    }
    #expect(told == [post.addedBy])
  }

  @Test("A person has one sign on a line, takes it back, and who said the line is told")
  func signs() throws {
    var scene = Scene.withTalkers()
    let number = scene.say("Milk is out", by: "c", post: 1)
    scene.must(react(number, "👍"), by: "a")
    let reaction = scene.heads[list]!.seq
    #expect(scene.told(reaction) == ["c": .reacted])
    scene.must(react(number, "🎉"), by: "c")
    scene.must(react(number, "🎉"), by: "a")
    #expect(
      scene.line(number)?.reactions == [
        LineReaction(user: "c", sign: "🎉"), LineReaction(user: "a", sign: "🎉"),
      ])
    let head = scene.heads[list]!.seq
    scene.must(react(number, "🎉"), by: "a")
    #expect(scene.heads[list]!.seq == head)
    scene.must(react(number, nil), by: "c")
    #expect(scene.line(number)?.reactions == [LineReaction(user: "a", sign: "🎉")])
    #expect(scene.told(scene.heads[list]!.seq).isEmpty)
    #expect(scene.refusal(of: react(number, "👍"), by: "d") != nil)
    #expect(scene.refusal(of: react(1, "👍"), by: "a") == .notFound("line"))
  }

  @Test("A sign stores nothing of the line beside its event")
  func signIsShort() {
    var scene = Scene.withTalkers()
    let number = scene.say("Milk is out", by: "c")
    var before = Before()
    var state = scene.states[list]!
    let sign = LineOp.reacted(line: number, to: "c", sign: "👍")
    _ = state.apply(event(scene.heads[list]!.seq + 1, sign), before: &before)
    #expect(before == Before(objects: [nil]))
  }

  @Test("An edit keeps the signs of a line")
  func signsStay() {
    var scene = Scene.withTalkers()
    let number = scene.say("Milk is out", by: "c")
    scene.must(react(number, "👍"), by: "a")
    scene.must(.line(.edit(list, line: number, text: "Milk is here")), by: "c")
    #expect(scene.line(number)?.reactions.count == 1)
  }

  @Test("A line that has left the state takes no sign")
  func oldLine() {
    var scene = Scene.withTalkers()
    let number = scene.say("Milk is out", by: "c")
    for _ in 1...Limits.linesInStateMax { _ = scene.say("more", by: "c") }
    #expect(
      scene.refusal(of: react(number, "👍"), by: "a")
        == .invalid(field: "line", reason: "is older than the lines that are kept at hand"))
    #expect(scene.refusal(of: react(number, nil), by: "a") != nil)
  }

  @Test("A line has eight different signs at most")
  func signBound() {
    var scene = Scene.withTalkers()
    let number = scene.say("Milk is out", by: "c")
    let signs = ["👍", "🎉", "👏", "😀", "🔥", "🥳", "💪", "🚀", "🌟"]
    for (place, sign) in signs.prefix(8).enumerated() {
      let user = UserID(UUID(high: 7, low: UInt64(place)))
      scene.write(.reacted(line: number, to: "c", sign: sign), as: user)
    }
    #expect(
      scene.refusal(of: react(number, signs[8]), by: "a")
        == .quota(limit: "reactionSigns", max: 8))
    scene.must(react(number, signs[0]), by: "a")
  }

  @Test("A post has its comments counted, and a removed one is counted no more")
  func counts() throws {
    var scene = Scene.withTalkers()
    let version = scene.post(1, in: 1)?.version
    let first = scene.say("Which one?", by: "c", post: 1)
    let second = scene.say("The red one", by: "b", post: 1)
    _ = scene.say("Hello", by: "b")
    let event = scene.events[list]![Int(second) - 1]
    #expect(scene.comments(on: 1) == Comments(on: 1, count: 2, last: event.at, seq: second))
    #expect(scene.comments(on: 2) == nil && scene.post(1, in: 1)?.version == version)
    scene.must(.line(.remove(list, line: second)), by: "b")
    scene.wipe(.line(second), in: list)
    #expect(scene.comments(on: 1) == Comments(on: 1, count: 1, last: event.at, seq: second))
    scene.must(.line(.remove(list, line: first)), by: "c")
    #expect(scene.comments(on: 1) == nil)
    #expect(scene.rows[list]?[Comments.key(of: 1)] == nil)
  }

  @Test("The state counts the comments on the 1 000 posts that were commented on last")
  func countBound() {
    var state = StreamState(stream: list)
    var before = Before()
    for number in 1...Int64(Limits.commentsInStateMax + 2) {
      before = Before()
      let said = SaidLine(
        line: number, text: "x", post: PostID(UUID(high: 3, low: UInt64(number))), comments: 1)
      _ = state.apply(event(number, .said(said)), before: &before)
    }
    let counts = state.objects.keys.filter { $0.kind == .comments }
    #expect(counts.count == Limits.commentsInStateMax)
    #expect(before.droppedComments == [PostID(UUID(high: 3, low: 2))])
    // The number comes back with the next comment, as its op says it.
    let again = SaidLine(
      line: 5_000, text: "x", post: PostID(UUID(high: 3, low: 1)), comments: 2)
    _ = state.apply(event(5_000, .said(again)))
    guard case .comments(let it)? = state.objects[Comments.key(of: PostID(UUID(high: 3, low: 1)))]
    else { Issue.record("the number is not there"); return }
    #expect(it.count == 2 && it.seq == 5_000)
  }

  @Test("A number outside of the state is changed where it is")
  func countOutside() throws {
    var scene = Scene.withTalkers()
    let first = scene.say("Which one?", by: "c", post: 1)
    _ = scene.say("The red one", by: "c", post: 1)
    for number in 0..<Limits.commentsInStateMax {
      let said = SaidLine(
        line: scene.heads[list]!.seq + 1, text: "x",
        post: PostID(UUID(high: 3, low: UInt64(number))), comments: 1)
      scene.write(.said(said), as: "c")
    }
    #expect(scene.comments(on: 1) == nil)
    scene.must(.line(.remove(list, line: first)), by: "c")
    #expect(scene.comments(on: 1) == nil)
    guard case .comments(let it)? = scene.rows[list]?[Comments.key(of: 1)] else {
      Issue.record("the number is not kept")
      return
    }
    #expect(it.count == 1)
    _ = scene.say("And now", by: "c", post: 1)
    #expect(scene.comments(on: 1)?.count == 2)
  }

  private func event(_ number: Int64, _ op: LineOp) -> Event {
    Event(
      seq: number, transaction: TransactionID(UUID(high: 1, low: 1)),
      at: Timestamp(milliseconds: number), by: "a", key: nil, ops: [.line(op)])
  }
}
