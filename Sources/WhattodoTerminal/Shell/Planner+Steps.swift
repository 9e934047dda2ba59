// Plans for requests about one post and its steps.

import Client
import Domain
import Screen
import Sync
import Wire

extension Planner {
  /// Plans `/show 12`: a post of the open list. When no list is open, or a list has that name, it is a list.
  func posts(of reference: Reference?, done: Bool) throws(Problem) -> View {
    if !done, let reference, let list = situation.openList,
      let number = Words.number(in: reference.text),
      !situation.catalog.lists.contains(where: { $0.name.oneWord == reference.text })
    {
      return .post(try post(number, ofOpen: list), list)
    }
    return .posts(try situation.list(reference), done: done)
  }

  /// Returns the post of the open list. A list with this number is never shown instead; the message names it.
  private func post(_ number: Int, ofOpen list: Category) throws(Problem) -> Post {
    if let post = situation.streams[.category(list.id)]?.post(number: number) { return post }
    let lists = situation.catalog.lists
    guard number > list.lastPost, lists.indices.contains(number - 1) else {
      return try self.situation.post(number, in: list)
    }
    let other = lists[number - 1].tag
    throw Problem("there is no #\(number) in \(list.tag); /show \(other) shows list \(number)")
  }

  func post(_ number: Int, in reference: Reference?) throws(Problem) -> View {
    let list = try situation.list(reference)
    return .post(try situation.post(number, in: list), list)
  }

  func addStep(
    _ text: String, to number: Int, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    return change(
      .changeStep(list.id, post.id, StepID(Identifiers.make()), .add(content: text)),
      "+ \(post.number).\(post.steps.count + 1) \(text)")
  }

  /// Edits the title of a post or, when the number names a step, the text of the step.
  func edit(
    _ number: PostNumber, in reference: Reference?, title: String
  ) throws(Problem) -> PlannedRequest {
    guard number.step != nil else {
      return try edit(number.post, in: reference, PostEdit(title: title))
    }
    let list = try situation.list(reference)
    guard case let (post, step?) = try situation.post(number, in: list) else {
      throw Problem("there is no \(number)")
    }
    return change(
      .changeStep(list.id, post.id, step.id, .edit(content: title)), "✎ \(number) \(title)",
      same: "\(number) is like that already")
  }

  /// Moves posts, or one step.
  func move(
    _ numbers: [PostNumber], to place: MoveTarget, in reference: Reference?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    guard numbers.contains(where: { $0.step != nil }) else {
      return try movePosts(numbers, to: place, in: list)
    }
    guard numbers.count == 1, case let (post, step?) = try situation.post(numbers[0], in: list)
    else { throw Problem("steps are moved one by one") }
    let number = numbers[0]
    let next: StepID?
    switch place {
    case .bottom: next = nil
    case .top: next = post.steps.first?.id
    case .list: throw Problem("a step stays in its post")
    case .before(let other):
      guard case let (found, before?) = try situation.post(other, in: list), found.id == post.id
      else { throw Problem("\(other) is no step of #\(post.number)") }
      next = before.id
    }
    return change(
      .changeStep(list.id, post.id, step.id, .move(before: next)),
      "✎ \(number) \(step.content) moved", same: "\(number) stands there already")
  }

  func copy(
    _ numbers: [Int], in reference: Reference?, to other: Reference?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let goal = if let other { try situation.list(other) } else { list }
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      changes.append(
        PlannedChange(
          .post(
            .change(
              list.id, post.id, .copy(as: PostID(Identifiers.make()), to: goal.id))),
          "+ \(post.title) (\(goal.tag))"))
    }
    return try together(changes)
  }

  private func move(
    _ posts: [Post], from list: Category, to reference: Reference
  ) throws(Problem) -> PlannedRequest {
    let other = try situation.list(reference)
    guard other.id != list.id else { throw Problem("they are in \(list.tag) already") }
    return try together(
      posts.map {
        PlannedChange(
          .movePost(list.id, $0.id, to: other.id), "→ #\($0.number) \($0.title) to \(other.tag)")
      })
  }

  /// Moves posts among the open ones as they are shown. Several stand in the order in which they were named.
  private func movePosts(
    _ numbers: [PostNumber], to place: MoveTarget, in list: Category
  ) throws(Problem) -> PlannedRequest {
    var moved: [Post] = []
    for number in numbers { moved.append(try situation.post(number.post, in: list)) }
    if case .list(let other) = place { return try move(moved, from: list, to: other) }
    let others = (situation.streams[.category(list.id)]?.openPosts ?? []).filter { post in
      !moved.contains { $0.id == post.id }
    }
    let index: Int
    switch place {
    case .top, .list: index = 0
    case .bottom: index = others.count
    case .before(let other):
      guard other.step == nil, let found = others.firstIndex(where: { $0.number == other.post })
      else { throw Problem("there is no other open #\(other) in \(list.tag)") }
      index = found
    }
    guard !others.isEmpty else { throw Problem("there is no other open post in \(list.tag)") }
    let placings = Placing.moves(of: moved, to: index, in: others, lastPost: list.lastPost)
    return try together(
      placings.map {
        PlannedChange(
          .movePost(list.id, $0.post.id, after: $0.upper, before: $0.lower),
          "✎ #\($0.post.number) \($0.post.title) moved",
          same: "#\($0.post.number) stands there already")
      })
  }
}
