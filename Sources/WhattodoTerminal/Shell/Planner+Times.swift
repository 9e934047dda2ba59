import Calendar
import Client
import Domain
import Screen
import Sync
import Wire

// This one or all, of posts that come again. What is meant by "this" is named by the number of the occurrence that is
// on the screen, so the server refuses it when another one has come meanwhile; and what is split is the post of a
// version.

extension Planner {
  /// Which times of a post are meant; nil for one that does not come again, or whose last time it is. Nobody is asked
  /// what they may not do: the server says why, and should they be allowed to when it is sent, it is of this time
  /// alone.
  func times(of post: Post, in list: Category) throws(Problem) -> Times? {
    if times == .this { try refuseOver(post, in: list) }
    guard post.completed == nil, post.repeats != nil else { return nil }
    guard post.skipped(almanac: .system) != nil else { return times == .all ? .all : nil }
    if let times { return times }
    guard list.archived == nil, let role = situation.role(in: .category(list.id)),
      Permission.allows(role, .postEdit)
    else { return .this }
    throw Problem("#\(post.number) \(post.title) comes again: this one or all?", remedy: .times)
  }

  func refuseOver(_ post: Post, in list: Category) throws(Problem) {
    guard let change = isOver(post, in: list) else { return }
    throw Problem("somebody was faster: #\(post.number) \(change); nothing was done")
  }

  /// What became of the time that was seen, when it is over by now.
  private func isOver(_ post: Post, in list: Category) -> String? {
    guard let was = seen?.streams[.category(list.id)]?.post(post.id), was.completed == nil,
      let number = was.occurrence?.number,
      post.completed != nil || number != post.occurrence?.number
    else { return nil }
    if post.completed != nil { return "is done" }
    return post.occurrence == nil ? "does not come again any more" : "is another time now"
  }

  /// Fields of a post, for whichever times were said.
  func editTimes(
    of post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase
  ) throws(Problem) -> Errand {
    // Nothing new by what is seen, so nothing to ask.
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

  /// The post as it is now: of one that comes again, as long as it is this time.
  func editPresent(_ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase) -> Errand {
    guard post.completed == nil, let number = post.occurrence?.number else {
      return editAll(post, in: list, edit, made)
    }
    return change(
      .changeOccurrence(list.id, post.id, number, .edit(edit)), made,
      same: "#\(post.number) is like that already")
  }

  /// The post as it is from now on.
  func editAll(_ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase) -> Errand {
    change(
      .editPost(list.id, post.id, edit, ifVersion: nil), made,
      same: "#\(post.number) is like that already")
  }

  /// This time becomes a post of its own, which is the same people's work, and the other one goes on with the next: one
  /// change, which one undo takes back as long as nobody has changed the new post. A copy begins with nothing, so what
  /// has been begun stays together: also what is begun while this is on its way, by the version.
  private func apart(
    _ post: Post, in list: Category, _ edit: PostEdit, _ made: Phrase
  ) throws(Problem) -> Errand {
    if let why = reasonToStayWhole(post) {
      if let role = situation.role(in: .category(list.id)), !Permission.allows(role, .postEdit) {
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
        .changePost(
          PostAddress(category: list.id, post: post.id), .copy(as: own, to: list.id),
          ifVersion: post.version),
        .editPost(list.id, own, edit, ifVersion: nil),
      ] + workers.map { Command.changePost(address, .assign($0), ifVersion: nil) }
      + [leaveOut(post, in: list, .skip).command]
    let stays: Phrase =
      situation.personal(post.id, in: list.id) == nil
      ? "" : "; your own plan and reminders stay with #\(post.number)"
    return Errand(
      request: .command(.batch(commands), key: Identifiers.key()),
      report: .apart(made + ", this time only" + stays))
  }

  /// What a copy would lose of this time, or what only holds as long as the post comes again.
  private func reasonToStayWhole(_ post: Post) -> String? {
    if post.repeats?.rotation != nil { return "is done in turn" }
    if post.repeats?.confirms == true { return "is confirmed by an admin" }
    if post.steps.contains(where: { $0.finished != nil }) { return "has steps that are done" }
    if !post.parts.isEmpty { return "is done by some already" }
    if let claim = post.claim, situation.clock.now < claim.until { return "is what somebody is on" }
    return nil
  }
}

// MARK: When it is due

extension Planner {
  /// Of which day a time alone is: all that come are due at it on the days of the rule.
  func day(of post: Post, _ times: Times?) -> Day? {
    times == nil ? nil : times == .all ? post.occurrence?.due.day : post.due?.day
  }

  /// Of whose zone a day alone is: it keeps the time of day, and goes by the clock that shows it.
  func zone(of post: Post, _ times: Times?) -> String? {
    times == nil ? nil : times == .all ? post.occurrence?.due.zone : post.due?.zone
  }

  /// A day alone keeps the time of day. All that come move with it where the rule leaves it to the first of them.
  func setDue(
    _ due: Due, of times: Times, of post: Post, in list: Category
  ) throws(Problem) -> Errand {
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

  /// A post that comes again needs one: without it none of them comes.
  func clearDue(of post: Post, in list: Category) throws(Problem) -> Errand {
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
    case .changePost(_, .occurrence, _): true
    case .batch(let commands): commands.contains(where: \.namesOccurrence)
    default: false
    }
  }
}

extension [Command] {
  /// Whether it makes a post of its own of one time, as `apart` does: the second command says what is changed in it.
  var editsOneTime: Bool {
    guard count > 2, case .changePost(let from, .copy(let own, let list, days: 0), _)? = first,
      list == from.category, case .changePost(let address, .edit, _) = self[1],
      case .changePost(let over, .occurrence(_, .skip), _)? = last
    else { return false }
    return address.post == own && over == from
  }
}

extension ServerError {
  /// That a list has work for nobody is no fault of who asks for some.
  static let emptyQueue =
    "nothing waits there: what is open is others' work, for each, or somebody is on it"

  /// For who sent this. To change one time nobody types a batch, so the place in it is left out.
  func sentence(about command: Command) -> String {
    if case .claimNext = command, kind == .notFound { return ServerError.emptyQueue }
    guard case .batch(let commands) = command, commands.editsOneTime, let index else {
      return sentence
    }
    let place = "In command \(index) of the batch: "
    return sentence.hasPrefix(place) ? String(sentence.dropFirst(place.count)) : sentence
  }
}
