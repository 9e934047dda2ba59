import Client
import Domain
import Screen
import Wire

// How much one is told of a list, a group or somebody (Domain/Notify/NotificationLevel.swift): the rule for what
// arrives, and its lines.

extension Situation {
  var levels: NotificationLevels { NotificationLevels(settings, at: clock.now) }

  /// Returns what the chat shows of an event: nil when it is nothing. Each op is shown or not by itself, because one
  /// event may be about several lists.
  func shown(_ applied: AppliedEvent, in stream: StreamID) -> AppliedEvent? {
    guard applied.event.by != me, !levels.isEmpty || standardLevel(of: stream) < .all else {
      return applied
    }
    // One looks at the open list, so all is shown of it, but for what muted people do.
    let levels = stream == open.map { .category($0) } ? levels.withAll(of: stream) : levels
    let shown = applied.event.ops.indices.filter { shows($0, of: applied, in: stream, levels) }
    guard shown.count < applied.event.ops.count else { return applied }
    guard !shown.isEmpty else { return nil }
    let event = applied.event
    return AppliedEvent(
      event: Event(
        seq: event.seq, transaction: event.transaction, at: event.at, by: event.by, key: event.key,
        undoes: event.undoes, ops: shown.map { event.ops[$0] }),
      changes: applied.changes,
      notifications: applied.notifications.filter { shown.contains($0.opIndex) })
  }

  private func shows(
    _ index: Int, of applied: AppliedEvent, in stream: StreamID, _ levels: NotificationLevels
  ) -> Bool {
    let told = applied.notifications.filter { $0.opIndex == index }
    guard told.isEmpty else { return told.contains { tells($0, levels) } }
    if case .user = stream { return true }
    let ofActor = applied.event.by.map { levels.level(ofUser: $0) } ?? .all
    let level = min(self.level(of: stream, levels), ofActor)
    return level >= leastLevel(toShow: applied.event.ops[index])
  }

  /// Returns the least level at which an op has a line that is no notification. The line of a list stands for what
  /// one's own stream tells as well: that one has another role or is out, and that a post is one's own work.
  private func leastLevel(toShow op: Op) -> NotificationLevel {
    switch op {
    case .member(.removed(me, _, _)), .member(.granted(me, _)): .none
    case .category(.removed), .category(.archived), .group(.removed): .none
    case .post(.marked(_, _, .assigned(me))): .directed
    default: .all
    }
  }

  /// Answers whether one is told of a notification now.
  func tells(_ it: Notification) -> Bool { tells(it, levels) }

  private func tells(_ it: Notification, _ levels: NotificationLevels) -> Bool {
    levels.tells(
      it, in: group(of: it.about), members: memberCount(of: it.place), concerns: concerns)
  }

  private func group(of place: StreamID) -> StreamID? {
    streams[place]?.category?.group.map { .group($0) }
  }

  /// Returns the level of a list or group.
  func level(of place: StreamID) -> NotificationLevel { level(of: place, levels) }

  private func level(of place: StreamID, _ levels: NotificationLevels) -> NotificationLevel {
    levels.level(of: place, in: group(of: place), members: memberCount(of: place))
  }

  /// Returns the level that a list or group has when nothing is chosen about it.
  private func standardLevel(of place: StreamID) -> NotificationLevel {
    NotificationLevel(ofPlaceWith: memberCount(of: place))
  }

  fileprivate func memberCount(of place: StreamID) -> Int {
    streams[place]?.memberCount ?? 0
  }

  /// The lists and groups that have so many members that one is told only what is meant for one, without a choice.
  fileprivate var largePlaces: [StreamID] {
    catalog.places.map(\.stream).filter {
      levels.chosen(of: $0, in: group(of: $0)) == nil && standardLevel(of: $0) < .all
    }
  }

  /// Returns the choice that gives a list its level, its own or that of its group; nil when nothing is chosen.
  func levelChoice(of place: StreamID) -> LevelChoice? {
    let chosen = chosenLevels
    let ofGroup = chosen.first { $0.about == group(of: place) }
    return chosen.first { $0.about == place } ?? ofGroup
  }

  /// The choices that hold now, in the order of their numbers on the screen.
  var chosenLevels: [LevelChoice] { settings.levels.filter { $0.holds(at: clock.now) } }

  /// Returns `you are told nothing of #builds until 18:00`.
  func words(of change: LevelChange) -> Phrase {
    let name = levelName(change.about) ?? "something that is gone"
    guard case .choose(let it) = change else {
      let ofGroup = group(of: change.about).flatMap { levels.chosen(of: $0, in: nil) }
      let ofSize = ofGroup == nil ? wordsOfSize(of: change.about) : nil
      return ofSize ?? "\(name) is not muted any more"
    }
    let until = it.until.map { " until \(clock.moment($0))" } ?? ""
    return switch it.level {
    case .all: "you are told all of \(name)\(until)"
    case .directed: "of \(name) you are told only what is meant for you\(until)"
    case .none: "you are told nothing of \(name)\(until)"
    }
  }

  /// Returns words for a place of which one is told less for its size, when nothing is chosen; nil for others.
  func wordsOfSize(of place: StreamID) -> Phrase? {
    guard standardLevel(of: place) < .all else { return nil }
    return "of \(label(place)) you are told only what is meant for you: it has "
      + "\(memberCount(of: place)) members"
  }

  /// Nil for what is in no copy any more.
  fileprivate func levelName(_ about: StreamID) -> String? {
    guard case .user(let user) = about else { return streams[about].map { _ in label(about) } }
    let name = name(of: user, in: about)
    return name.hasPrefix("@") ? name : nil
  }
}

enum LevelLines {
  /// The lines of `/mute`: the choices, and below them the places whose size alone says how much one is told.
  static func all(_ situation: Situation) -> [Line] {
    choices(situation)
      + situation.largePlaces.map { place in
        Line("     \(ListLines.pad(situation.label(place), 24))", .strong).and(
          "only what is meant for you is told (\(situation.memberCount(of: place)) members)", .dim)
      }
  }

  private static func choices(_ situation: Situation) -> [Line] {
    let chosen = situation.chosenLevels
    guard !chosen.isEmpty else {
      return [Line("nothing is muted: /mute #LIST, GROUP or @PERSON does it", .dim)]
    }
    return chosen.enumerated().map { index, it in
      let until = it.until.map { " until \(situation.clock.moment($0))" } ?? ""
      let name = situation.levelName(it.about) ?? "(gone)"
      return Line("\(ListLines.pad("\(index + 1)", 3, right: true))  ", .dim)
        .and("\(ListLines.pad(name, 24))", .strong).and("\(it.level.words)\(until)", .dim)
    }
  }

  /// Returns what stands behind the number of new events of a list: how many of them are shown, `told`.
  static func head(_ list: UnreadList, told: Int, _ situation: Situation) -> Phrase {
    guard told < list.unread.count else { return "" }
    switch situation.level(of: list.stream) {
    case .none: return ", muted"
    case .directed: return told == 0 ? ", none for you" : ", \(told) for you:"
    case .all: break
    }
    let mutes = situation.chosenLevels.contains { $0.about.letter == UInt8(ascii: "u") }
    guard mutes else { return ", the last \(told):" }
    return told == 0 ? ", all of muted people" : ", \(told) of them:"
  }
}

extension NotificationLevel {
  fileprivate var words: String {
    switch self {
    case .all: "all is told"
    case .directed: "only what is meant for you is told"
    case .none: "muted"
    }
  }
}

extension JSONOutput {
  /// Writes the choices. A thing that is in no copy any more has no name.
  static func levels(_ situation: Situation, _ writer: inout JSONWriter) {
    writer.array("levels", situation.chosenLevels) { it, writer in
      writer.place(it.about, situation)
      if case .user = it.about, let name = situation.levelName(it.about) {
        writer.member("username", String(name.dropFirst()))
      }
      writer.member("level", it.level.rawValue)
      if let until = it.until { writer.member("until", Int(until.milliseconds)) }
    }
  }
}
