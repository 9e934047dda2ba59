// Lines about posts that everybody completes for themselves (protocol §3.6, `mode`).

import Client
import Domain
import Screen
import Wire

/// The number of people who have completed their part of a post, and the number of all.
struct PartCount: Equatable {
  var done: Int { finished.count }
  var of: Int { finished.count + missing.count }
  /// The people who have completed their part, and those who have not, in the order of the members.
  let finished: [Member]
  let missing: [Member]
  /// Whether one's own part is completed; nil for people without a part.
  let mine: Bool?
  /// The role whose members have a part; nil where all have one, or those whose work it is.
  let role: Role?

  init(_ post: Post, in state: StreamState, me: UserID?) {
    let people = state.people(with: post)
    role = state.assignees(of: post).isEmpty ? post.modeRole : nil
    func hasFinished(_ person: Member) -> Bool {
      post.parts.contains { $0.user == person.id && person.holds($0) }
    }
    finished = people.filter(hasFinished)
    missing = people.filter { !hasFinished($0) }
    mine = me.flatMap { me in
      people.first { $0.id == me }.map(hasFinished)
    }
  }
}

extension PostChips {
  /// Returns `  each 3/5, yours ✔`, or `  for each doer 23/30`.
  static func parts(_ post: Post, in list: Category, _ situation: Situation) -> Line {
    // A race counts the parts by itself.
    guard post.mode == .each, post.contest == nil,
      let state = situation.streams[.category(list.id)]
    else { return Line() }
    let count = PartCount(post, in: state, me: situation.me)
    let whom = count.role.map { forEach($0) } ?? "each"
    let line = Line("  \(whom) \(count.done)/\(count.of)", .dim)
    return count.mine == true ? line.and(", yours ✔", .good) : line
  }

  /// Returns `for each`, or `for each doer`.
  static func forEach(_ role: Role?) -> String { role.map { "for each \($0.word)" } ?? "for each" }

  /// Returns whom the post is for after an edit; nil where the edit leaves that alone.
  static func whom(_ edit: PostEdit) -> Phrase? {
    switch (edit.mode, edit.modeRole) {
    case (.clear, _): "one for all"
    case (_, .set(let role)): "\(forEach(role))"
    case (.set, _), (.keep, .clear): "each for themselves"
    case (.keep, .keep): nil
    }
  }
}

extension Situation {
  /// Whether the person has no part in a post that is for each. Then completing it completes it for all.
  func hasNoPart(in post: Post, of list: Category) -> Bool {
    guard post.mode == .each, let state = streams[.category(list.id)] else { return false }
    return PartCount(post, in: state, me: me).mine == nil
  }
}

extension ListLines {
  /// Returns who has completed their part of a post that is for each, and who has not, by names.
  static func parts(of post: Post, in state: StreamState, _ situation: Situation) -> [Line] {
    guard post.mode == .each, post.contest == nil else { return [] }
    let count = PartCount(post, in: state, me: situation.me)
    func line(_ word: Phrase, _ people: [Member]) -> [Line] {
      guard !people.isEmpty else { return [] }
      let names = people.map { situation.name(of: $0.id, in: state.stream) }
      return [Line("        ", hang: 8).and(word, .dim).and("\(names.joined(separator: ", "))")]
    }
    return line("done: ", count.finished) + line("not yet: ", count.missing)
  }
}

extension EventLines {
  /// Returns `@editor, @viewer and 3 others ✔ own parts of bread (23/30)`. The count is the present one.
  func partsLine(_ fold: NotificationFold, _ what: Phrase) -> Line {
    let one = fold.notifications[0]
    let names = fold.notifications.map { situation.name(of: $0.user, in: one.stream) }
    let who = Who(names.listed(max: 2), isMe: false)
    if let finish = finish(fold, what) { return who.line("✔", .good, finish) }
    let part: Phrase = names.count == 1 ? "own part of " : "own parts of "
    let state = situation.streams[one.stream]
    let count = one.post.flatMap { state?.post($0) }.flatMap { post in
      state.map { PartCount(post, in: $0, me: situation.me) }
    }
    // After the last part the next time begins, and nothing of it is done.
    let sum: Phrase = count.map { $0.done > 0 ? " (\($0.done)/\($0.of))" : "" } ?? ""
    return who.line("✔", .good, part + what + sum)
  }

  func part(
    _ title: String, _ mark: PostMark, of user: UserID, _ id: PostID, _ applied: AppliedEvent,
    _ who: Who, in stream: StreamID
  ) -> Line {
    if case .partCompleted = mark, let line = finishLine(of: user, in: id, applied, in: stream) {
      return line
    }
    let state = situation.streams[stream]
    // Long after the event, the present count says nothing about it.
    let count = state?.post(id).flatMap { post in
      isHistory ? nil : state.map { PartCount(post, in: $0, me: situation.me) }
    }
    // With the last part the next time comes, and nothing of it is done.
    let isLast = applied.event.ops.contains { op in
      if case .post(.occurred(id, _, _, _)) = op { true } else { false }
    }
    let sum: Phrase = count.map { "\(isLast ? $0.of : $0.done)/\($0.of) in " } ?? "in "
    let whose: Phrase =
      who.name == situation.name(of: user, in: stream)
      ? "own part" : "the part of \(situation.name(of: user, in: stream))"
    let text: Phrase = "\(title): " + whose + " (" + sum + "\(situation.label(stream)))"
    if case .partCompleted = mark { return who.line("✔", .good, text) }
    return who.line("↺", .accent, text)
  }
}

extension [String] {
  /// Returns `a`, `a and b` or `a, b and 3 others`, with at most `max` names.
  func listed(max: Int) -> String {
    let others = count - Swift.max(max, 1)
    guard others > 0 else { return joined(separator: " and ") }
    let rest = others == 1 ? "1 other" : "\(others) others"
    return prefix(max).joined(separator: ", ") + " and " + rest
  }
}

extension JSONWriter {
  /// Writes `"mode"?`, `"modeRole"?` and `"doneBy"?`.
  mutating func parts(of post: Post, in stream: StreamID, _ situation: Situation) {
    guard let mode = post.mode else { return }
    member("mode", mode.rawValue)
    if let role = post.modeRole { member("modeRole", role.word) }
    let state = situation.streams[stream]
    let done = post.parts.compactMap { part in
      state?.member(part.user).flatMap { $0.holds(part) ? $0 : nil }
    }
    people("doneBy", done)
  }
}
