import Calendar
import Client
import Domain
import Screen
import Sync

// Posts that come again: what is typed of one means the occurrence that is on the screen. Where it could mean all that come
// as well, it has to be said (`Times`): of the last occurrence there is nothing to ask.

extension Planner {
  /// A post that is due at no time yet is due on the first day that the rule names.
  func setRepeat(
    _ number: Int, in reference: Reference?, _ wish: RepeatWish
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    var edit = PostEdit(repeats: .clear)
    if !wish.isOff {
      guard let today = situation.clock.today?.day,
        let repetition = wish.repetition(today: today, languages: situation.languages)
      else { throw Problem("there is no such day") }
      edit.repeats = .set(repetition)
      if post.due == nil {
        guard let first = Almanac.system.firstDay(repetition.rule, today, today.adding(days: -1))
        else { throw Problem("there is no such day") }
        edit.due = .set(.day(first))
      }
    }
    return editAll(post, in: list, edit, told(edit, of: post))
  }

  /// Leaves out the occurrence of now of each.
  func skip(_ numbers: [Int], in reference: Reference?) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      guard post.occurrence != nil else {
        throw Problem("#\(number) does not come again: /repeat \(number) every week")
      }
      changes.append(leaveOut(post, in: list, .skip))
    }
    return try together(changes)
  }

  /// Of a post that comes again.
  func leaveOut(
    _ post: Post, in list: Category, _ change: OccurrenceChange
  ) -> PlannedChange {
    let next = post.repeats?.skipped(almanac: .system)
    let again: Phrase = next.map { " (again \(situation.clock.words($0.due)))" } ?? ""
    return PlannedChange(
      .changeOccurrence(list.id, post.id, post.occurrence?.number ?? 0, change),
      "↷ #\(post.number) \(post.title): not this time" + again)
  }

  /// When it will come again, if it is completed now: ` (again Fri)`.
  func again(after post: Post, in list: Category) -> Phrase {
    guard let me = situation.me,
      let next = post.following(Stamp(at: situation.clock.now, by: me), in: list, .system)
    else { return "" }
    return " (again \(situation.clock.words(next.due)))"
  }
}

// MARK: This one or all

extension Planner {
  /// Which times of a post are meant; nil for one that does not come again.
  func times(of post: Post) throws(Problem) -> Times? {
    guard post.completed == nil, post.repeats?.skipped(almanac: .system) != nil else { return nil }
    guard let times else {
      throw Problem("#\(post.number) \(post.title) comes again: this one or all?", remedy: .times)
    }
    return times
  }

  /// Fields of a post, for whichever times were said.
  func editTimes(
    of post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase
  ) throws(Problem) -> Errand {
    guard try times(of: post) == .this else { return editAll(post, in: list, edit, made) }
    return apart(post, in: list, edit, made)
  }

  /// The post as it is from now on.
  func editAll(_ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase) -> Errand {
    change(
      .editPost(list.id, post.id, edit, ifVersion: nil), made,
      same: "#\(post.number) is like that already")
  }

  /// This time becomes a post of its own, which is the same people's work, or whose turn it is, and the other one goes on with the next: one
  /// change, that one undo takes back.
  private func apart(
    _ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase
  ) -> Errand {
    let own = PostID(Identifiers.make())
    var edit = edit
    edit.repeats = .clear
    let state = situation.streams[.category(list.id)]
    let workers =
      state?.turn(of: post).map { [$0] } ?? state?.assignees(of: post).map(\.id) ?? []
    let address = PostAddress(category: list.id, post: own)
    let commands =
      [
        .changePost(
          PostAddress(category: list.id, post: post.id), .copy(as: own, to: list.id),
          ifVersion: nil),
        .editPost(list.id, own, edit, ifVersion: nil),
      ] + workers.map { Command.changePost(address, .assign($0), ifVersion: nil) }
      + [leaveOut(post, in: list, .skip).command]
    return change(.batch(commands), made + " (this time only)")
  }

  /// A day alone keeps the time of day. All that come move with it where the rule leaves it to the first of them.
  func setDue(
    _ due: Due, of times: Times, of post: Post, in list: Category
  ) throws(Problem) -> Errand {
    var due = due
    if due.zone == nil, let old = post.due { due = old.moved(to: due.day) }
    var edit = PostEdit(due: .set(due))
    if times == .all, let repeats = post.repeats {
      guard Almanac.system.firstDay(repeats.rule, due.day, due.day.adding(days: -1)) == due.day
      else {
        let words = RecurrenceWords.words(repeats)
        throw Problem("#\(post.number) comes \(words): /repeat \(post.number) sets other days")
      }
      edit.repeats = .set(repeats.wishFromHere)
    }
    return editAll(post, in: list, edit, told(edit, of: post))
  }

  /// A post that comes again needs one: without it none of them comes.
  func clearDue(of post: Post, in list: Category) throws(Problem) -> Errand {
    guard try times(of: post) != .this else {
      throw Problem(
        "#\(post.number) comes again and needs a due: /skip \(post.number) leaves this one out")
    }
    let edit = PostEdit(due: .clear)
    return editAll(post, in: list, edit, told(edit, of: post))
  }
}
