// Whose day is meant by "today". Of what is shared it is the list's, in whose zone its days end for everybody:
// another day than the one of who types it may be over there already. A time of day is one of the person's own clock,
// in the zone of their profile, which goes with it, so its day is that clock's day too. What one says to oneself
// (plans, reminders, views of all lists) is of the person's own days.

import Calendar
import Domain
import QuickAdd

extension Situation {
  /// The day and the minute in a zone; those of the person where this machine does not know that one.
  func today(in zone: String) -> (day: Day, minute: Int)? {
    guard Zones.localTime(of: clock.now, zone: zone) != nil else { return clock.today }
    return Clock(zone: zone, now: clock.now).today
  }

  /// What a wish means of a post of this list. `zone`: of which a day alone is, where it is not the list's.
  func due(_ wish: DueWish, in list: Category, zone: String? = nil) -> Due? {
    guard let own = clock.today else { return nil }
    let said = due(wish, on: own)
    guard case .day? = said, let there = today(in: zone ?? list.zone) else { return said }
    return due(wish, on: there)
  }

  /// What it means of oneself.
  func due(_ wish: DueWish) -> Due? { clock.today.flatMap { due(wish, on: $0) } }

  private func due(_ wish: DueWish, on today: (day: Day, minute: Int)) -> Due? {
    wish.due(today: today.day, now: today.minute, zone: clock.zone, languages: languages)
  }

  /// What a post is given that nothing is said of. The server never does that: a bot and an import say what they mean,
  /// and a person sees it before it is sent.
  func dueOfNew(in list: Category) -> Due? {
    switch settings.dueOfNew {
    case .none: nil
    case .today: today(in: list.zone).map { .day($0.day) }
    }
  }
}
