// A plain line of the chat: a post with what protocol/quick-add.md reads out of it. A word that cannot be used here
// (the name of a list that does not exist, or of a person who is not in the list) stays in the title.

import Calendar
import Client
import Domain
import QuickAdd
import Screen
import Sync
import Wire

extension Planner {
  /// Plans one change, however much is in the line. The planned duration is a request of its own.
  func quickAdd(_ line: String) throws(Problem) -> [PlannedRequest] {
    let understood = try understand(line, as: PostID(Identifiers.make()), refusing: [])
    return [request(adding(understood), understood)] + planning(understood)
  }

  /// Plans the post of the last plain line again, without the guesses about these words (about all words when there are
  /// none).
  func plain(_ words: [String]) throws(Problem) -> [PlannedRequest] {
    guard let last = situation.understood else {
      throw Problem("/plain is for the post that came last from a line without /")
    }
    if situation.streams[.category(last.list.id)]?.post(last.post)?.erased != nil {
      throw Problem("the text of that post was erased")
    }
    let refused = last.guesses(about: words)
    guard !refused.isEmpty else { throw Problem("nothing was made of these words") }
    // Guesses that were taken back before are not among those of the line any more, so everything outside of the kept
    // guesses is refused.
    let kept = last.reading.guesses.filter { !refused.contains($0) }
    let next = try understand(last.line, as: last.post, keeping: kept.map(\.range))
    guard next.list.id != last.list.id else {
      let isPlanned = next.reading.minutes != last.reading.minutes
      return [request(changing(last, to: next), next)] + (isPlanned ? planning(next) : [])
    }
    let moved = try understand(
      last.line, as: PostID(Identifiers.make()), keeping: kept.map(\.range))
    let removed = PlannedChange(
      .removePost(last.list.id, last.post, ifVersion: nil), "✘ \(last.reading.title)")
    return [request([removed] + adding(moved), moved)] + planning(moved)
  }

  private func request(_ changes: [PlannedChange], _ understood: UnderstoodLine) -> PlannedRequest {
    let command = changes.count == 1 ? changes[0].command : .batch(changes.map(\.command))
    return PlannedRequest(
      request: .command(command, key: Identifiers.key()), report: .addedQuickly(understood))
  }
}

// MARK: Understanding

extension Planner {
  /// Reads the line with guesses at these places only.
  private func understand(
    _ line: String, as post: PostID, keeping: [Range<Int>]
  ) throws(Problem) -> UnderstoodLine {
    var refused: [Range<Int>] = []
    var end = 0
    for range in keeping {
      if end < range.lowerBound { refused.append(end..<range.lowerBound) }
      end = range.upperBound
    }
    return try understand(line, as: post, refusing: refused + [end..<Int.max])
  }

  func understand(
    _ line: String, as post: PostID, refusing: [Range<Int>]
  ) throws(Problem) -> UnderstoodLine {
    // Without a clock nothing is read out of the words.
    let today = situation.clock.today
    var refused = today == nil ? [0..<Int.max] : refusing
    var unknown: [String] = []
    while true {
      let (reading, list) = try read(line, on: today, refusing: refused)
      let useless = reading.guesses.filter { !canUse($0, of: reading, in: list) }
      // A title is needed: "today" alone is one.
      let wrong = useless.isEmpty && reading.title.isEmpty ? reading.guesses : useless
      guard !wrong.isEmpty else {
        return UnderstoodLine(
          line: line, list: list, post: post, reading: reading,
          due: due(of: reading, in: list) ?? situation.dueOfNew(in: list),
          repeats: reading.repetition,
          assignees: reading.assignees.compactMap { member($0, of: list) }, unknown: unknown)
      }
      unknown += useless.compactMap(\.marked).filter { !unknown.contains($0) }
      refused += wrong.map(\.range)
    }
  }

  /// Reads the line. When it names a day and no time, it is read on the list's own day.
  private func read(
    _ line: String, on today: (day: Day, minute: Int)?, refusing: [Range<Int>]
  ) throws(Problem) -> (QuickAdd, Category) {
    func reading(_ today: (day: Day, minute: Int)?) -> QuickAdd {
      QuickAdd(
        line, today: today?.day ?? Day(number: 0), minuteOfDay: today?.minute ?? 0,
        languages: situation.languages, refusing: refusing)
    }
    let own = reading(today)
    let list = try place(of: own)
    guard own.minuteOfDay == nil, today != nil, let there = situation.today(in: list.zone),
      there.day != today?.day
    else { return (own, list) }
    let its = reading(there)
    return its.minuteOfDay == nil && its.category == own.category ? (its, list) : (own, list)
  }

  private func place(of reading: QuickAdd) throws(Problem) -> Category {
    if let name = reading.category, let list = list(called: name) { return list }
    return try situation.list(nil)
  }

  private func canUse(
    _ guess: QuickAdd.Guess, of reading: QuickAdd, in list: Category
  ) -> Bool {
    switch guess.kind {
    case .due, .time, .recurrence: due(of: reading, in: list) != nil
    case .priority, .tag, .minutes: true
    case .category: self.list(called: guess.name ?? "") != nil
    case .assignee: member((guess.name ?? "").lowercased(), of: list) != nil
    }
  }

  /// Returns the due of the post. When a rule comes without a day, it is the rule's first time that is still to come.
  private func due(of reading: QuickAdd, in list: Category) -> Due? {
    let zone = situation.clock.zone
    let today =
      reading.minuteOfDay == nil ? situation.today(in: list.zone) : situation.clock.today
    guard reading.due == nil, let rule = reading.recurrence?.rule, let today else {
      return reading.due(in: zone)
    }
    let isOver = reading.minuteOfDay.map { $0 <= today.minute } ?? false
    return rule.firstDay(from: isOver ? today.day.adding(days: 1) : today.day).flatMap {
      reading.due(on: $0, in: zone)
    }
  }

  /// Returns the list with this name; nil when there is none, or it is archived, because nothing is added there.
  private func list(called name: String) -> Category? {
    do throws(Problem) {
      return try situation.catalog.active(Reference("#" + name))
    } catch {
      return nil
    }
  }

  private func member(_ username: String, of list: Category) -> Member? {
    situation.streams[.category(list.id)]?.members.first { $0.username == username }
  }
}

// MARK: Changes

extension Planner {
  func adding(_ it: UnderstoodLine) -> [PlannedChange] {
    let fields = PostEdit(
      priority: it.reading.priority.map { .set($0) } ?? .keep,
      due: it.due.map { .set($0) } ?? .keep,
      repeats: it.repeats.map { .set($0) } ?? .keep)
    let post = PostAddress(category: it.list.id, post: it.post)
    let added = PlannedChange(
      .post(.add(post, NewPost(title: it.reading.title, fields: fields))), "+ \(it.reading.title)")
    return [added] + tagging(it.reading.tags, it) + it.assignees.map { assigning($0, it) }
  }

  /// Returns the changes for what was taken back, and no others.
  private func changing(_ last: UnderstoodLine, to next: UnderstoodLine) -> [PlannedChange] {
    let edit = PostEdit(
      title: next.reading.title,
      priority: next.reading.priority == last.reading.priority ? .keep : .clear,
      due: next.due == last.due ? .keep : next.due.map { .set($0) } ?? .clear,
      repeats: next.repeats == last.repeats ? .keep : .clear)
    var changes = [
      PlannedChange(
        .editPost(next.list.id, next.post, edit, ifVersion: nil), "✎ \(next.reading.title)")
    ]
    for tag in last.reading.tags where !next.reading.tags.contains(tag) {
      guard let known = situation.tag(tag, of: next.list) else { continue }
      changes.append(
        PlannedChange(.post(.change(next.list.id, next.post, .untag(known.id))), "no +\(tag)"))
    }
    for member in last.assignees where !next.assignees.contains(member) {
      changes.append(
        PlannedChange(
          .post(.change(next.list.id, next.post, .unassign(member.id))), "not @\(member.username)'s"
        ))
    }
    return changes
  }

  /// Puts the tags on the post; tags that do not exist are made.
  private func tagging(_ words: [String], _ it: UnderstoodLine) -> [PlannedChange] {
    var changes: [PlannedChange] = []
    var seen: Set<String> = []
    for word in words where seen.insert(word.lowercased()).inserted {
      let known = situation.tag(word, of: it.list)?.id
      let id = known ?? TagID(Identifiers.make())
      if known == nil {
        changes.append(
          PlannedChange(.changeTag(it.list.id, id, .add(name: word)), "new tag +\(word)"))
      }
      changes.append(PlannedChange(.post(.change(it.list.id, it.post, .tag(id))), "+\(word)"))
    }
    return changes
  }

  /// Sends the planned duration as one's own plan, apart from the post, so that it is no reason to refuse the post.
  func planning(_ it: UnderstoodLine) -> [PlannedRequest] {
    let plan = it.reading.minutes.flatMap { Domain.Plan(at: nil, minutes: $0) }
    guard plan != nil || situation.personal(it.post, in: it.list.id)?.plan != nil else { return [] }
    return [
      PlannedRequest(
        request: .command(
          .changePersonal(it.list.id, it.post, .plan(plan)), key: Identifiers.key()),
        report: .mark)
    ]
  }

  private func assigning(_ member: Member, _ it: UnderstoodLine) -> PlannedChange {
    PlannedChange(
      .post(.change(it.list.id, it.post, .assign(member.id))), "for @\(member.username)")
  }
}
