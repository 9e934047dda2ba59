// Whose day "today" means. For what is shared it is the day of the list, in whose zone days end for everybody: the day
// of the person who types may be over there already. A time of day belongs to the person's own clock, in the zone of
// their profile, which goes with it; so its day is the day of that clock too. What one says to oneself (plans,
// reminders, views of all lists) uses the person's own days.

import Calendar
import Domain
import QuickAdd

extension Situation {
  /// Returns the day and the minute in a zone; those of the person when this machine does not know the zone.
  func today(in zone: String) -> (day: Day, minute: Int)? {
    guard Zones.localTime(of: clock.now, zone: zone) != nil else { return clock.today }
    return Clock(zone: zone, now: clock.now).today
  }

  /// Returns the due that a wish means for a post of this list. `zone` gives the days for a wish without a time,
  /// instead of the list's zone.
  func due(_ wish: DueWish, in list: Category, zone: String? = nil) -> Due? {
    guard let own = clock.today else { return nil }
    let said = due(wish, on: own)
    guard case .day? = said, let there = today(in: zone ?? list.zone) else { return said }
    return due(wish, on: there)
  }

  /// Returns the due that a wish means for the person alone.
  func due(_ wish: DueWish) -> Due? { clock.today.flatMap { due(wish, on: $0) } }

  private func due(_ wish: DueWish, on today: (day: Day, minute: Int)) -> Due? {
    wish.due(today: today.day, now: today.minute, zone: clock.zone, languages: languages)
  }

  /// Returns the due of a new post for which none is typed. The server never adds one: a bot and an import give what
  /// they mean, and a person sees the due before it is sent.
  func dueOfNew(in list: Category) -> Due? {
    switch settings.dueOfNew {
    case .none: nil
    case .today: today(in: list.zone).map { .day($0.day) }
    }
  }
}
