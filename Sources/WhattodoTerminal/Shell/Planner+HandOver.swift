import Domain

// Plans to hand over the work of one person to another.

extension Planner {
  /// Plans that the open posts of one list, or of all, that are one person's work become another's. It is one command
  /// for as many posts as fit into a batch.
  func handOver(
    from giver: String, to taker: String, in reference: Reference?
  ) throws(Problem) -> [PlannedRequest] {
    let (giver, taker) = (try situation.person(giver), try situation.person(taker))
    guard giver.id != taker.id else { throw Problem("@\(giver.username) has it already") }
    let list = try reference.map { (it) throws(Problem) in try situation.list(it) }
    var posts: [[PlannedChange]] = []
    for it in list.map({ [$0] }) ?? situation.catalog.lists {
      posts += try handOver(from: giver, to: taker, in: it)
    }
    guard !posts.isEmpty else {
      let place = list.map { "in \($0.tag)" } ?? "in your lists"
      throw Problem("no open post is @\(giver.username)'s work \(place)")
    }
    let together = Limits.batchCommandsMax / 2
    var requests: [PlannedRequest] = []
    for start in stride(from: 0, to: posts.count, by: together) {
      requests.append(
        try self.together(posts[start..<min(start + together, posts.count)].flatMap { $0 }))
    }
    return requests
  }

  private func handOver(
    from giver: Member, to taker: Member, in list: Category
  ) throws(Problem) -> [[PlannedChange]] {
    guard let state = situation.streams[.category(list.id)] else { return [] }
    let work = state.openPosts.filter { state.assignees(of: $0).contains { $0.id == giver.id } }
    guard !work.isEmpty else { return [] }
    guard state.member(taker.id)?.role != nil else {
      throw Problem("@\(taker.username) is not in \(list.tag): nothing is handed over")
    }
    return work.map { [assigning($0, to: taker, list), unassigning($0, from: giver, list)] }
  }
}
