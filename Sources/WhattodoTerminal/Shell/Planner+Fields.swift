import Domain
import Screen
import Sync

// The fields of posts that may be missing: without a value they are taken away.

extension Planner {
  func setDue(
    _ number: Int, in reference: Reference?, _ wish: DueWish?
  ) throws(Problem) -> Errand {
    guard let wish else { return try set(number, in: reference, PostEdit(due: .clear)) }
    let clock = situation.clock
    guard let today = clock.today,
      let due = wish.due(
        today: today.day, now: today.minute, zone: clock.zone, languages: situation.languages)
    else { throw Problem("there is no such day") }
    return try set(number, in: reference, PostEdit(due: .set(due)))
  }

  /// Sets fields of a post, and tells what they are then.
  func set(
    _ number: Int, in reference: Reference?, _ edit: PostEdit
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    let words = PostChips.words(edit, situation.clock)
    let told = words.dropFirst().reduce(words.first ?? "") { $0 + ", " + $1 }
    return change(
      .editPost(list.id, post.id, edit, ifVersion: nil), "✎ #\(number) \(post.title): \(told)",
      same: "#\(number) is like that already")
  }

  /// Of a list: its zone, its color.
  func edit(
    list reference: Reference?, _ edit: CategoryEdit
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    return change(
      .editCategory(list.id, edit), EventLines.what(edit, list.tag) ?? "",
      same: "\(list.tag) is like that already")
  }
}
