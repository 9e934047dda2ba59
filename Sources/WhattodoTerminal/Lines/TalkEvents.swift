import Client
import Domain
import Screen

// Lines for what happens to talk: a line is said, changed, signed or removed.

extension EventLines {
  /// Returns `@editor on #12 milk: text`. The open list is on the screen, so only other places are named. A sign has a
  /// line for those whom it concerns.
  func talkLine(
    _ op: LineOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    let isOpen = !isHistory && stream == situation.open.map { .category($0) }
    let place: Phrase = isOpen ? "" : " (in \(situation.label(stream)))"
    switch op {
    case .said(let it):
      let meant = isOpen || isHistory ? nil : forMe(it, applied)
      let head = TalkLines.head(
        who.name, isMe: who.isMe, post: it.post.map { subject($0, applied, in: stream) },
        answers: it.answers, forMe: meant)
      return head.and(spoken(it.text, it.mentions, in: stream)).and(place, .dim)
    case .edited(_, let text, _, let mentions):
      return named(who).and(" changed a line: ").and(spoken(text, mentions, in: stream))
        .and(place, .dim)
    case .reacted(let line, let to, let sign, _):
      return signLine(sign, to: line, of: to, who, in: stream)
    case .removed(let line, _, _):
      return named(who).and(" removed a line" + owner(of: line, applied, in: stream), .dim)
        .and(place, .dim)
    }
  }

  private func forMe(_ it: SaidLine, _ applied: AppliedEvent) -> TalkForMe? {
    guard let me = situation.me, applied.event.by != me else { return nil }
    if it.to == me, it.answers != nil { return .answer }
    return it.mentions.contains { $0.user == me } ? .mention : nil
  }

  private func named(_ who: Who) -> Line { Line("\(who.name)", who.isMe ? .plain : .strong) }

  /// Returns a text in one row. A line that was removed has none in the log any more.
  private func spoken(_ text: String, _ mentions: [Mention], in stream: StreamID) -> Line {
    guard !text.isEmpty else { return Line("(removed)", .dim) }
    return TalkWords(text, in: stream, situation).oneRow(text, mentions)
  }

  private func subject(_ post: PostID, _ applied: AppliedEvent, in stream: StreamID) -> Phrase {
    guard situation.streams[stream]?.post(post) == nil else {
      return TalkLines.words(of: post, in: stream, situation)
    }
    return "\(title(of: post, applied))"
  }

  /// Returns ` of yours` or ` of @editor`; nothing for a line of one's own, or when it is not known whose it was.
  private func owner(of line: Int64, _ applied: AppliedEvent, in stream: StreamID) -> Phrase {
    var speaker = past?.first { $0.seq == line }?.by
    for change in applied.changes where change.key == TalkLine.key(of: line) {
      if case .line(let it)? = change.before { speaker = it.said.by }
    }
    guard let speaker, speaker != applied.event.by else { return "" }
    return speaker == situation.me ? " of yours" : " of \(situation.name(of: speaker, in: stream))"
  }

  /// Returns `@editor 👍 "which milk?" (in #groceries)`.
  private func signLine(
    _ sign: String?, to line: Int64, of speaker: UserID, _ who: Who, in stream: StreamID
  ) -> Line? {
    guard isHistory || who.isMe || speaker == situation.me else { return nil }
    let place: Phrase = " (in \(situation.label(stream)))"
    let about = (situation.quote(line, in: stream) ?? "line \(line)") + place
    if let sign { return who.line("\(sign)", .accent, about) }
    guard isHistory || who.isMe else { return nil }
    return who.line("✘", .bad, "no sign any more for " + about)
  }
}

// MARK: News

extension EventLines {
  /// Returns `@editor mentioned you: text (in #home)`. For several lines the text is that of the last one.
  func directedTalk(_ fold: NotificationFold, _ verb: Phrase, verbose: Bool) -> Line {
    let last = fold.notifications[fold.notifications.count - 1]
    let times: Phrase =
      fold.notifications.count > 1 ? " \(fold.notifications.count) times" : ""
    return speaker(of: last).and(" " + verb + times, .accent).and(text(of: last))
      .and(place(of: last, verbose), .dim)
  }

  /// Returns `@editor on milk: text (in #home)`, or `2 comments on milk (@editor, @owner) in #home`.
  func commentsLine(_ fold: NotificationFold, on title: Phrase, verbose: Bool) -> Line {
    let all = fold.notifications
    let last = all[all.count - 1]
    guard all.count > 1 else {
      return speaker(of: last).and(" on " + title).and(text(of: last))
        .and(place(of: last, verbose), .dim)
    }
    var names: [String] = []
    for it in all {
      let name = situation.name(of: it.by, in: it.stream)
      if !names.contains(name) { names.append(name) }
    }
    let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " …" : "")
    let place: Phrase = verbose ? " in \(situation.label(last.stream))" : ""
    let what: Phrase = " on " + title + " (\(shown))" + place
    return Line("\(all.count) comments", .strong, hang: 2).and(what)
  }

  /// Returns `@editor: text (in #home)`, or `3 lines of @editor in #home`.
  func linesLine(_ fold: NotificationFold, verbose: Bool) -> Line {
    let all = fold.notifications
    let last = all[all.count - 1]
    guard all.count > 1 else {
      return speaker(of: last).and(text(of: last)).and(place(of: last, verbose), .dim)
    }
    let place: Phrase = verbose ? " in \(situation.label(last.stream))" : ""
    return Line("\(all.count) lines of ", hang: 2)
      .and("\(situation.name(of: last.by, in: last.stream))", .strong).and(place)
  }

  /// Returns what a sign was given to, in words.
  func signed(_ fold: NotificationFold, _ title: Phrase, _ place: Phrase) -> Phrase {
    let one = fold.notifications[0]
    guard let line = one.line else { return title + place }
    return (situation.quote(line, in: one.stream) ?? "what you said") + place
  }

  private func speaker(of it: Notification) -> Line {
    Line("\(situation.name(of: it.by, in: it.stream))", .strong, hang: 2)
  }

  /// Returns `: text`; nothing when the copy does not hold the line, because it is older or was removed.
  private func text(of it: Notification) -> Line {
    guard let line = it.line.flatMap({ situation.streams[it.stream]?.line($0) }) else {
      return Line()
    }
    return Line(": ").and(
      TalkWords(line.text, in: it.stream, situation).oneRow(line.text, line.mentions))
  }

  private func place(of it: Notification, _ verbose: Bool) -> Phrase {
    verbose ? " (in \(situation.label(it.stream)))" : ""
  }
}
