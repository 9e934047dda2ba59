import Client
import Domain
import Screen

// Lines about removed posts, lists and groups, and about posts that are purged.

extension EventLines {
  /// Returns one line for all purged posts of an event, because their titles are gone.
  func purged(_ applied: AppliedEvent, in stream: StreamID) -> [Line] {
    let count = applied.event.ops.count { op in
      if case .post(.purged) = op { true } else { false }
    }
    guard count > 0 else { return [] }
    let what: Phrase = count == 1 ? "a removed post is" : "\(count) removed posts are"
    return [Line("\(what) gone from the bin of \(situation.label(stream)) for good", .dim)]
  }
}

extension ListLines {
  /// The lines of the bin, whose posts are in no copy. Each has the day on which it is purged, if there is one.
  static func removed(
    _ posts: [Post], of list: Category, keptFor days: Int?, _ clock: Clock
  ) -> [Line] {
    guard !posts.isEmpty else { return [Line("the bin of \(list.tag) is empty", .dim)] }
    return [Line("removed from \(list.tag); /restore NUMBER brings one back", .dim)]
      + posts.map { post in
        var line = Line("\(pad("#\(post.number)", 6, right: true))  ", .dim, hang: 8)
          .and("\(post.shownTitle)")
        if let days, let since = post.binned {
          let end = Timestamp(milliseconds: since.milliseconds + Int64(days) * 86_400_000)
          line.add("  gone for good on \(clock.day(end))", .dim)
        }
        return line
      }
  }
}

// Lines about removed lists and groups. A number tells those of the same name apart.
extension ListLines {
  /// Returns the lists in the order of their removal. The first removed list has number 1, so numbers stay when another
  /// list is removed.
  static func inOrder(_ removed: [Category]) -> [Category] {
    removed.sorted {
      ($0.removed?.at ?? $0.added.at, $0.id) < ($1.removed?.at ?? $1.added.at, $1.id)
    }
  }

  /// The lines of `/bin lists`.
  static func removed(_ lists: [Category], _ situation: Situation) -> [Line] {
    let lists = inOrder(lists)
    let groups = situation.catalog.removedGroups
    guard !lists.isEmpty || !groups.isEmpty else {
      return [Line("no list or group of yours is removed", .dim)]
    }
    var rows = [Line("removed lists and groups, the last ones at the bottom:", .dim)]
    for (index, list) in lists.enumerated() {
      let isOnly = lists.count { $0.isCalled(list.name) } == 1
      let way = isOnly ? "/restore \(list.tag)" : "/restore list \(index + 1)"
      rows.append(removed(index + 1, list.tag, list.removed, way, situation))
    }
    for group in groups {
      let isOnly = groups.count { $0.isCalled(group.name) } == 1
      let number = situation.shown.removedGroups.number(of: group, among: groups)
      let way = "/group restore \(isOnly ? group.name.oneWord : "\(number)")"
      rows.append(removed(number, group.name, group.removed, way, situation))
    }
    return rows
  }

  private static func removed(
    _ number: Int, _ name: String, _ stamp: Stamp?, _ way: String, _ situation: Situation
  ) -> Line {
    let since = stamp.map { "since \(situation.clock.moment($0.at))" } ?? ""
    return Line("\(pad("\(number)", 3, right: true))  ", .dim, hang: 5)
      .and("\(pad(name, 24))", .strong).and("\(pad(since, 15))", .dim).and("\(way)", .dim)
  }

  /// Returns the removed list with this whole name or number. Throws when there is none, or several of that name.
  static func removedList(
    _ reference: Reference, among removed: [Category],
    numbered shown: ShownOrder<Category> = ShownOrder()
  ) throws(Problem) -> Category {
    let removed = inOrder(removed)
    guard reference.isList else {
      guard let number = Int(reference.text), let list = shown.pick(number, among: removed) else {
        throw Problem("there is no removed list \(reference.text); /bin lists shows them")
      }
      return list
    }
    let called = removed.filter { $0.isCalled(reference.text) }
    guard let only = called.first else {
      throw Problem("no removed list is called \(reference.text); /bin lists shows them")
    }
    guard called.count == 1 else {
      throw Problem(
        "several removed lists are called \(reference.text): "
          + "/restore list NUMBER, as /bin lists says")
    }
    return only
  }
}

extension Category {
  fileprivate func isCalled(_ name: String) -> Bool {
    self.name.oneWord.lowercased() == name.oneWord.lowercased()
  }
}
