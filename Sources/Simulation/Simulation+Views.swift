// Views (protocol §8, post.query and agenda.get), compared with a look at every post that the log has made.

import Calendar
import Domain
import Sync
import Wire

extension Workload {
  func view(_ device: Device) -> Query? {
    let world = device.world
    let lists = device.streams.compactMap(\.category)
    let named = world.random.happens(250) ? world.random.pick(lists).map { [$0] } : nil
    let days = lists.flatMap { dues(of: $0, device) }
    let day = world.random.pick(days) ?? Day(number: 20_700)
    let zone = world.random.pick(["UTC", "Etc/GMT-9", "Etc/GMT+11"])
    if !days.isEmpty, world.random.happens(400) {
      let first = day.adding(days: -world.random.below(10))
      let last = day.adding(days: world.random.below(50))
      return .agenda(AgendaQuery(from: first, to: last, in: named, zone: zone))
    }
    var criteria = PostWhere(state: world.random.pick(PostState.allCases) ?? .open)
    if world.random.happens(500) { criteria.state = .open }
    if world.random.happens(80) { criteria.by = .me }
    if world.random.happens(100) { criteria.assignee = .me }
    if world.random.happens(100) { criteria.priority = world.random.pick(Priority.allCases) }
    if world.random.happens(80), let list = world.random.pick(lists) {
      criteria.tag = world.random.pick(tags(of: list, device))
    }
    if world.random.happens(200) {
      criteria.due =
        world.random.happens(500)
        ? DueWindow(until: .day(day)) : DueWindow(from: .moment(world.moment.wall))
    }
    let sorts = named == nil ? [.created, .due, .priority] : ViewSort.allCases
    let sort = criteria.state == .open ? world.random.pick(sorts) : nil
    return .view(ViewQuery(criteria, in: named, sort: sort ?? .created, zone: zone))
  }

  private func dues(of list: CategoryID, _ device: Device) -> [Day] {
    device.objects(of: .category(list)).compactMap { object in
      if case .post(let post) = object { post.due?.day } else { nil }
    }
  }

  private func tags(of list: CategoryID, _ device: Device) -> [TagID] {
    device.objects(of: .category(list)).compactMap { object in
      if case .tag(let tag) = object { tag.id } else { nil }
    }
  }
}

extension Simulation {
  /// Checks P9 and P10, at the moment of reading.
  func checkView(
    _ user: UserID, _ query: ViewQuery, _ answer: [UInt8], _ duesAreSettled: Bool
  ) {
    guard let result = read(answer, to: "a view", ViewResult.init(decoding:)) else { return }
    for line in result.found where truth.streams[.category(line.category)]?.isMember(user) != true {
      return fail("P9 somebody who is no member sees a post of \(line.category)")
    }
    // A replica knows nothing of removed posts.
    guard query.criteria.state != .bin, duesAreSettled else { return }
    compare(result, user, query)
  }

  private func compare(_ result: ViewResult, _ user: UserID, _ query: ViewQuery) {
    let lists = viewedLists(by: user, query.categories, query.criteria)
    let view = PostView(
      query, in: lists, for: user, zone: query.zone ?? "UTC", limit: query.limit, .system)
    var expected: [ViewedPost] = []
    for list in lists {
      for post in posts(of: list.category) where view.shows(post, in: list) {
        expected.append(ViewedPost(post, at: view.place(of: post, in: list)))
      }
    }
    expected.sort { $0.place < $1.place }
    count(.p10Viewed, result.found.count)
    let isSame =
      zip(expected, result.found).allSatisfy { $0.post == $1.post }
      && result.found.count <= expected.count
    if !isSame || (result.after == nil && expected.count != result.found.count) {
      fail("P10 a view has \(result.found.count) of \(expected.count) posts: \(query)")
    }
  }

  func checkAgenda(
    _ user: UserID, _ query: AgendaQuery, _ answer: [UInt8], _ duesAreSettled: Bool
  ) {
    guard let result = read(answer, to: "an agenda", AgendaResult.init(decoding:)) else { return }
    count(.p10Due, result.days.count)
    guard duesAreSettled else { return }
    var open: [Day: Int] = [:]
    for list in viewedLists(by: user, query.categories, PostWhere()) {
      for post in posts(of: list.category) where post.completed == nil {
        guard let due = post.due,
          let deadline = due.deadline(categoryZone: list.zone, almanac: .system)
        else { continue }
        let day = due.shownDay(deadline: deadline, zone: query.zone ?? "UTC", almanac: .system)
        if (query.from...query.to).contains(day) { open[day, default: 0] += 1 }
      }
    }
    let found = Dictionary(result.days.map { ($0.day, $0.open) }) { first, _ in first }
    if found != open { fail("P10 an agenda has \(found) and not \(open)") }
  }

  /// Reads the answer to a question; nil for anything else, which fails the run.
  func read<Value>(
    _ answer: [UInt8], to question: String, _ read: (JSONNode) throws(WireError) -> Value
  ) -> Value? {
    do throws(WireError) {
      if case .result(_, let node) = try ServerMessage(decoding: answer) { return try read(node) }
      fail("P10 \(question) is answered with something else")
    } catch {
      fail("P10 \(question) is answered with what cannot be read: \(error)")
    }
    return nil
  }

  private func posts(of list: CategoryID) -> [Post] {
    (truth.streams[.category(list)]?.state.objects.values).map { objects in
      objects.compactMap { if case .post(let post) = $0 { post } else { nil } }
    } ?? []
  }

  /// Returns the lists of a view, in the order of the ids.
  private func viewedLists(
    by user: UserID, _ named: [CategoryID]?, _ criteria: PostWhere
  ) -> [ViewedList] {
    truth.order.compactMap { stream -> ViewedList? in
      guard case .category(let category) = stream, let list = truth.streams[stream],
        list.isMember(user), named?.contains(category) ?? true,
        case .category(let head) = list.state.object(.category, category.uuid),
        head.isActive,
        case .member(let member) = list.state.object(.member, user.uuid)
      else { return nil }
      if let tag = criteria.tag, list.state.object(.tag, tag.uuid) == nil { return nil }
      return ViewedList(category: category, zone: head.zone, assignedFrom: member.joinedSeq)
    }
  }
}
