/// The time at which a post is to be done: a day, or a time that a wall clock in a zone shows.
package enum Due: Hashable, Sendable {
  /// Due by the end of the day in the category's zone, for everybody.
  case day(Day)
  /// Due at this number of minutes after midnight, 0–1 439. The zone is an IANA name and part of the due: for a person
  /// who travels the due stays the same moment, and the wall-clock time is kept across daylight saving.
  case time(Day, minute: Int, zone: String)

  package var day: Day {
    switch self {
    case .day(let day), .time(let day, _, _): day
    }
  }

  /// Returns the same time of day on another day. So the due moves to the next occurrence of a recurrence.
  package func moved(to day: Day) -> Due {
    switch self {
    case .day: .day(day)
    case .time(_, let minute, let zone): .time(day, minute: minute, zone: zone)
    }
  }

  /// Returns the first moment at which an open post is overdue. For a day it is the first moment of the next day.
  ///
  /// Nil for zones that the almanac does not know, and beyond its years.
  package func deadline(categoryZone: String, almanac: Almanac) -> Timestamp? {
    switch self {
    case .day(let day): almanac.startOfDay(day.adding(days: 1), categoryZone)
    case .time(let day, let minute, let zone): almanac.moment(day, minute, zone)
    }
  }
}

/// The status that a post's dates give it now. It is derived and never stored. Server, client and bots share this
/// function.
package enum PostStatus: String, CaseIterable, Sendable {
  case completed
  case overdue
  case dueSoon = "due_soon"
  case upcoming
  case none

  /// The hours before a deadline at which a post is due soon, as long as a person has not set another number.
  package static let soonHoursDefault = 48

  /// Works out the status. A post is overdue from the deadline on, that moment included: then `post.became_overdue` is
  /// written. It is due soon from `soonHours` before, that moment included.
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
