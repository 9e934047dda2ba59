import Domain
import Screen
import Wire

/// Lines for a value that a command would have set if it had been given one: `#12 milk: due Fri 18:00`.
enum ValueLines {
  static func lines(_ value: ShownValue, _ situation: Situation) -> [Line] {
    switch value {
    case .field(let field, let post, let step, let list):
      let head: Phrase =
        step.map { step in
          let number = PostNumber(post.number, step: situation.shown.number(of: step, in: post))
          return "\(number) \(step.content)"
        } ?? "#\(post.number) \(post.shownTitle)"
      if field == .title { return [Line(head)] }
      return lines(head, said(field, of: post, in: list, situation), none: none(field))
    case .listField(let field, let list):
      return [Line("\(list.tag): \(said(field, of: list))")]
    case .tag(let tag):
      return [Line("\(tag.word): \(tag.name), \((tag.color ?? .standard).rawValue)")]
    case .role(let member, let place):
      return [Line("@\(member.username) is \(member.role?.word ?? "nobody") of \(place.label)")]
    case .filter(let filter): return [Line("\(filter.name): \(filter.words(situation))")]
    }
  }

  /// Returns the value behind its head; a value of several lines stands below.
  private static func lines(_ head: Phrase, _ value: String?, none: Phrase) -> [Line] {
    guard let value else { return [Line(head + ": ").and(none, .dim)] }
    let rows = value.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard rows.count > 1 else { return [Line(head + ": \(value)", hang: 4)] }
    return [Line(head + ":")] + rows.map { Line("    ", hang: 4).and("\($0)", .dim) }
  }

  /// Returns the value as it is shown; nil where there is none.
  static func said(
    _ field: ShownField, of post: Post, in list: Category, _ situation: Situation
  ) -> String? {
    let own = situation.personal(post.id, in: list.id)
    let clock = situation.clock
    let state = situation.streams[.category(list.id)]
    switch field {
    case .title: return post.title
    case .notes: return post.notes.isEmpty ? nil : post.notes
    case .due: return post.due.map { "due " + clock.words($0) }
    case .recurrence: return post.repeats.map { RecurrenceWords.words($0) }
    case .mode: return post.mode.map { _ in PostChips.forEach(post.modeRole) }
    case .goal: return post.goal.map { Line($0.words).plain }
    case .priority: return post.priority.map { $0.rawValue + " priority" }
    case .color: return post.color?.rawValue
    case .location: return post.location.map { "at " + $0.words }
    case .tags: return listed(state?.tags(of: post).map(\.word))
    case .assignees: return listed(state?.assignees(of: post).map(\.calledName))
    case .plan:
      let words = [
        own?.plan.map { PersonalLines.words($0, clock) },
        own?.day.map { "for " + clock.words($0.day) },
      ]
      return listed(words.compactMap(\.self))
    case .reminders: return listed(own?.reminders.map { PersonalLines.words($0, clock) }, ", ")
    case .snooze:
      return own?.snooze.flatMap { $0 > clock.now ? "quiet until " + clock.moment($0) : nil }
    case .privateNote: return own.flatMap { $0.note.isEmpty ? nil : $0.note }
    }
  }

  private static func listed(_ words: [String]?, _ separator: String = " ") -> String? {
    guard let words, !words.isEmpty else { return nil }
    return words.joined(separator: separator)
  }

  private static func none(_ field: ShownField) -> Phrase {
    switch field {
    case .title: "no title"
    case .notes: "no notes"
    case .due: "due at no time"
    case .recurrence: "not again"
    case .mode: "one for all"
    case .goal: "no goal"
    case .priority: "no priority"
    case .color: "no color of its own"
    case .location: "nowhere"
    case .tags: "no tags"
    case .assignees: "nobody's work"
    case .plan: "not planned"
    case .reminders: "no reminder of its own"
    case .snooze: "not quiet"
    case .privateNote: "no private note"
    }
  }

  static func said(_ field: ShownListField, of list: Category) -> String {
    switch field {
    case .name: list.name
    case .color: (list.color ?? .standard).rawValue
    case .zone: "days of \(list.zone)"
    }
  }
}

extension JSONOutput {
  /// Writes `"field"`, and `"value"` as it is shown, if there is one. Beside it stands the post or the list as `show`
  /// writes it.
  static func value(_ value: ShownValue, _ situation: Situation, _ writer: inout JSONWriter) {
    switch value {
    case .field(let field, let item, let step, let category):
      list(category, situation, &writer)
      writer.object("post") { post(item, situation, in: category, &$0) }
      writer.member("field", field.rawValue)
      let said = step?.content ?? ValueLines.said(field, of: item, in: category, situation)
      if let said { writer.member("value", said) }
    case .listField(let field, let category):
      list(category, situation, &writer)
      writer.member("field", field.rawValue)
      writer.member("value", plain(field, of: category))
    case .tag(let tag): writer.tag(tag)
    case .role(let member, let place):
      writer.object("place") { $0.place(place.stream, situation) }
      writer.person(member.id, member.username)
      if let role = member.role { writer.member("role", role.word) }
    case .filter(let filter):
      writer.member("id", "\(filter.id)")
      writer.member("name", filter.name)
      writer.member("words", filter.words(situation))
    }
  }

  private static func plain(_ field: ShownListField, of list: Category) -> String {
    switch field {
    case .name, .color: ValueLines.said(field, of: list)
    case .zone: list.zone
    }
  }
}
