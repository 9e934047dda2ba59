// Lines about reactions: the signs that people gave to what somebody completed (protocol §5.19).

import Client
import Domain
import Screen
import Wire

extension StreamState {
  /// The reactions to the completion of a post. For an open post they are those to its newest part that has any, or to
  /// what was completed last of a post that comes again.
  func reactions(to post: Post) -> Reactions? {
    if let completed = post.completed { return reactions(to: completed.seq, about: post) }
    guard post.parts.isEmpty else {
      let events = post.parts.map(\.seq).sorted(by: >)
      return events.lazy.compactMap { reactions(to: $0, about: post) }.first
    }
    return post.occurrence?.last == nil ? nil : allReactions(to: post).first
  }

  private func reactions(to event: Int64, about post: Post) -> Reactions? {
    guard case .reactions(let it)? = objects[Reactions.key(of: event)] else { return nil }
    return it.about(post)
  }

  /// Those of all reactions that are about a post, the newest event first.
  func allReactions(to post: Post) -> [Reactions] {
    objects.values.compactMap { object in
      if case .reactions(let it) = object { it.about(post) } else { nil }
    }
    .sorted { $0.event > $1.event }
  }
}

extension Reactions {
  /// Returns those of the reactions that are about the post. Nil when there are none.
  fileprivate func about(_ post: Post) -> Reactions? {
    let those = given.filter { $0.post == post.id }
    return those.isEmpty ? nil : Reactions(to: event, those)
  }
}

extension ListLines {
  /// Returns `  👏3 🎉` for a completed post, each sign with the number of people when there are several.
  static func reactionChips(_ post: Post, in state: StreamState) -> Line {
    guard post.completed != nil, let given = state.reactions(to: post) else { return Line() }
    return Line("  \(SignWords.chips(given.bySign))", .accent)
  }

  /// Returns `👏 @editor, @owner` for each sign, for `/show #12`.
  static func reactions(
    to post: Post, in state: StreamState, _ situation: Situation
  ) -> [Line] {
    guard let given = state.reactions(to: post) else { return [] }
    return SignWords.rows(given.bySign, in: state.stream, situation)
  }
}

extension EventLines {
  /// Returns `@editor 👏 milk (in #groceries)`. When the event happens, the line is only for those whom it concerns.
  func reactionLine(
    _ op: ReactionOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    guard case .reacted(_, let work, let sign) = op else { return nil }
    guard isHistory || who.isMe || work.by == situation.me else { return nil }
    // The event changes the reactions and not the post, so its title is that of the copy.
    let post = situation.streams[stream]?.post(work.post)
    let title = post?.shownTitle ?? title(of: work.post, applied)
    let about: Phrase = "\(title) (in \(situation.label(stream)))"
    if let sign { return who.line("\(sign)", .accent, about) }
    guard isHistory || who.isMe else { return nil }
    return who.line("✘", .bad, "no sign any more for " + about)
  }

  /// Returns `@editor and @owner 👏 🎉 milk`.
  func reactionsLine(_ fold: NotificationFold, _ what: Phrase) -> Line {
    var (names, signs): ([String], [String]) = ([], [])
    for it in fold.notifications {
      let name = situation.name(of: it.by, in: it.stream)
      if !names.contains(name) { names.append(name) }
      if let sign = it.sign, !signs.contains(sign) { signs.append(sign) }
    }
    let who = Who(names.listed(max: 2), isMe: false)
    return who.line("\(signs.joined(separator: " "))", .accent, what)
  }
}

extension JSONWriter {
  /// Writes `"reactions":[{"sign","people":[{"id","username"}]}]`; nothing when there are none.
  mutating func reactions(to post: Post, in stream: StreamID, _ situation: Situation) {
    guard let state = situation.streams[stream], let given = state.reactions(to: post) else {
      return
    }
    array("reactions", given.bySign) { row, writer in
      writer.member("sign", row.sign)
      writer.people("people", row.users.compactMap { state.member($0) })
    }
  }
}
