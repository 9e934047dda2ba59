import Domain
import Sync

// Commands about what people say of posts to themselves.
extension Workload {
  /// Says something of a post that the device sees, or changes the settings.
  func personal(in category: CategoryID, _ device: Device) -> Command? {
    let world = device.world
    if world.random.happens(400) {
      return .account(.editSettings(settings(of: device)))
    }
    if world.random.happens(640) { return arrange(category, device) }
    let posts = device.objects(of: .category(category)).compactMap { object -> PostID? in
      if case .post(let post) = object { post.id } else { nil }
    }
    let change = Workload.personalChange(&world.random, now: world.moment.wall)
    return world.random.pick(posts).map { .changePersonal(category, $0, change) }
  }

  /// Moves a list among one's own lists: before another one, or behind all.
  private func arrange(_ category: CategoryID, _ device: Device) -> Command {
    let others = device.objects(of: .user(device.person.id)).compactMap { object -> CategoryID? in
      guard case .membership(let it) = object, it.stream != .category(category) else { return nil }
      return it.stream.category
    }
    let isInFront = device.world.random.happens(750)
    return .category(.move(category, before: isInFront ? device.world.random.pick(others) : nil))
  }

  private static func personalChange(_ random: inout SimRandom, now: Timestamp) -> PersonalChange {
    let soon = Timestamp(milliseconds: now.milliseconds + Int64(random.below(20_000)))
    let day = Day(number: 20_700 + random.below(200))
    switch random.below(12) {
    case 0: return .plan(random.happens(300) ? nil : Plan(at: Workload.time(at: soon), minutes: 50))
    case 1: return .forget(.before(minutes: 60))
    case 2, 3, 4: return .remind(.at(soon))
    case 5, 6: return .remind(.before(minutes: random.pick([0, 1, 60]) ?? 0))
    case 7: return .snooze(until: random.happens(300) ? nil : soon)
    case 8: return .day(random.happens(300) ? nil : MyDay(day: day, order: random.below(9)))
    case 9: return .note(random.happens(300) ? "" : "note \(random.below(99))")
    default: return .watch(random.happens(700))
    }
  }

  /// Returns a time in the minute after the moment.
  private static func time(at moment: Timestamp) -> Due {
    let minutes = Int(moment.milliseconds / 60_000) + 1
    return .time(Day(number: minutes / 1_440), minute: minutes % 1_440, zone: "UTC")
  }

  private func settings(of device: Device) -> SettingsEdit {
    let world = device.world
    let wantsDigest = device.objects(of: .user(device.person.id)).contains { object in
      if case .settings(let it) = object { it.digest != nil } else { false }
    }
    // A person who wants a digest mostly leaves it so, so that its moment comes.
    let kinds = wantsDigest && world.random.happens(920) ? 4 : 24
    guard world.random.happens(330) else {
      return Workload.settings(of: kinds, &world.random, now: world.moment.wall)
    }
    var edit = SettingsEdit()
    edit.levels = [level(of: device)]
    return edit
  }

  /// Returns a level of a place that the device sees, or of somebody there.
  private func level(of device: Device) -> LevelChange {
    let world = device.world
    let places = device.streams.filter { $0 != .user(device.person.id) }
    let others = world.people.filter { $0.id != device.person.id }.map { StreamID.user($0.id) }
    let about = world.random.pick(places + others) ?? .user(device.person.id)
    if world.random.happens(200) { return .clear(about) }
    let soon = Timestamp(milliseconds: world.moment.wall.milliseconds + 60_000)
    return .choose(
      LevelChoice(
        about: about, level: world.random.pick(NotificationLevel.allCases) ?? .none,
        until: world.random.happens(500) ? soon : nil))
  }

  private static func settings(
    of kinds: Int, _ random: inout SimRandom, now: Timestamp
  ) -> SettingsEdit {
    var edit = SettingsEdit()
    switch random.below(kinds) {
    case 0: edit.reminders = random.happens(500) ? .clear : .set([0, random.below(3_000) + 1])
    case 1: edit.dueSoonHours = random.happens(500) ? .clear : .set(random.below(100) + 1)
    case 2: edit.muted = random.happens(300) ? .clear : .set([])
    case 3: edit.defaultDue = random.happens(500) ? .clear : .set(.today)
    default:
      let time = Workload.digestTime(soonAfter: now, &random)
      edit.digest = random.happens(150) ? .clear : time.map { .set($0) } ?? .keep
    }
    return edit
  }
}
