import Domain

@testable import Wire

// Samples of personal things, by the names of the vectors.

extension Samples {
  static let personalAddress = PostAddress(category: ID.category, post: ID.post)
  static let plan = Plan(
    at: .time(Day(number: 20_781), minute: 14 * 60, zone: "Europe/Lisbon"), minutes: 50)

  static let personal: Personal = {
    var personal = Personal(personalAddress)
    personal.plan = plan
    personal.reminders = [.at(ID.time(0)), .before(minutes: 30), .before(minutes: 1_440)]
    personal.snooze = ID.time(3_600_000)
    personal.day = MyDay(day: Day(number: 20_781), order: 3)
    personal.note = "the blue one\nnot the red one"
    personal.watch = true
    personal.seq = 9
    return personal
  }()

  static let watched: Personal = {
    var personal = Personal(personalAddress)
    personal.watch = true
    personal.seq = 7
    return personal
  }()

  static let settings: PersonalSettings = {
    var settings = PersonalSettings(user: ID.author)
    settings.reminders = [0, 1_440]
    settings.dueSoonHours = 24
    settings.defaultDue = .today
    settings.muted = [.planned, .dueSoon]
    settings.digest = ClockTime("18:00")
    settings.levels = [
      LevelChoice(about: .category(ID.category), level: .directed),
      LevelChoice(about: .user(ID.editor), level: .none, until: Timestamp(milliseconds: 9)),
    ]
    return settings
  }()

  static let personalOps: [Sample<Op>] = [
    Sample(
      "personal.edited",
      .personal(
        .edited(personalAddress, PersonalEdit(from: Personal(personalAddress), to: personal)))),
    Sample(
      "personal.edited: nothing left",
      .personal(
        .edited(personalAddress, PersonalEdit(from: personal, to: Personal(personalAddress))))),
    Sample("personal.ended", .personal(.ended(ID.category, [ID.post, ID.otherPost]))),
    Sample(
      "personal.moved",
      .personal(.moved(ID.post, from: ID.category, to: CategoryID(ID.uuid(0xc2))))),
    Sample(
      "reminder.fired",
      .personal(.fired(Reminded(address: personalAddress, kind: .dueSoon, at: ID.time(0))))),
    Sample(
      "reminder.kept",
      .personal(.kept(Reminded(address: personalAddress, kind: .snoozed, at: ID.time(0))))),
    Sample("reminder.ended", .personal(.keptEnded(ID.category, [ID.post, ID.otherPost]))),
    Sample("notification.ended", .personal(.noticeEnded(seq: 7, opIndex: 1))),
    Sample("digest.ready", .personal(.digestReady(Day(number: 20_781)))),
    Sample("webhook.paused", .personal(.webhookPaused(ID.webhook, of: ID.bot))),
    Sample(
      "settings.edited",
      .personal(
        .settings(SettingsEdit(from: PersonalSettings(user: ID.author), to: settings)))),
    Sample(
      "settings.edited: as for everybody",
      .personal(
        .settings(SettingsEdit(from: settings, to: PersonalSettings(user: ID.author))))),
  ]

  static let personalCommands: [Sample<Command>] = [
    personal("post.plan", .plan(plan)),
    personal(
      "post.plan: how long is not said",
      .plan(Plan(at: .time(Day(number: 20_781), minute: 0, zone: "UTC")))),
    personal("post.plan: when is not said", .plan(Plan(at: nil, minutes: 50))),
    personal("post.plan: not any more", .plan(nil)),
    personal("reminder.add", .remind(.before(minutes: 1_440))),
    personal("reminder.add: at a time", .remind(.at(ID.time(0)))),
    personal("reminder.remove", .forget(.before(minutes: 1_440))),
    personal("reminder.remove: at a time", .forget(.at(ID.time(0)))),
    personal("post.snooze", .snooze(until: ID.time(3_600_000))),
    personal("post.snooze: not any more", .snooze(until: nil)),
    personal("post.day", .day(MyDay(day: Day(number: 20_781), order: 3))),
    personal("post.day: in no order", .day(MyDay(day: Day(number: 20_781)))),
    personal("post.day: not any more", .day(nil)),
    personal("post.note", .note("the blue one\nnot the red one")),
    personal("post.note: not any more", .note("")),
    personal("post.watch", .watch(true)),
    personal("post.watch: not any more", .watch(false)),
    Sample("category.move", .category(.move(ID.category, before: CategoryID(ID.uuid(0xc2))))),
    Sample("category.move: behind all others", .category(.move(ID.category, before: nil))),
    settings("settings.edit", from: PersonalSettings(user: ID.author), to: settings),
    settings(
      "settings.edit: as for everybody", from: settings, to: PersonalSettings(user: ID.author)),
    level("nothing of a group", .group(ID.group), .none),
    level("nothing of what one user does, for a while", .user(ID.editor), .none, until: soon),
    level("all of a list, whatever holds for its group", .category(ID.category), .all),
  ]

  private static let soon = Timestamp(milliseconds: 1_790_009_000_000)

  /// Returns a request with the first level only, because it has one at most.
  private static func settings(
    _ name: String, from old: PersonalSettings, to new: PersonalSettings
  ) -> Sample<Command> {
    var edit = SettingsEdit(from: old, to: new)
    edit.levels = Array(edit.levels.prefix(1))
    return Sample(name, .account(.editSettings(edit)))
  }

  private static func level(
    _ name: String, _ about: StreamID, _ level: NotificationLevel, until: Timestamp? = nil
  ) -> Sample<Command> {
    var edit = SettingsEdit()
    edit.levels = [.choose(LevelChoice(about: about, level: level, until: until))]
    return Sample("settings.edit: \(name)", .account(.editSettings(edit)))
  }

  private static func personal(_ name: String, _ change: PersonalChange) -> Sample<Command> {
    Sample(name, .changePersonal(ID.category, ID.post, change))
  }
}
