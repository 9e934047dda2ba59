// Commands on posts besides adding, editing and completing them: all fields of posts in a list, dues that come while
// the run goes on, occurrences, steps, tags, people, places among the others and in other lists, copies. Nothing is
// erased: the journals have the sent texts, and an erasing takes them out of the log.

import Client
import Domain
import Net
import Wire

extension Workload {
  /// Returns a batch as one typed line makes it: everything at once that it may say, and its tags with it.
  mutating func quick(_ list: List) -> Command {
    let post = PostID(Identifiers.make())
    var fields = PostEdit(priority: .set(.high), due: .set(due()))
    if random.percent(30) { fields.repeats = .set(repetition()) }
    let title = "quick \(random.below(1_000_000))"
    let add = Command.post(
      .add(
        PostAddress(category: list.id, post: post), NewPost(title: title, fields: fields)))
    let tags = list.tags.shuffled(using: &random).prefix(random.below(3))
    let marks = tags.map { Command.post(.change(list.id, post, .tag($0))) }
    return marks.isEmpty ? add : .batch([add] + marks)
  }

  /// Returns a command on the post; nil when there is nothing of the kind to do.
  mutating func more(_ post: Post, _ list: List, _ lists: [List]) -> Command? {
    switch random.below(24) {
    case 20...23: return contest(list, post)
    case 0...2: return step(of: post, list)
    case 3, 4: return tag(post, list)
    case 5, 6: return assign(post, list)
    case 7...9: return .editPost(list.id, post.id, fields(), ifVersion: nil)
    case 10...12: return place(post, list)
    case 13...15:
      let others = lists.filter { $0.id != list.id }
      return others.randomElement(using: &random).map {
        .movePost(list.id, post.id, to: $0.id)
      }
    case 16:
      let copy = PostChange.copy(
        as: PostID(Identifiers.make()), to: lists.randomElement(using: &random)?.id ?? list.id)
      return .post(.change(list.id, post.id, copy))
    default: return occurrence(of: post, list)
    }
  }

  /// Returns a command on the occurrence that this client sees. If another client is first, it is refused.
  private mutating func occurrence(of post: Post, _ list: List) -> Command {
    guard let occurrence = post.occurrence, post.completed == nil else {
      let edit = PostEdit(due: .set(due()), repeats: .set(repetition()))
      return .editPost(list.id, post.id, edit, ifVersion: nil)
    }
    let change: OccurrenceChange
    switch random.below(10) {
    case 0: change = .skip
    case 1: change = .remove
    case 2, 3:
      change = post.steps.map(\.id).randomElement(using: &random).map { .finish($0) } ?? .complete
    default: change = .complete
    }
    return .changeOccurrence(list.id, post.id, occurrence.number, change)
  }

  private mutating func step(of post: Post, _ list: List) -> Command {
    let steps = post.steps.map(\.id)
    guard let step = steps.randomElement(using: &random), steps.count > 3 || random.percent(70)
    else {
      let add = StepChange.add(content: "step \(random.below(1_000))")
      return .changeStep(list.id, post.id, StepID(Identifiers.make()), add)
    }
    let change: StepChange =
      switch random.below(8) {
      case 0: .reopen
      case 1: .edit(content: "step \(random.below(1_000))")
      case 2: .remove
      case 3: .move(before: steps.randomElement(using: &random))
      default: .complete
      }
    return .changeStep(list.id, post.id, step, change)
  }

  private mutating func tag(_ post: Post, _ list: List) -> Command {
    guard let tag = list.tags.randomElement(using: &random), list.tags.count > 3 else {
      let add = TagChange.add(name: "tag \(random.below(1_000_000))")
      return .changeTag(list.id, TagID(Identifiers.make()), add)
    }
    if random.percent(5) { return .changeTag(list.id, tag, .remove) }
    return .post(.change(list.id, post.id, random.percent(70) ? .tag(tag) : .untag(tag)))
  }

  /// Returns a command that gives the post to a person or takes it from them. The person may have left.
  private mutating func assign(_ post: Post, _ list: List) -> Command? {
    let gives = random.percent(70)
    return list.members.map(\.id).sorted().randomElement(using: &random).map { user in
      .post(.change(list.id, post.id, gives ? .assign(user) : .unassign(user)))
    }
  }

  /// Returns a move between two others as this client sees them, or to an end.
  private mutating func place(_ post: Post, _ list: List) -> Command? {
    let others = list.posts.filter { $0.id != post.id }.sorted { $0.stands(before: $1) }.map(\.id)
    guard !others.isEmpty else { return nil }
    let place = random.below(others.count + 1)
    return .movePost(
      list.id, post.id, after: place > 0 ? others[place - 1] : nil,
      before: place < others.count ? others[place] : nil)
  }

  private mutating func fields() -> PostEdit {
    var edit = PostEdit()
    switch random.below(5) {
    case 0: edit.priority = random.percent(70) ? .set(.medium) : .clear
    case 1: edit.color = random.percent(70) ? .set(.red) : .clear
    case 2: edit.location = .set(Location(text: "room \(random.below(9))"))
    default: edit.due = random.percent(80) ? .set(due()) : .clear
    }
    return edit
  }

  /// Returns a due in a minute that has passed, passes now, or comes; or on a day about now.
  private mutating func due() -> Due {
    let minutes = Int(MachineClock.wallMilliseconds() / 60_000) + random.below(4) - 1
    let day = Day(number: minutes / 1_440)
    if random.percent(20) { return .day(day.adding(days: random.below(3) - 1)) }
    return .time(day, minute: minutes % 1_440, zone: "UTC")
  }

  private mutating func repetition() -> Repetition {
    do throws(RecurrenceProblem) {
      let rule = random.percent(70) ? "FREQ=DAILY" : "FREQ=WEEKLY;COUNT=5"
      return Repetition(
        try RecurrenceRule(rule), basis: random.percent(70) ? .due : .completion,
        missed: random.percent(50) ? .dropped : .kept)
    } catch {
      Program.end("a rule of ours is none")
    }
  }

  // MARK: Views

  /// Returns a view: posts that are due, posts that come back first, all posts of a person, or one list's.
  mutating func look(_ client: Client) -> ViewQuery? {
    guard client.user != nil, random.percent(8) else { return nil }
    var criteria = PostWhere()
    switch random.below(4) {
    case 0: criteria.due = DueWindow(until: .moment(now))
    case 1: criteria.assignee = .me
    case 2: criteria.by = .me
    default: break
    }
    return ViewQuery(
      criteria, sort: ViewSort.allCases.randomElement(using: &random) ?? .created, zone: "UTC")
  }

  private var now: Timestamp { Timestamp(milliseconds: MachineClock.wallMilliseconds()) }
}
