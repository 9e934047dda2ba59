// Races and coops in the list, at one post, and for scripts: bars, the standing, and who is on which step.

import Client
import Domain
import Screen
import Wire

extension Goal {
  /// Returns `300 pages`. The text of an erased post is gone, also the unit.
  var words: Phrase { words(amount) }

  /// Returns another amount with the unit: `120 pages`.
  func words(_ amount: Int64) -> Phrase { unit.isEmpty ? "\(amount)" : "\(amount) \(unit)" }

  /// Returns `120 of 300 pages`.
  func words(reached amount: Int64) -> Phrase { "\(amount) of " + words }
}

/// Bars and words for how far people are.
enum ContestWords {
  private static let bars: Int64 = 4

  /// Returns `▓▓▓░`. Only what is finished has a full bar.
  static func bar(_ done: Int64, of all: Int64) -> String {
    let part = all > 0 ? (min(max(done, 0), all) * bars + all / 2) / all : 0
    let full = done >= all ? bars : min(part, bars - 1)
    let rest = String(repeating: "░", count: Int(bars - full))
    return String(repeating: "▓", count: Int(full)) + rest
  }

  private static let ordinals = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
  ]

  /// Returns `second`, or `12th` where a word is long.
  static func place(_ place: Int) -> String {
    if ordinals.indices.contains(place - 1) { return ordinals[place - 1] }
    switch (place % 100, place % 10) {
    case (11...13, _): return "\(place)th"
    case (_, 1): return "\(place)st"
    case (_, 2): return "\(place)nd"
    case (_, 3): return "\(place)rd"
    default: return "\(place)th"
    }
  }
}

extension Member {
  /// Whether what the member said in this event still counts: they may complete posts, and have not come in anew since.
  func counts(since seq: Int64) -> Bool {
    guard let role, Permission.allows(role, .post(.complete)) else { return false }
    return joinedSeq <= seq
  }
}

extension StreamState {
  /// Returns the people who have a part in a post: those whose work it is, or all whom it is for. Those who joined a
  /// race have one too, and those who withdrew have none.
  func people(with post: Post) -> [Member] {
    let assigned = assignees(of: post)
    let people = assigned.isEmpty ? members.filter { post.isShared(with: $0) } : assigned
    guard post.contest == .race else { return people }
    let out = withdrawn(from: post).map(\.id)
    let joined = post.entries.compactMap { entry in
      entry.isIn == true && !people.contains { $0.id == entry.user } ? present(entry) : nil
    }
    return people.filter { !out.contains($0.id) } + joined
  }

  /// Returns the members who withdrew from a race.
  func withdrawn(from post: Post) -> [Member] {
    post.entries.compactMap { $0.isIn == false ? present($0) : nil }
  }

  /// Returns the standing of the people in a race, the best first.
  func standing(of post: Post) -> [RaceStanding] {
    post.standing(of: people(with: post).map(\.id)) { part in
      member(part.user)?.holds(part) == true
    }
  }

  /// Returns who has claimed an open step of a coop; nil when nobody has, or the claim counts no more.
  func holder(of step: Step, in post: Post) -> Member? {
    guard post.contest == .coop, step.finished == nil,
      let share = post.shares.first(where: { $0.step == step.id }),
      let member = member(share.user), member.counts(since: share.seq)
    else { return nil }
    return member
  }

  private func present(_ entry: ContestEntry) -> Member? {
    member(entry.user).flatMap { $0.counts(since: entry.seq) ? $0 : nil }
  }
}

extension Post {
  /// Whether the bar of the post counts its steps, so that no other count of them is needed.
  var isCoopOfSteps: Bool {
    contest == .coop && goal == nil && !steps.isEmpty && completed == nil
  }
}

extension PostChips {
  /// Returns `  race ▓▓░░ 120/300 pages`, `  race 2/4 finished` or `  coop ▓▓▓░ 3/4`; empty for other posts.
  static func contest(_ post: Post, in list: Category, _ situation: Situation) -> Line {
    guard let contest = post.contest, let state = situation.streams[.category(list.id)] else {
      return Line()
    }
    switch contest {
    case .race: return race(post, in: state, situation)
    case .coop:
      if let goal = post.goal { return chip(contest, post.contestTotal, of: goal) }
      guard !post.steps.isEmpty else { return Line("  coop", .dim) }
      let (done, all) = (post.steps.count - post.openSteps.count, post.steps.count)
      let bar = ContestWords.bar(Int64(done), of: Int64(all))
      return Line("  coop \(bar) \(done)/\(all)", .dim)
    }
  }

  private static func race(_ post: Post, in state: StreamState, _ situation: Situation) -> Line {
    let count = PartCount(post, in: state, me: situation.me)
    var line = Line("  race \(count.done)/\(count.of) finished", .dim)
    if let goal = post.goal, let me = situation.me, let isDone = count.mine {
      let amount = post.amount(of: me)
      line = chip(.race, isDone ? max(amount, goal.amount) : amount, of: goal)
    }
    return count.mine == true ? line.and(", yours ✔", .good) : line
  }

  private static func chip(_ contest: Contest, _ amount: Int64, of goal: Goal) -> Line {
    let bar = ContestWords.bar(amount, of: goal.amount)
    return Line("  \(contest.rawValue) \(bar) \(amount)/" + goal.words, .dim)
  }

  /// Returns the words of an edit about a race or a coop; none for other edits.
  static func contestWords(_ edit: PostEdit) -> [Phrase] {
    var words: [Phrase] = []
    switch edit.contest {
    case .keep: break
    case .clear: words.append("a plain post")
    case .set(let contest): words.append("a \(contest.rawValue)")
    }
    switch edit.goal {
    case .keep: break
    case .clear: words.append("no goal")
    case .set(let goal): words.append("the goal is " + goal.words)
    }
    return edit.restart ? words + ["begun anew"] : words
  }
}

extension ListLines {
  /// Returns how far everybody is in a race or a coop, one line each; none for other posts.
  static func standing(of post: Post, in state: StreamState, _ situation: Situation) -> [Line] {
    switch post.contest {
    case .race: race(post, in: state, situation)
    case .coop: shares(of: post, in: state, situation)
    case nil: []
    }
  }

  /// Returns `1. @author finished`, `2. @editor 260 pages, 40 behind`; who withdrew stands last.
  private static func race(_ post: Post, in state: StreamState, _ situation: Situation) -> [Line] {
    func row(_ place: String, _ user: UserID, _ words: Phrase) -> Line {
      Line("\(pad(place, 10, right: true)) ", .dim, hang: 11)
        .and("\(situation.name(of: user, in: state.stream)) ").and(words, .dim)
    }
    let rows = state.standing(of: post).map { it -> Line in
      let place = it.place.map { "\($0)." } ?? ""
      guard !it.isFinished else { return row(place, it.user, "finished") }
      guard let goal = post.goal else { return row(place, it.user, "not yet") }
      let behind: Phrase = it.behind.map { $0 > 0 ? ", \($0) behind" : "" } ?? ""
      return row(place, it.user, goal.words(it.amount) + behind)
    }
    return rows + state.withdrawn(from: post).map { row("", $0.id, "withdrew") }
  }

  /// Returns who has done how much of a coop, who did most first: `@author 120 pages, 2 steps`.
  private static func shares(
    of post: Post, in state: StreamState, _ situation: Situation
  ) -> [Line] {
    let finished = post.steps.compactMap(\.finished).filter { !$0.withPost }.map(\.by)
    let people = Set(finished + post.entries.filter { $0.amount > 0 }.map(\.user))
    let rows = people.map { user in
      (user: user, amount: post.amount(of: user), steps: finished.count { $0 == user })
    }
    let sorted = rows.sorted { ($1.amount, $1.steps, $0.user) < ($0.amount, $0.steps, $1.user) }
    return sorted.map { row in
      var words: [Phrase] = []
      if let goal = post.goal, row.amount > 0 { words.append(goal.words(row.amount)) }
      if row.steps > 0 { words.append(row.steps == 1 ? "1 step" : "\(row.steps) steps") }
      return Line("        ", hang: 8)
        .and("\(situation.name(of: row.user, in: state.stream)) ").and(words.listed, .dim)
    }
  }

  /// Returns `  · @editor is on it` behind an open step; empty when nobody is.
  static func holder(
    of step: Step, in post: Post, _ stream: StreamID, _ situation: Situation
  ) -> Line {
    guard let member = situation.streams[stream]?.holder(of: step, in: post) else { return Line() }
    let name = situation.name(of: member.id, in: stream)
    return Line("  · \(name) \(name == "you" ? "are" : "is") on it", .accent)
  }
}

extension JSONWriter {
  /// Writes `"contest"?`, `"goal"?` and, of a race or a coop, `"entries"`: the standing, and behind it who withdrew.
  mutating func contest(of post: Post, in stream: StreamID, _ situation: Situation) {
    guard let contest = post.contest else { return }
    member("contest", contest.rawValue)
    if let goal = post.goal {
      object("goal") { writer in
        writer.member("amount", goal.amount)
        writer.member("unit", goal.unit)
      }
    }
    guard let state = situation.streams[stream] else { return }
    switch contest {
    case .race: standing(of: post, in: state)
    case .coop:
      array("entries", post.entries) { entry, writer in
        writer.person(entry.user, state.member(entry.user)?.username ?? "")
        writer.member("amount", entry.amount)
      }
    }
  }

  private mutating func standing(of post: Post, in state: StreamState) {
    key("entries")
    beginArray()
    for it in state.standing(of: post) {
      beginObject()
      person(it.user, state.member(it.user)?.username ?? "")
      if let place = it.place { member("place", place) }
      member("amount", it.amount)
      if let behind = it.behind { member("behind", behind) }
      member("finished", it.isFinished)
      endObject()
    }
    for it in state.withdrawn(from: post) {
      beginObject()
      person(it.id, it.username)
      member("withdrew", true)
      endObject()
    }
    endArray()
  }
}
