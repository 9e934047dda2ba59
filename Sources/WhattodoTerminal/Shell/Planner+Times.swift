import Calendar
import Client
import Domain
import Screen
import Sync
import Wire

// Plans for this time or all times of a post that comes again. "This" is named by the number of the occurrence on the
// screen, so the server refuses the command when another one has come meanwhile. A post is split by its version.

extension Planner {
  /// Returns which times of a post are meant; nil for a post that does not come again, or whose last time it is. People
  /// are not asked about what they may not do: the server says why. Should they be allowed to when it is sent, it
  /// changes this time alone.
  func times(of post: Post, in list: Category) throws(Problem) -> Times? {
    if times == .this { try refuseOver(post, in: list) }
    guard post.completed == nil, post.repeats != nil else { return nil }
    guard post.skipped(almanac: .system) != nil else { return times == .all ? .all : nil }
    if let times { return times }
    guard list.archived == nil, let role = situation.role(in: .category(list.id)),
      Permission.allows(role, .post(.edit))
    else { return .this }
    throw Problem("#\(post.number) \(post.title) comes again: this one or all?", remedy: .times)
  }

  func refuseOver(_ post: Post, in list: Category) throws(Problem) {
    guard let change = isOver(post, in: list) else { return }
    throw Problem("somebody was faster: #\(post.number) \(change); nothing was done")
  }

  /// Says what became of the time that the person saw; nil when it is not over.
  private func isOver(_ post: Post, in list: Category) -> String? {
    guard let was = seen?.streams[.category(list.id)]?.post(post.id), was.completed == nil,
      let number = was.occurrence?.number,
      post.completed != nil || number != post.occurrence?.number
    else { return nil }
    if post.completed != nil { return "is done" }
    return post.occurrence == nil ? "does not come again any more" : "is another time now"
  }

  /// Edits fields of a post for the times that are meant.
  func editTimes(
    of post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase
  ) throws(Problem) -> PlannedRequest {
    // The edit changes nothing that is seen, so there is nothing to ask.
    guard !post.edited(by: edit).hasFields(of: post) else {
      return times == .all
        ? editAll(post, in: list, edit, made) : editPresent(post, in: list, edit, made)
    }
    return switch try times(of: post, in: list) {
    case .this: try apart(post, in: list, edit, made)
    case .all: editAll(post, in: list, edit, made)
    case nil: editPresent(post, in: list, edit, made)
    }
  }

  /// Edits the post as it is now. When it comes again, the edit holds only while it is at this time.
  func editPresent(_ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase)
    -> PlannedRequest
  {
    guard post.completed == nil, let number = post.occurrence?.number else {
      return editAll(post, in: list, edit, made)
    }
    return change(
      .changeOccurrence(list.id, post.id, number, .edit(edit)), made,
      same: "#\(post.number) is like that already")
  }

  /// Edits the post from now on.
  func editAll(_ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase) -> PlannedRequest
  {
    change(
      .editPost(list.id, post.id, edit, ifVersion: nil), made,
      same: "#\(post.number) is like that already")
  }

  /// Makes a post of its own of this time, assigned to the same people, and lets the other post go on with the next
  /// time. It is one change, and one undo takes it back as long as nobody has changed the new post. A copy begins anew,
  /// so a post that somebody has begun is not split; the version also covers work that begins while the command is on
  /// its way.
  private func apart(
    _ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase
  ) throws(Problem) -> PlannedRequest {
    if let why = reasonToStayWhole(post) {
      if let role = situation.role(in: .category(list.id)), !Permission.allows(role, .post(.edit)) {
        throw Problem("\(role.withArticle) may not change posts in \(list.tag)")
      }
      throw Problem("#\(post.number) \(why), so it is changed for all its times or not at all")
    }
    let own = PostID(Identifiers.make())
    var edit = edit
    edit.repeats = .clear
    let workers = situation.streams[.category(list.id)]?.assignees(of: post).map(\.id) ?? []
    let address = PostAddress(category: list.id, post: own)
    let commands =
      [
        .post(
          .change(
            PostAddress(category: list.id, post: post.id), .copy(as: own, to: list.id),
            ifVersion: post.version)),
        .editPost(list.id, own, edit, ifVersion: nil),
      ] + workers.map { Command.post(.change(address, .assign($0), ifVersion: nil)) }
      + [leaveOut(post, in: list, .skip).command]
    let stays: Phrase =
      situation.personal(post.id, in: list.id) == nil
      ? "" : "; your own plan and reminders stay with #\(post.number)"
    return PlannedRequest(
      request: .command(.batch(commands), key: Identifiers.key()),
      report: .apart(made + ", this time only" + stays))
  }

  /// Returns why a post is not split: a copy would lose something of this time, or something that holds only while the
  /// post comes again. Nil when it can be split.
  private func reasonToStayWhole(_ post: Post) -> String? {
    if post.repeats?.rotation != nil { return "is done in turn" }
    if post.repeats?.confirms == true { return "is confirmed by an admin" }
    if post.steps.contains(where: { $0.finished != nil }) { return "has steps that are done" }
    if !post.parts.isEmpty { return "is done by some already" }
    if let claim = post.claim, situation.clock.now < claim.until { return "is what somebody is on" }
    if post.run != nil { return "is what a program is at work on" }
    if !post.entries.isEmpty || !post.shares.isEmpty { return "is what people are at work on" }
    return nil
  }
}

// MARK: When it is due

extension Planner {
  /// Returns the day to which a time alone belongs. All coming times are due at it, on the days of the rule.
  func day(of post: Post, _ times: Times?) -> Day? {
    times == nil ? nil : times == .all ? post.occurrence?.due.day : post.due?.day
  }

  /// Returns the zone to which a day alone belongs. The day keeps the time of day, and goes by the clock of that time.
  func zone(of post: Post, _ times: Times?) -> String? {
    times == nil ? nil : times == .all ? post.occurrence?.due.zone : post.due?.zone
  }

  /// Sets the due for the times that are meant. A day alone keeps the time of day. All coming times move with it, where
  /// the rule takes its days from the first one.
  func setDue(
    _ due: Due, of times: Times, of post: Post, in list: Category
  ) throws(Problem) -> PlannedRequest {
    var due = due
    let old = times == .all ? post.occurrence?.due : post.due
    if due.zone == nil, let old { due = old.moved(to: due.day) }
    var edit = PostEdit(due: .set(due))
    guard times == .all, let repeats = post.repeats, let occurrence = post.occurrence else {
      return editPresent(post, in: list, edit, told(edit, of: post))
    }
    try refuseOver(post, in: list)
    let first = Almanac.system.firstDay(repeats.rule, due.day, due.day.adding(days: -1))
    guard due.day == occurrence.due.day || first == due.day && repeats.rule.allows(due.day) else {
      let words = RecurrenceWords.words(repeats)
      throw Problem("#\(post.number) comes \(words): /repeat \(post.number) sets other days")
    }
    edit.repeats = .set(repeats.wishFromHere)
    let begins: Phrase =
      post.parts.isEmpty && post.submitted == nil
      ? "" : "; what was done of this time begins anew"
    return editPresent(post, in: list, edit, told(edit, of: post) + begins)
  }

  /// Clears the due. A post that comes again needs one, so its rule is cleared too, and "this" alone is refused.
  func clearDue(of post: Post, in list: Category) throws(Problem) -> PlannedRequest {
    guard try times(of: post, in: list) != .this else {
      throw Problem(
        "#\(post.number) comes again and needs a due: /skip \(post.number) leaves this one out")
    }
    let edit = PostEdit(due: .clear, repeats: post.repeats == nil ? .keep : .clear)
    return editPresent(post, in: list, edit, told(edit, of: post))
  }
}

extension Command {
  /// Whether it is about one time of a post and no later one.
  var namesOccurrence: Bool {
    switch self {
    case .post(.change(_, .occurrence, _)): true
    case .batch(let commands): commands.contains(where: \.namesOccurrence)
    default: false
    }
  }
}

extension [Command] {
  /// Whether the batch makes a post of its own of one time, as `apart` does. The second command holds what is changed
  /// in it.
  var editsOneTime: Bool {
    guard count > 2, case .post(.change(let from, .copy(let own, let list, days: 0), _))? = first,
      list == from.category, case .post(.change(let address, .edit, _)) = self[1],
      case .post(.change(let over, .occurrence(_, .skip), _))? = last
    else { return false }
    return address.post == own && over == from
  }
}

extension ServerError {
  /// The sentence for an empty queue, because the person who asks for work has done nothing wrong.
  static let emptyQueue =
    "nothing waits there: what is open is others' work, for each, or somebody is on it"

  /// Returns the sentence for the person who sent this. A change of one time is not typed as a batch, and lines that
  /// are one change have numbers of their own, so the place in the batch is left out.
  func sentence(about command: Command, isOfLines: Bool = false) -> String {
    if case .post(.claimNext) = command, kind == .notFound { return ServerError.emptyQueue }
    guard case .batch(let commands) = command, isOfLines || commands.editsOneTime, let index
    else { return sentence }
    let place = "In command \(index) of the batch: "
    return sentence.hasPrefix(place) ? String(sentence.dropFirst(place.count)) : sentence
  }
}
