import Domain

@testable import Wire

// Random personal things.
extension RandomValues {
  mutating func address() -> PostAddress {
    PostAddress(category: CategoryID(uuid()), post: PostID(uuid()))
  }

  mutating func personal() -> Personal {
    var personal = Personal(address())
    personal.plan = bool() ? plan() : nil
    personal.reminders = bool() ? [.at(time()), .before(minutes: count())].sorted() : []
    personal.snooze = bool() ? time() : nil
    personal.day = bool() ? MyDay(day: day(), order: bool() ? count() : nil) : nil
    personal.note = string()
    personal.watch = bool()
    personal.seq = seq()
    return personal
  }

  mutating func settings() -> PersonalSettings {
    var settings = PersonalSettings(user: UserID(uuid()))
    settings.reminders = bool() ? (bool() ? [0, 60] : []) : nil
    settings.dueSoonHours = bool() ? 1 + count() % 700 : nil
    settings.defaultDue = bool() ? .today : nil
    settings.muted = bool() ? (bool() ? [.planned, .overdue] : []) : nil
    settings.digest = bool() ? ClockTime(minute: count() % 1_440) : nil
    for _ in 0..<(count() % 3) { settings.levels.apply(.choose(level())) }
    return settings
  }

  private mutating func level() -> LevelChoice {
    let places: [StreamID] = [
      .category(CategoryID(uuid())), .group(GroupID(uuid())), .user(UserID(uuid())),
    ]
    return LevelChoice(
      about: places[count() % 3], level: NotificationLevel.allCases[count() % 3],
      until: bool() ? time() : nil)
  }

  mutating func personalOp(_ kind: PersonalOp.Kind) -> PersonalOp {
    switch kind {
    case .edited:
      let address = address()
      var (old, new) = (Personal(address), Personal(address))
      old.apply(PersonalEdit(from: old, to: personal()))
      new.apply(PersonalEdit(from: new, to: personal()))
      return .edited(address, PersonalEdit(from: old, to: new))
    case .ended:
      return .ended(CategoryID(uuid()), [PostID(uuid()), PostID(uuid())])
    case .moved:
      return .moved(PostID(uuid()), from: CategoryID(uuid()), to: CategoryID(uuid()))
    case .fired: return .fired(reminded())
    case .noticeEnded: return .noticeEnded(seq: seq(), opIndex: count())
    case .kept: return .kept(reminded())
    case .keptEnded: return .keptEnded(CategoryID(uuid()), [PostID(uuid()), PostID(uuid())])
    case .digestReady: return .digestReady(day())
    case .webhookPaused: return .webhookPaused(WebhookID(uuid()), of: UserID(uuid()))
    case .assignmentAdded: return .assignmentAdded(stream(), PostID(uuid()))
    case .readMarked: return .readMarked(ReadMark(stream: stream(), seq: seq()))
    case .declinesCounted: return .declinesCounted(Declines(stream: stream(), times: count()))
    case .settings:
      return .settings(SettingsEdit(from: settings(), to: settings()))
    }
  }

  mutating func reminded() -> Reminded {
    let kinds = ReminderKind.allCases
    return Reminded(address: address(), kind: kinds[count() % kinds.count], at: time())
  }

  private mutating func plan() -> Plan? {
    Plan(
      at: bool() ? .time(day(), minute: count() % 1_440, zone: string()) : nil,
      minutes: bool() ? count() : nil)
  }

  private mutating func day() -> Day { Day(number: 20_000 + count() % 1_000) }
}
