// What is asked for about one post and its steps.

import Client
import Domain
import Screen
import Sync
import Wire

extension Planner {
  /// `/show 12` is a post of the open list where there is such a one, else the list with that number.
  func posts(of reference: Reference?, done: Bool) throws(Problem) -> View {
    if !done, let reference, let list = situation.openList,
      let number = Words.number(in: reference.text),
      let post = situation.streams[.category(list.id)]?.post(number: number)
    {
      return .post(post, list)
    }
    return .posts(try situation.list(reference), done: done)
  }

  func post(_ number: Int, in reference: Reference?) throws(Problem) -> View {
    let list = try situation.list(reference)
    return .post(try situation.post(number, in: list), list)
  }

  func addStep(
    _ text: String, to number: Int, in reference: Reference?
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    return change(
      .changeStep(list.id, post.id, StepID(Identifiers.make()), .add(content: text)),
      "+ \(post.number).\(post.steps.count + 1) \(text)")
  }

  /// Of a post or, with its number, of a step.
  func edit(
    _ number: PostNumber, in reference: Reference?, title: String
  ) throws(Problem) -> Errand {
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

  func moveStep(
    _ number: PostNumber, to place: MoveTarget, in reference: Reference?
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    guard case let (post, step?) = try situation.post(number, in: list) else {
      throw Problem("\(number) is a post: only steps (\(number).1) are moved")
    }
    let next: StepID?
    switch place {
    case .bottom: next = nil
    case .top: next = post.steps.first?.id
    case .before(let other):
      guard case let (found, before?) = try situation.post(other, in: list), found.id == post.id
      else { throw Problem("\(other) is no step of #\(post.number)") }
      next = before.id
    }
    return change(
      .changeStep(list.id, post.id, step.id, .move(before: next)),
      "✎ \(number) \(step.content) moved", same: "\(number) stands there already")
  }
}
