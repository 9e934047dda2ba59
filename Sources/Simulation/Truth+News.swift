// Checks of what a person is told in answer to `notification.list`: each notification comes from its event and is told
// once, and none is told that the person has muted.

import Domain
import Sync
import Wire

extension Simulation {
  /// Checks P12, at the moment of reading.
  func checkNews(_ result: NotificationsResult, of user: UserID) {
    // A reader may see what is in doubt.
    guard truth.inDoubt.isEmpty else { return }
    // The clock of the reader may be a little later.
    let (levels, later) = (levels(of: user, after: 0), levels(of: user, after: 5_000))
    for list in result.lists {
      guard let stream = truth.streams[list.stream], stream.horizon == 0 else { continue }
      let viewer = Viewer(user: user, joinedSeq: stream.joinedSeq(user))
      for it in list.notifications {
        count(.p12News)
        let event = stream.events[Int(it.seq) - 1]
        guard notify(event, in: list.stream, viewer: viewer).contains(it) else {
          return fail("P12 \(user) is told of \(it.seq) in \(list.stream) what is not there")
        }
      }
      if list.notifications.isEmpty, list.unread.count > 0, !levels.isEmpty { count(.p12Muted) }
      let all = min(list.unread.count, Workload.newsMax)
      let isToldAll =
        levels.isEmpty && NotificationLevel(ofPlaceWith: memberCount(of: list.stream)) == .all
      if isToldAll, !list.unread.more, list.notifications.count < all {
        return fail("P12 \(user) has muted nothing, and is not told all of \(list.stream)")
      }
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
    return post.concerns(member, personal)
  }
}
