// Lines that say why one is told of a post or of what a person does, and the events behind a folded line of news.

import Domain
import Screen
import Sync
import Wire

enum WhyLines {
  static func lines(
    _ page: HistoryPage, of id: PostID, in list: Category, _ situation: Situation
  ) throws(WireError) -> [Line] {
    guard let post = situation.streams[.category(list.id)]?.post(id) else { return [] }
    let reasons = situation.reasons(toTellOf: post, in: list).listed
    let head = Line("#\(post.number) \(post.shownTitle)", .strong, hang: 2).and(": " + reasons)
    let events = try HistoryLines.events(page, of: .list(list), about: id, situation) {
      $0.by != situation.me
    }
    return [head]
      + (events.isEmpty ? [Line("  nobody else has done anything to it", .dim)] : events)
  }

  static func lines(
    _ page: HistoryPage, of person: Member, in place: ListOrGroup, _ situation: Situation
  ) throws(WireError) -> [Line] {
    let reasons = situation.reasons(toTellOf: person, in: place).listed
    let head = Line("@\(person.username)", .strong, hang: 2).and(": " + reasons)
    let events = try HistoryLines.events(page, of: place, situation) { _ in true }
    return [head]
      + (events.isEmpty ? [Line("  nothing is known of them in \(place.label)", .dim)] : events)
  }
}

extension Situation {
  /// Returns how much one is told of what a person does in a place.
  func reasons(toTellOf person: Member, in place: ListOrGroup) -> [Phrase] {
    let ofPerson = chosenLevels.filter { $0.about == .user(person.id) }
    return [reason(toTellOfAll: place)] + ofPerson.map { words(of: .choose($0)) }
  }

  private func reason(toTellOfAll place: ListOrGroup) -> Phrase {
    let chosen = levelChoice(of: place.stream).map { words(of: .choose($0)) }
    return chosen ?? wordsOfSize(of: place.stream) ?? "you are told all of \(place.label)"
  }

  /// Returns why the person is told of a post, or why not.
  func reasons(toTellOf post: Post, in list: Category) -> [Phrase] {
    let stream = StreamID.category(list.id)
    let workers = streams[stream]?.assignees(of: post) ?? []
    var reasons: [Phrase] = []
    if workers.contains(where: { $0.id == me }) { reasons.append("it is your work") }
    reasons += contestReasons(post, in: stream)
    // Who added a post is told of it until it is somebody's work.
    if post.addedBy == me {
      reasons.append(
        workers.isEmpty ? "you added it" : "you added it: comments on it are meant for you")
    }
    reasons += ownReasons(personal(post.id, in: list.id))
    reasons.append(reason(toTellOfAll: .list(list)))
    let members = Set(streams[stream]?.members.map { StreamID.user($0.id) } ?? [])
    let ofPeople = chosenLevels.filter { members.contains($0.about) }
    return reasons + ofPeople.map { words(of: .choose($0)) }
  }

  private func ownReasons(_ own: Personal?) -> [Phrase] {
    guard let own else { return [] }
    var reasons: [Phrase] = []
    if own.watch { reasons.append("you watch it") }
    if own.plan != nil { reasons.append("you have planned it") }
    if !own.reminders.isEmpty { reasons.append("you have asked to be reminded") }
    if let until = own.snooze, clock.now < until {
      reasons.append("you are told nothing of it until \(clock.moment(until))")
    }
    return reasons
  }
}

extension JSONWriter {
  /// Writes `"reasons":[…]`, in words.
  mutating func reasons(toTellOf id: PostID, in list: Category, _ situation: Situation) {
    guard let post = situation.streams[.category(list.id)]?.post(id) else { return }
    reasons(situation.reasons(toTellOf: post, in: list))
  }

  mutating func reasons(_ all: [Phrase]) {
    key("reasons")
    beginArray()
    for reason in all { string(Line(reason).plain) }
    endArray()
  }
}
