// Checks of P12 for what is still to come. A row of the store is a hint and never later than its moment. So whoever is
// to be told something of an open post has a row that comes in time.

import Calendar
import Domain
import Sync

extension Truth {
  /// Returns a sentence when somebody will not be told what they are to be told next. `rows` are all that wait.
  func lateReminders(
    _ rows: [ReminderRow], at now: Timestamp, _ tally: inout Tally
  ) -> String? {
    var known: [WaitingKey: Timestamp] = [:]
    for row in rows { known[row.key] = row.at }
    for stream in order {
      guard case .category(let list) = stream, let state = streams[stream]?.state,
        case .category(let head)? = state.object(.category, list.uuid),
        // Nobody is told of an archived list. Its rows go when something else has them checked.
        head.isActive
      else { continue }
      let objects = state.objects.values
      let members = objects.compactMap { if case .member(let it) = $0 { it } else { nil } }
      for case .post(let post) in objects where post.completed == nil && post.moved == nil {
        for member in members where member.role != nil {
          let key = ReminderKey(
            person: member.id, post: PostAddress(category: list, post: post.id))
          let next = moments(of: post, in: head, members, for: key).filter { $0 > now }.min()
          guard let next else { continue }
          tally.count(.p12Awaited)
          guard let at = known[.post(key)], at <= next else {
            let row = known[.post(key)].map { "\($0.milliseconds)" } ?? "no row"
            return "\(stream): P12 #\(post.number) is to be told \(member.username) at"
              + " \(next.milliseconds), and there is \(row)"
          }
        }
      }
    }
    return nil
  }

  /// Returns the moments at which there is something to tell somebody of a post, whatever is muted.
  private func moments(
    of post: Post, in list: Domain.Category, _ members: [Member], for key: ReminderKey
  ) -> [Timestamp] {
    let own = streams[.user(key.person)]?.state
    var said: Personal?
    var settings = PersonalSettings(user: key.person)
    if case .personal(let it)? = own?.objects[key.post.personalKey] { said = it }
    if case .settings(let it)? = own?.object(.settings, key.person.uuid) { settings = it }
    let due = post.due?.deadline(categoryZone: list.zone, almanac: .system)
    var moments = [said?.snooze, said?.plan?.moment(.system)].compactMap(\.self)
    for reminder in said?.reminders ?? [] {
      switch reminder {
      case .at(let time): moments.append(time)
      case .before(let minutes): moments += due.map { [$0.earlier(minutes)] } ?? []
      }
    }
    let workers = post.assignees.filter { it in
      members.contains { $0.id == it.user && $0.holds(it) }
    }
    let isTheirs =
      workers.isEmpty
      ? post.addedBy == key.person || said?.watch == true
      : workers.contains { $0.user == key.person }
    guard isTheirs, let due else { return moments }
    let before = settings.reminderMinutes + [settings.soonHours * 60, 0]
    return moments + before.map { due.earlier($0) }
  }
}

extension Timestamp {
  fileprivate func earlier(_ minutes: Int) -> Timestamp {
    Timestamp(milliseconds: milliseconds - Int64(minutes) * 60_000)
  }
}
