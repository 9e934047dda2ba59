// Plans for reactions. A reaction is about the event that completed a post. The copy knows that event for a completed
// post and for a part. The log is asked for the completion of a post that comes again (protocol §5.19).

import Domain
import Screen
import Wire

extension Planner {
  /// Plans to give a sign to what was completed last of a post. Nil: to take one's own back.
  func react(
    _ number: Int, with sign: String?, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    guard !situation.isPending(post, in: .category(list.id)) else {
      throw Problem(
        "#\(number) has a change that the server has not confirmed yet; try again later")
    }
    if sign == nil, let own = ownReaction(to: post, in: list) {
      return reaction(nil, to: own, of: post, in: list)
    }
    if let event = completion(of: post) {
      try refuseUnread(event, of: post, in: list)
      return reaction(sign, to: event, of: post, in: list)
    }
    guard post.completed == nil, post.occurrence?.last != nil else {
      throw Problem("#\(number) \(post.title) is not done yet; a sign is for what somebody did")
    }
    let query = HistoryEventsQuery(
      stream: .category(list.id), post: post.id, kinds: [.post(.occurred)], before: nil, limit: 20)
    return PlannedRequest(
      request: .query(.history(.events(query))), report: .react(list, post, sign))
  }

  /// Returns the newest event of the post to which one has given a sign.
  private func ownReaction(to post: Post, in list: Category) -> Int64? {
    guard let me = situation.me, let state = situation.streams[.category(list.id)] else {
      return nil
    }
    return state.allReactions(to: post).first { $0.sign(of: me) != nil }?.event
  }

  /// Returns the event that completed the post, or the newest part of somebody else; one's own when nobody else has
  /// completed one. Nil when there is none.
  private func completion(of post: Post) -> Int64? {
    if let completed = post.completed { return completed.seq }
    let others = post.parts.filter { $0.user != situation.me }
    return (others.isEmpty ? post.parts : others).map(\.seq).max()
  }

  /// Refuses a completion that is not in the part of the log that one may read: it was made in another list, or before
  /// one came.
  private func refuseUnread(_ event: Int64, of post: Post, in list: Category) throws(Problem) {
    guard event != post.came else {
      throw Problem("#\(post.number) \(post.title) was done in the list from which it came")
    }
    let me = situation.me.flatMap { situation.streams[.category(list.id)]?.member($0) }
    guard event >= list.history.begins(joinedSeq: me?.joinedSeq ?? 0) else {
      throw Problem("#\(post.number) \(post.title) was done before you came to \(list.tag)")
    }
  }

  /// Gives the sign once the event is found.
  func react(
    with sign: String?, to post: Post, in list: Category, _ page: HistoryPage
  ) throws(Problem) -> PlannedRequest {
    let found = try events(page).first { event in
      event.completions.contains { $0.post == post.id }
    }
    guard let found else {
      throw Problem("the log does not say any more what completed #\(post.number) last")
    }
    return reaction(sign, to: found.seq, of: post, in: list)
  }

  private func reaction(
    _ sign: String?, to event: Int64, of post: Post, in list: Category
  ) -> PlannedRequest {
    let what: Phrase = "#\(post.number) \(post.title)"
    return change(
      .react(list.id, event: event, post: post.id, sign: sign),
      sign.map { "\($0) " + what } ?? "✘ no sign of yours any more: " + what,
      same: sign == nil ? "you gave no sign to " + what : "you gave that already to " + what)
  }
}

extension Words {
  /// Reads `[#LIST] NUMBER [SIGN|off]`, also with a line of talk in place of the number.
  mutating func reaction() -> Action? {
    if let (place, line) = lineToSign() {
      guard !isAtEnd else { return .show(.line(place, line)) }
      return sign().map { .talk(.react(place, line, $0)) }
    }
    guard let post = aboutPost() else { return nil }
    guard !isAtEnd else { return .show(.post(post.list, post.number)) }
    return sign().map { .post(.react(post.list, post.number, $0)) }
  }

  /// Reads one sign at the end; the inner nil stands for `off`. Returns the outer nil for anything else.
  private mutating func sign() -> String?? {
    guard let sign = next(), isAtEnd, SaidValue.isOff(sign) || sign.count == 1 else { return nil }
    if SaidValue.isOff(sign) { return .some(nil) }
    return sign
  }
}
