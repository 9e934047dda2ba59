/// When a post is to be done: on a day, or at a time that a wall clock in a zone shows.
package enum Due: Equatable, Sendable {
  /// By the end of the day in the category's zone, for everybody.
  case day(Day)
  /// Minutes after midnight, 0–1 439. The zone is an IANA name and part of the due: who travels is due at
  /// the same moment, and the wall-clock time is kept across daylight saving.
  case time(Day, minute: Int, zone: String)

  package var day: Day {
    switch self {
    case .day(let day), .time(let day, _, _): day
    }
  }

  /// The same time of day on another day: what an occurrence of a recurrence does to the due.
  package func moved(to day: Day) -> Due {
    switch self {
    case .day: .day(day)
    case .time(_, let minute, let zone): .time(day, minute: minute, zone: zone)
    }
  }

  /// The first moment at which an open post is overdue: of a day, the first of the next one.
  ///
  /// Nil for zones that the almanac does not know, and beyond its years.
  package func deadline(categoryZone: String, almanac: Almanac) -> Timestamp? {
    switch self {
    case .day(let day): almanac.startOfDay(day.adding(days: 1), categoryZone)
    case .time(let day, let minute, let zone): almanac.moment(day, minute, zone)
    }
  }
}

/// What a post's dates say of it now. Derived, never stored; server, client and bots share this function.
package enum PostStatus: String, CaseIterable, Sendable {
  case completed
  case overdue
  case dueSoon = "due_soon"
  case upcoming
  case none

  /// Until a person says otherwise.
  package static let soonHoursDefault = 48

  /// Overdue from the deadline on, that moment included: it is when `post.became_overdue` is written. Due soon
  /// from so many hours before, that moment included.
  package init(completed: Bool, deadline: Timestamp?, now: Timestamp, soonHours: Int) {
    self =
      switch (completed, deadline) {
      case (true, _): .completed
      case (false, nil): .none
      case (false, let deadline?) where now >= deadline: .overdue
      case (false, let deadline?):
        deadline.milliseconds - now.milliseconds <= Int64(soonHours) * 3_600_000
          ? .dueSoon : .upcoming
      }
  }
}
