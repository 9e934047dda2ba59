import Calendar
import Domain
import Screen
import Sync

// Plans for what somebody says of a post to themselves. No event of a list shows it, so a chat tells it too.

extension Planner {
  func request(
    _ number: Int, in reference: Reference?, _ wish: PersonalWish
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    let title: Phrase = "#\(number) \(post.title)"
    switch wish {
    case .plan(let when, let minutes):
      return try plan(post, in: list, when, minutes: minutes, title)
    case .remind(let wish):
      let reminder = try reminder(wish)
      if case .at(let time) = reminder { try refuseOver(time) }
      return say(
        .remind(reminder), of: post, in: list, title + ": " + promise(reminder, of: post, in: list))
    case .forget(let wish):
      let reminder = try reminder(wish)
      return say(
        .forget(reminder), of: post, in: list,
        title + ": no reminder \(PersonalLines.words(reminder, situation.clock))")
    case .forgetAll: return try forgetAll(of: post, in: list, title)
    case .snooze(let wish):
      let until = try wish.map { (wish) throws(Problem) in try moment(wish) }
      if let until { try refuseOver(until) }
      let told: Phrase = until.map { "until \(situation.clock.moment($0))" } ?? "any more"
      return say(
        .snooze(until: until), of: post, in: list,
        title + (until == nil ? ": not quiet " : ": quiet ") + told)
    case .watch(let watch):
      return say(
        .watch(watch), of: post, in: list,
        title + (watch ? ": you watch it" : ": you do not watch it"))
    case .note(let note):
      return say(
        .note(note), of: post, in: list,
        title + (note.isEmpty ? ": no private note" : ": noted, only for you"))
    }
  }

  private func forgetAll(
    of post: Post, in list: Category, _ title: Phrase
  ) throws(Problem) -> PlannedRequest {
    let all = situation.personal(post.id, in: list.id)?.reminders ?? []
    guard !all.isEmpty else {
      throw Problem("#\(post.number) \(post.title) has no reminder of its own")
    }
    let commands = all.map { Command.changePersonal(list.id, post.id, .forget($0)) }
    return change(
      commands.count == 1 ? commands[0] : .batch(commands), title + ": no reminder of its own",
      told: true)
  }

  func refuseOver(_ time: Timestamp) throws(Problem) {
    guard time <= situation.clock.now else { return }
    throw Problem("\(situation.clock.moment(time)) is over")
  }

  /// Says what the reminder will do, because the server sends no reminder for a time that was over already (protocol
  /// §5.10).
  private func promise(_ reminder: Reminder, of post: Post, in list: Category) -> Phrase {
    let told: Phrase = "you will be reminded \(PersonalLines.words(reminder, situation.clock))"
    if post.completed != nil { return told + ", once it is open again" }
    guard case .before(let minutes) = reminder else { return told }
    guard let due = post.due else { return told + ", once it has a due" }
    guard let deadline = due.deadline(categoryZone: list.zone, almanac: .system),
      deadline.milliseconds - Int64(minutes) * 60_000 <= situation.clock.now.milliseconds
    else { return told }
    let moment: Phrase = minutes == 0 ? "its due" : "\(Minutes.words(minutes)) before its due"
    return moment + " is over already; you will be reminded of a later due"
  }

  /// Plans the post for a time, or takes it on for a day when no time is given; without either it clears both.
  private func plan(
    _ post: Post, in list: Category, _ when: DueWish?, minutes: Int?, _ title: Phrase
  ) throws(Problem) -> PlannedRequest {
    let due = try when.map { (wish) throws(Problem) in try self.due(wish) }
    switch due {
    case .day(let day)? where minutes == nil:
      return say(
        .day(MyDay(day: day)), of: post, in: list,
        title + ": yours for \(situation.clock.words(day))")
    case .day?: throw Problem("a plan needs a time: /plan 12 tomorrow 14:00 for 50m")
    case let time:
      // A duration alone does not change the time of the plan.
      let held = minutes == nil ? nil : situation.personal(post.id, in: list.id)?.plan?.time
      let plan = Domain.Plan(at: time ?? held, minutes: minutes)
      guard let plan else {
        return try together([
          PlannedChange(.changePersonal(list.id, post.id, .plan(nil)), title + ": not planned"),
          PlannedChange(.changePersonal(list.id, post.id, .day(nil)), title + ": not for a day"),
        ])
      }
      return say(
        .plan(plan), of: post, in: list,
        title + ": planned \(PersonalLines.words(plan, situation.clock))\(isOver(plan))")
    }
  }

  /// Returns words when the time of the plan is over, because then no reminder comes.
  private func isOver(_ plan: Domain.Plan) -> String {
    guard let moment = plan.moment(.system), moment <= situation.clock.now else { return "" }
    return ", which is over already"
  }

  private func say(
    _ change: PersonalChange, of post: Post, in list: Category, _ made: Phrase
  ) -> PlannedRequest {
    self.change(
      .changePersonal(list.id, post.id, change), made, same: "#\(post.number) is like that already",
      told: true)
  }

  private func due(_ wish: DueWish) throws(Problem) -> Due {
    guard let due = situation.due(wish) else { throw Problem("there is no such day") }
    return due
  }

  private func reminder(_ wish: ReminderWish) throws(Problem) -> Reminder {
    switch wish {
    case .minutes(let minutes): return .before(minutes: minutes)
    case .at: return .at(try moment(wish))
    }
  }

  /// Returns the moment of a reminder: minutes count from now, a day means its beginning.
  func moment(_ wish: ReminderWish) throws(Problem) -> Timestamp {
    switch wish {
    case .minutes(let minutes):
      return Timestamp(
        milliseconds: situation.clock.now.milliseconds + Int64(minutes) * 60_000)
    case .at(let wish):
      let due = try due(wish)
      let almanac = Almanac.system
      let moment =
        switch due {
        case .day(let day): almanac.startOfDay(day, situation.clock.zone)
        case .time(let day, let minute, let zone): almanac.moment(day, minute, zone)
        }
      guard let moment else { throw Problem("there is no such time") }
      return moment
    }
  }
}
