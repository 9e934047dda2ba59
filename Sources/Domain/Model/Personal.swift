// What is one person's about a post and nobody else's: when they mean to do it, when they want to be reminded, what
// they note. It lies in their own `u:` (protocol §6, `personal`), so that no member of the list ever gets it, and it
// ends when the person's access to the list ends, in the same transaction. What becomes of the post leaves it alone:
// one that is removed and restored has it again.

/// When somebody means to work on a post, how long it shall take, or both.
package struct Plan: Equatable, Sendable {
  /// A wall clock's time in a zone, kept across daylight saving as a due's is; never a whole day.
  package let time: Due?
  package let minutes: Int?

  /// Nil for what says nothing, and for a whole day.
  package init?(at time: Due?, minutes: Int? = nil) {
    guard time != nil || minutes != nil else { return nil }
    if case .day? = time { return nil }
    self.time = time
    self.minutes = minutes
  }

  /// Nil without a time, and for zones that the almanac does not know.
  package func moment(_ almanac: Almanac) -> Timestamp? {
    guard case .time(let day, let minute, let zone)? = time else { return nil }
    return almanac.moment(day, minute, zone)
  }
}

/// When somebody wants to be reminded of a post.
package enum Reminder: Hashable, Comparable, Sendable {
  case at(Timestamp)
  /// So long before it is due; of a post without a due it means nothing.
  case before(minutes: Int)
}

/// What somebody takes on for a day.
package struct MyDay: Equatable, Sendable {
  package let day: Day
  /// Where it stands among the others of that day: the least first, equal ones and those without by their posts.
  package let order: Int?

  package init(day: Day, order: Int? = nil) {
    self.day = day
    self.order = order
  }
}

/// All of that, of one post. An empty one is none.
package struct Personal: Equatable, Sendable {
  package let address: PostAddress
  package var plan: Plan?
  /// Ascending, each once.
  package var reminders: [Reminder] = []
  /// Until then nothing is told of the post, and then it is told of.
  package var snooze: Timestamp?
  package var day: MyDay?
  package var note = ""
  /// Hears of the post as who added it does.
  package var watch = false
  /// The event of the `u:` that said something of it last.
  package var seq: Int64 = 0

  package init(_ address: PostAddress) { self.address = address }

  package var isEmpty: Bool { PersonalEdit(from: Personal(address), to: self) == PersonalEdit() }

  /// Whether it only says what was: nothing of it is lost to who has forgotten it, and nothing of it waits.
  package func isOver(at now: Timestamp, _ almanac: Almanac) -> Bool {
    let yesterday = Day(number: Int(now.utcDay) - 1)
    guard note.isEmpty, reminders.isEmpty, !watch, day.map({ $0.day < yesterday }) ?? true
    else { return false }
    return snooze.map { $0 <= now } ?? true && plan?.moment(almanac).map { $0 <= now } ?? true
  }

  package var key: ObjectKey { address.personalKey }

  /// The same of a post that went to another list.
  package func moved(to category: CategoryID) -> Personal {
    var other = Personal(PostAddress(category: category, post: address.post))
    other.apply(PersonalEdit(from: Personal(address), to: self))
    return other
  }

  package mutating func apply(_ edit: PersonalEdit) {
    edit.plan.apply(to: &plan)
    reminders = edit.reminders ?? reminders
    edit.snooze.apply(to: &snooze)
    edit.day.apply(to: &day)
    note = edit.note ?? note
    watch = edit.watch ?? watch
  }
}

/// What an edit of it sets.
package struct PersonalEdit: Equatable, Sendable {
  package var plan = FieldChange<Plan>.keep
  /// All that there are from then on.
  package var reminders: [Reminder]?
  package var snooze = FieldChange<Timestamp>.keep
  package var day = FieldChange<MyDay>.keep
  /// Empty: it goes.
  package var note: String?
  package var watch: Bool?

  package init() {}

  /// What makes the one of the other.
  package init(from old: Personal, to new: Personal) {
    plan = FieldChange(from: old.plan, to: new.plan)
    reminders = old.reminders == new.reminders ? nil : new.reminders
    snooze = FieldChange(from: old.snooze, to: new.snooze)
    day = FieldChange(from: old.day, to: new.day)
    note = old.note == new.note ? nil : new.note
    watch = old.watch == new.watch ? nil : new.watch
  }
}

extension PostAddress {
  /// Where the state of a `u:` has what is personal about the post. Whoever makes two pairs meet has the second
  /// refused.
  package var personalKey: ObjectKey { ObjectKey(kind: .personal, id: mixed) }

  /// Where it has what was told of the post last, of what the person asked for.
  package var reminderKey: ObjectKey { ObjectKey(kind: .reminder, id: mixed) }

  /// Posts of two lists may have one id, so both are mixed (by the finalizer of MurmurHash3).
  private var mixed: UUID {
    var mixed = (high: UInt64(0), low: UInt64(0))
    for id in [category.uuid, post.uuid] {
      for word in [id.high, id.low] {
        mixed.high = (mixed.high ^ word).scrambled
        mixed.low = (mixed.low &+ word &+ mixed.high).scrambled
      }
    }
    return UUID(high: mixed.high, low: mixed.low)
  }
}

extension UInt64 {
  fileprivate var scrambled: UInt64 {
    var bits = self
    bits ^= bits >> 33
    bits = bits &* 0xFF51_AFD7_ED55_8CCD
    bits ^= bits >> 33
    bits = bits &* 0xC4CE_B9FE_1A85_EC53
    return bits ^ bits >> 33
  }
}
