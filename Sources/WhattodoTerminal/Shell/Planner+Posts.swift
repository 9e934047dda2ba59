import Client
import Domain
import Screen
import Sync
import Wire

// Plans for posts: how they come, are done, and go.

extension Planner {
  func requests(_ action: PostAction) throws(Problem) -> [PlannedRequest] {
    switch action {
    case .quickAdd(let line): try quickAdd(line)
    case .plain(let words): try plain(words)
    case .add(let list, let title): [try add(title, to: list)]
    case .addStep(let list, let number, let text): [try addStep(text, to: number, in: list)]
    case .complete(let list, let numbers): [try complete(numbers, in: list)]
    case .completeForAll(let list, let numbers):
      [try complete(numbers, in: list, isForAll: true)]
    case .reopen(let list, let numbers): try reopen(numbers, in: list)
    case .skip(let list, let numbers): [try skip(numbers, in: list)]
    case .claim(let list, let numbers, let minutes):
      [try claim(numbers, in: list, minutes: minutes)]
    case .claimNext(let list, let minutes): [try claimNext(in: list, minutes: minutes)]
    case .release(let list, let numbers): [try release(numbers, in: list)]
    case .join(let list, let numbers): [try join(numbers, in: list)]
    case .withdraw(let list, let numbers): [try withdraw(numbers, in: list)]
    case .reach(let list, let number, let amount, let isCorrection):
      [try reach(number, in: list, amount, isCorrection: isCorrection)]
    case .react(let list, let number, let sign): [try react(number, with: sign, in: list)]
    case .move(let list, let numbers, let place): [try move(numbers, to: place, in: list)]
    case .copy(let list, let numbers, let other): [try copy(numbers, in: list, to: other)]
    case .remove(let list, let numbers): [try remove(numbers, in: list)]
    case .restore(let list, let numbers):
      [try inBin(numbers, in: list) { Report.restorePosts($0, numbers) }]
    case .purge(let list, let numbers):
      [try inBin(numbers, in: list) { Report.purgePosts($0, numbers) }]
    }
  }

  private func add(_ title: String, to reference: Reference?) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let due = situation.dueOfNew(in: list).map { FieldChange.set($0) } ?? .keep
    let post = PostAddress(category: list.id, post: PostID(Identifiers.make()))
    let command = Command.post(.add(post, NewPost(title: title, fields: PostEdit(due: due))))
    return PlannedRequest(
      request: .command(command, key: Identifiers.key()),
      report: .addedPost(post, title: title, list: list.tag))
  }

  private func complete(
    _ numbers: [PostNumber], in reference: Reference?, isForAll: Bool = false
  ) throws(Problem) -> PlannedRequest {
    try together(numbers, in: reference) { (list, number, post, step) throws(Problem) in
      try refuseHabit(post, step, in: list)
      if let step {
        return PlannedChange(
          .complete(post, in: list.id, step: step.id), "✔ \(number) \(step.content)",
          same: "\(number) is done already")
      }
      if post.mode == .each, isForAll || situation.hasNoPart(in: post, of: list) {
        return PlannedChange(
          .complete(post, in: list.id, isForAll: isForAll),
          "✔ #\(post.number) \(post.title): for all",
          same: "#\(post.number) is done already")
      }
      if post.mode == .each {
        return PlannedChange(
          .complete(post, in: list.id), "✔ #\(post.number) \(post.title): your part",
          same: "your part of #\(post.number) is done already")
      }
      if situation.submits(post, in: list) {
        return PlannedChange(
          .complete(post, in: list.id), "? #\(post.number) \(post.title): an admin confirms it",
          same: "#\(post.number) waits for an admin already")
      }
      return PlannedChange(
        .complete(post, in: list.id), "✔ #\(post.number) \(post.title)",
        same: "#\(post.number) is done already")
    }
  }

  private func remove(
    _ numbers: [PostNumber], in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    try together(numbers, in: reference) { (list, number, post, step) throws(Problem) in
      if let step {
        return PlannedChange(
          .changeStep(list.id, post.id, step.id, .remove), "✘ \(number) \(step.content)")
      }
      let times = try times(of: post, in: list)
      if times == .this { return leaveOut(post, in: list, .remove) }
      let removed: Phrase = "✘ #\(post.number) \(post.title)"
      // It is the last time; the command holds only as long as it is.
      if times == nil, post.completed == nil, let number = post.occurrence?.number {
        return PlannedChange(.changeOccurrence(list.id, post.id, number, .remove), removed)
      }
      return PlannedChange(
        .removePost(list.id, post.id, ifVersion: nil), removed,
        same: "#\(post.number) is removed already")
    }
  }

  /// Asks for the removed posts first, because no copy has them.
  private func inBin(
    _ numbers: [Int], in reference: Reference?, _ report: (Category) -> Report
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let query = PostsQuery(
      category: list.id, show: .removed, before: numbers.max().map { $0 + 1 },
      limit: Limits.listPageMax)
    return PlannedRequest(request: .query(.posts(query)), report: report(list))
  }

  /// Looks up all posts and steps before anything is sent.
  func together(
    _ numbers: [PostNumber], in reference: Reference?,
    _ make: (Category, PostNumber, Post, Step?) throws(Problem) -> PlannedChange
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    for number in numbers {
      let (post, step) = try situation.post(number, in: list)
      changes.append(try make(list, number, post, step))
    }
    return try together(changes)
  }
}
