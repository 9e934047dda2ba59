// Decides what need not be kept of a post as it was before an event, because the post says the same after it. Otherwise
// each small change of a post with long notes would cost the store the notes once more, and an undo of a hundred such
// changes all of them.
//
// - The first op of an event about a post keeps what the whole event changed. Long fields that are the same before and
//   after the event are left out, and of steps that keep their order those that are the same.
// - In a contest, the entries and shares that are the same are left out. One that was not there before stands in it
//   with the number 0.
// - Further ops about that post leave out all long fields: nobody asks for them there.
// - Fields that an undo or a score looks at even if they are the same (`keepsParts`, `keepsMoment`) are never left out.
// - A post that was in the bin, or is gone after the event, is kept whole: the event carries it, or it is short.
// When a state goes back from the present, it takes the left out fields from the post as it is after the event
// (`PastState`). An undo compares before and after, and looks at neither (`PastEvent.changes`).

/// The long fields of a post that are left out because they stand in the post after the event. The numbers are stored:
/// none is ever given another meaning.
package struct LeftOut: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  static let title = LeftOut(rawValue: 1)
  static let notes = LeftOut(rawValue: 2)
  /// All steps except those that are kept.
  static let steps = LeftOut(rawValue: 4)
  static let source = LeftOut(rawValue: 8)
  static let tags = LeftOut(rawValue: 16)
  static let parts = LeftOut(rawValue: 32)
  /// All entries and shares of a contest except those that are kept.
  static let contest = LeftOut(rawValue: 64)

  private static let all: LeftOut = [.title, .notes, .steps, .source, .tags, .parts, .contest]

  /// Returns the fields that a further op of an event about the same post leaves out.
  fileprivate static func again(_ op: Op) -> LeftOut {
    // A take back of an occurrence looks at this op alone (`OccurrenceTakeBack`).
    if case .post(.occurred) = op { return all.subtracting([.parts, .steps, .contest]) }
    return op.keepsParts ? all.subtracting(.parts) : all
  }
}

/// The elements of a post that are kept where the others are left out.
package struct KeptElements {
  fileprivate(set) var steps: Set<StepID> = []
  /// The people whose entries are kept.
  fileprivate(set) var people: Set<UserID> = []
  /// The steps whose shares are kept.
  fileprivate(set) var shares: Set<StepID> = []

  init() {}

  /// Names the elements that are there in a post of which others are left out.
  package init(in post: Post) {
    steps = Set(post.steps.map(\.id))
    people = Set(post.entries.map(\.user))
    shares = Set(post.shares.map(\.step))
  }
}

extension Array where Element: Hashable {
  /// Returns the elements that are in only one of the two.
  fileprivate func unlike(_ other: [Element]) -> Set<Element> {
    self == other ? [] : Set(self).symmetricDifference(other)
  }
}

extension Before {
  /// Leaves out what the posts still say after the event. `after` answers an object as it is then.
  mutating func leaveOut(_ ops: [Op], in stream: StreamID, after: (ObjectKey) -> Object?) {
    var seen: Set<ObjectKey> = []
    for (index, op) in ops.enumerated() {
      guard let key = op.touches(in: stream).first, key.kind == .post else { continue }
      let isFirst = seen.insert(key).inserted
      guard case .post(let post)? = objects[index] else { continue }
      if !isFirst {
        leave(.again(op), of: post, keeping: KeptElements(), at: index)
      } else if case .post(let then)? = after(key) {
        leave(
          post.fields(alsoIn: then, op), of: post, keeping: post.elements(unlike: then), at: index)
      }
    }
  }

  private mutating func leave(
    _ fields: LeftOut, of post: Post, keeping kept: KeptElements, at index: Int
  ) {
    guard !fields.isEmpty else { return }
    leftOut[index] = fields
    objects[index] = .post(post.leavingOut(fields, keeping: kept))
  }
}

extension Op {
  /// Whether somebody asks this op for the parts that were completed before it (`OccurrenceHistory`).
  fileprivate var keepsParts: Bool {
    switch self {
    case .post(.completed), .post(.occurred), .post(.reopened), .post(.marked): true
    default: false
    }
  }
}

extension Post {
  fileprivate func fields(alsoIn after: Post, _ op: Op) -> LeftOut {
    guard removed == nil, !after.isGone else { return [] }
    var fields: LeftOut = []
    if title == after.title, !title.isEmpty { fields.insert(.title) }
    if notes == after.notes, !notes.isEmpty { fields.insert(.notes) }
    if source == after.source, source != nil { fields.insert(.source) }
    if tags == after.tags, !tags.isEmpty { fields.insert(.tags) }
    guard keepsMoment(in: after) else { return fields }
    if !steps.isEmpty, steps.map(\.id) == after.steps.map(\.id) { fields.insert(.steps) }
    if parts == after.parts, !parts.isEmpty, !op.keepsParts { fields.insert(.parts) }
    if !entries.isEmpty || !shares.isEmpty { fields.insert(.contest) }
    return fields
  }

  /// Answers whether an undo looks neither at all that was done of the post nor at its time
  /// (Recurrence+Reversal.swift).
  private func keepsMoment(in after: Post) -> Bool {
    completed == after.completed && repeats == after.repeats && due == after.due
      && mode == after.mode && contest == after.contest && goal == after.goal
      && submitted == after.submitted
  }

  fileprivate func elements(unlike after: Post) -> KeptElements {
    var kept = KeptElements()
    kept.steps = Set(zip(steps, after.steps).filter { $0 != $1 }.map(\.0.id))
    kept.people = Set(entries.unlike(after.entries).map(\.user))
    kept.shares = Set(shares.unlike(after.shares).map(\.step))
    return kept
  }

  /// Returns the post without these fields, except the elements to keep.
  package func leavingOut(_ fields: LeftOut, keeping kept: KeptElements) -> Post {
    var post = self
    if fields.contains(.title) { post.title = "" }
    if fields.contains(.notes) { post.notes = "" }
    if fields.contains(.steps) { post.steps.removeAll { !kept.steps.contains($0.id) } }
    if fields.contains(.source) { post.source = nil }
    if fields.contains(.tags) { post.tags = [] }
    if fields.contains(.parts) { post.parts = [] }
    if fields.contains(.contest) { post.keepInContest(kept) }
    return post
  }

  /// Returns the post with these fields as they are in the post after the event.
  func filled(_ fields: LeftOut, from after: Post) -> Post {
    var post = self
    if fields.contains(.title) { post.title = after.title }
    if fields.contains(.notes) { post.notes = after.notes }
    if fields.contains(.steps) { post.steps = after.steps.map { step($0.id) ?? $0 } }
    if fields.contains(.source) { post.source = after.source }
    if fields.contains(.tags) { post.tags = after.tags }
    if fields.contains(.parts) { post.parts = after.parts }
    if fields.contains(.contest) { post.fillContest(from: after) }
    return post
  }

  private mutating func keepInContest(_ kept: KeptElements) {
    let here = entries.filter { kept.people.contains($0.user) }
    let absent = kept.people.subtracting(here.map(\.user)).map { ContestEntry(user: $0, seq: 0) }
    entries = (here + absent).sorted { $0.user < $1.user }
    let taken = shares.filter { kept.shares.contains($0.step) }
    // Nobody had such a step; its share names the post's author, which nobody looks at.
    let free = kept.shares.subtracting(taken.map(\.step))
      .map { StepShare(step: $0, user: addedBy, seq: 0) }
    shares = (taken + free).sorted { $0.step < $1.step }
  }

  private mutating func fillContest(from after: Post) {
    let people = Set(entries.map(\.user))
    entries = (entries.filter { $0.seq > 0 } + after.entries.filter { !people.contains($0.user) })
      .sorted { $0.user < $1.user }
    let steps = Set(shares.map(\.step))
    shares = (shares.filter { $0.seq > 0 } + after.shares.filter { !steps.contains($0.step) })
      .sorted { $0.step < $1.step }
  }

  /// Answers whether the left out fields are as in the post after the event, so that nothing is lost.
  package func mayLeaveOut(_ fields: LeftOut, keeping kept: KeptElements, after: Post) -> Bool {
    leavingOut(fields, keeping: kept).filled(fields, from: after) == self
  }
}
