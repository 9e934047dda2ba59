import Client
import Domain
import Screen
import Sync
import Text
import Wire

// Shows who is on a post: when it happens, behind the title, and for scripts.

extension EventLines {
  /// Returns the line of a claim. When a claim is only made longer, others get none.
  func claimLine(
    _ id: PostID, _ op: ClaimOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    let title = title(of: id, applied)
    let place = place(of: id, in: stream)
    switch op {
    case .taken(let user, let until, version: _):
      let isLonger = claimer(of: id, before: applied) == user
      guard !isLonger || who.isMe || isHistory else { return nil }
      let end = situation.clock.moment(until) + (isLonger ? " now" : "")
      return who.line("▸", .accent, "on it until \(end): \(title) (\(place))")
    case .released:
      let other = claimer(of: id, before: applied).flatMap { $0 == applied.event.by ? nil : $0 }
      let whose = other.map { situation.name(of: $0, in: stream) }
        .map { $0 == "you" ? "you are " : "\($0) is " }
      return who.line("◂", .accent, "\(whose ?? "")not on it any more: \(title) (\(place))")
    case .ended: return nil  // `endedClaims`
    }
  }

  /// Returns one line for all claims that an event ended, because a program that is gone may have had many. A list that
  /// is archived or removed gets no line, because nobody can go on with its posts.
  func endedClaims(_ applied: AppliedEvent, in stream: StreamID) -> [Line] {
    let posts = applied.event.ops.compactMap { op -> PostID? in
      if case .post(.claim(let id, .ended)) = op { id } else { nil }
    }
    guard let first = posts.first, let list = situation.streams[stream]?.category,
      list.archived == nil, list.removed == nil
    else { return [] }
    guard posts.count > 1 else {
      let holder = claimer(of: first, before: applied).map { situation.name(of: $0, in: stream) }
      let why = holder.map { $0 == "you" ? ": your time is over" : ": the time of \($0) is over" }
      return [
        Line("nobody is on \(title(of: first, applied)) any more\(why ?? "")", .dim)
          .and(" (\(place(of: first, in: stream)))", .dim)
      ]
    }
    let some = posts.prefix(2).map { Text.truncated(title(of: $0, applied), columns: 30) }
    let more: Phrase = posts.count > some.count ? " …" : ""
    return [
      Line("nobody is on \(posts.count) posts any more: ", .dim)
        .and("\(some[0]), \(some[1])\(more) (in \(list.tag))", .dim)
    ]
  }

  /// Returns who was on the post before the event; nil when nobody was or it is not known.
  private func claimer(of post: PostID, before applied: AppliedEvent) -> UserID? {
    guard let past else { return applied.claim(of: post)?.user }
    let before = past.filter { $0.seq < applied.event.seq }.flatMap(\.ops)
    for case .post(.claim(post, let op)) in before.reversed() {
      if case .taken(let user, until: _, version: _) = op { return user }
      return nil
    }
    return nil
  }

  /// Returns `#12 in #groceries`, the words that one needs to go on with the post.
  func place(of post: PostID, in stream: StreamID) -> Phrase {
    let list: Phrase = "in \(situation.label(stream))"
    guard let post = situation.streams[stream]?.post(post) else { return list }
    return "#\(post.number) \(list)"
  }
}

extension AnswerLines {
  /// Returns the line for `claim next`. A chat shows it too, because it folds the events that it missed.
  static func claimedNext(
    in list: Category, _ result: CommandResult, _ situation: Situation
  ) -> Line {
    guard let number = result.number else { return Line("▸ the next post of \(list.tag)") }
    guard let post = situation.streams[.category(list.id)]?.post(number: number) else {
      return Line("▸ #\(number) (in \(list.tag))")
    }
    return Line("▸ #\(number) \(post.title) (in \(list.tag))")
  }
}

extension AppliedEvent {
  /// Returns the claim of the post before the event.
  fileprivate func claim(of id: PostID) -> PostClaim? {
    for change in changes {
      if case .post(let post) = change.before, post.id == id { return post.claim }
    }
    return nil
  }
}

extension Situation {
  /// Returns who is on a post at present, and until when; nil when nobody is.
  func holder(of post: Post, in stream: StreamID) -> (member: Member, until: Timestamp)? {
    guard let claim = post.claim, clock.now < claim.until,
      let member = streams[stream]?.member(claim.user), member.holds(claim)
    else { return nil }
    return (member, claim.until)
  }

  /// Returns `  ▸ @editor until 13:00`; empty when nobody is on the post.
  func claimMark(of post: Post, in stream: StreamID) -> Line {
    guard let (member, until) = holder(of: post, in: stream) else { return Line() }
    return Line("  ▸ \(name(of: member.id, in: stream)) until \(clock.moment(until))", .accent)
  }
}

extension JSONWriter {
  /// Writes `"claimedBy":{"id","username"},"claimedUntil":1790000000000`.
  mutating func claim(of post: Post, in stream: StreamID, _ situation: Situation) {
    guard let (member, until) = situation.holder(of: post, in: stream) else { return }
    person("claimedBy", member.id, member.username)
    self.member("claimedUntil", until.milliseconds)
  }
}
