import TestRandom
import Testing

@testable import Domain

private struct Doing {
  let command: Command
  let by: UserID

  init(_ command: Command, _ user: UserID) {
    self.command = command
    by = user
  }
}

/// A list in which people make contests, play them, leave and come back, and take things back. Post 9 comes every day.
private struct Playground {
  private(set) var scene = Scene.daily()
  private var slow = SlowContests()
  private var achievements = AchievementLog(.category(1))
  private var numbers: SeededRandom
  private var invited = 900
  private var read = 0
  private(set) var counts: [String: Int] = [:]

  private static let people: [UserID] = ["a", "b", "c", "d"]

  init(seed: UInt64) {
    numbers = SeededRandom(seed: seed)
    for user: UserID in ["b", "c", "d"] { admit(user) }
    for post: PostID in [1, 9] {
      for step in 1...3 {
        scene.must(.changeStep(1, post, StepID(step), .add(content: "s")), by: "a")
      }
    }
    catchUp()
  }

  private mutating func pick<Element>(_ all: [Element]) -> Element { all[numbers.below(all.count)] }

  private mutating func admit(_ user: UserID) {
    invited += 1
    scene.admit(
      user, to: .category(1), as: pick([.doer, .doer, .editor]), by: "a", number: invited)
  }

  mutating func step() {
    let user = pick(Self.people)
    if scene.role(of: user, in: .category(1)) == nil {
      admit(user)
    } else {
      let doing = next(user, pick([1, 9]))
      _ = scene.run(doing.command, by: doing.by)
    }
    catchUp()
  }

  private mutating func next(_ user: UserID, _ post: PostID) -> Doing {
    let name = post == 9 && scene.post(9, in: 1)?.completed == nil ? scene.number : 0
    switch numbers.below(24) {
    case 0...8: return Doing(reach(post, name), user)
    case 9: return Doing(contest(post, .join), user)
    case 10: return Doing(contest(post, .withdraw), user)
    case 11: return Doing(contest(post, .claim(pick([1, 2, 3]))), user)
    case 12: return Doing(contest(post, .release(pick([1, 2, 3]))), user)
    case 13, 14: return Doing(.editPost(1, post, edit(), ifVersion: nil), "a")
    case 15: return Doing(complete(post, name), user)
    case 16: return Doing(.reopenPost(1, post, ifVersion: nil), user)
    case 17:
      return user == "a"
        ? Doing(.removePost(1, 1, ifVersion: nil), user)
        : Doing(.member(.leave(.category(1))), user)
    case 18:
      let role: Role = pick([.doer, .editor, .viewer])
      return Doing(.member(.setRole(.category(1), pick(["b", "c", "d"]), role)), "a")
    case 19:
      return Doing(.post(.change(1, post, pick([.assign(user), .unassign(user)]))), "a")
    case 20: return Doing(.restorePost(1, 1, ifVersion: nil), "a")
    case 21: return Doing(.changeStep(1, post, pick([1, 2, 3]), pick([.remove, .complete])), "a")
    default: return Doing(undo(by: user), user)
    }
  }

  private func contest(_ post: PostID, _ change: ContestChange) -> Command {
    .post(.change(1, post, .contest(change)))
  }

  private mutating func reach(_ post: PostID, _ name: Int) -> Command {
    let amount: Int64 = pick([1, 3, 5, 8, 10, 12])
    let isCorrection = pick([true, false])
    return name == 0
      ? contest(post, .reach(.init(amount, isCorrection: isCorrection)))
      : .changeOccurrence(1, post, name, .reach(.init(amount, isCorrection: isCorrection)))
  }

  private func complete(_ post: PostID, _ name: Int) -> Command {
    name == 0 ? .completePost(1, post, ifVersion: nil) : .changeOccurrence(1, post, name, .complete)
  }

  private mutating func edit() -> PostEdit {
    let goal = Goal(amount: pick([10, 20]), unit: "km")
    var edit: PostEdit = pick([
      PostEdit(contest: .set(.race), goal: .set(goal)),
      PostEdit(contest: .set(.race), goal: .set(goal)), PostEdit(contest: .set(.race)),
      PostEdit(contest: .set(.coop), goal: .set(goal)),
      PostEdit(contest: .set(.coop), goal: .set(goal)), PostEdit(goal: pick([.clear, .set(goal)])),
      PostEdit(contest: .clear), PostEdit(modeRole: pick([.set(.doer), .clear])),
    ])
    edit.restart = pick([true, false])
    return edit
  }

  private mutating func undo(by user: UserID) -> Command {
    let own = (scene.events[.category(1)] ?? []).suffix(10).filter { $0.by == user }.map(\.seq)
    return .takingBack(own.isEmpty ? scene.head : pick(own))
  }

  // MARK: The slow way

  private mutating func catchUp() {
    for event in (scene.events[.category(1)] ?? []).dropFirst(read) {
      let total = totals()
      slow.read(event)
      achievements.read(event)
      read += 1
      expectCompletion(event, before: total)
      count(event)
      // An undo that sets a repetition back says no more of what was in the occurrence.
      for case .post(.edited(let id, _, let edit)) in event.ops where edit.repeats != .keep {
        if let post = scene.post(id, in: 1) { slow.take(post) }
      }
    }
    for post: PostID in [1, 9] {
      compare(post)
      compareAchievements(post)
    }
  }

  /// Expects that the rows of achievement say what the post says, of its present occurrence.
  private func compareAchievements(_ id: PostID) {
    guard let post = scene.post(id, in: 1), let it = slow.posts[id] else { return }
    let number = post.occurrence?.number ?? 0
    let rows = (achievements.rows[id] ?? []).filter { $0.occurrence == number }
    let place = "\(id) at \(scene.head)"
    var amounts: [UserID: Int64] = [:]
    for row in rows where row.kind == .amount { amounts[row.user, default: 0] += row.value }
    #expect(amounts == it.entries.mapValues(\.amount).filter { $0.value > 0 }, "\(place)")
    let parts = rows.filter { $0.kind == .part }
    #expect(Set(parts.map(\.user)) == Set(it.finishes.map(\.user)), "\(place)")
    #expect(parts.count == it.finishes.count, "\(place)")
    guard it.kind == .race, parts.allSatisfy({ $0.value > 0 }) else { return }
    for part in parts {
      let seq = it.finishes.first { $0.user == part.user }?.seq ?? 0
      #expect(part.value == 1 + it.finishes.count { $0.seq < seq }, "\(part.user) in \(place)")
    }
  }

  private func totals() -> [PostID: Int64] {
    slow.posts.mapValues { it in it.entries.values.reduce(0) { $0 + $1.amount } }
  }

  private mutating func count(_ event: Event) {
    func note(_ word: String) { counts[word, default: 0] += 1 }
    for case .post(let op) in event.ops {
      switch op {
      case .contest(_, .reached(_, amount: let amount, was: let was)):
        note(event.undoes.isEmpty ? amount < was ? "corrected" : "grown" : "undone")
      case .contest(_, .joined): note("joined")
      case .contest(_, .withdrew): note("withdrew")
      case .contest(_, .claimed): note("claimed")
      case .marked(_, _, .partCompleted): note("finished")
      case .marked(_, _, .partReopened): note("reopened")
      case .occurred(let id, _, _, _): if slow.posts[id]?.kind != nil { note("occurred") }
      default: continue
      }
    }
  }

  /// Expects that a sum which comes to its goal completes a coop in the same event.
  private func expectCompletion(_ event: Event, before: [PostID: Int64]) {
    guard event.undoes.isEmpty else { return }
    for case .post(.contest(let id, .reached)) in event.ops {
      guard let it = slow.posts[id], it.kind == .coop, let goal = it.goal,
        scene.post(id, in: 1)?.repeats == nil
      else { continue }
      let total = totals()[id] ?? 0
      let was = before[id, default: 0]
      if was < goal, total >= goal { #expect(!it.isOpen, "\(event.seq)") }
      if was >= goal, total < goal { #expect(it.isOpen, "\(event.seq)") }
    }
  }

  private func compare(_ id: PostID) {
    guard let post = scene.post(id, in: 1), let it = slow.posts[id] else { return }
    let entries = Dictionary(
      uniqueKeysWithValues: post.entries.map {
        ($0.user, SlowContests.Entry(amount: $0.amount, isIn: $0.isIn, seq: $0.seq))
      })
    let place = "\(id) at \(scene.head)"
    #expect(entries.mapValues(\.amount) == it.entries.mapValues(\.amount), "\(place)")
    #expect(entries.mapValues(\.isIn) == it.entries.mapValues(\.isIn), "\(place)")
    #expect(post.shares.map(\.step) == it.shares.keys.sorted(), "\(place)")
    #expect(post.shares.allSatisfy { it.shares[$0.step] == $0.user }, "\(place)")
    #expect(post.contestTotal == it.entries.values.reduce(0) { $0 + $1.amount }, "\(place)")
    let finishes = post.parts.map { SlowContests.Finish(user: $0.user, seq: $0.seq) }
    #expect(finishes == it.finishes.sorted { $0.user < $1.user }, "\(place)")
    #expect(post.contest == it.kind && post.goal?.amount == it.goal, "\(place)")
    #expect((post.mode == .each) == (it.kind == .race), "\(place): nobody sets a mode alone")
    guard it.kind == .race else { return }
    compareStanding(post, id, place)
  }

  private func compareStanding(_ post: Post, _ id: PostID, _ place: String) {
    let present = Self.people.filter { slow.isIn($0, id) }
    if post.completed == nil {
      for user in Self.people where scene.role(of: user, in: .category(1)) ?? .viewer >= .doer {
        let joins = scene.changes(.post(.change(1, id, .contest(.join))), by: user)
        #expect(joins == !present.contains(user), "\(user) in \(place)")
      }
    }
    // An amount from before somebody came in anew, and a finisher who is not in any more, are asked elsewhere.
    let isPlain =
      post.entries.allSatisfy { slow.counts($0.user, since: $0.seq) }
      && post.parts.allSatisfy { present.contains($0.user) }
    guard isPlain else { return }
    let standing = post.standing(of: present) { part in
      slow.counts(part.user, since: part.seq)
    }
    #expect(Set(standing.map(\.user)) == Set(present), "\(place)")
    for it in standing {
      #expect(it.place == slow.place(of: it.user, among: present, in: id), "\(it.user) in \(place)")
      #expect(it.amount == slow.amount(of: it.user, in: id), "\(it.user) in \(place)")
    }
    let places = standing.map { $0.place ?? .max }
    #expect(places == places.sorted(), "the best are first in \(place)")
  }
}

@Suite("protocol §5.21: contests are what their log says, worked out slowly")
struct ContestRandomTests {
  @Test("Places, amounts and totals agree in any order of what people do", arguments: 0..<40)
  func random(seed: UInt64) {
    var playground = Playground(seed: seed)
    for _ in 0..<120 { playground.step() }
  }

  @Test("The random histories have everything in them")
  func happens() {
    var counts: [String: Int] = [:]
    for seed in 0..<40 as Range<UInt64> {
      var playground = Playground(seed: seed)
      for _ in 0..<120 { playground.step() }
      counts.merge(playground.counts) { $0 + $1 }
    }
    let words = [
      "grown", "corrected", "undone", "joined", "withdrew", "claimed", "finished", "reopened",
      "occurred",
    ]
    for word in words { #expect(counts[word, default: 0] >= 10, "\(word): \(counts)") }
  }
}
