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
    .react(list, event: event, sign: sign)
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
        == [Reaction(user: "c", sign: "🎉"), Reaction(user: "b", sign: "🎉")])
    scene.must(.react(event, nil), by: "c")
    #expect(scene.reactions(to: event) == [Reaction(user: "b", sign: "🎉")])
    #expect(scene.changes(.react(event, nil), by: "c") == false)
    scene.must(.react(event, nil), by: "b")
    #expect(scene.reactions(to: event) == nil)
    #expect(scene.post(2, in: 1)?.version == version)
  }

  @Test("whoever did it is told, with the sign, and nobody else")
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
      signs.enumerated().map { Reaction(user: UserID(UUID(high: 9, low: UInt64($0))), sign: $1) })
    #expect(
      scene.refusal(of: .react(event, "😈"), by: "b") == .quota(limit: "reactionSigns", max: 8))
    #expect(scene.changes(.react(event, "😇"), by: "b") == true)
    fill((8..<500).map { Reaction(user: UserID(UUID(high: 9, low: UInt64($0))), sign: "😇") })
    #expect(
      scene.refusal(of: .react(event, "😇"), by: "b") == .quota(limit: "reactions", max: 500))
  }

  @Test("the reactions to the 200 events that got one last stay")
  func bound() {
    var state = StreamState(stream: list)
    func react(_ about: Int64, _ seq: Int64) {
      let op = ReactionOp.reacted(
        event: about, CompletedWork(post: 1, by: "a"), sign: seq.isMultiple(of: 2) ? "👏" : "🎉")
      _ = state.apply(event(seq, by: "b", .reaction(op)))
    }
    for about in 1...Int64(200) { react(about, 1_000 + about) }
    // The first event's are the newest now.
    react(1, 2_000)
    react(201, 2_001)
    #expect(state.ranks.map(\.seq) == Array(1_003...1_200) + [2_000, 2_001])
    #expect(state.objects[Reactions.key(of: 2)] == nil)
    #expect(state.ranks == state.objects.values.compactMap(\.rank).sorted())
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
