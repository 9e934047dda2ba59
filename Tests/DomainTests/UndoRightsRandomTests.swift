import TestRandom
import Testing

@testable import Domain

/// People of category 1 of a. Users b, c and d are in it and out of it, as editors and as doers. Posts 1 and 9 are for
/// each or not, and post 9 comes every day.
private struct People {
  var scene = Scene.daily()
  var numbers: SeededRandom
  private var invited = 900
  private var beginning: Int64 = 0
  /// Whether the mode of a post changed. The parts go with the mode, and nothing tells that they are gone.
  private var hasOtherModes = false
  private(set) var endings: [PostID: [Int: NextOccurrence]] = [:]
  /// The counts of judged undos: those of doers, and those of them that close or open something.
  private(set) var counts = (undos: 0, closed: 0, back: 0, again: 0)

  init(seed: UInt64) {
    numbers = SeededRandom(seed: seed)
    for user: UserID in ["b", "c", "d"] { admit(user) }
    for post: PostID in [1, 9] {
      scene.must(.editPost(1, post, PostEdit(mode: .set(.each)), ifVersion: nil), by: "a")
      for user: UserID in ["b", "c"] { scene.must(.post(.change(1, post, .assign(user))), by: "a") }
    }
    beginning = scene.head
  }

  var stream: StreamID { .category(1) }

  mutating func pick<Element>(_ all: [Element]) -> Element {
    all[Int(numbers.next() % UInt64(all.count))]
  }

  private mutating func admit(_ user: UserID) {
    invited += 1
    scene.admit(user, to: stream, as: pick([.doer, .doer, .editor]), by: "a", number: invited)
  }

  mutating func step() {
    let user = pick(["a", "b", "c", "d"] as [UserID])
    guard scene.role(of: user, in: stream) != nil else { return admit(user) }
    let post: PostID = pick([1, 9])
    let name = post == 9 && scene.post(9, in: 1)?.completed == nil ? scene.number : 0
    switch numbers.next() % 30 {
    case 24...27: run(contest(post, name), user)
    case 28: run(.editPost(1, post, contestEdit(), ifVersion: nil), "a")
    case 0...6:
      run(name == 0 ? .completePost(1, post, ifVersion: nil) : over(name, .complete), user)
    case 7:
      run(
        name == 0 ? .post(.change(1, post, .completeForAll)) : over(name, .completeForAll), user)
    case 8...9: run(.reopenPost(1, post, ifVersion: nil), user)
    case 10: if name != 0 { run(over(name, .skip), user) }
    case 11:
      let mode: FieldChange<PostMode> = pick([.set(.each), .set(.each), .clear])
      let role: FieldChange<Role> = pick([.keep, .clear, .set(.doer), .set(.editor)])
      let edit = PostEdit(mode: mode, modeRole: mode == .clear ? .keep : role)
      run(.editPost(1, post, edit, ifVersion: nil), "a")
      hasOtherModes = true
    case 12:
      if user != "a" { run(.member(.setRole(stream, user, pick([.doer, .doer, .editor]))), "a") }
    case 13: if user != "a", pick([true, false]) { run(.member(.remove(stream, user)), "a") }
    case 14: run(.post(.change(1, post, pick([.assign(user), .unassign(user)]))), "a")
    default: undo(by: user)
    }
  }

  /// Returns what somebody does in a contest. Goals are low, so that many are reached.
  private mutating func contest(_ post: PostID, _ name: Int) -> Command {
    guard pick([true, true, false]) else {
      return .post(.change(1, post, .contest(pick([.join, .withdraw]))))
    }
    let (amount, isCorrection) = (pick([3, 6, 10] as [Int64]), pick([true, false, false]))
    return name == 0
      ? .post(.change(1, post, .contest(.reach(.init(amount, isCorrection: isCorrection)))))
      : over(name, .reach(.init(amount, isCorrection: isCorrection)))
  }

  private mutating func contestEdit() -> PostEdit {
    hasOtherModes = true
    let goal = Goal(amount: 10, unit: "km")
    var edit: PostEdit = pick([
      PostEdit(contest: .set(.race), goal: .set(goal)),
      PostEdit(contest: .set(.race), goal: .set(goal)),
      PostEdit(contest: .set(.coop), goal: .set(goal)), PostEdit(contest: .clear),
    ])
    edit.restart = true
    return edit
  }

  private func over(_ name: Int, _ change: OccurrenceChange) -> Command {
    .changeOccurrence(1, 9, name, change)
  }

  private mutating func run(_ command: Command, _ user: UserID) {
    _ = scene.run(command, by: user)
    note()
  }

  private mutating func undo(by user: UserID) {
    let own = (scene.events[stream] ?? []).suffix(12).filter {
      $0.seq > beginning && $0.by == user && $0.ops.contains(where: \.isUndone)
    }.map(\.seq)
    let events = own.suffix(pick([1, 1, 1, 2, 3]))
    guard !events.isEmpty else { return }
    let before = scene
    let target = UndoTarget(stream: stream, events: Array(events), seen: nil)
    guard case .success(let decision) = scene.run(.undo(target), by: user), decision.changed
    else { return }
    note()
    if before.role(of: user, in: stream) == .doer { judge(user, before) }
    // The way back of an undo together with what came before and after it is another one.
    let isStraight =
      events.count == 1
      || (before.events[stream] ?? []).allSatisfy {
        !events.contains($0.seq) || $0.undoes.isEmpty
      }
    if decision.skipped == [], isStraight, !hasOtherModes { expectRedo(by: user, before) }
  }

  /// Expects that an event that is done again as a whole counts for the same people as before.
  private mutating func expectRedo(by user: UserID, _ before: Scene) {
    var again = scene
    let redo = UndoTarget(stream: stream, events: [scene.head], seen: nil)
    guard case .success(let decision) = again.run(.undo(redo), by: user), decision.skipped == []
    else { return }
    counts.again += 1
    #expect(again.scores == before.scores, "\(user) \(scene.events[stream]?.last?.undoes ?? [])")
  }

  private mutating func note() {
    for op in scene.events[stream]?.last?.ops ?? [] {
      if case .post(.occurred(let id, _, let news, _)) = op {
        endings[id, default: [:]][news.next.number] = news
      }
    }
  }

  // MARK: Rights of a doer

  private mutating func judge(_ user: UserID, _ before: Scene) {
    counts.undos += 1
    for id: PostID in [1, 9] {
      guard let old = before.post(id, in: 1), let new = scene.post(id, in: 1) else { continue }
      judge(user, old, new)
    }
    let position = StreamPosition(stream: stream, seq: scene.head)
    guard case .past(let past?) = scene.answer(.past(position)) else { return }
    for (op, object) in zip(past.event.ops, past.before.objects) {
      guard case .post(let post)? = object else { continue }
      switch op {
      case .post(.occurred(_, _, let news, _)):
        counts.closed += 1
        guard case .completed = news.reason else {
          Issue.record("\(user) leaves a time out")
          continue
        }
        #expect(mayClose(post, user), "\(user) ends a time for all")
      case .post(.completed):
        counts.closed += 1
        #expect(mayClose(post, user), "\(user) completes for all")
      case .post(.marked(_, _, .partCompleted(let other))): #expect(other == user)
      case .post(.marked(_, _, .partReopened(let other))): #expect(other == user)
      case .post(.contest(_, .reached(let other, amount: _, was: _))): #expect(other == user)
      case .post(.added), .post(.edited), .post(.removed), .post(.moved):
        Issue.record("\(user) edits")
      default: continue
      }
    }
  }

  private mutating func judge(_ user: UserID, _ old: Post, _ new: Post) {
    if let number = old.occurrence?.number, let back = new.occurrence?.number, back < number {
      counts.back += 1
      var at = number
      while at > back, let ending = endings[old.id]?[at] {
        if case .completed(let stamp) = ending.reason {
          #expect(stamp.by == user, "\(user) opens what another completed")
        } else {
          Issue.record("\(user) brings back what was left out")
        }
        at = ending.over
      }
      return
    }
    if old.completed != nil, new.completed == nil {
      let isPart = old.parts.contains(user) && !new.parts.contains(user)
      // An own amount is part of the sum, whoever completed the coop with theirs.
      let isSum = old.contest == .coop && old.amount(of: user) != new.amount(of: user)
      #expect(isPart || isSum || old.completed?.by == user, "\(user) opens for others")
    }
    if old.completed == nil, new.completed != nil { #expect(mayClose(new, user)) }
    if old.occurrence?.number == new.occurrence?.number {
      #expect(old.partsUnlike(new).allSatisfy { $0 == user }, "\(user) touches others' parts")
    }
  }

  /// Returns whether a command of the user may close the post.
  private func mayClose(_ post: Post, _ user: UserID) -> Bool {
    let members = scene.states[stream]?.objects.values.compactMap { object -> Member? in
      if case .member(let member) = object { member } else { nil }
    }
    let present = (members ?? []).filter { $0.role != nil }
    let workers = present.filter { member in
      post.assignees.contains { $0.user == member.id && member.holds($0) }
    }
    if post.contest == .coop, let goal = post.goal, post.contestTotal >= goal.amount { return true }
    let isRace = post.contest == .race
    if !isRace, !workers.isEmpty, !workers.contains(where: { $0.id == user }) { return false }
    guard post.mode == .each else { return true }
    let people = present.filter { member in
      member.sharesInAll && (post.modeRole ?? member.role) == member.role
    }
    let assigned = workers.isEmpty ? people : workers
    let playing = present.filter { member in
      let entry = post.entries.first { $0.user == member.id && member.joinedSeq <= $0.seq }
      return entry?.isIn ?? assigned.contains { $0.id == member.id }
    }
    return playing.allSatisfy { member in
      post.parts.contains { $0.user == member.id && member.holds($0) }
    }
  }
}

@Suite("protocol §8 `undo`: whatever was done, an undo of a doer does no more than a doer may")
struct UndoRightsRandomTests {
  @Test("in any order of what people do") func random() {
    var counts = (undos: 0, closed: 0, back: 0, again: 0)
    for seed in 1...200 as ClosedRange<UInt64> {
      var people = People(seed: seed)
      for _ in 0..<60 { people.step() }
      counts.undos += people.counts.undos
      counts.closed += people.counts.closed
      counts.back += people.counts.back
      counts.again += people.counts.again
    }
    #expect(
      counts.undos > 200 && counts.closed > 10 && counts.back > 25 && counts.again > 150,
      "\(counts)")
  }
}
