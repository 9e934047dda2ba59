// Notices about the days and times that a command sets, in one place for all commands: a due is over already, the list
// has another day than the person, or this device is in another zone than the profile says, so times need their zone.

import Calendar
import Domain
import Screen
import Wire

/// A notice that is shown with what a command does.
enum Notice: Equatable {
  /// A notice about this command.
  case always(Phrase)
  /// A notice that is shown the first time only.
  case once(Phrase)

  var phrase: Phrase {
    switch self {
    case .always(let phrase), .once(let phrase): phrase
    }
  }
}

extension Planner {
  /// Returns the plan with its notices.
  func noticed(_ plan: Plan) -> Plan {
    guard case .send(let requests) = plan else { return plan }
    return .send(
      requests.map { planned in
        var planned = planned
        planned.notices = situation.notices(of: planned.request)
        return planned
      })
  }
}

extension Situation {
  func notices(of request: Request) -> [Notice] {
    guard case .command(let command, key: _, base: _) = request else { return [] }
    var notices: [Notice] = []
    for notice in command.dates.flatMap({ self.notices(of: $0) }) where !notices.contains(notice) {
      notices.append(notice)
    }
    return notices
  }

  private func notices(of date: SetDate) -> [Notice] {
    switch date {
    case .due(let due, let category):
      guard let list = streams[.category(category)]?.category else { return zoneNotice(of: due) }
      return otherDay(of: due, in: list) + over(due, in: list) + zoneNotice(of: due)
    case .own(let due): return zoneNotice(of: due)
    case .moment:
      return zoneNotice { "times are those of \(clock.zone), and this device is in \($0)" }
    }
  }

  /// Returns a notice when it is another day in the list's zone, where the due ends.
  private func otherDay(of due: Due, in list: Category) -> [Notice] {
    guard case .day = due, let own = clock.today?.day, let there = today(in: list.zone)?.day,
      own != there
    else { return [] }
    let day = "\(Clock.weekdays[there.weekday.index]) \(there)"
    return [.always("days of \(list.tag) are those of \(list.zone), where it is \(day) now")]
  }

  private func over(_ due: Due, in list: Category) -> [Notice] {
    guard let deadline = due.deadline(categoryZone: list.zone, almanac: .system),
      deadline <= clock.now
    else { return [] }
    return [.always("due \(clock.words(due)) is over already: it is overdue at once")]
  }

  private func zoneNotice(of due: Due) -> [Notice] {
    guard case .time(let day, let minute, clock.zone) = due else { return [] }
    return zoneNotice(at: Zones.moment(of: day, minute: minute, zone: clock.zone)) {
      "\(Due.clock(minute)) is \(Due.clock(minute)) \(clock.zone), and this device is in \($0)"
    }
  }

  /// Returns a notice about the zone; none when both clocks show the same time.
  private func zoneNotice(at moment: Timestamp? = nil, _ words: (String) -> Phrase) -> [Notice] {
    guard let machine = machineZone, machine != clock.zone else { return [] }
    let time = moment ?? clock.now
    guard
      Zones.localTime(of: time, zone: machine) != Zones.localTime(of: time, zone: clock.zone)
    else { return [] }
    return [.once(words(machine))]
  }
}

/// A date that a command sets.
private enum SetDate {
  /// A due for all, in a list.
  case due(Due, in: CategoryID)
  /// A due for the person alone.
  case own(Due)
  case moment
}

extension Command {
  fileprivate var dates: [SetDate] {
    switch self {
    case .batch(let commands): commands.flatMap(\.dates)
    case .post(.add(let address, let new)): new.fields.dates(in: address.category)
    case .post(.change(let address, .edit(let edit), _)),
      .post(.change(let address, .occurrence(_, .edit(let edit)), _)):
      edit.dates(in: address.category)
    case .changePersonal(_, .plan(let plan?)): plan.time.map { [.own($0)] } ?? []
    case .changePersonal(_, .remind(.at)), .changePersonal(_, .snooze(until: .some)): [.moment]
    default: []
    }
  }
}

extension PostEdit {
  fileprivate func dates(in list: CategoryID) -> [SetDate] {
    guard case .set(let due) = self.due else { return [] }
    return [.due(due, in: list)]
  }
}
