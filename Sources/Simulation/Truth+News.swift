// Checks of what a person is told in answer to `notification.list`: each notification comes from its event and is told
// once, none is told that the person has muted, and none of the newest is missing.

import Domain
import Sync
import Wire

extension Simulation {
  /// Checks P12, at the moment of reading.
  func checkNews(_ result: NotificationsResult, of user: UserID) {
    // A reader may see what is in doubt, and nothing is left of an account that has ended.
    guard truth.inDoubt.isEmpty, truth.streams[.user(user)]?.isDropped == false else { return }
    // The clock of the reader may be a little later.
    let (levels, later) = (levels(of: user, after: 0), levels(of: user, after: 5_000))
    for list in result.lists {
      guard let stream = truth.streams[list.stream], stream.horizon == 0 else { continue }
      let viewer = Viewer(user: user, joinedSeq: stream.joinedSeq(user))
      for it in list.notifications {
        count(.p12News)
        let event = stream.events[Int(it.seq) - 1]
        guard stream.news(of: event, to: viewer).contains(it) else {
          return fail("P12 \(user) is told of \(it.seq) in \(list.stream) what is not there")
        }
      }
      if list.notifications.isEmpty, list.unread.count > 0, !levels.isEmpty { count(.p12Muted) }
    }
    var told: Set<String> = []
    for it in result.lists.flatMap(\.notifications) + result.directed {
      guard told.insert("\(it.stream) \(it.seq) \(it.opIndex)").inserted else {
        return fail("P12 \(user) is told twice of \(it.seq) in \(it.stream)")
      }
      guard [levels, later].contains(where: { tells($0, it, user) }) else {
        return fail("P12 \(user) is told of \(it.seq) in \(it.stream), which they have muted")
      }
    }
    // A choice that ends between both moments tells one notification or another.
    if levels == later { checkNoneIsLost(result, of: user, levels) }
  }

  /// Checks that the newest notifications are told, in each list and of those in the person's `u:`.
  private func checkNoneIsLost(
    _ result: NotificationsResult, of user: UserID, _ levels: NotificationLevels
  ) {
    let lists = Dictionary(uniqueKeysWithValues: result.lists.map { ($0.stream, $0) })
    for name in truth.order where name != .user(user) {
      guard let stream = truth.streams[name], stream.isMember(user), stream.horizon == 0,
        !isArchived(name)
      else { continue }
      let list = lists[name]
      // Where there is more to read, or lists were left out, nobody says what is missing.
      if list?.unread.more ?? result.more { continue }
      let newest = newestNews(of: stream, to: user, levels)
      if !newest.isEmpty { count(.p12NoneLost) }
      guard list?.notifications ?? [] == newest else {
        let told = list?.notifications.map { "\($0.kind) \($0.seq)" } ?? []
        let missing = newest.map { "\($0.kind) \($0.seq)" }
        return fail("P12 \(user) is told \(told) of \(name), and the newest are \(missing)")
      }
    }
    let notices = newestNotices(of: user, levels)
    guard result.directed == notices else {
      let told = result.directed.map { "\($0.kind) \($0.seq)" }
      let missing = notices.map { "\($0.kind) \($0.seq)" }
      return fail("P12 \(user) is told \(told), and the newest that are meant are \(missing)")
    }
  }

  /// Returns the newest notifications of a stream that are unread and told, newest first, each progress once.
  private func newestNews(
    of stream: StreamTruth, to user: UserID, _ levels: NotificationLevels
  ) -> [Domain.Notification] {
    let joined = stream.joinedSeq(user)
    var mark: Int64 = 0
    if case .readMark(let it)? = truth.streams[.user(user)]?.state.object(
      .readMark, stream.state.stream.uuid)
    {
      mark = it.seq
    }
    let unread = stream.events.dropFirst(Int(max(mark, joined)))
    let told = unread.flatMap { event in
      stream.news(of: event, to: Viewer(user: user, joinedSeq: joined))
    }.filter { tells(levels, $0, user) }
    var newest: [Domain.Notification] = []
    for it in told.reversed() where newest.count < Workload.newsMax {
      let isThere = it.progress != nil && newest.contains { $0.progress == it.progress }
      if !isThere { newest.append(it) }
    }
    return newest
  }

  private func newestNotices(
    of user: UserID, _ levels: NotificationLevels
  ) -> [Domain.Notification] {
    let objects = truth.streams[.user(user)]?.state.objects.values.map { $0 } ?? []
    let told = objects.compactMap { object in
      if case .notice(let it) = object { Domain.Notification(it, to: user) } else { nil }
    }.filter { tells(levels, $0, user) }
    let newest = told.sorted { ($0.seq, $0.opIndex) > ($1.seq, $1.opIndex) }
    return Array(newest.prefix(Workload.newsMax))
  }

  private func isArchived(_ place: StreamID) -> Bool {
    guard case .category(let it)? = truth.streams[place]?.state.object(.category, place.uuid)
    else { return false }
    return it.archived != nil
  }

  private func tells(
    _ levels: NotificationLevels, _ it: Domain.Notification, _ user: UserID
  ) -> Bool {
    levels.tells(it, in: group(of: it.about), members: memberCount(of: it.place)) {
      concerns($0, user)
    }
  }

  private func memberCount(of place: StreamID) -> Int {
    truth.streams[place]?.state.memberCount ?? 0
  }

  private func levels(of user: UserID, after milliseconds: Int64) -> NotificationLevels {
    let later = Timestamp(milliseconds: moment.wall.milliseconds + milliseconds)
    guard case .settings(let it)? = truth.streams[.user(user)]?.state.object(.settings, user.uuid)
    else { return .standard }
    return NotificationLevels(it, at: later)
  }

  private func group(of place: StreamID) -> StreamID? {
    guard case .category(let it)? = truth.streams[place]?.state.object(.category, place.uuid)
    else { return nil }
    return it.group.map { .group($0) }
  }

  private func concerns(_ it: Domain.Notification, _ user: UserID) -> Bool {
    guard let id = it.post, case .category(let list) = it.stream,
      let state = truth.streams[it.stream]?.state,
      case .post(let post)? = state.object(.post, id.uuid),
      case .member(let member)? = state.object(.member, user.uuid)
    else { return false }
    let address = PostAddress(category: list, post: id)
    let said = truth.streams[.user(user)]?.state.objects[address.personalKey]
    var personal: Personal?
    if case .personal(let it)? = said, it.address == address { personal = it }
    return it.concerns(member, by: post, personal)
  }
}
