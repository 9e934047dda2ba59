// Lines for what happens in races and coops: when it happens, in a history, and in the news.

import Client
import Domain
import Screen
import Wire

extension EventLines {
  /// Returns the line of an op of a race or a coop: `@editor joined the race #12 essay (in #uni)`.
  func contestLine(
    _ id: PostID, _ op: ContestOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line {
    let what = called(id, applied, in: stream)
    let place: Phrase = " (in \(situation.label(stream)))"
    switch op {
    case .joined(let user):
      return subject(user, applied, in: stream, " joined the race " + what + place)
    case .withdrew(let user):
      return subject(user, applied, in: stream, " withdrew from the race " + what + place)
    case .reached(let user, let amount, _):
      let goal = situation.streams[stream]?.post(id)?.goal
      let reached: Phrase = goal.map { $0.words(reached: amount) } ?? "\(amount)"
      let verb: Phrase = user == situation.me ? " are at " : " is at "
      return subject(user, applied, in: stream, verb + reached + " in " + what + place)
    case .claimed(let step, let user):
      let verb: Phrase = user == situation.me ? " take " : " takes "
      return subject(
        user, applied, in: stream, verb + self.step(step, of: id, applied, in: stream) + place)
    case .released(let step):
      let owner = share(of: step, in: id, before: applied)
      let other = owner.flatMap { $0 == applied.event.by ? nil : $0 }
      let whose: Phrase = other.map { " of \(situation.name(of: $0, in: stream))" } ?? ""
      let words: Phrase = who.isMe ? " give back " : " gives back "
      let line = who.isMe ? Line("you", hang: 2) : Line("\(who.name)", .strong, hang: 2)
      return line.and(
        words + self.step(step, of: id, applied, in: stream) + whose + place)
    }
  }

  /// Returns the line of an edit that only makes or ends a race or a coop, or sets its goal; nil for other edits.
  func contestEdited(
    _ id: PostID, _ edit: PostEdit, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    var others = edit
    others.contest = .keep
    others.goal = .keep
    others.mode = .keep
    others.restart = false
    if others.modeRole == .clear { others.modeRole = .keep }
    let what = called(id, applied, in: stream)
    guard others == PostEdit(), let words = EventLines.contestWords(edit, what) else { return nil }
    return who.line("✎", .accent, words + " (in \(situation.label(stream)))")
  }

  private static func contestWords(_ edit: PostEdit, _ what: Phrase) -> Phrase? {
    switch (edit.contest, edit.goal) {
    case (.set(let contest), .set(let goal)):
      "made " + what + " a \(contest.rawValue) to " + goal.words
    case (.set(let contest), _): "made " + what + " a \(contest.rawValue)"
    case (.clear, _): "made " + what + " a plain post again"
    case (.keep, .set(let goal)): "set the goal of " + what + " to " + goal.words
    case (.keep, .clear): "took the goal of " + what + " away"
    case (.keep, .keep): nil
    }
  }

  /// Returns the line of a part that is finished in a race, with its place; nil where the place is not known any more.
  func finishLine(
    of user: UserID, in id: PostID, _ applied: AppliedEvent, in stream: StreamID
  ) -> Line? {
    guard let state = situation.streams[stream], let post = state.post(id), post.contest == .race,
      post.parts.contains(where: { $0.user == user && $0.seq == applied.event.seq }),
      let place = state.standing(of: post).first(where: { $0.user == user })?.place
    else { return nil }
    let words: Phrase =
      "finished " + called(id, applied, in: stream)
      + ", \(ContestWords.place(place)) (in \(situation.label(stream)))"
    return Who(situation.name(of: user, in: stream), isMe: user == situation.me)
      .line("✔", .good, words)
  }

  // MARK: Notifications

  /// Returns the line of how far somebody has come, by the present state: `@editor is second in #12 essay, 40 pages
  /// behind`. Several posts are told in plain words.
  func reachedLine(_ fold: NotificationFold, _ what: Phrase) -> Line {
    let one = fold.notifications[fold.notifications.count - 1]
    let isMe = one.user == situation.me
    let line = Line(
      "\(situation.name(of: one.user, in: one.stream))", isMe ? .plain : .strong, hang: 2)
    let isOne = fold.notifications.allSatisfy { $0.post == one.post && $0.user == one.user }
    guard isOne, let user = one.user, let state = situation.streams[one.about],
      let post = one.post.flatMap({ state.post($0) }), let goal = post.goal
    else { return line.and(" got on with " + what) }
    let name: Phrase = "#\(post.number) " + what
    let verb: Phrase = isMe ? " are " : " is "
    let standing = post.contest == .race ? state.standing(of: post).first { $0.user == user } : nil
    guard let standing, let place = standing.place else {
      let amount = goal.words(post.amount(of: user))
      let sum: Phrase =
        post.contest == .coop ? ", " + goal.words(reached: post.contestTotal) + " together" : ""
      return line.and(verb + "at " + amount + " in " + name + sum)
    }
    let rank: Phrase = "\(ContestWords.place(place))"
    guard !standing.isFinished else { return line.and(" finished " + name + ", " + rank) }
    guard let behind = standing.behind, behind > 0 else {
      return line.and(verb + rank + " in " + name + " with " + goal.words(standing.amount))
    }
    return line.and(verb + rank + " in " + name + ", " + goal.words(behind) + " behind")
  }

  /// Returns the words for a finish in a race in the news, with its place: `finished #12 essay, second`. Nil for other
  /// posts and for several finishes.
  func finish(_ fold: NotificationFold, _ what: Phrase) -> Phrase? {
    let one = fold.notifications[0]
    guard fold.notifications.count == 1, let state = situation.streams[one.stream],
      let post = one.post.flatMap({ state.post($0) }), post.contest == .race,
      let standing = state.standing(of: post).first(where: { $0.user == one.user }),
      standing.isFinished, let place = standing.place
    else { return nil }
    return "finished #\(post.number) " + what + ", \(ContestWords.place(place))"
  }

  // MARK: Names

  /// Returns a line that begins with whom it is about. Somebody else who said it for them stands behind.
  private func subject(
    _ user: UserID, _ applied: AppliedEvent, in stream: StreamID, _ words: Phrase
  ) -> Line {
    let name = situation.name(of: user, in: stream)
    let line = Line("\(name)", name == "you" ? .plain : .strong, hang: 2).and(words)
    guard let by = applied.event.by, by != user else { return line }
    return line.and(", says \(situation.name(of: by, in: stream))", .dim)
  }

  /// Returns `#12 essay`; the title alone for a post that is not in the list any more.
  private func called(_ id: PostID, _ applied: AppliedEvent, in stream: StreamID) -> Phrase {
    let title = title(of: id, applied)
    guard let post = situation.streams[stream]?.post(id) else { return "\(title)" }
    return title.isEmpty ? "#\(post.number)" : "#\(post.number) \(title)"
  }

  /// Returns `step 12.3 "eggs"`, or `a step of #12 essay` for a step that is gone.
  private func step(
    _ id: StepID, of postID: PostID, _ applied: AppliedEvent, in stream: StreamID
  ) -> Phrase {
    guard let post = situation.streams[stream]?.post(postID), let step = post.step(id) else {
      return "a step of " + called(postID, applied, in: stream)
    }
    let shown = isHistory ? ShownNumbers() : situation.shown
    let number = PostNumber(post.number, step: shown.number(of: step, in: post))
    return "step \(number.description) \"\(step.content)\""
  }

  /// Returns who had claimed a step before the event; nil when it is not known.
  private func share(
    of step: StepID, in post: PostID, before applied: AppliedEvent
  ) -> UserID? {
    if let past {
      let before = past.filter { $0.seq < applied.event.seq }.flatMap(\.ops)
      for case .post(.contest(post, .claimed(step, let user))) in before.reversed() { return user }
      return nil
    }
    for case .post(let it)? in applied.changes.map(\.before) where it.id == post {
      return it.shares.first { $0.step == step }?.user
    }
    return nil
  }
}

extension Situation {
  /// Returns why the person is in a race or a coop without an assignment; none for other posts.
  func contestReasons(_ post: Post, in stream: StreamID) -> [Phrase] {
    guard let me, let state = streams[stream] else { return [] }
    switch post.contest {
    case .race:
      let isIn = state.people(with: post).contains { $0.id == me }
      return isIn ? ["you are in the race"] : []
    case .coop:
      let isOn = post.steps.contains { state.holder(of: $0, in: post)?.id == me }
      return isOn ? ["you are on a step of it"] : []
    case nil: return []
    }
  }
}

// MARK: One's own changes

extension UnsentLines {
  /// Returns what was asked for in a race or a coop.
  static func contestWords(_ change: ContestChange, _ title: String) -> Phrase {
    switch change {
    case .join: "+ \(title): in the race"
    case .withdraw: "✘ \(title): out of the race"
    case .reach(let it): "✎ \(title): at \(it.amount)"
    case .claim: "▸ a step of \(title)"
    case .release: "◂ a step of \(title)"
    }
  }

  /// Returns what a person does instead of what the server's sentence tells programs to do; nil for other refusals.
  static func contestAdvice(
    _ command: Command, _ reason: ServerError, _ situation: Situation
  ) -> String? {
    guard reason.kind == .conflict, case .post(.change(let address, let change, _)) = command
    else { return nil }
    let copy = situation.streams[address.stream]?.post(address.post)
    let known: Post? = if case .post(let now)? = reason.object { now } else { copy }
    guard let post = known else { return nil }
    switch change {
    case .edit(let edit) where edit.restartsWork && !edit.restart && post.hasWork:
      return "there is work in #\(post.number): the same line with again at its end takes it back"
    case .contest(.reach(let it)), .occurrence(_, .reach(let it)):
      guard let me = situation.me, !it.isCorrection, it.amount < post.amount(of: me) else {
        return nil
      }
      return "you are at \(post.amount(of: me)) already: "
        + "/at \(post.number) \(it.amount) correct sets less"
    default: return nil
    }
  }
}

extension PostEdit {
  /// Whether it sets what changes only while nobody has begun.
  fileprivate var restartsWork: Bool { mode != .keep || contest != .keep || goal != .keep }
}

extension Post {
  fileprivate var hasWork: Bool {
    !parts.isEmpty || !shares.isEmpty || entries.contains { $0.amount > 0 }
  }
}
