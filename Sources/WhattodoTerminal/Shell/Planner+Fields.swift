import Domain
import Screen
import Sync

// Plans for the fields of one post; without a value a field is cleared.

extension Planner {
  func request(_ action: FieldAction) throws(Problem) -> PlannedRequest {
    switch action {
    case .title(let list, let number, let title): try edit(number, in: list, title: title)
    case .notes(let list, let number, let notes):
      try edit(number, in: list, PostEdit(notes: notes))
    case .due(let list, let number, let wish): try setDue(number, in: list, wish)
    case .repeating(let list, let number, let wish): try setRepeat(number, in: list, wish)
    case .set(let list, let number, let edit): try set(number, in: list, edit)
    case .personal(let list, let number, let wish): try request(number, in: list, wish)
    }
  }

  func edit(
    _ number: Int, in reference: Reference?, _ edit: PostEdit
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    return try editTimes(of: post, in: list, edit, "✎ #\(number) \(edit.title ?? post.title)")
  }

  func setDue(
    _ number: Int, in reference: Reference?, _ wish: DueWish?
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    guard let wish else { return try clearDue(of: post, in: list) }
    let clock = situation.clock
    let times = try times(of: post, in: list)
    // A time alone belongs to the day that the post has, also when it has passed; the minute -1 lets no time of the day
    // count as over.
    let own = wish.isTimeAlone(situation.languages) ? day(of: post, times) : nil
    let meant =
      if let own {
        wish.due(today: own, now: -1, zone: clock.zone, languages: situation.languages)
      } else {
        situation.due(wish, in: list, zone: zone(of: post, times))
      }
    guard let due = meant else { throw Problem("there is no such day") }
    guard let times else {
      let edit = PostEdit(due: .set(due))
      return editPresent(post, in: list, edit, told(edit, of: post))
    }
    return try setDue(due, of: times, of: post, in: list)
  }

  /// Sets fields of a post, and says what they are then.
  func set(
    _ number: Int, in reference: Reference?, _ edit: PostEdit
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    return try editTimes(of: post, in: list, edit, told(edit, of: post))
  }

  func told(_ edit: PostEdit, of post: Post) -> Phrase {
    "✎ #\(post.number) \(post.title): \(PostChips.words(edit, situation.clock).listed)"
  }
}
