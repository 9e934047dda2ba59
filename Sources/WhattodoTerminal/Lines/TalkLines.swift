// Lines about talk: what the members of a list or group say to each other (protocol §5.20).

import Calendar
import Client
import Domain
import Screen
import Wire

extension StreamState {
  /// The lines of talk that the state holds, the oldest first.
  var talk: [TalkLine] {
    let all: [TalkLine] = objects.values.compactMap {
      if case .line(let it) = $0 { it } else { nil }
    }
    return all.sorted { $0.event < $1.event }
  }

  /// Returns the line with this number; nil when the state does not hold it.
  func line(_ number: Int64) -> TalkLine? {
    if case .line(let it)? = objects[TalkLine.key(of: number)] { it } else { nil }
  }
}

/// The lines of `/talk`, and the forms that they share with the lines of events.
enum TalkLines {
  /// Returns all that the copy holds, or what is about one post, the newest at the bottom. A day has a line of its own
  /// where it begins; today has none as long as all is of today.
  static func lines(
    of place: ListOrGroup, about post: Post?, _ situation: Situation
  ) -> [Line] {
    let talk = held(in: place.stream, about: post, situation)
    guard let last = talk.last else {
      let what: Phrase = post.map { "about #\($0.number) \($0.shownTitle)" } ?? "in \(place.label)"
      return [Line("nobody has said anything " + what, .dim)]
    }
    let clock = situation.clock
    let width = "\(last.event)".count
    var lines: [Line] = []
    var day = clock.day(clock.now)
    for line in talk {
      let its = clock.day(line.said.at)
      if its != day { lines.append(Line("── \(words(ofDay: line.said.at, clock)) ──", .dim)) }
      day = its
      lines += rows(line, in: place.stream, isOfPost: post != nil, width: width, situation)
    }
    return lines
  }

  static func held(
    in stream: StreamID, about post: Post?, _ situation: Situation
  ) -> [TalkLine] {
    let all = situation.streams[stream]?.talk ?? []
    return post.map { post in all.filter { $0.post == post.id } } ?? all
  }

  /// Returns `  57  14:02 @editor on #12 milk: text`, and below it the further rows of the text. A line that is not
  /// confirmed has no number yet.
  private static func rows(
    _ line: TalkLine, in stream: StreamID, isOfPost: Bool, width: Int, _ situation: Situation
  ) -> [Line] {
    let isPending = situation.isPending(line, in: stream)
    let number = ListLines.pad(isPending ? "…" : "\(line.event)", width + 2, right: true)
    let hang = width + 10
    var first = Line("\(number)  ", .dim, hang: hang)
    first.add("\(timeOfDay(line.said.at, situation.clock)) ", .dim)
    let post = isOfPost ? nil : line.post.map { words(of: $0, in: stream, situation) }
    first = first.and(
      head(
        situation.name(of: line.said.by, in: stream), isMe: line.said.by == situation.me,
        post: post, answers: line.answers))
    let texts = rows(of: line.text)
    var lines = [first.and("\(texts.first ?? "")")]
    let indent = String(repeating: " ", count: hang)
    lines += texts.dropFirst().map { Line("\(indent)", hang: hang).and("\($0)") }
    let last = lines.count - 1
    if line.edited != nil { lines[last].add(" (edited)", .dim) }
    if isPending { lines[last].add("  … not sent yet", .dim) }
    return lines
  }

  /// Returns `@editor answers 57 on #12 milk: `, without what is not so.
  static func head(_ name: String, isMe: Bool, post: Phrase?, answers: Int64?) -> Line {
    var line = Line("\(name)", isMe ? .plain : .strong)
    if let answers {
      let verb: Phrase = isMe ? " answer" : " answers"
      line.add(verb + " \(answers)", .dim)
    }
    if let post { line.add(" on " + post, .dim) }
    return line.and(": ")
  }

  /// Returns `#12 milk` for a post that the copy holds.
  static func words(of post: PostID, in stream: StreamID, _ situation: Situation) -> Phrase {
    let post = situation.streams[stream]?.post(post)
    return post.map { "#\($0.number) \($0.shownTitle)" } ?? "a post that is gone"
  }

  /// Returns the rows of a text, of which there is at least one.
  static func rows(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
  }

  /// Returns the text in one row, with a mark where a row ended.
  static func oneRow(_ text: String) -> String {
    rows(of: text).filter { !$0.isEmpty }.joined(separator: " / ")
  }

  private static func timeOfDay(_ time: Timestamp, _ clock: Clock) -> String {
    clock.local(time).map { Due.clock($0.hour * 60 + $0.minute) } ?? "??:??"
  }

  private static func words(ofDay time: Timestamp, _ clock: Clock) -> String {
    guard let local = clock.local(time),
      let day = Day(year: local.year, month: local.month, day: local.day)
    else { return clock.day(time) }
    return clock.words(day)
  }
}

// MARK: Events

extension EventLines {
  /// Returns `@editor on #12 milk: text`. The open list is on the screen, so only other places are named.
  func talkLine(
    _ op: LineOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line {
    let isOpen = !isHistory && stream == situation.open.map { .category($0) }
    let place: Phrase = isOpen ? "" : " (in \(situation.label(stream)))"
    let told: Line =
      switch op {
      case .said(_, let text, let post, let answers):
        TalkLines.head(
          who.name, isMe: who.isMe, post: post.map { subject($0, applied, in: stream) },
          answers: answers
        ).and(spoken(text))
      case .edited(_, let text, _): named(who).and(" changed a line: ").and(spoken(text))
      case .removed(let line, _):
        named(who).and(" removed a line" + owner(of: line, applied, in: stream), .dim)
      }
    return told.and(place, .dim)
  }

  /// Returns `3 lines were said: /talk #groceries` for what others said meanwhile; nothing when they said nothing.
  func talkSummary(_ appliedEvents: [AppliedEvent], in stream: StreamID) -> [Line] {
    let said = appliedEvents.count { applied in
      applied.event.by != situation.me
        && applied.event.ops.contains { if case .line(.said) = $0 { true } else { false } }
    }
    guard said > 0 else { return [] }
    let lines: Phrase = said == 1 ? "1 line was" : "\(said) lines were"
    return [Line(lines + " said: /talk \(situation.label(stream))")]
  }

  private func named(_ who: Who) -> Line { Line("\(who.name)", who.isMe ? .plain : .strong) }

  /// Returns a text in one row. A line that was removed has none in the log any more.
  private func spoken(_ text: String) -> Line {
    guard !text.isEmpty else { return Line("(removed)", .dim) }
    return Line("\(TalkLines.oneRow(text))")
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
}

// MARK: Scripts

extension JSONWriter {
  /// Writes `"place":{"kind","id","name"}`, the post if it is about one, and
  /// `"lines":[{"number"?,"at","by","text","post"?,"answers"?,"edited"?}]`, the oldest first. A line that is not
  /// confirmed has no number. Times are in milliseconds since 1970.
  mutating func talk(of place: ListOrGroup, about post: Post?, _ situation: Situation) {
    let stream = place.stream
    object("place") { $0.place(stream, situation) }
    if let post { object("post") { $0.subject(post) } }
    let state = situation.streams[stream]
    array("lines", TalkLines.held(in: stream, about: post, situation)) { line, writer in
      if !situation.isPending(line, in: stream) { writer.member("number", Int(line.event)) }
      writer.member("at", Int(line.said.at.milliseconds))
      writer.person("by", line.said.by, state?.member(line.said.by)?.username ?? "")
      writer.member("text", line.text)
      if let post = line.post.flatMap({ state?.post($0) }) {
        writer.object("post") { $0.subject(post) }
      }
      if let answers = line.answers { writer.member("answers", Int(answers)) }
      if let edited = line.edited { writer.member("edited", Int(edited.milliseconds)) }
    }
  }

  private mutating func subject(_ post: Post) {
    member("number", post.number)
    member("id", "\(post.id)")
    member("title", post.title)
  }
}
