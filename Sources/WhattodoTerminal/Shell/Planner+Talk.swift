import Domain
import Screen

// Plans for what people say to each other (protocol §5.20).

/// A line of talk that a number names.
struct LineOfPlace {
  let place: ListOrGroup
  let number: Int64
  /// The line itself. Nil for one that only the log can have.
  let held: TalkLine?
}

extension Planner {
  func request(_ action: TalkAction) throws(Problem) -> PlannedRequest {
    switch action {
    case .say(let place, let text): try say(text, in: place)
    case .sayHere(let text): try sayHere(text)
    case .comment(let list, let number, let text): try comment(text, on: number, in: list)
    case .answer(let place, let number, let text): try answer(number, text, in: place)
    case .edit(let place, let number, let text): try say(text, insteadOf: number, in: place)
    case .remove(let place, let number): try unsay(number, in: place)
    case .react(let place, let number, let sign): try react(to: number, with: sign, in: place)
    case .set(let place, let setting): try set(setting, in: place)
    }
  }

  private func say(_ text: String, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let place = try situation.placeOfTalk(reference)
    return change(.line(.say(place.stream, text: text)), "said in \(place.label): \(text)")
  }

  /// Says a line in the view of talk, and nowhere else: without the view it is not said at all.
  private func sayHere(_ text: String) throws(Problem) -> PlannedRequest {
    guard let view = situation.talking, let place = situation.placeOfView else {
      throw Problem("no view of talk is open; nothing was said")
    }
    return change(
      .line(.say(view.stream, text: text, post: view.post)), "said in \(place.label): \(text)")
  }

  private func comment(
    _ text: String, on number: Int, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    return change(
      .line(.say(.category(list.id), text: text, post: post.id)),
      "said about #\(number) \(post.shownTitle): \(text)")
  }

  /// Plans to answer a line. The answer to a comment is a comment on the same post, as long as that is there.
  private func answer(
    _ number: LineNumber, _ text: String, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let found = try line(number, in: reference)
    let post = found.held?.post.flatMap { situation.streams[found.place.stream]?.post($0) }
    let about = post?.removed == nil ? post?.id : nil
    return change(
      .line(.say(found.place.stream, text: text, post: about, answers: found.number)),
      "answered line \(found.number) in \(found.place.label): \(text)")
  }

  private func say(
    _ text: String, insteadOf number: LineNumber, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let found = try shownLine(number, in: reference)
    return change(
      .line(.edit(found.place.stream, line: found.number, text: text)),
      "line \(found.number) in \(found.place.label) is now: \(text)")
  }

  private func unsay(
    _ number: LineNumber, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let found = try shownLine(number, in: reference)
    return change(
      .line(.remove(found.place.stream, line: found.number)),
      "took line \(found.number) in \(found.place.label) back")
  }

  private func react(
    to number: LineNumber, with sign: String?, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let found = try line(number, in: reference)
    guard let said = found.held else { throw Planner.tooOld(found.number) }
    let what = situation.quote(said, in: found.place.stream)
    return change(
      .line(.react(found.place.stream, line: found.number, sign: sign)),
      sign.map { "\($0) " + what } ?? "✘ no sign of yours any more: " + what,
      same: sign == nil ? "you gave no sign to " + what : "you gave that already to " + what)
  }

  static func tooOld(_ number: Int64) -> Problem {
    Problem("line \(number) is older than the lines that get signs")
  }

  /// Finds a line by its number, or by its place among the comments on a post.
  func line(_ number: LineNumber, in reference: Reference?) throws(Problem) -> LineOfPlace {
    switch number {
    case .line(let number):
      let place = try situation.placeOfTalk(reference)
      return LineOfPlace(
        place: place, number: Int64(number), held: try line(number, in: place))
    case .comment(let place, on: let number):
      let list = try situation.list(reference)
      let post = try situation.post(number, in: list)
      let comments = situation.commentLines(on: post.id, in: .category(list.id))
      guard let comment = situation.shown.comment(place, on: post.id, among: comments) else {
        throw Problem("#\(number) has no comment c\(place); /talk \(number) shows them")
      }
      return LineOfPlace(place: .list(list), number: comment.event, held: comment)
    }
  }

  /// Finds a line whose words are to go, which nothing brings back. A comment is named by its place only where that was
  /// shown. A script keeps no places: when somebody has removed a comment since, it would hit another one.
  private func shownLine(
    _ number: LineNumber, in reference: Reference?
  ) throws(Problem) -> LineOfPlace {
    let found = try line(number, in: reference)
    guard case .comment(let place, on: let post) = number else { return found }
    guard let comment = found.held, situation.shown.shows(comment) else {
      throw Problem(
        "\(post).c\(place) was not shown here: "
          + "name the line by its own number, which /talk \(post) shows")
    }
    return found
  }

  private func set(
    _ talk: TalkSetting, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let place = try situation.talked(reference)
    let command: Command =
      switch place {
      case .list(let list): .category(.edit(list.id, CategoryEdit(talk: talk)))
      case .group(let group): .group(.edit(group.id, talk: talk))
      }
    return change(
      command, "talk is \(talk.rawValue) in \(place.label) now",
      same: "talk is \(talk.rawValue) in \(place.label) already")
  }

  /// Returns the line with this number. Nil for one that only the log can have: it is older than all that the copy
  /// holds. The number of a line that is not confirmed is not known yet.
  private func line(_ number: Int, in place: ListOrGroup) throws(Problem) -> TalkLine? {
    let held = situation.streams[place.stream]?.talk ?? []
    let known = held.filter { !situation.isPending($0, in: place.stream) }
    if let line = known.first(where: { $0.event == Int64(number) }) { return line }
    guard let oldest = known.first, Int64(number) < oldest.event else {
      throw Problem("there is no line \(number) in \(place.label); /talk shows the numbers")
    }
    return nil
  }
}

extension Situation {
  /// Returns the place in which one talks. A group is named whole, so that a text that begins with "in" is said nowhere
  /// by mistake.
  func placeOfTalk(_ reference: Reference?) throws(Problem) -> ListOrGroup {
    if let reference, !reference.isList,
      !catalog.groups.contains(where: { $0.isCalled(reference.text) })
    {
      throw Problem(
        "no group is called \(reference.text); in the open list 'TEXT says any text")
    }
    return try talked(reference)
  }

  /// Returns the place whose talk is meant: without a name that of the view of talk, else the open list.
  func talked(_ reference: Reference?) throws(Problem) -> ListOrGroup {
    if reference == nil, let placeOfView { return placeOfView }
    return try place(reference)
  }

  /// Whether the line is not confirmed yet. Another one may get its number.
  func isPending(_ line: TalkLine, in stream: StreamID) -> Bool {
    pending[stream]?.contains(line.key) == true
  }
}
