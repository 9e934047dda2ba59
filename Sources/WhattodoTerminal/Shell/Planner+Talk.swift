import Domain
import Screen

// Plans for what people say to each other (protocol §5.20).

extension Planner {
  func request(_ action: TalkAction) throws(Problem) -> PlannedRequest {
    switch action {
    case .say(let place, let text): try say(text, in: place)
    case .comment(let list, let number, let text): try comment(text, on: number, in: list)
    case .answer(let place, let number, let text): try answer(number, text, in: place)
    case .edit(let place, let number, let text): try say(text, insteadOf: number, in: place)
    case .remove(let place, let number): try unsay(number, in: place)
    case .set(let place, let setting): try set(setting, in: place)
    }
  }

  private func say(_ text: String, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let place = try situation.placeOfTalk(reference)
    return change(.line(.say(place.stream, text: text)), "said in \(place.label): \(text)")
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
    _ number: Int, _ text: String, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let place = try situation.placeOfTalk(reference)
    let post = try line(number, in: place)?.post.flatMap { id in
      situation.streams[place.stream]?.post(id)
    }
    let about = post?.removed == nil ? post?.id : nil
    return change(
      .line(.say(place.stream, text: text, post: about, answers: Int64(number))),
      "answered line \(number) in \(place.label): \(text)")
  }

  private func say(
    _ text: String, insteadOf number: Int, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let place = try situation.placeOfTalk(reference)
    _ = try line(number, in: place)
    return change(
      .line(.edit(place.stream, line: Int64(number), text: text)),
      "line \(number) in \(place.label) is now: \(text)")
  }

  private func unsay(_ number: Int, in reference: Reference?) throws(Problem) -> PlannedRequest {
    let place = try situation.placeOfTalk(reference)
    _ = try line(number, in: place)
    return change(
      .line(.remove(place.stream, line: Int64(number))),
      "took line \(number) in \(place.label) back")
  }

  private func set(
    _ talk: TalkSetting, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let place = try situation.place(reference)
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
    return try place(reference)
  }

  /// Whether the line is not confirmed yet. Another one may get its number.
  func isPending(_ line: TalkLine, in stream: StreamID) -> Bool {
    pending[stream]?.contains(line.key) == true
  }
}
