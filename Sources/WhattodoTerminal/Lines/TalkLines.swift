// Lines about talk: what the members of a list or group say to each other (protocol §5.20).

import Calendar
import Domain
import Screen

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

  /// Returns how many comments a post has; nil when it has none, or when the last one was said long ago.
  func comments(on post: PostID) -> Comments? {
    if case .comments(let it)? = objects[Comments.key(of: post)] { it } else { nil }
  }
}

extension Situation {
  /// The confirmed comments on a post that the copy holds, the oldest first.
  func commentLines(on post: PostID, in stream: StreamID) -> [TalkLine] {
    (streams[stream]?.talk ?? []).filter { $0.post == post && !isPending($0, in: stream) }
  }

  /// Returns `c3` for each of these comments, by line.
  func numbersOfComments(on post: PostID, in stream: StreamID) -> [Int64: String] {
    let lines = commentLines(on: post, in: stream)
    return Dictionary(
      lines.map { ($0.event, "c\(shown.number(of: $0, on: post, among: lines))") }
    ) { first, _ in first }
  }
}

/// The lines of `/talk`, and the forms that they share with the lines of events.
enum TalkLines {
  /// Returns all that the copy holds, or what is about one post, the newest at the bottom.
  static func lines(
    of place: ListOrGroup, about post: Post?, _ situation: Situation
  ) -> [Line] {
    let talk = held(in: place.stream, about: post, situation)
    let hint = older(than: talk, of: place, about: post, situation)
    guard !talk.isEmpty || !hint.isEmpty else {
      return [Line("nobody has said anything " + about(post, in: place), .dim)]
    }
    return hint + TalkTable(talk, in: place.stream, about: post, situation).lines
  }

  /// Returns `about #12 milk` or `in #groceries`.
  static func about(_ post: Post?, in place: ListOrGroup) -> Phrase {
    post.map { "about #\($0.number) \($0.shownTitle)" } ?? "in \(place.label)"
  }

  /// Returns a line, and below it who gave which sign to it.
  static func line(_ line: TalkLine, in stream: StreamID, _ situation: Situation) -> [Line] {
    TalkTable([line], in: stream, about: nil, situation).lines
      + line.signRows(in: stream, situation)
  }

  static func held(
    in stream: StreamID, about post: Post?, _ situation: Situation
  ) -> [TalkLine] {
    let all = situation.streams[stream]?.talk ?? []
    return post.map { post in all.filter { $0.post == post.id } } ?? all
  }

  /// Returns a line that says how what is older is read, where the copy knows that there is something.
  private static func older(
    than held: [TalkLine], of place: ListOrGroup, about post: Post?, _ situation: Situation
  ) -> [Line] {
    guard let post else {
      guard held.count >= Limits.linesInStateMax else { return [] }
      return [Line("… what is older: /talk \(place.label) older", .dim)]
    }
    let confirmed = held.count { !situation.isPending($0, in: place.stream) }
    let count = situation.streams[place.stream]?.comments(on: post.id)?.count ?? 0
    guard count > confirmed else { return [] }
    return [Line("… \(count - confirmed) older: /talk \(place.label) \(post.number) older", .dim)]
  }

  /// Returns `@editor answers 57 on #12 milk: `, without what is not so. `forMe` says that the line is an answer to
  /// oneself, or that it names one.
  static func head(
    _ name: String, isMe: Bool, post: Phrase?, answers: Int64?, forMe: TalkForMe? = nil
  ) -> Line {
    var line = Line("\(name)", isMe ? .plain : .strong)
    switch (answers, forMe) {
    case (let answers?, .answer?): line.add(" answers you (\(answers))", .accent)
    case (let answers?, .mention?), (let answers?, nil):
      let verb: Phrase = isMe ? " answer" : " answers"
      line.add(verb + " \(answers)", .dim)
    case (nil, .mention?): line.add(" mentions you", .accent)
    case (nil, .answer?), (nil, nil): break
    }
    if let post { line.add(" on " + post, .dim) }
    return line.and(": ")
  }

  /// Returns `#12 milk` for a post that the copy holds.
  static func words(of post: PostID, in stream: StreamID, _ situation: Situation) -> Phrase {
    let post = situation.streams[stream]?.post(post)
    return post.map { "#\($0.number) \($0.shownTitle)" } ?? "a post that is gone"
  }

  /// Returns the text in one row, with a mark where a row ended.
  static func oneRow(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " / ")
  }
}

/// The way in which a line is meant for oneself.
enum TalkForMe {
  case answer
  case mention
}

/// Lines of talk as rows of the screen, the oldest first. A day has a row of its own where it begins; today has none as
/// long as all is of today.
struct TalkTable {
  private let talk: [TalkLine]
  private let stream: StreamID
  /// The post that all lines are about; nil when they are about several.
  private let post: Post?
  private let situation: Situation
  /// The posts that the copy does not hold.
  private let titles: [PostID: Phrase]
  private let words: TalkWords
  /// The numbers of the comments, by line: `c3`.
  private let comments: [Int64: String]
  private let width: Int

  init(
    _ talk: [TalkLine], in stream: StreamID, about post: Post?, titles: [PostID: Phrase] = [:],
    _ situation: Situation
  ) {
    self.talk = talk
    self.stream = stream
    self.post = post
    self.titles = titles
    self.situation = situation
    words = TalkWords(talk.map(\.text), in: stream, situation)
    comments = post.map { situation.numbersOfComments(on: $0.id, in: stream) } ?? [:]
    width = talk.last.map { "\($0.event)".count } ?? 0
  }

  var lines: [Line] {
    let clock = situation.clock
    var lines: [Line] = []
    var day = clock.day(clock.now)
    for line in talk {
      let its = clock.day(line.said.at)
      if its != day { lines.append(Line("── \(words(ofDay: line.said.at)) ──", .dim)) }
      day = its
      lines += rows(line)
    }
    return lines
  }

  /// Returns `  57  14:02 @editor on #12 milk: text`, and below it the further rows of the text. The comments on one
  /// post have their own numbers behind: `  57  c3  14:02 …`. A line that is not confirmed has no number yet.
  private func rows(_ line: TalkLine) -> [Line] {
    let isPending = situation.isPending(line, in: stream)
    let number = ListLines.pad(isPending ? "…" : "\(line.event)", width + 2, right: true)
    let comment = column(of: line)
    let hang = width + 10 + comment.count
    var first = Line("\(number)  \(comment)", .dim, hang: hang)
    first.add("\(timeOfDay(line.said.at)) ", .dim)
    first = first.and(
      TalkLines.head(
        situation.name(of: line.said.by, in: stream), isMe: line.said.by == situation.me,
        post: subject(of: line), answers: line.answers))
    let texts = words.rows(of: line.text, line.mentions)
    var lines = [first.and(texts[0])]
    let indent = String(repeating: " ", count: hang)
    lines += texts.dropFirst().map { Line("\(indent)", hang: hang).and($0) }
    let last = lines.count - 1
    if line.edited != nil { lines[last].add(" (edited)", .dim) }
    lines[last] = lines[last].and(line.signChips)
    if isPending { lines[last].add("  … not sent yet", .dim) }
    return lines
  }

  /// Returns the number of a comment, in a column as wide as the widest one; empty in a table without such numbers.
  private func column(of line: TalkLine) -> String {
    guard talk.contains(where: { comments[$0.event] != nil }) else { return "" }
    let columns = comments.values.map(\.count).max() ?? 0
    return ListLines.pad(comments[line.event] ?? "", columns) + "  "
  }

  private func subject(of line: TalkLine) -> Phrase? {
    guard post == nil, let id = line.post else { return nil }
    guard situation.streams[stream]?.post(id) == nil, let title = titles[id] else {
      return TalkLines.words(of: id, in: stream, situation)
    }
    return title
  }

  private func timeOfDay(_ time: Timestamp) -> String {
    situation.clock.local(time).map { Due.clock($0.hour * 60 + $0.minute) } ?? "??:??"
  }

  private func words(ofDay time: Timestamp) -> String {
    let clock = situation.clock
    guard let local = clock.local(time),
      let day = Day(year: local.year, month: local.month, day: local.day)
    else { return clock.day(time) }
    return clock.words(day)
  }
}
