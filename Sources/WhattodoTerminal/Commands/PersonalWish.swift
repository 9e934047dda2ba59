import Domain
import QuickAdd

// A private setting of a post (note, plan, reminder), as a person types it. The meaning of a day depends on the moment
// at which it is typed.

enum PersonalWish: Equatable {
  /// Plans the post for a time, or takes it on for a day when no time is given; nil without minutes takes both away.
  case plan(DueWish?, minutes: Int?)
  case remind(ReminderWish)
  case forget(ReminderWish)
  /// Removes all reminders of the post.
  case forgetAll
  /// Silences the post until then; nil ends the silence.
  case snooze(ReminderWish?)
  case watch(Bool)
  /// Sets the private note; an empty text removes it.
  case note(String)
}

extension PersonalWish {
  /// Reads `WHEN`, `WHEN for 50m` or `for 50m`; nil for anything else.
  init?(plan typed: String) {
    var text = typed
    var minutes: Int?
    let parts = typed.split(separator: " ").map(String.init)
    if parts.count >= 2, parts[parts.count - 2] == "for" {
      guard let length = Minutes.read(parts[parts.count - 1]),
        (1...Limits.planMinutesMax).contains(length)
      else { return nil }
      minutes = length
      text = parts.dropLast(2).joined(separator: " ")
    }
    guard !text.isEmpty else {
      self = .plan(nil, minutes: minutes)
      return
    }
    guard let when = DueWish(text) else { return nil }
    self = .plan(when, minutes: minutes)
  }
}

/// A time for a reminder: `1d`, `2h`, `30m` before the due, or `fri 18:00`.
enum ReminderWish: Equatable {
  case minutes(Int)
  case at(DueWish)

  /// Reads such a time; nil for anything else.
  init?(_ text: String) {
    let word = text.hasSuffix(" before") ? String(text.dropLast(7)) : text
    if let minutes = Minutes.read(word), minutes <= Limits.reminderMinutesMax {
      self = .minutes(minutes)
    } else if let wish = DueWish(text) {
      self = .at(wish)
    } else {
      return nil
    }
  }
}

/// Reads and writes lengths of time as people write them.
enum Minutes {
  private static let units: [Character: Int] = ["m": 1, "h": 60, "d": 1_440, "w": 10_080]

  /// Reads `50m`, `2h`, `1h30`, `1d` or `2w` as minutes; nil for anything else.
  static func read(_ text: String) -> Int? {
    let head = text.prefix { $0.isASCII && $0.isNumber }
    guard (1...4).contains(head.count), let count = Int(head),
      let unit = text.dropFirst(head.count).first, let factor = units[unit]
    else { return nil }
    let tail = text.dropFirst(head.count + 1)
    guard !tail.isEmpty else { return count * factor }
    guard unit == "h", tail.count == 2, tail.allSatisfy({ $0.isASCII && $0.isNumber }),
      let more = Int(tail), more < 60
    else { return nil }
    return count * factor + more
  }

  static func words(_ minutes: Int) -> String {
    switch minutes {
    case 0: "at the time"
    case _ where minutes % 10_080 == 0: "\(minutes / 10_080)w"
    case _ where minutes % 1_440 == 0: "\(minutes / 1_440)d"
    case _ where minutes % 60 == 0: "\(minutes / 60)h"
    case 61...1_439: "\(minutes / 60)h\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    default: "\(minutes)m"
    }
  }
}

/// The request of `/settings`.
enum SettingsWish: Equatable {
  case show
  case edit(SettingsEdit)
}

extension Words {
  /// Reads `remind 1d 1h`, `remind off`, `soon 24h`, `due today`, `mute overdue`, `digest 18:00` or `digest off`. Each
  /// also takes `default`. No words, or a field without a value, show the settings. Nil when the words match none of
  /// these.
  mutating func settings() -> SettingsWish? {
    guard let field = next() else { return .show }
    if isAtEnd, ["remind", "soon", "due", "mute", "digest"].contains(field) { return .show }
    var words: [String] = []
    while let word = next() { words.append(word.lowercased()) }
    guard let first = words.first else { return nil }
    var edit = SettingsEdit()
    let isDefault = words == ["default"]
    let isNone = words == ["none"] || words == ["off"]
    switch field {
    case "remind":
      let minutes = words.compactMap(Minutes.read).filter { $0 <= Limits.reminderMinutesMax }
      guard isDefault || isNone || minutes.count == words.count,
        minutes.count <= Limits.defaultRemindersMax
      else { return nil }
      edit.reminders = isDefault ? .clear : .set(Set(minutes).sorted())
    case "soon":
      guard words.count == 1 else { return nil }
      guard !isDefault else {
        edit.dueSoonHours = .clear
        break
      }
      // Half an hour more or less would not be what was typed.
      guard let minutes = Minutes.read(first), minutes.isMultiple(of: 60),
        case let hours = minutes / 60, (1...Limits.dueSoonHoursMax).contains(hours)
      else { return nil }
      edit.dueSoonHours = .set(hours)
    case "due":
      guard words.count == 1,
        let due = isDefault || isNone ? DefaultDue.none : DefaultDue(rawValue: first)
      else { return nil }
      edit.defaultDue = isDefault ? .clear : .set(due)
    case "mute":
      let kinds = words.compactMap { ReminderKind(rawValue: $0) }.filter(\.canBeMuted)
      guard isDefault || isNone || kinds.count == words.count else { return nil }
      edit.muted = isDefault ? .clear : .set(ReminderKind.allCases.filter { kinds.contains($0) })
    case "digest":
      let isOff = isDefault || isNone
      let time: FieldChange<ClockTime>? = isOff ? .clear : ClockTime(first).map { .set($0) }
      guard words.count == 1, let time else { return nil }
      edit.digest = time
    default: return nil
    }
    return .edit(edit)
  }
}
