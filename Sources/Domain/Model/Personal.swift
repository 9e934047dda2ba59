// The personal things about a post belong to one person and nobody else: when they mean to do it, when they want to be
// reminded, what they note. They lie in the person's own `u:` (protocol §6, `personal`), so that no member of the list
// ever gets them. They end when the person's access to the list ends, in the same transaction. They do not depend on
// what becomes of the post: a post that is removed and restored has them again.

/// The time at which somebody means to work on a post, how long it shall take, or both.
package struct Plan: Equatable, Sendable {
  /// A wall clock's time in a zone, kept across daylight saving as a due's is. It is never a whole day.
  package let time: Due?
  package let minutes: Int?

  /// Makes a plan. Nil when both are nil, and for a whole day.
  package init?(at time: Due?, minutes: Int? = nil) {
    guard time != nil || minutes != nil else { return nil }
    if case .day? = time { return nil }
    self.time = time
    self.minutes = minutes
  }

  /// Returns the moment of the plan. Nil without a time, and for zones that the almanac does not know.
  package func moment(_ almanac: Almanac) -> Timestamp? {
    guard case .time(let day, let minute, let zone)? = time else { return nil }
    return almanac.moment(day, minute, zone)
  }
}

/// The moment at which somebody wants to be reminded of a post.
package enum Reminder: Hashable, Comparable, Sendable {
  case at(Timestamp)
  /// This number of minutes before the due. A post without a due is not reminded of.
  case before(minutes: Int)
}

/// A day for which somebody has taken on a post.
package struct MyDay: Equatable, Sendable {
  package let day: Day
  /// The place among the others of that day: the least first. Equal ones, and those without one, are ordered by their
  /// posts.
  package let order: Int?

  package init(day: Day, order: Int? = nil) {
    self.day = day
    self.order = order
  }
}

/// All personal things about one post. An empty value counts as none.
package struct Personal: Equatable, Sendable {
  package let address: PostAddress
  package var plan: Plan?
  /// The reminders, ascending, each once.
  package var reminders: [Reminder] = []
  /// The end of the snooze. Until then nothing is told of the post, and then the person is told of it.
  package var snooze: Timestamp?
  package var day: MyDay?
  package var note = ""
  /// Whether the person is told of the post as the one who added it is.
  package var watch = false
  /// The event of the `u:` that said something of it last.
  package var seq: Int64 = 0

  package init(_ address: PostAddress) { self.address = address }

  package var isEmpty: Bool { PersonalEdit(from: Personal(address), to: self) == PersonalEdit() }

  /// Answers whether it only tells of the past: nothing in it waits, and its person loses nothing that they would miss.
  package func isOver(at now: Timestamp, _ almanac: Almanac) -> Bool {
    let yesterday = Day(number: Int(now.utcDay) - 1)
    guard note.isEmpty, reminders.isEmpty, !watch, day.map({ $0.day < yesterday }) ?? true
    else { return false }
    return snooze.map { $0 <= now } ?? true && plan?.moment(almanac).map { $0 <= now } ?? true
  }

  package var key: ObjectKey { address.personalKey }

  /// Returns the same things for the post in another list.
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

/// The personal things that an edit sets.
package struct PersonalEdit: Equatable, Sendable {
  package var plan = FieldChange<Plan>.keep
  /// All reminders from then on.
  package var reminders: [Reminder]?
  package var snooze = FieldChange<Timestamp>.keep
  package var day = FieldChange<MyDay>.keep
  /// The note. An empty one takes the note away.
  package var note: String?
  package var watch: Bool?

  package init() {}

  /// Makes the edit that turns the one into the other.
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
  /// The key of the personal things about the post in the state of a `u:`. If somebody makes two pairs of ids collide,
  /// the second one is refused.
  package var personalKey: ObjectKey { ObjectKey(kind: .personal, id: mixed) }

  /// The key of the kept reminder of the post in the state of a `u:`.
  package var reminderKey: ObjectKey { ObjectKey(kind: .reminder, id: mixed) }

  /// Both ids mixed (by the finalizer of MurmurHash3), because posts of two lists may have the same id.
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
