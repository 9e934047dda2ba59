import Testing

@testable import Domain

private let list = StreamID.category(1)

extension Scene {
  /// Returns the house with b (doer), c (commenter) and d (viewer) in category 1, where a has completed post 2.
  fileprivate static func withPeople() -> Scene {
    var scene = Scene.house()
    let people: [(UserID, Role)] = [("b", .doer), ("c", .commenter), ("d", .viewer)]
    for (number, (user, role)) in people.enumerated() {
      scene.admit(user, to: list, as: role, by: "a", number: 60 + number)
    }
    return scene
  }

  /// The number of the event that completed post 2.
  fileprivate var completion: Int64 { post(2, in: 1)?.completed?.seq ?? 0 }

  fileprivate func reactions(to event: Int64) -> [Reaction]? {
    guard case .reactions(let it)? = states[list]?.objects[Reactions.key(of: event)] else {
      return nil
    }
    return it.given
  }

  fileprivate var newest: Int64 { heads[list]?.seq ?? 0 }

  /// Returns the notifications that the newest event of the list makes for this person.
  fileprivate func told(_ user: UserID) -> [Domain.Notification] {
    (states[list].map { _ in events[list] ?? [] } ?? []).suffix(1).flatMap {
      notify($0, in: list, viewer: Viewer(user: user, joinedSeq: 0))
    }
  }
}

extension Command {
  fileprivate static func react(_ event: Int64, _ sign: String? = "👏") -> Command {
    .react(1, event: event, sign: sign)
  }
}

@Suite("protocol §5.19, reactions") struct ReactionTests {
  @Test("each person has one sign for an event, which is set to a value and never toggled")
  func oneEach() {
    var scene = Scene.withPeople()
    let event = scene.completion
    let version = scene.post(2, in: 1)?.version
    scene.must(.react(event), by: "b")
    scene.must(.react(event, "🎉"), by: "c")
    #expect(scene.changes(.react(event), by: "b") == false)
    scene.must(.react(event, "🎉"), by: "b")
    #expect(
      scene.reactions(to: event)
        == [Reaction(user: "c", sign: "🎉", post: 2), Reaction(user: "b", sign: "🎉", post: 2)])
    scene.must(.react(event, nil), by: "c")
    #expect(scene.reactions(to: event) == [Reaction(user: "b", sign: "🎉", post: 2)])
    #expect(scene.changes(.react(event, nil), by: "c") == false)
    scene.must(.react(event, nil), by: "b")
    #expect(scene.reactions(to: event) == nil)
    #expect(scene.post(2, in: 1)?.version == version)
  }

  @Test("Whoever did it is told of the sign, and nobody else is")
  func tellsTheDoer() {
    var scene = Scene.withPeople()
    scene.must(.completePost(1, 1, ifVersion: nil), by: "b")
    let event = scene.newest
    scene.must(.react(event), by: "c")
    #expect(scene.told("b").map(\.kind) == [.reacted])
    #expect(scene.told("b").first?.sign == "👏")
    #expect(scene.told("b").first?.post == 1)
    for other in ["a", "c", "d"] as [UserID] { #expect(scene.told(other).isEmpty) }
    scene.must(.react(event, nil), by: "c")
    #expect(scene.told("b").isEmpty)
    scene.must(.react(event), by: "b")
    #expect(scene.told("b").isEmpty)
  }

  @Test("occurrences, parts and steps get reactions, and whoever did them is told")
  func kindsOfWork() {
    var scene = Scene.withPeople()
    let daily = PostAddress(category: 1, post: 70)
    do {
      let rule = try RecurrenceRule("FREQ=DAILY")
      let fields = PostEdit(due: .set(.day(Day(number: 20_800))), repeats: .set(Repetition(rule)))
      scene.must(.post(.add(daily, NewPost(title: "Daily", fields: fields))), by: "a")
    } catch {
      Issue.record("the rule is one")
    }
    scene.must(.post(.add(1, 71, title: "Steps", notes: "")), by: "a")
    scene.must(.changeStep(1, 71, 1, .add(content: "one")), by: "a")
    scene.must(.changeStep(1, 71, 2, .add(content: "two")), by: "a")
    let each = NewPost(title: "Each", fields: PostEdit(mode: .set(.each)))
    scene.must(.post(.add(PostAddress(category: 1, post: 72), each)), by: "a")
    let doings: [(Command, PostID)] = [
      (.changeOccurrence(1, 70, 1, .complete), 70), (.changeStep(1, 71, 1, .complete), 71),
      (.completePost(1, 72, ifVersion: nil), 72),
    ]
    for (command, post) in doings {
      scene.must(command, by: "b")
      scene.must(.react(scene.newest), by: "c")
      #expect(scene.told("b").map(\.post) == [post])
    }
  }

  @Test("an event that completes nothing, is not there or may not be read gets none")
  func others() {
    var scene = Scene.withPeople()
    #expect(
      scene.refusal(of: .react(1), by: "b") == .invalid(field: "event", reason: "completes nothing")
    )
    #expect(scene.refusal(of: .react(scene.newest + 1), by: "b") == .notFound("event"))
    scene.must(.category(.edit(1, CategoryEdit(history: .joined))), by: "a")
    #expect(scene.refusal(of: .react(scene.completion), by: "b") == .notFound("event"))
    #expect(scene.changes(.react(scene.completion), by: "a") == true)
  }

  @Test("viewers react to nothing, strangers see no list, and a removed list takes nothing")
  func roles() {
    var scene = Scene.withPeople()
    let event = scene.completion
    guard case .forbidden? = scene.refusal(of: .react(event), by: "d") else {
      Issue.record("a viewer may not")
      return
    }
    scene.must(.member(.remove(list, "c")), by: "a")
    #expect(scene.refusal(of: .react(event), by: "c") == .notFound("category"))
    scene.must(.category(.archive(1)), by: "a")
    #expect(scene.changes(.react(event), by: "b") == nil)
    scene.must(.category(.unarchive(1)), by: "a")
    scene.must(.category(.remove(1)), by: "a")
    #expect(scene.refusal(of: .react(event), by: "b") == .gone("category"))
  }

  @Test("an undo of the completion leaves its reactions, and a new completion has none")
  func anew() {
    var scene = Scene.withPeople()
    let first = scene.completion
    scene.must(.react(first), by: "b")
    scene.must(.reopenPost(1, 2, ifVersion: nil), by: "a")
    scene.must(.completePost(1, 2, ifVersion: nil), by: "a")
    #expect(scene.completion > first)
    #expect(scene.reactions(to: scene.completion) == nil)
    #expect(scene.reactions(to: first)?.count == 1)
  }

  @Test("eight signs and five hundred people fit, one more of each does not")
  func limits() {
    var scene = Scene.withPeople()
    let event = scene.completion
    let work = CompletedWork(post: 2, by: "a")
    func fill(_ given: [Reaction]) {
      for it in given {
        scene.carryOut(
          Decision(drafts: [
            Draft(stream: list, ops: [.reaction(.reacted(event: event, work, sign: it.sign))])
          ]), by: it.user)
      }
    }
    let signs = ["😀", "😁", "😂", "😃", "😄", "😅", "😆", "😇"]
    fill(
      signs.enumerated().map {
        Reaction(user: UserID(UUID(high: 9, low: UInt64($0))), sign: $1, post: 2)
      })
    #expect(
      scene.refusal(of: .react(event, "😈"), by: "b") == .quota(limit: "reactionSigns", max: 8))
    #expect(scene.changes(.react(event, "😇"), by: "b") == true)
    fill(
      (8..<500).map {
        Reaction(user: UserID(UUID(high: 9, low: UInt64($0))), sign: "😇", post: 2)
      })
    #expect(
      scene.refusal(of: .react(event, "😇"), by: "b") == .quota(limit: "reactions", max: 500))
  }

  /// A scene with this many posts that are completed, and the events of the completions.
  private func completions(_ count: Int) -> (Scene, [Int64]) {
    var scene = Scene.withPeople()
    let events = (100..<100 + count).map { number in
      scene.must(.post(.add(1, PostID(number), title: "Post", notes: "")), by: "a")
      scene.must(.completePost(1, PostID(number), ifVersion: nil), by: "a")
      return scene.newest
    }
    return (scene, events)
  }

  @Test("A person with many signs makes room for their own, and an older event gets none of them")
  func ownRoom() {
    var (scene, events) = completions(202)
    for event in events[1...200] { scene.must(.react(event), by: "b") }
    #expect(
      scene.refusal(of: .react(events[0]), by: "b")
        == .invalid(field: "event", reason: "is older than all that have a sign of yours"))
    #expect(scene.changes(.react(events[1], "🎉"), by: "c") == true)
    let decision = scene.must(.react(events[201]), by: "b")
    #expect(decision.drafts.flatMap(\.ops).first == .reaction(.ended(event: events[1])))
    #expect(scene.reactions(to: events[1]) == nil)
    #expect(scene.reactions(to: events[2])?.count == 1)
  }

  @Test("Nobody pushes the signs of others out")
  func othersStay() {
    var (scene, events) = completions(204)
    // The oldest 50 have a sign of one person, one more has signs of two, and the others have signs of somebody else.
    for event in events[0..<50] { scene.must(.react(event), by: "c") }
    for event in events[50..<200] { scene.must(.react(event), by: "b") }
    scene.must(.react(events[60]), by: "c")
    for event in events[200..<203] { scene.must(.react(event), by: "b") }
    #expect(events[0..<50].allSatisfy { scene.reactions(to: $0) != nil })
    #expect(events[50..<53].allSatisfy { scene.reactions(to: $0) == nil })
    // Somebody else, and somebody with few, push out the person with many too, also by a sign for an old event.
    scene.must(.react(events[203]), by: "a")
    scene.must(.react(events[50]), by: "c")
    #expect(events[53..<55].allSatisfy { scene.reactions(to: $0) == nil })
    #expect(scene.reactions(to: events[55]) != nil && scene.reactions(to: events[50]) != nil)
  }

  @Test("Where each event has signs of several people the oldest one makes room")
  func sharedRoom() {
    var (scene, events) = completions(201)
    for event in events[0..<200] {
      scene.must(.react(event), by: "b")
      scene.must(.react(event), by: "c")
    }
    scene.must(.react(events[200]), by: "a")
    #expect(scene.reactions(to: events[0]) == nil && scene.reactions(to: events[1]) != nil)
  }

  @Test(
    "Nobody reacts to the work for a post that went, and who does not find it hears of no event")
  func removed() {
    var scene = Scene.withPeople()
    let event = scene.completion
    scene.must(.react(event), by: "b")
    scene.must(.removePost(1, 2, ifVersion: nil), by: "a")
    #expect(scene.refusal(of: .react(event, "🎉"), by: "b") == .gone("post"))
    #expect(scene.refusal(of: .react(event, nil), by: "b") == .gone("post"))
    scene.must(.restorePost(1, 2, ifVersion: nil), by: "a")
    #expect(scene.changes(.react(event, "🎉"), by: "b") == true)
    scene.must(.movePost(1, 2, to: 3), by: "a")
    #expect(scene.refusal(of: .react(event), by: "b") == .gone("post"))
  }

  @Test("The person who submitted is told when an admin confirms, also where steps were open")
  func confirmed() throws {
    var scene = Scene.withPeople()
    let rule = try RecurrenceRule("FREQ=DAILY;COUNT=1")
    let fields = PostEdit(
      due: .set(.day(Day(number: 20_800))), repeats: .set(Repetition(rule, confirms: true)))
    scene.must(
      .post(.add(PostAddress(category: 1, post: 70), NewPost(title: "Daily", fields: fields))),
      by: "a")
    scene.must(.changeStep(1, 70, 1, .add(content: "one")), by: "a")
    scene.must(.changeOccurrence(1, 70, 1, .complete), by: "b")
    scene.must(.changeOccurrence(1, 70, 1, .complete), by: "a")
    #expect(scene.post(70, in: 1)?.completed?.by == "b")
    scene.must(.react(scene.newest), by: "c")
    #expect(scene.told("b").map(\.kind) == [.reacted])
    #expect(scene.told("a").isEmpty)
  }

  @Test("a reaction to an event that completed several posts is about the one that is named")
  func several() {
    var scene = Scene.withPeople()
    for number in [70, 71] {
      scene.must(.post(.add(1, PostID(number), title: "Post", notes: "")), by: "a")
    }
    scene.must(
      .batch([70, 71].map { .completePost(1, PostID($0), ifVersion: nil) }), by: "b")
    let event = scene.newest
    scene.must(.react(1, event: event, post: 71, sign: "👏"), by: "c")
    #expect(scene.told("b").map(\.post) == [71])
    scene.must(.react(event, "🎉"), by: "c")
    #expect(scene.told("b").map(\.post) == [70])
    #expect(
      scene.refusal(of: .react(1, event: event, post: 2, sign: "👏"), by: "c")
        == .invalid(field: "post", reason: "is not completed by the event"))
  }

  @Test("the reactions to one post are one line, of the newest sign of each person")
  func folds() {
    let all = ["c", "d", "c"].enumerated().map { index, by in
      Domain.Notification(
        kind: .reacted, stream: list, seq: Int64(index), opIndex: 0,
        at: Timestamp(milliseconds: Int64(index) * 3_600_000), by: UserID(Unicode.Scalar(by)!),
        about: list, post: 1, sign: "👏")
    }
    let folds = NotificationFold.fold(all)
    #expect(folds.map { $0.notifications.map(\.seq) } == [[1, 2]])
  }
}
