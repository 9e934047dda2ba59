import Domain

// A person types of which list, group, person or bot they want to be told less.

/// A thing of which one is told.
enum LevelTarget: Equatable {
  case place(Reference)
  case person(String)
  /// The number of a choice in `/mute`.
  case number(Int)
}

/// The level that somebody chooses for it.
struct LevelWish: Equatable {
  let target: LevelTarget
  /// Nil takes away what was chosen.
  let level: NotificationLevel?
  var until: ReminderWish?
}

extension Words {
  /// Reads `#LIST`, `GROUP` or `@PERSON`, and behind it nothing, `directed`, a time, both, `all` or `off`. No words
  /// show the choices. `NUMBER off` takes one of these away.
  mutating func level() -> Action? {
    if let number = number() {
      guard skip("off") else { return nil }
      return done(.account(.level(LevelWish(target: .number(number), level: nil))))
    }
    guard let name = next() else { return .account(.levels) }
    let target: LevelTarget
    if name.hasPrefix("@") {
      guard name.count > 1 else { return nil }
      target = .person(String(name.dropFirst()).lowercased())
    } else {
      target = .place(Reference(name))
    }
    var wish = LevelWish(target: target, level: NotificationLevel.none)
    if skip("off") { return done(.account(.level(LevelWish(target: target, level: nil)))) }
    if skip("all") { return done(.account(.level(LevelWish(target: target, level: .all)))) }
    if skip("directed") { wish = LevelWish(target: target, level: .directed) }
    if let text = rest() {
      guard let until = ReminderWish(text) else { return nil }
      wish.until = until
    }
    return .account(.level(wish))
  }

  /// Reads `mute #LIST …` or `mute @PERSON …`, which `/settings` takes too. For anything else it takes no word and
  /// returns nil.
  mutating func levelSetting() -> Action? {
    var words = self
    guard words.skip("mute"), let first = words.peek(), first.hasPrefix("#") || first.hasPrefix("@")
    else { return nil }
    let action = words.level()
    if action != nil { self = words }
    return action
  }
}
